/** A table as it is followed from here: what happened, what is shown of it, and the turn that is being made. */

import { clone, create, type JsonValue, toJson } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { batch, computed, effect, signal } from "@preact/signals";
import {
  type Components, type Decision, DecisionSchema, type Event, EventSchema, Player, type Position, type SeatScore,
  type Status, type Table, Theme, TimeOut, type TimedOut, Waiting,
} from "@saloon/client/v1";
import { codeOf, inWords, passes, persist, rules, sleep, tables } from "../api";
import type { Game, Told } from "../games/game";
import { gameOf } from "../games";
import { keep, kept, keepKeys, keysOf, secret } from "../keeping";
import { confirming, dark, PACES, pace } from "../settings";
import { plural, t } from "../words";
import { components, snake } from "../catalogue";
import { Coach } from "./coach";
import { namesAt } from "./names";

/** A moment of the game, ready to be shown. */
export interface Moment {
  position: Position;
  status: Status;
  /** After so many events. */
  number: number;
  svg: string;
  scores: SeatScore[];
  /** Elements of the picture where something just happened. */
  traces: string[];
}

/** A decision tried, not yet sent. */
interface Step {
  decision: Decision;
  id: string;
  /** What there was to choose from. */
  options: Decision[];
  after: Moment;
  told: Told[];
}

/** The turn of a person at this screen. */
export interface Turn {
  seat: number;
  base: Moment;
  steps: Step[];
  /** What may be decided next; none if only confirming is left. */
  options: Decision[];
}

export interface Line extends Told {
  number: number;
}

export type Link = "opening" | "open" | "lost" | "gone" | "denied";

const MOST_TRIES = 4; // to work out one step; then the table as it is now is shown
const MOST_STEPS_SHOWN = 40; // of what was missed, one by one; more is passed over

export class TableStore {
  readonly table = signal<Table | undefined>(undefined);
  readonly now = signal<Moment | undefined>(undefined); // the latest that was told
  readonly past = signal<Moment | undefined>(undefined); // one that is looked at again
  readonly turn = signal<Turn | undefined>(undefined);
  readonly log = signal<Line[]>([]);
  readonly link = signal<Link>("opening");
  readonly busy = signal(false); // something of ours is on its way
  readonly problem = signal("");
  readonly seats = signal<Record<number, string>>({}); // ours, with their tokens
  readonly turnEnds = signal<number | undefined>(undefined); // by performance.now(); undefined if no time runs
  readonly veil = signal<number | undefined>(undefined); // who has to take the screen before anything is shown

  readonly shown = computed<Moment | undefined>(() => {
    const steps = this.turn.value?.steps;
    return this.past.value ?? steps?.[steps.length - 1]?.after ?? this.now.value;
  });
  readonly game = computed<Game>(() => gameOf(this.gameName.value));
  readonly gameName = computed(() => snake(this.table.value?.options?.game.case ?? ""));
  readonly components = computed<Components | undefined>(() => components(this.gameName.value, this.table.value?.options));
  readonly waiting = computed(() => this.table.value?.seats.some((seat) => seat.player === Player.FREE) ?? false);
  readonly over = computed(() => this.now.value?.status.waiting === Waiting.OVER);

  readonly coach = new Coach();

  private readonly events: (Event | undefined)[] = []; // undefined: one that we may not see
  private readonly timedOut = new Map<number, TimedOut>(); // before the event with this number
  private received = 0; // so many of them
  private told = 0; // so many are in the log
  private readonly moments = new Map<number, Moment>();
  private readonly ended = new AbortController();
  private watching = false; // the stream is there
  private pumping = false;
  private again = false;
  private sending = false;
  private seen = -1; // the seat whose view is shown

  constructor(readonly id: string) {
    this.seats.value = keysOf(id).seats;
  }

  /** Follow it until `close`. */
  open(): () => void {
    void this.follow();
    const redraw = effect(() => {
      const wanted = dark.value;
      if (this.drawnDark !== undefined && this.drawnDark !== wanted) void this.repaint();
    });
    return () => {
      redraw();
      this.ended.abort();
    };
  }

  // ---- Who we are

  get token(): string {
    const keys = keysOf(this.id);
    const mine = Object.values(this.seats.value)[0];
    return mine ?? keys.host ?? keys.invitation ?? "";
  }

  private tokenFor(seat: number): string {
    return this.seats.value[seat] ?? this.token;
  }

