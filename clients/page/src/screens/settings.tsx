/** Language, colours, pace: how this person likes it. */

import { useRef } from "preact/hooks";
import { COACH, coach, type Colours, colours, confirming, type Language, language, type Pace, pace } from "../settings";
import { percent, t } from "../words";

export function SettingsButton() {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" class="plain" aria-haspopup="dialog" onClick={() => dialog.current?.showModal()}>{t("settings")}</button>
      <dialog ref={dialog} class="card" aria-label={t("settings")}>
        <form method="dialog" onSubmit={(event) => {
          event.preventDefault();
          dialog.current?.close();
        }}>
          <h2>{t("settings")}</h2>
          <label class="field"><span>{t("language")}</span>
            <select value={language.value} onChange={(event) => { language.value = event.currentTarget.value as Language; }}>
              <option value="en">English</option>
              <option value="de">Deutsch</option>
            </select>
          </label>
          <label class="field"><span>{t("colours")}</span>
            <select value={colours.value} onChange={(event) => { colours.value = event.currentTarget.value as Colours; }}>
              <option value="auto">{t("coloursAuto")}</option>
              <option value="light">{t("coloursLight")}</option>
              <option value="dark">{t("coloursDark")}</option>
            </select>
          </label>
          <label class="field"><span>{t("pace")}</span>
            <select value={pace.value} onChange={(event) => { pace.value = event.currentTarget.value as Pace; }}>
              <option value="calm">{t("paceCalm")}</option>
              <option value="normal">{t("paceNormal")}</option>
              <option value="quick">{t("paceQuick")}</option>
              <option value="none">{t("paceNone")}</option>
            </select>
          </label>
          <label class="check">
            <input type="checkbox" checked={confirming.value} onChange={(event) => { confirming.value = event.currentTarget.checked; }} />
            <span>{t("confirmTurns")}</span>
          </label>
          <label class="field"><span>{t("coach")}</span>
            <select value={coach.value} onChange={(event) => { coach.value = Number(event.currentTarget.value); }}>
              {COACH.map((least) => <option key={least} value={least}>{least ? t("coachFrom", percent(least)) : t("coachNever")}</option>)}
            </select>
          </label>
          <div class="buttons"><button type="submit" class="main">{t("done")}</button></div>
          <p class="faint"><a href="licences.txt">{t("licences")}</a></p>
        </form>
      </dialog>
    </>
  );
}
