/** Short ways to write the contract's messages. */

import { create } from "@bufbuild/protobuf";
import {
  type Answer,
  type BotSettings,
  BotSettingsSchema,
  type Budget,
  BudgetSchema,
  type SearchSettings,
} from "./gen/saloon/v1/bots_pb.js";
import {
  type Chance,
  type Chosen,
  type Decision,
  type Event,
  EventSchema,
  type GameRecord,
  type Options,
  OptionsSchema,
  type Position,
  type Situation,
  SituationSchema,
} from "./gen/saloon/v1/game_pb.js";
import { MoonRiverScenario } from "./gen/saloon/v1/moon_river_pb.js";
import { type TableBot, TableBotSchema, TimeOut, type TurnClock, TurnClockSchema } from "./gen/saloon/v1/tables_pb.js";
import { duration, type Whole, whole } from "./numbers.js";

/** Where a game stands, in any of its forms. */
export type AnySituation = Situation | GameRecord | Position;
/** What happened, in any of its forms; of an answer, what the bot chose. */
export type AnyEvent = Event | Chosen | Chance | Answer;

/** What an answer may cost. */
export interface Cost {
  /** So many seconds at most; 1 if neither time nor iterations are given. */
  time?: number | undefined;
  /** So many iterations at most. */
  iterations?: Whole | undefined;
}

/** What an answer may cost, and how a bot thinks: the options of every call that makes one think. */
export interface Thinking extends Cost {
  /** "1" to "10", or "max". */
  level?: string | number | undefined;
  /** What it likes, as `bots()` lists it. */
  personality?: string | undefined;
  /** The seed of its luck; with a budget of iterations only, the same seed gives the same answer. */
  seed?: Whole | undefined;
  /** The knobs of the search, for those who experiment. */
  search?: Partial<Omit<SearchSettings, "$typeName" | "$unknown">> | undefined;
}

type Scenario = Exclude<Lowercase<keyof typeof MoonRiverScenario>, "unspecified">;

/**
 * The options of a table of Moon River; a scenario by name, such as "gold_rush", or by its enum value; `components` is
 * the hash of one of the server's own sets.
 */
export function moonRiver(
  options: {
    players?: number | undefined;
    legends?: boolean | undefined;
    scenario?: Scenario | MoonRiverScenario | undefined;
    boards?: readonly string[] | undefined;
    components?: string | undefined;
  } = {},
): Options {
  const { players = 4, legends = false, scenario, boards = [], components } = options;
  const value = { players, legends, boards: [...boards], ...(scenario && { scenario: scenarioValue(scenario) }) };
  return create(OptionsSchema, { game: { case: "moonRiver", value }, ...own(components) });
}

function own(hash?: string): { components?: { hash: string } } {
  return hash === undefined ? {} : { components: { hash } };
}

function scenarioValue(scenario: Scenario | MoonRiverScenario): MoonRiverScenario {
  if (typeof scenario === "number") return scenario;
  const names = Object.keys(MoonRiverScenario).filter((name) => Number.isNaN(Number(name)) && name !== "UNSPECIFIED");
  if (!names.includes(scenario.toUpperCase())) {
    const known = names.join(", ").toLowerCase();
    throw new RangeError(`scenario: expected one of ${known}, got ${JSON.stringify(scenario)}`);
  }
  return MoonRiverScenario[scenario.toUpperCase() as Uppercase<Scenario>];
}

/**
 * The options of a table of Goldgräber; the first houses unless others are named; `components` is the hash of one of the
 * server's own maps.
 */
export function goldgraeber(
  options: {
    players?: number | undefined;
    prospecting?: boolean | undefined;
    map?: string | undefined;
    colours?: readonly number[] | undefined;
    components?: string | undefined;
  } = {},
): Options {
  const { players = 4, prospecting = false, map, colours = [], components } = options;
  const value = { players, prospecting, colours: [...colours], ...(map !== undefined && { map }) };
  return create(OptionsSchema, { game: { case: "goldgraeber", value }, ...own(components) });
}

/** A position or a record as the situation it is. */
export function situation(where: AnySituation): Situation {
  switch (where?.$typeName) {
    case "saloon.v1.Situation":
      return where;
    case "saloon.v1.GameRecord":
      return create(SituationSchema, { situation: { case: "record", value: where } });
    case "saloon.v1.Position":
      return create(SituationSchema, { situation: { case: "position", value: where } });
    default:
      throw unexpected("a GameRecord, a Position or a Situation", where);
  }
}

/** A decision taken or a chance event as an event; of an answer, what the bot chose. */
export function event(what: AnyEvent): Event {
  switch (what?.$typeName) {
    case "saloon.v1.Event":
      return what;
    case "saloon.v1.Chosen":
      return create(EventSchema, { event: { case: "chosen", value: what } });
    case "saloon.v1.Chance":
      return create(EventSchema, { event: { case: "chance", value: what } });
    case "saloon.v1.Answer":
      if (!what.choice) throw unexpected("an Answer with a choice", what);
      return chosen(what.seat, what.choice);
    default:
      throw unexpected("an Event, a Chosen, a Chance or an Answer", what);
  }
}

function unexpected(expected: string, got: unknown): TypeError {
  const name = (got as { $typeName?: string } | undefined)?.$typeName ?? (got === null ? "null" : typeof got);
  return new TypeError(`expected ${expected}, got ${name}`);
}

/** The event that a seat decided. */
export function chosen(seat: number, decision: Decision): Event {
  return create(EventSchema, { event: { case: "chosen", value: { seat, decision } } });
}

/** A bot for a seat of a hosted table. */
export function tableBot(seat: number, options: Thinking & { name?: string | undefined } = {}): TableBot {
  const { name = "", ...how } = options;
  const { bot, budget } = thinking(how);
  return create(TableBotSchema, { seat, bot, name, ...(budget && { budget }) });
}

/** So many seconds for each turn of a person; then such a bot decides the turn, or takes the seat. */
export function turnClock(each: number, options: Thinking & { takesSeat?: boolean | undefined } = {}): TurnClock {
  const { takesSeat = false, ...how } = options;
  const { bot, budget } = thinking(how);
  const then = takesSeat ? TimeOut.SEAT : TimeOut.TURN;
  return create(TurnClockSchema, { time: duration("each", each), then, bot, ...(budget && { budget }) });
}

/** How a bot thinks and what it may cost, as requests have it. */
export function thinking(how: Thinking): { bot: BotSettings; budget?: Budget } {
  only(["time", "iterations", "level", "personality", "seed", "search"], how);
  const { level, personality, seed, search } = how;
  const bot = create(BotSettingsSchema, {
    ...(level !== undefined && { level: String(level) }),
    ...(personality !== undefined && { personality }),
    ...(seed !== undefined && { seed: whole("seed", seed, 64) }),
    ...(search !== undefined && { search }),
  });
  return { bot, ...cost(how) };
}

/** What an answer may cost, as requests have it; nothing if nothing was said. */
export function cost({ time, iterations }: Cost): { budget?: Budget } {
  if (time === undefined && iterations === undefined) return {};
  return {
    budget: create(BudgetSchema, {
      ...(time !== undefined && { time: duration("time", time) }),
      ...(iterations !== undefined && { iterations: whole("iterations", iterations, 63) }),
    }),
  };
}

/** TypeError for an option that nobody reads, such as one with a slip of the pen. */
export function only(known: readonly string[], given: object): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`${unknown}: no such option; known are ${known.join(", ")}`);
}
