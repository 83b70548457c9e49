"""Between messages and plain data: where a field of the engine's lies in a message."""

import pytest
from saloon_client.v1 import goldgraeber_pb2, moon_river_pb2

from wire.naming import field_path


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
