/** Whole numbers of 64 bits, and times. */

import { create } from "@bufbuild/protobuf";
import { type Duration, DurationSchema } from "@bufbuild/protobuf/wkt";

/** A whole number: a bigint, or a number as long as that is exact (up to 2^53 - 1). */
export type Whole = number | bigint;

/** As a bigint; RangeError if digits were lost before it came here, or if it is out of range. */
export function whole(name: string, value: Whole, bits: 63 | 64): bigint {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new RangeError(`${name}: expected a whole number, above 2^53 - 1 as a bigint, got ${value}`);
  }
  const exact = BigInt(value);
  if (exact < 0n || exact >= 1n << BigInt(bits)) {
    throw new RangeError(`${name}: expected 0 to 2^${bits} - 1, got ${exact}`);
  }
  return exact;
}

/** So many seconds as a message. */
export function duration(name: string, time: number): Duration {
  if (!Number.isFinite(time)) throw new RangeError(`${name}: expected seconds, got ${time}`);
  const whole = Math.trunc(time);
  const nanos = Math.round((time - whole) * 1e9);
  // What rounds up to a whole second is one.
  return Math.abs(nanos) < 1e9
    ? create(DurationSchema, { seconds: BigInt(whole), nanos })
    : create(DurationSchema, { seconds: BigInt(whole + Math.sign(nanos)) });
}

/** The seconds of a duration, such as `answer.used`. */
export function seconds(duration: Duration): number {
  return Number(duration.seconds) + duration.nanos / 1e9;
}
