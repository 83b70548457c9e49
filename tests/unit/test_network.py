"""The network of integers: read from a file, the same as its definition in plain Python; what a seat is described by
agrees with the rules."""

import json
import struct
from collections.abc import Sequence

import pytest

from engine_cy import Game, Generator, InputError
from engine_cy.network import Network, described, divided, expected, leads
from tests.tables import advance, tables

LEARNED = {name: rules for name, rules in tables().items() if rules.compiled.network is not None}


def file_of(sizes: Sequence[int], weights: bytes) -> bytes:
    return json.dumps({"sizes": list(sizes), "made": {"by": "hand"}}).encode() + b"\n" + weights


def length_of(inputs: int, first: int, second: int, outputs: int) -> int:
    return 2 * (inputs + 1) * first + 2 * second * first + 4 * second + 2 * outputs * second + 4 * outputs


def test_a_network_says_how_it_was_made() -> None:
    network = Network(file_of((3, 2, 2, 1), bytes(length_of(3, 2, 2, 1))))
    assert network.sizes == (3, 2, 2, 1)
    assert network.made == {"by": "hand"}


@pytest.mark.parametrize("sizes", [(0, 2, 2, 1), (4000, 2, 2, 1), (3, 129, 2, 1), (3, 2, 65, 1), (3, 2, 2, 9)])
def test_sizes_beyond_the_room_are_refused(sizes: tuple[int, int, int, int]) -> None:
    with pytest.raises(InputError, match=r"network\.sizes"):
        Network(file_of(sizes, bytes(length_of(*sizes))))


@pytest.mark.parametrize("more", [-1, 1])
def test_a_file_that_was_cut_is_refused(more: int) -> None:
    with pytest.raises(InputError, match=r"network\.weights: expected \d+ bytes"):
        Network(file_of((3, 2, 2, 1), bytes(length_of(3, 2, 2, 1) + more)))


def reference(data: bytes, counts: bytes) -> list[int]:
    """The definition of network.pxd, in parts of a point: 128 is one inside, 256 a weight of one."""
    head, _, weights = data.partition(b"\n")
    inputs, first, second, outputs = json.loads(head)["sizes"]
    at = 0

    def read(kind: str, n: int) -> tuple[int, ...]:
        nonlocal at
        values = struct.unpack_from(f"<{n}{kind}", weights, at)
        at += struct.calcsize(f"<{n}{kind}")
        return values

    def within(x: int) -> int:
        return min(max(x, 0), 16 * 128 - 1)

    rows = [read("h", first) for _ in range(inputs + 1)]
    into_second = [read("h", first) for _ in range(second)]
    second_start = read("i", second)
    into_outputs = [read("h", second) for _ in range(outputs)]
    output_start = read("i", outputs)
    a = [within(rows[inputs][j] + sum(counts[i] * rows[i][j] for i in range(inputs))) for j in range(first)]
    b = [
        within((second_start[j] + sum(x * w for x, w in zip(a, into_second[j], strict=True))) >> 8)
        for j in range(second)
    ]
    return [output_start[k] + sum(x * w for x, w in zip(b, into_outputs[k], strict=True)) for k in range(outputs)]


@pytest.mark.parametrize("name", LEARNED)
def test_what_is_expected_is_what_the_definition_says(name: str) -> None:
    """To the last bit, for every seat, all through a random game."""
    rules = LEARNED[name]
    lesson = next(
        lesson.name
        for lesson in rules.judgement.lessons
        if rules.judgement.network(lesson.name) is rules.compiled.network
    )
    data = rules.judgement.network_file(lesson).read_bytes()
    game, chooser = Game(rules, 5), Generator(5, stream=1)
    for _ in range(4):
        advance(game, chooser, 12)
        if game.over:
            break
        thoughts = expected(game.state)
        assert thoughts is not None
        for seat, (points, spread) in enumerate(thoughts):
            counts, now = described(game.state, seat)
            *parts, off = reference(data, counts)
            assert points == pytest.approx(sum(now) + sum(parts) / (128 * 256), abs=1e-4)
            assert spread == pytest.approx(max(0, off) / (128 * 256), abs=1e-4)


@pytest.mark.parametrize("name", LEARNED)
def test_points_so_far_are_those_of_the_rules(name: str) -> None:
    """What a seat is described to have is its score if the game ended now, in every state of random games."""
    rules = LEARNED[name]
    for seed in range(3):
        game, chooser = Game(rules, seed), Generator(seed, stream=2)
        while True:
            points, _ = game.state.score()
            assert [sum(described(game.state, seat)[1]) for seat in range(rules.players)] == list(points)
            if game.over:
                break
            advance(game, chooser, 1)


@pytest.mark.parametrize("name", [name for name in LEARNED if LEARNED[name].finer])
def test_what_the_first_part_is_made_of_adds_up(name: str) -> None:
    """In every state of random games, and by what a seat sees."""
    game, chooser = Game(LEARNED[name], 4), Generator(4)
    while not game.over:
        made_of = divided(game.state)
        assert [sum(points) for points in made_of] == [
            described(game.state, seat)[1][0] for seat in range(game.rules.players)
        ]
        assert divided(game.observe(game.seat or 0).state) == made_of
        advance(game, chooser, 1)


@pytest.mark.parametrize("name", LEARNED)
def test_a_game_that_is_over_is_expected_to_end_as_it_did(name: str) -> None:
    game = advance(Game(LEARNED[name], 3), Generator(3))
    points, _ = game.state.score()
    assert expected(game.state) == [(float(p), 0.0) for p in points]


@pytest.mark.parametrize("name", LEARNED)
def test_leads_are_those_of_what_each_decision_leads_to(name: str) -> None:
    game = advance(Game(LEARNED[name], 4), Generator(4), 10)
    seat = game.seat
    assert seat is not None
    others = [s for s in range(game.rules.players) if s != seat]
    for code, lead in leads(game.state):
        thoughts = expected(game.state.after(code))
        assert thoughts is not None
        mean = sum(thoughts[s][0] for s in others) / len(others)
        assert lead == pytest.approx(thoughts[seat][0] - mean, abs=1e-3)


def test_games_that_nobody_learned_say_so() -> None:
    game = Game(tables()["goldgraeber-4-prospecting"], 1)
    assert expected(game.state) is None
    with pytest.raises(ValueError, match="game that was learned"):
        leads(game.state)
