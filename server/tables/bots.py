# May know: basics, thinking, stores, engine_cy, search, wire.
"""Bots at tables: whenever one has to decide, a task thinks for it, decision by decision, until none has to.

Whichever process wrote last lets the bots of a table play on, and the store knows which that is. If it is gone, or
drains, another one claims the table. If two happen to play the same bot, the first decision written counts and the
other is dropped.
"""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from engine_cy.state import Generator
from search.ismcts import clock_ns
from search.player import Budget, Player, Question
from server.basics.refusals import NotFound, Overloaded
from server.basics.turns import Turns
from server.stores.tables import SeatRow
from server.tables.open_tables import OpenTable, OpenTables
from server.tables.table import Broken, Table
from server.thinking.searches import Searches
from wire.bots import Bot

log = structlog.get_logger()

_AT_ONCE = 200  # tables taken over that play at a time
_CLAIMED_AT_ONCE = 20  # others want some of them, too
_MOST_WAIT = 30.0
_FAIR_SECONDS = 0.5
_HAND_OVER_SECONDS = 3.0
_PATIENCE = 10.0  # seconds a bot waits for a slot: behind calls that are in a hurry, but not for ever


@dataclass(frozen=True, slots=True)
class Times:
    """When tables of others are taken over, in seconds."""

    look: float = 1.0  # between two looks
    grace: float = 10.0  # beyond the longest thinking, for a process that is there but does not go on


USUAL = Times()


