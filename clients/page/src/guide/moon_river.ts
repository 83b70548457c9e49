/** The first game of Moon River. */

import type { MoonRiverPosition } from "@saloon/client/v1";
import { cellName, panelOf } from "../games/game";
import { CONFIRM, type Lesson, OTHERS, type Scene } from "./lesson";

function at({ moment }: Scene): MoonRiverPosition | undefined {
  return moment.position.game.case === "moonRiver" ? moment.position.game.value : undefined;
}

function plots(scene: Scene) {
  return at(scene)?.ranches[scene.seat]?.plots ?? [];
}

function built(scene: Scene, wanted: (plot: ReturnType<typeof plots>[number]) => boolean): string[] {
  return plots(scene).filter(wanted).map(({ cell }) => `${panelOf(scene.seat)} [data-cell="${cellName(cell)}"]`);
}

function decides(phase: string): (scene: Scene) => boolean {
  return ({ due, phase: now }) => due === "choose" && now === phase;
}

const mine = (what: string) => ({ seat }: Scene): string[] => [`${panelOf(seat)} ${what}`];

export const moonRiver: Lesson[] = [
  {
    id: "claim",
    when: decides("claim"),
    where: () => ['[data-column="current"]'],
    words: {
      en: "Welcome! These plots of land are for the taking. Click the one you want: your ranchero stands there, and you get it at your turn. Those further up play first.",
      de: "Willkommen! Diese Landstücke sind zu haben. Klick auf das, was du willst: Dort steht dein Ranchero, und du bekommst es in deinem Zug. Wer weiter oben steht, spielt zuerst.",
    },
  },
  CONFIRM,
  OTHERS,
  {
    id: "build",
    when: decides("build"),
    where: mine("[data-stored]"),
    words: {
      en: "You hold plots enough for a domino. Click one in your storage, then the free cell where it shall lie, then the same with the other. One half has to lie at a bridge or next to the same landscape.",
      de: "Du hast genug Landstücke für einen Dominostein. Klick eines in deinem Lager an, dann das freie Feld, auf dem es liegen soll, und ebenso das andere. Eine Hälfte muss an einer Brücke liegen oder an der gleichen Landschaft.",
    },
  },
  {
    id: "select",
    when: decides("select"),
    where: () => ['[data-column="next"]'],
    words: {
      en: "The plot under your ranchero is in your storage now. Put the ranchero on a plot of the next column: that will be yours in the next round.",
      de: "Das Landstück unter deinem Ranchero liegt jetzt in deinem Lager. Setz ihn auf ein Landstück der nächsten Spalte: Das bekommst du in der nächsten Runde.",
    },
  },
  {
    id: "territory",
    when: (scene) => plots(scene).length > 0,
    where: (scene) => built(scene, () => true),
    words: {
      en: "Your ranch grows. Plots of one landscape that touch are a territory; at the end each counts its plots times its cows. Without a cow it counts nothing.",
      de: "Deine Ranch wächst. Landstücke gleicher Landschaft, die sich berühren, sind ein Gebiet; am Ende zählt jedes seine Landstücke mal seine Kühe. Ohne Kuh zählt es nichts.",
    },
  },
  {
    id: "cows",
    when: (scene) => plots(scene).some(({ cows }) => cows > 0),
    where: (scene) => built(scene, ({ cows }) => cows > 0),
    words: {
      en: "Here stands your first cow. Make the territory around it large, or bring more cows there.",
      de: "Hier steht deine erste Kuh. Mach das Gebiet um sie groß, oder bring noch mehr Kühe hinein.",
    },
  },
  {
    id: "recruit",
    when: decides("recruit"),
    where: () => ["[data-token]"],
    words: {
      en: "A circle was built: hire a partner. Click one in the saloon, then the circle where they shall stand. Diggers, trappers and farmers bring points; thieves and desperados act at once.",
      de: "Ein Kreis wurde gebaut: Wirb einen Partner an. Klick im Saloon auf einen, dann auf den Kreis, wo er stehen soll. Goldgräber, Fallensteller und Bauern bringen Punkte; Viehdiebe und Desperados handeln sofort.",
    },
  },
  {
    id: "herd",
    when: decides("herd"),
    where: (scene) => built(scene, ({ cows }) => cows > 0),
    words: {
      en: "The cowboy moves your cows, three steps in all. Click a cow and where it shall go; a cow helps most in a large territory.",
      de: "Der Cowboy treibt deine Kühe, drei Schritte insgesamt. Klick auf eine Kuh und dann dorthin, wo sie hin soll; in einem großen Gebiet nützt sie am meisten.",
    },
  },
  {
    id: "steal",
    when: decides("steal"),
    where: () => [],
    words: {
      en: "The cattle thief takes a cow from somebody else: click it. Territories with a partner are safe, yours too.",
      de: "Der Viehdieb nimmt jemandem eine Kuh weg: Klick auf sie. Gebiete mit einem Partner sind sicher, auch deine.",
    },
  },
  {
    id: "swap",
    when: decides("swap"),
    where: mine("[data-stored]"),
    words: {
      en: "The desperado swaps: click a plot of your storage, then one in the storage of somebody else.",
      de: "Der Desperado tauscht: Klick auf ein Landstück in deinem Lager, dann auf eines in einem anderen Lager.",
    },
  },
  {
    id: "discard",
    when: decides("discard"),
    where: mine("[data-stored]"),
    words: {
      en: "Your storage is full and no domino fits: two plots have to go. Click those you need least.",
      de: "Dein Lager ist voll, und kein Dominostein passt: Zwei Landstücke müssen weg. Klick auf die, die du am wenigsten brauchst.",
    },
  },
  {
    id: "drought",
    when: decides("drought"),
    where: (scene) => built(scene, ({ cows }) => cows > 0),
    words: {
      en: "A skull: one cow of this territory goes. Click which.",
      de: "Ein Totenkopf: Eine Kuh dieses Gebiets geht. Klick, welche.",
    },
  },
  {
    id: "last",
    when: (scene) => (at(scene)?.lastRound ?? false) && !scene.over,
    where: () => [],
    words: {
      en: "The last round: no plots are left to draw. Build what still brings points.",
      de: "Die letzte Runde: Es sind keine Landstücke mehr zu ziehen. Bau, was noch Punkte bringt.",
    },
  },
  {
    id: "over",
    when: ({ over }) => over,
    where: mine("[data-points]"),
    words: {
      en: "That was your first game! Beside the players stands where the points come from. Next time try bots of a higher level, or Legends.",
      de: "Das war dein erstes Spiel! Bei den Mitspielenden steht, woher die Punkte kommen. Versuch es nächstes Mal mit Bots höherer Stufe oder mit den Legenden.",
    },
  },
];
