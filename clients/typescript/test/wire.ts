/** A wire between client and server that can be cut. */

import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "./server.js";

export class Wire {
  /** What the server says is lost. */
  silent = false;
  #listener: Server | undefined;
  readonly #open = new Set<Socket>();

  private constructor(readonly port: number) {}

  static async to(address: string): Promise<Wire> {
    const wire = new Wire(await freePort());
    const target = Number(new URL(address).port);
    const listener = createServer((client) => {
      const server = connect(target, "127.0.0.1");
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        wire.#open.add(from);
        from.on("data", (data) => {
          if (!(wire.silent && from === server)) to.write(data);
        });
        from.on("close", () => {
          wire.#open.delete(from);
          to.destroy();
        });
        from.on("error", () => {}); // the other end hears of it by the close
      }
    });
    wire.#listener = listener;
    await new Promise<void>((done) => listener.listen(wire.port, "127.0.0.1", done));
    return wire;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** All connections end. New ones can be made. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((done) => this.#listener?.close(done));
    this.cut();
    await closed;
  }
}
