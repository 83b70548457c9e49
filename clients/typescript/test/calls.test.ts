/** The calls, one after the other. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, moonRiver, seconds } from "@saloon/client";
import { StopReason } from "@saloon/client/v1";
import { Server } from "./server.js";

let server: Server;
let saloon: Client;

before(async () => {
  server = await Server.start();
  saloon = new Client(server.address);
});
after(async () => {
  saloon.close();
  await server.remove();
});

test("a bot suggests, and says what it knows", async () => {
  const game = await saloon.newGame(moonRiver({ players: 3 }), { seed: 1 });
  const answer = await saloon.suggest(game, { time: 0.1, count: 3 });
  assert.ok(answer.choice?.text);
  assert.ok(answer.suggestions.length <= 3);
  assert.equal(answer.stopped, StopReason.TIME);
  assert.ok(answer.used && seconds(answer.used) < 1);
});
