"""All that does not fit in a position is told at once, each by its field of the contract."""

from collections.abc import Iterator

import pytest
from saloon_client import Client, InvalidRequest, goldgraeber, moon_river
from saloon_client.v1 import game_pb2, moon_river_pb2


@pytest.fixture(scope="module")
def saloon(address: str) -> Iterator[Client]:
    with Client(address) as client:
        yield client


def problems(saloon: Client, position: game_pb2.Position) -> dict[str, str]:
    with pytest.raises(InvalidRequest) as caught:
        saloon.suggest(position, iterations=1)
    assert all(f"{field}: {problem}" in str(caught.value) for field, problem in caught.value.problems)
    return {field.removeprefix("situation.position."): problem for field, problem in caught.value.problems}


def test_fields_that_are_wrong_by_themselves(saloon: Client) -> None:
    record = saloon.new_game(moon_river(players=3), seed=1)
    for _ in range(20):
        record = saloon.apply(record, *saloon.play_turn(record, level="1", seed=1).answers).situation.record
    position = saloon.replay(record).position
    table = position.moon_river
    seats = [seat for seat, ranch in enumerate(table.ranches) if len(ranch.plots) > 1]
    assert seats
    plots = table.ranches[seats[0]].plots
    plots[0].cell.row, plots[1].kind, table.supply = 9, 99, 77
    table.pile[0], table.turn.seat = 33, 5
    ranch = f"moon_river.ranches[{seats[0]}]"
    assert problems(saloon, position) == {
        "moon_river.supply": "expected an integer from 0 to 32, got 77",
        f"{ranch}.plots[0].cell.row": "expected an integer from 0 to 4, got 9",
        f"{ranch}.plots[1].plot": "expected an integer from 0 to 24, got 99",
        "moon_river.pile[0]": "expected an integer from 0 to 24, got 33",
        "moon_river.turn.seat": "expected an integer from 0 to 2, got 5",
    }


def test_what_does_not_fit_together(saloon: Client) -> None:
    position = saloon.replay(saloon.new_game(moon_river(players=3), seed=1)).position
    position.moon_river.supply -= 1
    position.moon_river.pile.append(0)
    position.moon_river.saloon[:] = [moon_river_pb2.MOON_RIVER_PARTNER_FARMER] * 5
    told = problems(saloon, position)
    assert told["moon_river.supply"] == "expected 32 cows together with those on ranches, got 31"
    assert told["moon_river.pile"] == "expected 92 plots, got 93"
    assert "tokens in the game" in told["moon_river.stack"]


def test_a_map_with_several_mistakes(saloon: Client) -> None:
    position = saloon.replay(saloon.new_game(goldgraeber(players=3), seed=1)).position
    table = position.goldgraeber
    table.diggers[0].row, table.diggers[2].column, table.turn.seat = 200, 200, 3
    told = problems(saloon, position)
    assert set(told) == {"goldgraeber.diggers[0]", "goldgraeber.diggers[2]", "goldgraeber.turn.seat"}
    assert told["goldgraeber.diggers[0]"].startswith("expected a field of the map")


def test_not_more_than_anybody_reads(saloon: Client) -> None:
    position = saloon.replay(saloon.new_game(goldgraeber(players=3), seed=1)).position
    for chip in position.goldgraeber.chips:
        chip.field.row = 99
    assert len(problems(saloon, position)) == 20
