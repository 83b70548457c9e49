/** From clicks to a decision: every click leaves fewer, until one is left. */

import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Decision } from "@saloon/client/v1";
import type { Game, Hooks } from "../games/game";
import type { Target } from "./board";

/** Where something is to be decided. */
export interface Chooser {
  /** Who decides and what there is to choose from, if anything is. */
  due(): { seat: number; options: Decision[] } | undefined;
  readonly game: ReadonlySignal<Game>;
  choose(decision: Decision): Promise<void>;
}

interface Option {
  decision: Decision;
  hooks: Hooks;
  keys: Set<string>;
}

function option(decision: Decision, hooks: Hooks): Option {
  return { decision, hooks, keys: new Set([...hooks.picks, ...(hooks.pairs ?? []).map(joined)]) };
}

function joined([what, where]: [string, string]): string {
  return `${what}|${where}`;
}

export class Choosing {
  readonly picks = signal<string[]>([]);
  private readonly options: ReadonlySignal<Option[]>;
  /** What is still possible. */
  readonly left: ReadonlySignal<Decision[]>;
  readonly targets: ReadonlySignal<Target[]>;

  constructor(private readonly chooser: Chooser, label: (decision: Decision) => string) {
    this.options = computed(() => {
      const due = chooser.due();
      return due ? due.options.map((decision) => option(decision, chooser.game.value.hooks(decision, due.seat))) : [];
    });
    const left = computed(() => this.among(this.picks.value));
    this.left = computed(() => left.value.map(({ decision }) => decision));
    this.targets = computed(() => {
      const ways = new Map<string, Decision[]>();
      for (const one of left.value) {
        for (const pick of one.hooks.picks) ways.set(pick, [...(ways.get(pick) ?? []), one.decision]);
      }
      const picked = new Set(this.picks.value.flatMap((key) => key.split("|")));
      return [...ways].map(([selector, decisions]) => {
        const only = decisions.length === 1 ? decisions[0] : undefined;
        return { selector, label: only ? label(only) : "", picked: picked.has(selector) };
      });
    });
  }

  private among(picks: string[]): Option[] {
    return this.options.value.filter(({ keys }) => picks.every((pick) => keys.has(pick)));
  }

  pick(selector: string): void {
    const picks = this.picks.peek();
    const last = picks[picks.length - 1];
    let next: string[];
    if (picks.some((key) => key.split("|").includes(selector))) {
      next = picks.filter((key) => !key.split("|").includes(selector)); // clicked again: not that
    } else if (last && !last.includes("|") && this.among([...picks.slice(0, -1), joined([last, selector])]).length) {
      next = [...picks.slice(0, -1), joined([last, selector])]; // this one here
    } else next = [...picks, selector];
    let found = this.among(next);
    if (!found.length) {
      next = [selector];
      found = this.among(next);
    }
    const only = found.length === 1 && next.length ? found[0] : undefined;
    this.picks.value = only ? [] : next;
    if (only) void this.chooser.choose(only.decision);
  }

  choose(decision: Decision): void {
    this.picks.value = [];
    void this.chooser.choose(decision);
  }

  reset(): void {
    this.picks.value = [];
  }
}
