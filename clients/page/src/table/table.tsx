/** A table: the board, whose turn it is, and everything around it. */

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { type Decision, Player, Waiting } from "@saloon/client/v1";
import { inWords, tables } from "../api";
import { wantCatalogue } from "../catalogue";
import { Guide, GuideCard } from "../guide/guide";
import { Learn } from "../learn";
import { t } from "../words";
import { Board } from "./board";
import { Choosing } from "./choosing";
import { Clock } from "./clock";
import { Warning } from "./coach";
import { guesses, Hints, marks } from "./hints";
import { Log } from "./log";
import { Moves } from "./moves";
import { Seats } from "./seats";
import { TableStore } from "./store";
import { Waiters } from "./waiters";

export function TableScreen({ id }: { id: string }) {
  const store = useMemo(() => new TableStore(id), [id]);
  useEffect(() => {
    let close = () => {};
    let here = true;
    void wantCatalogue().then(() => {
      if (here) close = store.open();
    });
    return () => {
      here = false;
      close();
    };
  }, [store]);
  if (store.link.value === "gone") return <Sorry words={t("noSuchTable")} />;
  if (store.link.value === "denied") return <Sorry words={t("notInvited")} />;
  return <Playing store={store} />;
}

function Sorry({ words }: { words: string }) {
  return (
    <main class="narrow">
      <section class="card"><h1>{words}</h1><p><a href="#/">{t("toStart")}</a></p></section>
    </main>
  );
}

function Playing({ store }: { store: TableStore }) {
  const words = (decision: Decision) =>
    store.game.value.choice(decision, store.shown.value?.position, store.cast, store.components.value);
  const choosing = useMemo(() => new Choosing(store, words), [store]);
  const guide = useMemo(() => new Guide(store), [store]);
  const hinting = useSignal(false);
  const missed = useSignal("");
  const table = store.table.value;
  const shown = store.shown.value;
  const turn = store.turn.value;
  const mine = turn?.seat;
  const first = mine ?? Object.keys(store.seats.value).map(Number)[0];
  const title = useComputed(() => store.components.value && table ? store.gameName.value : "");
  useEffect(() => {
    choosing.reset();
    missed.value = "";
  }, [turn]);
  useTitle(store);
  useKeys(store, choosing);
  if (!table) return <main class="narrow" aria-busy="true"><p role="status">{t("opening")}</p></main>;
  if (store.waiting.value) return <Waiters store={store} />;
  return (
    <main class="playing" data-game={title.value}>
      <div class="stage">
        {shown && store.veil.value === undefined ? (
          <Board
            svg={shown.svg}
            game={store.gameName.value}
            name={store.name}
            first={first}
            targets={store.busy.value ? [] : choosing.targets.value}
            marks={hinting.value ? marks.value : []}
            guesses={hinting.value ? guesses.value : []}
            rings={guide.rings.value}
            traces={shown.traces}
            moving={store.game.value.moving}
            round={store.game.value.round}
            onPick={(selector) => {
              missed.value = "";
              choosing.pick(selector);
            }}
            onMiss={(element, what) => {
              const why = turn && turn.options.length ? store.game.value.whyNot(element, shown.status, shown.position) : "";
              missed.value = [what && t("thisIs", what), why].filter(Boolean).join(" ");
            }}
          />
        ) : <div class="board empty" />}
      </div>
      <div class="beside">
        {store.veil.value !== undefined ? <Veil store={store} /> : <Due store={store} guide={guide} choosing={choosing} words={words} hinting={hinting} missed={missed.value} />}
        {hinting.value && turn && turn.options.length > 0 && !store.past.value && (
          <Hints store={store} words={words} onChoose={(decision) => choosing.choose(decision)} />
        )}
        <Seats store={store} />
        <Log store={store} />
        <Learn game={store.gameName.value} />
      </div>
    </main>
  );
}

