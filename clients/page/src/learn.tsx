/** The rules, short, beside the table where they are needed. */

import { language } from "./settings";
import { RULES } from "./rules";
import { t } from "./words";

export function Learn({ game, open }: { game: string; open: boolean }) {
  const sections = RULES[language.value][game];
  if (!sections) return null;
  return (
    <section class="card learn" aria-labelledby="rules-title">
      <h2 id="rules-title">{t("rules")}</h2>
      {sections.map(({ title, text }, index) => (
        <details key={title} open={open && index < 2}><summary>{title}</summary>{text.map((line) => <p key={line}>{line}</p>)}</details>
      ))}
    </section>
  );
}
