/** What a first game explains: each thing once, when and where it first comes up. */

import type { Language } from "../settings";
import type { Moment } from "../table/store";

/** The table as it is seen while a person learns. */
export interface Scene {
  moment: Moment;
  /** The seat of the person who learns. */
  seat: number;
  /** What that person has to do now: choose, confirm what was chosen, or wait for others. */
  due: "choose" | "confirm" | "others";
  /** What is to be decided. */
  phase: string;
  over: boolean;
}

export interface Lesson {
  id: string;
  when(scene: Scene): boolean;
  /** Where on the board it is to be seen: selectors of the picture. */
  where(scene: Scene): string[];
  words: Record<Language, string>;
}

/** What is the same in every game. */
export const CONFIRM: Lesson = {
  id: "confirm",
  when: ({ due }) => due === "confirm",
  where: () => [],
  words: {
    en: "This is what the table would be like. Nothing is sent yet: confirm the turn, or take it back and try something else.",
    de: "So sähe der Tisch dann aus. Noch ist nichts abgeschickt: Bestätige den Zug, oder nimm ihn zurück und probier etwas anderes.",
  },
};

export const OTHERS: Lesson = {
  id: "others",
  when: ({ due, moment, over }) => due === "others" && !over && moment.number > 3,
  where: () => [],
  words: {
    en: "Now the others play, at a pace you can follow. “Faster” takes you to your next turn, and below stands what happened.",
    de: "Jetzt spielen die anderen, so schnell, dass du folgen kannst. „Schneller“ bringt dich zu deinem nächsten Zug, und unten steht, was geschah.",
  },
};
