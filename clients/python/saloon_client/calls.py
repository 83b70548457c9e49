"""Every call of the contract, made ready: which method, what is asked, how long it takes, and whether it may be sent
again. The clients only differ in how they wait."""

import random
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar
from uuid import uuid4

from google.protobuf.message import Message

from saloon_client.errors import NotReachable, Overloaded, SaloonError
from saloon_client.messages import AnyEvent, AnySituation, Cost, Thinking, bot, budget, events, only, seconds, situation
from saloon_client.v1 import bots_pb2, game_pb2, rules_pb2, seats_pb2, tables_pb2

T = TypeVar("T", bound=Message)

_LONGEST = 60.0  # an answer limited by iterations alone may take so long
_REVIEW = 15.0  # a review of which nothing is said
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 2.0


@dataclass(frozen=True)
class Call(Generic[T]):
    """One call."""

    method: str
    request: Message
    answer: type[T]
    seconds: float = 0.0  # that the server takes on purpose
    repeat: bool = True  # sending it twice does no harm


@dataclass(frozen=True)
class Policy:
    """How patient a client is."""

    margin: float  # seconds a call may take beyond its budget, repetitions included
    retries: int
    random: random.Random


class Attempts:
    """The attempts of one call, from the first on: the time left, and when to try again."""

    def __init__(self, policy: Policy, seconds: float, timeout: float | None, repeat: bool = True) -> None:
        self.policy = policy
        self.seconds = seconds
        self.repeat = repeat
        self.failed = 0
        self.end = monotonic() + (seconds + policy.margin if timeout is None else timeout)

    @property
    def left(self) -> float:
        return max(0.001, self.end - monotonic())

    def pause(self, error: SaloonError) -> float | None:
        """Seconds to wait before the next attempt; None if there is to be none."""
        self.failed += 1
        if not self.repeat or self.failed > self.policy.retries:
            return None
        match error:
            case Overloaded(retry_after=float(wait)):
                pause = wait * (1 + self.policy.random.random() / 4)
            case NotReachable():
                longest = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**self.failed)
                pause = longest * (0.5 + self.policy.random.random() / 2)
            case _:
                return None
        return pause if monotonic() + pause + self.seconds < self.end else None


def cost(how: Cost) -> float:
    """Seconds an answer may take on purpose."""
    if "time" in how:
        return seconds(how["time"])
    return _LONGEST if "iterations" in how else 1.0


# ---- Bots

_BOTS = "/saloon.v1.Bots/"


def bots() -> Call[bots_pb2.ListBotsResponse]:
    return Call(_BOTS + "ListBots", bots_pb2.ListBotsRequest(), bots_pb2.ListBotsResponse)


def suggest(
    where: AnySituation, count: int, evaluate: Iterable[game_pb2.Decision], outs: bool, how: Thinking
) -> Call[bots_pb2.SuggestResponse]:
    request = bots_pb2.SuggestRequest(
        situation=situation(where), bot=bot(how), budget=budget(how), count=count, evaluate=evaluate, outs=outs
    )
    return Call(_BOTS + "Suggest", request, bots_pb2.SuggestResponse, cost(how))


def analyze(
    where: AnySituation, count: int, evaluate: Iterable[game_pb2.Decision], outs: bool, how: Thinking
) -> Call[bots_pb2.AnalyzeResponse]:
    request = bots_pb2.AnalyzeRequest(
        situation=situation(where), bot=bot(how), budget=budget(how), count=count, evaluate=evaluate, outs=outs
    )
    return Call(_BOTS + "Analyze", request, bots_pb2.AnalyzeResponse, cost(how))


def play_turn(where: AnySituation, how: Thinking) -> Call[bots_pb2.PlayTurnResponse]:
    request = bots_pb2.PlayTurnRequest(situation=situation(where), bot=bot(how), budget=budget(how))
    return Call(_BOTS + "PlayTurn", request, bots_pb2.PlayTurnResponse, cost(how))


