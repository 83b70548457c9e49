"""The client for programs that wait, against a real server."""

import gc
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import grpc
import pytest
from saloon_client import (
    Client,
    InvalidRequest,
    chosen,
    goldgraeber,
    load_record,
    moon_river,
    save,
    table_bot,
    turn_clock,
)
from saloon_client.v1 import bots_pb2, game_pb2, moon_river_pb2, tables_pb2

from engine_cy import Game, MoonRiver
from engine_cy.records import Record
from tests.client.proxy import proxy


def test_the_first_move_in_three_lines(saloon: Client) -> None:
    game = saloon.new_game(moon_river(players=3), seed=1)
    assert saloon.suggest(game, time=0.05).choice.text.startswith("claim")


def test_options_by_name() -> None:
    options = moon_river(3, legends=True, scenario="gold_rush", boards=["mary", "wesley", "calamity"])
    assert options.moon_river.scenario == moon_river_pb2.MOON_RIVER_SCENARIO_GOLD_RUSH
    assert moon_river(2, legends=True, scenario=2).moon_river.scenario == 2
    assert not moon_river().moon_river.HasField("scenario")
    with pytest.raises(ValueError, match="expected one of timber_rafting, gold_rush"):
        moon_river(scenario="silver_rush")


def test_a_situation_in_any_form(saloon: Client) -> None:
    """A record, a position and a situation are all understood; anything else is a mistake that says so."""
    game = saloon.new_game(moon_river(players=2), seed=3)
    position = saloon.replay(game).position
    forms = (game, position, game_pb2.Situation(record=game), game_pb2.Situation(position=position))
    answers = [saloon.suggest(form, iterations=50, seed=1) for form in forms]
    assert all(answer.suggestions == answers[0].suggestions for answer in answers)
    with pytest.raises(TypeError, match="expected a GameRecord, a Position or a Situation, got dict"):
        saloon.suggest({}, time=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected an Event, a Chosen, a Chance or an Answer, got str"):
        saloon.apply(game, "claim")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="seconds: no such keyword; known are iterations, level"):
        saloon.suggest(game, seconds=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="level: no such keyword; known are iterations, time"):
        saloon.sit(0).decide(game, level=1)  # type: ignore[call-arg]


def test_settings_arrive(saloon: Client) -> None:
    game = saloon.new_game(moon_river(players=2), seed=3)
    legal = saloon.legal_decisions(game)
    answer = saloon.suggest(
        game,
        time=timedelta(milliseconds=50),
        personality=next(p.names[-1] for p in saloon.bots().personalities if p.game == "moon_river"),
        seed=9,
        search=bots_pb2.SearchSettings(win=0.5),
        count=2,
        evaluate=legal.decisions[-1:],
    )
    assert len(answer.suggestions) == 2
    assert answer.evaluated[0].decision == legal.decisions[-1]
    assert answer.budget.nanos == 50_000_000
    assert answer.replay.bot.seed == 9
    assert answer.replay.bot.search.win == 0.5
    assert saloon.suggest(game, level=3, time=0.05).replay.bot.level == "3"


def test_hundreds_of_calls_at_once(address: str) -> None:
    with Client(address) as saloon, ThreadPoolExecutor(300) as threads:
        for answer in threads.map(lambda _: saloon.bots(timeout=60), range(900)):
            assert answer.levels


def test_analyses_get_better_and_can_be_left(saloon: Client) -> None:
    game = saloon.new_game(moon_river(players=2), seed=3)
    answers = list(saloon.analyze(game, time=0.2))
    assert [answer.final for answer in answers] == [False] * (len(answers) - 1) + [True]
    assert answers[0].answer.iterations < answers[-1].answer.iterations
    running = saloon.analyze(game, time=20)
    next(running)
    running.close()
    assert saloon.suggest(game, time=0.05, timeout=2).iterations > 0


def test_a_decision_is_judged_before_it_is_taken(saloon: Client) -> None:
    game = saloon.new_game(moon_river(players=2), seed=3)
    legal = saloon.legal_decisions(game).decisions
    found = saloon.judge(game, [legal[0]], iterations=50, seed=2)
    assert [one.chosen for one in found.decisions] == [legal[0]]
    assert found.decisions[0].best in legal
    assert saloon.judge(game, [legal[0]], iterations=50, seed=2) == found


def test_reviews_come_event_by_event_and_can_be_left(saloon: Client) -> None:
    game = saloon.new_game(moon_river(players=2), seed=3)
    for _ in range(4):
        game = saloon.apply(game, *saloon.play_turn(game, iterations=5).answers).situation.record
    *parts, last = saloon.review(game, iterations=5, seed=2)
    assert [part.done for part in parts] == list(range(1, len(game.events) + 1))
    assert [seat.seat for seat in last.summary.seats] == [0, 1]
    assert list(saloon.review(game, iterations=5, seed=2)) == [*parts, last]
    running = saloon.review(game, time=20)
    next(running)
    running.close()
    assert saloon.suggest(game, time=0.05, timeout=2).iterations > 0


