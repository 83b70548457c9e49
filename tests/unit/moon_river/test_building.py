"""Placing a domino: MR-11 to MR-13a."""

import pytest

from engine_cy import Game, Generator, IllegalDecision, MoonRiver
from tests.unit.moon_river.table import (
    CANYON,
    CORN_3,
    CORN_ONLY,
    DESERT,
    DESERT_NUGGET,
    DESERT_SKULL,
    FARM,
    MEADOW,
    MEADOW_NUGGET,
    Cell,
    collect,
    full_except,
    options,
    places,
    plots,
    table,
)

# The places of a first domino on the Camp board: a bridge and a cell beside it.
FIRST = [
    ((0, 0), (0, 1)), ((0, 1), (1, 1)), ((1, 1), (1, 2)), ((1, 2), (1, 3)), ((1, 2), (2, 2)), ((0, 3), (1, 3)),
    ((0, 3), (0, 4)),
]  # fmt: skip


def test_first_domino() -> None:
    """MR-13: the first domino uses a bridge, and any plot can lie on it, either way round."""
    ways = [(DESERT, CANYON), (CANYON, DESERT)]
    builds = sorted(["build", a, list(low), b, list(high)] for low, high in FIRST for a, b in ways)
    assert options(table(hand=[DESERT, CANYON])) == [*builds, ["stop"]]


def test_first_domino_of_one_kind() -> None:
    """MR-12 and section 10: two plots of one kind have no two ways round."""
    builds = sorted(["build", DESERT, list(low), DESERT, list(high)] for low, high in FIRST)
    assert options(table(hand=[DESERT, DESERT])) == [*builds, ["stop"]]


def test_corner_of_four_cells() -> None:
    """MR-11, MR-12: all legal places in a corner of four free cells, for each half and each way round.

    Above the corner's first cell lies desert, left of it meadow; canyon and corn elsewhere do not match the hand.
    """
    ranch = full_except((3, 3), (3, 4), (4, 3), (4, 4)) | {(2, 3): DESERT_NUGGET, (3, 2): MEADOW}
    assert options(table(hand=[DESERT, MEADOW], ranch=ranch)) == [
        ["build", DESERT, [3, 3], MEADOW, [3, 4]],
        ["build", DESERT, [3, 3], MEADOW, [4, 3]],
        ["build", MEADOW, [3, 3], DESERT, [3, 4]],
        ["build", MEADOW, [3, 3], DESERT, [4, 3]],
        ["stop"],
    ]


@pytest.mark.parametrize(("free", "asked"), [
    ([(0, 3), (0, 4)], True),
    ([(0, 4), (1, 4)], True),
    ([(0, 4), (1, 0)], False),  # neighbours by index only
    ([(0, 0), (1, 1)], False),  # diagonal
    ([(0, 1), (0, 3)], False),  # the camp between them
])  # fmt: skip
def test_adjacent_free_cells(free: list[Cell], asked: bool) -> None:
    """MR-11: both halves on orthogonally adjacent free cells of the grid; there is corn beside all of these."""
    game = collect(hand=[CORN_3, CORN_3], ranch=full_except(*free))
    assert (game.phase == "build") == asked
    if asked:
        assert options(game) == [["build", CORN_3, list(free[0]), CORN_3, list(free[1])], ["stop"]]


def test_illegal_places() -> None:
    """MR-11: not on the camp, not on a plot, not across the edge, not apart, not on itself."""
    game = table(hand=[DESERT, DESERT], ranch={(0, 0): DESERT, (0, 1): DESERT})
    for first, second in [
        ([0, 2], [0, 3]), ([0, 0], [1, 0]), ([0, 4], [1, 0]), ([0, 3], [1, 2]), ([4, 0], [5, 0]), ([1, 0], [1, 0]),
        ([0, 3], [2, 3]), ([-1, 0], [0, 0]), ([0, 4], [0, 5]),
    ]:  # fmt: skip
        with pytest.raises(IllegalDecision):
            game.decide(["build", DESERT, first, DESERT, second])
    game.decide(["build", DESERT, [1, 0], DESERT, [2, 0]])
    assert set(plots(game)) == {(0, 0), (0, 1), (1, 0), (2, 0)}


