/** The way to a server: where it is, how calls get there, and what becomes of them when they fail. */

import type { CallOptions, Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { Attempts, type Policy, sleep } from "./attempts.js";
import { Closed, known } from "./errors.js";
import type { Limits, Nature } from "./limits.js";

export class Line {
  readonly transport: Transport;
  readonly #closing = new AbortController();
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    readonly address: string,
    readonly policy: Policy,
    token: string | undefined,
    fetch: typeof globalThis.fetch | undefined,
  ) {
    this.transport = createConnectTransport({ baseUrl: address, useBinaryFormat: true, ...(fetch && { fetch }) });
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  close(): void {
    this.#closing.abort(new Closed("the client is closed", "canceled"));
  }

  /** One answer. */
  async call<T>(ask: (options: CallOptions) => Promise<T>, nature: Nature, limits: Limits): Promise<T> {
    const attempts = new Attempts(this.policy, nature.seconds ?? 0, limits.timeout, nature.repeat);
    const ending = this.ending(limits.signal);
    try {
      while (true) {
        ending.signal.throwIfAborted();
        try {
          return await ask(this.options(ending.signal, attempts.left));
        } catch (error) {
          await this.again(error, attempts, ending.signal);
        }
      }
    } finally {
      ending.done();
    }
  }

  /**
   * Many answers. Whoever stops reading ends the call. After a failure it is asked again as long as `attempts` allow
   * it, so `ask` says each time what is wanted then.
   */
  async *stream<T>(
    ask: (options: CallOptions) => AsyncIterable<T>,
    attempts: Attempts,
    heard: (answer: T) => void,
    { signal, deadline = true }: { signal?: AbortSignal | undefined; deadline?: boolean },
  ): AsyncGenerator<T, void, undefined> {
    while (true) {
      const ending = this.ending(signal);
      try {
        ending.signal.throwIfAborted();
        for await (const answer of ask(this.options(ending.signal, deadline ? attempts.left : undefined))) {
          heard(answer);
          yield answer;
        }
        return;
      } catch (error) {
        await this.again(error, attempts, ending.signal);
      } finally {
        ending.end();
      }
    }
  }

  /** What a call takes with it; `seconds`: until its deadline, `more`: headers beside the token. */
  options(signal: AbortSignal, seconds?: number, more?: Readonly<Record<string, string>>): CallOptions {
    return {
      signal,
      headers: { ...this.#headers, ...more },
      ...(seconds !== undefined && { timeoutMs: wait(seconds) }),
    };
  }

  /** Wait until it is worth trying again, or throw what the caller should know. */
  async again(thrown: unknown, attempts: Attempts, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const error = known(thrown, this.address);
    const pause = attempts.pause(error);
    if (pause === undefined) throw error;
    await sleep(pause, signal);
    signal.throwIfAborted();
  }

  /** A signal that ends when the caller's does or the client is closed, or by `end`. */
  ending(signal?: AbortSignal | undefined): Ending {
    return new Ending([this.#closing.signal, ...(signal ? [signal] : [])]);
  }
}

/** Several signals as one. Unlike AbortSignal.any it leaves nothing behind with those that live longer. */
export class Ending {
  readonly #ending = new AbortController();
  readonly #listening: [AbortSignal, () => void][] = [];

  constructor(signals: readonly AbortSignal[]) {
    for (const signal of signals) {
      const end = () => this.#ending.abort(signal.reason);
      if (signal.aborted) end();
      signal.addEventListener("abort", end);
      this.#listening.push([signal, end]);
    }
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  done(): void {
    for (const [signal, end] of this.#listening) signal.removeEventListener("abort", end);
  }

  end(): void {
    this.done();
    this.#ending.abort();
  }
}

/** Whole milliseconds, as many as a timer takes. */
function wait(seconds: number): number {
  return Math.min(Math.ceil(seconds * 1000), 2 ** 31 - 1);
}
