/** The client. */

import { type CallOptions, createClient } from "@connectrpc/connect";
import { url } from "./address.js";
import { Attempts, takes } from "./attempts.js";
import { ServerFault } from "./errors.js";
import {
  type AnalyzeResponse,
  type Answer,
  Bots,
  type FindPuzzlesResponse,
  type JudgeResponse,
  type ListBotsResponse,
  type PlayTurnResponse,
  type ReviewResponse,
} from "./gen/saloon/v1/bots_pb.js";
import type { Decision, GameRecord, Options, Status } from "./gen/saloon/v1/game_pb.js";
import {
  type GameInfo,
  type LegalDecisionsResponse,
  type RenderResponse,
  type ReplayResponse,
  Rules,
  type ScoreResponse,
  Theme,
} from "./gen/saloon/v1/rules_pb.js";
import {
  Access,
  type ActResponse,
  type CreateTableResponse,
  type GetTableResponse,
  type ImportTableResponse,
  type JoinTableResponse,
  type SeatBotResponse,
  type Table,
  type TableBot,
  Tables,
  type TurnClock,
  type WatchTableResponse,
} from "./gen/saloon/v1/tables_pb.js";
import type { Limits } from "./limits.js";
import { Line } from "./line.js";
import { type Listing, listing } from "./listing.js";
import {
  type AnyEvent,
  type AnySituation,
  type Cost,
  cost,
  event,
  only,
  situation,
  type Thinking,
  thinking,
} from "./messages.js";
import { type Whole, whole } from "./numbers.js";
import { randomName } from "./random.js";
import { Seat, type SeatOptions } from "./seat.js";

/** Seconds of a review, or of a search for puzzles, of which nothing is said. */
const REVIEW = 15;

/** How to speak to a server. */
export interface ClientOptions {
  /** An access token, where the server asks for one. */
  token?: string | undefined;
  /** Plaintext to other machines, too. */
  insecure?: boolean | undefined;
  /** Seconds that a call may take beyond its budget, repetitions included: 5. */
  margin?: number | undefined;
  /** How often a call is sent again at most, when the server has no time or cannot be reached: 4. */
  retries?: number | undefined;
  /** Instead of the platform's, such as one with certificates of your own. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Spreads the pauses between repetitions, instead of Math.random. */
  random?: (() => number) | undefined;
}

/** What suggestions are wanted. */
export interface Wanted {
  /** So many suggestions at most; 5. */
  count?: number | undefined;
  /** Decisions to look at in any case. */
  evaluate?: readonly Decision[] | undefined;
  /** What chance may bring right after the best. */
  outs?: boolean | undefined;
}

/** A new table. */
export interface TableOptions {
  /** The bots that sit there from the start; `tableBot` makes them. */
  bots?: readonly TableBot[] | undefined;
  /** Only those who have the invitation see and join it. */
  byInvitation?: boolean | undefined;
  /** A time for each turn of a person; `turnClock` makes it. */
  clock?: TurnClock | undefined;
  /** Whose it is, from clients that may say for whom they call. */
  account?: string | undefined;
}

/** A token of a table: a seat's, the host's, or the invitation; none for a spectator of a public table. */
export interface Token {
  token?: string | undefined;
}

/** The situation after some events, in the form it was given, and what the game waits for. */
export interface Applied<S extends AnySituation> {
  situation: S;
  status: Status;
}

/**
 * A Saloon server.
 *
 * Plaintext on this machine, TLS elsewhere unless `insecure`. All times are seconds. Every call ends: after its budget
 * and `margin`, or after the `timeout` it is given. Calls that may be sent again are, `retries` times at most and
 * within that time, when the server has no time or cannot be reached.
 *
 *     const saloon = new Client("http://localhost:8080");
 *     const game = await saloon.newGame(moonRiver({ players: 3 }), { seed: 1 });
 *     console.log((await saloon.suggest(game, { time: 0.1 })).choice?.text);
 */
export class Client {
  readonly #line: Line;
  readonly #bots;
  readonly #rules;
  readonly #tables;

  constructor(address = "http://localhost:8080", options: ClientOptions = {}) {
    const { token, insecure = false, margin = 5, retries = 4, fetch, random = Math.random } = options;
    if (token !== undefined && !/^[!-~]+$/.test(token)) {
      throw new TypeError("token: expected letters, digits and signs of ASCII, without spaces");
    }
    for (const [name, value] of Object.entries({ margin, retries })) {
      if (!(value >= 0)) throw new RangeError(`${name}: expected 0 or more, got ${value}`);
    }
    this.#line = new Line(url(address, insecure), { margin, retries, random }, token, fetch);
    this.#bots = createClient(Bots, this.#line.transport);
    this.#rules = createClient(Rules, this.#line.transport);
    this.#tables = createClient(Tables, this.#line.transport);
  }

