/** `saloon serve` in processes of their own. */

import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
export const SALOON = process.env["SALOON"] ?? path.join(ROOT, ".venv", "bin", "saloon");
/** The server of all tests that need none of their own. */
export const SHARED = process.env["SALOON_ADDRESS"] ?? "";
const START_SECONDS = 60;

let next = 20_000; // below the ports that systems give to whoever calls

/** A port of this machine that nobody listens on and that no other process was given, as saloon/ports.py does it. */
export async function freePort(): Promise<number> {
  while (next < 30_000) {
    const port = next++;
    if ((await marked(port)) && (await unused(port))) return port;
  }
  throw new Error("no free port");
}

/** A socket of UDP says to others who choose that the port is taken, as long as this process lives. */
function marked(port: number): Promise<boolean> {
  const mark = createSocket("udp4");
  return new Promise((done) => {
    mark.once("error", () => done(false));
    mark.bind({ port, address: "127.0.0.1", exclusive: true }, () => done(true));
    mark.unref();
  });
}

function unused(port: number): Promise<boolean> {
  const tried = createServer();
  return new Promise((done) => {
    tried.once("error", () => done(false));
    tried.listen(port, "0.0.0.0", () => tried.close(() => done(true)));
  });
}

/** One server; after it has ended it can be started again on the same ports with the same database. */
export class Server {
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly flags: readonly string[],
  ) {}

  /** One that answers. */
  static async start(...flags: string[]): Promise<Server> {
    const folder = await mkdtemp(path.join(tmpdir(), "saloon-client-"));
    const server = new Server(await freePort(), folder, ["--port", `${await freePort()}`, ...flags]);
    process.once("exit", () => server.#process?.kill("SIGKILL"));
    await server.begin();
    return server;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async begin(): Promise<void> {
    const where = ["--http-port", `${this.port}`, "--database", path.join(this.folder, "tables.sqlite")];
    const child = spawn(SALOON, ["serve", "--log-level", "error", ...where, ...this.flags], { stdio: "inherit" });
    this.#process = child;
    const failed = new Promise<never>((_, fail) => {
      child.once("error", fail);
      child.once("exit", (code) => fail(new Error(`saloon serve ended with ${code}`)));
    });
    failed.catch(() => {}); // it ends at last
    await Promise.race([failed, this.#answers()]);
  }

  async #answers(): Promise<void> {
    const until = performance.now() + START_SECONDS * 1000;
    while (performance.now() < until) {
      const asked = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
      const answer = await fetch(`${this.address}/saloon.v1.Bots/ListBots`, asked).catch(() => undefined);
      if (answer !== undefined) return; // be it that it asks for a token
      await pause(50);
    }
    throw new Error(`the server at ${this.address} did not start`);
  }

  /** As a machine that fails, or as an operator does; it is gone then. */
  async end(signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once("exit", done));
    child.kill(signal);
    await gone;
  }

  /** For good. */
  async remove(): Promise<void> {
    await this.end();
    await rm(this.folder, { recursive: true, force: true });
  }
}
