# May know: basics, calls, saloon_client, engine_cy, search, wire, gRPC.
"""The Bots service: suggestions, analyses and whole turns. It keeps nothing between calls."""

import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace

from saloon_client.v1 import bots_pb2 as pb
from saloon_client.v1 import bots_pb2_grpc

from engine_cy.errors import InputError
from engine_cy.game import View
from engine_cy.registry import GAMES
from search.ismcts import clock_ns
from search.judging import Judge, iterations_of_judging, judged_in_a_row
from search.levels import Measured, measured
from search.player import Answer, Budget, Limit, Player, Question
from search.puzzles import LEAST, iterations_of_puzzles, puzzles
from search.review import Reviewer, iterations_in_all, review
from search.simple_players import Level, levels
from server.basics.settings import Settings
from server.basics.version import ENGINE_VERSION
from server.calls.context import Context
from server.calls.reading import Requests
from server.thinking.produced import produced
from server.thinking.searches import Searches, SearchJob
from wire.answers import alternatives, answer_message, duration, status_after
from wire.bots import BEST, SUGGESTIONS, Bot, read_bot, read_budget
from wire.naming import Words
from wire.puzzles import looked_message
from wire.reading import read_code, read_row
from wire.reviews import judged_message, review_message

_MOST_EVALUATED = 20
_REVIEW = Budget(seconds=15.0)
_LEAST_OF_PUZZLES = 0.01


class BotsService(bots_pb2_grpc.BotsServicer):
    """See bots.proto."""

    def __init__(self, requests: Requests, searches: Searches, settings: Settings) -> None:
        self.requests = requests
        self.searches = searches
        self._listed = list_bots(settings)

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        return self._listed

    async def Suggest(self, request: pb.SuggestRequest, context: Context) -> pb.SuggestResponse:
        view, bot, player, job = await self._read(request, context)
        count, codes = _wanted(request, view)

        def think() -> pb.Answer:
            """In the thread the message is made, too: there may be thousands of suggestions."""
            return self._message(
                player.think(Question(view, job.limit, bot.seed, count, codes, request.outs)), bot, job
            )

        async with self.searches.slot(job):
            return pb.SuggestResponse(answer=await self.searches.run(job, player, think))

    async def Analyze(self, request: pb.AnalyzeRequest, context: Context) -> AsyncIterator[pb.AnalyzeResponse]:
        view, bot, player, job = await self._read(request, context)
        count, codes = _wanted(request, view)
        if not player.improves:
            raise InputError("bot.level", f"{BEST} for an analysis", Words(bot.level))

        def answers() -> Iterator[pb.AnalyzeResponse]:
            for answer in player.improve(Question(view, job.limit, bot.seed, count, codes, request.outs)):
                yield pb.AnalyzeResponse(answer=self._message(answer, bot, job), final=answer.final)

        async for answer in produced(self.searches, job, player, answers):
            yield answer

    async def Judge(self, request: pb.JudgeRequest, context: Context) -> pb.JudgeResponse:
        arrived = clock_ns()
        view = (await self.requests.situation(request.situation)).view_to_decide()
        decisions = read_row(view, request.decisions, "decisions")
        budget, seed = read_budget(request.budget, "budget"), _seed(request)
        judge, each = Judge(), budget.iterations
        job = self.searches.job(
            _in_all(budget, iterations_of_judging(each or 0, len(decisions))),
            view.rules.name, arrived, time_left=context.time_remaining(),
        )  # fmt: skip

        def judged() -> list[pb.ReviewedDecision]:
            found = judged_in_a_row(view, decisions, Limit(each, job.limit.deadline_ns), seed, judge)
            return [judged_message(self.requests.writer, view.rules, one) for one in found]

        async with self.searches.slot(job):
            told = await self.searches.run(job, judge, judged)
        return pb.JudgeResponse(decisions=told, seed=seed, engine_version=ENGINE_VERSION)

    async def Review(self, request: pb.ReviewRequest, context: Context) -> AsyncIterator[pb.ReviewResponse]:
        arrived = clock_ns()
        game = await self.requests.record(request.record, "record")
        budget = read_budget(request.budget, "budget")
        seed = _seed(request)
        if budget == Budget():
            budget = _REVIEW
        reviewer, rules, events = Reviewer(), game.rules, len(game.history)
        each = budget.iterations
        job = self.searches.job(
            _in_all(budget, iterations_in_all(each or 0, game)),
            rules.name, arrived, time_left=context.time_remaining(), background=True,
        )  # fmt: skip

        def parts() -> Iterator[pb.ReviewResponse]:
            for part in review(game, Limit(each, job.limit.deadline_ns), seed, reviewer):
                yield review_message(self.requests.writer, rules, part, events, seed, ENGINE_VERSION)

        async for response in produced(self.searches, job, reviewer, parts):
            yield response

    async def FindPuzzles(
        self, request: pb.FindPuzzlesRequest, context: Context
    ) -> AsyncIterator[pb.FindPuzzlesResponse]:
        arrived = clock_ns()
        game = await self.requests.record(request.record, "record")
        budget, seed = read_budget(request.budget, "budget"), _seed(request)
        least = request.least if request.HasField("least") else LEAST
        if not _LEAST_OF_PUZZLES <= least <= 1:
            raise InputError("least", f"{_LEAST_OF_PUZZLES} to 1", least)
        if budget == Budget():
            budget = _REVIEW
        judge, long = Judge(), budget.iterations
        job = self.searches.job(
            _in_all(budget, iterations_of_puzzles(long or 0, game)),
            game.rules.name, arrived, time_left=context.time_remaining(), background=True,
        )  # fmt: skip

        def looked() -> Iterator[pb.FindPuzzlesResponse]:
            for each in puzzles(game, Limit(long, job.limit.deadline_ns), seed, judge, least):
                yield looked_message(self.requests.writer, each, len(game.history), seed, ENGINE_VERSION)

        async for response in produced(self.searches, job, judge, looked):
            yield response

    async def PlayTurn(self, request: pb.PlayTurnRequest, context: Context) -> pb.PlayTurnResponse:
        view, bot, player, job = await self._read(request, context, turn=True)
        async with self.searches.slot(job):
            question = Question(view, job.limit, bot.seed, SUGGESTIONS)
            turn = await self.searches.run(job, player, lambda: player.turn(question))
        return pb.PlayTurnResponse(
            answers=[self._message(answer, bot, job) for answer in turn.answers],
            alternatives=alternatives(self.requests.writer, turn),
            next=status_after(turn.answers[-1]),
        )

    async def _read(
        self, request: pb.SuggestRequest | pb.AnalyzeRequest | pb.PlayTurnRequest, context: Context, turn: bool = False
    ) -> tuple[View, Bot, Player, SearchJob]:
        arrived = clock_ns()
        view = (await self.requests.situation(request.situation)).view_to_decide()
        bot = read_bot(request.bot, "bot", view.rules)
        budget = read_budget(request.budget, "budget")
        player, time_left = bot.player(), context.time_remaining()
        job = self.searches.job(budget, view.rules.name, arrived, time_left=time_left, most=player.most, turn=turn)
        return view, bot, player, job

    def _message(self, answer: Answer, bot: Bot, job: SearchJob) -> pb.Answer:
        return answer_message(self.requests.writer, answer, bot, ENGINE_VERSION, job.budget, job.queued)


