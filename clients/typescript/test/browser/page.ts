/** What a page of another origin does with the client, in a real browser; the test looks at what it says. */

import { Client, InvalidRequest, moonRiver, NotReachable, save, tableBot } from "@saloon/client";
import { Waiting } from "@saloon/client/v1";

async function suggest(saloon: Client) {
  const game = await saloon.newGame(moonRiver({ players: 2 }), { seed: 2n ** 64n - 1n });
  const { choice, iterations } = await saloon.suggest(game, { iterations: 100 });
  return { text: choice?.text, iterations: `${iterations}`, saved: save(game) };
}

async function analyze(saloon: Client) {
  const game = await saloon.newGame(moonRiver(), { seed: 1 });
  const finals = [];
  for await (const { final } of saloon.analyze(game, { time: 0.3 })) finals.push(final);
  return finals;
}

async function errors(saloon: Client) {
  const wrong = await saloon.newGame(moonRiver({ players: 9 })).catch((error: unknown) => error);
  const away = new Client("http://127.0.0.1:1", { retries: 1 });
  const nobody = await away.games().catch((error: unknown) => error);
  const game = await saloon.newGame(moonRiver(), { seed: 1 });
  const begin = performance.now();
  const signal = AbortSignal.timeout(200);
  const given = await saloon.suggest(game, { time: 20, signal }).catch((error: unknown) => error);
  return {
    wrong: wrong instanceof InvalidRequest && wrong.code === "invalid_argument" && wrong.field,
    nobody: nobody instanceof NotReachable && nobody.message,
    given: given instanceof DOMException && given.name,
    seconds: (performance.now() - begin) / 1000,
  };
}

async function seat(saloon: Client) {
  const game = await saloon.newGame(moonRiver({ players: 2 }), { seed: 1 });
  const due = (await saloon.replay(game)).status?.seat ?? -1;
  const bot = saloon.sit(due, { iterations: 30, ponder: true });
  const first = await bot.decide(game, { id: "one", turn: true });
  const { situation } = await saloon.apply(game, first.answers);
  const watched = await bot.watch(situation);
  bot.close(); // as if the page had been left
  const session = bot.session;
  const again = saloon.sit(due, { iterations: 30, session });
  const second = await again.decide(game, { id: "one", turn: true });
  return { first: first.fromMemory, watched, second: second.fromMemory, decisions: await again.leave() };
}

async function table(saloon: Client) {
  const made = await saloon.createTable(moonRiver({ players: 2 }), { bots: [tableBot(1, { level: 1 })], seed: 3 });
  const name = made.table?.table ?? "";
  const { seat, token } = await saloon.join(name, "Ann");
  const numbers: number[] = [];
  let taken = 0;
  for await (const { update } of saloon.watch(name, { token })) {
    if (update.case === "event") numbers.push(update.value.number);
    const status = update.case === "table" ? update.value.status : undefined;
    if (status?.waiting !== Waiting.DECISION || status.seat !== seat) continue;
    if (taken === 2) break;
    const [first] = (await saloon.table(name, { token })).decisions;
    if (first) await saloon.act(name, token, first);
    taken += 1;
  }
  await saloon.deleteTable(name, made.hostToken);
  return { numbers, taken };
}

export async function everything(address: string) {
  const saloon = new Client(address);
  try {
    return {
      suggest: await suggest(saloon),
      analyze: await analyze(saloon),
      errors: await errors(saloon),
      seat: await seat(saloon),
      table: await table(saloon),
    };
  } finally {
    saloon.close();
  }
}

declare global {
  interface Window {
    everything: typeof everything;
  }
}
window.everything = everything;
