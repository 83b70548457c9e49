"""The Bots service: suggestions, analyses and whole turns. It keeps nothing between calls."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from saloon_client.v1 import bots_pb2 as pb
from saloon_client.v1 import bots_pb2_grpc

from engine_cy.errors import InputError
from engine_cy.game import View
from engine_cy.registry import GAMES
from search.ismcts import clock_ns
from search.levels import measured
from search.player import Answer, Limit, Player, Question
from search.simple_players import levels
from server.basics.settings import Settings
from server.basics.version import ENGINE_VERSION
from server.calls.context import Context
from server.calls.reading import Requests
from server.thinking.searches import Cost, Searches, Slot
from wire.answers import alternatives, answer_message, duration, status_after
from wire.bots import BEST, SUGGESTIONS, Bot, read_bot, read_budget
from wire.naming import Words
from wire.reading import read_code

_MOST_EVALUATED = 20


@dataclass(frozen=True)
class _Asked:
    """A request that was read."""

    view: View
    bot: Bot
    player: Player
    cost: Cost
    count: int = SUGGESTIONS
    evaluate: Sequence[int] = ()

    def question(self, limit: Limit) -> Question:
        return Question(self.view, limit, self.bot.seed, self.count, self.evaluate)

    def think(self, slot: Slot) -> pb.Answer:
        """In the thread the message is made, too: there may be thousands of suggestions."""
        return self.message(self.player.think(self.question(slot.limit)), slot)

    def message(self, answer: Answer, slot: Slot) -> pb.Answer:
        return answer_message(answer, self.bot, ENGINE_VERSION, slot.budget, slot.place.queued)

    def response(self, answer: Answer, slot: Slot) -> pb.AnalyzeResponse:
        return pb.AnalyzeResponse(answer=self.message(answer, slot), final=answer.final)


class BotsService(bots_pb2_grpc.BotsServicer):
    """See bots.proto."""

    def __init__(self, requests: Requests, searches: Searches, settings: Settings) -> None:
        self.requests = requests
        self.searches = searches
        self._listed = list_bots(settings)

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        return self._listed

    async def Suggest(self, request: pb.SuggestRequest, context: Context) -> pb.SuggestResponse:
        asked = await self._read_question(request, context)
        async with self.searches.slot(asked.cost) as slot:
            answer = await slot.run(asked.player, lambda: asked.think(slot))
        return pb.SuggestResponse(answer=answer)

    async def Analyze(self, request: pb.AnalyzeRequest, context: Context) -> AsyncIterator[pb.AnalyzeResponse]:
        asked = await self._read_question(request, context)
        if not asked.player.improves:
            raise InputError("bot.level", f"{BEST} for an analysis", Words(asked.bot.level))
        # The search goes on in a task of its own, so that whoever reads slowly or not at all keeps no slot. Answers
        # take half as long again each time, so few of them can wait here.
        answers: asyncio.Queue[pb.AnalyzeResponse | None] = asyncio.Queue()
        search = asyncio.create_task(self._analyze(asked, answers))
        search.add_done_callback(lambda _: answers.put_nowait(None))
        try:
            while (answer := await answers.get()) is not None:
                yield answer
            await search
        finally:
            search.cancel()
            await asyncio.gather(search, return_exceptions=True)

    async def _analyze(self, asked: _Asked, answers: asyncio.Queue[pb.AnalyzeResponse | None]) -> None:
        async with self.searches.slot(asked.cost) as slot:
            improving = asked.player.improve(asked.question(slot.limit))
            final = False
            while not final:
                response = await slot.run(asked.player, lambda: asked.response(next(improving), slot))
                final = response.final
                answers.put_nowait(response)

    async def PlayTurn(self, request: pb.PlayTurnRequest, context: Context) -> pb.PlayTurnResponse:
        asked = await self._read(request, context)
        async with self.searches.slot(asked.cost) as slot:
            turn = await slot.run(asked.player, lambda: asked.player.turn(asked.question(slot.limit)))
        return pb.PlayTurnResponse(
            answers=[asked.message(answer, slot) for answer in turn.answers],
            alternatives=alternatives(turn),
            next=status_after(turn.answers[-1]),
        )

    async def _read_question(self, request: pb.SuggestRequest | pb.AnalyzeRequest, context: Context) -> _Asked:
        asked = await self._read(request, context)
        if not 0 <= request.count <= 10_000:
            raise InputError("count", "0 to 10000", request.count)
        if len(request.evaluate) > _MOST_EVALUATED:
            raise InputError("evaluate", f"at most {_MOST_EVALUATED} decisions", len(request.evaluate))
        codes = [read_code(asked.view, decision, f"evaluate[{i}]") for i, decision in enumerate(request.evaluate)]
        return replace(asked, count=request.count or SUGGESTIONS, evaluate=codes)

    async def _read(
        self, request: pb.SuggestRequest | pb.AnalyzeRequest | pb.PlayTurnRequest, context: Context
    ) -> _Asked:
        arrived = clock_ns()
        view = (await self.requests.situation(request.situation)).view_to_decide()
        bot = read_bot(request.bot, "bot", view.rules)
        budget = read_budget(request.budget, "budget")
        cost = self.searches.cost(budget, view.rules.name, context.time_remaining(), arrived)
        return _Asked(view, bot, bot.player(), cost)


def list_bots(settings: Settings) -> pb.ListBotsResponse:
    return pb.ListBotsResponse(
        levels=[
            pb.Level(
                name=level.name,
                iterations=0 if level.name == BEST else level.iterations,
                slip=level.slip,
                measured=_strengths(level.name),
            )
            for level in levels().values()
        ],
        personalities=[pb.Personalities(game=name, names=game.personalities()) for name, game in GAMES.items()],
        longest=duration(settings.longest),
        engine_version=ENGINE_VERSION,
    )


def _strengths(level: str) -> list[pb.Strength]:
    found = []
    for game, by_players in measured().items():
        for players, rows in by_players.items():
            row = rows.get(level)
            if row is not None:
                low, high = row.get("ci95", (0.0, 0.0))
                found.append(
                    pb.Strength(
                        game=game, players=int(players), rating=row["rating"], beats_below=row.get("beats_below", 0.0),
                        low=low, high=high, games=row.get("games", 0),
                    )
                )  # fmt: skip
    return found
