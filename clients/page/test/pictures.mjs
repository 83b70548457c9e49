// The pictures of docs/page.md: `make page-pictures`.

import path from "node:path";
import { fileURLToPath } from "node:url";
import { begin, decide, dice, due, open, play, Server } from "./saloon.mjs";

const docs = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../../docs");
const SETTLED = 2500; // milliseconds after which nothing moves any more
const server = await new Server().start();

/** What somebody sees who comes to where `what` leads. */
async function picture(name, options, what) {
  const { page, close } = await open(server.address, options);
  await what(page);
  await page.waitForTimeout(SETTLED);
  await page.screenshot({ path: path.join(docs, name), type: "jpeg", quality: 82 });
  await close();
}

async function playing(page, game, turns, set) {
  await begin(page, game, set);
  await play(page, dice(turns), turns);
  await due(page);
}

/** Until a domino can be built. */
async function building(page) {
  while (!(await page.$('.hit[data-pick*="data-free"]'))) {
    if ((await due(page)) === "confirm") await play(page, dice(4), 1);
    else await decide(page, dice(4));
  }
}

try {
  await picture("page-moon-river.jpg", {}, async (page) => {
    await playing(page, "Moon River", 6, () => page.selectOption(".times select", "120"));
    await building(page);
  });
  await picture("page-first-game.jpg", {}, async (page) => {
    await page.click('.game:has-text("Moon River")');
    await page.click("text=My first game");
    await due(page);
    for (let read = 0; read < 2 || !(await page.$(".guide")); ) {
      if (await page.$(".guide")) {
        await page.click("text=Understood");
        read += 1;
      } else if ((await due(page)) === "confirm") await play(page, dice(5), 1);
      else await decide(page, dice(5));
    }
  });
  await picture("page-goldgraeber.jpg", { colorScheme: "dark" }, async (page) => {
    await playing(page, "Goldgräber", 4);
    await page.click("text=Hint");
    await page.waitForSelector("text=games looked at");
    await page.evaluate(() => scrollTo(0, 0));
  });
  await picture("page-phone.jpg", { viewport: { width: 320, height: 640 }, locale: "de-DE" }, (page) => playing(page, "Moon River", 3));
} finally {
  await server.close();
}
