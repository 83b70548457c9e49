"""Questions with a single right answer."""

from saloon_client.v1 import bots_pb2, game_pb2

from tests.service.games import Stubs, iterations, of


def question(stubs: Stubs, seed: int = 1, count: int = 30) -> bots_pb2.SuggestRequest:
    """One that has a single right answer."""
    bot = bots_pb2.BotSettings(seed=seed)
    return bots_pb2.SuggestRequest(situation=of(stubs.new_game(seed)), bot=bot, budget=iterations(count))


def essence(answer: bots_pb2.SuggestResponse) -> tuple[game_pb2.Decision, list[bots_pb2.Suggestion], int]:
    """What of an answer is the same every time."""
    return answer.answer.choice, list(answer.answer.suggestions), answer.answer.iterations
