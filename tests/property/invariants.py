"""What is true of a game at any time, counted from the position it shows."""

from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from engine_cy import Game, MoonRiver, View
from engine_cy.moon_river.components import SPECIALISTS

T = TypeVar("T")
E = TypeVar("E", bound=Exception)


def attempt(error: type[E], call: Callable[[], T]) -> tuple[T, None] | tuple[None, E]:
    """What the call returns, or the one error it may raise."""
    try:
        return call(), None
    except error as refusal:
        return None, refusal


def rules_of(game: Game | View) -> MoonRiver:
    """The rules, known to be Moon River's."""
    assert isinstance(game.rules, MoonRiver)
    return game.rules


def plots(position: dict[str, Any]) -> Counter[int]:
    """Every plot that is still in the game, by kind."""
    found = Counter[int](position["pile"])
    for column in ("current", "next"):
        found.update(slot["plot"] for slot in position[column] if slot["plot"] is not None)
    for hand in position["hands"]:
        found.update(hand)
    found.update(entry["plot"] for entry in laid(position) if isinstance(entry["plot"], int))
    return found


def laid(position: dict[str, Any]) -> list[dict[str, Any]]:
    """The plots of all ranches."""
    return [entry for ranch in position["ranches"] for entry in ranch]


def check_cows(rules: MoonRiver, position: dict[str, Any]) -> None:
    """MR-14, MR-15, MR-19, MR-21: supply and ranches add up, and no cow stands on corn."""
    entries = laid(position)
    assert position["supply"] >= 0
    assert all(entry["cows"] >= 0 for entry in entries)
    assert position["supply"] + sum(entry["cows"] for entry in entries) == rules.components.cows
    assert not any(entry["cows"] and landscape(rules, entry) == "corn" for entry in entries)


def check_tokens(rules: MoonRiver, position: dict[str, Any]) -> None:
    """MR-16: stack, saloon and partners add up; what is missing of the specialists lies there as cowboys."""
    partners = Counter(entry["partner"] for entry in laid(position))
    seen = Counter(position["stack"]) + Counter(position["saloon"]) + partners
    missing = {name: rules.components.partners[name] - seen[name] for name in SPECIALISTS}
    assert min(missing.values()) >= 0
    assert sum(missing.values()) == partners["cowboy"]
    assert len(position["saloon"]) <= rules.components.saloon_size
    assert all(circle(rules, entry) for entry in laid(position) if entry["partner"])


def check_ranches(rules: MoonRiver, position: dict[str, Any]) -> None:
    """MR-11, MR-13, MR-26: dominoes on free cells, a tile at most for each seat, no tile twice."""
    rows = 10 if rules.players == 2 else 5
    tiles = list(position["bonus_tiles"])
    for ranch, taken in zip(position["ranches"], position["bonus_taken"], strict=True):
        cells = [tuple(entry["cell"]) for entry in ranch]
        assert len(cells) == len(set(cells)) <= rows * 5 - 1
        assert (0, 2) not in cells
        assert all(0 <= row < rows and 0 <= column < 5 for row, column in cells)
        own = [entry["plot"]["tile"] for entry in ranch if isinstance(entry["plot"], dict)]
        assert len(own) <= taken
        assert (len(ranch) - len(own)) % 2 == 0
        tiles += own
    assert len(tiles) == len(set(tiles))
    assert set(tiles) <= set(range(len(rules.components.bonus_tiles) if rules.players == 2 else 0))


def check_table(rules: MoonRiver, position: dict[str, Any]) -> None:
    """MR-8..10, MR-17, MR-24: rancheros, columns, storages and the pile fit one another."""
    size, rancheros = rules.components.column_size, 2 if rules.players == 2 else 1
    assert len(position["pile"]) % size == 0
    assert len(position["current"]) in (0, size)
    assert len(position["next"]) in (0, size)
    standing = Counter(slot["seat"] for name in ("current", "next") for slot in position[name])
    turn, over = position["turn"], position["phase"] == "over"
    in_turn = position["phase"] not in ("scenario", "saloon", "column", "ranchero", "claim", "over")
    for seat, hand in enumerate(position["hands"]):
        full = rules.components.boards[rules.boards[seat]].storage + (in_turn and seat == turn["seat"])
        assert len(hand) <= (0 if over else full)
        assert hand == sorted(hand)
        standing[seat] += in_turn and seat == turn["seat"]
        assert standing[seat] <= rancheros
        if turn["claims"] == rancheros * rules.players and not position["last_round"]:
            assert standing[seat] == rancheros
    if position["last_round"]:
        assert not position["pile"]
        assert not position["next"]
    if turn["claims"] == rancheros * rules.players and not over:
        plots_left = [slot["plot"] is not None for slot in position["current"]]
        chosen = [slot["seat"] is not None for slot in position["current"]]
        assert sum(plots_left) - sum(chosen) == size - turn["claims"]
        assert not any(chosen[: max((i for i, left in enumerate(plots_left) if not left), default=0)])
    if over:
        assert position["last_round"]
        assert not position["current"]
        assert all(entry["cows"] <= 1 for entry in laid(position))  # MR-27


def landscape(rules: MoonRiver, entry: dict[str, Any]) -> str:
    plot = entry["plot"]
    if isinstance(plot, dict):
        return str(rules.components.bonus_tiles[plot["tile"]].sides[plot["side"]])
    return str(rules.components.plots[plot].landscape)


def circle(rules: MoonRiver, entry: dict[str, Any]) -> bool:
    return isinstance(entry["plot"], dict) or rules.components.plots[entry["plot"]].circle


def check_results(game: Game | View) -> None:
    """Section 8: the parts of a score add up, and MR-32 ranks."""
    scores = [score.to_dict() for score in game.scores()]
    for score in scores:
        assert score["total"] == sum(score[part] for part in ("territories", "resources", "partners", "scenario"))
    keys = [(score["total"], score["largest_territory"], score["cows"]) for score in scores]
    assert game.ranking() == [1 + sum(other > key for other in keys) for key in keys]


def check_decisions(game: Game | View) -> None:
    """Section 10: at least two different options, all of the phase, and none unless a decision is due."""
    options = game.decisions()
    lists = [option.to_list() for option in options]
    if game.over or game.chance:
        assert game.seat is None
        assert not options
        return
    assert game.seat is not None
    assert len(options) >= 2
    assert len({repr(option) for option in lists}) == len(options) == len(set(options))
    codes = [game.rules.encode(game.state.phase, option) for option in lists]
    assert codes == game.state.codes()
    assert all(game.state.is_legal(code) for code in codes)


def check(game: Game | View) -> dict[str, Any]:
    """All of it; returns the position."""
    rules, position = rules_of(game), game.position()
    found = plots(position)
    assert all(0 <= found[plot.id] <= plot.count for plot in rules.components.plots)
    for part in (check_cows, check_tokens, check_ranches, check_table):
        part(rules, position)
    check_results(game)
    check_decisions(game)
    assert str(game)
    return position
