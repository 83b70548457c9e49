"""A table for the terminal: plain text, no colours, 80 columns wide for a ranch beside another."""

from typing import TYPE_CHECKING, Any

from engine_cy.moon_river.components import CAMP_CELL, LETTERS, Cell
from engine_cy.moon_river.state import COLUMNS, ROWS
from engine_cy.state import State

if TYPE_CHECKING:
    from engine_cy.moon_river.rules import MoonRiver

_WIDTH = 7
# No two begin with the same two letters.
PARTNERS = {
    "desperado": "Dsp", "cattle_thief": "Thf", "gold_digger": "Dig", "trapper": "Trp", "farmer": "Frm", "cowboy": "Cow",
}  # fmt: skip


def table(rules: "MoonRiver", state: State) -> str:
    """Columns, saloon, supply, and every seat's ranch, storage and points."""
    p = rules.position(state)
    lines = [_headline(rules, p, state), *_columns(rules, p)]
    lines += [
        f"saloon  {', '.join(p['saloon']) or 'empty'}",
        f"supply  {p['supply']} cows   hidden  {len(p['pile'])} plots, {len(p['stack'])} tokens",
    ]
    if p["bonus_tiles"]:
        lines.append("bonus   " + "   ".join(str(rules.components.bonus_tiles[t]) for t in p["bonus_tiles"]))
    panels = [_panel(rules, p, state, seat) for seat in range(rules.players)]
    for left, right in zip(panels[::2], [*panels[1::2], []], strict=False):
        lines.append("")
        height = max(len(left), len(right))
        for a, b in zip(_padded(left, height), _padded(right, height), strict=True):
            lines.append(f"{a:<44}{b}".rstrip())
    lines += ["", "cows o   partner in brackets, * a circle without one   n nugget  b beaver  k cob"]
    lines += ["partners, by two letters where there is no room:", partners_legend()]
    return "\n".join(lines) + "\n"


def _headline(rules: "MoonRiver", p: dict[str, Any], state: State) -> str:
    name = "Moon River" + (", Legends of the West" if rules.legends else "")
    if p["scenario"]:
        name += ": " + p["scenario"].replace("_", " ")
    if p["phase"] == "over":
        return f"{name} - the game is over"
    who = "chance" if state.seat is None else f"seat {state.seat}"
    return f"{name} - {who}: {p['phase']}{' (last round)' if p['last_round'] else ''}"


def _columns(rules: "MoonRiver", p: dict[str, Any]) -> list[str]:
    """Both columns side by side, a line for each position."""
    if not p["current"] and not p["next"]:
        return []
    names = [("current column", p["current"]), ("next column", p["next"])]
    texts = [[name, *(_slot(rules, i, slot) for i, slot in enumerate(column))] for name, column in names]
    height = max(map(len, texts))
    return [f"{a:<44}{b}".rstrip() for a, b in zip(_padded(texts[0], height), _padded(texts[1], height), strict=True)]


def _slot(rules: "MoonRiver", index: int, slot: dict[str, Any]) -> str:
    if slot["plot"] is None:
        return f"  {index + 1} -"
    plot = rules.components.plots[slot["plot"]]
    seat = "" if slot["seat"] is None else f"  <seat {slot['seat']}>"
    return f"  {index + 1} ({plot.number}) {plot}{seat}"


def _padded(lines: list[str], height: int) -> list[str]:
    return lines + [""] * (height - len(lines))


def _panel(rules: "MoonRiver", p: dict[str, Any], state: State, seat: int) -> list[str]:
    score = rules.scores(state)[seat]
    board = rules.components.boards[rules.boards[seat]]
    cells = {tuple(entry["cell"]): entry for entry in p["ranches"][seat]}
    rows = rules.rows
    used = [row for row, _ in cells]
    shown = rows if rows == ROWS else min(rows, max(used, default=0) + 3)
    rule = "  +" + ("-" * _WIDTH + "+") * COLUMNS
    lines = [f"seat {seat} ({board.name})   {score.total} points", "    " + (" " * _WIDTH).join(LETTERS), rule]
    for row in range(shown):
        entries = [(Cell(row, column), cells.get((row, column))) for column in range(COLUMNS)]
        lines.append(f"{row + 1:>2}|" + "|".join(_landscape(rules, board.bridges, *e) for e in entries) + "|")
        lines.append("  |" + "|".join(_symbols(rules, entry) for _, entry in entries) + "|")
        lines.append(rule)
    if shown < rows:
        lines.append(f"  ... rows to {rows}")
    storage = ", ".join(str(rules.components.plots[kind]) for kind in p["hands"][seat])
    return [*lines, f"  storage {len(p['hands'][seat])}/{board.storage}: {storage or '-'}"]


def _landscape(rules: "MoonRiver", bridges: tuple[Cell, ...], cell: Cell, entry: dict[str, Any] | None) -> str:
    if cell == CAMP_CELL:
        return " CAMP  "
    if entry is None:
        return "bridge ".center(_WIDTH) if cell in bridges else " " * _WIDTH
    plot = entry["plot"]
    if isinstance(plot, dict):
        name = rules.components.bonus_tiles[plot["tile"]].sides[plot["side"]]
    else:
        name = rules.components.plots[plot].landscape
    return name.ljust(_WIDTH)


def partners_legend() -> str:
    """What the signs of partners stand for."""
    return "  ".join(f"{sign} {name.replace('_', ' ')}" for name, sign in PARTNERS.items())


def _partner(name: str, room: int) -> str:
    """As long as there is room, and never the same for two partners."""
    return next((said for said in (f"[{name}]", f"[{name[:2]}]", f"/{name[:2]}") if len(said) <= room), name[:2])


def _symbols(rules: "MoonRiver", entry: dict[str, Any] | None) -> str:
    if entry is None:
        return " " * _WIDTH
    plot, circle, text = entry["plot"], True, ""
    if not isinstance(plot, dict):
        kind = rules.components.plots[plot]
        circle = kind.circle
        for letter, n in (("n", kind.nuggets), ("b", kind.beavers), ("k", kind.cobs)):
            text += f"{n if n > 1 else ''}{letter}" if n else ""
    text += "o" * entry["cows"] if entry["cows"] <= 3 else f"{entry['cows']}o"
    if entry["partner"]:
        text += _partner(PARTNERS[entry["partner"]], _WIDTH - len(text))
    elif circle:
        text += "*"
    return text[:_WIDTH].ljust(_WIDTH)
