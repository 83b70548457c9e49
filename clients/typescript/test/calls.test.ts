/** What bots and rules answer. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { create, toJson } from "@bufbuild/protobuf";
import { Client, chosen, goldgraeber, moonRiver, seconds } from "@saloon/client";
import {
  ChanceSchema,
  DecisionSchema,
  type GameRecord,
  GameRecordSchema,
  MoonRiverScenario,
  SituationSchema,
  StopReason,
  Waiting,
} from "@saloon/client/v1";
import { SHARED } from "./server.js";

const saloon = new Client(SHARED);
after(() => saloon.close());

async function begun(players = 3): Promise<GameRecord> {
  return saloon.newGame(moonRiver({ players }), { seed: 1 });
}

test("a bot suggests, and says what it knows", async () => {
  const game = await begun();
  const evaluate = (await saloon.legalDecisions(game)).decisions.slice(-2);
  const answer = await saloon.suggest(game, { time: 0.1, count: 3, evaluate });
  assert.ok(answer.choice?.text);
  assert.ok(answer.suggestions.length <= 3);
  assert.deepEqual(
    answer.evaluated.map((each) => each.decision?.text),
    evaluate.map((decision) => decision.text),
  );
  assert.equal(answer.stopped, StopReason.TIME);
  assert.ok(answer.used && seconds(answer.used) < 2);
});

test("the same seed and iterations give the same answer, whatever the size of the seed", async () => {
  const game = await begun();
  const seed = 2n ** 64n - 1n;
  const first = await saloon.suggest(game, { seed, iterations: 300, level: "max" });
  assert.equal(first.replay?.bot?.seed, seed);
  assert.equal(first.iterations, 300n);
  const again = await saloon.suggest(game, { seed, iterations: 300n });
  assert.deepEqual(again.suggestions, first.suggestions);
  assert.equal((await saloon.newGame(moonRiver(), { seed })).seed, seed);
});

test("numbers that have lost digits or do not fit are refused before they are sent", async () => {
  const game = await begun();
  for (const seed of [2 ** 53, 1.5, Number.NaN, -1, 2n ** 64n]) {
    await assert.rejects(saloon.playTurn(game, { seed }), { name: "RangeError", message: /^seed: expected/ });
    await assert.rejects(saloon.newGame(moonRiver(), { seed }), RangeError);
  }
  await assert.rejects(saloon.suggest(game, { time: Number.POSITIVE_INFINITY }), /^RangeError: time: expected seconds/);
  await assert.rejects(saloon.suggest(game, { iterations: 2n ** 63n }), /iterations/);
  await assert.rejects(saloon.games({ timeout: 0 }), /^RangeError: timeout/);
  await assert.rejects(
    saloon.suggest(game, { seconds: 1 } as object),
    /^TypeError: seconds: no such option; known are time/,
  );
});

test("levels, personalities and settings arrive", async () => {
  const game = await begun();
  const { levels, personalities, longest } = await saloon.bots();
  assert.ok(levels.some(({ name, iterations }) => name === "5" && typeof iterations === "bigint"));
  const personality = personalities.find((each) => each.game === "moon_river")?.names.at(-1);
  assert.ok(personality !== undefined && longest !== undefined && seconds(longest) === 30);
  const answer = await saloon.suggest(game, { level: 5, time: 0.1 });
  assert.equal(answer.replay?.bot?.level, "5");
  const liking = await saloon.suggest(game, { personality, iterations: 20, search: { exploration: 2.5 } });
  assert.equal(liking.replay?.bot?.personality, personality);
  assert.equal(liking.replay?.bot?.search?.exploration, 2.5);
});

test("an analysis gets better and can be left", async () => {
  const game = await begun();
  const found = [];
  for await (const answer of saloon.analyze(game, { time: 0.4 })) found.push(answer);
  const iterations = found.map(({ answer }) => answer?.iterations ?? 0n);
  assert.ok(iterations.length > 1);
  assert.ok(iterations.every((now, index) => index === 0 || now >= (iterations[index - 1] ?? 0n)));
  assert.deepEqual([...new Set(found.slice(0, -1).map(({ final }) => final))], [false]);
  assert.equal(found.at(-1)?.final, true);

  const begin = performance.now();
  for await (const answer of saloon.analyze(game, { time: 20 })) {
    assert.ok(!answer.final);
    break;
  }
  assert.ok(performance.now() - begin < 5000);
});

test("a decision is judged before it is taken", async () => {
  const game = await begun();
  const { decisions } = await saloon.legalDecisions(game);
  const found = await saloon.judge(game, decisions.slice(0, 1), { iterations: 50, seed: 2 });
  assert.deepEqual(found.decisions[0]?.chosen, decisions[0]);
  assert.equal(found.seed, 2n);
});

test("a review comes event by event and can be left", async () => {
  const game = await begun();
  const found = [];
  for await (const part of saloon.review(game, { iterations: 5, seed: 2 })) found.push(part);
  assert.deepEqual(
    found.slice(0, -1).map(({ done }) => done),
    game.events.map((_, index) => index + 1),
  );
  assert.equal(found.at(-1)?.part.case, "summary");
  for await (const part of saloon.review(game, { time: 20 })) {
    assert.equal(part.done, 1);
    break;
  }
});

test("what chance may bring after the best is said to those who ask", async () => {
  const game = await saloon.newGame(goldgraeber({ players: 3 }), { seed: 4 });
  const { suggestions } = await saloon.suggest(game, { iterations: 200, outs: true });
  const all = suggestions[0]?.outs.reduce((sum, { probability }) => sum + probability, 0);
  assert.ok(all !== undefined && Math.abs(all - 1) < 1e-6);
});

test("puzzles are looked for event by event", async () => {
  const game = await begun();
  const found = [];
  for await (const part of saloon.puzzles(game, { iterations: 200, least: 0.5, seed: 2 })) found.push(part);
  assert.deepEqual(
    found.map(({ done }) => done),
    game.events.map((_, index) => index + 1),
  );
});

test("a turn of the other game", async () => {
  const game = await saloon.newGame(goldgraeber({ players: 3, prospecting: true, colours: [5, 0, 2] }), { seed: 4 });
  const turn = await saloon.playTurn(game, { time: 0.1 });
  assert.equal(turn.answers[0]?.choice?.game.case, "goldgraeber");
  const { situation } = await saloon.apply(game, turn.answers);
  assert.ok(situation.events.length > game.events.length);
});

test("a situation in any form, and events in any", async () => {
  const game = await begun(2);
  const { position, status } = await saloon.replay(game, { events: game.events.length, seat: 0 });
  assert.ok(position && status?.seat !== undefined);
  const whole = create(SituationSchema, { situation: { case: "record", value: game } });
  const texts = [];
  for (const where of [game, position, whole]) texts.push((await saloon.legalDecisions(where)).decisions[0]?.text);
  assert.equal(new Set(texts).size, 1);
  const [decision] = (await saloon.legalDecisions(game)).decisions;
  assert.ok(decision);
  const event = chosen(status.seat, decision);
  const answers = [
    (await saloon.apply(game, event)).situation.events.length,
    (await saloon.apply(whole, [event])).situation.situation.case,
    (await saloon.apply(position, [event])).situation.$typeName,
  ];
  assert.ok(Number(answers[0]) > game.events.length);
  assert.deepEqual(answers.slice(1), ["record", "saloon.v1.Position"]);
  // biome-ignore lint/suspicious/noExplicitAny: what a front end without types may do
  await assert.rejects(saloon.legalDecisions(undefined as any), /^TypeError: expected a GameRecord, .* got undefined/);
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  await assert.rejects(saloon.apply(game, create(DecisionSchema) as any), /^TypeError: .* got saloon.v1.Decision/);
});

test("who owns dice and piles tells what came", async () => {
  const game = await saloon.newGame(moonRiver({ players: 2 }));
  assert.equal((await saloon.replay(game)).status?.waiting, Waiting.CHANCE);
  const info = (await saloon.games()).find(({ name }) => name === "moon_river");
  assert.ok(info?.components?.game.case === "moonRiver");
  const event = { case: "column" as const, value: { plots: [0, 1, 2, 3] } };
  const chance = create(ChanceSchema, { game: { case: "moonRiver", value: { event } } });
  await assert.rejects(saloon.apply(game, chance), /events/);
});

test("options by name and by value", () => {
  const shown = (options: ReturnType<typeof moonRiver>) => JSON.stringify(options.game.value);
  assert.equal(
    shown(moonRiver({ scenario: "gold_rush" })),
    shown(moonRiver({ scenario: MoonRiverScenario.GOLD_RUSH })),
  );
  assert.throws(() => moonRiver({ scenario: "silver_rush" as "gold_rush" }), /^RangeError: scenario: expected one of/);
});

test("pictures in light and dark", async () => {
  const game = await begun();
  const [light, dark] = [await saloon.render(game, { seat: 1 }), await saloon.render(game, { dark: true })];
  assert.match(light.svg, /^<svg/);
  assert.notEqual(light.svg, dark.svg);
  assert.ok(light.text);
});

test("a message has no number that JSON of the contract cannot hold", async () => {
  const game = await saloon.newGame(moonRiver(), { seed: 2n ** 63n });
  assert.equal((toJson(GameRecordSchema, game) as { seed: string }).seed, "9223372036854775808");
});
