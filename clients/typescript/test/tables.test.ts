/** Games on the server. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  Client,
  InvalidRequest,
  type Listing,
  moonRiver,
  NotAllowed,
  NotFound,
  seconds,
  tableBot,
  turnClock,
} from "@saloon/client";
import { Access, type Decision, Player, Waiting, type WatchTableResponse } from "@saloon/client/v1";
import { SHARED } from "./server.js";
import { Wire } from "./wire.js";

const wire = await Wire.to(SHARED);
const saloon = new Client(wire.address);
after(async () => {
  saloon.close();
  await wire.close();
});

const QUICK = { level: 1, iterations: 5 } as const;

function bots(count: number) {
  return [...Array(count).keys()].map((seat) => tableBot(seat, QUICK));
}

/** A table of two where a person waits for us, and its seat's token. */
async function begun(seed?: number) {
  const made = await saloon.createTable(moonRiver({ players: 2 }), { bots: [tableBot(1, QUICK)], seed });
  const name = made.table?.table ?? "";
  const { token } = await saloon.join(name, "Ann");
  return { name, token, hostToken: made.hostToken };
}

/** What the seat may do, once it has to decide. */
async function due(name: string, token: string): Promise<readonly Decision[]> {
  for await (const { update } of saloon.watch(name, { token, first: 100_000 })) {
    const status = update.case === "table" ? update.value.status : undefined;
    if (status?.waiting === Waiting.DECISION && status.seat === 0) break;
  }
  return (await saloon.table(name, { token })).decisions;
}

test("a table from its beginning to its end, watched by somebody", async () => {
  const { name, token, hostToken } = await begun(3);
  const seen: WatchTableResponse[] = [];
  const watched = (async () => {
    for await (const update of saloon.watch(name)) seen.push(update);
  })();
  for (let taken = 0; taken < 8; taken++) {
    const [decision] = await due(name, token);
    assert.ok(decision);
    await saloon.act(name, token, decision);
    if (taken % 3 === 0) wire.cut();
  }
  await saloon.seatBot(name, token, tableBot(0, QUICK)); // it plays on
  await watched;
  const numbers = seen.flatMap(({ update }) => (update.case === "event" ? [update.value.number] : []));
  assert.deepEqual(numbers, [...numbers.keys()], "every event once, in order");
  const { table, scores } = await saloon.table(name);
  assert.equal(table?.status?.waiting, Waiting.OVER);
  assert.equal(table?.events, numbers.length);
  assert.equal(scores.length, 2);

  const record = await saloon.exportTable(name);
  assert.equal(record.events.length, numbers.length);
  await saloon.deleteTable(name, hostToken);
  await assert.rejects(saloon.table(name), NotFound);
  const again = await saloon.importTable({ ...record, events: record.events.slice(0, 4) }, { byInvitation: true });
  assert.equal(again.table?.access, Access.INVITATION);
  assert.notEqual(again.invitation, "");
});

test("a decision is taken once, however often it is sent", async () => {
  const { name, token } = await begun();
  const [decision] = await due(name, token);
  assert.ok(decision);
  const { events } = (await saloon.table(name)).table ?? { events: -1 };
  const options = { after: events, requestId: "one" };
  const first = await saloon.act(name, token, decision, options);
  assert.deepEqual(await saloon.act(name, token, decision, options), first);
  await assert.rejects(saloon.act(name, token, decision, { after: events }), { name: "NotNow" });
});

test("a bot takes a seat, and is asked to give it back", async () => {
  const made = await saloon.createTable(moonRiver({ players: 2 }), { byInvitation: true });
  const name = made.table?.table ?? "";
  await assert.rejects(saloon.table(name), { name: "NotAllowed" });
  const { token, seat } = await saloon.join(name, "Ann", { seat: 1, token: made.invitation });
  assert.equal(seat, 1);
  const bot = tableBot(1, { ...QUICK, name: "Robby", seed: 2n ** 63n });
  const { table } = await saloon.seatBot(name, token, bot);
  assert.deepEqual([table?.seats[1]?.player, table?.seats[1]?.name], [Player.BOT, "Robby"]);
  const back = await saloon.join(name, "Ann", { seat: 1, token });
  assert.equal(back.table?.seats[1]?.player, Player.PERSON);
  assert.equal((await saloon.seatBot(name, made.hostToken, tableBot(0, QUICK))).table?.seats[0]?.player, Player.BOT);
});

test("a time for each turn, and a bot for who is away", async () => {
  const clock = turnClock(7200, { takesSeat: true, level: 3, time: 0.5 });
  const made = await saloon.createTable(moonRiver({ players: 2 }), { bots: [tableBot(1, QUICK)], clock });
  assert.deepEqual(made.table?.clock, clock);
  const name = made.table?.table ?? "";
  const { token } = await saloon.join(name, "Ann");
  for await (const { update } of saloon.watch(name)) {
    if (update.case !== "table" || !update.value.timeLeft) continue;
    assert.ok(seconds(update.value.timeLeft) > 7190);
    break;
  }
  const { table } = await saloon.seatBot(name, made.hostToken, tableBot(0, { time: 30 }), { away: true });
  assert.deepEqual([table?.seats[0]?.name, table?.seats[0]?.player, table?.seats[0]?.away], ["Ann", Player.BOT, true]);
  assert.equal((await saloon.join(name, "Ann", { token })).table?.seats[0]?.away, false);
  const short = saloon.createTable(moonRiver({ players: 2 }), { clock: turnClock(4) });
  await assert.rejects(short, (error) => error instanceof InvalidRequest && error.field === "clock.time");
});

test("all public tables, page by page", async () => {
  const made = [];
  for (let number = 0; number < 101; number++) made.push(await saloon.createTable(moonRiver({ players: 2 })));
  const names = new Set<string>();
  for await (const { table } of saloon.tables({ onlyFree: true })) names.add(table);
  assert.ok(made.every(({ table }) => names.has(table?.table ?? "")));
  for await (const { table } of saloon.tables()) assert.ok(table);
});

test("tables by what they are", async () => {
  const begun = new Date();
  const small = (await saloon.createTable(moonRiver({ players: 2 }))).table?.table;
  const large = (await saloon.createTable(moonRiver({ players: 4 }), { bots: bots(4) })).table?.table;
  const found = async (wanted: Listing) => {
    const names = [];
    for await (const { table } of saloon.tables({ game: "moon_river", madeFrom: begun, ...wanted })) names.push(table);
    return names;
  };
  assert.deepEqual(await found({}), [large, small]);
  assert.deepEqual(await found({ seats: 4 }), [large]);
  assert.deepEqual(await found({ state: "open" }), [small]);
  assert.deepEqual(await found({ onlyFree: true, madeBefore: begun }), []);
  await assert.rejects(found({ mine: true }), (error) => error instanceof InvalidRequest && error.field === "mine");
  await assert.rejects(found({ mine: true, account: "ann" }), NotAllowed);
  await assert.rejects(saloon.join(small ?? "", "Ann", { account: "ann" }), NotAllowed);
});

test("a signal ends watching while nothing happens", async () => {
  const { table } = await saloon.createTable(moonRiver());
  const watching = saloon.watch(table?.table ?? "", { signal: AbortSignal.timeout(200) });
  await watching.next();
  await assert.rejects(watching.next(), { name: "TimeoutError" });
});
