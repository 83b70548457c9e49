"""What a front end gets from thinking: reproducible, fair, within its budget, with figures that agree."""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise

import pytest

from engine_cy import Decision, Game, GameRules, Generator, MoonRiver, OptionError
from engine_cy.game import View
from engine_cy.state import State
from search.arena import play
from search.ismcts import Search, clock_ns
from search.player import Answer, Budget, Player, Question, code_of, rest_of_turn
from search.search_player import SearchPlayer, local
from search.specs import spec
from tests.tables import advance, tables

TABLES = tables()
FEW = Budget(iterations=300)


def views(rules: GameRules, seed: int = 3) -> Iterator[View]:
    """What the deciding seat sees, in every kind of decision of a random game."""
    game, chooser = Game(rules, seed), Generator(seed, stream=4)
    seen: set[str] = set()
    while not game.over:
        if game.phase not in seen:
            seen.add(game.phase)
            assert game.seat is not None
            yield game.observe(game.seat)
        advance(game, chooser, 1)


def timeless(answer: Answer) -> Answer:
    return replace(answer, seconds=0.0)


def think(
    view: View,
    budget: Budget,
    seed: int,
    *,
    evaluate: Sequence[int] = (),
    count: int | None = None,
    threads: int = 1,
    personality: str | None = None,
    glances: int = 4000,
) -> Answer:
    """What a player says that has never thought before."""
    player = SearchPlayer(local(threads, glances=glances), personality=personality)
    return player.think(Question(view, budget.limit(), seed, count, evaluate))


def decide(player: Player, view: View, seed: int) -> Decision:
    return player.think(Question(view, FEW.limit(), seed)).choice


@pytest.mark.parametrize("table", TABLES)
def test_whatever_lies_hidden_the_answer_is_the_same(table: str) -> None:
    """Two games that look alike to a seat, with other orders hidden, get the identical answer, for every kind of
    decision: same view, same seed, same iterations."""
    different = 0
    for view in views(TABLES[table]):
        first, second = (view.determinize(seed) for seed in (1, 2))
        different += first.state != second.state
        for glances in (4000, 100):
            answers = [timeless(think(game.observe(view.viewer), FEW, 5, glances=glances)) for game in (first, second)]
            assert answers[0] == answers[1]
    assert different >= 3


@pytest.mark.parametrize("threads", [1, 2])
def test_same_seed_and_iterations_same_answer(threads: int) -> None:
    """Bit by bit, run after run; with threads too, since their trees are merged in order."""
    for view in views(MoonRiver(3)):
        first, second = (timeless(think(view, FEW, 7, threads=threads)) for _ in range(2))
        assert first == second
    assert timeless(think(view, FEW, 8, threads=threads)) != first


def view_of(table: str, decisions: int) -> View:
    game = advance(Game(TABLES[table], 5), Generator(6), decisions)
    assert game.seat is not None
    return game.observe(game.seat)


def test_an_answer_agrees_with_itself() -> None:
    """Every decision once, best first; shares add up; places and win probability fit each other."""
    view = view_of("moon_river-4", 30)
    answer = think(view, Budget(iterations=2000), 1)
    assert {s.decision for s in answer.suggestions} == set(view.decisions())
    assert sum(s.visits for s in answer.suggestions) == answer.iterations == 2000
    assert sum(s.share for s in answer.suggestions) == pytest.approx(1)
    assert all(a.visits >= b.visits for a, b in pairwise(answer.suggestions))
    assert answer.choice == answer.suggestions[0].decision
    for s in answer.suggestions:
        if s.visits:
            assert sum(s.places) == pytest.approx(1, abs=1e-4)
            assert s.win <= s.places[0] + 1e-4
            assert 0 <= s.reward <= 1
            assert s.error < 0.5
    for s in answer.suggestions[:3]:
        assert s.line[0] == f"{view.viewer}: {s.decision}"


