/** The page: which screen is shown follows from what stands behind the # in the address. */

import { render } from "preact";
import { computed, signal } from "@preact/signals";
import { accessWanted, setAccessToken } from "./api";
import { keepKeys } from "./keeping";
import { PuzzleScreen } from "./screens/puzzle";
import { RecordScreen } from "./screens/record";
import { SettingsButton } from "./screens/settings";
import { Start } from "./screens/start";
import { Lobby } from "./screens/lobby";
import { TableScreen } from "./table/table";
import { t } from "./words";

const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
});

const route = computed<[string, string]>(() => {
  const [screen = "", table = "", invitation = ""] = hash.value.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  if ((screen === "join" || screen === "record") && table) {
    // What lets in is kept, and stands in no address any longer.
    const where = screen === "join" ? "table" : "record";
    if (invitation) keepKeys(table, { invitation });
    if (invitation || where === "table") history.replaceState(null, "", `#/${where}/${encodeURIComponent(table)}`);
    return [where, table];
  }
  return [screen, table];
});

function Screen() {
  const [screen, table] = route.value;
  switch (screen) {
    case "table":
      return <TableScreen key={table} id={table} />;
    case "tables":
      return <Lobby />;
    case "record":
      return <RecordScreen key={table} table={table} />;
    case "puzzle":
      return <PuzzleScreen />;
    case "review":
      return <RecordScreen key={table} table={table} review />;
    default:
      return <Start />;
  }
}

function App() {
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => {
        event.preventDefault();
        document.querySelector<HTMLElement>("main")?.querySelector<HTMLElement>("a, button, input, [tabindex]")?.focus();
      }}>{t("skip")}</a>
      <header class="bar">
        <a class="logo" href="#/" aria-label="Saloon"><img src="icon.svg" alt="" width="28" height="28" /> <span>Saloon</span></a>
        <nav aria-label={t("pages")}>
          <a href="#/tables">{t("tables")}</a>
          <a href="#/record">{t("records")}</a>
        </nav>
        <SettingsButton />
      </header>
      {accessWanted.value && <Access />}
      <Screen />
    </>
  );
}

function Access() {
  return (
    <form class="card access" onSubmit={(event) => {
      event.preventDefault();
      const field = event.currentTarget.elements.namedItem("access");
      if (field instanceof HTMLInputElement && field.value) {
        setAccessToken(field.value.trim());
        location.reload();
      }
    }}>
      <label class="field"><span>{t("accessWanted")}</span><input name="access" type="password" autocomplete="off" /></label>
      <button type="submit" class="main">{t("goOn")}</button>
    </form>
  );
}

const root = document.getElementById("app");
if (root) {
  root.replaceChildren(); // what stood there while this was on its way
  render(<App />, root);
}
