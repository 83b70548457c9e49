/** Suggestions that get better while one looks, and what is believed of what is hidden. */

import { useEffect } from "preact/hooks";
import { signal, useSignal } from "@preact/signals";
import { create } from "@bufbuild/protobuf";
import { type Answer, type Chance, type Decision, EventSchema } from "@saloon/client/v1";
import { bots, inWords } from "../api";
import { because, percent, points, t } from "../words";
import { situation, type TableStore } from "./store";
import type { Guess } from "../games/game";
import type { Mark } from "./board";

const SECONDS = 6;
const COUNT = 5;

/** What is drawn on the board. */
export const marks = signal<Mark[]>([]);
export const guesses = signal<Guess[]>([]);

export function Hints({ store, words, onChoose }: { store: TableStore; words(d: Decision): string; onChoose(d: Decision): void }) {
  const answer = useSignal<Answer | undefined>(undefined);
  const thinking = useSignal(false);
  const problem = useSignal("");
  const shown = store.shown.value;

  useEffect(() => {
    if (!shown) return undefined;
    const stop = new AbortController();
    answer.value = undefined;
    problem.value = "";
    thinking.value = true;
    void (async () => {
      try {
        const asked = {
          situation: situation(shown.position),
          budget: { time: { seconds: BigInt(SECONDS), nanos: 0 } },
          count: COUNT,
          outs: true,
        };
        for await (const found of bots.analyze(asked, { signal: stop.signal })) answer.value = found.answer;
      } catch (error) {
        if (!stop.signal.aborted) problem.value = inWords(error);
      } finally {
        if (!stop.signal.aborted) thinking.value = false;
      }
    })();
    return () => {
      stop.abort();
      marks.value = [];
      guesses.value = [];
    };
  }, [shown]);

  const suggestions = answer.value?.suggestions ?? [];
  useEffect(() => {
    marks.value = suggestions.slice(0, 3).flatMap(({ decision }, index) => {
      if (!decision) return [];
      const hooks = store.game.value.hooks(decision, answer.value?.seat ?? 0);
      return (hooks.places ?? hooks.picks).map((selector) => ({ selector, label: `${index + 1}` }));
    });
  }, [answer.value]);

  // They do not change while the bot thinks: the same that was drawn stays.
  const believed = answer.value?.beliefs;
  useEffect(() => {
    if (believed) guesses.value = store.game.value.guesses(believed, store.components.value);
  }, [believed !== undefined]);

  const outs = suggestions[0]?.outs ?? [];
  const otherwise = outs.filter(({ changes }) => changes).reduce((sum, { probability }) => sum + probability, 0);
  const beliefs = believed ? store.game.value.beliefs(believed, store.components.value) : [];
  return (
    <section class="card hints" aria-labelledby="hints-title">
      <h2 id="hints-title">{t("hints")}</h2>
      {problem.value && <p class="problem" role="alert">{problem.value}</p>}
      <p class="faint" role="status">
        {thinking.value ? t("thinking") : t("thought", Number(answer.value?.iterations ?? 0n).toLocaleString())}
      </p>
      <ol>
        {suggestions.map(({ decision, win, points: expected, margin, error, reasons }, index) => decision && (
          <li key={index}>
            <button type="button" class="suggestion" disabled={store.busy.value} onClick={() => onChoose(decision)}>
              <span class="rank" aria-hidden="true">{index + 1}</span>
              <span class="words">{words(decision)}</span>
              <svg class="win" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect width="100" height="8" class="all" />
                <rect width={win * 100} height="8" class="part" />
              </svg>
              <span class="figures">{t("figures", percent(win), points(expected), points(margin, true), percent(error))}</span>
              {reasons.length > 0 && (
                <span class="figures why">
                  {t(index ? "whyWorse" : "whyBetter", because(reasons))}
                </span>
              )}
            </button>
          </li>
        ))}
      </ol>
      {outs.length > 0 && (
        <details>
          <summary>{t("outs", percent(otherwise))}</summary>
          <ul class="beliefs">
            {outs.map(({ chance, probability, win, changes }, index) => (
              <li key={index}>
                <span>{chance && brought(store, chance)} {changes && <b aria-label={t("outChanges")} title={t("outChanges")}>≠</b>}</span>
                <span>{percent(probability)} · {t("outWin", percent(win))}</span>
              </li>
            ))}
          </ul>
          {otherwise > 0 && <p class="faint" aria-hidden="true">≠ {t("outChanges")}</p>}
        </details>
      )}
      {guesses.value.some(({ good }) => good !== undefined) && <p class="faint">{t("bars")}</p>}
      {beliefs.length > 0 && (
        <details>
          <summary>{t("hidden")}</summary>
          <ul class="beliefs">
            {beliefs.map(([what, chance]) => <li key={what}><span>{what}</span> <b>{percent(chance)}</b></li>)}
          </ul>
        </details>
      )}
    </section>
  );
}

/** What chance brings, in words. */
function brought(store: TableStore, chance: Chance): string {
  const event = create(EventSchema, { event: { case: "chance", value: chance } });
  return store.game.value.brief(event, store.cast, store.components.value).map(({ text }) => text).join(" ");
}