def test_last_row() -> None:
    """MR-11: the ranch ends at row 4 with three players."""
    game = collect(hand=[CANYON, CANYON], ranch=full_except((4, 0), (4, 1)))
    assert options(game) == [["build", CANYON, [4, 0], CANYON, [4, 1]], ["stop"]]


def test_only_plots_in_hand() -> None:
    """MR-9, MR-11: a domino is made of plots in hand, of each no more than there are."""
    game = table(hand=[DESERT, CANYON], storages={1: [FARM]})
    for first, second in ((DESERT, DESERT), (DESERT, FARM)):
        with pytest.raises(IllegalDecision):
            game.decide(["build", first, [0, 0], second, [0, 1]])


def test_halves_do_not_count_for_each_other() -> None:
    """MR-12: two deserts match each other, which is worth nothing without a desert in the ranch."""
    assert collect(hand=[DESERT, DESERT], ranch=CORN_ONLY).phase == "select"


@pytest.mark.parametrize(("beside", "asked"), [(CANYON, False), (MEADOW_NUGGET, True)])
def test_diagonals_do_not_connect(beside: int, asked: bool) -> None:
    """MR-12: the same landscape must be orthogonally adjacent, a plot at the corner does not help."""
    ranch = full_except((4, 3), (4, 4)) | {(3, 2): MEADOW, (4, 2): beside, (3, 3): CANYON, (3, 4): CANYON}
    assert (collect(hand=[MEADOW, MEADOW], ranch=ranch).phase == "build") == asked


def test_edges_do_not_connect() -> None:
    """MR-12: the last cell of a row and the first of the next are no neighbours."""
    ranch = full_except((3, 0), (4, 0)) | {(2, 4): DESERT_NUGGET}
    assert collect(hand=[DESERT, DESERT], ranch=ranch).phase == "select"


def test_landscape_matters_not_the_kind() -> None:
    """MR-12: plots of one landscape connect whatever their symbols."""
    ranch = {**CORN_ONLY, (3, 2): CORN_3, (4, 2): DESERT_SKULL}
    game = collect(hand=[DESERT_NUGGET, MEADOW], ranch=ranch)
    assert places(game) == {((4, 0), (4, 1)), ((3, 1), (4, 1)), ((3, 3), (4, 3)), ((4, 3), (4, 4))}
    assert ["build", MEADOW, [4, 0], DESERT_NUGGET, [4, 1]] in options(game)
    assert ["build", DESERT_NUGGET, [4, 0], MEADOW, [4, 1]] not in options(game)


def test_only_the_own_ranch() -> None:
    """MR-12: a desert in another's ranch connects nothing."""
    others = {1: {(0, 0): DESERT, (0, 1): DESERT}}
    assert collect(hand=[DESERT, DESERT], ranch=CORN_ONLY, others=others).phase == "select"


def test_free_bridges_stay_usable() -> None:
    """MR-13a: with dominoes in the ranch the free bridges still take any plot."""
    game = table(hand=[DESERT, DESERT], ranch={(0, 0): MEADOW, (0, 1): MEADOW})
    assert places(game) == {place for place in FIRST if (0, 1) not in place}


def test_taken_bridges_connect_nothing() -> None:
    """MR-13a: a plot on a bridge is a plot like any other: it connects its own landscape only."""
    ranch = {**CORN_ONLY, (1, 2): MEADOW, (2, 2): CORN_3}
    assert collect(hand=[DESERT, DESERT], ranch=ranch).phase == "select"
    beside = {((1, 0), (1, 1)), ((1, 1), (2, 1)), ((1, 3), (1, 4)), ((1, 3), (2, 3))}
    assert places(table(hand=[MEADOW, MEADOW], ranch=ranch)) == beside


@pytest.mark.parametrize("players", [3, 4])
def test_plots_stay_where_they_are(players: int) -> None:
    """MR-13: a placed domino never moves, and plots are placed in pairs."""
    game, chooser = Game(MoonRiver(players), seed=1), Generator(1)
    before: list[dict[Cell, int]] = [{}] * players
    while not game.over:
        game.decide(options(game)[chooser.below(len(options(game)))])
        after = [plots(game, seat) for seat in range(players)]
        assert all(old.items() <= new.items() for old, new in zip(before, after, strict=True))
        assert all(len(ranch) % 2 == 0 for ranch in after)
        before = after
    assert any(before)
