/**
 * A front end with its own dice and piles gives a bot a seat for the whole game. `node examples/own-game.ts [ADDRESS]`
 *
 * The front end decides for seat 0 (here it takes the first option) and draws everything itself; the bot has seat 1 and
 * ponders while others play. If the connection drops, the seat connects again and no decision is taken twice.
 */

import { type AnyEvent, Client, chosen, create, moonRiver } from "@saloon/client";
import { type Chance, ChanceSchema, MoonRiverPhase, type MoonRiverPosition, Waiting } from "@saloon/client/v1";

const BOT = 1;
const saloon = new Client(process.argv[2]);
const info = (await saloon.games()).find(({ name }) => name === "moon_river");
if (info?.components?.game.case !== "moonRiver") throw new Error("this server has no Moon River");
const { plots, saloonSize } = info.components.game.value;

function shuffled<T>(these: readonly T[]): T[] {
  return these
    .map((one) => ({ one, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

/** What comes out of the front end's own piles. */
function draw(position: MoonRiverPosition, pile: number[], rancheros: number[]): Chance {
  const number = (plot: number) => plots[plot]?.number ?? 0;
  const event = () => {
    switch (position.phase) {
      case MoonRiverPhase.COLUMN: {
        const drawn = pile.splice(-4).sort((a, b) => number(a) - number(b) || a - b);
        return { case: "column", value: { plots: drawn } } as const;
      }
      case MoonRiverPhase.RANCHERO:
        return { case: "ranchero", value: rancheros.pop() ?? 0 } as const;
      default: {
        const partners = shuffled(position.stack).slice(0, saloonSize - position.saloon.length);
        return { case: "saloon", value: { partners } } as const;
      }
    }
  };
  return create(ChanceSchema, { game: { case: "moonRiver", value: { event: event() } } });
}

let game = await saloon.newGame(moonRiver({ players: 2 })); // no seed: chance is ours
const rancheros = shuffled([0, 0, 1, 1]);
let pile: number[] | undefined;
const bot = saloon.sit(BOT, { level: 4, time: 0.05, ponder: true });
try {
  while (true) {
    const { position, status } = await saloon.replay(game);
    if (position?.game.case !== "moonRiver" || status?.waiting === Waiting.OVER) break;
    let events: AnyEvent[];
    if (status?.seat === undefined) {
      pile ??= shuffled(position.game.value.pile);
      events = [draw(position.game.value, pile, rancheros)];
    } else if (status.seat === BOT) {
      const { answers } = await bot.decide(game, { id: `after-${game.events.length}` });
      console.log(`bot: ${answers[0]?.choice?.text}`);
      events = answers;
    } else {
      await bot.watch(game);
      const { decisions } = await saloon.legalDecisions(game);
      events = decisions.slice(0, 1).map((decision) => chosen(BOT - 1, decision));
    }
    game = (await saloon.apply(game, events)).situation;
  }
} finally {
  await bot.leave();
}
for (const { seat, place, total } of (await saloon.score(game)).scores) {
  console.log(`seat ${seat}: place ${place} with ${total} points`);
}