def test_a_decision_asked_for_by_name_gets_figures() -> None:
    """Even one the search would hardly look at."""
    view = view_of("moon_river-2", 40)
    worst = think(view, Budget(iterations=1000), 1).suggestions[-1].decision
    codes = [code_of(view, decision) for decision in (worst, view.decisions()[0])]
    answer = think(view, Budget(iterations=1000), 1, evaluate=codes, count=1)
    assert len(answer.suggestions) == 1
    assert [s.decision for s in answer.evaluated] == [worst, view.decisions()[0]]
    assert all(s.visits >= 50 for s in answer.evaluated)


def test_decisions_asked_for_by_name_have_the_same_deadline() -> None:
    """However many iterations there are, and to the best others some time is left."""
    view = view_of("moon_river-4", 30)
    codes = view.state.codes()
    answer = think(view, Budget(seconds=0.05, iterations=10**8), 1, evaluate=codes[:3])
    assert answer.stopped == "time"
    assert sum(s.visits for s in answer.evaluated) < answer.iterations
    search = Search(view.state, 1)
    search.probe(codes[0], 10**8, clock_ns())
    assert search.iterations == 0


def test_a_whole_turn_can_be_played() -> None:
    """Its decisions are legal one after the other, all of one seat, and end where somebody else or chance comes."""
    for number in range(5, 60, 6):
        game = advance(Game(MoonRiver(3, legends=True), 9), Generator(9), number)
        seat, first = game.seat, game.state.turn_number
        assert seat is not None
        planned = SearchPlayer().turn(Question(game.observe(seat), Budget(iterations=400).limit(), 1))
        for decision in planned.decisions:
            assert (game.seat, game.state.turn_number) == (seat, first)
            game.decide(decision)
        assert game.over or (game.seat, game.state.turn_number) != (seat, first)
        assert len(planned.answers) == len(planned.decisions)
        assert all(other[0] != planned.decisions[0] for other in planned.alternatives)


def test_a_part_of_the_playouts_can_go_to_the_end() -> None:
    """Ends of games vary more than what is thought of them."""
    state = view_of("moon_river-2", 9).state

    def variance(whole: float) -> float:
        search = Search(state, 5, whole=whole)
        search.run(400)
        outcomes = search.outcomes().values()
        return sum(each.visits * (each.square - each.reward**2) for each in outcomes) / 400

    assert variance(0.0) < variance(0.5) < variance(1.0)
    assert variance(0.5) == variance(0.5)


@pytest.mark.parametrize("table", ["moon_river-2", "moon_river-4", "moon_river-4-legends"])
def test_late_playouts_are_decided_by_what_was_learned(table: str) -> None:
    """The first ones at a glance, as all of a search that is told to ask for nothing."""
    state = view_of(table, 20).state
    late, never = Search(state, 1, glances=50), Search(state, 1, asked=0)
    for search in (late, never):
        search.run(50)
    assert late.outcomes() == never.outcomes()
    for search in (late, never):
        search.run(100)
    assert late.outcomes() != never.outcomes()


def test_playouts_decided_by_what_was_learned_reach_the_end_of_the_game() -> None:
    """From every kind of decision there is, in the base game and in Legends; what comes of them adds up."""
    for view in chain(views(MoonRiver(4)), views(MoonRiver(3, legends=True))):
        search = Search(view.state, 1, glances=0, whole=1.0)
        search.run(30)
        wins = [search.told(code).wins for code, outcome in search.outcomes().items() if outcome.visits]
        assert all(sum(shares) == pytest.approx(1, abs=1e-3) for shares in wins)


def test_the_rest_of_a_turn_starts_from_the_tree_there_is() -> None:
    went_on = 0
    for number in range(20, 40):
        player = SearchPlayer()
        question = Question(view_of("moon_river-4", number), Budget(iterations=500).limit(), 1, count=1)
        best = player.think(question)
        after = rest_of_turn(best)
        if after is not None:
            went_on += 1
            rest = player.think(replace(question, view=after, limit=Budget(iterations=1).limit()))
            assert 1 < rest.iterations <= best.suggestions[0].visits + 1
    assert went_on >= 3


