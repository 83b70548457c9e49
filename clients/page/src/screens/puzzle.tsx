/** A puzzle for each day: a position in which one decision is much better than it looks, and why. */

import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { computed, effect, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type Decision, type Position, type Puzzle, PuzzleSchema, type Status, Theme } from "@saloon/client/v1";
import { inWords, persist, rules } from "../api";
import { components, snake, wantCatalogue } from "../catalogue";
import { gameOf } from "../games";
import { Learn } from "../learn";
import { dark } from "../settings";
import { Board } from "../table/board";
import { Choosing } from "../table/choosing";
import { situation } from "../table/store";
import { MoveList } from "../table/table";
import { because, percent, t } from "../words";

declare const PUZZLES: number; // how many there are, a file for each; said by build.mjs

const DAY = 24 * 3600 * 1000; // milliseconds

interface Shown {
  puzzle: Puzzle;
  position: Position;
  status: Status;
  svg: string;
  options: Decision[];
}

/** The day here, counted. */
function today(): number {
  const now = new Date();
  return Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / DAY);
}

class Solving {
  readonly puzzle = signal<Puzzle | undefined>(undefined);
  readonly number = signal(today());
  readonly shown = signal<Shown | undefined>(undefined);
  readonly chosen = signal<Decision | undefined>(undefined);
  readonly problem = signal("");
  readonly gameName = computed(() => snake(this.puzzle.value?.position?.game.case ?? ""));
  readonly game = computed(() => gameOf(this.gameName.value));

  due(): { seat: number; options: Decision[] } | undefined {
    const shown = this.shown.value;
    return shown && !this.chosen.value ? { seat: shown.puzzle.seat, options: shown.options } : undefined;
  }

  choose(decision: Decision): Promise<void> {
    this.chosen.value = decision;
    return Promise.resolve();
  }

  another(): void {
    this.chosen.value = undefined;
    this.number.value += 1;
  }

  open(): () => void {
    const stops = [
      effect(() => { void this.load(this.number.value); }),
      effect(() => {
        const puzzle = this.puzzle.value;
        const theme = dark.value ? Theme.DARK : Theme.LIGHT;
        if (puzzle?.position) void this.show(puzzle, puzzle.position, theme);
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }

  private async load(number: number): Promise<void> {
    try {
      await wantCatalogue();
      const found = (await persist(async () => (await fetch(`puzzle-${number % PUZZLES}.json`)).json())) as JsonValue;
      if (this.number.peek() === number) this.puzzle.value = fromJson(PuzzleSchema, found, { ignoreUnknownFields: true });
    } catch (error) {
      this.problem.value = inWords(error);
    }
  }

  private async show(puzzle: Puzzle, position: Position, theme: Theme): Promise<void> {
    try {
      const [{ svg }, legal] = await persist(() =>
        Promise.all([rules.render({ situation: situation(position), theme }), rules.legalDecisions({ situation: situation(position) })]));
      if (this.puzzle.peek() !== puzzle || !legal.status) return;
      this.shown.value = { puzzle, position, status: legal.status, svg, options: legal.decisions };
    } catch (error) {
      this.problem.value = inWords(error);
    }
  }
}

export function PuzzleScreen() {
  const solving = useMemo(() => new Solving(), []);
  useEffect(() => solving.open(), [solving]);
  const cast = { name: (seat: number) => t("seatNumber", seat) };
  const words = (decision: Decision | undefined) =>
    decision ? solving.game.value.choice(decision, solving.shown.value?.position, cast, components(solving.gameName.value)) : "";
  const choosing = useMemo(() => new Choosing(solving, words), [solving]);
  const shown = solving.shown.value;
  const chosen = solving.chosen.value;
  useEffect(() => choosing.reset(), [shown]);
  if (!shown) {
    return (
      <main class="narrow" aria-busy={solving.problem.value ? undefined : "true"}>
        <p role="status">{solving.problem.value || t("opening")}</p>
      </main>
    );
  }
  const { puzzle, position, status, svg } = shown;
  const game = solving.game.value;
  const best = chosen && puzzle.best ? game.hooks(puzzle.best, puzzle.seat) : undefined;
  const least = Math.min(...puzzle.others.map(({ lost }) => lost));
  return (
    <main class="playing" data-game={solving.gameName.value}>
      <div class="stage">
        <Board svg={svg} game={solving.gameName.value} name={cast.name} first={puzzle.seat} targets={choosing.targets.value}
          marks={best ? (best.places ?? best.picks).map((selector) => ({ selector, label: "★" })) : []}
          traces={[]} moving={game.moving} round={game.round} onPick={(selector) => choosing.pick(selector)} />
      </div>
      <div class="beside">
        <section class="card due" aria-labelledby="due-title">
          <h1 id="due-title">{t("puzzleOfDay")}</h1>
          <p>{cast.name(puzzle.seat)}: {game.due(status, position)}</p>
          {chosen ? <Answer puzzle={puzzle} chosen={chosen} words={words} /> : (
            <>
              <p>{t("puzzleSays", percent(least))}</p>
              <MoveList decisions={choosing.left.value} all={shown.options} words={words} busy={false}
                unseen={(decision) => game.hooks(decision, puzzle.seat).picks.length === 0}
                onChoose={(decision) => choosing.choose(decision)} />
            </>
          )}
          <div class="buttons">
            {chosen && <button type="button" onClick={() => { solving.chosen.value = undefined; }}>{t("puzzleAgain")}</button>}
            <button type="button" class={chosen ? "main" : ""} onClick={() => solving.another()}>{t("puzzleAnother")}</button>
          </div>
          {solving.problem.value && <p class="problem" role="alert">{solving.problem.value}</p>}
        </section>
        <Learn game={solving.gameName.value} />
      </div>
    </main>
  );
}

function Answer({ puzzle, chosen, words }: { puzzle: Puzzle; chosen: Decision; words(decision: Decision | undefined): string }) {
  const right = chosen.text === puzzle.best?.text;
  const [glance] = puzzle.others;
  const why = because(glance?.reasons ?? []);
  return (
    <div class="answer" role="status">
      <p><b>{t(right ? "puzzleRight" : "puzzleWrong")}</b> {words(puzzle.best)}{!right && "."}</p>
      {why && <p>{t("puzzleWhy", why)}</p>}
      <ul class="given">
        {puzzle.others.map((other, index) => (
          <li key={index} class={other.chosen?.text === chosen.text ? "mistake here" : ""}>
            {words(other.chosen)} <span class="faint">{index ? "" : `${t("puzzleGlance")}, `}{t("puzzleLost", percent(other.lost), percent(other.error))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
