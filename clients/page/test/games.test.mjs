// Whole games, several browsers, a server that goes away: what people do with the page, clicked through.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { begin, decide, dice, due, open, play, Server, SKIP } from "./saloon.mjs";

const LONG = 20 * 60_000;
let server;

before(async () => {
  if (!SKIP) server = await new Server().start();
});
after(() => server?.close());

function browsing(name, what, options = {}) {
  test(name, { skip: SKIP, timeout: LONG }, async () => {
    const opened = [];
    const another = async (address = server.address, more = {}) => {
      const one = await open(address, { ...options, ...more });
      opened.push(one);
      return one.page;
    };
    try {
      await what(await another(), another);
      for (const { complaints } of opened) assert.deepEqual(complaints, []);
    } finally {
      for (const { close } of opened) await close();
    }
  });
}

async function check(page, label) {
  await page.check(`.check:has-text("${label}") input`);
}

async function isOver(page) {
  await page.waitForSelector(".due a.button.main");
  assert.match(await page.textContent("#due-title"), /wins|share the win/);
}

browsing("a whole game of Moon River, with legends; its record, step by step, from a file and by a link", async (page, another) => {
  await begin(page, "Moon River", () => check(page, "Legends"));
  assert.ok((await play(page, dice(1))) >= 24);
  await isOver(page);
  await page.click("text=Hand over");
  const link = await page.inputValue(".invitation input");
  assert.match(link, /#\/record\//);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Save the game")]);
  const file = await download.path();
  assert.ok(JSON.parse(await readFile(file, "utf8")).events.length > 100);
  await page.click("nav >> text=Records");
  await page.setInputFiles("input[type=file]", file);
  await page.waitForSelector(".part-market");
  for (let step = 1; step <= 5; step += 1) {
    await page.click('button[aria-label="A step on"]');
    await page.waitForFunction((n) => document.querySelector(".steps > span")?.textContent.startsWith(`${n} /`), step);
  }
  assert.match(await page.textContent(".due [aria-live]"), /\S/);
  const steps = await page.textContent(".steps > span");
  await page.click("text=Review the game");
  await page.waitForSelector(".lookback table", { timeout: 60_000 });
  assert.match(await page.textContent(".given"), /(blunder|mistake), −[\d.]+%.*better: /s, "it was played at random");
  await page.click('.given button:has-text("better: ")');
  await page.waitForSelector(".mark:has-text('★')");
  assert.match(await page.textContent(".given [aria-current]"), new RegExp(`^${(await page.textContent(".steps > span")).split(" ")[0]} `));
  const friend = await another(link);
  await friend.waitForSelector(".part-market");
  assert.equal((await friend.textContent(".steps > span")).replace("0 /", "5 /"), steps);
  assert.doesNotMatch(friend.url(), /[A-Za-z0-9_-]{22,}/, "no invitation in the address");
  await friend.click('button[aria-label="A step on"]');
  await friend.reload();
  await friend.waitForSelector(".part-market");
});

browsing("a record is shown to nobody before the game is over", async (page, another) => {
  await begin(page, "Moon River", () => check(page, "Public"));
  await due(page);
  const stranger = await another(page.url().replace("#/table/", "#/record/"));
  await stranger.waitForSelector("text=once it is over");
  assert.equal(await stranger.$(".part-market"), null);
});

browsing("a whole game of Goldgräber, with prospecting", async (page) => {
  await begin(page, "Goldgräber", () => check(page, "Prospecting"));
  assert.ok((await play(page, dice(2))) > 5);
  await isOver(page);
  await page.click(".due >> text=Review the game"); // which begins without being asked again
  await page.waitForSelector(".lookback table", { timeout: 60_000 });
});

browsing("a coach warns before a turn that gives much away, and lets it be", async (page) => {
  await page.click("text=Settings");
  await page.selectOption("dialog .field:has-text('Coach') select", "0.03");
  await page.click("dialog button.main");
  await begin(page, "Moon River");
  const random = dice(7);
  let clean = 0;
  for (;;) {
    while ((await due(page)) !== "confirm") await decide(page, random);
    const before = await page.textContent(".steps span");
    await page.click(".due button.main");
    const warned = await (await page.waitForFunction((old) =>
      (document.querySelector(".warning") && "warned") || (document.querySelector(".steps span")?.textContent !== old && "sent"), before)).jsonValue();
    if (warned === "warned") {
      assert.equal(await page.textContent(".steps span"), before, "nothing was sent");
      break;
    }
    clean += 1;
    assert.ok(clean < 30, "played at random, something is given away");
  }
  assert.match(await page.textContent(".warning b"), /gives away [\d.]+% \(± [\d.]+%\) of a win/);
  await page.click(".warning summary");
  assert.match(await page.textContent(".warning details p"), /\S+ .*by/);
  assert.equal(await page.textContent(".due button.main"), "Confirm it all the same");
  await page.click("text=Take back");
  await due(page);
  assert.equal(await page.$(".warning"), null);
  while ((await due(page)) !== "confirm") await decide(page, random);
  await page.click(".due button.main");
  await page.waitForFunction(() => document.querySelector(".warning") || !document.querySelector(".tried"));
  if (await page.$(".warning")) await page.click("text=Confirm it all the same");
  await page.waitForFunction(() => !document.querySelector(".tried"));
});

browsing("a hint says what chance may bring right after it, and what of it would change it", async (page) => {
  await begin(page, "Goldgräber");
  const outs = '.hints details:has-text("right after the first")';
  await due(page);
  await page.click("text=Hint");
  for (let turns = 0; turns < 5; turns += 1) { // where a walk ends at the tunnel there are none
    await page.waitForSelector(".hints >> text=games looked at");
    if (await page.$(outs)) break;
    await play(page, dice(turns), 1);
    await due(page);
    await page.waitForSelector(".hints >> text=Thinking");
  }
  const said = Number(/in ([\d.]+)% of cases the next would have been better/.exec(await page.textContent(`${outs} summary`))[1]);
  await page.click(`${outs} summary`);
  const rows = await page.$$eval(`${outs} li`, (all) => all.map((row) => row.textContent));
  const read = rows.map((row) => /^(\S.*\S) (≠ ?)?([\d.]+)% · wins ([\d.]+)%$/.exec(row)).map((found, index) => {
    assert.ok(found, `a row in words and figures: ${rows[index]}`);
    return { changes: Boolean(found[2]), chance: Number(found[3]), win: Number(found[4]) };
  });
  const sum = (some) => some.reduce((total, { chance }) => total + chance, 0);
  assert.ok(read.length >= 2);
  assert.ok(Math.abs(sum(read) - 100) <= read.length, `all that may come: ${sum(read)}%`);
  assert.ok(Math.abs(sum(read.filter(({ changes }) => changes)) - said) <= 0.5 * read.length + 0.5);
  assert.ok(new Set(read.map(({ win }) => win)).size > 1, "it matters what comes");
  assert.ok(await page.isVisible(`${outs} li`));
  if (process.env.OUTS_PICTURE) await page.screenshot({ path: process.env.OUTS_PICTURE + ".png", fullPage: true });
});

browsing("the puzzle of the day: choose, and see what was best and why", async (page) => {
  await page.click("text=Puzzle of the day");
  for (let number = 0; number < 2; number += 1) { // the games take turns
    await page.waitForSelector(".hit");
    assert.match(await page.textContent(".due"), /One decision is best by far.*\d% of a win or more/);
    const game = await page.getAttribute("main", "data-game");
    await page.evaluate(() => document.querySelector(".all-moves")?.setAttribute("open", ""));
    await page.click(".moves li:last-child button");
    await page.waitForSelector(".answer");
    assert.match(await page.textContent(".answer"), /(Right:|Not the best, which is:) \S.*looks best, gives away [\d.]+% \(± [\d.]+%\) of a win/);
    if (game === "goldgraeber") assert.ok(await page.$(".mark:has-text('★')")); // the other one may be to do without
    assert.equal(await page.$(".hit"), null, "it was decided");
    await page.click("text=Another puzzle");
    await page.waitForFunction((old) => document.querySelector("main").dataset.game !== old, game);
  }
});

browsing("two browsers at one table, by invitation", async (host, another) => {
  await begin(host, "Moon River", async () => {
    await host.selectOption(".new > .field select", "2");
    await host.selectOption(".place:nth-of-type(2) select", "elsewhere");
  });
  const link = await host.inputValue(".invitation input");
  assert.match(link, /#\/join\//);
  const guest = await another(link);
  await guest.waitForSelector(".waiters");
  assert.doesNotMatch(guest.url(), /join/, "what lets in does not stay in the address");
  await guest.fill(".narrow .field:not(.invitation .field) input", "Greta");
  await guest.click("text=Sit here");
  await host.waitForSelector(".playing");
  for (let turns = 0; turns < 4; turns += 1) {
    const [page, random] = await Promise.race([
      due(host).then(() => [host, dice(turns)]), due(guest).then(() => [guest, dice(turns)])]);
    await play(page, random, 1);
  }
  assert.match(await host.textContent(".seats"), /Greta/);
  const [a, b] = await Promise.all([host, guest].map((page) => page.textContent(".steps span")));
  assert.ok(Math.abs(parseInt(a, 10) - parseInt(b, 10)) <= 4, `${a} and ${b}`);
});

browsing("a stranger is not let in without the invitation, and watches a public table", async (page, another) => {
  await begin(page, "Moon River");
  await due(page);
  const stranger = await another(page.url());
  await stranger.waitForSelector("text=by invitation");
  await page.click(".logo");
  await begin(page, "Moon River", () => check(page, "Public"));
  await due(page);
  await stranger.click("nav >> text=Open tables");
  await stranger.click(".lobby li:first-child a");
  await stranger.waitForSelector(".part-market");
  assert.equal(await stranger.$(".hit"), null);
  const seen = await stranger.textContent(".steps span");
  await play(page, dice(4), 1);
  await stranger.waitForFunction((old) => document.querySelector(".steps span").textContent !== old, seen);
});

browsing("public tables by game, by how far they are, and by seats", async (page) => {
  const made = [];
  for (const options of [{ goldgraeber: { players: 5 } }, { moonRiver: { players: 3 } }]) {
    made.push((await call("CreateTable", { options, access: "ACCESS_PUBLIC" })).table.table);
  }
  const there = (table) => page.waitForSelector(`.lobby a[href$="${table}"]`);
  const gone = (table) => page.waitForSelector(`.lobby a[href$="${table}"]`, { state: "detached" });
  await page.click("nav >> text=Open tables");
  await Promise.all(made.map(there));
  const [game, state, seats] = await page.$$(".filters select");
  await game.selectOption("goldgraeber");
  await Promise.all([there(made[0]), gone(made[1])]);
  await seats.selectOption("6");
  await page.waitForSelector("text=no public table like that");
  await game.selectOption("");
  await state.selectOption({ label: "free seats" });
  await Promise.all(made.map(there));
  for (let number = 0; number < 51; number += 1) await call("CreateTable", { options: { moonRiver: { players: 2 } }, access: "ACCESS_PUBLIC" });
  await gone(made[0]);
  await page.click("text=Show more");
  await there(made[0]);
  await page.route(/ListTables/, (route) => {
    const contentType = route.request().headers()["content-type"];
    return route.fulfill({ contentType, body: contentType.endsWith("json") ? "{}" : "" });
  });
  await page.waitForSelector("text=no public table like that");
  await state.selectOption({ index: 0 }); // as it was at first
  await page.waitForSelector("text=Nobody has a public table");
});

browsing("a server restarted under it loses nothing", async (page) => {
  await begin(page, "Moon River");
  await play(page, dice(5), 1);
  while ((await due(page)) === "choose") await decide(page, dice(6));
  const tried = await page.textContent(".tried");
  await server.stop();
  await page.waitForSelector("text=cannot be reached");
  await page.click(".due button.main");
  await server.start();
  await page.waitForFunction(() => !document.querySelector(".due .problem"));
  await page.waitForSelector(".tried", { state: "detached" });
  await due(page);
  assert.ok(tried);
  assert.match(await page.textContent(".told"), /takes? place/);
  await play(page, dice(7), 1);
});

browsing("with keys alone", async (page) => {
  const until = async (what) => {
    for (let steps = 0; steps < 80; steps += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((selector) => document.activeElement?.matches(selector), what)) return;
    }
    throw new Error(`no way to ${what}`);
  };
  await page.waitForSelector(".game:not(.ghostly)");
  await until(".game:last-child");
  await page.keyboard.press("Enter");
  await until("button.large");
  await page.keyboard.press("Enter");
  assert.equal(await due(page), "choose");
  await page.focus(".logo");
  await until(".hit");
  await page.keyboard.press("Enter");
  assert.equal(await due(page), "confirm");
  await page.waitForFunction(() => document.activeElement?.matches(".due .main"));
  await page.keyboard.press("Backspace");
  assert.equal(await due(page), "choose");
  await until(".due .moves button");
  await page.keyboard.press("Enter");
  assert.equal(await due(page), "confirm");
  await page.waitForFunction(() => document.activeElement?.matches(".due .main"));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector(".tried"));
});

