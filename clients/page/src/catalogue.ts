/** What the server has to offer: games with their options, bots with their levels. Asked once. */

import { signal } from "@preact/signals";
import type { Components, GameInfo, ListBotsResponse, Options } from "@saloon/client/v1";
import { bots, inWords, persist, rules } from "./api";

export const games = signal<GameInfo[]>([]);
export const botKinds = signal<ListBotsResponse | undefined>(undefined);
export const unreachable = signal(false);
export const problem = signal(""); // why there is none

let asked: Promise<void> | undefined;

/** Once, however many screens want it. */
export function wantCatalogue(): Promise<void> {
  asked ??= persist(async () => {
    const [listed, kinds] = await Promise.all([rules.listGames({}), bots.listBots({})]);
    games.value = listed.games;
    botKinds.value = kinds;
  }, (is) => {
    unreachable.value = is;
  }).catch((error: unknown) => {
    problem.value = inWords(error);
  });
  return asked;
}

export function infoOf(name: string): GameInfo | undefined {
  return games.value.find((game) => game.name === name);
}

/** A game as it is with one of the server's own component sets; with none of that hash, as it is. */
export function withSet(info: GameInfo, hash: string): GameInfo {
  const own = info.ownSets.find((set) => set.componentSet?.hash === hash);
  return own ? { ...info, options: own.options, componentSet: own.componentSet, components: own.components } : info;
}

/** What such a table is played with: the printed set, or one of the server's own that its options name. */
export function components(name: string, options?: Options): Components | undefined {
  const own = infoOf(name)?.ownSets.find((set) => set.componentSet?.hash === options?.components?.hash);
  return (own ?? infoOf(name))?.components;
}

/** `moonRiver` as the contract's files have it: `moon_river`. */
export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
