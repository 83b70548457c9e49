/** The first game of somebody: what comes up is explained once, beside whose turn it is, and ringed on the board. */

import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { keep, kept } from "../keeping";
import { language } from "../settings";
import type { TableStore } from "../table/store";
import { t } from "../words";
import { goldgraeber } from "./goldgraeber";
import type { Lesson, Scene } from "./lesson";
import { moonRiver } from "./moon_river";

const LESSONS: Partial<Record<string, Lesson[]>> = { goldgraeber, moon_river: moonRiver };

/** What is the same in every first game: chance and bots. */
export const FIRST_GAME = { seed: 20n, level: "1" };

/** The table where somebody learns, and what they have read. */
interface Learning {
  table: string;
  read: string[];
}

const learning = signal<Learning | undefined>(kept<Learning | undefined>("learning", undefined));

function set(next: Learning | undefined): void {
  learning.value = next;
  keep("learning", next);
}

export function learnAt(table: string): void {
  set({ table, read: [] });
}

/** Whether such a game was learned to its end, or given up. */
export function learned(game: string): boolean {
  return kept<string[]>("learned", []).includes(game);
}

export class Guide {
  readonly lesson: ReadonlySignal<Lesson | undefined>;
  /** What to ring on the board. */
  readonly rings: ReadonlySignal<string[]>;
  private readonly scene: ReadonlySignal<Scene | undefined>;

  constructor(private readonly store: TableStore) {
    this.scene = computed(() => {
      const moment = store.shown.value;
      const seat = Object.keys(store.seats.value).map(Number)[0];
      if (learning.value?.table !== store.id || !moment || seat === undefined || store.past.value) return undefined;
      const turn = store.turn.value;
      const due = !turn ? "others" : turn.options.length > 0 ? "choose" : "confirm";
      return { moment, seat, due, phase: moment.status.phase, over: store.over.value };
    });
    this.lesson = computed(() => {
      const scene = this.scene.value;
      const read = learning.value?.read ?? [];
      return scene && LESSONS[store.gameName.value]?.find((one) => !read.includes(one.id) && one.when(scene));
    });
    this.rings = computed(() => (this.scene.value && this.lesson.value?.where(this.scene.value)) ?? []);
  }

  /** Read; the next thing may come. */
  next(): void {
    const lesson = this.lesson.peek();
    const now = learning.peek();
    if (!lesson || !now) return;
    set({ ...now, read: [...now.read, lesson.id] });
    if (lesson.id === "over") this.skip();
  }

  /** No more of it, here or at the start. */
  skip(): void {
    keep("learned", [...new Set([...kept<string[]>("learned", []), this.store.gameName.peek()])]);
    set(undefined);
  }
}

export function GuideCard({ guide }: { guide: Guide }) {
  const lesson = guide.lesson.value;
  if (!lesson) return null;
  return (
    <div class="guide" role="status">
      <p>{lesson.words[language.value]}</p>
      <div class="buttons">
        <button type="button" onClick={() => guide.next()}>{t("understood")}</button>
        <button type="button" class="plain" onClick={() => guide.skip()}>{t("noGuide")}</button>
      </div>
    </div>
  );
}