  private readonly names = computed(() => namesAt(this.table.value?.seats ?? []));

  name = (seat: number): string => this.names.value[seat] ?? t("seatNumber", seat);

  cast = { name: this.name };

  isMine = (seat: number | undefined): boolean =>
    seat !== undefined && this.seats.value[seat] !== undefined && this.table.value?.seats[seat]?.player === Player.PERSON;

  took(seat: number, token: string): void {
    this.seats.value = { ...this.seats.value, [seat]: token };
  }

  // ---- What happens

  private async follow(): Promise<void> {
    for (let wait = 250; !this.ended.signal.aborted; ) {
      try {
        const asked = { table: this.id, token: this.token, firstEvent: this.received };
        for await (const { update, timedOut } of tables.watchTable(asked, { signal: this.ended.signal })) {
          wait = 250;
          this.watching = true;
          this.link.value = "open";
          if (update.case === "table") {
            const left = update.value.timeLeft;
            batch(() => {
              this.table.value = update.value;
              this.turnEnds.value = left && performance.now() + Number(left.seconds) * 1000 + left.nanos / 1e6;
            });
            keepKeys(this.id, { game: this.gameName.value });
          } else if (update.case === "event") {
            this.events[update.value.number] = update.value.event;
            this.received = update.value.number + 1;
          } else if (timedOut) {
            this.timedOut.set(timedOut.events, timedOut);
          }
          void this.pump();
        }
        if (this.table.value?.status?.waiting === Waiting.OVER) return;
      } catch (error) {
        if (this.ended.signal.aborted) return;
        if (codeOf(error) === Code.NotFound) {
          this.link.value = "gone";
          return;
        }
        if (codeOf(error) === Code.PermissionDenied) {
          this.link.value = "denied";
          return;
        }
        if (!passes(error) && codeOf(error) !== Code.Unauthenticated && codeOf(error) !== Code.Canceled) {
          this.problem.value = inWords(error);
        }
      }
      this.watching = false;
      this.link.value = "lost";
      await Promise.race([sleep(wait), woken()]);
      wait = Math.min(wait * 2, 5000);
    }
  }

  /** Show what happened, one after the other, at a pace that people can follow; then let whoever is here decide. */
  private async pump(): Promise<void> {
    if (this.pumping || this.sending) {
      this.again = true;
      return;
    }
    this.pumping = true;
    try {
      do {
        this.again = false;
        await this.step();
      } while (this.again);
    } catch (error) {
      if (this.ended.signal.aborted) return;
      this.problem.value = inWords(error);
    } finally {
      this.pumping = false;
    }
  }

  private async step(): Promise<void> {
    const table = this.table.value;
    if (!table || this.waiting.value || !table.status?.waiting) return;
    if (!this.now.value) {
      await this.jump();
    }
    for (;;) {
      const now = this.now.peek();
      if (!now || this.ended.signal.aborted || this.sending) return;
      this.tellBriefly(now.number);
      if (now.number >= this.received) break;
      this.turn.value = undefined; // it went on without us
      await this.show(now);
    }
    const turn = this.turn.peek();
    if (turn && (this.table.peek()?.timedOut || !this.isMine(turn.seat))) this.turn.value = undefined; // a bot ends it
    const last = this.now.peek();
    if (last && !this.agrees(last)) await this.jump();
    if (this.now.peek()?.number === this.table.peek()?.events) await this.prepare();
  }

  private async show(now: Moment): Promise<void> {
    const event = this.events[now.number];
    const missed = this.received - now.number;
    if (event === undefined || missed > MOST_STEPS_SHOWN) {
      await this.jump();
      return;
    }
    let after: Moment;
    try {
      const made = await persist(() => rules.apply({ situation: situation(now.position), events: [event] }), this.lose, MOST_TRIES);
      const position = asPosition(made.situation);
      if (!position || !made.status) throw new Error("expected a position");
      // Who does not want to watch gets the last picture only.
      const pass = this.paceNow() === 0 && now.number + 1 < this.received;
      after = await this.moment(position, made.status, now.number + 1, this.tracesOf(event), undefined, pass ? now.svg : undefined);
    } catch {
      await this.jump(); // not all of it can be known here, or not now
      return;
    }
    if (!this.agrees(after)) {
      await this.jump();
      const really = this.now.peek();
      if (really?.number !== after.number) return;
      after = { ...really, traces: after.traces };
    }
    if (after.svg !== now.svg) this.moments.set(after.number, after);
    batch(() => {
      this.now.value = after;
      this.tell(now.number, this.tellings(event, now, after));
    });
    const chance = event.event.case === "chance";
    await this.rest(this.paceNow() * (chance ? 0.7 : 1));
  }

