/** A game of which nothing is known but what the server says: a picture, and decisions in words. */

import type { Game } from "./game";

export const plain: Game = {
  hooks: () => ({ picks: [] }),
  traces: () => [],
  moving: [],
  round: 0.1,
  choice: (decision) => decision.text,
  group: () => "",
  atOnce: () => false,
  story: (event) => plain.brief(event, { name: String }, undefined),
  brief: (event) =>
    event.event.case === "chosen" ? [{ seat: event.event.value.seat ?? 0, text: event.event.value.decision?.text ?? "" }] : [],
  due: (status) => status.phase.replaceAll("_", " "),
  advice: () => "",
  whyNot: () => "",
  parts: () => [],
  beliefs: () => [],
  guesses: () => [],
  colour: (seat) => seat,
  secrets: () => false,
};
