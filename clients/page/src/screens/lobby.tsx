/** Public tables: to join, or to watch. */

import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Player, type Table, Waiting } from "@saloon/client/v1";
import { inWords, tables } from "../api";
import { agreed, span } from "../table/clock";
import { infoOf, snake, wantCatalogue } from "../catalogue";
import { namesAt } from "../table/names";
import { t } from "../words";

const EVERY = 4000;

export function Lobby() {
  const list = useSignal<Table[] | undefined>(undefined);
  const problem = useSignal("");
  useEffect(() => {
    void wantCatalogue();
    let timer = 0;
    const look = async () => {
      try {
        list.value = (await tables.listTables({ pageSize: 50 })).tables;
        problem.value = "";
      } catch (error) {
        problem.value = inWords(error);
      }
      timer = setTimeout(() => void look(), EVERY);
    };
    void look();
    return () => clearTimeout(timer);
  }, []);
  return (
    <main class="narrow">
      <section class="card">
        <h1>{t("tables")}</h1>
        {problem.value && <p class="problem" role="alert">{problem.value}</p>}
        {list.value?.length === 0 && <p>{t("noTables")} <a href="#/">{t("toStart")}</a></p>}
        <ul class="lobby">
          {list.value?.map((table) => <Row key={table.table} table={table} />)}
        </ul>
      </section>
    </main>
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