class TableBots:
    """All bots of the tables that this process plays on."""

    def __init__(self, open_tables: OpenTables, searches: Searches, times: Times = USUAL) -> None:
        self.times = times
        self.open_tables = open_tables
        self.searches = searches
        # So many bots think or wait for a slot, the others wait here, one client's tables as long as another's; so
        # calls for suggestions find the queue of searches free.
        self.turns = Turns(searches.settings.search_slots)
        self.wanted: set[str] = set()  # tables to be looked at (again)
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.broken: set[str] = set()
        self._resuming: asyncio.Task[None] | None = None
        self._handing: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Go on wherever a bot has to decide and nobody lets it."""
        self._resuming = asyncio.create_task(self._resume())

    def hand_over(self) -> None:
        """No bot plays here any more. Those that think are stopped, and think at another process at once."""
        if self._handing is None:
            self._handing = asyncio.create_task(self._hand_over())

    async def close(self) -> None:
        self.hand_over()
        assert self._handing is not None
        await self._handing

    def play(self, table_id: str) -> None:
        """Let the bots of a table play, if one has to decide."""
        if self._handing is not None:
            return
        self.wanted.add(table_id)
        if table_id not in self.tasks:
            self.tasks[table_id] = asyncio.create_task(self._play(table_id))

    # ---- Tables

    async def _play(self, table_id: str) -> None:
        failures = 0
        try:
            while table_id in self.wanted:
                try:
                    async with self.open_tables.using(table_id) as open_table:
                        # A decision that was written makes the table wanted again, if a bot has the next one.
                        while table_id in self.wanted:
                            self.wanted.discard(table_id)
                            await self._move(open_table)
                            failures = 0
                except Broken as error:
                    log.error("table cannot be gone on with", table=table_id, reason=str(error))
                    self.broken.add(table_id)
                    self.wanted.discard(table_id)
                except NotFound:
                    return  # it was deleted
                except Exception as error:
                    # A full disk or the like: the turn must not be lost.
                    log.error("bot failed", table=table_id, exc_info=error)
                    self.wanted.add(table_id)
                    await asyncio.sleep(min(_MOST_WAIT, 2**failures))
                    failures += 1
        finally:
            self.wanted.discard(table_id)
            del self.tasks[table_id]

    async def _resume(self) -> None:
        """Take over the tables that nobody plays on."""
        idle = self.searches.settings.longest + self.times.grace
        while not self.open_tables.draining:
            claimed = await self._claimed(idle) if len(self.tasks) < _AT_ONCE else []
            for table_id in claimed:
                if table_id not in self.broken:
                    self.play(table_id)
            # Where there was much there may be more.
            await asyncio.sleep(self.times.look / 10 if len(claimed) == _CLAIMED_AT_ONCE else self.times.look)

    async def _hand_over(self) -> None:
        """First they end here, so that nobody thinks for the same bot meanwhile."""
        if self._resuming is None:
            return  # it could not start, so none is here
        tasks = [*self.tasks.values(), self._resuming]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        try:
            async with asyncio.timeout(_HAND_OVER_SECONDS):
                await self.open_tables.settled()
                await self.open_tables.store.hand_over_bots()
        except Exception as error:  # others see that this process is gone, when it is
            log.error("bots not handed over", exc_info=error)

    async def _claimed(self, idle_seconds: float) -> Sequence[str]:
        try:
            return await self.open_tables.store.claim_bots(idle_seconds, _CLAIMED_AT_ONCE)
        except Exception as error:
            log.error("tables not resumed", exc_info=error)
            return []

    # ---- One decision

    async def _move(self, open_table: OpenTable) -> None:
        """One decision of a bot, if one has to decide and no other process is faster."""
        table, row = open_table.table, open_table.table.bot_due
        if row is None:
            return
        stored = row.bot
        assert stored is not None
        bot = Bot(level=stored.level, personality=stored.personality, search=stored.search, seed=stored.seed)
        # A level costs what it costs, whatever its budget.
        budget = Budget(iterations=bot.iterations) if bot.iterations else Budget(stored.time, stored.iterations)
        cost = self.searches.job(budget, table.rules.name, clock_ns()).cost
        try:
            async with self.turns.turn(_owner(table), cost):
                option = await self._think(open_table, table, row, bot, budget)
        except Overloaded as refused:
            wait = min(_MOST_WAIT, max(0.001, refused.retry_seconds or 0.0))
            await asyncio.sleep(wait * random.uniform(1, 1.5))  # noqa: S311 not all at once
            self.wanted.add(table.id)
            return
        if option is not None:
            # Not needed any more if the seat changed hands or somebody else decided, who lets the bots play on.
            await self.open_tables.change(
                table.id, lambda now: now.decided(option) if _is_due(now, table, row) else now
            )

    async def _think(
        self, open_table: OpenTable, table: Table, row: SeatRow, bot: Bot, budget: Budget
    ) -> list[Any] | None:
        """What the bot decides; None if it need not any more."""
        assert table.game is not None
        patience = max(self.searches.settings.patience, _PATIENCE)
        job = self.searches.job(
            budget, table.rules.name, clock_ns(), patience=patience, owner=table.id, background=True
        )
        view, player = table.game.observe(row.seat), bot.player()
        # Luck of its own for every decision, the same if the game is played again.
        seed = Generator(bot.seed, len(table.history)).next()
        async with self.searches.slot(job):
            if not _is_due(open_table.table, table, row):
                return None
            watches = [asyncio.create_task(_stop_when_needless(player, open_table, table, row))]
            if not bot.iterations:
                watches.append(asyncio.create_task(self._stop_for_others(player, _owner(table))))
            try:
                answer = await self.searches.run(job, player, lambda: player.think(Question(view, job.limit, seed)))
            finally:
                for watch in watches:
                    watch.cancel()
        return answer.choice.to_list()

    async def _stop_for_others(self, player: Player, owner: str) -> None:
        """While bots of other clients wait for their turn, a decision takes no longer than this."""
        await asyncio.sleep(_FAIR_SECONDS)
        while not self.turns.others_wait(owner):
            await asyncio.sleep(_FAIR_SECONDS / 10)
        player.stop()


def _owner(table: Table) -> str:
    """Whose turn it takes."""
    return table.header.owner or table.id


async def _stop_when_needless(player: Player, open_table: OpenTable, table: Table, row: SeatRow) -> None:
    while True:
        news, now = open_table.news, open_table.known
        if now is None or not _is_due(now, table, row):
            player.stop()
            return
        await news.wait()


def _is_due(now: Table, then: Table, row: SeatRow) -> bool:
    """Whether the same bot still has the same to decide."""
    return len(now.history) == len(then.history) and now.bot_due == row