/** Whose turn it is, what it means, and what can be done. */
function Due({ store, guide, choosing, words, hinting, missed }: {
  guide: Guide;
  missed: string;
  store: TableStore;
  choosing: Choosing;
  words(decision: Decision): string;
  hinting: { value: boolean };
}) {
  const shown = store.shown.value;
  const turn = store.turn.value;
  const past = store.past.value;
  const busy = store.busy.value;
  const last = turn?.steps[turn.steps.length - 1];
  const slow = useLong(busy);
  const left = choosing.left.value;
  const mustConfirm = turn !== undefined && turn.steps.length > 0 && turn.options.length === 0;
  const turned = last ? store.game.value.turned?.(last.decision, last.options) ?? [] : [];
  const warned = turn !== undefined && store.coach.warning.value?.turn === turn;
  const picked = choosing.picks.value.length > 0;
  const button = useRef<HTMLButtonElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (mustConfirm && !busy) button.current?.focus({ preventScroll: true });
  }, [mustConfirm, busy]);
  useEffect(() => {
    // Whoever goes by keys does not have to begin anew where a button is gone.
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true });
  }, [turn === undefined]);
  return (
    <section class="card due" aria-labelledby="due-title" aria-busy={busy}>
      <h1 ref={title} id="due-title" aria-live="polite" tabIndex={-1}>{heading(store)}</h1>
      <span class="hidden" role="status">{slow ? t("underWay") : ""}</span>
      <Clock store={store} />
      <Away store={store} />
      <GuideCard guide={guide} />
      {store.link.value === "lost" && <p class="problem" role="status">{t("lost")}</p>}
      {store.problem.value && <p class="problem" role="alert">{store.problem.value}</p>}
      {missed && <p class="missed" role="status">{missed}</p>}
      {past ? (
        <div class="buttons"><button type="button" class="main" onClick={() => { store.past.value = undefined; }}>{t("backToNow")}</button></div>
      ) : turn && shown ? (
        <>
          <p class="advice">{slow ? t("underWay") : mustConfirm ? t("confirmAdvice") : store.game.value.advice(shown.status, shown.position)}</p>
          {turn.steps.length > 0 && <ol class="tried">{turn.steps.map((step) => <li key={step.id}>{step.told[0]?.text}</li>)}</ol>}
          <Warning store={store} />
          <div class="buttons">
            {mustConfirm && (
              <button ref={button} type="button" class="main" disabled={busy} onClick={() => void store.confirm()}>{t(warned ? "confirmAnyway" : "confirm")}</button>
            )}
            {turned.length > 1 && last && (
              <button type="button" disabled={busy} onClick={() => void turnOn(store, turned)}>{t("turnDomino")}</button>
            )}
            {(turn.steps.length > 0 || picked) && (
              <button type="button" disabled={busy} onClick={() => (picked ? choosing.reset() : store.takeBack())}>{t("takeBack")}</button>
            )}
            {turn.steps.length > 1 && <button type="button" disabled={busy} onClick={() => store.takeBack(true)}>{t("takeAllBack")}</button>}
            {turn.options.length > 0 && (
              <button type="button" aria-pressed={hinting.value} onClick={() => { hinting.value = !hinting.value; }}>{t("hint")}</button>
            )}
          </div>
          {turn.options.length > 0 && (
            <MoveList decisions={left} all={turn.options} words={words} busy={busy}
              unseen={(decision) => store.game.value.hooks(decision, turn.seat).picks.length === 0}
              onChoose={(decision) => choosing.choose(decision)} />
          )}
        </>
      ) : store.isMine(shown?.status.seat) ? <p class="advice">{t("opening")}</p>
        : !store.over.value && <p class="advice">{t("othersPlay")} <button type="button" class="plain" onClick={() => store.hurry()}>{t("hurry")}</button></p>}
      {store.over.value && !past && (
        <p class="buttons"><a class="button main" href="#/">{t("anotherGame")}</a> <a class="button" href={`#/review/${encodeURIComponent(store.id)}`}>{t("lookBackBegin")}</a></p>
      )}
    </section>
  );
}

