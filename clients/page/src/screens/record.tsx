/** A record from a file, or that of a table, step by step. */

import { fromJsonString } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Access, DecisionClass, type GameRecord, GameRecordSchema, type Position, type SeatScore, type Status, Theme } from "@saloon/client/v1";
import { codeOf, inWords, persist, rules, tables } from "../api";
import { components, snake, wantCatalogue } from "../catalogue";
import { gameOf } from "../games";
import { keepKeys, keysOf } from "../keeping";
import { dark } from "../settings";
import { Board } from "../table/board";
import { situation } from "../table/store";
import { t } from "../words";
import { LookBack, type Reviewed } from "./lookback";

interface Moment {
  svg: string;
  position: Position;
  status: Status;
  scores: SeatScore[];
}

const MOST_BYTES = 4 << 20;

/** `review`: whoever comes here has asked for it already. */
export function RecordScreen({ table, review = false }: { table: string; review?: boolean }) {
  const record = useSignal<GameRecord | undefined>(undefined);
  const at = useSignal(0);
  const moment = useSignal<Moment | undefined>(undefined);
  const reviewed = useSignal<Reviewed | undefined>(undefined);
  const problem = useSignal("");
  useEffect(() => {
    void wantCatalogue();
    if (table) void fetched();
  }, []);
  const fetched = async () => {
    const keys = keysOf(table);
    const token = keys.host ?? Object.values(keys.seats)[0] ?? keys.invitation ?? "";
    try {
      record.value = (await persist(() => tables.exportTable({ table, token }))).record;
    } catch (error) {
      problem.value = codeOf(error) === Code.PermissionDenied ? t("notOver") : inWords(error);
    }
  };
  const read = async (file: File) => {
    problem.value = "";
    try {
      if (file.size > MOST_BYTES) throw new Error(t("notARecord"));
      const found = fromJsonString(GameRecordSchema, await file.text(), { ignoreUnknownFields: true });
      await rules.replay({ record: found });
      at.value = 0;
      reviewed.value = undefined;
      record.value = found;
    } catch (error) {
      problem.value = error instanceof Error && error.name !== "ConnectError" ? t("notARecord") : inWords(error);
    }
  };
  useEffect(() => {
    const wanted = record.value;
    if (!wanted) return undefined;
    let here = true;
    void (async () => {
      try {
        const { position, status } = await rules.replay({ record: wanted, events: at.value });
        if (!position || !status) return;
        const theme = dark.value ? Theme.DARK : Theme.LIGHT;
        const [picture, points] = await Promise.all([
          rules.render({ situation: situation(position), theme }), rules.score({ situation: situation(position) })]);
        if (here) moment.value = { svg: picture.svg, position, status, scores: points.scores };
      } catch (error) {
        problem.value = inWords(error);
      }
    })();
    return () => {
      here = false;
    };
  }, [record.value, at.value, dark.value]);
  const name = snake(record.value?.options?.game.case ?? "");
  const game = gameOf(name);
  const cast = { name: (seat: number) => t("seatNumber", seat) };
  const parts = components(name, record.value?.options);
  const event = record.value?.events[at.value - 1];
  const inShort = (number: number) => {
    const one = record.value?.events[number];
    return one ? game.brief(one, cast, parts) : [];
  };
  const told = inShort(at.value - 1);
  const traces = event?.event.case === "chosen" && event.event.value.decision
    ? game.traces(event.event.value.decision, event.event.value.seat ?? 0) : [];
  const last = record.value?.events.length ?? 0;
  const here = reviewed.value?.parts.find((part) => part.case === "decision" && part.value.event === at.value);
  const best = here?.case === "decision" && here.value.best && here.value.quality > DecisionClass.GOOD
    ? game.hooks(here.value.best, here.value.seat) : undefined;
  const marks = best ? (best.places ?? best.picks).map((selector) => ({ selector, label: "★" })) : [];
  const goOn = async () => {
    try {
      const made = await tables.importTable({ record: record.value, access: Access.INVITATION });
      const id = made.table?.table ?? "";
      keepKeys(id, { host: made.hostToken, invitation: made.invitation || undefined, game: name });
      location.hash = `#/table/${id}`;
    } catch (error) {
      problem.value = inWords(error);
    }
  };
  const controls = (
    <section class="card due">
      <h1>{t("records")}</h1>
      <label class="field"><span>{t("openRecord")}</span>
        <input type="file" accept=".json,application/json" onChange={(change) => {
          const file = change.currentTarget.files?.[0];
          if (file) void read(file);
        }} />
      </label>
      {problem.value && <p class="problem" role="alert">{problem.value}</p>}
      {record.value && (
        <>
          <div class="steps" role="group" aria-label={t("replay")}>
            <button type="button" aria-label={t("toBeginning")} disabled={at.value <= 0} onClick={() => { at.value = 0; }}>«</button>
            <button type="button" aria-label={t("stepBack")} disabled={at.value <= 0} onClick={() => { at.value -= 1; }}>‹</button>
            <label><span class="hidden">{t("replay")}</span>
              <input type="range" min={0} max={last} value={at.value} onInput={(change) => { at.value = Number(change.currentTarget.value); }} /></label>
            <span>{at.value} / {last}</span>
            <button type="button" aria-label={t("stepOn")} disabled={at.value >= last} onClick={() => { at.value += 1; }}>›</button>
          </div>
          <p aria-live="polite">{told.map((line) => `${line.seat === undefined ? "" : `${cast.name(line.seat)}: `}${line.text}`).join(" ")}</p>
          {moment.value && <p>{moment.value.scores.map((score) => `${cast.name(score.seat)}: ${score.total}`).join(" · ")}</p>}
          <div class="buttons"><button type="button" onClick={() => void goOn()}>{t("goOnFromRecord")}</button></div>
        </>
      )}
    </section>
  );
  if (!moment.value) return <main class="narrow">{controls}</main>;
  return (
    <main class="playing" data-game={name}>
      <div class="stage">
        <Board svg={moment.value.svg} game={name} name={cast.name} first={undefined} targets={[]} marks={marks}
          traces={traces} moving={game.moving} round={game.round} onPick={() => {}} />
      </div>
      <div class="beside">
        {controls}
        {record.value && (
          <LookBack record={record.value} reviewed={reviewed} atOnce={review} at={at.value} go={(number) => { at.value = number; }} name={cast.name}
            words={(decision) => (decision ? game.choice(decision, undefined, cast, parts) : "")}
            told={(number) => inShort(number).map(({ text }) => text).join(" ")}
            ink={(seat) => (moment.value ? game.colour(seat, moment.value.position) : seat)} />
        )}
      </div>
    </main>
  );
}
