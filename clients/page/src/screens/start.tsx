/** Where everybody begins: choose a game, who plays, and play. */

import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Access, type GameInfo, TimeOut } from "@saloon/client/v1";
import { inWords, tables } from "../api";
import { botKinds, games, problem as noCatalogue, unreachable, wantCatalogue, withSet } from "../catalogue";
import { FIRST_GAME, learnAt, learned } from "../guide/guide";
import { forget, keep, keepKeys, keepSeat, kept, ownTables, secret } from "../keeping";
import { span } from "../table/clock";
import { say, t } from "../words";
import { OptionFields, optionsOf, type Values } from "./options";

type Who = "here" | "bot" | "elsewhere";

interface Place {
  who: Who;
  name: string;
  level: string;
  personality: string;
}

/** The time for each turn; 0 seconds for none. */
interface Time {
  seconds: number;
  then: TimeOut;
  level: string;
}

const LEVEL = "5";
const TIMES = [0, 30, 60, 120, 300, 3600, 12 * 3600, 24 * 3600];
const BOTS = ["Wyatt", "Belle", "Doc", "Annie", "Jesse", "Cora"];

export function Start() {
  useEffect(() => {
    void wantCatalogue();
  }, []);
  const chosen = useSignal<string>(kept("game", ""));
  const info = games.value.find((game) => game.name === chosen.value);
  return (
    <main class="start">
      <h1>{t("welcome")}</h1>
      <p class="lead">{t("welcomeWords")}</p>
      {noCatalogue.value && <p class="problem" role="alert">{noCatalogue.value}</p>}
      {unreachable.value && <p class="problem" role="status">{t("unreachable")}</p>}
      <div class="games" role="group" aria-label={t("chooseGame")}>
        {games.value.map((game) => (
          <button key={game.name} type="button" class="game card" aria-pressed={game.name === chosen.value}
            onClick={() => {
              chosen.value = game.name;
              keep("game", game.name);
            }}>
            <span class="title">{game.title}</span>
            <span>{say(game.description)}</span>
            <span class="tag">{t("playersRange", game.minPlayers, game.maxPlayers)}</span>
          </button>
        ))}
        {!games.value.length && <><div class="game card ghostly" /><div class="game card ghostly" /></>}
      </div>
      <p class="puzzle-link"><a href="#/puzzle">{t("puzzleOfDay")}</a> <span class="faint">{t("puzzleWords")}</span></p>
      {info && <NewTable key={info.name} info={info} />}
      <Own />
    </main>
  );
}

function places(count: number, old: Place[] = []): Place[] {
  return Array.from({ length: count }, (_, seat) =>
    old[seat] ?? { who: seat === 0 ? "here" : "bot", name: seat === 0 ? kept("name", "") : "", level: LEVEL, personality: "" });
}

