/** A bot's seat at a game that the front end runs by itself. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { Attempts, takes } from "./attempts.js";
import {
  InvalidRequest,
  known,
  NotAllowed,
  NotFound,
  NotNow,
  notReachable,
  Overloaded,
  SaloonError,
  TooLate,
  tooLate,
} from "./errors.js";
import {
  type AttendResponse,
  type Decided,
  Seats,
  type SitDown,
  SitDownSchema,
  type TellRequestSchema,
  type TellResponse,
} from "./gen/saloon/v1/seats_pb.js";
import type { Limits } from "./limits.js";
import type { Ending, Line } from "./line.js";
import { type AnySituation, type Cost, cost, only, situation, type Thinking, thinking } from "./messages.js";
import { randomName } from "./random.js";

/** How a bot sits. */
export interface SeatOptions extends Thinking {
  /** Whether it may think while others play, with what the server can spare. */
  ponder?: boolean | undefined;
  /** The session to go on with, such as one of an earlier page. */
  session?: string | undefined;
}

/** What a decision may cost, if not as agreed when the bot sat down, and how it is asked for. */
export interface DecideOptions extends Cost, Limits {
  /** The whole turn, not only the next decision. */
  turn?: boolean | undefined;
  /** The name of the decision. With that of an earlier one the earlier one comes again. */
  id?: string | undefined;
}

/** The header by which proxies send all that belongs to one session to one server. */
const PLACE = "saloon-seat";

/** Errors of what was said alone. */
const STAYS = [InvalidRequest, Overloaded, TooLate];

type Told = NonNullable<MessageInitShape<typeof TellRequestSchema>["message"]>;

/**
 * A bot that plays one seat of a whole game.
 *
 * The bot sits while a stream from the server is open; it is opened when it is needed. If it is lost, the next is opened
 * with the same session and the decision is asked for again by the same id, so that nothing is decided twice. What is
 * asked at the same time is done one after the other.
 */
export class Seat {
  readonly #line: Line;
  readonly #seats: Client<typeof Seats>;
  readonly #sit: SitDown;
  readonly #how: Cost;
  #session: string;
  #place: string;
  #link: Link | undefined;
  #before: Promise<unknown> = Promise.resolve();
  #decisions: number | undefined;

  /** @internal `Client.sit` makes it. */
  constructor(line: Line, seat: number, { ponder = false, session = "", ...how }: SeatOptions) {
    this.#line = line;
    this.#seats = createClient(Seats, line.transport);
    this.#sit = create(SitDownSchema, { seat, ponder, ...thinking(how) });
    this.#how = how;
    this.#session = session;
    this.#place = placeOf(session);
  }

  /** The name of the session, to go on with it elsewhere by `sit`; empty before the first connection. */
  get session(): string {
    return this.#session;
  }

