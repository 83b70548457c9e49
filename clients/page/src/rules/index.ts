/** The rules of the games in short. Their texts stand beside the rules themselves, where the command reads them, too. */

import goldgraeber from "../../../../engine_cy/goldgraeber/in_short.json";
import moonRiver from "../../../../engine_cy/moon_river/in_short.json";
import { language } from "../settings";

export interface Section {
  title: string;
  text: string[];
}

interface InShort {
  sections: Section[];
  /** Why something cannot be chosen, by what is to be decided. */
  why_not: Partial<Record<string, string>>;
}

const IN_SHORT: Partial<Record<string, Record<"en" | "de", InShort>>> = { goldgraeber, moon_river: moonRiver };

export function sections(game: string): Section[] {
  return IN_SHORT[game]?.[language.value].sections ?? [];
}

export function whyNot(game: string, phase: string, put: number | string = ""): string {
  return (IN_SHORT[game]?.[language.value].why_not[phase] ?? "").replace("{0}", String(put));
}