  /** Whether the table goes on as worked out here. It does not where chance is waited for that others know already: a
   * chip that one of them has looked at comes up without being drawn. */
  private agrees(after: Moment): boolean {
    if (after.number < this.received) {
      const next = this.events[after.number];
      return after.status.waiting !== Waiting.CHANCE || next === undefined || next.event.case === "chance";
    }
    const table = this.table.peek();
    if (table?.events !== after.number) return true; // it will be told
    return table.status?.waiting === after.status.waiting && table.status.seat === after.status.seat;
  }

  private paceNow(): number {
    return this.hurried || document.hidden ? 0 : PACES[pace.peek()];
  }

  private async rest(ms: number): Promise<void> {
    if (ms > 0) await Promise.race([sleep(ms), new Promise<void>((go) => (this.wake = go))]);
  }

  private wake: () => void = () => {};
  private hurried = false;

  /** On to where somebody here has to decide. */
  hurry(): void {
    this.hurried = true;
    this.wake();
  }

  private tracesOf(event: Event): string[] {
    if (event.event.case !== "chosen" || !event.event.value.decision) return [];
    return this.game.peek().traces(event.event.value.decision, event.event.value.seat ?? 0);
  }

  /** What happened, with what it was worth. */
  private tellings(event: Event, before: Moment, after: Moment): Told[] {
    const told = this.game.peek().story(event, before.position, after.position, this.cast, this.components.peek());
    const gains = after.scores.flatMap((score) => {
      const gain = score.total - (before.scores.find((old) => old.seat === score.seat)?.total ?? 0);
      return gain ? [{ seat: score.seat, text: t(gain > 0 ? "gains" : "drops", plural(Math.abs(gain), "point"), score.total) }] : [];
    });
    return [...told, ...gains];
  }

  private tell(number: number, told: Told[]): void {
    const out = this.timedOut.get(number);
    const late = out ? [{ seat: out.seat, text: t(out.then === TimeOut.SEAT ? "outSeat" : "outTurn", out.bot), number }] : [];
    this.log.value = [...this.log.peek(), ...late, ...told.map((line) => ({ ...line, number: number + 1 }))];
    this.told = number + 1;
  }

  /** What was passed over, without what followed from it. */
  private tellBriefly(end: number): void {
    while (this.told < Math.min(end, this.received)) {
      const event = this.events[this.told];
      this.tell(this.told, event ? this.game.peek().brief(event, this.cast, this.components.peek()) : []);
    }
  }

  /** To where the table stands now. */
  private async jump(seat?: number): Promise<void> {
    const token = seat === undefined ? this.token : this.tokenFor(seat);
    const stand = await persist(() => tables.getTable({ table: this.id, token }), this.lose);
    if (!stand.position || !stand.table?.status) return;
    if (stand.seat !== undefined) this.seen = stand.seat;
    this.now.value = await this.moment(stand.position, stand.table.status, stand.table.events, [], stand.scores);
  }

  private lose = (is: boolean): void => {
    this.link.value = is ? "lost" : this.link.peek() === "lost" && this.watching ? "open" : this.link.peek();
  };

  // ---- Pictures

  private drawnDark: boolean | undefined;

  private async moment(position: Position, status: Status, number: number, traces: string[], scores?: SeatScore[], svg?: string): Promise<Moment> {
    this.drawnDark = dark.peek();
    const theme = this.drawnDark ? Theme.DARK : Theme.LIGHT;
    const [picture, points] = await persist(() => Promise.all([
      svg === undefined ? rules.render({ situation: situation(position), theme }) : { svg },
      scores ? Promise.resolve({ scores }) : rules.score({ situation: situation(position) }),
    ]), this.lose);
    const made = { position, status, number, svg: picture.svg, scores: points.scores, traces };
    return made;
  }