def judge(
    where: AnySituation, decisions: Iterable[game_pb2.Decision], seed: int | None, how: Cost
) -> Call[bots_pb2.JudgeResponse]:
    request = bots_pb2.JudgeRequest(situation=situation(where), decisions=decisions, budget=budget(how), seed=seed)
    return Call(_BOTS + "Judge", request, bots_pb2.JudgeResponse, cost(how))


def review(record: game_pb2.GameRecord, seed: int | None, how: Cost) -> Call[bots_pb2.ReviewResponse]:
    request = bots_pb2.ReviewRequest(record=record, budget=budget(how), seed=seed)
    return Call(_BOTS + "Review", request, bots_pb2.ReviewResponse, cost(how) if how else _REVIEW)


def puzzles(
    record: game_pb2.GameRecord, least: float | None, seed: int | None, how: Cost
) -> Call[bots_pb2.FindPuzzlesResponse]:
    request = bots_pb2.FindPuzzlesRequest(record=record, budget=budget(how), seed=seed, least=least)
    return Call(_BOTS + "FindPuzzles", request, bots_pb2.FindPuzzlesResponse, cost(how) if how else _REVIEW)


# ---- Rules

_RULES = "/saloon.v1.Rules/"


def games() -> Call[rules_pb2.ListGamesResponse]:
    return Call(_RULES + "ListGames", rules_pb2.ListGamesRequest(), rules_pb2.ListGamesResponse)


def new_game(options: game_pb2.Options, seed: int | None) -> Call[rules_pb2.NewGameResponse]:
    return Call(_RULES + "NewGame", rules_pb2.NewGameRequest(options=options, seed=seed), rules_pb2.NewGameResponse)


def legal_decisions(where: AnySituation) -> Call[rules_pb2.LegalDecisionsResponse]:
    request = rules_pb2.LegalDecisionsRequest(situation=situation(where))
    return Call(_RULES + "LegalDecisions", request, rules_pb2.LegalDecisionsResponse)


def apply(where: AnySituation, what: Iterable[AnyEvent]) -> Call[rules_pb2.ApplyResponse]:
    request = rules_pb2.ApplyRequest(situation=situation(where), events=events(what))
    return Call(_RULES + "Apply", request, rules_pb2.ApplyResponse)


def replay(record: game_pb2.GameRecord, after: int | None, seat: int | None) -> Call[rules_pb2.ReplayResponse]:
    request = rules_pb2.ReplayRequest(record=record, events=after, seat=seat)
    return Call(_RULES + "Replay", request, rules_pb2.ReplayResponse)


def score(where: AnySituation) -> Call[rules_pb2.ScoreResponse]:
    return Call(_RULES + "Score", rules_pb2.ScoreRequest(situation=situation(where)), rules_pb2.ScoreResponse)


def render(where: AnySituation, seat: int | None, dark: bool) -> Call[rules_pb2.RenderResponse]:
    theme = rules_pb2.THEME_DARK if dark else rules_pb2.THEME_LIGHT
    request = rules_pb2.RenderRequest(situation=situation(where), seat=seat, theme=theme)
    return Call(_RULES + "Render", request, rules_pb2.RenderResponse)


# ---- Tables

_TABLES = "/saloon.v1.Tables/"


def create_table(
    options: game_pb2.Options,
    bots: Iterable[tables_pb2.TableBot],
    by_invitation: bool,
    seed: int | None,
    clock: tables_pb2.TurnClock | None,
    account: str,
) -> Call[tables_pb2.CreateTableResponse]:
    request = tables_pb2.CreateTableRequest(
        options=options, access=_access(by_invitation), bots=bots, seed=seed, clock=clock, account=account
    )
    return Call(_TABLES + "CreateTable", request, tables_pb2.CreateTableResponse, repeat=False)


def import_table(
    record: game_pb2.GameRecord,
    bots: Iterable[tables_pb2.TableBot],
    by_invitation: bool,
    clock: tables_pb2.TurnClock | None,
    account: str,
) -> Call[tables_pb2.ImportTableResponse]:
    request = tables_pb2.ImportTableRequest(
        record=record, access=_access(by_invitation), bots=bots, clock=clock, account=account
    )
    return Call(_TABLES + "ImportTable", request, tables_pb2.ImportTableResponse, repeat=False)