def test_what_chance_may_bring_is_said_to_those_who_ask(saloon: Client) -> None:
    game = saloon.new_game(goldgraeber(players=3), seed=4)
    first = saloon.suggest(game, iterations=200, outs=True).suggestions[0]
    assert sum(out.probability for out in first.outs) == pytest.approx(1)
    assert not saloon.suggest(game, iterations=200).suggestions[0].outs


def test_puzzles_are_looked_for_event_by_event(saloon: Client) -> None:
    game = saloon.new_game(moon_river(players=2), seed=3)
    game = saloon.apply(game, *saloon.play_turn(game, iterations=5).answers).situation.record
    parts = list(saloon.puzzles(game, iterations=200, least=0.5, seed=2))
    assert [part.done for part in parts] == list(range(1, len(game.events) + 1))
    assert {part.seed for part in parts} == {2}


@pytest.mark.parametrize("options", [moon_river(players=4, legends=True), goldgraeber(players=3, prospecting=True)])
def test_a_game_of_whole_turns(saloon: Client, options: game_pb2.Options) -> None:
    """A front end that only knows the client plays a game to its end, chance in the middle of a turn included."""
    game, status = saloon.new_game(options, seed=5), game_pb2.Status()
    while status.waiting != game_pb2.WAITING_OVER:
        turn = saloon.play_turn(game, level=1, time=1)
        after = saloon.apply(game, *turn.answers)
        game, status = after.situation.record, after.status
    scores = saloon.score(game)
    assert sorted(score.place for score in scores.scores)[0] == 1
    assert 10 <= saloon.replay(game, events=10, seat=1).events < 20  # with the chance that follows by itself
    assert saloon.render(game, seat=0, dark=True).svg.startswith("<svg")
    assert "moon_river" in [info.name for info in saloon.games()]


# ---- Seats


def test_nothing_is_left_of_a_call_when_a_seat_is_left(saloon: Client) -> None:
    """What is left in a circle until Python ends may wait there for a thread that is gone: some programs hung at their
    end. So none is found with the collector of circles turned off."""

    def calls() -> int:
        return sum(isinstance(found, grpc.Call) for found in gc.get_objects())

    gc.collect()
    before = calls()
    gc.disable()
    try:
        game = saloon.new_game(moon_river(players=2), seed=3)
        with saloon.sit(saloon.replay(game).status.seat, level=1) as bot:
            bot.decide(game)
            assert calls() > before
        assert calls() <= before
    finally:
        gc.enable()


def test_a_seat_decides(saloon: Client) -> None:
    game = saloon.new_game(moon_river(players=2), seed=3)
    seat = saloon.replay(game).status.seat
    with saloon.sit(seat, level=4, time=0.1, ponder=True) as bot:
        first = bot.decide(game, id="one")
        again = bot.decide(game, id="one")
        assert (first.from_memory, again.from_memory) == (False, True)
        assert again.answers == first.answers
        after = saloon.apply(game, first.answers[0])
        if after.status.seat != seat:
            bot.watch(after.situation)
        assert len(bot.decide(game, turn=True, iterations=50).answers) >= 1
        session = bot.session
        bot.close()
        with saloon.sit(seat, session=session) as other:
            assert other.decide(game, id="one").from_memory
        assert bot.session == session


def test_a_forgotten_session_begins_anew(saloon: Client) -> None:
    game = saloon.new_game(moon_river(players=2), seed=3)
    with saloon.sit(saloon.replay(game).status.seat, level=1, session="gone") as bot:
        assert not bot.decide(game).from_memory
        assert bot.session != "gone"


def test_the_end_of_a_game_is_a_goodbye(saloon: Client, caplog: pytest.LogCaptureFixture) -> None:
    game = saloon.new_game(moon_river(players=2), seed=3)
    with saloon.sit(0, level=1) as bot:
        while (status := saloon.replay(game).status).waiting != game_pb2.WAITING_OVER:
            decision = saloon.legal_decisions(game).decisions[0]
            game = saloon.apply(game, chosen(status.seat, decision)).situation.record
        bot.watch(game)
    assert not caplog.records


def test_a_cut_connection_decides_nothing_twice(saloon: Client, address: str) -> None:
    """Once while the bot thinks, once when it has answered and the answer is lost."""
    game = saloon.new_game(moon_river(players=2), seed=3)
    seat = saloon.replay(game).status.seat
    with proxy(address) as wire, Client(wire.address, seed=1) as far, far.sit(seat, time=0.4) as bot:
        threading.Timer(0.2, wire.cut).start()
        assert not bot.decide(game, id="while it thinks").from_memory
        assert wire.connections == 2

        def lose() -> None:
            wire.silent = False
            wire.cut()

        wire.silent = True
        threading.Timer(0.6, lose).start()
        assert bot.decide(game, id="when it has answered", time=0.1).from_memory
        assert wire.connections == 3
        assert bot.leave() == 2