  private async repaint(): Promise<void> {
    const again = async (moment: Moment) => ({
      ...(await this.moment(moment.position, moment.status, moment.number, [], moment.scores)),
    });
    this.moments.clear();
    const [now, turn, past] = [this.now.peek(), this.turn.peek(), this.past.peek()];
    if (past) this.past.value = await again(past);
    if (turn) {
      const steps = await Promise.all(turn.steps.map(async (step) => ({ ...step, after: await again(step.after) })));
      if (this.turn.peek() === turn) this.turn.value = { ...turn, steps };
    }
    if (now) {
      const drawn = await again(now);
      if (this.now.peek() === now) this.now.value = drawn;
    }
  }

  // ---- Looking back

  /** The moment after so many events; what was not seen as it happened is played again. */
  async look(number: number): Promise<void> {
    const now = this.now.peek();
    if (!now) return;
    if (number >= now.number) {
      this.past.value = undefined;
      return;
    }
    const wanted = Math.max(0, number);
    try {
      let found = this.moments.get(wanted);
      if (!found) {
        const before = [...this.moments.keys()].filter((n) => n < wanted).sort((a, b) => b - a)[0];
        const from = before === undefined ? await this.start() : this.moments.get(before);
        if (!from) return;
        const events = this.events.slice(from.number, wanted);
        if (events.includes(undefined)) {
          this.problem.value = t("notSeen");
          return;
        }
        if (!events.length) found = from;
        else {
          const made = await rules.apply({ situation: situation(from.position), events: events as Event[] });
          const position = asPosition(made.situation);
          if (!position || !made.status) return;
          const last = events[events.length - 1];
          found = await this.moment(position, made.status, wanted, last ? this.tracesOf(last) : []);
        }
        this.moments.set(wanted, found);
      }
      this.past.value = found;
    } catch (error) {
      this.problem.value = inWords(error);
    }
  }

  private async start(): Promise<Moment | undefined> {
    const options = this.table.peek()?.options;
    const { record } = await rules.newGame({ options });
    const seat = this.seen >= 0 ? this.seen : undefined;
    const { position, status } = await rules.replay({ record, events: 0, seat });
    if (!position || !status) return undefined;
    const first = await this.moment(position, status, 0, []);
    this.moments.set(0, first);
    return first;
  }

  // ---- Our turn

  private async prepare(): Promise<void> {
    const now = this.now.peek();
    if (!now || this.turn.peek() || now.status.waiting !== Waiting.DECISION) return;
    const seat = now.status.seat;
    if (seat === undefined || !this.isMine(seat) || this.table.peek()?.timedOut) return;
    const token = this.tokenFor(seat);
    const stand = await persist(() => tables.getTable({ table: this.id, token }), this.lose);
    if (stand.table?.events !== now.number || !stand.position || !stand.table.status) {
      this.again = true;
      return;
    }
    let base = now;
    if (this.seen !== seat && this.game.peek().secrets(stand.position)) {
      base = await this.moment(stand.position, stand.table.status, now.number, now.traces, now.scores);
      if (Object.keys(this.seats.peek()).filter((own) => this.isMine(Number(own))).length > 1) this.veil.value = seat;
    }
    this.seen = seat;
    this.hurried = false;
    batch(() => {
      this.now.value = base;
      this.turn.value = { seat, base, steps: [], options: stand.decisions };
    });
    await this.remember(base.number);
  }

  /** What was tried before this page was closed. */
  private async remember(number: number): Promise<void> {
    const tried = kept<{ number: number; decisions: JsonValue[]; ids: string[] } | undefined>(`turn.${this.id}`, undefined);
    if (!tried || tried.number !== number) return;
    for (const [index, json] of tried.decisions.entries()) {
      const wanted = JSON.stringify(json);
      const option = this.turn.peek()?.options.find((one) => JSON.stringify(bare(one)) === wanted);
      if (!option) return;
      await this.attempt(option, tried.ids[index] ?? secret());
    }
  }

  private save(): void {
    const turn = this.turn.peek();
    keep(`turn.${this.id}`, turn?.steps.length
      ? { number: turn.base.number, decisions: turn.steps.map((s) => bare(s.decision)), ids: turn.steps.map((s) => s.id) }
      : undefined);
  }

  due(): Turn | undefined {
    return this.past.value ? undefined : this.turn.value;
  }

