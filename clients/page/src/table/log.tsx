/** What happened, in words, and a way to look at it again. */

import { useEffect, useRef } from "preact/hooks";
import { t } from "../words";
import type { TableStore } from "./store";

const KEPT = 200;

export function Log({ store }: { store: TableStore }) {
  const list = useRef<HTMLDivElement>(null);
  const lines = store.log.value.slice(-KEPT);
  const now = store.now.value?.number ?? 0;
  const at = store.past.value?.number ?? now;
  useEffect(() => {
    const end = list.current;
    if (end && !store.past.peek()) end.scrollTop = end.scrollHeight;
  }, [store.log.value]);
  return (
    <section class="card log" aria-labelledby="log-title">
      <h2 id="log-title">{t("log")}</h2>
      <div class="steps" role="group" aria-label={t("replay")}>
        <button type="button" aria-label={t("toBeginning")} disabled={at <= 0} onClick={() => void store.look(0)}>«</button>
        <button type="button" aria-label={t("stepBack")} disabled={at <= 0} onClick={() => void store.look(at - 1)}>‹</button>
        <span>{at} / {now}</span>
        <button type="button" aria-label={t("stepOn")} disabled={at >= now} onClick={() => void store.look(at + 1)}>›</button>
        <button type="button" aria-label={t("backToNow")} disabled={at >= now} onClick={() => void store.look(now)}>»</button>
      </div>
      <div ref={list} class="told" role="log" aria-live="polite" tabIndex={0} aria-labelledby="log-title"><ol>
        {lines.map((line, index) => (
          <li key={`${line.number}.${index}`} class={store.past.value?.number === line.number ? "here" : ""}>
            {line.seat !== undefined && <b class={`ink-${store.shown.value ? store.game.value.colour(line.seat, store.shown.value.position) : line.seat}`}>{store.name(line.seat)}:</b>}
            {" "}{line.text}
          </li>
        ))}
      </ol></div>
    </section>
  );
}
