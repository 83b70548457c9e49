"""Reviews: what adds up, what nobody may know, and that bad decisions and luck are told apart."""

from collections.abc import Mapping
from itertools import islice
from math import sqrt
from statistics import fmean, stdev
from threading import Timer

import pytest

from engine_cy import Game, Generator, Goldgraeber, MoonRiver
from engine_cy.game import Chosen, Happened, View
from engine_cy.moon_river.decisions import Recruit
from engine_cy.network import described
from engine_cy.rules import GameRules
from search.ismcts import clock_ns
from search.judging import BEST, BLUNDER, GOOD, MISTAKE, Judge, Judged
from search.outlook import outlook
from search.player import Budget, Limit, Question
from search.review import Fell, Review, Reviewer, review
from search.search_player import SearchPlayer
from search.simple_players import LevelPlayer, levels
from search.stats import Z95
from tests.search.test_puzzles import beginning
from tests.tables import advance, tables

TABLES = tables()


def reviewed(game: Game, iterations: int, seed: int = 1) -> list[Judged | Fell | Review]:
    return list(review(game, Limit(iterations), seed, Reviewer()))


def whole(parts: list[Judged | Fell | Review]) -> Review:
    last = parts[-1]
    assert isinstance(last, Review)
    return last


def judged(parts: list[Judged | Fell | Review]) -> list[Judged]:
    return [part for part in parts if isinstance(part, Judged)]


def played(rules: GameRules, names: list[str], seed: int) -> Game:
    """By a level for each seat."""
    game, players = Game(rules, seed), [LevelPlayer(levels()[name]) for name in names]
    while game.seat is not None:
        question = Question(game.observe(game.seat), Limit(), seed + len(game.history))
        game.decide(players[game.seat].think(question).choice)
    return game


@pytest.mark.parametrize("table", TABLES)
def test_result_is_what_was_expected_and_luck_and_what_decisions_brought(table: str) -> None:
    """Whole games and those that are not over: for every seat, and for all together."""
    rules = TABLES[table]
    games = [advance(Game(rules, 5), Generator(5), 12)]
    if "tiny" in table:
        games.append(advance(Game(rules, 6), Generator(6)))
    for game in games:
        parts = reviewed(game, 10)
        summary = whole(parts)
        assert [part.event for part in parts if not isinstance(part, Review)] == list(range(len(game.history)))
        assert summary.over == game.over
        for seat in summary.seats:
            assert seat.result == pytest.approx(seat.expected + seat.luck + seat.lost, abs=1e-9)
            assert seat.luck == pytest.approx(sum(part.luck[seat.seat] for part in parts if isinstance(part, Fell)))
            assert seat.given == pytest.approx(sum(p.lost for p in judged(parts) if p.seat == seat.seat))
            assert sum(seat.kinds.values()) == seat.decisions
        for total, each in ((1, "result"), (1, "expected"), (0, "luck"), (0, "lost")):
            assert sum(getattr(seat, each) for seat in summary.seats) == pytest.approx(total, abs=1e-5)
        if game.over:
            places = game.ranking()
            assert [seat.result for seat in summary.seats] == [(p == 1) / places.count(1) for p in places]


@pytest.mark.parametrize("table", ["moon_river-3", "goldgraeber-3-tiny-prospecting"])
def test_the_same_again_and_no_hindsight(table: str) -> None:
    """A review of the beginning says the same as one of the whole does of its beginning, whatever came later, and
    whether piles and dice were known from a seed or told."""
    game = advance(Game(TABLES[table], 3), Generator(3), 16)
    told = Game(game.rules)
    for event in game.history:
        told.play(event)
    first, again = reviewed(game, 12), reviewed(told, 12)
    assert first == again
    assert reviewed(game, 12, seed=2) != first
    start = advance(Game(TABLES[table], 3), Generator(3), 9)
    other = advance(start.copy(), Generator(8), 7)  # goes on otherwise from there
    for its in (reviewed(start, 12), reviewed(other, 12)):
        assert its[: len(start.history)] == first[: len(start.history)]


def test_a_record_that_ends_early_is_valued_as_its_decisions_are() -> None:
    """Before an event of chance, and where a seat decides: what comes next is no surprise, only chance may be one."""
    later = judged(reviewed(beginning(82), 400))
    for events, surprise in ((75, 0.08), (79, 0.05)):
        seats = whole(reviewed(beginning(events), 1600)).seats
        after = next(part for part in later if part.event >= events)
        assert [seat.result for seat in seats] == pytest.approx(after.wins, abs=surprise)
        assert sum(seat.result for seat in seats) == pytest.approx(1)
        for seat in seats:
            assert seat.result == pytest.approx(seat.expected + seat.luck + seat.lost)


def test_other_hidden_orders_are_reviewed_alike() -> None:
    """What lies in the piles is nothing a review goes by: two deals that have shown the same so far."""
    game = advance(Game(MoonRiver(2), 9), Generator(1), 10)
    view = game.observe(0)
    others = [view.determinize(seed) for seed in (1, 2)]
    assert others[0].state != others[1].state
    chosen = game.decisions()[-1]
    found = [Judge().judge(0, other.observe(game.seat or 0), chosen, Limit(30), 4) for other in others]
    assert found[0] == found[1]


def test_who_plays_better_gives_less_away() -> None:
    """With two seats and with more, in both games."""
    for rules, names in ((MoonRiver(2), ["1", "9"]), (Goldgraeber(3), ["1", "4", "9"])):
        seats = whole(reviewed(played(rules, names, 7), 30)).seats
        accuracies = [seat.accuracy or 0 for seat in seats]
        assert accuracies[0] < accuracies[-1]
        assert seats[0].given > 1.5 * seats[-1].given
        assert seats[0].points > 1.5 * seats[-1].points
        assert seats[0].kinds[BEST] < seats[-1].kinds[BEST]


