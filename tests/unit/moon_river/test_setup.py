"""Setup: MR-1 to MR-7."""

from collections import Counter
from typing import Any

import pytest

from engine_cy import Game, Generator, Happened, ImpossibleOutcome, MoonRiver, OptionError, View
from tests.unit.moon_river.table import (
    BEHIND,
    CANYON,
    CANYON_2_COWS,
    CANYON_SKULL,
    CORN_3,
    CORN_5,
    DESERT,
    DESERT_SKULL,
    FARM,
    FOREST,
    MEADOW,
    column,
    hand,
    options,
    places,
    plots_in_game,
    table,
)

COUNTS = (7, 6, 4, 2, 2, 6, 5, 4, 2, 1, 1, 3, 4, 4, 2, 2, 2, 1, 4, 4, 6, 4, 9, 6, 5)
TOKENS = {"desperado": 5, "cattle_thief": 5, "gold_digger": 3, "trapper": 5, "farmer": 2}
FIVE = ["desperado", "desperado", "cattle_thief", "trapper", "farmer"]


def laid_out(players: int, first: list[int]) -> Game:
    """A game up to the first column; the rest of chance is the test's."""
    game = Game(MoonRiver(players))
    game.reveal("saloon", FIVE)
    game.reveal("column", first)
    return game


def seats(game: Game) -> list[int | None]:
    return [seat for _, seat in column(game, "current")]


def test_what_is_dealt() -> None:
    """MR-1: five of the 20 tokens are shown, the others form the stack; the plots form the draw pile."""
    p = Game(MoonRiver(4), seed=3).position()
    assert (len(p["saloon"]), len(p["stack"])) == (5, 15)
    assert Counter(p["saloon"] + p["stack"]) == TOKENS
    assert (len(p["pile"]), len(p["current"]), p["supply"]) == (92, 4, 32)
    assert Counter(p["pile"] + [slot["plot"] for slot in p["current"]]) == dict(enumerate(COUNTS))


def test_shuffled() -> None:
    """MR-1: plots and tokens are shuffled, each seed in its own way."""
    dealt = [Game(MoonRiver(4), seed).position() for seed in range(8)]
    for order in ("pile", "stack"):
        assert len({tuple(p[order]) for p in dealt}) == 8
        assert all(p[order] != sorted(p[order]) for p in dealt)
    assert len({tuple(slot["plot"] for slot in p["current"]) for p in dealt}) > 4


def test_column_by_number() -> None:
    """MR-2: a column lies by ascending number: a told one has to."""
    game = Game(MoonRiver(4))
    game.reveal("saloon", FIVE)
    for wrong in ([FARM, DESERT, MEADOW, CORN_3], [DESERT, CORN_5, FOREST, FARM], [DESERT] * 3, [CANYON_2_COWS] * 4):
        with pytest.raises(ImpossibleOutcome):
            game.reveal("column", wrong)
    game.reveal("column", [DESERT, FOREST, FARM, CANYON_2_COWS])  # 1, 3, 5, 6
    assert column(game, "current") == [(DESERT, None), (FOREST, None), (FARM, None), (CANYON_2_COWS, None)]


def test_column_of_equal_numbers() -> None:
    """MR-2: equal numbers stay in the order drawn (the last plot of the pile is drawn first)."""
    slots = [(CORN_3, 0), *BEHIND[3]]
    drawn_first_to_last = [CORN_3, DESERT_SKULL, FOREST, DESERT]  # 3, 1, 3, 1
    game = table(phase="column", current=slots, upcoming=[], saloon=FIVE, pile=drawn_first_to_last[::-1], seed=1)
    assert [plot for plot, _ in column(game, "next")] == [DESERT_SKULL, DESERT, CORN_3, FOREST]


def test_told_order_of_equal_numbers() -> None:
    """MR-2: plots of equal numbers can be told in any order."""
    game = laid_out(4, [CANYON, DESERT_SKULL, DESERT, CANYON_SKULL])
    assert [plot for plot, _ in column(game, "current")] == [CANYON, DESERT_SKULL, DESERT, CANYON_SKULL]


def test_four_rancheros() -> None:
    """MR-3: each claim comes right after the draw of its ranchero; the last draw is no event, the last claim forced."""
    game = laid_out(4, [DESERT, DESERT, DESERT, FARM])
    for seat, place, free in ((2, 3, [0, 1, 2, 3]), (0, 1, [0, 1, 2]), (3, 2, [0, 2])):
        assert game.chance == "ranchero"
        game.reveal("ranchero", seat)
        assert (game.seat, options(game)) == (seat, [["claim", place] for place in free])
        game.decide(["claim", place])
    assert game.chance == "column"
    assert seats(game) == [1, 0, 3, 2]


