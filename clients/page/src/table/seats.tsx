/** Who plays, with points and where they come from; a bot for who is away; the record; inviting. */

import { useSignal } from "@preact/signals";
import { GameRecordSchema, Player } from "@saloon/client/v1";
import { toJsonString } from "@bufbuild/protobuf";
import { inWords, tables } from "../api";
import { keysOf } from "../keeping";
import { t } from "../words";
import { Invitation } from "./waiters";
import type { TableStore } from "./store";

export function Seats({ store }: { store: TableStore }) {
  const shown = store.shown.value;
  const table = store.table.value;
  const problem = useSignal("");
  if (!shown || !table) return null;
  const attempt = async (what: () => Promise<unknown>) => {
    problem.value = "";
    try {
      await what();
    } catch (error) {
      problem.value = inWords(error);
    }
  };
  const rows = [...table.seats].map((seat) => ({ seat, score: shown.scores.find((score) => score.seat === seat.seat) }));
  // While it is played the board says where points come from.
  const names = !store.over.value ? [] : [...new Set(rows.flatMap(({ score }) => (score ? store.game.value.parts(score).map(([name]) => name) : [])))];
  return (
    <section class="card seats" aria-labelledby="seats-title">
      <h2 id="seats-title">{t("players")}</h2>
      <div class="scroll" tabIndex={0} role="group" aria-labelledby="seats-title">
        <table>
          <thead>
            <tr><th scope="col">{t("player")}</th>{names.map((name) => <th key={name} scope="col">{name}</th>)}<th scope="col">{t("points")}</th></tr>
          </thead>
          <tbody>
            {rows.map(({ seat, score }) => (
              <tr key={seat.seat} class={shown.status.seat === seat.seat ? "active" : ""}>
                <th scope="row">
                  <span class={`badge paint-${store.game.value.colour(seat.seat, shown.position)}`} aria-hidden="true">{seat.seat}</span>
                  <span class="name">{store.name(seat.seat)}</span>
                  {seat.player === Player.BOT && <span class="tag">{t("bot")}</span>}
                  {seat.away && <span class="tag">{t("isAway")}</span>}
                  {store.isMine(seat.seat) && <span class="tag">{t("here")}</span>}
                  {store.over.value && score && <span class="tag">{t("place", score.place)}</span>}
                </th>
                {names.map((name) => <td key={name}>{score && store.game.value.parts(score).find(([part]) => part === name)?.[1]}</td>)}
                <td><b>{score?.total}</b></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {problem.value && <p class="problem" role="alert">{problem.value}</p>}
      <details>
        <summary>{t("tableThings")}</summary>
        <div class="buttons">
          {!store.over.value && table.seats.filter(({ player }) => player === Player.PERSON).map((seat) => {
            const own = store.seats.value[seat.seat];
            const token = own ?? keysOf(store.id).host; // the host lets a bot play for who is away
            return token && (
              <button key={seat.seat} type="button" onClick={() => void attempt(() => tables.seatBot({
                table: store.id, token, away: own === undefined,
                bot: { seat: seat.seat, bot: { level: "6" }, budget: { time: { seconds: 1n, nanos: 0 } }, name: seat.name },
              }))}>{t("handOver", store.name(seat.seat))}</button>
            );
          })}
          {(store.over.value || keysOf(store.id).host) && (
            <button type="button" onClick={() => void attempt(() => save(store))}>{t("saveRecord")}</button>
          )}
        </div>
        {store.over.value ? <Invitation id={store.id} words={t("recordLink")} to="record" /> : <Invitation id={store.id} words={t("watchLink")} />}
      </details>
    </section>
  );
}

/** The game as a file that any Saloon can go on with. */
async function save(store: TableStore): Promise<void> {
  const { record } = await tables.exportTable({ table: store.id, token: keysOf(store.id).host ?? store.token });
  if (!record) return;
  const file = new Blob([toJsonString(GameRecordSchema, record, { prettySpaces: 1 })], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `saloon-${store.id}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
