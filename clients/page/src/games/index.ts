/** The games this page knows more of than the server says. Any other can be played by the list of its decisions. */

import type { Game } from "./game";
import { goldgraeber } from "./goldgraeber";
import { moonRiver } from "./moon_river";
import { plain } from "./plain";

export const GAMES: Record<string, Game> = { moon_river: moonRiver, goldgraeber };

export function gameOf(name: string): Game {
  return GAMES[name] ?? plain;
}