function NewTable({ info }: { info: GameInfo }) {
  const seats = useSignal<Place[]>(places(Math.max(3, info.minPlayers)));
  const values = useSignal<Values>({});
  const open = useSignal(false);
  const time = useSignal<Time>({ seconds: 0, then: TimeOut.TURN, level: LEVEL });
  const busy = useSignal(false);
  const problem = useSignal("");
  const set = useSignal(""); // the hash of one of the server's own; none: the printed one
  const chosen = withSet(info, set.value);
  const kinds = botKinds.value;
  const personalities = kinds?.personalities.find((one) => one.game === info.name)?.names ?? [];
  const change = (seat: number, part: Partial<Place>) => {
    seats.value = seats.value.map((place, i) => (i === seat ? { ...place, ...part } : place));
  };
  const play = async (list: Place[], given: Values, guided: boolean) => {
    busy.value = true;
    problem.value = "";
    try {
      const seed = guided ? FIRST_GAME.seed : undefined;
      const id = await createTable(guided ? info : chosen, list, given, !guided && open.value, guided ? undefined : time.value, seed);
      if (guided) learnAt(id);
      location.hash = `#/table/${id}`;
    } catch (error) {
      problem.value = inWords(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <form class="card new" aria-busy={busy.value} onSubmit={(event) => {
      event.preventDefault();
      void play(seats.value, values.value, false);
    }}>
      <h2>{t("newGame", info.title)}</h2>
      <div class="buttons">
        <button type="submit" class="main large" disabled={busy.value}>{t("play")}</button>
        <button type="button" disabled={busy.value} onClick={() => void play(places(Math.max(3, info.minPlayers)).map((p) => ({ ...p, level: FIRST_GAME.level })), {}, true)}>
          {t(learned(info.name) ? "guidedAgain" : "guidedGame")}
        </button>
      </div>
      {problem.value && <p class="problem" role="alert">{problem.value}</p>}
      <label class="field"><span>{t("howMany")}</span>
        <select value={seats.value.length} onChange={(event) => { seats.value = places(Number(event.currentTarget.value), seats.value); }}>
          {Array.from({ length: info.maxPlayers - info.minPlayers + 1 }, (_, i) => info.minPlayers + i).map((n) => <option key={n} value={n}>{n}</option>)}
        </select>
      </label>
      <fieldset class="places">
        <legend>{t("whoPlays")}</legend>
        {seats.value.map((place, seat) => (
          <div key={seat} class="place">
            <span class={`badge paint-${seat}`} aria-hidden="true">{seat}</span>
            <label><span class="hidden">{t("seatNumber", seat)}</span>
              <select value={place.who} onChange={(event) => change(seat, { who: event.currentTarget.value as Who })}>
                <option value="here">{t("personHere")}</option>
                <option value="bot">{t("bot")}</option>
                <option value="elsewhere">{t("personElsewhere")}</option>
              </select>
            </label>
            {place.who === "here" && (
              <label><span class="hidden">{t("yourName")}</span>
                <input maxLength={40} placeholder={t("yourName")} value={place.name} onInput={(event) => change(seat, { name: event.currentTarget.value })} />
              </label>
            )}
            {place.who === "bot" && (
              <>
                <label><span class="hidden">{t("level")}</span>
                  <select value={place.level} onChange={(event) => change(seat, { level: event.currentTarget.value, personality: "" })}>
                    {kinds?.levels.map(({ name }) => <option key={name} value={name}>{t("levelNumber", name)}</option>)}
                  </select>
                </label>
                {place.level === "max" && personalities.length > 1 && (
                  <label><span class="hidden">{t("personality")}</span>
                    <select value={place.personality} onChange={(event) => change(seat, { personality: event.currentTarget.value })}>
                      {personalities.map((name, i) => <option key={name} value={i ? name : ""}>{say(name.replaceAll("_", " "))}</option>)}
                    </select>
                  </label>
                )}
              </>
            )}
          </div>
        ))}
      </fieldset>
      {info.ownSets.length > 0 && (
        <label class="field"><span>{t("componentSet")}</span>
          <select value={set.value} onChange={(event) => { set.value = event.currentTarget.value; values.value = {}; }}>
            <option value="">{t("printedSet")}</option>
            {info.ownSets.map(({ componentSet }) => <option key={componentSet?.hash} value={componentSet?.hash}>{componentSet?.name}</option>)}
          </select>
        </label>
      )}
      <OptionFields info={chosen} values={values.value} players={seats.value.length} onChange={(next) => { values.value = next; }} />
      <TimeFields value={time.value} levels={kinds?.levels.map(({ name }) => name) ?? []} onChange={(next) => { time.value = next; }} />
      <label class="check">
        <input type="checkbox" checked={open.value} onChange={(event) => { open.value = event.currentTarget.checked; }} />
        <span>{t("publicTable")}<small>{t("publicWords")}</small></span>
      </label>
    </form>
  );
}

/** How long a turn may take, and what a bot does then. */
function TimeFields({ value, levels, onChange }: { value: Time; levels: string[]; onChange(next: Time): void }) {
  return (
    <div class="place times">
      <label><span>{t("turnTime")}</span>{" "}
        <select value={value.seconds} onChange={(event) => onChange({ ...value, seconds: Number(event.currentTarget.value) })}>
          {TIMES.map((seconds) => <option key={seconds} value={seconds}>{seconds ? span(seconds) : t("noTurnTime")}</option>)}
        </select>
      </label>
      {value.seconds > 0 && (
        <>
          <label><span class="hidden">{t("thenWhat")}</span>
            <select value={value.then} onChange={(event) => onChange({ ...value, then: Number(event.currentTarget.value) })}>
              <option value={TimeOut.TURN}>{t("thenTurn")}</option>
              <option value={TimeOut.SEAT}>{t("thenSeat")}</option>
            </select>
          </label>
          <label><span class="hidden">{t("level")}</span>
            <select value={value.level} onChange={(event) => onChange({ ...value, level: event.currentTarget.value })}>
              {levels.map((name) => <option key={name} value={name}>{t("levelNumber", name)}</option>)}
            </select>
          </label>
        </>
      )}
    </div>
  );
}

async function createTable(info: GameInfo, seats: Place[], values: Values, open: boolean, time?: Time, seed?: bigint): Promise<string> {
  const bots = seats.flatMap(({ who, level, personality }, seat) =>
    who === "bot" ? [{ seat, bot: { level, personality, seed }, budget: { time: { seconds: 1n, nanos: 0 } }, name: `${BOTS[seat]} (${level})` }] : []);
  const made = await tables.createTable({
    options: optionsOf(info, values, seats.length),
    access: open ? Access.PUBLIC : Access.INVITATION,
    bots,
    seed,
    clock: time?.seconds
      ? { time: { seconds: BigInt(time.seconds), nanos: 0 }, then: time.then, bot: { level: time.level }, budget: { time: { seconds: 1n, nanos: 0 } } }
      : undefined,
  });
  const id = made.table?.table ?? "";
  keepKeys(id, { host: made.hostToken, invitation: made.invitation || undefined, game: info.name });
  const alone = !open && seats.every(({ who }) => who !== "elsewhere"); // nobody else reads the names
  let guests = 0;
  for (const [seat, place] of seats.entries()) {
    if (place.who !== "here") continue;
    guests += 1;
    const name = place.name.trim() || (guests > 1 ? t("guestNumber", guests) : alone ? t("you") : t("host"));
    const joined = await tables.joinTable({ table: id, seat, name, token: made.invitation, seatToken: secret() });
    if (guests === 1) keep("name", place.name.trim());
    keepSeat(id, seat, joined.token);
  }
  return id;
}

/** Games that were begun here. */
function Own() {
  const list = useSignal(ownTables().slice(0, 8));
  if (!list.value.length) return null;
  return (
    <section class="card" aria-labelledby="own-title">
      <h2 id="own-title">{t("goOnWith")}</h2>
      <ul class="own">
        {list.value.map(([id, keys]) => (
          <li key={id}>
            <a href={`#/table/${encodeURIComponent(id)}`}>{games.value.find((game) => game.name === keys.game)?.title ?? t("table")}</a>
            <span class="faint">{new Date(keys.when).toLocaleString()}</span>
            <button type="button" class="plain" aria-label={t("forget")} title={t("forget")} onClick={() => {
              forget(id);
              list.value = ownTables().slice(0, 8);
            }}>✕</button>
          </li>
        ))}
      </ul>
    </section>
  );
}