browsing("hints, a domino that is turned, and what happened before", async (page) => {
  await begin(page, "Moon River");
  for (let turned = false; !turned; ) {
    assert.notEqual(await due(page), "over");
    if (await page.$(".due button.main")) {
      await play(page, dice(8), 1);
      continue;
    }
    if (!(await page.$("[data-free]")) || !(await page.$('.hit[data-pick*="data-free"]'))) {
      await decide(page, dice(9));
      continue;
    }
    const hint = await page.$('.due button[aria-pressed="false"]');
    await hint?.click(); // it stays until it is clicked again
    await page.waitForSelector(".suggestion");
    await page.waitForSelector(".mark");
    await page.waitForSelector("text=games looked at");
    await page.waitForSelector(".suggestion .why");
    assert.match(await page.textContent(".suggestion"), /%/);
    await decide(page, dice(10));
    const button = await page.$("text=Turn the domino");
    if (!button) continue;
    const before = await page.textContent(".tried li:last-child");
    await button.click();
    await page.waitForFunction((old) => document.querySelector(".tried li:last-child")?.textContent !== old, before);
    turned = true;
  }
  await page.click('.log button[aria-label="A step back"]');
  await page.waitForSelector("text=After");
  assert.equal(await page.$(".hit"), null);
  await page.click(".due >> text=Back to now");
  await page.waitForSelector(".tried");
});