# ---- Tables


def test_a_hosted_game(saloon: Client) -> None:
    made = saloon.create_table(moon_river(players=2), bots=[table_bot(1, level=1, name="Calamity")], seed=4)
    name = made.table.table
    assert name in [table.table for table in saloon.tables(only_free=True)]
    me = saloon.join(name, "Ann")
    assert [seat.name for seat in me.table.seats] == ["Ann", "Calamity"]
    for update in saloon.watch(name, me.token):
        status = update.table.status
        if status.waiting == game_pb2.WAITING_DECISION and status.seat == me.seat:
            break
    stand = saloon.table(name, me.token)
    acted = saloon.act(name, me.token, stand.decisions[0], after=stand.table.events, request_id="first")
    again = saloon.act(name, me.token, stand.decisions[0], after=stand.table.events, request_id="first")
    assert again == acted
    saloon.seat_bot(name, me.token, table_bot(me.seat, level=1))
    numbers = [update.event.number for update in saloon.watch(name) if update.HasField("event")]
    assert numbers == list(range(len(numbers)))
    record = saloon.export_table(name)
    assert len(record.events) == len(numbers)
    del record.events[20:]
    copy = saloon.import_table(record, by_invitation=True)
    assert copy.table.access == tables_pb2.ACCESS_INVITATION
    assert saloon.table(copy.table.table, copy.invitation).table.events >= 20


def test_a_time_for_each_turn_and_a_bot_for_who_is_away(saloon: Client) -> None:
    clock = turn_clock(timedelta(hours=2), takes_seat=True, level=3, time=0.5)
    made = saloon.create_table(moon_river(players=2), bots=[table_bot(1, level=1)], clock=clock)
    assert made.table.clock == clock
    assert (
        saloon.import_table(
            saloon.new_game(moon_river(players=2), seed=1), clock=turn_clock(30)
        ).table.clock.time.seconds
        == 30
    )
    me = saloon.join(made.table.table, "Ann")
    for update in saloon.watch(made.table.table):
        if update.table.HasField("time_left"):
            assert 7190 < update.table.time_left.seconds <= 7200
            break
    away = saloon.seat_bot(made.table.table, made.host_token, table_bot(0, time=30), away=True).table.seats[0]
    assert (away.name, away.player, away.away) == ("Ann", tables_pb2.PLAYER_BOT, True)
    assert not saloon.join(made.table.table, "Ann", token=me.token).table.seats[0].away
    with pytest.raises(InvalidRequest) as error:
        saloon.create_table(moon_river(players=2), clock=turn_clock(4))
    assert error.value.field == "clock.time"
    with pytest.raises(TypeError, match="sloth"):
        turn_clock(60, sloth=3)  # type: ignore[call-arg]


def test_a_lost_answer_takes_no_second_seat(saloon: Client, address: str) -> None:
    """The server has given the seat, but says so to nobody: the client asks again."""
    table = saloon.create_table(moon_river(players=2)).table.table
    with proxy(address) as wire, Client(wire.address, seed=1) as far:
        assert far.games()

        def lose() -> None:
            while not saloon.table(table).table.seats[0].name:
                time.sleep(0.01)
            wire.silent = False
            wire.cut()

        wire.silent = True
        thread = threading.Thread(target=lose)
        thread.start()
        me = far.join(table, "Ann")
        thread.join()
        assert wire.connections == 2
    assert [seat.name for seat in me.table.seats] == ["Ann", ""]
    assert saloon.table(table, me.token).seat == me.seat == 0


# ---- Files


def test_records_are_kept_in_files(saloon: Client, tmp_path: Path) -> None:
    game = saloon.new_game(moon_river(players=2), seed=2**64 - 1)
    status = saloon.replay(game).status
    game = saloon.apply(game, chosen(status.seat, saloon.legal_decisions(game).decisions[0])).situation.record
    path = tmp_path / "game.json"
    save(game, path)
    assert load_record(path) == game
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


@pytest.mark.parametrize("text", ["", "[]", '{"x": 1}', '{"seed": -1}', "[" * 100_000])
def test_other_files_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"game\.json: "):
        load_record(path)


def test_the_engines_own_records_are_named(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    Record.of(Game(MoonRiver(players=2), seed=1)).save(path)
    with pytest.raises(ValueError, match="a record of the engine; `saloon play`"):
        load_record(path)


def test_every_client_has_its_own_connection(address: str) -> None:
    """So that several of one program are served by several of the server's processes."""
    with proxy(address) as wire, Client(wire.address) as one, Client(wire.address) as other:
        assert one.games() == other.games()
        assert wire.connections == 2