def test_a_ranchero_is_drawn_once() -> None:
    """MR-3: who stands in the column already is not drawn again; there are no others than the players'."""
    game = laid_out(3, [DESERT] * 4)
    game.reveal("ranchero", 1)
    game.decide(["claim", 0])
    for seat in (1, 3):
        with pytest.raises(ImpossibleOutcome):
            game.reveal("ranchero", seat)


def test_rancheros_are_drawn_at_random() -> None:
    """MR-3: anybody's ranchero may be drawn first."""
    assert {Game(MoonRiver(4), seed).seat for seed in range(40)} == {0, 1, 2, 3}


def test_three_rancheros_leave_a_plot() -> None:
    """MR-3: with three players the last one still has a choice, and the plot left over is out of the game."""
    game = laid_out(3, [DESERT, DESERT, DESERT, FARM])
    for seat, place in ((2, 0), (1, 1)):
        game.reveal("ranchero", seat)
        game.decide(["claim", place])
    assert (game.seat, options(game)) == (0, [["claim", 2], ["claim", 3]])
    game.decide(["claim", 2])
    game.reveal("column", [CORN_3] * 4)
    for place in (0, 1, 2):
        game.decide(["select", place])  # nobody can build with one plot
    assert [hand(game, seat) for seat in range(3)] == [[DESERT]] * 3
    assert plots_in_game(game)[FARM] == COUNTS[FARM] - 1
    assert plots_in_game(game).total() == 95


def test_two_players_claim() -> None:
    """MR-4: the player drawn first places one, the other both, the first the second on the plot left over."""
    game = laid_out(2, [DESERT, DESERT, DESERT, FARM])
    game.reveal("ranchero", 1)
    asked = []
    for place in (2, 0, 3):
        asked.append((game.seat, [place for _, place in options(game)]))
        game.decide(["claim", place])
    assert asked == [(1, [0, 1, 2, 3]), (0, [0, 1, 3]), (0, [1, 3])]
    assert seats(game) == [0, 1, 1, 0]
    assert game.chance == "column"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_second_column(players: int) -> None:
    """MR-5: after the claims the second column is drawn, sorted like the first, and nobody stands there."""
    rules = MoonRiver(players)
    game = Game(rules, seed=5)
    while game.phase == "claim":
        assert column(game, "next") == []
        game.decide(["claim", options(game)[0][1]])
    numbers = [rules.components.plots[plot["plot"]].number for plot in game.position()["next"]]
    assert len(numbers) == 4
    assert numbers == sorted(numbers)
    assert all(seat is None for _, seat in column(game, "next"))


