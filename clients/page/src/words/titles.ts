/** What a pointer resting on the board shows: the pictures say it in English. */

import { language } from "../settings";
import { GERMAN } from "./de";

const WHOLE: [RegExp, string][] = [
  [/: a chip face down/, ": ein verdeckter Chip"],
  [/, seen by (?=seat)/, ", angesehen von "],
  [/: gold (\d+)$/, ": Gold im Wert von $1"],
  [/: robber (\d+)$/, ": Räuber der Stärke $1"],
  [/^(\d+) × gold worth (\d+)$/, "$1 × Gold im Wert von $2"],
  [/^(\d+) × a captured robber of strength (\d+), worth (\d+)$/, "$1 × gefangener Räuber der Stärke $2, zählt $3"],
  [/: a robber of strength (\d+), nothing under it$/, ": ein Räuber der Stärke $1, nichts unter ihm"],
  [/: a robber of strength (\d+), (\d+) chips? worth (\d+) under it$/, ": ein Räuber der Stärke $1, unter ihm $2 Chips im Wert von $3"],
  [/: house ([A-F]), (seat \d)'s; its door is at (\w+)$/, ": Haus $1 ($2); die Tür ist bei $3"],
  [/: house ([A-F]), nobody's; its door is at (\w+)$/, ": Haus $1 gehört niemandem; die Tür ist bei $2"],
  [/: house ([A-F])$/, ": Haus $1"],
  [/: the locomotive$/, ": die Lokomotive"],
  [/: the tunnel$/, ": der Tunnel"],
  [/: the game ends when the locomotive is here$/, ": Kommt die Lokomotive hierher, ist das Spiel zu Ende"],
];

const PIECES: Record<string, string> = {
  "a raft": "ein Floß", "dig hole": "Grabloch", lake: "See", land: "Land", railway: "Gleis", shore: "Ufer", street: "Straße", "the supply": "der Vorrat",
};

/** Piece by piece where it is a list: "(12) farm+cow", "b3: farm, 2 cows". */
function pieces(words: string): string {
  const said = words.split(/(\+|, |: )/).map((piece) => {
    const [, count = "", name = piece] = /^(\(\d+\) |\d+ )?(.+)$/.exec(piece) ?? [];
    return count + (PIECES[name] ?? GERMAN[name] ?? name);
  });
  return said.join("");
}

export function sayTitle(words: string): string {
  // Every seat by itself, so that each gets its name.
  let said = words.replace(/\bseats ([\d, ]+)/, (_, seats: string) => seats.split(", ").map((seat) => `seat ${seat}`).join(", "));
  if (language.value === "de") said = pieces(WHOLE.reduce((text, [pattern, german]) => text.replace(pattern, german), said));
  return said.replaceAll("+", " + ");
}
