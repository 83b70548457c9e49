/** `saloon serve` in processes of their own. */

import { type ChildProcess, spawn } from "node:child_process";
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

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const found = createServer();
  await new Promise<void>((done) => found.listen(0, "127.0.0.1", done));
  const { port } = found.address() as { port: number };
  await new Promise((done) => found.close(done));
  return port;
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
