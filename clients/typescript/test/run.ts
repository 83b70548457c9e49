/** Runs the tests, all beside one server: `npm test`, or `npm test seat errors` for some files. */

import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Server } from "./server.js";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const FLAGS = ["--test", "--test-concurrency=2", "--test-timeout=300000", "--test-reporter=spec"];

const wanted = process.argv.slice(2);
const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".test.js"));
const chosen = names.filter((name) => wanted.length === 0 || wanted.includes(name.replace(".test.js", "")));
if (chosen.length === 0) throw new Error(`no such tests: ${wanted}; known are ${names}`);

const server = await Server.start();
const child = spawn(process.execPath, [...FLAGS, ...chosen], {
  cwd: FOLDER,
  stdio: "inherit",
  env: { ...process.env, SALOON_ADDRESS: server.address },
});
process.exitCode = await new Promise<number>((done) => child.once("exit", (code) => done(code ?? 1)));
await server.remove();
