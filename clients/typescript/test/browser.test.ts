/** The client in a page of another origin, in a real browser. */

import assert from "node:assert/strict";
import { accessSync, constants } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadRecord } from "@saloon/client";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { SHARED } from "./server.js";

const FLAGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function found(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  const names = ["chromium", "chromium-browser", "google-chrome"];
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(runs);
}

function runs(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The page as a browser gets it: one script. */
async function script(): Promise<string> {
  const entry = fileURLToPath(new URL("browser/page.js", import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "iife", write: false });
  return outputFiles[0]?.text ?? "";
}

const executablePath = found();
const skip = executablePath === undefined && "needs chromium: apt-get install chromium";
if (skip) console.error(`SKIPPED: the client in a browser ${skip}`);

test("a page can do everything", { skip }, async () => {
  const body = await script();
  const site = createServer((request, response) => {
    const page = request.url === "/";
    response.setHeader("content-type", page ? "text/html" : "text/javascript");
    response.end(page ? '<!doctype html><meta charset="utf-8"><script src="/page.js"></script>' : body);
  });
  await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
  const browser = await chromium.launch({ executablePath: executablePath ?? "", args: FLAGS, chromiumSandbox: false });
  try {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
    const said = await page.evaluate((address) => window.everything(address), SHARED);
    assert.deepEqual(problems, []);

    assert.ok(said.suggest.text);
    assert.equal(said.suggest.iterations, "100");
    assert.equal(loadRecord(said.suggest.saved).seed, 2n ** 64n - 1n);
    assert.ok(said.analyze.length > 1);
    assert.deepEqual([said.analyze[0], said.analyze.at(-1)], [false, true]);
    assert.equal(said.errors.wrong, "options.moon_river.players");
    assert.match(`${said.errors.nobody}`, /^no Saloon server answers at http:\/\/127.0.0.1:1; .*--http-origins/);
    assert.equal(said.errors.given, "TimeoutError");
    assert.ok(said.errors.seconds < 5);
    assert.deepEqual(said.seat, { first: false, watched: true, second: true, decisions: 1 });
    assert.equal(said.table.taken, 2);
    assert.ok(said.table.numbers.length > 3);
    assert.deepEqual(said.table.numbers, [...said.table.numbers.keys()]);
  } finally {
    await browser.close();
    site.close();
  }
});