def test_a_thrown_away_win_is_a_blunder() -> None:
    """An ending that can be worked out: the worst decision there is, and the best one."""
    for seed in range(40):
        found_ending = ending(seed)
        if found_ending is None:
            continue
        view, worths = found_ending
        if max(worths.values()) - min(worths.values()) > 0.3:
            break
    else:
        pytest.fail("no ending in which a decision matters")
    worst, best = (choose(worths, key=lambda code: worths[code]) for choose in (min, max))
    for code, kinds in ((worst, (BLUNDER, MISTAKE)), (best, (BEST,))):
        decision = view.rules.decode(view.state.phase, code)
        found = Judge().judge(0, view, decision, Limit(2000), 1)
        assert found.kind in kinds
        assert (found.lost > 0) == (code == worst)
        assert found.chosen == decision


def test_longer_looks_are_surer_of_a_blunder() -> None:
    """What a tree finds as it grows is no chance: thirty times the looks were five times less sure."""
    game = beginning(61)
    bad = next(each for each in game.decisions() if isinstance(each, Recruit) and each.specialist == "gold_digger")
    short, long = (Judge().judge(0, game.observe(0), bad, Limit(looks), 1) for looks in (2000, 60000))
    assert short.kind == long.kind == BLUNDER
    assert short.sure_of(0.05)
    assert long.sure_of(0.15)
    assert abs(long.lost - short.lost) < Z95 * (long.error + short.error)


def ending(seed: int) -> tuple[View, Mapping[int, float]] | None:
    """What the seat sees whose decision is the first that is worked out, and the worth of every decision."""
    game = advance(Game(MoonRiver(2), seed), Generator(seed))
    replayed, found = Game(game.rules, seed), None
    for event in game.history:
        if isinstance(event, Chosen):
            view = replayed.observe(event.seat)
            if view.state.determined:
                player = SearchPlayer()
                player.think(Question(view, Limit(10)))
                if player.exact is not None and len(player.exact) > 1:
                    found = found or (view, player.exact)
            replayed.decide(event.decision)
    return found


@pytest.mark.parametrize("table", ["moon_river-2", "goldgraeber-3"])
def test_luck_is_nothing_on_average(table: str) -> None:
    """Of all that an event of chance may bring, by what everybody sees: the better ones and the worse ones cancel."""
    game = advance(Game(TABLES[table], 4), Generator(4), 14)
    at = max(number for number, event in enumerate(game.history) if isinstance(event, Happened))
    before = Game(game.rules)
    for event in game.history[:at]:
        before.play(event)
    generator, lucks = Generator(11), []
    for _ in range(60):
        after = before.spectate().state.determinize(generator)
        after.draw(generator)
        might, now = outlook(before.state.spectate(), generator, 60, 8), outlook(after.spectate(), generator, 60, 8)
        lucks.append(now[0][0] - might[0][0])
    assert stdev(lucks) > 0
    assert abs(fmean(lucks)) < 4 * stdev(lucks) / sqrt(len(lucks))


def test_a_game_of_which_nothing_was_learned() -> None:
    """It is played out instead."""
    rules = Goldgraeber(3)
    rules.compiled.network = None
    summary = whole(reviewed(advance(Game(rules, 5), Generator(5), 4), 10))
    assert all(seat.result == pytest.approx(seat.expected + seat.luck + seat.lost) for seat in summary.seats)
    assert sum(seat.result for seat in summary.seats) == pytest.approx(1)


def test_a_review_can_be_stopped_and_rests() -> None:
    game = advance(Game(MoonRiver(2), 2), Generator(2), 20)
    reviewer = Reviewer()
    parts = review(game, Budget(seconds=600).limit(), 1, reviewer)
    assert len(list(islice(parts, 2))) == 2
    Timer(0.05, reviewer.stop).start()
    assert not any(isinstance(part, Review) for part in parts)  # in much less than ten minutes
    resting = Reviewer()
    resting.pause()
    Timer(0.05, resting.resume).start()
    assert list(review(game, Limit(5), 1, resting)) == reviewed(game, 5)


def test_time_is_shared_out_over_the_whole_game() -> None:
    """A review by time ends in time, and looks at every decision."""
    game = advance(Game(MoonRiver(2), 2), Generator(2))
    limit = Budget(seconds=1.5).limit()
    parts = list(review(game, limit, 1, Reviewer()))
    assert limit.deadline_ns is not None
    assert clock_ns() < limit.deadline_ns + 1_000_000_000
    assert len(parts) == len(game.history) + 1
    assert all(part.suggestions for part in judged(parts))
    assert any(part.kind not in (BEST, GOOD) for part in judged(parts))  # it was played at random


@pytest.mark.parametrize("table", TABLES)
def test_parts_of_points_are_those_of_scores(table: str) -> None:
    """What a search says points are made of has the names and the order of the rules: a game that is over shows it."""
    rules = TABLES[table]
    game = advance(Game(rules, 2), Generator(2), 30)
    for seat, points in enumerate(rules.compiled.points(game.state)):
        _, parts = described(game.state, seat)
        assert len(parts) == len(rules.parts)
        score = game.scores()[seat].to_dict()
        assert dict(zip(rules.parts, parts, strict=True)) == {name: score[name] for name in rules.parts}, points
