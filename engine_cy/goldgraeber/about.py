"""Goldgräber described: its options for a form, its map as plain data, what may lie face down."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine_cy.goldgraeber.chips import chip_list, chip_table, kind_of_table
from engine_cy.goldgraeber.components import HOUSES, GoldenMap
from engine_cy.rules import About, OptionField
from engine_cy.state import State

if TYPE_CHECKING:
    from engine_cy.goldgraeber.rules import Goldgraeber

TITLE = "Goldgräber"
DESCRIPTION = (
    "Dig for gold around Golden City, beat robbers and other diggers, stay clear of the locomotive, and bring home "
    "what you have found before it is lost. 3 to 6 players; with prospecting, diggers may look at chips in secret."
)


def about(players: OptionField, golden: GoldenMap) -> About:
    return About(
        title=TITLE,
        description=DESCRIPTION,
        options=(
            players,
            OptionField("prospecting", "Prospecting", "A turn may be given up to look at the chips around.", "boolean"),
            OptionField("map", "Map", "The map that is played on.", "choice", choices=(golden.name,)),
            OptionField(
                "colours", "Colours", "Every seat's house, none twice; the first ones if none are chosen.",
                "integer_per_seat", low=0, high=len(HOUSES) - 1,
            ),
        ),
        components=_plain(golden),
    )  # fmt: skip


def _plain(golden: GoldenMap) -> dict[str, Any]:
    return {
        "name": golden.name,
        "rows": list(golden.rows),
        "fields": [{"field": list(field), "kind": golden.kind(field)} for field in golden.fields],
        "holes": [list(field) for field in golden.holes],
        "rail": [list(field) for field in golden.rail],
        "houses": [list(field) for field in golden.houses],
        "doors": [list(field) for field in golden.doors],
        "piers": [list(field) for field in golden.piers],
        "gold": [{"value": value, "count": count} for value, count in golden.gold],
        "robbers": [{"strength": strength, "count": count} for strength, count in golden.robbers],
    }


def beliefs(rules: "Goldgraeber", state: State) -> dict[str, Any]:
    """What may lie face down. Where nobody has looked any order is equally likely; of a view, its seat knows the chips
    it has looked at. `value` is the gold to be expected, robbers counting nothing."""
    f = rules.compiled.fields(state)
    position = rules.position(state)
    known = [entry["chip"] if state.viewer is not None else None for entry in position["chips"]]
    unknown = Counter(kind for (_, kind, *_), chip in zip(f["down"], known, strict=True) if chip is None)
    n = sum(unknown.values())
    return {
        "chips": [
            {"field": entry["field"], "known": chip, **_odds(unknown if chip is None else _certain(chip))}
            for entry, chip in zip(position["chips"], known, strict=True)
        ],
        "left": [{**chip_table(kind), "left": left, "chance": left / n} for kind, left in sorted(unknown.items())],
    }


def _certain(chip: dict[str, Any]) -> Counter[int]:
    return Counter([kind_of_table(chip)])


def _odds(chips: Counter[int]) -> dict[str, Any]:
    n = sum(chips.values())
    named = [(*chip_list(kind), count / n) for kind, count in sorted(chips.items())]
    return {
        "gold": sum(chance for name, _, chance in named if name == "gold"),
        "value": sum(chance * value for name, value, chance in named if name == "gold"),
        "robbers": [{"strength": value, "chance": chance} for name, value, chance in named if name == "robber"],
    }
