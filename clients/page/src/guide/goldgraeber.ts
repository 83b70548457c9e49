/** The first game of Goldgräber. */

import type { GoldgraeberPosition } from "@saloon/client/v1";
import { cellName } from "../games/game";
import { CONFIRM, type Lesson, OTHERS, type Scene } from "./lesson";

function at({ moment }: Scene): GoldgraeberPosition | undefined {
  return moment.position.game.case === "goldgraeber" ? moment.position.game.value : undefined;
}

const digger = ({ seat }: Scene): string[] => [`[data-digger="${seat}"]`];
const row = (which: string) => ({ seat }: Scene): string[] => [`[data-part="seat"][data-seat="${seat}"] [data-${which}]`];

function count(chips: { chips: unknown[] } | undefined): number {
  return chips?.chips.length ?? 0;
}

export const goldgraeber: Lesson[] = [
  {
    id: "walk",
    when: ({ due, phase }) => due === "choose" && phase === "walk",
    where: digger,
    words: {
      en: "Welcome! This is your digger. The die says how many fields you walk, and you walk just as many: click a field that lights up. On a chip you turn it up and find gold, or a robber.",
      de: "Willkommen! Das ist dein Goldgräber. Der Würfel sagt, wie viele Felder du gehst, und genau so viele gehst du: Klick auf ein Feld, das leuchtet. Auf einem Chip deckst du ihn auf und findest Gold oder einen Räuber.",
    },
  },
  CONFIRM,
  OTHERS,
  {
    id: "gold",
    when: (scene) => count(at(scene)?.open[scene.seat]) > 0,
    where: row("open"),
    words: {
      en: "Gold! It lies open before you and can still be lost. Only what you bring into your house counts: walk there by the exact number, through the door.",
      de: "Gold! Es liegt offen vor dir, und du kannst es noch verlieren. Nur was du in dein Haus bringst, zählt: Geh mit der genauen Zahl hinein, durch die Tür.",
    },
  },
  {
    id: "robber",
    when: (scene) => (at(scene)?.robbers.length ?? 0) > 0,
    where: (scene) => (at(scene)?.robbers ?? []).map(({ field }) => `[data-robber="${cellName(field)}"]`),
    words: {
      en: "A robber. Who comes there has to throw more than its strength: then the robber is caught, with all that lies under it. Who throws less leaves all open gold under it.",
      de: "Ein Räuber. Wer dorthin kommt, muss höher würfeln als seine Stärke: Dann ist er gefangen, mit allem, was unter ihm liegt. Wer weniger wirft, lässt alles offene Gold unter ihm.",
    },
  },
  {
    id: "locomotive",
    when: (scene) => scene.moment.traces.length === 0 && scene.moment.number > 8,
    where: () => ["[data-locomotive]"],
    words: {
      en: "The locomotive. When the die shows it, it goes on by a field, and when it reaches the city the game ends at once. Who stands in its way loses what they carry.",
      de: "Die Lokomotive. Zeigt der Würfel sie, fährt sie ein Feld weiter, und erreicht sie die Stadt, ist das Spiel sofort zu Ende. Wer ihr im Weg steht, verliert, was er trägt.",
    },
  },
  {
    id: "ferry",
    when: ({ due, phase }) => due === "choose" && phase === "ferry",
    where: () => ["[data-raft]"],
    words: {
      en: "You are at a raft: it takes you over the lake at once. Click the shore where you want to land.",
      de: "Du bist an einem Floß: Es bringt dich sofort über den See. Klick auf das Ufer, an dem du landen willst.",
    },
  },
  {
    id: "retreat",
    when: ({ due, phase }) => due === "choose" && phase === "retreat",
    where: digger,
    words: {
      en: "After a fight one of the two has to go away. Click where; nothing is turned up on the way.",
      de: "Nach einem Kampf muss einer von beiden weg. Klick, wohin; aufgedeckt wird dabei nichts.",
    },
  },
  {
    id: "fight",
    when: (scene) => at(scene)?.turn?.fight !== undefined,
    where: () => [],
    words: {
      en: "A fight. Two diggers on one field throw the die against each other; the higher number takes all that the other carries.",
      de: "Ein Kampf. Zwei Goldgräber auf einem Feld würfeln gegeneinander; die höhere Zahl nimmt alles, was der andere trägt.",
    },
  },
  {
    id: "home",
    when: (scene) => count(at(scene)?.banked[scene.seat]) > 0,
    where: row("banked"),
    words: {
      en: "Home! This is yours now, and nobody can take it. A robber you caught counts two.",
      de: "Zu Hause! Das gehört dir jetzt, niemand kann es dir nehmen. Ein gefangener Räuber zählt zwei.",
    },
  },
  {
    id: "over",
    when: ({ over }) => over,
    where: ({ seat }) => [`[data-part="seat"][data-seat="${seat}"] [data-points]`],
    words: {
      en: "That was your first game! What you did not bring home counts nothing. Next time try bots of a higher level, or prospecting.",
      de: "Das war dein erstes Spiel! Was du nicht heimgebracht hast, zählt nichts. Versuch es nächstes Mal mit Bots höherer Stufe oder mit dem Schürfen.",
    },
  },
];
