"""Moon River on the screen: signs that cannot be mixed up, and decisions that name what they are about."""

import pytest
from rich.console import Console
from saloon_client import Client, moon_river
from saloon_client.v1 import common_pb2, game_pb2, moon_river_pb2

from engine_cy.moon_river.text import PARTNERS
from saloon.screens import screen_of
from saloon.screens.moon_river import MoonRiverScreen

Placed = moon_river_pb2.MoonRiverPlaced


@pytest.fixture(scope="module")
def screen(address: str) -> MoonRiverScreen:
    with Client(address) as client:
        made = screen_of(client, Console(width=100), moon_river(players=2))
    assert isinstance(made, MoonRiverScreen)
    return made


@pytest.mark.parametrize("cows", [0, 2, 3, 12])
def test_partners_are_told_apart_on_every_plot(cows: int, screen: MoonRiverScreen) -> None:
    """However much lies on it, no two partners look alike, and the legend begins with their signs."""
    for kind, plot in enumerate(screen.components.plots):
        if not plot.circle:
            continue
        ranch = moon_river_pb2.MoonRiverRanch()
        shown = set()
        for number in range(1, len(PARTNERS) + 1):
            partner = moon_river_pb2.MoonRiverPartner.ValueType(number)
            placed = Placed(cell=common_pb2.Cell(row=0, column=0), kind=kind, cows=cows, partner=partner)
            del ranch.plots[:]
            ranch.plots.append(placed)
            here = moon_river_pb2.MoonRiverPosition(ranches=[ranch, moon_river_pb2.MoonRiverRanch()])
            here.hands.extend([moon_river_pb2.MoonRiverHand()] * 2)
            with screen.console.capture() as capture:
                screen.console.print(screen.own(game_pb2.Position(moon_river=here), 0, []))
            shown.add(capture.get())
        assert len(shown) == len(PARTNERS)
    legend = screen.legend().plain
    for name, sign in PARTNERS.items():
        assert f"{sign} {name.replace('_', ' ')}" in legend


def test_a_bonus_tile_is_named_by_its_landscape(screen: MoonRiverScreen) -> None:
    (tile, *_) = screen.components.bonus_tiles
    here = moon_river_pb2.MoonRiverPosition(turn=moon_river_pb2.MoonRiverTurn(tile=0))
    cell = common_pb2.Cell(row=9, column=3)
    said = [
        screen.decision(
            game_pb2.Decision(
                moon_river=moon_river_pb2.MoonRiverDecision(
                    bonus_place=moon_river_pb2.MoonRiverBonusPlace(side=side, cell=cell)
                )
            ),
            game_pb2.Position(moon_river=here),
        )
        for side in range(2)
    ]
    names = [moon_river_pb2.MoonRiverLandscape.Name(side).rpartition("_")[2].lower() for side in tile.sides]
    assert said == [f"place the bonus tile, {name} up, on d10" for name in names]
