"""The target whose inputs are requests: a byte for the method, then the message, as a server reads it."""

from collections.abc import Callable, Coroutine, Mapping
from random import Random
from typing import Any, TypeVar

from google.protobuf.message import DecodeError, EncodeError, Message
from saloon_client.v1 import bots_pb2, rules_pb2

from engine_cy.errors import InputError
from engine_cy.rules import ComponentSet, GameRules
from search.player import Limit, Question
from server.calls.reading import Requests
from server.rules.service import RulesService
from tests.fuzz.messages import change
from tests.fuzz.target import Target
from wire.bots import read_bot, read_budget
from wire.reading import NobodyDecides, Reader, read_code

T = TypeVar("T")
Answer = Message | None
_KNOWN = Reader()  # rules take long to compile; what else was read before must not matter


class _Reader(Reader):
    def rules(self, game: str, options: Mapping[str, Any], components: ComponentSet, kept: bool = False) -> GameRules:
        return _KNOWN.rules(game, options, components, kept)


class _Requests(Requests):
    """Reads at once, and everything anew."""

    def __init__(self) -> None:
        super().__init__()
        self.reader = _Reader()

    async def beside(self, work: Callable[..., T], *arguments: Any) -> T:
        return work(*arguments)


def _now(call: Coroutine[Any, Any, T]) -> T:
    """The result of what never has to wait."""
    try:
        call.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("it waits")


def _think(requests: Requests, request: Any) -> None:
    """As far as a request to a bot is read; then it thinks, but not for long."""
    view = _now(requests.situation(request.situation)).view_to_decide()
    bot = read_bot(request.bot, "bot", view.rules)
    read_budget(request.budget, "budget")
    codes = [read_code(view, decision, f"evaluate[{i}]") for i, decision in enumerate(request.evaluate[:20])]
    if bot.iterations is None:
        bot.player().think(Question(view, Limit(3), bot.seed, 5, codes))


_REQUESTS: tuple[tuple[str, type[Message]], ...] = (
    ("NewGame", rules_pb2.NewGameRequest),
    ("LegalDecisions", rules_pb2.LegalDecisionsRequest),
    ("Apply", rules_pb2.ApplyRequest),
    ("Replay", rules_pb2.ReplayRequest),
    ("Score", rules_pb2.ScoreRequest),
    ("Render", rules_pb2.RenderRequest),
    ("Suggest", bots_pb2.SuggestRequest),
)
METHODS = {name: number for number, (name, _) in enumerate(_REQUESTS)}


def read_request(data: bytes) -> Answer:
    """The answer of a method; the same when it is asked again, with what was read then."""
    if not data:
        return None
    name, kind = _REQUESTS[data[0] % len(_REQUESTS)]
    request = kind()
    try:
        request.ParseFromString(data[1:])
    except DecodeError:  # gRPC refuses it
        return None
    requests = _Requests()
    if name == "Suggest":
        _think(requests, request)
        return None
    method = getattr(RULES, name)
    RULES.requests = requests
    answer: Message = _now(method(request, None))
    assert _now(method(request, None)) == answer
    return answer


RULES = RulesService(_Requests())


def use_answer(answer: Answer) -> None:
    """A client can send back what it was told."""
    reader = _Reader()
    match answer:
        case rules_pb2.NewGameResponse():
            reader.record(answer.record, "record")
        case rules_pb2.ApplyResponse():
            reader.situation(answer.situation)
        case rules_pb2.ReplayResponse():
            reader.position(answer.position, "position")


def change_request(data: bytes, chance: Random) -> bytes | None:
    """Now and then for another method: most begin with the situation."""
    if not data:
        return None
    number = chance.randrange(len(_REQUESTS)) if chance.randrange(16) == 0 else data[0] % len(_REQUESTS)
    request = _REQUESTS[number][1]()
    try:
        request.ParseFromString(data[1:])
        change(request, chance)
        return bytes([number]) + request.SerializeToString()
    except (DecodeError, EncodeError, ValueError):
        return None


CODEC = Target("codec", (InputError, NobodyDecides), read_request, use_answer, change_request)
