/** Before a game begins: who is there, who is missing, and how they can come. */

import { useSignal } from "@preact/signals";
import { Player } from "@saloon/client/v1";
import { inWords, tables } from "../api";
import { keepSeat, keysOf, kept, keep, secret } from "../keeping";
import { t } from "../words";
import { agreed } from "./clock";
import type { TableStore } from "./store";

export function Waiters({ store }: { store: TableStore }) {
  const table = store.table.value;
  const name = useSignal(kept("name", ""));
  const problem = useSignal("");
  const busy = useSignal(false);
  if (!table) return null;
  const attempt = async (what: () => Promise<unknown>) => {
    busy.value = true;
    problem.value = "";
    try {
      await what();
    } catch (error) {
      problem.value = inWords(error);
    } finally {
      busy.value = false;
    }
  };
  const host = keysOf(store.id).host;
  const sit = (seat: number) => attempt(async () => {
    const chosen = name.value.trim() || t("guest");
    const joined = await tables.joinTable({
      table: store.id, seat, name: chosen, token: keysOf(store.id).invitation ?? "", seatToken: secret(),
    });
    keep("name", name.value.trim());
    keepSeat(store.id, joined.seat, joined.token);
    store.took(joined.seat, joined.token);
  });
  return (
    <main class="narrow">
      <section class="card">
        <h1>{t("waitingFor")}</h1>
        {store.link.value === "lost" && <p class="problem" role="status">{t("lost")}</p>}
        <Invitation id={store.id} words={t("inviteWords")} />
        {table.clock && <p class="agreed">{agreed(table.clock)}</p>}
        {table.hostMayKnow && <p class="agreed">{t("hostMayKnow")}</p>}
        <label class="field"><span>{t("yourName")}</span>
          <input maxLength={40} value={name} onInput={(event) => { name.value = event.currentTarget.value; }} /></label>
        <ul class="waiters" aria-live="polite">
          {table.seats.map((seat) => (
            <li key={seat.seat}>
              <span class={`badge paint-${seat.seat}`} aria-hidden="true">{seat.seat}</span>
              <span class="name">{store.name(seat.seat)}</span>
              {seat.player === Player.BOT && <span class="tag">{t("bot")}</span>}
              {store.seats.value[seat.seat] !== undefined && <span class="tag">{t("here")}</span>}
              {seat.player === Player.FREE && (
                <span class="buttons">
                  <button type="button" class={Object.keys(store.seats.value).length ? "" : "main"} disabled={busy.value} onClick={() => void sit(seat.seat)}>{t("sitHere")}</button>
                  {host && <button type="button" disabled={busy.value} onClick={() => void attempt(() => tables.seatBot({
                    table: store.id, token: host, bot: { seat: seat.seat, bot: { level: "5" }, budget: { time: { seconds: 1n, nanos: 0 } } },
                  }))}>{t("botInstead")}</button>}
                </span>
              )}
            </li>
          ))}
        </ul>
        {problem.value && <p class="problem" role="alert">{problem.value}</p>}
        <p><a href="#/">{t("toStart")}</a></p>
      </section>
    </main>
  );
}

/** The link for others. What lets them in stands behind the #, which browsers send to no server. */
export function Invitation({ id, words, to = "join" }: { id: string; words: string; to?: "join" | "record" }) {
  const copied = useSignal(false);
  const invitation = keysOf(id).invitation;
  const link = `${location.origin}${location.pathname}#/${to}/${id}${invitation ? `/${invitation}` : ""}`;
  return (
    <div class="invitation">
      <label class="field"><span>{words}</span>
        <input readOnly value={link} onFocus={(event) => event.currentTarget.select()} /></label>
      {navigator.clipboard && (
        <button type="button" onClick={() => void navigator.clipboard.writeText(link).then(() => { copied.value = true; })}>
          {copied.value ? t("copied") : t("copy")}
        </button>
      )}
    </div>
  );
}