  /** What the bot does where its seat has to decide: one answer, or with `turn` one for each decision of the turn. */
  async decide(where: AnySituation, options: DecideOptions = {}): Promise<Decided> {
    const { turn = false, id = randomName(), timeout, signal, ...given } = options;
    only(["time", "iterations"], given);
    const spends = given.time === undefined && given.iterations === undefined ? this.#how : given;
    const attempts = new Attempts(this.#line.policy, takes(spends), timeout);
    const decide = { id, turn, situation: situation(where), ...cost(given) };
    return this.#inTurn(signal, async (ending) => {
      const said = await this.#tell({ case: "decide", value: decide }, attempts, ending);
      if (said.case !== "decided") throw new NotNow("the bot has said goodbye", "failed_precondition");
      return said.value;
    });
  }

  /**
   * Show the bot how the others play, so that it can ponder; whether it got there. Nothing is lost if it did not: the
   * next decision connects again.
   */
  async watch(where: AnySituation, limits: Limits = {}): Promise<boolean> {
    const attempts = new Attempts(this.#line.policy, 0, limits.timeout, false);
    const watch = { situation: situation(where) };
    return this.#inTurn(limits.signal, async (ending) => {
      try {
        await this.#tell({ case: "watch", value: watch }, attempts, ending);
        return true;
      } catch (error) {
        ending.signal.throwIfAborted();
        if (error instanceof InvalidRequest || error instanceof NotAllowed) throw error;
        this.close();
        return false;
      }
    });
  }

  /**
   * The bot is not needed any more, and its session is forgotten; how many decisions it took, or undefined if the server
   * did not say.
   */
  async leave(limits: Limits = {}): Promise<number | undefined> {
    const attempts = new Attempts(this.#line.policy, 0, limits.timeout);
    return this.#inTurn(limits.signal, async (ending) => {
      try {
        if (this.#session !== "") await this.#tell({ case: "leave", value: {} }, attempts, ending);
      } catch (error) {
        if (!(error instanceof SaloonError)) throw error;
      } finally {
        this.#forget();
      }
      return this.#decisions;
    });
  }

  /** End the connection. The session stays for a while; `session` names it. */
  close(): void {
    this.#link?.close();
    this.#link = undefined;
  }

  async #inTurn<T>(signal: AbortSignal | undefined, work: (ending: Ending) => Promise<T>): Promise<T> {
    const before = this.#before;
    const ending = this.#line.ending(signal);
    const now = before.then(() => {
      ending.signal.throwIfAborted();
      return work(ending);
    });
    this.#before = now.catch(() => {}); // its caller hears of it
    try {
      return await now;
    } finally {
      ending.end();
    }
  }

  /** Say something, and hear what the bot says to it. */
  async #tell(message: Told, attempts: Attempts, ending: Ending): Promise<TellResponse["message"]> {
    let reattended = false;
    while (true) {
      try {
        const link = await this.#connected(attempts, ending);
        const options = this.#line.options(ending.signal, attempts.left, { [PLACE]: this.#place });
        const said = (await this.#seats.tell({ session: link.session, message }, options)).message;
        if (said.case === "goodbye") {
          this.#decisions = said.value.decisions;
          this.#forget();
        }
        return said;
      } catch (thrown) {
        ending.signal.throwIfAborted();
        const error = known(thrown, this.#line.address);
        if (error instanceof NotFound && this.#session !== "") {
          this.#forget(); // the server has: sit anew
          if (message.case === "leave" || !attempts.again()) throw error;
        } else if (error instanceof NotNow && !reattended && attempts.repeat) {
          this.close(); // the stream may be gone, and nobody has noticed here
          reattended = true;
        } else {
          if (!STAYS.some((kind) => error instanceof kind)) this.close();
          await this.#line.again(error, attempts, ending.signal);
        }
      }
    }
  }

  async #connected(attempts: Attempts, ending: Ending): Promise<Link> {
    if (this.#link?.moved || this.#link?.ended) this.close();
    if (this.#link === undefined) {
      this.#sit.session = this.#session;
      this.#link = await Link.open(this.#line, this.#seats, this.#sit, this.#place, attempts, ending);
      this.#session = this.#link.session;
    }
    return this.#link;
  }

  #forget(): void {
    this.close();
    this.#session = "";
    this.#place = placeOf("");
  }
}

/** What a session's name begins with; for a new session a name of its own. */
function placeOf(session: string): string {
  return session.includes(".") ? session.slice(0, session.indexOf(".")) : randomName();
}

/** A stream from the server, as long as the bot sits. */
class Link {
  session = "";
  /** The server is about to stop. */
  moved = false;
  ended = false;
  readonly #ending: Ending;

  private constructor(line: Line) {
    this.#ending = line.ending();
  }

  /** One whose bot sits. */
  static async open(
    line: Line,
    seats: Client<typeof Seats>,
    sit: SitDown,
    place: string,
    attempts: Attempts,
    ending: Ending,
  ) {
    const link = new Link(line);
    const close = () => link.close();
    ending.signal.addEventListener("abort", close);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      close();
    }, attempts.left * 1000);
    try {
      const stream = seats
        .attend({ sit }, line.options(link.#ending.signal, undefined, { [PLACE]: place }))
        [Symbol.asyncIterator]();
      const first = await stream.next();
      if (first.done || first.value.message.case !== "seated") {
        throw notReachable(line.address, "the server ended the session");
      }
      link.session = first.value.message.value.session;
      void link.#listen(stream);
      return link;
    } catch (error) {
      close();
      throw late ? tooLate("the bot's seat", error) : error;
    } finally {
      clearTimeout(timer);
      ending.signal.removeEventListener("abort", close);
    }
  }

  close(): void {
    this.#ending.end();
  }

  async #listen(stream: AsyncIterator<AttendResponse>): Promise<void> {
    try {
      for (let next = await stream.next(); !next.done; next = await stream.next()) {
        this.moved ||= next.value.message.case === "move";
      }
    } catch {
      // Why it ended is for the next call to find out, when it connects again.
    } finally {
      this.ended = true;
      this.close();
    }
  }
}
