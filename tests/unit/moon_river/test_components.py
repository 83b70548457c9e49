"""The component data (section 1), what a component file may not say (section 10), and the geometry of a ranch."""

from typing import Any

import pytest

from engine_cy import ComponentError, MoonRiver
from engine_cy.moon_river.components import Cell, Components
from tests.unit.moon_river.table import DESERT, FOREST, component_set, final, places, standard_data, table


def test_standard_set() -> None:
    """Sections 1 and 7: 96 plots in 25 kinds, 20 partners, 32 cows, 4 to a column, 5 to the saloon, 2 bonus tiles."""
    parts = MoonRiver().components
    by_landscape = {name: [p.count for p in parts.plots if p.landscape == name] for name in (
        "desert", "canyon", "meadow", "forest", "farm", "corn",
    )}  # fmt: skip
    assert by_landscape == {
        "desert": [7, 6, 4, 2, 2], "canyon": [6, 5, 4, 2, 1, 1], "meadow": [3, 4, 4, 2, 2, 2, 1],
        "forest": [4, 4], "farm": [6, 4], "corn": [9, 6, 5],
    }  # fmt: skip
    assert sum(plot.count for plot in parts.plots) == 96
    assert parts.partners == {"desperado": 5, "cattle_thief": 5, "gold_digger": 3, "trapper": 5, "farmer": 2}
    assert (parts.cows, parts.column_size, parts.saloon_size) == (32, 4, 5)
    assert [tile.sides for tile in parts.bonus_tiles] == [("desert", "meadow"), ("canyon", "forest")]


def test_boards() -> None:
    """MR-6: Camp 3 bridges and 3 slots, Mary 1/4, Wesley 2/3, Calamity 2/3, Big Jo 3/2."""
    boards = MoonRiver().components.boards.values()
    assert {board.name: (len(board.bridges), board.storage) for board in boards} == {
        "camp": (3, 3), "mary": (1, 4), "wesley": (2, 3), "calamity": (2, 3), "big_jo": (3, 2),
    }  # fmt: skip


def test_the_river() -> None:
    """Section 1: (0,0) (0,1) (0,3) (0,4) (1,2) touch it; the file may say otherwise, and where it says what is printed,
    or nothing, it is the same set as ever."""
    printed = MoonRiver().components
    assert printed.river == (Cell(0, 0), Cell(0, 1), Cell(0, 3), Cell(0, 4), Cell(1, 2))
    silent = {key: value for key, value in standard_data().items() if key != "river"}
    assert Components.from_dict(silent) == printed
    assert Components.from_dict(silent).digest == printed.digest
    assert printed.digest == "b82f485ac3827edf9b8556cb56f93effcc9b2e93d14cb77e4c9be4888880a583"
    other = component_set(river=[[4, 4], [0, 1], [0, 3], [1, 2], [0, 0], [0, 4]])
    assert other.river[-1] == Cell(4, 4)
    assert other.digest != printed.digest


@pytest.mark.parametrize(("river", "points"), [(None, 0), ([[0, 1], [0, 3], [1, 2], [0, 0], [0, 4], [4, 4]], 10)])
def test_the_file_says_where_rafts_start(river: list[list[int]] | None, points: int) -> None:
    """MR-31, Timber Rafting: three forests score if one of them is on a cell that the set says is at the river."""
    components = component_set(**({} if river is None else {"river": river}))
    rules = MoonRiver(3, legends=True, scenario="timber_rafting", components=components)
    game = final(rules, {(4, 4): FOREST, (3, 4): FOREST, (2, 4): FOREST, (0, 0): DESERT})
    assert game.scores()[0].to_dict()["scenario"] == points


def test_numbers() -> None:
    """Section 10: plots and tiles are numbered by table, from 0; a cell is (row, column), its index row*5+column."""
    data, parts = standard_data(), MoonRiver().components
    assert [(p.id, p.number, p.landscape) for p in parts.plots] == [
        (i, entry["number"], entry["landscape"]) for i, entry in enumerate(data["plot"])
    ]
    assert [tile.id for tile in parts.bonus_tiles] == [0, 1]
    assert (Cell(3, 4).flat, Cell.at(19)) == (19, Cell(3, 4))


def test_the_file_decides() -> None:
    """The engine hard-codes no component: with another storage and another bridge the Camp is another board."""
    board = {"name": "camp", "storage": 1, "bridges": [[0, 4]]}
    game = table(MoonRiver(3, components=component_set(board=[board])), hand=[DESERT, DESERT])
    assert places(game) == {((0, 3), (0, 4)), ((0, 4), (1, 4))}
    assert all(decision.kind == "build" for decision in game.decisions())


def with_plot(**changes: Any) -> dict[str, Any]:
    """The standard plots and four more."""
    plot = {"count": 4, "number": 3, "landscape": "canyon", **changes}
    return {"plot": [*standard_data()["plot"], plot]}


@pytest.mark.parametrize("changes", [
    with_plot(number=1),  # a canyon with the number 1 and without symbols is there
    with_plot(number=1, skull=True),
    with_plot(landscape="corn", cows=1),
    with_plot(skull=2),
    with_plot(circle=2),
    with_plot(cows=3),
    with_plot(number=7),
    with_plot(number=0),
    with_plot(landscape="sea"),
    with_plot(gold=1),
    with_plot(count=2),  # MR-24a
    {"bonus_tile": [{"sides": ["desert", "desert"]}]},
    {"board": [{"name": "camp", "storage": 3, "bridges": [[2, 2]]}]},  # not at the river
    {"board": [{"name": "camp", "storage": 3, "bridges": [[0, 2]]}]},  # the camp itself
    {"board": [{"name": "mary", "storage": 3, "bridges": [[0, 1]]}]},  # no camp
])  # fmt: skip
def test_wrong_files(changes: dict[str, Any]) -> None:
    """Section 10: no kind twice, no cow symbol on corn, at most one skull and one circle; bridges at the river."""
    with pytest.raises(ComponentError):
        component_set(**changes)


@pytest.mark.parametrize("changes", [
    with_plot(),
    with_plot(number=6, skull=True),  # like another kind but for its number
    with_plot(landscape="corn", circle=True),
    with_plot(skull=True, circle=True, cows=2, nuggets=3),
    {"bonus_tile": []},
    {"board": [{"name": "camp", "storage": 3, "bridges": [[0, 0], [0, 1], [0, 3], [0, 4], [1, 2]]}]},
])  # fmt: skip
def test_right_files(changes: dict[str, Any]) -> None:
    """Section 10: whatever is not forbidden can be played with."""
    rules = MoonRiver(2, components=component_set(**changes))
    assert rules.component_hash != MoonRiver(2).component_hash
