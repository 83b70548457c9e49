"""A table for the terminal: the map as hexes, and what everybody has; plain text, no colours."""

from typing import TYPE_CHECKING, Any

from engine_cy.goldgraeber.components import HOUSES, Field, GoldenMap
from engine_cy.state import State

if TYPE_CHECKING:
    from engine_cy.goldgraeber.rules import Goldgraeber

_WIDTH = 94  # of the map
_MARKS = {"land": ".", "city": ":", "shore": "-", "water": "~"}
_LEGEND = (
    ". land  , empty hole  o face-down chip  R robber  = rail  L locomotive  : street  A-F house\n"
    "~ lake  - shore  u raft  @ digger of the seat; known to this seat: g gold, r robber"
)


def table(rules: "Goldgraeber", state: State) -> str:
    """The map, and every seat's digger, open chips, banked chips and points."""
    p = rules.position(state)
    lines = [_headline(rules, p, state), "", *_map(rules, p, state), "", *_LEGEND.splitlines(), ""]
    left = len(rules.components.rail) - 1 - rules.components.rail.index(Field(*p["locomotive"]))
    lines.append(f"{len(p['chips'])} chips face down   locomotive {left} from the city")
    for seat, score in enumerate(rules.scores(state)):
        digger = Field(*p["diggers"][seat])
        lines.append(
            f"seat {seat} ({HOUSES[rules.colours[seat]]}) at {digger!s:<4} open {_purse(p['open'][seat])}   "
            f"banked {_purse(p['banked'][seat])}   {score.total} points{'   rested' if seat in p['rested'] else ''}"
        )
    return "\n".join(lines) + "\n"


def _headline(rules: "Goldgraeber", p: dict[str, Any], state: State) -> str:
    name = "Goldgräber" + (", with prospecting" if rules.prospecting else "")
    if p["phase"] == "over":
        return f"{name} - the game is over"
    if state.seat is None:
        return f"{name} - seat {p['turn']['seat']}'s turn: {p['phase']}" if p["phase"] != "first" else f"{name} - first"
    steps = p["turn"]["steps"]
    return f"{name} - seat {state.seat}: {p['phase']}{f' {steps}' if steps else ''}"


def _purse(chips: list[dict[str, Any]]) -> str:
    gold = [chip["value"] for chip in chips if chip["kind"] == "gold"]
    robbers = len(chips) - len(gold)
    return f"{sum(gold)} gold" + (f", {robbers} robber{'s' if robbers > 1 else ''}" if robbers else "")


def _map(rules: "Goldgraeber", p: dict[str, Any], state: State) -> list[str]:
    """A line for each row, odd rows shoved by half a hex; columns as letters, rows as numbers."""
    golden = rules.components
    columns = len(golden.rows[0])
    width = max(2, min(5, _WIDTH // columns))
    marks = _marks(rules, p, state)
    names = "".join(str(Field(0, column))[:-1].ljust(width) for column in range(columns))
    lines = [f"    {names}".rstrip()]
    for row in range(len(golden.rows)):
        cells = (marks.get(Field(row, column), "")[: width - 1].ljust(width) for column in range(columns))
        lines.append(f"{row + 1:>3} {' ' * (width // 2) if row % 2 else ''}{''.join(cells)}".rstrip())
    return lines


def _marks(rules: "Goldgraeber", p: dict[str, Any], state: State) -> dict[Field, str]:
    golden = rules.components
    marks = {field: _ground(golden, field) for field in golden.fields}
    for entry in p["chips"]:
        chip = entry["chip"] if state.viewer is not None else None
        marks[Field(*entry["field"])] = "o" if chip is None else f"{chip['kind'][0]}{chip['value']}"
    for entry in p["robbers"]:
        marks[Field(*entry["field"])] = f"R{entry['strength']}"
    for raft in p["rafts"]:
        marks[Field(*raft)] = "u"
    marks[Field(*p["locomotive"])] = "L"
    for field in sorted({Field(*digger) for digger in p["diggers"]}):
        seats = "".join(str(seat) for seat, digger in enumerate(p["diggers"]) if Field(*digger) == field)
        marks[field] += f"@{seats}"
    return marks


def _ground(golden: GoldenMap, field: Field) -> str:
    letter = golden.letter(field)
    if field in golden.rail:
        return "="
    return letter if letter in HOUSES else "," if letter == "o" else _MARKS[golden.kind(field)]
