"""Between messages and plain data: where a field of the engine's lies in a message, and how large one may be."""

import pytest
from saloon_client.v1 import goldgraeber_pb2, moon_river_pb2

from engine_cy import InputError
from wire.naming import field_path
from wire.plain import MOST_ENTRIES, to_plain


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("supply", "supply"),
        ("ranches[0]", "ranches[0]"),
        ("ranches[0][3].cell", "ranches[0].plots[3].cell"),
        ("ranches[0][3].cell[1]", "ranches[0].plots[3].cell.column"),
        ("hands[1][2]", "hands[1].plots[2]"),
        ("turn.skulls[1]", "turn.skulls[1]"),
        ("turn.skulls[1][0]", "turn.skulls[1].row"),
        ("turn.thief[0]", "turn.thief.row"),
        ("current[3].seat", "current[3].seat"),
        ("rancheros of seat 0", "rancheros of seat 0"),
    ],
)
def test_paths_in_moon_river(path: str, found: str) -> None:
    assert field_path(moon_river_pb2.MoonRiverPosition.DESCRIPTOR, path) == found


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("diggers[2]", "diggers[2]"),
        ("diggers[2][0]", "diggers[2].row"),
        ("diggers[2][7]", "diggers[2][7]"),
        ("locomotive[1]", "locomotive.column"),
        ("chips[3].field[0]", "chips[3].field.row"),
        ("open[1][2].kind", "open[1].chips[2].kind"),
        ("robbers[1].loot[2].value", "robbers[1].loot[2].value"),
    ],
)
def test_paths_in_goldgraeber(path: str, found: str) -> None:
    assert field_path(goldgraeber_pb2.GoldgraeberPosition.DESCRIPTOR, path) == found


def test_lists_are_not_looked_at_if_they_are_too_long() -> None:
    """Whatever they hold, and however many of them there are."""
    large = moon_river_pb2.MoonRiverPosition()
    large.pile.extend([1] * (MOST_ENTRIES + 1))
    with pytest.raises(InputError, match="pile: expected at most"):
        to_plain(large)
    many = moon_river_pb2.MoonRiverPosition()
    for _ in range(100):
        plots = many.ranches.add().plots
        for _ in range(MOST_ENTRIES // 90):
            plots.add()
    with pytest.raises(InputError, match="plots: expected at most"):
        to_plain(many)
    del many.ranches[50:]
    assert len(to_plain(many)["ranches"]) == 50
