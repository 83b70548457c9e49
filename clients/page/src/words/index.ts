/** Words in the language that was chosen. */

import type { Reason } from "@saloon/client/v1";
import { language } from "../settings";
import { de, GERMAN, GERMAN_PATTERNS } from "./de";
import { en, type Words } from "./en";

/** What the page says, with something put in. */
export function t(key: keyof Words, ...put: (string | number)[]): string {
  const text = (language.value === "de" ? de : en)[key] ?? "";
  return text.replace(/\{(\d)\}/g, (_, index: string) => String(put[Number(index)] ?? ""));
}

/** What the server says in English. */
export function say(words: string): string {
  if (language.value !== "de") return words;
  const whole = GERMAN[words] ?? GERMAN[words.toLowerCase()];
  if (whole) return whole;
  return GERMAN_PATTERNS.reduce((text, [pattern, german]) => text.replace(pattern, german), words);
}

export function list(words: string[]): string {
  const last = words[words.length - 1] ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} ${t("and")} ${last}`;
}

export function plural(n: number, noun: string): string {
  return `${n} ${say(n === 1 ? noun : `${noun}s`)}`;
}

export function percent(share: number): string {
  return share.toLocaleString(language.value, { style: "percent", maximumFractionDigits: share < 0.1 ? 1 : 0 });
}

export function points(value: number, signed = false): string {
  return value.toLocaleString(language.value, { maximumFractionDigits: 1, signDisplay: signed ? "exceptZero" : "auto" });
}

const REASONS = 3; // in a line

/** The reasons that count most. */
export function because(reasons: Reason[]): string {
  return reasons.slice(0, REASONS).map(({ words }) => words[language.value] ?? "").join(", ");
}
