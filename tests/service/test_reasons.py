"""Why a decision is better than another: figures that add up, and words that say the same."""

from statistics import fmean

import pytest
from saloon_client.v1 import bots_pb2, game_pb2, goldgraeber_pb2, moon_river_pb2, rules_pb2

from tests.service.games import Stubs, iterations, of

BASE = ["territories", "resources", "partners"]
LANDSCAPES = ["desert", "farm", "canyon", "meadow", "forest"]
TABLES = [
    game_pb2.Options(moon_river=moon_river_pb2.MoonRiverOptions(players=2)),
    game_pb2.Options(
        moon_river=moon_river_pb2.MoonRiverOptions(
            players=4, legends=True, scenario=moon_river_pb2.MOON_RIVER_SCENARIO_GOLD_RUSH
        )
    ),
    game_pb2.Options(goldgraeber=goldgraeber_pb2.GoldgraeberOptions(players=3)),
]
WORDS = {"en": (".", "by"), "de": (",", "durch")}


def figure(words: str, point: str) -> float:
    """What the words say, as a number."""
    return float(words.split()[0].rstrip(":").replace(point, "."))


@pytest.mark.parametrize(
    ("options", "parts"),
    list(zip(TABLES, (BASE, [*BASE, "scenario"], ["gold", "robbers"]), strict=True)),
    ids=["two", "gold_rush", "goldgraeber"],
)
def test_parts_add_up_and_words_say_the_same(stubs: Stubs, options: game_pb2.Options, parts: list[str]) -> None:
    game = stubs.rules.NewGame(rules_pb2.NewGameRequest(options=options, seed=2)).record
    told = 0
    for _ in range(6):
        request = bots_pb2.SuggestRequest(situation=of(game), budget=iterations(300), bot=bots_pb2.BotSettings(seed=1))
        answer = stubs.bots.Suggest(request).answer
        first, second = answer.suggestions[:2]
        scores = stubs.rules.Score(rules_pb2.ScoreRequest(situation=of(game))).scores
        known = getattr(scores[0], str(options.WhichOneof("game"))).DESCRIPTOR.fields_by_name
        for suggestion in answer.suggestions:
            me = suggestion.seats[answer.seat]
            assert [seat.seat for seat in suggestion.seats] == list(range(len(scores)))
            assert sum(seat.win for seat in suggestion.seats) == pytest.approx(1, abs=1e-4)
            assert (me.win, me.points) == pytest.approx((suggestion.win, suggestion.points), abs=1e-3)
            for seat in suggestion.seats:
                assert sum(part.points for part in seat.parts) == pytest.approx(seat.points, abs=1e-2)
                assert all(part.part in known for part in seat.parts)
                assert [part.part for part in seat.parts] == parts
                for part in seat.parts:
                    assert [each.part for each in part.parts] == (LANDSCAPES if part.part == "territories" else [])
                    assert not part.parts or sum(each.points for each in part.parts) == pytest.approx(part.points)
            told += check_reasons(suggestion, second if suggestion is first else first, answer.seat)
        game = stubs.after(game, answer).situation.record
    assert told


def finest(seat: bots_pb2.SeatOutlook) -> dict[str, float]:
    """What its points are made of: territories by landscape."""
    return {each.part: each.points for part in seat.parts for each in part.parts or [part]}


def check_reasons(suggestion: bots_pb2.Suggestion, other: bots_pb2.Suggestion, me: int) -> int:
    """How many there are."""
    its = finest(other.seats[me])
    found = {reason.part: reason for reason in suggestion.reasons}
    sizes = [abs(reason.points) for reason in suggestion.reasons]
    assert sizes == sorted(sizes, reverse=True)
    for name, points in finest(suggestion.seats[me]).items():
        difference = points - its[name]
        assert (name in found) == (abs(difference) >= 0.05)
        if name in found:
            assert found[name].points == pytest.approx(difference)
    others = fmean(seat.points for seat in suggestion.seats if seat.seat != me)
    less = fmean(seat.points for seat in other.seats if seat.seat != me) - others
    assert ("others" in found) == (abs(less) >= 0.05)
    for name, reason in found.items():
        assert set(reason.words) == set(WORDS)
        for language, (point, by) in WORDS.items():
            words = reason.words[language]
            assert figure(words, point) == pytest.approx(reason.points, abs=0.0501)
            assert (by in words.split()) == (name != "others")
        if name == "others":
            assert ("less" in reason.words["en"]) == (reason.points > 0)
            assert reason.points == pytest.approx(less)
    return len(found)


def test_a_review_says_why_the_best_would_have_been_better(stubs: Stubs) -> None:
    game = stubs.played(8, players=3)
    *parts, _ = stubs.bots.Review(bots_pb2.ReviewRequest(record=game, budget=iterations(60), seed=1), timeout=60)
    reasons = [part.decision for part in parts if part.decision.reasons]
    assert reasons
    assert all(said.quality != bots_pb2.DECISION_CLASS_BEST for said in reasons)
    assert not any(part.decision.reasons for part in parts if part.decision.quality == bots_pb2.DECISION_CLASS_BEST)
