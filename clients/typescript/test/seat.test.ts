/** A bot's seat at a game of one's own. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client, InvalidRequest, moonRiver, NotNow, NotReachable, seconds } from "@saloon/client";
import { type GameRecord, Waiting } from "@saloon/client/v1";
import { freePort, SHARED } from "./server.js";
import { Wire } from "./wire.js";

const wire = await Wire.to(SHARED);
const saloon = new Client(wire.address);
/** One in which seat 0 has to decide, and one in which seat 1 has. */
let ours: GameRecord;
let theirs: GameRecord;

before(async () => {
  theirs = await waiting(await saloon.newGame(moonRiver({ players: 2 }), { seed: 1 }), 1);
  ours = await waiting(theirs, 0);
});
after(async () => {
  saloon.close();
  await wire.close();
});

/** The game played on until a seat has to decide. */
async function waiting(game: GameRecord, seat: number): Promise<GameRecord> {
  while ((await saloon.replay(game)).status?.seat !== seat) {
    game = (await saloon.apply(game, (await saloon.playTurn(game, { level: 1 })).answers)).situation;
  }
  return game;
}

const QUICK = { iterations: 30 } as const;

test("a bot plays its seat to the end of a game, and says goodbye", async () => {
  const bot = saloon.sit(1, { level: 1, ponder: true });
  assert.equal(bot.session, "");
  let game = await saloon.newGame(moonRiver({ players: 2 }), { seed: 2 });
  let { status } = await saloon.replay(game);
  let decisions = 0;
  while (status?.waiting !== Waiting.OVER) {
    if (status?.seat === 1) {
      const decided = await bot.decide(game, { turn: true });
      ({ situation: game, status } = await saloon.apply(game, decided.answers));
      decisions += 1;
    } else {
      assert.equal(await bot.watch(game), true);
      const turn = await saloon.playTurn(game, { level: 1 });
      ({ situation: game, status } = await saloon.apply(game, turn.answers));
    }
  }
  assert.ok(decisions > 5);
  assert.notEqual(bot.session, "");
  const { scores } = await saloon.score(game);
  assert.ok(scores.some(({ place, breakdown }) => place === 1 && breakdown.case === "moonRiver"));
  assert.equal((await saloon.replay(game)).events, game.events.length);
  await bot.watch(game); // the end of the game is a goodbye
  assert.equal(bot.session, "");
  assert.equal(await bot.leave(), decisions);
});

test("a decision is as it was agreed, or as it is asked for", async () => {
  const bot = saloon.sit(0, { iterations: 40, seed: 2n ** 63n });
  const { answers } = await bot.decide(ours);
  assert.deepEqual([answers[0]?.iterations, answers[0]?.replay?.bot?.seed], [40n, 2n ** 63n]);
  assert.equal((await bot.decide(ours, { iterations: 50 })).answers[0]?.iterations, 50n);
  await assert.rejects(bot.decide(ours, { level: 3 } as object), /^TypeError: level: no such option/);
  assert.equal(await bot.leave(), 2);
  assert.equal(await bot.leave(), 2);
});

test("a bot thinks while others play", async () => {
  const bot = saloon.sit(0, { ponder: true, time: 0.3 });
  await bot.watch(theirs);
  await pause(500);
  const { pondered } = await bot.decide(await waiting(theirs, 0));
  assert.ok(pondered !== undefined && seconds(pondered) > 0);
  await bot.leave();
});

test("a cut connection decides nothing twice", async () => {
  const bot = saloon.sit(0, QUICK);
  const first = await bot.decide(ours, { id: "one" });
  assert.equal(first.fromMemory, false);
  const session = bot.session;
  wire.cut();
  const again = await bot.decide(ours, { id: "one" });
  assert.equal(again.fromMemory, true);
  assert.deepEqual(again.answers[0]?.choice, first.answers[0]?.choice);
  assert.equal(bot.session, session);
  wire.cut();
  assert.equal(await bot.leave(), 1);
});

test("an answer that got lost is asked for again", async () => {
  let lose = true;
  const losing: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!String(input).endsWith("/Tell") || !lose) return answer;
    lose = false;
    await answer.arrayBuffer();
    throw new TypeError("fetch failed");
  };
  const client = new Client(SHARED, { fetch: losing });
  const bot = client.sit(0, QUICK);
  assert.equal((await bot.decide(ours)).fromMemory, true);
  assert.equal(await bot.leave(), 1);
  client.close();
});

test("the stream alone is lost: the bot is attended anew", async () => {
  let lose = () => {};
  const losing: typeof fetch = (input, init) => {
    if (!String(input).endsWith("/Attend")) return fetch(input, init);
    const losing = new AbortController();
    lose = () => losing.abort(new TypeError("terminated"));
    return fetch(input, { ...init, signal: losing.signal });
  };
  const client = new Client(SHARED, { fetch: losing });
  const bot = client.sit(0, QUICK);
  await bot.decide(ours, { id: "one" });
  const session = bot.session;
  lose();
  assert.equal((await bot.decide(ours, { id: "one" })).fromMemory, true);
  assert.equal(bot.session, session);
  await bot.leave();
  client.close();
});

test("a session goes on with another client", async () => {
  const first = saloon.sit(0, QUICK);
  await first.decide(ours, { id: "one" });
  first.close();
  const second = saloon.sit(0, { ...QUICK, session: first.session });
  assert.equal((await second.decide(ours, { id: "one" })).fromMemory, true);
  assert.equal(await second.leave(), 1);
});

test("a session that is forgotten begins anew", async () => {
  const bot = saloon.sit(0, { ...QUICK, session: "long ago" });
  assert.equal((await bot.decide(ours)).fromMemory, false);
  assert.notEqual(bot.session, "long ago");
  await bot.leave();
});

test("what is wrong is said, and the bot stays", async () => {
  const bot = saloon.sit(0, QUICK);
  await bot.decide(ours, { id: "one" });
  const session = bot.session;
  await assert.rejects(bot.decide(theirs), InvalidRequest);
  await assert.rejects(bot.decide(theirs, { id: "one" }), NotNow);
  await assert.rejects(
    bot.watch({ ...theirs, stream: 1n, events: [], options: moonRiver({ players: 9 }) }),
    InvalidRequest,
  );
  assert.equal((await bot.decide(ours, { id: "one" })).fromMemory, true);
  assert.equal(bot.session, session);
  await bot.leave();
  const nobody = new Client(`http://127.0.0.1:${await freePort()}`).sit(0);
  await assert.rejects(nobody.decide(ours), NotReachable);
});

test("a signal gives a decision up, and the next one is taken", async () => {
  const bot = saloon.sit(0, { time: 20 });
  await assert.rejects(bot.decide(ours, { signal: AbortSignal.timeout(300) }), { name: "TimeoutError" });
  assert.ok((await bot.decide(ours, QUICK)).answers.length);
  const giving = new AbortController();
  const [given, taken] = [bot.decide(ours, { signal: giving.signal }), bot.decide(ours, QUICK)];
  giving.abort();
  await assert.rejects(given, { name: "AbortError" });
  assert.ok((await taken).answers.length);
  await bot.leave();
});
