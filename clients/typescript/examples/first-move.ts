/** The first move: a new game, and what a bot would do in it. `node examples/first-move.ts [ADDRESS]` */

import { Client, moonRiver } from "@saloon/client";

const saloon = new Client(process.argv[2]);
const game = await saloon.newGame(moonRiver({ players: 3 }), { seed: 1 });
const answer = await saloon.suggest(game, { time: 0.1 });
console.log(`seat ${answer.seat}: ${answer.choice?.text}`);
for (const { decision, win, points } of answer.suggestions) {
  console.log(`  ${decision?.text}: wins ${Math.round(100 * win)} %, ${Math.round(points)} points`);
}