def test_answers_improve_and_the_last_is_final() -> None:
    question = Question(view_of("moon_river-2", 20), Budget(iterations=3000).limit(), 1)
    answers = list(SearchPlayer().improve(question))
    assert all(a.iterations <= b.iterations for a, b in pairwise(answers))
    assert [answer.final for answer in answers] == [False] * (len(answers) - 1) + [True]
    assert answers[-1].iterations == 3000
    assert answers[-1].stopped == "iterations"


def test_a_search_can_be_stopped_from_another_thread() -> None:
    player = SearchPlayer()
    threading.Timer(0.05, player.stop).start()
    answer = player.think(Question(view_of("moon_river-4", 10), Budget().limit(), 1))
    assert answer.stopped == "cancelled"
    assert answer.iterations > 0


def test_a_search_can_rest() -> None:
    """It makes no iteration meanwhile, goes on with what it knows, and finds what it would have found without."""
    view, budget = view_of("moon_river-4", 10), Budget(iterations=40_000)
    player, found = SearchPlayer(), list[Answer]()
    thread = threading.Thread(target=lambda: found.append(player.think(Question(view, budget.limit(), 1, None))))
    player.pause()
    thread.start()
    for _ in range(5):
        time.sleep(0.01)
        player.pause()
        time.sleep(0.02)
        made = player.trees.iterations
        time.sleep(0.02)
        assert player.trees.iterations == made < 40_000
        player.resume()
    thread.join(60)
    assert timeless(found[0]) == timeless(think(view, budget, 1))


def test_a_resting_search_ends_in_time_or_when_it_is_stopped() -> None:
    view = view_of("moon_river-4", 10)
    player = SearchPlayer()
    threading.Timer(0.02, player.pause).start()
    assert player.think(Question(view, Budget(seconds=0.1).limit(), 1)).stopped == "time"
    player = SearchPlayer()
    threading.Timer(0.02, player.pause).start()
    threading.Timer(0.05, player.stop).start()
    assert player.think(Question(view, Budget().limit(), 1)).stopped == "cancelled"


def test_time_is_a_budget() -> None:
    answer = think(view_of("moon_river-4", 10), Budget(seconds=0.05), 1)
    assert answer.stopped == "time"
    assert answer.seconds >= 0.05


def test_full_memory_ends_no_search() -> None:
    """It goes on without new nodes and still prefers one decision."""
    search = Search(view_of("moon_river-2", 40).state, 1, memory=20_000)
    search.run(3000)
    assert search.full
    assert sum(outcome.visits for outcome in search.outcomes().values()) > 2000


def best_reward(search: Search, state: State, me: int, players: int) -> tuple[float, ...]:
    """Max^n in plain Python, as slow as it is obvious."""
    if state.status == 2:
        points, places = state.score()
        rewards = []
        for seat in range(players):
            others = [p for s, p in enumerate(points) if s != seat]
            margin = (points[seat] - sum(others) / len(others)) / 30
            reward = 0.35 * (1 + margin / (1 + abs(margin)))
            rewards.append(reward + (0.3 / places.count(1) if places[seat] == 1 else 0))
        return tuple(rewards)
    assert state.seat is not None
    seat = state.seat
    below = [best_reward(search, state.after(code), me, players) for code in state.codes()]
    return max(below, key=lambda rewards: rewards[seat])


