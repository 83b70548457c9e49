/** The time of a turn: what was agreed, and how it runs down. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { TimeOut, type TurnClock, Waiting } from "@saloon/client/v1";
import { t } from "../words";
import type { TableStore } from "./store";

const SOON = 10; // seconds: from here on it is said aloud, once

/** "2 min". */
export function span(seconds: number): string {
  if (seconds < 60) return t("seconds", seconds);
  if (seconds < 3600) return t("minutes", Math.round(seconds / 60));
  return t("hours", Math.round(seconds / 3600));
}

/** What was agreed, in a sentence. */
export function agreed(clock: TurnClock): string {
  const time = span(Number(clock.time?.seconds ?? 0n));
  return t(clock.then === TimeOut.SEAT ? "clockSeat" : "clockTurn", time, clock.bot?.level ?? "");
}

function running(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${two(seconds % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** Runs down quietly; only its end is said to those who listen. */
export function Clock({ store }: { store: TableStore }) {
  const table = store.table.value;
  const ends = store.turnEnds.value;
  const left = useSignal<number | undefined>(undefined);
  useEffect(() => {
    const look = () => {
      left.value = ends === undefined ? undefined : Math.max(0, Math.ceil((ends - performance.now()) / 1000));
    };
    look();
    if (ends === undefined) return undefined;
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [ends]);
  if (!table?.clock || table.status?.waiting !== Waiting.DECISION) return null;
  const seat = table.status.seat ?? 0;
  const seconds = left.value;
  const soon = seconds !== undefined && seconds <= SOON;
  const mine = store.isMine(seat);
  return (
    <p class={`clock${soon ? " soon" : ""}`} title={agreed(table.clock)}>
      {seconds === undefined ? <span>{table.timedOut ? t("timeOver", store.name(seat)) : t("noTimeRuns")}</span> : (
        <>
          <progress aria-hidden="true" max={Number(table.clock.time?.seconds ?? 1n)} value={seconds} />
          <span role="timer" aria-live="off" aria-label={t("timeLeft", store.name(seat), running(seconds))}>{running(seconds)}</span>
        </>
      )}
      <span class="hidden" role="status">{table.timedOut ? t("timeOver", store.name(seat)) : soon && mine ? t("timeSoon", SOON) : ""}</span>
    </p>
  );
}
