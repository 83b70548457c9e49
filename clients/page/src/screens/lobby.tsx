/** Public tables: to join, or to watch. */

import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Player, type Table, TableState, Waiting } from "@saloon/client/v1";
import { inWords, tables } from "../api";
import { agreed, span } from "../table/clock";
import { games, infoOf, snake, wantCatalogue } from "../catalogue";
import { namesAt } from "../table/names";
import { t } from "../words";
import type { Words } from "../words/en";

const EVERY = 4000;
const PAGE = 50; // tables

/** Which of them; what is empty or 0 may be anything. */
interface Wanted {
  game: string;
  state: TableState;
  seats: number;
}

const ALL: Wanted = { game: "", state: TableState.UNSPECIFIED, seats: 0 };
const isAll = ({ game, state, seats }: Wanted) => game === "" && state === TableState.UNSPECIFIED && seats === 0;
const STATES: [TableState, keyof Words][] = [
  [TableState.UNSPECIFIED, "allTables"],
  [TableState.OPEN, "freeSeats"],
  [TableState.UNDER_WAY, "isPlayed"],
  [TableState.OVER, "isOver"],
];

/** So many pages, and whether there are more. */
async function listed(wanted: Wanted, pages: number): Promise<{ found: Table[]; more: boolean }> {
  const found: Table[] = [];
  let pageToken = "";
  for (let page = 0; page < pages; page += 1) {
    const answer = await tables.listTables({ ...wanted, pageSize: PAGE, pageToken });
    found.push(...answer.tables);
    pageToken = answer.nextPageToken;
    if (!pageToken) break;
  }
  return { found, more: pageToken !== "" };
}

export function Lobby() {
  const wanted = useSignal(ALL);
  const pages = useSignal(1);
  const list = useSignal<{ found: Table[]; more: boolean } | undefined>(undefined);
  const problem = useSignal("");
  useEffect(() => void wantCatalogue(), []);
  useEffect(() => {
    let timer = 0;
    let gone = false;
    const look = async () => {
      try {
        const now = await listed(wanted.value, pages.value);
        if (gone) return; // something else is wanted by now
        list.value = now;
        problem.value = "";
      } catch (error) {
        if (!gone) problem.value = inWords(error);
      }
      if (!gone) timer = setTimeout(() => void look(), EVERY);
    };
    void look();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [wanted.value, pages.value]);
  const choose = (change: Partial<Wanted>) => {
    wanted.value = { ...wanted.value, ...change };
    pages.value = 1;
  };
  return (
    <main class="narrow">
      <section class="card">
        <h1>{t("tables")}</h1>
        <Filters wanted={wanted.value} onChange={choose} />
        {problem.value && <p class="problem" role="alert">{problem.value}</p>}
        {list.value?.found.length === 0 && <p role="status">
          {t(isAll(wanted.value) ? "noTables" : "noSuchTables")} <a href="#/">{t("toStart")}</a>
        </p>}
        <ul class="lobby">
          {list.value?.found.map((table) => <Row key={table.table} table={table} />)}
        </ul>
        {list.value?.more && <button type="button" onClick={() => { pages.value += 1; }}>{t("moreTables")}</button>}
      </section>
    </main>
  );
}

function Filters({ wanted, onChange }: { wanted: Wanted; onChange: (change: Partial<Wanted>) => void }) {
  const known = wanted.game ? games.value.filter((game) => game.name === wanted.game) : games.value;
  const fewest = Math.min(...known.map((game) => game.minPlayers));
  const most = Math.max(...known.map((game) => game.maxPlayers));
  const counts = Array.from({ length: Math.max(0, most - fewest + 1) }, (_, more) => fewest + more);
  return (
    <div class="place filters">
      <label>
        <span class="hidden">{t("game")}</span>
        <select value={wanted.game} onChange={(event) => onChange({ game: event.currentTarget.value, seats: 0 })}>
          <option value="">{t("allGames")}</option>
          {games.value.map((game) => <option key={game.name} value={game.name}>{game.title}</option>)}
        </select>
      </label>
      <label>
        <span class="hidden">{t("howFar")}</span>
        <select value={wanted.state} onChange={(event) => onChange({ state: Number(event.currentTarget.value) })}>
          {STATES.map(([state, word]) => <option key={state} value={state}>{t(word)}</option>)}
        </select>
      </label>
      <label>
        <span class="hidden">{t("howMany")}</span>
        <select value={wanted.seats} onChange={(event) => onChange({ seats: Number(event.currentTarget.value) })}>
          <option value={0}>{t("anyNumber")}</option>
          {counts.map((count) => <option key={count} value={count}>{t("seatsAt", count)}</option>)}
        </select>
      </label>
    </div>
  );
}

function Row({ table }: { table: Table }) {
  const free = table.seats.some((seat) => seat.player === Player.FREE);
  const over = table.status?.waiting === Waiting.OVER;
  const title = infoOf(snake(table.options?.game.case ?? ""))?.title ?? t("table");
  return (
    <li>
      <a href={`#/table/${encodeURIComponent(table.table)}`}>{title}</a>{" "}
      <span class="tag">{free ? t("freeSeats") : over ? t("isOver") : t("isPlayed")}</span>{" "}
      {table.clock && <span class="tag" title={agreed(table.clock)}>{t("eachTurn", span(Number(table.clock.time?.seconds ?? 0n)))}</span>}
      <div class="faint">{namesAt(table.seats).join(", ")}</div>
    </li>
  );
}
