/** What can go wrong, as errors that say what to do. */

import { ConnectError, Code as Numbered } from "@connectrpc/connect";
import { BadRequestSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import { seconds } from "./numbers.js";

/** gRPC's codes, as Connect writes them. */
export type Code =
  | "canceled"
  | "unknown"
  | "invalid_argument"
  | "deadline_exceeded"
  | "not_found"
  | "already_exists"
  | "permission_denied"
  | "resource_exhausted"
  | "failed_precondition"
  | "aborted"
  | "out_of_range"
  | "unimplemented"
  | "internal"
  | "unavailable"
  | "data_loss"
  | "unauthenticated";

/** A call that did not end well. The message is the server's. */
export class SaloonError extends Error {
  readonly code: Code;

  constructor(message: string, code: Code, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
  }
}

/** Something that does not fit, as a path in the request, and what is wrong with it. */
export interface Problem {
  readonly field: string;
  readonly description: string;
}

/** Something in the request does not fit: mend it, sending it again is of no use. */
export class InvalidRequest extends SaloonError {
  readonly problems: readonly Problem[];

  constructor(message: string, code: Code, problems: readonly Problem[], cause?: unknown) {
    super(message, code, cause);
    this.problems = problems;
  }

  /** The first field that does not fit; empty if the server names none. */
  get field(): string {
    return this.problems[0]?.field ?? "";
  }
}

/**
 * The server has no time for the call, cannot store its tables just now, or the token has used up its share: try again
 * after `retryAfter` seconds (undefined: it does not know).
 */
export class Overloaded extends SaloonError {
  readonly retryAfter: number | undefined;

  constructor(message: string, code: Code, retryAfter: number | undefined, cause?: unknown) {
    super(message, code, cause);
    this.retryAfter = retryAfter;
  }
}

/** No server answers at `address`, or it is about to stop. */
export class NotReachable extends SaloonError {
  readonly address: string;

  constructor(message: string, address: string, cause?: unknown) {
    super(message, "unavailable", cause);
    this.address = address;
  }
}

/** The token is missing or wrong, or does not allow this. */
export class NotAllowed extends SaloonError {}

/** There is no such table or session (any more). */
export class NotFound extends SaloonError {}

/** The game is not where the call needs it: look at its status first. */
export class NotNow extends SaloonError {}

/** Somebody sits there already. */
export class Taken extends SaloonError {}

/** The time given was over: give more with `timeout`, or ask for less. */
export class TooLate extends SaloonError {}

/** The server failed, or does not know the call. Its log says more; the message has a number to look for. */
export class ServerFault extends SaloonError {}

/** The client was closed: make another one. */
export class Closed extends SaloonError {}

const PLAIN: Partial<Record<Code, typeof SaloonError>> = {
  unauthenticated: NotAllowed,
  permission_denied: NotAllowed,
  not_found: NotFound,
  failed_precondition: NotNow,
  already_exists: Taken,
  internal: ServerFault,
  unknown: ServerFault,
  data_loss: ServerFault,
};

/** The error for what Connect threw. */
export function known(thrown: unknown, address: string): SaloonError {
  if (thrown instanceof SaloonError) return thrown;
  const error = ConnectError.from(thrown);
  const code = written(error.code);
  const message = error.rawMessage;
  if (lost(error)) return notReachable(address, reason(error), error);
  switch (code) {
    case "invalid_argument": {
      const violations = error.findDetails(BadRequestSchema).flatMap((bad) => bad.fieldViolations);
      const problems = violations.map(({ field, description }) => ({ field, description }));
      return new InvalidRequest(message, code, problems, error);
    }
    case "resource_exhausted":
    case "unavailable": {
      const retry = error.findDetails(RetryInfoSchema)[0];
      if (code === "unavailable" && !retry) return notReachable(address, message, error);
      return new Overloaded(message, code, retry?.retryDelay && seconds(retry.retryDelay), error);
    }
    case "unimplemented": {
      const why = "it may be older than this client, or another server";
      return new ServerFault(`the server at ${address} does not know this call; ${why}`, code, error);
    }
    case "deadline_exceeded":
      return tooLate(message, error);
    default:
      return new (PLAIN[code] ?? SaloonError)(message, code, error);
  }
}

export function notReachable(address: string, reason: string, cause?: unknown): NotReachable {
  const page = globalThis.location?.origin;
  const other = page !== undefined && page !== new URL(address).origin;
  const allowed = other ? `; pages of ${page} may have to be allowed with --http-origins` : "";
  const start = "start one with `saloon serve`, or say where one is";
  return new NotReachable(`no Saloon server answers at ${address}; ${start} (${reason})${allowed}`, address, cause);
}

export function tooLate(reason: string, cause?: unknown): TooLate {
  return new TooLate(
    `no answer in the time given; allow more with \`timeout\` (${reason})`,
    "deadline_exceeded",
    cause,
  );
}

/** What fetch knows: Node says it behind its "fetch failed", browsers say nothing. */
function reason({ cause, rawMessage }: ConnectError): string {
  const deeper = (cause as Error | undefined)?.cause as { message?: string; code?: string } | undefined;
  return deeper?.message || deeper?.code || rawMessage;
}

/** Connect names its numbers as it writes them, but in another case. */
function written(code: Numbered): Code {
  return (Numbered[code] ?? "Unknown").replace(/\B[A-Z]/g, "_$&").toLowerCase() as Code;
}

/** Whether the connection failed, or broke in the middle of an answer: fetch says so by a TypeError. */
function lost(error: ConnectError): boolean {
  if (error.cause instanceof TypeError) return true;
  return error.rawMessage === "missing EndStreamResponse" || error.rawMessage === "premature end of stream";
}
