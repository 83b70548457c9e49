/** What README, guide and examples show, runs. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SHARED } from "./server.js";

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
const PAGES = ["README.md", "../../docs/typescript.md"];
const SNIPPETS = path.join(PACKAGE, "build", "snippets");
const OPTIONS = ["--noEmit", "false", "--rootDir", "build/snippets", "--outDir", "build/snippets", "--types", "node"];
const STRICT = ["--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck"];

async function blocks(page: string): Promise<string[]> {
  const text = await readFile(path.join(PACKAGE, page), "utf8");
  return [...text.matchAll(/```typescript\n(.*?)```/gs)].map(([, block]) => block ?? "");
}

test("README and guide", async () => {
  const found = (await Promise.all(PAGES.map(blocks))).flat();
  assert.ok(found.length >= 4);
  await rm(SNIPPETS, { recursive: true, force: true });
  await mkdir(SNIPPETS, { recursive: true });
  const files = found.map((_, number) => path.join(SNIPPETS, `${number}.ts`));
  for (const [number, file] of files.entries()) {
    await writeFile(file, found[number]?.replaceAll("http://localhost:8080", SHARED) ?? "");
  }
  const compiler = path.join(PACKAGE, "node_modules", ".bin", "tsc");
  const compiled = run(compiler, ["--ignoreConfig", ...STRICT, ...OPTIONS, ...files], { cwd: PACKAGE });
  await compiled.catch((error: { stdout: string }) => assert.fail(error.stdout));
  const said = files.map((file) => run(process.execPath, [file.replace(/ts$/, "js")], { timeout: 60_000 }));
  for (const { stdout } of await Promise.all(said)) assert.notEqual(stdout, "");
});

test("the README fits a screen or two", async () => {
  assert.ok((await readFile(path.join(PACKAGE, "README.md"), "utf8")).split("\n").length <= 80);
});

test("the examples", async () => {
  const examples = (await readdir(path.join(PACKAGE, "examples"))).filter((name) => name.endsWith(".ts"));
  assert.ok(examples.length >= 3);
  const said = examples.map((name) => {
    const file = path.join(PACKAGE, "build", "examples", name.replace(/ts$/, "js"));
    return run(process.execPath, [file, SHARED], { timeout: 120_000 });
  });
  for (const { stdout } of await Promise.all(said)) assert.match(stdout, /^seat \d: /m);
});
