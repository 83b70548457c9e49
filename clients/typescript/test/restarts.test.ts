/** A server that ends and comes back, at the same address. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, moonRiver, tableBot } from "@saloon/client";
import type { GameRecord } from "@saloon/client/v1";
import { Server } from "./server.js";

let server: Server;
let saloon: Client;
let game: GameRecord;
let due: number;

before(async () => {
  server = await Server.start("--drain-seconds", "1", "--notice-seconds", "0.5");
  saloon = new Client(server.address, { retries: 100, margin: 60 });
  game = await saloon.newGame(moonRiver({ players: 2 }), { seed: 1 });
  due = (await saloon.replay(game)).status?.seat ?? -1;
});
after(async () => {
  saloon.close();
  await server.remove();
});

test("a bot goes on with its session, and a table is watched on", async () => {
  const bot = saloon.sit(due, { iterations: 30 });
  await bot.decide(game);
  const session = bot.session;
  const { table, hostToken } = await saloon.createTable(moonRiver({ players: 2 }), { seed: 1 });
  const name = table?.table ?? "";
  const watching = saloon.watch(name);
  assert.equal((await watching.next()).value?.update.case, "table");

  const next = watching.next();
  const back = server.end("SIGKILL").then(() => server.begin());
  assert.ok((await bot.decide(game)).answers.length);
  assert.equal(bot.session, session);
  await back;
  assert.equal((await next).value?.update.case, "table");
  for (const seat of [0, 1]) await saloon.seatBot(name, hostToken, tableBot(seat, { level: 1 }));
  for await (const { update } of watching) if (update.case === "event" && update.value.number > 3) break;
});

test("a server that is told to end says so to the bot, which goes on with its session", async () => {
  const bot = saloon.sit(due, { iterations: 30 });
  await bot.decide(game);
  const session = bot.session;
  const back = server.end("SIGTERM").then(() => server.begin());
  const decided = new Set<string>();
  for (let times = 0; times < 5; times++) {
    decided.add(JSON.stringify((await bot.decide(game)).answers[0]?.choice?.text));
    if (times === 3) await back;
  }
  assert.ok(decided.size === 1 && !decided.has("undefined"));
  assert.equal(bot.session, session);
  await server.end();
  const impatient = new Client(server.address, { retries: 0 });
  assert.equal(await impatient.sit(1).watch(game), false);
  assert.equal(await impatient.sit(1, { session }).leave(), undefined);
});
