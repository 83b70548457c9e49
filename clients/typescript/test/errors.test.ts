/** What goes wrong says what to do; what may help is tried again, and everything ends. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { create } from "@bufbuild/protobuf";
import {
  Client,
  Closed,
  InvalidRequest,
  moonRiver,
  NotAllowed,
  NotFound,
  NotNow,
  NotReachable,
  Overloaded,
  ServerFault,
  Taken,
  TooLate,
} from "@saloon/client";
import { type GameRecord, GameRecordSchema, OptionsSchema } from "@saloon/client/v1";
import { freePort, Server } from "./server.js";
import { Wire } from "./wire.js";

let server: Server;
let saloon: Client;
let game: GameRecord;

before(async () => {
  server = await Server.start("--slots", "1", "--queue", "0");
  saloon = new Client(server.address);
  game = await saloon.newGame(moonRiver({ players: 2 }), { seed: 1 });
});
after(async () => {
  saloon.close();
  await server.remove();
});

/** The error of a call that does not end well. */
async function failed<E extends Error>(
  kind: abstract new (...given: never[]) => E,
  call: Promise<unknown>,
): Promise<E> {
  const error = await call.then(
    () => assert.fail("it ended well"),
    (error: unknown) => error,
  );
  assert.ok(error instanceof kind, `expected ${kind.name}, got ${error}`);
  return error;
}

/** A fetch that counts, and does something else the first few times. */
function meddling(...first: ((...given: Parameters<typeof fetch>) => ReturnType<typeof fetch>)[]) {
  let calls = 0;
  const meddled: typeof fetch = (...given) => (first[calls++] ?? fetch)(...given);
  return { fetch: meddled, calls: () => calls };
}

async function drained(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

/** What ends well at last, within some seconds. */
async function soon<T>(work: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + 5000; ; await new Promise((done) => setTimeout(done, 20))) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}

/** Nobody searches: a long search makes no room for one as long, and there is no queue. */
async function idle(): Promise<void> {
  const client = new Client(server.address, { retries: 0 });
  await soon(() => client.suggest(game, { time: 20, iterations: 5 }));
}

const lost = () => Promise.reject(new TypeError("fetch failed"));
const answered = async (...given: Parameters<typeof fetch>) => {
  await (await fetch(...given)).arrayBuffer();
  return lost();
};

test("a wrong request names its field", async () => {
  const error = await failed(InvalidRequest, saloon.newGame(moonRiver({ players: 7 })));
  assert.equal(error.field, "options.moon_river.players");
  const description = "expected an integer from 2 to 4, got 7";
  assert.deepEqual(error.problems, [{ field: "options.moon_river.players", description }]);
  assert.equal(error.code, "invalid_argument");
  assert.equal(error.name, "InvalidRequest");
  assert.match(error.message, /options.moon_river.players: expected/);
});

test("errors are known by class", async () => {
  await failed(InvalidRequest, saloon.newGame(create(OptionsSchema)));
  await failed(NotNow, saloon.suggest(await saloon.newGame(moonRiver({ players: 2 }))));
  await failed(NotFound, saloon.table("nowhere"));
  const { table } = await saloon.createTable(moonRiver({ players: 2 }));
  const name = table?.table ?? "";
  await saloon.join(name, "Ann", { seat: 0 });
  await failed(Taken, saloon.join(name, "Bob", { seat: 0 }));
  await failed(NotAllowed, saloon.deleteTable(name, "no token"));
  assert.ok((await failed(ServerFault, new Client(`${server.address}/elsewhere`).games())).message.includes("older"));
});

test("a token is asked for", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "saloon-client-"));
  const tokens = path.join(folder, "tokens.toml");
  const hash = createHash("sha256").update("secret").digest("hex");
  await writeFile(tokens, `[me]\nsha256 = "${hash}"\n`);
  const asking = await Server.start("--tokens", tokens).finally(() => rm(folder, { recursive: true }));
  try {
    const error = await failed(NotAllowed, new Client(asking.address).games());
    assert.equal(error.code, "unauthenticated");
    const known = new Client(asking.address, { token: "secret" });
    assert.ok((await known.games()).length > 0);
    const begun = await known.newGame(moonRiver({ players: 2 }), { seed: 1 });
    const bot = known.sit((await known.replay(begun)).status?.seat ?? -1, { iterations: 5 });
    assert.ok((await bot.decide(begun)).answers.length);
    assert.equal(await bot.leave(), 1);
  } finally {
    await asking.remove();
  }
});

test("nobody there", async () => {
  const address = `http://127.0.0.1:${await freePort()}`;
  const begin = performance.now();
  const error = await failed(NotReachable, new Client(address, { random: () => 0 }).games());
  assert.match(error.message, /^no Saloon server answers at http:\/\/127.0.0.1:\d+; start one with `saloon serve`/);
  assert.match(error.message, /ECONNREFUSED/);
  assert.equal(error.address, address);
  const waited = performance.now() - begin; // four pauses: 0.05, 0.1, 0.2 and 0.4 seconds
  assert.ok(waited >= 740 && waited < 5000, `${waited}`);
});

test("a connection that fails is made again, an answer that is lost is asked for again", async () => {
  for (const trouble of [lost, answered]) {
    const { fetch, calls } = meddling(trouble, trouble);
    const client = new Client(server.address, { fetch });
    assert.ok((await client.games()).length > 0);
    assert.equal(calls(), 3);
  }
});