def endings(players: int, games: int, positions: int) -> Iterator[tuple[Game, View, Mapping[int, float]]]:
    """The decisions of random games whose rest can be worked out, with the exact rewards."""
    for seed in range(games):
        game, chooser = Game(MoonRiver(players), seed), Generator(seed)
        while not game.over:
            if game.state.determined:
                assert game.seat is not None
                view = game.observe(game.seat)
                exact = Search(view.state, 1).solve(positions)
                if exact is not None:
                    yield game, view, exact
            advance(game, chooser, 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_end_is_solved(players: int) -> None:
    """Where nothing hidden matters any more and the rest fits, the answer is exact: as a plain search of everything."""
    found = 0
    for game, view, exact in endings(players, 40, 400):
        found += 1
        answer = think(view, FEW, 1)
        assert answer.stopped == "solved"
        assert answer.suggestions[0].reward == pytest.approx(max(exact.values()))
        for code, value in exact.items():
            rewards = best_reward(Search(view.state, 1), game.state.after(code), view.viewer, players)
            assert value == pytest.approx(rewards[view.viewer], abs=1e-5)
    assert found >= 20


def test_personalities_think_differently() -> None:
    """Each has first thoughts of its own; all are legal, reproducible, and blind to what is hidden."""
    differ = 0
    for number in range(10, 50, 4):
        view = view_of("moon_river-4", number)
        answers = {name: think(view, FEW, 3, personality=name) for name in MoonRiver.personalities()}
        assert timeless(answers["balanced"]) == timeless(think(view, FEW, 3))
        for name, answer in answers.items():
            hidden = view.determinize(9).observe(view.viewer)
            assert timeless(think(hidden, FEW, 3, personality=name)) == timeless(answer)
            differ += timeless(answer) != timeless(answers["balanced"])
    assert differ >= 10
    with pytest.raises(OptionError, match="personality: expected one of balanced"):
        think(view, FEW, 3, personality="pirate")


def test_personalities_want_what_they_like() -> None:
    """A herder ends with more cows than a plain bot on the same seat of the same deals, an outlaw with more bandits."""
    found: dict[str, Counter[str]] = {}
    for name in ("balanced", "herder", "outlaw"):
        found[name] = Counter()
        for deal in range(16):
            bots = [spec(f"ismcts:iterations=60,personality={name}"), spec("greedy"), spec("greedy")]
            game = play(MoonRiver(3), bots, 1, deal, deal)
            partners = [entry["partner"] for entry in game.position()["ranches"][0]]
            found[name]["cows"] += game.scores()[0].to_dict()["cows"]
            found[name]["bandits"] += partners.count("desperado") + partners.count("cattle_thief")
    assert found["herder"]["cows"] > found["balanced"]["cows"] + 5
    assert found["outlaw"]["bandits"] > found["balanced"]["bandits"] + 5


def test_search_needs_a_view() -> None:
    """Of a seat, while some seat has to decide: its own decision, or another's to think ahead."""
    game = advance(Game(MoonRiver(3), 1), Generator(1), 9)
    assert game.seat is not None
    with pytest.raises(ValueError, match="observation"):
        Search(game.state, 1)
    other = Search(game.state.observe((game.seat + 1) % 3), 1)
    other.run(100)
    assert sum(outcome.visits for outcome in other.outcomes().values()) == 100


def test_thinking_ahead_is_not_lost() -> None:
    """While another seat decides a bot thinks about what may come; when it comes, what it knows of it stays."""
    game = advance(Game(MoonRiver(4), 3), Generator(3), 40)
    while game.phase != "select":
        advance(game, Generator(4), 1)
    assert game.seat is not None
    me, history = (game.seat + 1) % 4, len(game.history)
    player, codes = SearchPlayer(), []
    player.think(Question(game.observe(me), Budget(iterations=3000).limit(), 1))
    while game.seat != me:
        assert game.seat is not None
        view = game.observe(game.seat)
        decision = decide(SearchPlayer(), view, 1)
        codes.append((game.seat, code_of(view, decision)))
        game.decide(decision)
    assert len(game.history) > history
    question = Question(game.observe(me), Budget(iterations=200).limit(), 1, count=None)
    known = player.follow(question.view, codes)
    answer = player.think(question)
    assert known == (answer.iterations > 200)
    assert {s.decision for s in answer.suggestions} == set(game.decisions())
    assert sum(s.visits for s in answer.suggestions) >= 200
    assert not player.follow(question.view, [(me, 1 << 30)])  # nobody ever thought of that
    assert player.think(question).iterations == 200


def test_stronger_bots_win() -> None:
    """Not how strong they are (`saloon arena` measures that), but that the order is right."""
    game = Game(MoonRiver(2), 4)
    bots = [spec("ismcts:iterations=60"), spec("random")]
    players = [bot.player() for bot in bots]
    number = 0
    while not game.over:
        assert game.seat is not None
        question = Question(game.observe(game.seat), bots[game.seat].budget.limit(), number)
        game.decide(players[game.seat].think(question).choice)
        number += 1
    assert game.ranking() == [1, 2]