  /** Try a decision; it can be taken back until the turn is confirmed. */
  async choose(decision: Decision): Promise<void> {
    if (this.busy.peek() || this.past.peek()) return;
    this.busy.value = true;
    this.problem.value = "";
    try {
      await this.attempt(decision, secret());
    } catch (error) {
      this.problem.value = inWords(error);
    } finally {
      this.busy.value = false;
    }
    const turn = this.turn.peek();
    const done = turn && turn.steps.length > 0 && turn.options.length === 0;
    const last = turn?.steps[turn.steps.length - 1];
    if (done && last && (!confirming.peek() || (turn.steps.length === 1 && this.game.peek().atOnce(last.decision)))) await this.confirm();
  }

  private async attempt(decision: Decision, id: string): Promise<void> {
    const turn = this.turn.peek();
    if (!turn) return;
    const before = turn.steps[turn.steps.length - 1]?.after ?? turn.base;
    const event = create(EventSchema, { event: { case: "chosen", value: { seat: turn.seat, decision } } });
    const made = await persist(() => rules.apply({ situation: situation(before.position), events: [event] }), this.lose);
    const position = asPosition(made.situation);
    if (!position || !made.status) return;
    const number = before.number + 1;
    const goesOn = made.status.waiting === Waiting.DECISION && made.status.seat === turn.seat;
    const [after, next] = await Promise.all([
      this.moment(position, made.status, number, this.tracesOf(event)),
      goesOn ? persist(() => rules.legalDecisions({ situation: situation(position) }), this.lose) : undefined,
    ]);
    const step = { decision, id, options: turn.options, after, told: this.tellings(event, before, after) };
    if (this.turn.peek() !== turn) return;
    const longer = { ...turn, steps: [...turn.steps, step], options: next?.decisions ?? [] };
    this.turn.value = longer;
    if (!longer.options.length) this.coach.consider(longer);
    this.save();
  }

  takeBack(all = false): void {
    const turn = this.turn.peek();
    const last = turn?.steps[all ? 0 : turn.steps.length - 1];
    if (!turn || !last || this.busy.peek()) return;
    this.turn.value = { ...turn, steps: all ? [] : turn.steps.slice(0, -1), options: last.options };
    this.save();
  }

  /** Another way to do what was done last. */
  async instead(decision: Decision): Promise<void> {
    if (this.busy.peek()) return;
    this.takeBack();
    await this.choose(decision);
  }

  async confirm(): Promise<void> {
    const turn = this.turn.peek();
    if (!turn?.steps.length || turn.options.length || this.busy.peek()) return;
    this.busy.value = true;
    this.problem.value = "";
    if (!(await this.advised(turn)) || this.turn.peek() !== turn) {
      this.busy.value = false;
      return;
    }
    this.sending = true;
    try {
      for (const [index, step] of turn.steps.entries()) {
        const asked = {
          table: this.id, token: this.tokenFor(turn.seat), decision: step.decision,
          after: turn.base.number + index, requestId: step.id,
        };
        await persist(() => tables.act(asked), this.lose);
      }
      const last = turn.steps[turn.steps.length - 1];
      batch(() => {
        turn.steps.forEach((step, index) => this.tell(turn.base.number + index, step.told));
        if (last) this.now.value = { ...last.after, traces: [] };
        this.turn.value = undefined;
      });
    } catch (error) {
      this.problem.value = inWords(error);
      this.turn.value = undefined;
      await this.jump();
    } finally {
      keep(`turn.${this.id}`, undefined);
      this.sending = false;
      this.busy.value = false;
    }
    void this.pump();
  }

  /** Whether the coach lets a turn be sent. One that cannot be reached keeps nobody from playing. */
  private async advised(turn: Turn): Promise<boolean> {
    try {
      return await this.coach.allows(turn);
    } catch {
      this.problem.value = t("coachSilent");
      return true;
    }
  }
}

export function situation(position: Position) {
  return { situation: { case: "position" as const, value: position } };
}

function asPosition(found: { situation: { case?: string; value?: unknown } } | undefined): Position | undefined {
  return found?.situation.case === "position" ? (found.situation.value as Position) : undefined;
}

/** A decision without its words, which the server may say differently another time. */
function bare(decision: Decision): JsonValue {
  const copy = clone(DecisionSchema, decision);
  copy.text = "";
  return toJson(DecisionSchema, copy);
}

/** When a machine wakes up, or its network comes back. */
function woken(): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      if (document.hidden) return;
      removeEventListener("online", end);
      document.removeEventListener("visibilitychange", end);
      done();
    };
    addEventListener("online", end);
    document.addEventListener("visibilitychange", end);
  });
}

