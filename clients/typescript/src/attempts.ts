/** How often and how long a call is tried. */

import { NotReachable, Overloaded, type SaloonError } from "./errors.js";
import type { Cost } from "./messages.js";

const LONGEST = 60; // seconds: an answer limited by iterations alone may take so long
const FIRST_PAUSE = 0.05;
const LONGEST_PAUSE = 2;

/** How patient a client is. */
export interface Policy {
  /** Seconds a call may take beyond its budget, repetitions included. */
  readonly margin: number;
  readonly retries: number;
  /** From 0 to 1: how the pauses in between are spread. */
  readonly random: () => number;
}

/** Seconds an answer may take on purpose. */
export function takes({ time, iterations }: Cost): number {
  return time ?? (iterations === undefined ? 1 : LONGEST);
}

/** The attempts of one call, from the first on: the time left, and when to try again. */
export class Attempts {
  failed = 0;
  repeat: boolean;
  readonly #policy: Policy;
  readonly #seconds: number;
  readonly #end: number;

  /** `seconds`: that the server takes on purpose; `repeat`: sending it twice does no harm. */
  constructor(policy: Policy, seconds: number, timeout: number | undefined, repeat = true) {
    if (timeout !== undefined && !(timeout > 0)) throw new RangeError(`timeout: expected seconds, got ${timeout}`);
    this.#policy = policy;
    this.#seconds = seconds;
    this.repeat = repeat;
    this.#end = now() + (timeout ?? seconds + policy.margin);
  }

  /** Seconds. */
  get left(): number {
    return Math.max(0.001, this.#end - now());
  }

  /** Seconds to wait before the next attempt; undefined if there is to be none. */
  pause(error: SaloonError): number | undefined {
    if (!this.again()) return undefined;
    const pause = this.#wait(error);
    return pause !== undefined && now() + pause + this.#seconds < this.#end ? pause : undefined;
  }

  /** Whether there may be one more. */
  again(): boolean {
    this.failed += 1;
    return this.repeat && this.failed <= this.#policy.retries;
  }

  #wait(error: SaloonError): number | undefined {
    const luck = this.#policy.random();
    if (error instanceof Overloaded && error.retryAfter !== undefined) return error.retryAfter * (1 + luck / 4);
    if (!(error instanceof NotReachable)) return undefined;
    return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.failed) * (0.5 + luck / 2);
  }
}

function now(): number {
  return performance.now() / 1000;
}

/** So many seconds, or until the signal ends it. */
export function sleep(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, seconds * 1000);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
}
