/** The rules of the games in short, by language. */

import type { Language } from "../settings";
import { de } from "./de";
import { en } from "./en";

export interface Section {
  title: string;
  text: string[];
}

export const RULES: Record<Language, Record<string, Section[]>> = { en, de };
