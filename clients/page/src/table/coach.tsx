/** The coach: a word before a turn is sent that gives much away, by what its player may know. */

import { signal } from "@preact/signals";
import { DecisionClass, type ReviewedDecision } from "@saloon/client/v1";
import { bots } from "../api";
import { coach } from "../settings";
import { because, percent, t } from "../words";
import { situation, type TableStore, type Turn } from "./store";

const SECONDS = 1;

export class Coach {
  /** What somebody was warned of, and the turn that it is about. */
  readonly warning = signal<{ turn: Turn; worst: ReviewedDecision } | undefined>(undefined);
  private asked: { turn: Turn; worst: Promise<ReviewedDecision | undefined>; stop: AbortController } | undefined;

  /** Begin to think about a turn that may be sent soon; any other is left. */
  consider(turn: Turn): void {
    if (!coach.peek() || this.asked?.turn === turn) return;
    this.asked?.stop.abort();
    const stop = new AbortController();
    const worst = judged(turn, stop.signal);
    worst.catch(() => {}); // whoever waits for it is told
    this.asked = { turn, worst, stop };
  }

  /** Whether a turn may be sent without a word: it gives little away, or its player was warned and means it. */
  async allows(turn: Turn): Promise<boolean> {
    if (!coach.peek() || this.warning.peek()?.turn === turn) return true;
    this.consider(turn);
    const worst = await this.asked?.worst;
    if (worst) this.warning.value = { turn, worst };
    return !worst;
  }
}

/** The decision that gives most away; undefined if that is less than the player wants to hear of. */
async function judged(turn: Turn, signal: AbortSignal): Promise<ReviewedDecision | undefined> {
  const asked = {
    situation: situation(turn.base.position),
    decisions: turn.steps.map(({ decision }) => decision),
    budget: { time: { seconds: BigInt(SECONDS), nanos: 0 } },
  };
  const { decisions } = await bots.judge(asked, { signal });
  return decisions
    .filter(({ quality, lost }) => quality > DecisionClass.GOOD && lost >= coach.peek())
    .sort((a, b) => b.lost - a.lost)[0];
}

export function Warning({ store }: { store: TableStore }) {
  const warned = store.coach.warning.value;
  const turn = store.turn.value;
  if (!warned || warned.turn !== turn) return null;
  const { event, chosen, best, lost, error, reasons } = warned.worst;
  const before = event ? turn.steps[event - 1]?.after : turn.base;
  const words = (decision: typeof best) =>
    decision ? store.game.value.choice(decision, before?.position, store.cast, store.components.value) : "";
  const why = because(reasons);
  return (
    <div class="warning" role="alert">
      <p><b>{t("coachWarns", percent(lost), percent(error))}</b> {words(chosen)}</p>
      <details><summary>{t("coachBetter")}</summary><p>{words(best)}{why && ` (${why})`}</p></details>
    </div>
  );
}
