"""What a bot seat knows of the course of a game while others play, and how much it says to one who does not read."""

import asyncio

import pytest
from saloon_client.v1 import seats_pb2

from engine_cy import Game, GameRules, Generator, Record
from server.basics.refusals import Refused
from server.seats.outgoing import Outgoing
from server.seats.pondering import course
from tests.tables import advance, tables

TABLES = tables()
DECISIONS = 25


@pytest.fixture(params=TABLES)
def rules(request: pytest.FixtureRequest) -> GameRules:
    return TABLES[request.param]


def without_seed(game: Game) -> Game:
    """The same game as somebody tells it who owns the dice."""
    told = Game(game.rules)
    for _, what, value in Record.of(game).events:
        if told.seat is None:
            told.reveal(what, value)
        else:
            told.decide(value)
    return told


def test_the_decisions_between_two_moments(rules: GameRules) -> None:
    """Whether chance follows from a seed at either moment or is told."""
    game, chooser = Game(rules, 3), Generator(4)
    codes: list[tuple[int | None, int]] = []
    moments = [game.copy()]
    while not game.over and len(codes) < DECISIONS:
        seat, phase = game.seat, game.state.phase
        advance(game, chooser, 1)
        decision = next(event[2] for event in reversed(Record.of(game).events) if event[0] == "decision")
        codes.append((seat, rules.encode(phase, decision)))
        moments.append(game.copy())
    for first in range(1, len(moments), 4):
        for last in range(first, len(moments), 5):
            expected = codes[first:last]
            before, now = moments[first], moments[last]
            assert course(before, now) == expected
            assert course(without_seed(before), now) == expected
            assert course(before, without_seed(now)) == expected


def test_another_course_is_not_followed(rules: GameRules) -> None:
    """Neither that of a game that went otherwise, nor one that goes back, nor one by other rules."""
    before = advance(Game(rules, 3), Generator(4), 6)
    longer = advance(before.copy(), Generator(5), 6)
    assert course(longer, before) is None
    other = advance(Game(rules, 13), Generator(14), 12)
    assert course(before, other) is None
    twin = type(rules).from_options(rules.options(), rules.components)
    assert course(before, advance(Game(twin, 3), Generator(4), 6)) is None


def test_a_game_from_a_position_has_no_course(rules: GameRules) -> None:
    before = advance(Game(rules, 3), Generator(4), 6)
    assert course(Game.at(rules, before.position()), before) is None


def test_little_waits_for_one_who_does_not_read() -> None:
    """Then the bot waits, and at last it gives up; what is announced finds room all the same."""
    response, move = seats_pb2.SitResponse(), seats_pb2.SitResponse(move=seats_pb2.Move())

    async def work() -> None:
        out = Outgoing(unread_seconds=0.05)
        for _ in range(8):
            await out.say(response)
        with pytest.raises(Refused, match="not read"):
            await out.say(response)
        out.announce(move)
        out.end()
        assert [one async for one in out] == [response] * 8 + [move]
        await out.say(response)

    asyncio.run(work())
