// The pictures of docs/page.md: `make page-pictures`.

import path from "node:path";
import { fileURLToPath } from "node:url";
import { begin, decide, dice, due, open, play, Server } from "./saloon.mjs";

const docs = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../../docs");
const server = await new Server().start();

async function picture(name, options, game, turns, last = async () => {}) {
  const { page, close } = await open(server.address, options);
  await begin(page, game);
  await play(page, dice(turns), turns);
  await due(page);
  await last(page);
  await page.waitForTimeout(2500); // until nothing moves any more
  await page.screenshot({ path: path.join(docs, name), type: "jpeg", quality: 82 });
  await close();
}

try {
  await picture("page-moon-river.jpg", {}, "Moon River", 6, async (page) => {
    while (!(await page.$('.hit[data-pick*="data-free"]'))) {
      if ((await decide(page, dice(4))) === "confirm") await play(page, dice(4), 1);
    }
  });
  await picture("page-goldgraeber.jpg", { colorScheme: "dark" }, "Goldgräber", 4, async (page) => {
    await page.click("text=Hint");
    await page.waitForSelector("text=games looked at");
    await page.evaluate(() => scrollTo(0, 0));
  });
  await picture("page-phone.jpg", { viewport: { width: 360, height: 720 }, locale: "de-DE" }, "Moon River", 3);
} finally {
  await server.close();
}
