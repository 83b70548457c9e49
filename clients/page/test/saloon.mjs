// A server and browsers for tests.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
export const SKIP = CHROMIUM ? false : "SKIPPED: there is no browser here (chromium)";
export const PATIENCE = 60_000; // others may want this machine, too

async function freePort() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, "127.0.0.1", done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}

/** `saloon serve`, that can be ended and begun again with the same tables. */
export class Server {
  constructor(flags = {}) {
    this.flags = flags;
    this.folder = mkdtempSync(path.join(tmpdir(), "saloon-page-test-"));
  }

  async start() {
    this.http ??= await freePort();
    const flags = {
      port: 0, "http-port": this.http, database: path.join(this.folder, "tables.sqlite"), "notice-seconds": 0,
      "drain-seconds": 1, "log-level": "error", ...this.flags,
    };
    const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
    this.process = spawn(path.join(root, ".venv/bin/saloon"), ["serve", ...given], { stdio: "inherit" });
    const until = Date.now() + PATIENCE;
    while (Date.now() < until) {
      if (await fetch(this.address).then((answer) => answer.ok, () => false)) return this;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error("the server did not start");
  }

  get address() {
    return `http://localhost:${this.http}/`;
  }

  async stop() {
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.kill("SIGTERM");
    await ended;
  }

  async close() {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }
}

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

/** A page in a browser that nobody used before; whatever it complains of ends up in `complaints`. */
export async function open(address, options = {}, pace = "none") {
  const profile = mkdtempSync(path.join(tmpdir(), "saloon-page-browser-"));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM, headless: true, args: FLAGS, viewport: { width: 1280, height: 900 }, locale: "en-US", ...options,
  });
  browser.setDefaultTimeout(PATIENCE);
  await browser.addInitScript((chosen) => {
    if (!localStorage.getItem("saloon.pace")) localStorage.setItem("saloon.pace", JSON.stringify(chosen));
  }, pace);
  const page = browser.pages()[0];
  const complaints = listen(page);
  await page.goto(address);
  return {
    browser, page, complaints,
    close: async () => {
      await browser.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

export function listen(page) {
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error.stack ?? error)));
  page.on("console", (message) => {
    // That a server which is gone cannot be reached is what some tests are about.
    if (message.type() === "error" && !/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|Failed to load/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  return complaints;
}

/** Choose a game and begin it; `set` fills in what else is wanted. */
export async function begin(page, game, set = async () => {}) {
  await page.click(`.game:has-text("${game}")`);
  for (const level of await page.$$(".place label:nth-of-type(2) select")) await level.selectOption("1");
  await set(page);
  await page.click("button.large");
  await page.waitForSelector(".playing, .waiters");
}

/** Until somebody here can do something, or the game is over. */
export async function due(page) {
  const state = () => {
    const card = document.querySelector(".due");
    if (!card || card.querySelector("button:disabled")) return null;
    if (card.querySelector("a.button.main")) return "over";
    if (card.matches(".veil")) return "hand over";
    if (card.querySelector("button.main")) return "confirm";
    return document.querySelector(".hit") || card.querySelector(".moves button") ? "choose" : null;
  };
  try {
    return await (await page.waitForFunction(state)).jsonValue();
  } catch (error) {
    throw new Error(`nothing to do here: ${(await page.innerText(".beside").catch(() => "no table")).slice(0, 1500)}`, { cause: error });
  }
}

/** A click on something that lights up, or on a button where that is the only way. `random` gives numbers from 0 to 1. */
export async function decide(page, random) {
  const hits = await page.$$(".hit:not(.picked)");
  const buttons = await page.$$(".due > .moves button");
  const chosen = Math.floor(random() * (hits.length + buttons.length));
  if (chosen < hits.length) await hits[chosen].dispatchEvent("click");
  else if (buttons.length) await buttons[chosen - hits.length].click();
  else {
    await page.evaluate(() => document.querySelector(".all-moves").setAttribute("open", ""));
    await page.click(".all-moves .moves button");
  }
  return due(page);
}

/** So many turns, or until the screen goes to somebody else, or to the end; returns how many were confirmed. */
export async function play(page, random, most = Infinity) {
  for (let turns = 0; ; ) {
    if (turns >= most) return turns;
    const state = await due(page);
    if (state === "over" || state === "hand over") return turns; // a locomotive ends a turn that nobody confirms
    if (state === "confirm") {
      const before = await page.textContent(".steps span");
      await page.click(".due button.main");
      await page.waitForFunction((old) => document.querySelector(".steps span")?.textContent !== old, before);
      turns += 1;
    } else await decide(page, random);
  }
}

/** Numbers that come again. */
export function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
