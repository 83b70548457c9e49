/** The rules, short, beside the table where they are needed. */

import { sections } from "./rules";
import { t } from "./words";

export function Learn({ game }: { game: string }) {
  const known = sections(game);
  if (!known.length) return null;
  return (
    <section class="card learn" aria-labelledby="rules-title">
      <h2 id="rules-title">{t("rules")}</h2>
      {known.map(({ title, text }) => (
        <details key={title}><summary>{title}</summary>{text.map((line) => <p key={line}>{line}</p>)}</details>
      ))}
    </section>
  );
}