def _access(by_invitation: bool) -> tables_pb2.Access.ValueType:
    return tables_pb2.ACCESS_INVITATION if by_invitation else tables_pb2.ACCESS_PUBLIC


def tables(request: tables_pb2.ListTablesRequest, page: str) -> Call[tables_pb2.ListTablesResponse]:
    request.page_token = page
    return Call(_TABLES + "ListTables", request, tables_pb2.ListTablesResponse)


def table(name: str, token: str) -> Call[tables_pb2.GetTableResponse]:
    return Call(_TABLES + "GetTable", tables_pb2.GetTableRequest(table=name, token=token), tables_pb2.GetTableResponse)


def join(table: str, name: str, seat: int | None, token: str, account: str) -> Call[tables_pb2.JoinTableResponse]:
    request = tables_pb2.JoinTableRequest(
        table=table, seat=seat, name=name, token=token, seat_token=secrets.token_urlsafe(24), account=account
    )
    return Call(_TABLES + "JoinTable", request, tables_pb2.JoinTableResponse)


def seat_bot(table: str, token: str, bot: tables_pb2.TableBot, away: bool) -> Call[tables_pb2.SeatBotResponse]:
    request = tables_pb2.SeatBotRequest(table=table, token=token, bot=bot, away=away)
    return Call(_TABLES + "SeatBot", request, tables_pb2.SeatBotResponse, repeat=False)


def act(
    table: str, token: str, decision: game_pb2.Decision, after: int | None, request_id: str | None
) -> Call[tables_pb2.ActResponse]:
    name = uuid4().hex if request_id is None else request_id
    request = tables_pb2.ActRequest(table=table, token=token, decision=decision, after=after, request_id=name)
    return Call(_TABLES + "Act", request, tables_pb2.ActResponse, repeat=bool(name))


def watch(table: str, token: str, first: int) -> Call[tables_pb2.WatchTableResponse]:
    request = tables_pb2.WatchTableRequest(table=table, token=token, first_event=first)
    return Call(_TABLES + "WatchTable", request, tables_pb2.WatchTableResponse)


def export_table(table: str, token: str) -> Call[tables_pb2.ExportTableResponse]:
    request = tables_pb2.ExportTableRequest(table=table, token=token)
    return Call(_TABLES + "ExportTable", request, tables_pb2.ExportTableResponse)


def delete_table(table: str, token: str) -> Call[tables_pb2.DeleteTableResponse]:
    request = tables_pb2.DeleteTableRequest(table=table, token=token)
    return Call(_TABLES + "DeleteTable", request, tables_pb2.DeleteTableResponse)


# ---- Seats

SIT = "/saloon.v1.Seats/Sit"


class Sitting:
    """What a bot's seat remembers across connections."""

    def __init__(self, seat: int, ponder: bool, session: str, how: Thinking) -> None:
        self.session = session
        self.moved = False  # the server of the connection is about to stop
        self.how = how
        self.down = seats_pb2.SitDown(seat=seat, bot=bot(how), budget=budget(how), ponder=ponder)

    def hello(self) -> seats_pb2.SitRequest:
        request = seats_pb2.SitRequest(sit=self.down)
        request.sit.session = self.session
        self.moved = False
        return request

    def decide(self, where: AnySituation, turn: bool, id: str | None, how: Cost) -> tuple[seats_pb2.SitRequest, float]:
        """The request, and the seconds it may cost."""
        only(Cost, how)
        decide = seats_pb2.Decide(id=id or uuid4().hex, situation=situation(where), budget=budget(how), turn=turn)
        return seats_pb2.SitRequest(decide=decide), cost(how or self.how)

    def heard(self, response: seats_pb2.SitResponse) -> None:
        """Take note of the name of the session, and of a `move`: then it goes on at another connection."""
        match response.WhichOneof("message"):
            case "seated":
                self.session = response.seated.session
            case "move":
                self.moved = True
