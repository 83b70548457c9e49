"""The Bots service: suggestions, analyses and whole turns."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from saloon_client.v1 import bots_pb2 as pb
from saloon_client.v1 import bots_pb2_grpc, game_pb2

from engine_cy.game import View
from engine_cy.registry import GAMES
from engine_cy.rules import GameRules
from search.bots import levels
from search.ismcts import clock_ns
from search.levels import measured
from server.calls.context import Context
from server.calls.refusals import invalid
from server.process.settings import Settings
from server.process.version import ENGINE_VERSION
from server.thinking.minds import BEST, BotPlan, Mind, Thought, read_bot
from server.thinking.searches import Plan, Searches, Slot
from wire.answers import answer_message, duration
from wire.situations import decision_message, read_code, read_situation, status_message

SUGGESTIONS = 5
_MOST_EVALUATED = 20
_FIRST_ANSWER_NS = 20_000_000
_GROWTH = 1.5  # an analysis answers whenever its time has grown by half


@dataclass(frozen=True)
class _Asked:
    """A request that was read."""

    view: View
    bot: BotPlan
    plan: Plan
    count: int
    evaluate: Sequence[int]


class BotsService(bots_pb2_grpc.BotsServicer):
    """See bots.proto."""

    def __init__(self, searches: Searches, settings: Settings) -> None:
        self.searches = searches
        self.settings = settings
        self._listed = list_bots(settings)

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        return self._listed

    async def Suggest(self, request: pb.SuggestRequest, context: Context) -> pb.SuggestResponse:
        asked = self._read(request, context)
        async with self.searches.slot(asked.plan) as slot:
            mind = Mind(asked.bot, asked.view)
            thought = await slot.run(
                lambda: mind.decide(slot.budget, slot.deadline_ns, asked.count, asked.evaluate), mind.stop
            )
            self.searches.count(slot, mind)
        return pb.SuggestResponse(answer=to_message(thought, asked.bot, slot))

    async def Analyze(self, request: pb.AnalyzeRequest, context: Context) -> AsyncIterator[pb.AnalyzeResponse]:
        asked = self._read(request, context)
        if asked.bot.weaker:
            raise invalid("bot.level", f"expected {BEST} for an analysis, got {asked.bot.level}")
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
        async with self.searches.slot(asked.plan) as slot:
            mind = Mind(asked.bot, asked.view)
            await slot.run(lambda: mind.thinker.probe_codes(asked.evaluate, slot.budget, slot.deadline_ns), mind.stop)
            step, final = float(_FIRST_ANSWER_NS), False
            while not final:
                until = min(slot.deadline_ns, clock_ns() + int(step))
                thought = await slot.run(lambda: mind.step(slot.budget, until, asked.count, asked.evaluate), mind.stop)  # noqa: B023
                final = thought.answer.stopped != "time" or until >= slot.deadline_ns
                step *= _GROWTH
                answers.put_nowait(pb.AnalyzeResponse(answer=to_message(thought, asked.bot, slot), final=final))
            self.searches.count(slot, mind)

    async def PlayTurn(self, request: pb.PlayTurnRequest, context: Context) -> pb.PlayTurnResponse:
        arrived = clock_ns()
        view = read_situation(request.situation).view_to_decide()
        bot = read_bot(request.bot, view.rules.personalities())
        plan = self.searches.plan(request.budget, view.rules.name, context.time_remaining(), arrived)
        async with self.searches.slot(plan) as slot:
            mind = Mind(bot, view)
            thoughts, others = await slot.run(lambda: mind.turn(slot.budget, slot.deadline_ns, SUGGESTIONS), mind.stop)
            self.searches.count(slot, mind)
        return pb.PlayTurnResponse(
            answers=[to_message(thought, bot, slot) for thought in thoughts],
            alternatives=[pb.Line(decisions=[decision_message(view.rules, d) for d in line]) for line in others],
            next=status_after(thoughts[-1]),
        )

    def _read(self, request: pb.SuggestRequest | pb.AnalyzeRequest, context: Context) -> _Asked:
        arrived = clock_ns()
        view = read_situation(request.situation).view_to_decide()
        bot = read_bot(request.bot, view.rules.personalities())
        if not 0 <= request.count <= 10_000:
            raise invalid("count", f"expected 0 to 10000, got {request.count}")
        if len(request.evaluate) > _MOST_EVALUATED:
            raise invalid("evaluate", f"expected at most {_MOST_EVALUATED} decisions, got {len(request.evaluate)}")
        codes = [read_code(view, decision, f"evaluate[{i}]") for i, decision in enumerate(request.evaluate)]
        plan = self.searches.plan(request.budget, view.rules.name, context.time_remaining(), arrived)
        return _Asked(view, bot, plan, request.count or SUGGESTIONS, codes)


def to_message(thought: Thought, bot: BotPlan, slot: Slot) -> pb.Answer:
    return answer_message(
        thought.view,
        thought.answer,
        bot.settings,
        choice=thought.choice,
        budget=slot.plan.seconds if slot.plan.timed else None,
        queued=slot.queued,
    )


def status_after(thought: Thought) -> game_pb2.Status:
    """What the game waits for once this was decided."""
    rules: GameRules = thought.view.rules
    state = thought.view.state
    return status_message(rules, state.after(rules.encode(state.phase, thought.choice.to_list())))


def list_bots(settings: Settings) -> pb.ListBotsResponse:
    return pb.ListBotsResponse(
        levels=[
            pb.Level(
                name=name,
                iterations=0 if name == BEST else int(knobs["iterations"]),
                slip=knobs["slip"],
                measured=_strengths(name),
            )
            for name, knobs in levels().items()
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
