/** How this person likes it. */

import { effect, signal } from "@preact/signals";
import { keep, kept } from "./keeping";

export type Colours = "auto" | "light" | "dark";
export type Pace = "calm" | "normal" | "quick" | "none";
export type Language = "en" | "de";

export const colours = signal<Colours>(kept<Colours>("colours", "auto"));
export const pace = signal<Pace>(kept<Pace>("pace", "normal"));
export const confirming = signal<boolean>(kept<boolean>("confirming", true));
/** The part of a win that somebody wants to be warned of before giving it away; 0: never. */
export const coach = signal<number>(kept<number>("coach", 0));
export const COACH = [0, 0.03, 0.07, 0.15];
export const language = signal<Language>(kept<Language>("language", navigator.language.startsWith("de") ? "de" : "en"));

const darkOutside = matchMedia("(prefers-color-scheme: dark)");
export const dark = signal(false);

effect(() => {
  keep("colours", colours.value);
  keep("pace", pace.value);
  keep("confirming", confirming.value);
  keep("coach", coach.value);
  keep("language", language.value);
});

function chooseColours(): void {
  dark.value = colours.value === "auto" ? darkOutside.matches : colours.value === "dark";
  document.documentElement.dataset.theme = dark.value ? "dark" : "light";
}

effect(chooseColours);
darkOutside.addEventListener("change", chooseColours);
effect(() => {
  document.documentElement.lang = language.value;
});

/** How long a step of others is looked at, in milliseconds. */
export const PACES: Record<Pace, number> = { calm: 1800, normal: 900, quick: 300, none: 0 };