/** Where a bot plays for somebody here, who may come back. */
function Away({ store }: { store: TableStore }) {
  if (store.over.value) return null;
  const away = store.table.value?.seats.filter(({ seat, player }) => player === Player.BOT && store.seats.value[seat] !== undefined) ?? [];
  const back = async (seat: number, name: string) => {
    try {
      await tables.joinTable({ table: store.id, seat, name, token: store.seats.value[seat] ?? "" });
    } catch (error) {
      store.problem.value = inWords(error);
    }
  };
  return (
    <>
      {away.map(({ seat, name }) => (
        <p key={seat} class="away">{t("botFor", store.name(seat))} <button type="button" class="main" onClick={() => void back(seat, name)}>{t("takeOver", store.name(seat))}</button></p>
      ))}
    </>
  );
}

/** What has a place on the board is chosen there; the rest has buttons. */
export function MoveList({ decisions, all, words, busy, unseen, onChoose }: {
  decisions: Decision[];
  all: Decision[];
  words(decision: Decision): string;
  busy: boolean;
  unseen(decision: Decision): boolean;
  onChoose(decision: Decision): void;
}) {
  const few = decisions.length <= 6 && decisions.length === all.length;
  const moves = <Moves decisions={decisions} words={words} disabled={busy} onChoose={onChoose} />;
  const many = all.length;
  const passes = all.filter((decision) => unseen(decision));
  if (few) return moves;
  return (
    <>
      {passes.length > 0 && <Moves decisions={passes} words={words} disabled={busy} onChoose={onChoose} />}
      <details class="all-moves"><summary>{decisions.length < many ? t("fewerMoves", decisions.length, many) : t("allMoves", many)}</summary>{moves}</details>
    </>
  );
}

async function turnOn(store: TableStore, turned: Decision[]): Promise<void> {
  const turn = store.turn.peek();
  const last = turn?.steps[turn.steps.length - 1];
  if (!last) return;
  const next = turned[(turned.indexOf(last.decision) + 1) % turned.length];
  if (next) await store.instead(next);
}

function heading(store: TableStore): string {
  const shown = store.shown.value;
  if (!shown) return t("opening");
  const past = store.past.value;
  const prefix = past ? `${t("lookingBack", past.number)} ` : "";
  if (shown.status.waiting === Waiting.OVER) {
    const best = shown.scores.filter((score) => score.place === 1).map((score) => store.name(score.seat));
    return prefix + t(best.length > 1 ? "shareWin" : "wins", best.join(` ${t("and")} `));
  }
  const turn = store.turn.value;
  if (turn && turn.steps.length && !turn.options.length && !past) return t("yourTurnDone", store.name(turn.seat));
  const seat = shown.status.seat;
  const due = store.game.value.due(shown.status, shown.position);
  if (seat === undefined) return prefix + (due || t("chance"));
  return `${prefix}${store.name(seat)}: ${due}`;
}

function Veil({ store }: { store: TableStore }) {
  const seat = store.veil.value ?? 0;
  return (
    <section class="card due veil">
      <h1 aria-live="polite">{t("veil", store.name(seat))}</h1>
      <p class="advice">{t("veilWhy")}</p>
      <div class="buttons"><button type="button" class="main" onClick={() => { store.veil.value = undefined; }}>{t("veilGo", store.name(seat))}</button></div>
    </section>
  );
}

const LONG = 500; // milliseconds that need no words

/** Whether something goes on for so long that people want to be told. */
function useLong(goesOn: boolean): boolean {
  const long = useSignal(false);
  useEffect(() => {
    long.value = false;
    const timer = goesOn ? setTimeout(() => { long.value = true; }, LONG) : undefined;
    return () => clearTimeout(timer);
  }, [goesOn]);
  return goesOn && long.value;
}

function useTitle(store: TableStore): void {
  const mine = store.turn.value !== undefined;
  useEffect(() => {
    document.title = mine ? `● ${t("yourTurn")} – Saloon` : "Saloon";
    return () => {
      document.title = "Saloon";
    };
  }, [mine]);
}

/** Backspace takes back, as everywhere; nothing else is needed but Tab and Enter. */
function useKeys(store: TableStore, choosing: Choosing): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Backspace" || event.key === "Escape") {
        if (choosing.picks.peek().length) choosing.reset();
        else if (event.key === "Backspace") store.takeBack();
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [store, choosing]);
}

