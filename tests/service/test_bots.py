"""The Bots service as a front end sees it."""

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from saloon_client.v1 import bots_pb2, bots_pb2_grpc, game_pb2, moon_river_pb2, rules_pb2, rules_pb2_grpc


@pytest.fixture(scope="module")
def bots(channel: grpc.Channel) -> bots_pb2_grpc.BotsStub:
    return bots_pb2_grpc.BotsStub(channel)


@pytest.fixture(scope="module")
def rules(channel: grpc.Channel) -> rules_pb2_grpc.RulesStub:
    return rules_pb2_grpc.RulesStub(channel)


def new_game(rules: rules_pb2_grpc.RulesStub, players: int = 4, seed: int = 5) -> game_pb2.Situation:
    options = game_pb2.Options(moon_river=moon_river_pb2.MoonRiverOptions(players=players))
    return game_pb2.Situation(record=rules.NewGame(rules_pb2.NewGameRequest(options=options, seed=seed)).record)


def milliseconds(n: int) -> bots_pb2.Budget:
    return bots_pb2.Budget(time=Duration(nanos=n * 1_000_000))


def test_a_suggestion_has_figures(bots: bots_pb2_grpc.BotsStub, rules: rules_pb2_grpc.RulesStub) -> None:
    request = bots_pb2.SuggestRequest(situation=new_game(rules), budget=milliseconds(50))
    answer = bots.Suggest(request).answer
    assert answer.choice == answer.suggestions[0].decision
    assert answer.choice.moon_river.WhichOneof("decision") == "claim"
    assert answer.iterations > 0
    assert answer.stopped == bots_pb2.STOP_REASON_TIME
    assert sum(s.share for s in answer.suggestions) == pytest.approx(1)


def test_an_answer_can_be_had_again(bots: bots_pb2_grpc.BotsStub, rules: rules_pb2_grpc.RulesStub) -> None:
    """What `replay` says gives the same figures, bit for bit."""
    situation = new_game(rules)
    first = bots.Suggest(bots_pb2.SuggestRequest(situation=situation, budget=milliseconds(30))).answer
    budget = bots_pb2.Budget(iterations=first.replay.iterations)
    again = bots.Suggest(bots_pb2.SuggestRequest(situation=situation, bot=first.replay.bot, budget=budget)).answer
    assert again.suggestions == first.suggestions
    assert again.choice == first.choice