def _seed(request: pb.JudgeRequest | pb.ReviewRequest | pb.FindPuzzlesRequest) -> int:
    return request.seed if request.HasField("seed") else secrets.randbits(63)


def _in_all(each: Budget, iterations: int) -> Budget:
    """What is said of each decision, for the whole: so many iterations, if they are counted."""
    return each if each.iterations is None else replace(each, iterations=iterations)


def _wanted(request: pb.SuggestRequest | pb.AnalyzeRequest, view: View) -> tuple[int, Sequence[int]]:
    """How many suggestions, and which decisions need figures."""
    if not 0 <= request.count <= 10_000:
        raise InputError("count", "0 to 10000", request.count)
    if len(request.evaluate) > _MOST_EVALUATED:
        raise InputError("evaluate", f"at most {_MOST_EVALUATED} decisions", len(request.evaluate))
    codes = [read_code(view, decision, f"evaluate[{i}]") for i, decision in enumerate(request.evaluate)]
    return request.count or SUGGESTIONS, codes


def list_bots(settings: Settings) -> pb.ListBotsResponse:
    tables = [table for table in measured() if not table.more_options]  # those told by their number of players
    return pb.ListBotsResponse(
        levels=[
            pb.Level(
                name=level.name,
                iterations=0 if level.name == BEST else level.most_iterations,
                slip=max(effort.slip for effort in level.efforts.values()),
                measured=[_strength(level, table) for table in tables],
            )
            for level in levels().values()
        ],
        personalities=[pb.Personalities(game=name, names=game.personalities()) for name, game in GAMES.items()],
        longest=duration(settings.longest),
        engine_version=ENGINE_VERSION,
    )


def _strength(level: Level, table: Measured) -> pb.Strength:
    row, effort = table.levels[level.name], level.efforts[table.game]
    low, high = row.get("ci95", (0.0, 0.0))
    return pb.Strength(
        game=table.game, players=table.options["players"], rating=row["rating"],
        beats_below=row.get("beats_below", 0.0), low=low, high=high, games=row.get("games", 0),
        iterations=0 if level.name == BEST else effort.iterations, slip=effort.slip,
    )  # fmt: skip
