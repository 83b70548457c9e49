/** Every decision in words: for those who would rather read than click, and for keyboards. */

import { useSignal } from "@preact/signals";
import type { Decision } from "@saloon/client/v1";
import { t } from "../words";

const MANY = 10;
const MOST = 150;

export interface MovesProps {
  decisions: Decision[];
  words(decision: Decision): string;
  onChoose(decision: Decision): void;
  disabled: boolean;
}

export function Moves({ decisions, words, onChoose, disabled }: MovesProps) {
  const wanted = useSignal("");
  const terms = wanted.value.toLowerCase().split(/\s+/).filter(Boolean);
  const all = decisions.map((decision) => ({ decision, text: words(decision) }));
  const found = terms.length ? all.filter(({ text }) => terms.every((term) => text.toLowerCase().includes(term))) : all;
  return (
    <div class="moves">
      {decisions.length > MANY && (
        <label class="find">
          <span>{t("findMove", decisions.length)}</span>
          <input type="search" value={wanted} onInput={(event) => { wanted.value = event.currentTarget.value; }} />
        </label>
      )}
      <ul onKeyDown={walk}>
        {found.slice(0, MOST).map(({ decision, text }) => (
          <li key={text}>
            <button type="button" disabled={disabled} onClick={() => onChoose(decision)}>{text}</button>
          </li>
        ))}
      </ul>
      {found.length > MOST && <p class="faint">{t("moreMoves", found.length - MOST)}</p>}
    </div>
  );
}

/** Arrows go from one to the next. */
function walk(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step];
  next?.focus();
  event.preventDefault();
}
