/**
 * A game on the server: a person against two bots. The front end has no rules and keeps nothing but two names; here the
 * person takes the first option. `node examples/table.ts [ADDRESS]`
 */

import { Client, moonRiver, tableBot } from "@saloon/client";
import { Waiting } from "@saloon/client/v1";

const saloon = new Client(process.argv[2]);
const bots = [tableBot(1, { level: 2 }), tableBot(2, { level: 3, name: "Calamity" })];
const made = await saloon.createTable(moonRiver({ players: 3 }), { bots });
const name = made.table?.table ?? "";
const { seat, token } = await saloon.join(name, "Ann");

for await (const { update } of saloon.watch(name, { token })) {
  if (update.case === "event") {
    const { number, event } = update.value;
    if (event?.event.case === "chosen") {
      console.log(`${number}: seat ${event.event.value.seat} decides ${event.event.value.decision?.text}`);
    }
  } else if (update.value?.status?.waiting === Waiting.DECISION && update.value.status.seat === seat) {
    const { table, decisions } = await saloon.table(name, { token });
    if (decisions[0]) await saloon.act(name, token, decisions[0], { after: table?.events });
  }
}
for (const { seat, place, total } of (await saloon.table(name)).scores) {
  console.log(`seat ${seat}: place ${place} with ${total} points`);
}