  /** Where the server is, as a URL. */
  get address(): string {
    return this.#line.address;
  }

  /** Give up all that is under way; later calls are rejected with `Closed`. */
  close(): void {
    this.#line.close();
  }

  // ---- Rules

  /** The games, with their options and components. */
  async games(limits: Limits = {}): Promise<GameInfo[]> {
    return (await this.#line.call((options) => this.#rules.listGames({}, options), {}, limits)).games;
  }

  /** A new game. Without a seed dice and piles are yours: tell what came with `apply`. */
  async newGame(game: Options, { seed, ...limits }: Limits & { seed?: Whole | undefined } = {}): Promise<GameRecord> {
    const request = { options: game, ...seeded(seed) };
    const { record } = await this.#line.call((options) => this.#rules.newGame(request, options), {}, limits);
    return there(record);
  }

  /** What the seat that has to decide may do. */
  async legalDecisions(where: AnySituation, limits: Limits = {}): Promise<LegalDecisionsResponse> {
    const request = { situation: situation(where) };
    return this.#line.call((options) => this.#rules.legalDecisions(request, options), {}, limits);
  }

  /** The situation after one event or several; an answer of a bot counts as the event that it chose. */
  async apply<S extends AnySituation>(
    where: S,
    what: AnyEvent | readonly AnyEvent[],
    limits: Limits = {},
  ): Promise<Applied<S>> {
    const request = { situation: situation(where), events: several(what).map(event) };
    const answer = await this.#line.call((options) => this.#rules.apply(request, options), {}, limits);
    const after = there(answer.situation);
    return {
      situation: (where.$typeName === after.$typeName ? after : after.situation.value) as S,
      status: there(answer.status),
    };
  }

  /** Where a game stood after so many of its events, as a seat saw it. */
  async replay(
    record: GameRecord,
    { events, seat, ...limits }: Limits & { events?: number | undefined; seat?: number | undefined } = {},
  ): Promise<ReplayResponse> {
    const request = { record, ...(events !== undefined && { events }), ...(seat !== undefined && { seat }) };
    return this.#line.call((options) => this.#rules.replay(request, options), {}, limits);
  }

  /** Everybody's points, as if the game ended now. */
  async score(where: AnySituation, limits: Limits = {}): Promise<ScoreResponse> {
    const request = { situation: situation(where) };
    return this.#line.call((options) => this.#rules.score(request, options), {}, limits);
  }

  /** The table as an SVG picture and as plain text. */
  async render(
    where: AnySituation,
    { seat, dark = false, ...limits }: Limits & { seat?: number | undefined; dark?: boolean | undefined } = {},
  ): Promise<RenderResponse> {
    const theme = dark ? Theme.DARK : Theme.LIGHT;
    const request = { situation: situation(where), theme, ...(seat !== undefined && { seat }) };
    return this.#line.call((options) => this.#rules.render(request, options), {}, limits);
  }

  // ---- Bots

  /** The levels and personalities there are. */
  async bots(limits: Limits = {}): Promise<ListBotsResponse> {
    return this.#line.call((options) => this.#bots.listBots({}, options), {}, limits);
  }

  /** What a bot would do, and the best `count` decisions with figures; `evaluate` names some to look at too. */
  async suggest(where: AnySituation, given: Thinking & Wanted & Limits = {}): Promise<Answer> {
    const { count, evaluate, outs, timeout, signal, ...how } = given;
    const request = { situation: situation(where), ...thinking(how), ...wanted({ count, evaluate, outs }) };
    const nature = { seconds: takes(how) };
    const answer = await this.#line.call((options) => this.#bots.suggest(request, options), nature, {
      timeout,
      signal,
    });
    return there(answer.answer);
  }

  /** Answers that get better. Stop reading, or abort the signal, to stop the search before its time. */
  analyze(
    where: AnySituation,
    given: Thinking & Wanted & Limits = {},
  ): AsyncGenerator<AnalyzeResponse, void, undefined> {
    const { count, evaluate, outs, timeout, signal, ...how } = given;
    const request = { situation: situation(where), ...thinking(how), ...wanted({ count, evaluate, outs }) };
    return this.#answers((options) => this.#bots.analyze(request, options), takes(how), { timeout, signal });
  }

  /** A whole turn, up to where another seat or chance comes next: `apply(where, turn.answers)`. */
  async playTurn(where: AnySituation, given: Thinking & Limits = {}): Promise<PlayTurnResponse> {
    const { timeout, signal, ...how } = given;
    const request = { situation: situation(where), ...thinking(how) };
    const nature = { seconds: takes(how) };
    return this.#line.call((options) => this.#bots.playTurn(request, options), nature, { timeout, signal });
  }

  /**
   * What decisions that the seat may take one after the other would give away, each beside the best there is. `time` is
   * for all of them (1 second if nothing is said), `iterations` for each.
   */
  async judge(
    where: AnySituation,
    decisions: Decision[],
    given: Cost & { seed?: Whole | undefined } & Limits = {},
  ): Promise<JudgeResponse> {
    const { timeout, signal, seed, ...how } = given;
    only(["time", "iterations"], how);
    const request = { situation: situation(where), decisions, ...cost(how), ...seeded(seed) };
    const nature = { seconds: takes(how) };
    return this.#line.call((options) => this.#bots.judge(request, options), nature, { timeout, signal });
  }

  /**
   * A game looked back on, event by event: what decisions gave away, and what was luck; the last one is the summary.
   * `time` is for all of it (15 seconds if nothing is said), `iterations` for each decision. Stop reading, or abort the
   * signal, to stop it.
   */
  review(
    record: GameRecord,
    given: Cost & { seed?: Whole | undefined } & Limits = {},
  ): AsyncGenerator<ReviewResponse, void, undefined> {
    const { timeout, signal, seed, ...how } = given;
    only(["time", "iterations"], how);
    const request = { record, ...cost(how), ...seeded(seed) };
    const said = how.time !== undefined || how.iterations !== undefined;
    const seconds = said ? takes(how) : REVIEW;
    return this.#answers((options) => this.#bots.review(request, options), seconds, { timeout, signal });
  }

  /**
   * Positions of a game in which one decision is much better than it looks, event by event: all else gives away `least`
   * of a win (0.05). `time` is for all of it (15 seconds if nothing is said), `iterations` for each long search. Stop
   * reading, or abort the signal, to stop it.
   */
  puzzles(
    record: GameRecord,
    given: Cost & { seed?: Whole | undefined; least?: number | undefined } & Limits = {},
  ): AsyncGenerator<FindPuzzlesResponse, void, undefined> {
    const { timeout, signal, seed, least, ...how } = given;
    only(["time", "iterations"], how);
    const request = { record, ...cost(how), ...seeded(seed), ...(least !== undefined && { least }) };
    const said = how.time !== undefined || how.iterations !== undefined;
    const seconds = said ? takes(how) : REVIEW;
    return this.#answers((options) => this.#bots.findPuzzles(request, options), seconds, { timeout, signal });
  }

  /** Answers of a call that is not sent again once there was one. */
  #answers<T>(
    ask: (options: CallOptions) => AsyncIterable<T>,
    seconds: number,
    { timeout, signal }: Limits,
  ): AsyncGenerator<T, void, undefined> {
    const attempts = new Attempts(this.#line.policy, seconds, timeout);
    const heard = () => {
      attempts.repeat = false;
    };
    return this.#line.stream(ask, attempts, heard, { signal });
  }

  // ---- Seats

  /** A bot for a seat of a game of yours, for the whole game; `session` goes on with one. */
  sit(seat: number, options: SeatOptions = {}): Seat {
    return new Seat(this.#line, seat, options);
  }

  // ---- Tables

  /** A table on the server. */
  async createTable(
    game: Options,
    { bots, byInvitation, clock, account, seed, ...limits }: TableOptions & Limits & { seed?: Whole | undefined } = {},
  ): Promise<CreateTableResponse> {
    const request = { options: game, ...hosted({ bots, byInvitation, clock, account }), ...seeded(seed) };
    return this.#line.call((options) => this.#tables.createTable(request, options), ONCE, limits);
  }

  /** A table that goes on with a record. */
  async importTable(
    record: GameRecord,
    { bots, byInvitation, clock, account, ...limits }: TableOptions & Limits = {},
  ): Promise<ImportTableResponse> {
    const request = { record, ...hosted({ bots, byInvitation, clock, account }) };
    return this.#line.call((options) => this.#tables.importTable(request, options), ONCE, limits);
  }

  /**
   * The public tables, or with `mine` those of the person who asks, newest first; `Listing` says what else they may be
   * chosen by. Games that are over are among them as long as their records are kept.
   */
  async *tables(wanted: Listing & Limits = {}): AsyncGenerator<Table, void, undefined> {
    const request = listing(wanted);
    do {
      const page = await this.#line.call((options) => this.#tables.listTables(request, options), {}, wanted);
      yield* page.tables;
      request.pageToken = page.nextPageToken;
    } while (request.pageToken);
  }

  /** How a table stands, for the seat of the token or for a spectator, and what the seat may do. */
  async table(table: string, { token = "", ...limits }: Token & Limits = {}): Promise<GetTableResponse> {
    return this.#line.call((options) => this.#tables.getTable({ table, token }, options), {}, limits);
  }

  /**
   * Take a free seat, or take one's own back from a bot; once, however often it has to be sent. The answer has the
   * seat's token; `token` is the invitation, or the seat's to take it back; `account`: whose seat it is, from clients
   * that may say for whom they call.
   */
  async join(
    table: string,
    name: string,
    {
      seat,
      token = "",
      account = "",
      ...limits
    }: Token & Limits & { seat?: number | undefined; account?: string | undefined } = {},
  ): Promise<JoinTableResponse> {
    const request = { table, name, token, account, seatToken: randomName(), ...(seat !== undefined && { seat }) };
    return this.#line.call((options) => this.#tables.joinTable(request, options), {}, limits);
  }

  /**
   * Let a bot play a free seat (with the host's token), one's own, or that of somebody who is `away` (the host's);
   * `join` takes it back.
   */
  async seatBot(
    table: string,
    token: string,
    bot: TableBot,
    { away = false, ...limits }: Limits & { away?: boolean | undefined } = {},
  ): Promise<SeatBotResponse> {
    return this.#line.call((options) => this.#tables.seatBot({ table, token, bot, away }, options), ONCE, limits);
  }

  /** Decide. It is done once however often it has to be sent, unless `requestId` is empty. */
  async act(
    table: string,
    token: string,
    decision: Decision,
    given: Limits & { after?: number | undefined; requestId?: string | undefined } = {},
  ): Promise<ActResponse> {
    const { after, requestId = randomName(), ...limits } = given;
    const request = { table, token, decision, requestId, ...(after !== undefined && { after }) };
    return this.#line.call((options) => this.#tables.act(request, options), { repeat: requestId !== "" }, limits);
  }

  /**
   * Everything that happens from an event's number on, until the game ends. After a lost connection it goes on where it
   * was. Abort the signal to end it while nothing happens.
   */
  watch(
    table: string,
    { token = "", first = 0, signal }: Token & { first?: number | undefined; signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<WatchTableResponse, void, undefined> {
    const attempts = new Attempts(this.#line.policy, 0, Number.POSITIVE_INFINITY);
    let firstEvent = first;
    const heard = ({ update }: WatchTableResponse) => {
      attempts.failed = 0;
      if (update.case === "event") firstEvent = update.value.number + 1;
    };
    const ask = (options: CallOptions) => this.#tables.watchTable({ table, token, firstEvent }, options);
    return this.#line.stream(ask, attempts, heard, { signal, deadline: false });
  }

  /** The record of a game; before its end with the host's token, or with a seat's what that seat has seen. */
  async exportTable(table: string, { token = "", ...limits }: Token & Limits = {}): Promise<GameRecord> {
    const request = { table, token };
    return there((await this.#line.call((options) => this.#tables.exportTable(request, options), {}, limits)).record);
  }

  /** A table is gone for good, with its game. */
  async deleteTable(table: string, hostToken: string, limits: Limits = {}): Promise<void> {
    const request = { table, token: hostToken };
    await this.#line.call((options) => this.#tables.deleteTable(request, options), {}, limits);
  }
}

const ONCE = { repeat: false };

function seeded(seed: Whole | undefined): { seed?: bigint } {
  return seed === undefined ? {} : { seed: whole("seed", seed, 64) };
}

function wanted({ count = 0, evaluate = [], outs = false }: Wanted): {
  count: number;
  evaluate: Decision[];
  outs: boolean;
} {
  return { count, evaluate: [...evaluate], outs };
}

function hosted({ bots = [], byInvitation = false, clock, account = "" }: TableOptions): {
  bots: TableBot[];
  access: Access;
  account: string;
  clock?: TurnClock;
} {
  const access = byInvitation ? Access.INVITATION : Access.PUBLIC;
  return { bots: [...bots], access, account, ...(clock && { clock }) };
}

function several(what: AnyEvent | readonly AnyEvent[]): readonly AnyEvent[] {
  return Array.isArray(what) ? what : [what as AnyEvent];
}

/** What every answer of a server has. */
function there<T>(part: T | undefined): T {
  if (part === undefined) throw new ServerFault("an answer without what was asked for", "internal");
  return part;
}
