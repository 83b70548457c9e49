// What the gate looks at: one server, one browser, a few turns.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createRequire } from "node:module";
import { begin, decide, dice, due, open, play, Server, SKIP } from "./saloon.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const HOSTILE = `"><img src=x onerror="document.title='hacked'">`;
let server;

before(async () => {
  if (!SKIP) server = await new Server().start();
});
after(() => server?.close());

/** What axe-core finds that is serious. It runs beside the page, which lets no script of others in. */
async function serious(page) {
  const client = await page.context().newCDPSession(page);
  const { readFile } = await import("node:fs/promises");
  await client.send("Runtime.evaluate", { expression: await readFile(AXE, "utf8") });
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary}`).join(" | ")}`);
}

test("a person plays, closes the page in mid-turn, and goes on", { skip: SKIP, timeout: 180_000 }, async () => {
  const { page, complaints, close } = await open(server.address);
  try {
    await page.waitForSelector(".game:not(.ghostly)");
    assert.deepEqual(await serious(page), []);
    await begin(page, "Moon River", async () => page.fill(".place input", HOSTILE.slice(0, 40)));
    assert.equal(await play(page, dice(1), 1), 1);
    while ((await due(page)) === "choose" && !(await page.$(".tried"))) await decide(page, dice(2));
    const tried = await page.textContent(".tried");
    await page.reload();
    await page.waitForSelector(".tried");
    assert.equal(await page.textContent(".tried"), tried);
    assert.deepEqual(await serious(page), []);
    await page.click("text=Take back");
    assert.equal(await due(page), "choose");
    assert.ok((await page.textContent(".seats")).includes(HOSTILE.slice(0, 20)), "the name is there, as it was written");
    assert.equal(await page.$("img[src=x]"), null);
    assert.doesNotMatch(page.url(), /[A-Za-z0-9_-]{22,}/, "no token in the address");
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("on a phone, in the dark, in German", { skip: SKIP, timeout: 180_000 }, async () => {
  const { page, complaints, close } = await open(server.address, {
    viewport: { width: 320, height: 640 }, colorScheme: "dark", locale: "de-DE", hasTouch: true,
  });
  try {
    assert.equal(await page.textContent("h1"), "Setz dich und spiel mit");
    await begin(page, "Goldgräber");
    assert.equal(await play(page, dice(3), 1), 1);
    await due(page);
    assert.match(await page.textContent(".told"), /würfelt/);
    const titles = (await page.$$eval(".board title", (all) => all.map((title) => title.textContent))).join("; ");
    assert.match(titles, /Haus A \(Du\); die Tür [a-z]+ bei l11; .*: ein verdeckter Chip/);
    assert.doesNotMatch(titles, /\b(a|the|its|chip face|house|street|lake|shore|railway)\b/);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing reaches over the edge");
    assert.deepEqual(await serious(page), []);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