test("what must not be done twice is not sent twice", async () => {
  const { fetch, calls } = meddling(answered);
  const client = new Client(server.address, { fetch });
  await failed(NotReachable, client.createTable(moonRiver()));
  assert.equal(calls(), 1);
});

test("a seat that was taken is not taken twice because the answer got lost", async () => {
  const { table } = await saloon.createTable(moonRiver({ players: 2 }));
  const { fetch, calls } = meddling(answered);
  const joined = await new Client(server.address, { fetch }).join(table?.table ?? "", "Ann");
  assert.equal(calls(), 2);
  assert.equal(joined.table?.seats.filter(({ name }) => name === "Ann").length, 1);
  assert.equal((await saloon.table(table?.table ?? "", { token: joined.token })).seat, joined.seat);
});

test("a busy server is asked again when it says so", async () => {
  const busy = saloon.suggest(game, { time: 1.5 });
  const client = (options: ConstructorParameters<typeof Client>[1]) => new Client(server.address, options);
  const refused = await soon(() => failed(Overloaded, client({ retries: 0 }).suggest(game, { time: 1.4 })));
  assert.equal(refused.code, "resource_exhausted");
  assert.ok(refused.retryAfter !== undefined && refused.retryAfter > 0 && refused.retryAfter <= 1.5);

  const { fetch, calls } = meddling();
  const begin = performance.now();
  await failed(Overloaded, client({ fetch }).suggest(game, { time: 1.4, timeout: 1.5 })); // no pause fits
  assert.ok(performance.now() - begin < 500);
  assert.equal(calls(), 1);
  assert.ok((await client({ fetch }).suggest(game, { time: 1.4 })).choice);
  assert.ok(calls() > 2);
  assert.ok((await busy).choice);
});

test("the time given ends a call, on the server too", async () => {
  const wire = await Wire.to(server.address);
  wire.silent = true;
  try {
    const begin = performance.now();
    const error = await failed(TooLate, new Client(wire.address).suggest(game, { time: 20, timeout: 0.3 }));
    assert.match(error.message, /allow more with `timeout`/);
    assert.ok(performance.now() - begin < 3000);
  } finally {
    await wire.close();
  }
  await idle();
});

test("a signal gives a call up, with its reason", async () => {
  const giving = new AbortController();
  const asked = saloon.suggest(game, { time: 20, signal: giving.signal });
  setTimeout(() => giving.abort(), 100);
  assert.equal((await failed(DOMException, asked)).name, "AbortError");
  assert.equal((await failed(DOMException, saloon.games({ signal: giving.signal }))).name, "AbortError");
  const reason = new Error("enough");
  const stream = saloon.analyze(game, { time: 20, signal: AbortSignal.abort(reason) });
  assert.equal(await failed(Error, stream.next()), reason);
  await idle();
  const late = saloon.suggest(game, { time: 20, signal: AbortSignal.timeout(50) });
  assert.equal((await failed(DOMException, late)).name, "TimeoutError");
  await idle();
});

test("a signal ends the pauses, too", async () => {
  const client = new Client(`http://127.0.0.1:${await freePort()}`, { retries: 1000, margin: 1000 });
  const begin = performance.now();
  await failed(DOMException, client.games({ signal: AbortSignal.timeout(300) }));
  assert.ok(performance.now() - begin < 1500);
});

test("a closed client gives up what is under way, and says that it is closed", async () => {
  const client = new Client(server.address);
  const { table } = await client.createTable(moonRiver());
  const watching = client.watch(table?.table ?? "");
  await watching.next();
  const asked = client.suggest(game, { time: 20 });
  setTimeout(() => client.close(), 100);
  await Promise.all([failed(Closed, asked), failed(Closed, drained(watching))]);
  const error = await failed(Closed, client.games());
  assert.equal(error.message, "the client is closed");
  await failed(Closed, client.sit(0).decide(game));
  await idle();
});

test("plaintext stays on this machine", () => {
  const address = (given: string, insecure = false) => new Client(given, { insecure }).address;
  assert.equal(address("localhost:8080"), "http://localhost:8080");
  assert.equal(address("http://[::1]:8080/"), "http://[::1]:8080");
  assert.equal(address("games.example.org"), "https://games.example.org");
  assert.equal(address("https://games.example.org/saloon/"), "https://games.example.org/saloon");
  assert.equal(address("http://games.example.org", true), "http://games.example.org");
  for (const given of [
    "http://games.example.org",
    "http://127.example.org",
    "ftp://localhost",
    "",
    "http://localhost/?a",
  ]) {
    assert.throws(() => address(given), { name: "TypeError", message: /^address: / }, given);
  }
});

test("what a client cannot be made of is refused", () => {
  for (const [options, expected] of [
    [{ token: "two words" }, /^TypeError: token: expected/],
    [{ token: "line\n" }, /^TypeError: token: expected/],
    [{ margin: -1 }, /^RangeError: margin: expected 0 or more, got -1/],
    [{ retries: Number.NaN }, /^RangeError: retries: expected/],
  ] as const) {
    assert.throws(() => new Client(server.address, options), expected);
  }
});

test("a game that is none is refused, whatever it holds", async () => {
  await failed(InvalidRequest, saloon.suggest(create(GameRecordSchema)));
});