BOARDS = ["mary", "wesley", "calamity", "big_jo"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_default_boards(players: int) -> None:
    """MR-6: the Camp for everybody; with Legends the first of Mary, Wesley, Calamity and Big Jo."""
    assert list(MoonRiver(players).boards) == ["camp"] * players
    assert list(MoonRiver(players, legends=True).boards) == BOARDS[:players]
    assert list(MoonRiver(2, legends=True, boards=["big_jo", "mary"]).boards) == ["big_jo", "mary"]


@pytest.mark.parametrize("options", [
    {"boards": ["mary", "wesley"]},
    {"scenario": "outlaws"},
    {"legends": True, "boards": ["mary", "mary"]},
    {"legends": True, "boards": ["mary"]},
    {"legends": True, "boards": ["mary", "camp"]},
    {"legends": True, "scenario": "train_robbery"},
])  # fmt: skip
def test_impossible_boards_and_scenarios(options: dict[str, Any]) -> None:
    """MR-6: no board twice, Legends boards and scenarios only with Legends."""
    with pytest.raises(OptionError):
        MoonRiver(2, **options)


@pytest.mark.parametrize(("board", "storage", "first"), [
    ("camp", 3, {(0, 0, 0, 1), (0, 1, 1, 1), (0, 3, 0, 4), (0, 3, 1, 3), (1, 1, 1, 2), (1, 2, 1, 3), (1, 2, 2, 2)}),
    ("mary", 4, {(1, 1, 1, 2), (1, 2, 1, 3), (1, 2, 2, 2)}),
    ("wesley", 3, {(0, 0, 0, 1), (0, 1, 1, 1), (0, 3, 0, 4), (0, 3, 1, 3)}),
    ("calamity", 3, {(0, 0, 0, 1), (0, 0, 1, 0), (0, 3, 0, 4), (0, 4, 1, 4)}),
    ("big_jo", 2, {(0, 0, 0, 1), (0, 0, 1, 0), (0, 3, 0, 4), (0, 4, 1, 4), (1, 1, 1, 2), (1, 2, 1, 3), (1, 2, 2, 2)}),
])  # fmt: skip
def test_boards_at_work(board: str, storage: int, first: set[tuple[int, ...]]) -> None:
    """MR-6: every board's bridges take the first domino, and its storage decides when building is optional."""
    rules = MoonRiver(2)
    if board != "camp":
        others = [name for name in BOARDS if name != board]
        rules = MoonRiver(2, legends=True, scenario="outlaws", boards=[board, others[0]])
    game = table(rules, hand=[DESERT] * storage)
    assert places(game) == {((a, b), (c, d)) for a, b, c, d in first}
    assert ["stop"] in options(game)
    assert ["stop"] not in options(table(rules, hand=[DESERT] * (storage + 1)))


def test_everybody_has_a_board() -> None:
    """MR-6: the bridges and the storage of a seat are those of its own board."""
    rules = MoonRiver(3, legends=True, scenario="outlaws", boards=["big_jo", "mary", "wesley"])
    game = table(rules, phase="select", storages={1: [DESERT] * 3}, current=[(DESERT, 1), *BEHIND[3][1:]])
    game.decide(["select", 0])
    assert places(game) == {((1, 1), (1, 2)), ((1, 2), (1, 3)), ((1, 2), (2, 2))}
    assert ["stop"] in options(game)  # four plots, as many as Mary stores


@pytest.mark.parametrize("players", [2, 3, 4])
def test_scenario_drawn_first(players: int) -> None:
    """MR-6: a scenario not chosen is drawn, first of all events; all four can come."""
    game = Game(MoonRiver(players, legends=True))
    assert game.chance == "scenario"
    assert game.position()["scenario"] is None
    game.reveal("scenario", "gold_rush")
    assert game.position()["scenario"] == "gold_rush"
    assert game.chance == "saloon"
    drawn = {Game(MoonRiver(players, legends=True), seed).position()["scenario"] for seed in range(40)}
    assert drawn == {"timber_rafting", "gold_rush", "outlaws", "moon_river_city"}


def test_scenario_chosen() -> None:
    """MR-6: a chosen scenario holds from the start and is no event; the base game has none."""
    game = Game(MoonRiver(3, legends=True, scenario="outlaws"))
    assert (game.chance, game.position()["scenario"]) == ("saloon", "outlaws")
    base = Game(MoonRiver(3), seed=1)
    assert base.position()["scenario"] is None
    assert not any(isinstance(event, Happened) and event.what == "scenario" for event in base.history)


def reordered(game: Game, seed: int) -> dict[str, Any]:
    """The position with pile and stack in another order."""
    p, generator = game.position(), Generator(seed)
    for name in ("pile", "stack"):
        p[name] = sorted(p[name], key=lambda _: generator.next())
    return p


def test_views_are_blind_to_hidden_orders() -> None:
    """MR-7: whatever the orders of pile and stack, everybody sees the same."""
    game = Game(MoonRiver(3), seed=11)
    other = Game.at(game.rules, reordered(game, 5))
    assert other != game
    for seat in range(3):
        view = game.observe(seat)
        assert view == other.observe(seat)
        assert view == View.at(game.rules, reordered(game, 6), seat)
        assert (view.position(), str(view)) == (other.observe(seat).position(), str(other.observe(seat)))


def test_all_else_is_public() -> None:
    """MR-7: a view tells all but two orders: the contents of pile and stack as well, and the same to every seat."""
    game = Game(MoonRiver(4, legends=True), seed=2)
    full = game.position()
    for seat in range(4):
        view = game.observe(seat)
        assert view.position() == {**full, "pile": sorted(full["pile"]), "stack": view.position()["stack"]}
        assert Counter(view.position()["stack"]) == Counter(full["stack"])
        assert [d.to_list() for d in view.decisions()] == [d.to_list() for d in game.decisions()]


def test_determinized_games() -> None:
    """MR-7: a view can be filled with any order of what is left, and with nothing else."""
    view = Game(MoonRiver(2), seed=8).observe(0)
    games = [view.determinize(seed) for seed in range(10)]
    assert all(game.observe(0) == view for game in games)
    assert len({tuple(game.position()["pile"]) for game in games}) == 10
    assert len({tuple(game.position()["stack"]) for game in games}) == 10
