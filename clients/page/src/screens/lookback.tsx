/** A game looked back on: what its decisions gave away, and what was luck. */

import { useEffect } from "preact/hooks";
import { type Signal, useSignal } from "@preact/signals";
import { type Decision, DecisionClass, type GameRecord, type ReviewResponse, type ReviewSummary } from "@saloon/client/v1";
import { bots, inWords } from "../api";
import { because, percent, points, t } from "../words";

const SECONDS = 12;
const WIDTH = 300;
const HEIGHT = 90;
const DASHES = ["none", "7 4", "2 3", "10 3 2 3", "5 5", "1 4"];
const CLASSES = { [DecisionClass.INACCURACY]: "inaccuracy", [DecisionClass.MISTAKE]: "mistake", [DecisionClass.BLUNDER]: "blunder" } as const;

type Part = ReviewResponse["part"];

/** What is known of a record; nothing before anybody asked. */
export interface Reviewed {
  parts: Part[];
  summary?: ReviewSummary;
}

interface Shown {
  record: GameRecord;
  reviewed: Signal<Reviewed | undefined>;
  /** Begin without being asked. */
  atOnce: boolean;
  /** So many events are shown. */
  at: number;
  go(at: number): void;
  words(decision: Decision | undefined): string;
  /** What an event of chance brought. */
  told(event: number): string;
  name(seat: number): string;
  /** The colour of a seat, 0 to 5. */
  ink(seat: number): number;
}

export function LookBack(shown: Shown) {
  const { record, reviewed } = shown;
  const running = useSignal<AbortController | undefined>(undefined);
  const problem = useSignal("");
  useEffect(() => () => running.peek()?.abort(), [record]);
  const begin = async () => {
    const stop = new AbortController();
    running.value = stop;
    problem.value = "";
    reviewed.value = { parts: [] };
    try {
      const asked = { record, budget: { time: { seconds: BigInt(SECONDS), nanos: 0 } } };
      for await (const { part } of bots.review(asked, { signal: stop.signal })) {
        const parts: Part[] = reviewed.value?.parts ?? [];
        reviewed.value = part.case === "summary" ? { parts, summary: part.value } : { parts: [...parts, part] };
      }
    } catch (error) {
      if (!stop.signal.aborted) problem.value = inWords(error);
    } finally {
      if (running.value === stop) running.value = undefined;
    }
  };
  useEffect(() => {
    if (shown.atOnce && !reviewed.peek()) void begin();
  }, [record]);
  const found = reviewed.value;
  return (
    <section class="card lookback" aria-labelledby="lookback-title" aria-busy={running.value ? "true" : undefined}>
      <h2 id="lookback-title">{t("lookBack")}</h2>
      {!found && <p class="faint">{t("lookBackSays")}</p>}
      {problem.value && <p class="problem" role="alert">{problem.value}</p>}
      {(!found || (!found.summary && !running.value)) && (
        <div class="buttons"><button type="button" onClick={() => void begin()}>{t("lookBackBegin")}</button></div>
      )}
      {running.value && <p role="status">{t("reviewedOf", found?.parts.length ?? 0, record.events.length)}</p>}
      {found && <Course {...shown} parts={found.parts} />}
      {found?.summary && <Sums {...shown} summary={found.summary} />}
      {found && <Given {...shown} found={found} />}
    </section>
  );
}

/** How likely each seat was to win, before every decision. */
function Course({ parts, record, at, name, ink }: Shown & { parts: Part[] }) {
  const decisions = parts.flatMap((part) => (part.case === "decision" ? [part.value] : []));
  const x = (event: number) => (WIDTH * event) / Math.max(1, record.events.length);
  const seats = decisions[0]?.wins.map((_, seat) => seat) ?? [];
  return (
    <>
      <svg class="course" viewBox={`-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`} role="img" aria-label={t("chances")}>
        <rect width={WIDTH} height={HEIGHT} class="all" />
        <line x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} class="middle" />
        <line x1={x(at)} x2={x(at)} y1={0} y2={HEIGHT} class="here" />
        {seats.map((seat) => (
          <polyline key={seat} class={`ink-${ink(seat)}`} fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray={DASHES[seat] ?? "none"}
            points={decisions.map(({ event, wins }) => `${x(event).toFixed(1)},${(HEIGHT * (1 - (wins[seat] ?? 0))).toFixed(1)}`).join(" ")} />
        ))}
      </svg>
      <p class="faint">
        {seats.map((seat) => (
          <span key={seat} class="key">
            <svg viewBox="0 0 24 6" width="24" height="6" aria-hidden="true">
              <line x1="0" x2="24" y1="3" y2="3" class={`ink-${ink(seat)}`} stroke="currentColor" stroke-width="3" stroke-dasharray={DASHES[seat] ?? "none"} />
            </svg> {name(seat)}{" "}
          </span>
        ))}
      </p>
    </>
  );
}

function Sums({ summary, name }: Shown & { summary: ReviewSummary }) {
  return (
    <div class="scroll seats" tabIndex={0} role="group" aria-labelledby="lookback-title">
      <table>
        <thead><tr>
          {([t("player"), t("accuracy"), t("expectedWin"), t("luck"), t("byDecisions"), t("result")]).map((head) => <th key={head} scope="col">{head}</th>)}
        </tr></thead>
        <tbody>
          {summary.seats.map((seat) => (
            <tr key={seat.seat}>
              <th scope="row">{name(seat.seat)}</th>
              <td>{seat.accuracy === undefined ? "" : percent(seat.accuracy)}</td><td>{percent(seat.expected)}</td>
              <td>{signed(seat.luck)}</td><td>{signed(seat.lost)}</td><td>{percent(seat.result)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What was given away, and where luck turned the game; each leads to its moment. */
function Given({ found, at, go, words, told, name, ink }: Shown & { found: Reviewed }) {
  const turned = new Set(found.summary?.turningPoints ?? []);
  const rows = found.parts.flatMap((part) => {
    if (part.case === "decision") {
      const { event, seat, quality, lost, error, chosen, best, reasons } = part.value;
      const kind = CLASSES[quality as keyof typeof CLASSES];
      if (!kind) return [];
      const why = because(reasons);
      return [{
        event, seat, kind, title: `${t(kind)}, −${percent(lost)} (± ${percent(error)})`, what: words(chosen),
        more: t("wouldBeBetter", words(best)) + (why && ` (${why})`),
      }];
    }
    if (part.case !== "chance" || !turned.has(part.value.event)) return [];
    const { event, luck } = part.value;
    const seat = luck.reduce((most, value, other) => (Math.abs(value) > Math.abs(luck[most] ?? 0) ? other : most), 0);
    return [{ event, seat, kind: "luck", title: `${t("luck")} ${signed(luck[seat] ?? 0)}`, what: told(event), more: "" }];
  });
  if (!rows.length) return found.summary ? <p>{t("nothingGiven")}</p> : null;
  return (
    <ol class="given">
      {rows.map(({ event, seat, kind, title, what, more }) => (
        <li key={event} class={`${kind}${at === event ? " here" : ""}`}>
          <button type="button" aria-current={at === event ? "true" : undefined} onClick={() => go(event)}>
            <span>{event} <b class={`ink-${ink(seat)}`}>{name(seat)}</b> <b>{title}</b></span>
            <span>{what}</span>
            {more && <span class="faint">{more}</span>}
          </button>
        </li>
      ))}
    </ol>
  );
}

function signed(share: number): string {
  return `${points(Math.round(share * 100), true)} %`;
}