browsing("a hint shows on the board what is believed of what lies face down", async (page) => {
  await begin(page, "Goldgräber");
  await due(page);
  await page.click(".due button[aria-pressed=false]");
  await page.waitForSelector(".guess .part");
  const down = await page.$$eval("[data-down]", (all) => all.length);
  assert.equal(await page.$$eval(".guess", (all) => all.length), down);
  assert.match(await page.textContent(".guess title"), /^\w+: a chip face down; gold \d\d% \(\d[.\d]* on average\), a robber \d\d% \(of strength \d/);
  await page.locator(".guess .all").first().dispatchEvent("click");
  assert.match(await page.textContent(".missed"), /This is \w+: a chip face down; gold \d\d%/);
  await page.click(".due button[aria-pressed=true]");
  await page.waitForSelector(".guess", { state: "detached" });
  await page.click(".logo");
  await begin(page, "Moon River");
  await due(page);
  await page.click(".due button[aria-pressed=false]");
  await page.waitForSelector(".guess", { state: "attached" });
  const [plots, ...partners] = await page.$$eval(".guess title", (all) => all.map((title) => title.textContent));
  assert.match(plots, /^the supply: \d+ plots; in the next column, .*desert.* \(\d+\) \d+%/);
  assert.deepEqual(partners, [], "the saloon is full, so none of them comes");
});

browsing("two people at one screen, each with what only they may know", async (page) => {
  await begin(page, "Goldgräber", async () => {
    await check(page, "Prospecting");
    await page.selectOption(".place:nth-of-type(2) select", "here");
    await page.fill(".place:nth-of-type(1) input", "Ann");
    await page.fill(".place:nth-of-type(2) input", "Ben");
  });
  await play(page, dice(11)); // whoever made the table sits there; the first may be somebody else
  const seen = new Set();
  while (seen.size < 2) {
    await page.waitForSelector("text=I am ");
    assert.equal(await page.$(".part-map"), null, "nothing is shown before the screen is handed over");
    seen.add(await page.textContent("#due-title, .due h1"));
    await page.click("text=I am ");
    await page.waitForSelector(".part-map");
    await play(page, dice(11)); // a fight may need several answers
  }
});

browsing("a bot plays on for a person, who takes over again", async (page) => {
  await begin(page, "Moon River", () => page.fill(".place input", "Ann"));
  await due(page);
  const before = await page.textContent(".steps span");
  await page.click("text=Hand over");
  await page.click("text=Let a bot play for Ann");
  await page.waitForFunction((old) => parseInt(document.querySelector(".steps span").textContent, 10) > parseInt(old, 10) + 3, before);
  await page.click("text=Play for Ann again");
  await due(page);
});

/** A network as far from the server as on a train. */
async function slow(page, latency, bytes) {
  const tools = await page.context().newCDPSession(page);
  await tools.send("Network.enable");
  await tools.send("Network.emulateNetworkConditions", { offline: false, latency, downloadThroughput: bytes, uploadThroughput: bytes });
}

browsing("a slow network: something is always said to be under way, nothing is done twice or lost", async (_, another) => {
  const page = await another(`${server.address}icon.svg`); // nothing of the page is there yet
  await slow(page, 700, 40_000);
  const opening = page.goto(server.address);
  await page.waitForSelector("#app main[aria-busy=true]");
  await page.waitForSelector(".game.ghostly", { state: "attached" });
  await opening;
  await page.waitForSelector(".game:not(.ghostly)");
  await begin(page, "Moon River", () => check(page, "Public"));
  assert.equal(await due(page), "choose");
  await page.evaluate(() => {
    window.said = [];
    new MutationObserver(() => {
      if (document.querySelector(".due[aria-busy=true]")) window.said.push("busy", document.querySelector(".due .advice")?.textContent);
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  const said = () => page.evaluate(() => window.said.splice(0));
  while ((await due(page)) === "choose") await decide(page, dice(16));
  assert.ok((await said()).includes("busy"), "what is tried is under way");
  const table = page.url().split("/").pop();
  const before = (await call("GetTable", { table })).table.events;
  const tried = await page.textContent(".tried li");
  await page.dblclick(".due button.main");
  await page.waitForSelector(".tried", { state: "detached" });
  assert.ok((await said()).includes("On its way …"), "what is sent is under way");
  await due(page);
  const { events, status } = (await call("GetTable", { table })).table;
  assert.ok(events > before);
  assert.equal(status.seat ?? 0, 0, "my turn again");
  await page.waitForFunction((n) => document.querySelector(".steps span").textContent === `${n} / ${n}`, events);
  const told = (await page.$$eval(".told li", (all) => all.map((line) => line.textContent.trim()))).filter((line) => line.endsWith(tried));
  assert.equal(told.length, 1, told.join("; "));
});

/** A call of the service, as a program makes it. */
async function call(method, body) {
  const answer = await fetch(`${server.address}saloon.v1.Tables/${method}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  assert.ok(answer.ok, await answer.clone().text());
  return answer.json();
}

browsing("a time for each turn is agreed, shown and runs out; who comes back has the seat again", async (page, another) => {
  await begin(page, "Moon River", async () => {
    await page.selectOption(".times select", "60");
    await page.selectOption(".times label:nth-of-type(2) select", { label: "then a bot takes the seat" });
    await check(page, "Public");
  });
  await due(page);
  assert.match(await page.textContent(".clock [role=timer]"), /^(1:00|0:5\d)$/);
  assert.match(await page.getAttribute(".clock", "title"), /1 min for each turn; then a bot of level 5 takes the seat/);

  const made = await call("CreateTable", {
    options: { moonRiver: { players: 2 } }, access: "ACCESS_INVITATION",
    bots: [{ seat: 1, bot: { level: "max" }, budget: { time: "1s" } }], // two quick ones would be done before anybody is back
    clock: { time: "5s", then: "TIME_OUT_SEAT", bot: { level: "1" } },
  });
  const guest = await another(`${server.address}#/join/${made.table.table}/${made.invitation}`);
  await guest.waitForSelector(".waiters");
  assert.match(await guest.textContent(".agreed"), /5 s for each turn/);
  await guest.fill(".narrow .field:not(.invitation .field) input", "Greta");
  await guest.click("text=Sit here");
  await guest.waitForSelector(".clock.soon");
  await guest.waitForSelector(".clock [role=status]:has-text('seconds left')", { state: "attached" });
  await guest.waitForSelector("text=A bot plays for Greta");
  await guest.waitForSelector(".told >> text=runs out of time: Bot (level 1) takes the seat");
  await guest.waitForSelector(".seats .tag:has-text('away')");
  await guest.click("text=Play for Greta again");
  await guest.waitForSelector(".away", { state: "detached" });
  await due(guest);
  await guest.click("nav >> text=Open tables");
  await guest.waitForSelector(".lobby .tag:has-text('1 min each turn')");
});

browsing("bots of one name are told apart", async (page) => {
  const made = await call("CreateTable", {
    options: { moonRiver: { players: 3 } }, access: "ACCESS_PUBLIC",
    bots: [1, 2].map((seat) => ({ seat, bot: { level: "3" }, budget: { iterations: 10 } })),
  });
  await page.goto(`${server.address}#/table/${made.table.table}`);
  await page.waitForSelector(".waiters >> text=Bot (level 3) #2");
  await page.click("text=Sit here");
  await due(page);
  await play(page, dice(17), 1);
  for (const seat of [1, 2]) {
    await page.waitForSelector(`.seats .name:text-is("Bot (level 3) #${seat}")`);
    await page.waitForSelector(`.told b:text-is("Bot (level 3) #${seat}:")`);
    assert.match(await page.textContent(`.part-seat[data-key=seat${seat}]`), new RegExp(`#${seat}`));
  }
});

browsing("the host lets a bot play for somebody who is away", async (host, another) => {
  await begin(host, "Moon River", async () => {
    await host.selectOption(".new > .field select", "2");
    await host.selectOption(".place:nth-of-type(2) select", "elsewhere");
  });
  const guest = await another(await host.inputValue(".invitation input"));
  await guest.fill(".narrow .field:not(.invitation .field) input", "Greta");
  await guest.click("text=Sit here");
  await guest.waitForSelector(".playing");
  await host.waitForSelector(".playing");
  await host.click("text=Hand over");
  await host.click("text=Let a bot play for Greta");
  await guest.waitForSelector("text=A bot plays for Greta");
  await play(host, dice(3), 2);
  await guest.click("text=Play for Greta again");
  await host.waitForFunction(() => !document.querySelector(".seats").textContent.includes("away"));
});

for (const game of ["Moon River", "Goldgräber"]) {
  browsing(`a first game of ${game} explains what comes up, once, and can be left`, async (page) => {
    await page.click(`.game:has-text("${game}")`);
    await page.click("text=My first game");
    await due(page);
    const read = [];
    for (let looks = 0; read.length < 4 && looks < 80; looks += 1) {
      const state = await due(page);
      if (await page.$(".guide")) {
        const words = await page.textContent(".guide p");
        assert.ok(!read.includes(words), "said once");
        read.push(words);
        if (read.length === 1) {
          assert.match(words, /Welcome/);
          assert.ok(await page.$(".ring"), "shown on the board");
          await page.reload();
          await due(page);
          assert.equal(await page.textContent(".guide p"), words, "still there");
        }
        await page.click("text=Understood");
        await page.waitForFunction((old) => document.querySelector(".guide p")?.textContent !== old, words);
      } else if (state === "confirm") await play(page, dice(looks), 1);
      else await decide(page, dice(looks));
    }
    assert.equal(read.length, 4);
    for (let turns = 0; !(await page.$(".guide")); turns += 1) await play(page, dice(turns), 1);
    await page.click("text=No more of this");
    await page.waitForSelector(".guide, .ring", { state: "detached" });
    await page.click(".logo");
    await page.waitForSelector("text=once more");
  });
}

browsing("nothing jumps while it is played, and it is there at once", async (page) => {
  await page.evaluate(() => {
    window.jumps = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const moved = entry.sources.map(({ node }) => node?.closest?.(".board, .part")?.className).filter(Boolean);
        if (moved.length) window.jumps.push(`${entry.value} ${moved.join(" ")}`);
      }
    }).observe({ type: "layout-shift" });
  });
  await begin(page, "Moon River");
  await due(page);
  await page.evaluate(() => {
    window.jumps.length = 0;
  });
  await play(page, dice(12), 3);
  assert.deepEqual(await page.evaluate(() => window.jumps), []);
  await page.goto(`${server.address}?again`);
  await page.waitForSelector("h1");
  const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  assert.ok(painted < 1000, `first picture after ${painted} ms`);
});

browsing("a server that asks for access tokens", async (_, another) => {
  const token = randomBytes(24).toString("hex");
  const guarded = new Server();
  guarded.flags = { tokens: path.join(guarded.folder, "tokens.toml") };
  await writeFile(guarded.flags.tokens, `[me]\nsha256 = "${createHash("sha256").update(token).digest("hex")}"\n`);
  await guarded.start();
  try {
    const page = await another(guarded.address);
    await page.fill(".access input", token);
    await page.click(".access button");
    await page.waitForSelector(".game:not(.ghostly)");
    await begin(page, "Moon River");
    await play(page, dice(13), 1);
    await page.close();
  } finally {
    await guarded.close();
  }
});

browsing("plots are dragged into the ranch; a cell that is out of reach says why", async (page) => {
  await begin(page, "Moon River");
  while (!(await page.$('.hit[data-pick*="data-free"]'))) {
    if ((await due(page)) === "confirm") await play(page, dice(14), 1);
    else if (!(await page.$('.hit[data-pick*="data-free"]'))) await decide(page, dice(15));
  }
  const middle = async (selector) => {
    const box = await page.locator(selector).first().boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.click(...(await middle('.part-seat.own [data-free="a5"]')));
  assert.match(await page.textContent(".missed"), /cannot build there/);
  for (let dragged = 0; dragged < 2 && !(await page.$(".tried")); dragged += 1) {
    await page.mouse.move(...(await middle('.hit:not(.picked)[data-pick*="data-stored"]')));
    await page.mouse.down();
    await page.mouse.move(...(await middle('.hit:not(.picked)[data-pick*="data-free"]')), { steps: 6 });
    assert.ok(await page.$(".ghost"));
    await page.mouse.up();
    assert.equal(await page.$(".ghost"), null);
    await page.waitForSelector('.tried, .hit:not(.picked)[data-pick*="data-stored"]');
  }
  await page.waitForSelector(".tried");
});
