"""Times of turns at hosted tables, and bots for those who are away."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from saloon_client.v1 import bots_pb2, game_pb2
from saloon_client.v1 import tables_pb2 as pb

from server.basics.refusals import AlreadyTaken, Denied, NotNow
from server.tables.bots import Times
from server.tables.service import TablesService
from tests.service.at_tables import Stub, bot, create, join, options, refused, without_grpc

CODE = grpc.StatusCode
NOBODY: Any = None  # a context that is not looked at
QUICK = bots_pb2.BotSettings(level="1", seed=5)
ONE_ITERATION = bots_pb2.Budget(iterations=1)


def clock(seconds: float = 60, then: pb.TimeOut.ValueType = pb.TIME_OUT_TURN) -> pb.TurnClock:
    time = Duration()
    time.FromMilliseconds(round(seconds * 1000))
    return pb.TurnClock(time=time, then=then, bot=QUICK, budget=ONE_ITERATION)


@dataclass
class Steady:
    """A clock that nobody can set, for tests to wind."""

    time: float = 1000.0

    def __call__(self) -> float:
        return self.time


@dataclass
class Place:
    """A table of persons, and how time goes there."""

    service: TablesService
    steady: Steady
    table: str = ""
    host: str = ""
    tokens: list[str] = field(default_factory=list)

    async def create(self, clock: pb.TurnClock | None, players: int = 2, persons: int = 2) -> None:
        made = await self.service.CreateTable(
            pb.CreateTableRequest(
                options=options(players), clock=clock, seed=3, bots=[bot(seat) for seat in range(persons, players)]
            ),
            NOBODY,
        )
        self.table, self.host = made.table.table, made.host_token
        for seat in range(persons):
            request = pb.JoinTableRequest(table=self.table, seat=seat, name=f"Person {seat}")
            self.tokens.append((await self.service.JoinTable(request, NOBODY)).token)

    async def look(self, token: str = "") -> pb.GetTableResponse:
        return await self.service.GetTable(pb.GetTableRequest(table=self.table, token=token), NOBODY)

    async def due(self) -> int:
        return (await self.look()).table.status.seat

    async def act(self, seat: int) -> pb.Table:
        """The first decision there is."""
        decision = (await self.look(self.tokens[seat])).decisions[0]
        await self.service.Act(pb.ActRequest(table=self.table, token=self.tokens[seat], decision=decision), NOBODY)
        return (await self.look()).table

    async def back(self, seat: int, name: str = "Ann") -> pb.Table:
        request = pb.JoinTableRequest(table=self.table, seat=seat, name=name, token=self.tokens[seat])
        return (await self.service.JoinTable(request, NOBODY)).table

    async def hand_over(self, seat: int, token: str = "", away: bool = False) -> pb.Table:
        own = bot(seat, iterations=100_000_000)  # it thinks for long
        own.bot.Clear()
        request = pb.SeatBotRequest(table=self.table, token=token or self.tokens[seat], bot=own, away=away)
        return (await self.service.SeatBot(request, NOBODY)).table

    async def goes(self, seconds: float) -> None:
        """So much time, while the server serves."""
        end = self.steady.time + seconds
        while self.steady.time < end:
            self.steady.time = min(end, self.steady.time + 5)
            await self.service.open_tables.store.out_of_time()

    async def until(self, true: Callable[[pb.Table], bool]) -> pb.Table:
        for _ in range(2000):
            table = (await self.look()).table
            if true(table):
                return table
            await asyncio.sleep(0.005)
        raise AssertionError(str(table))

    async def seen(self, first: int = 0) -> list[pb.WatchTableResponse]:
        """What a watcher who comes now is told of all that was."""
        request = pb.WatchTableRequest(table=self.table, first_event=first)
        count, found = (await self.look()).table.events, []
        async for update in self.service.WatchTable(request, NOBODY):
            found.append(update)
            if (len(found) > 1 and update.HasField("table")) or count == first:
                return found
        return found


@asynccontextmanager
async def place(folder: Path, steady: Steady) -> AsyncIterator[Place]:
    async with without_grpc(folder, times=Times(60, 60), steady=steady) as service:
        service.clocks.look_seconds = 0.005
        yield Place(service, steady)


def at(folder: Path, work: Callable[[Place], Awaitable[None]]) -> None:
    async def run() -> None:
        async with place(folder, Steady()) as found:
            await work(found)

    asyncio.run(run())


def left(table: pb.Table) -> float:
    assert table.HasField("time_left")
    return table.time_left.ToMilliseconds() / 1000


# ---- Time


def test_a_bot_decides_a_turn_whose_time_has_run_out(tmp_path: Path) -> None:
    """The next one is the person's again. Everybody is told, in its place, also who comes later."""

    async def work(here: Place) -> None:
        await here.create(clock(60))
        seat = await here.due()
        table = (await here.look()).table
        assert left(table) == 60
        assert table.clock == pb.TurnClock(
            time=Duration(seconds=60), then=pb.TIME_OUT_TURN, bot=bots_pb2.BotSettings(level="1"), budget=ONE_ITERATION
        )
        await here.goes(30)
        assert left((await here.look()).table) == 30
        while await here.due() == seat:
            assert left((await here.look()).table) == 30  # for the whole turn
            await here.act(seat)
        other = await here.due()
        before = (await here.look()).table.events
        assert left((await here.look()).table) == 60
        await here.goes(61)
        after = await here.until(lambda table: table.events > before and table.HasField("time_left"))
        assert left(after) == 60
        assert [(s.player, s.name, s.away) for s in after.seats] == [
            (pb.PLAYER_PERSON, f"Person {i}", False) for i in (0, 1)
        ]
        assert here.service.open_tables.metrics.timed_out._value.get() == 1

        out = pb.TimedOut(seat=other, events=before, then=pb.TIME_OUT_TURN, bot="Bot (level 1)")
        seen = await here.seen()
        assert [u.timed_out for u in seen if u.HasField("timed_out")] == [out]
        place = next(i for i, update in enumerate(seen) if update.HasField("timed_out"))
        assert (seen[place - 1].event.number, seen[place + 1].event.number) == (before - 1, before)
        later = await here.seen(before + 1)
        assert not any(update.HasField("timed_out") for update in later)
        assert left(seen[0].table) == left(seen[-1].table) == 60

    at(tmp_path, work)


def test_a_bot_takes_the_seat_where_that_was_agreed(tmp_path: Path) -> None:
    """Until the person comes back; the bot ends the turn in any case."""

    async def work(here: Place) -> None:
        await here.create(clock(5, pb.TIME_OUT_SEAT), persons=1)
        await here.until(lambda table: table.status.seat == 0 and table.HasField("time_left"))
        before = (await here.look()).table.events
        await here.goes(6)
        table = await here.until(lambda table: table.events > before + 10)
        assert table.seats[0] == pb.Seat(seat=0, player=pb.PLAYER_BOT, name="Person 0", away=True)
        table = await here.back(0, "Ann")
        assert table.seats[0] == pb.Seat(seat=0, player=pb.PLAYER_PERSON, name="Ann")
        table = await here.until(lambda table: table.status.seat == 0 and table.HasField("time_left"))
        assert left(table) == 5

    at(tmp_path, work)


def test_who_is_too_late_cannot_decide(tmp_path: Path) -> None:
    async def work(here: Place) -> None:
        here.service.bots.play = lambda table_id: None  # type: ignore[method-assign]  # the bot never comes
        await here.create(clock(5))
        seat = await here.due()
        decision = (await here.look(here.tokens[seat])).decisions[0]
        await here.goes(6)
        await here.until(lambda table: table.timed_out)
        request = pb.ActRequest(table=here.table, token=here.tokens[seat], decision=decision)
        with pytest.raises(NotNow, match="has run out"):
            await here.service.Act(request, NOBODY)
        listed = (await here.service.ListTables(pb.ListTablesRequest(), NOBODY)).tables
        assert listed[0] == (await here.look()).table
        assert listed[0].timed_out
        assert not listed[0].HasField("time_left")

    at(tmp_path, work)


def test_handing_over_and_taking_back_wins_no_time(tmp_path: Path) -> None:
    async def work(here: Place) -> None:
        await here.create(clock(60))
        seat = await here.due()
        await here.goes(40)
        table = await here.hand_over(seat)
        assert not table.HasField("time_left")
        await here.goes(10)
        assert left(await here.back(seat)) == 10
        await here.hand_over(seat)
        await here.goes(100)
        before = (await here.look()).table.events
        await here.back(seat)
        table = await here.until(lambda table: table.events > before and table.HasField("time_left"))
        assert left(table) == 60
        outs = [update for update in await here.seen() if update.HasField("timed_out")]
        assert [out.timed_out.seat for out in outs] == [seat]

    at(tmp_path, work)


def test_time_survives_a_restart_and_does_not_run_meanwhile(tmp_path: Path) -> None:
    async def run() -> None:
        steady = Steady()
        async with place(tmp_path, steady) as here:
            await here.create(clock(60))
            seat = await here.due()
            await here.goes(40)
        steady.time = 3.0  # the machine, too
        async with place(tmp_path, steady) as again:
            again.table, again.tokens = here.table, here.tokens
            assert 20 <= left((await again.look()).table) <= 25
            await again.goes(10)
            assert await again.due() == seat
            before = (await again.look()).table.events
            await again.goes(20)
            await again.until(lambda table: table.events > before)

    asyncio.run(run())


def test_bots_and_games_that_did_not_begin_have_no_time(tmp_path: Path) -> None:
    async def work(here: Place) -> None:
        await here.create(clock(5), persons=1)
        here.service.bots.play = lambda table_id: None  # type: ignore[method-assign]
        await here.until(lambda table: table.status.seat == 0)
        assert left(await here.until(lambda table: table.HasField("time_left"))) == 5
        lonely = pb.CreateTableRequest(options=options(2), clock=clock(5))
        made = await here.service.CreateTable(lonely, NOBODY)
        assert not made.table.HasField("time_left")
        await here.goes(100)
        stand = await here.service.GetTable(pb.GetTableRequest(table=made.table.table), NOBODY)
        assert stand.table.events == 0

    at(tmp_path, work)


def test_a_whole_game_ends_though_nobody_plays(tmp_path: Path) -> None:
    async def work(here: Place) -> None:
        record = game_pb2.GameRecord(options=options(2), seed=4)
        made = await here.service.ImportTable(pb.ImportTableRequest(record=record, clock=clock(5)), NOBODY)
        here.table = made.table.table
        for seat in range(2):
            await here.service.JoinTable(pb.JoinTableRequest(table=here.table, seat=seat, name="A"), NOBODY)
        while (table := (await here.look()).table).status.waiting != game_pb2.WAITING_OVER:
            if table.HasField("time_left"):
                await here.goes(6)
            await asyncio.sleep(0.002)
        outs = [update.timed_out for update in await here.seen() if update.HasField("timed_out")]
        assert len({out.events for out in outs}) == len(outs) > 10

    at(tmp_path, work)


# ---- What is agreed


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        (pb.TurnClock(), "clock.time"),
        (clock(4.999), "clock.time"),
        (clock(86_401), "clock.time"),
        (clock(-60), "clock.time"),
        (pb.TurnClock(time=Duration(seconds=60), then=9), "clock.then"),  # type: ignore[arg-type]
        (pb.TurnClock(time=Duration(seconds=60), bot=bots_pb2.BotSettings(level="99")), "clock.bot.level"),
        (pb.TurnClock(time=Duration(seconds=60), budget=bots_pb2.Budget(iterations=0)), "clock.budget.iterations"),
    ],
)
def test_a_clock_that_makes_no_sense(tables: Stub, clock: pb.TurnClock, field: str) -> None:
    record = game_pb2.GameRecord(options=options(2), seed=1)
    for call in (
        lambda: tables.CreateTable(pb.CreateTableRequest(options=options(2), clock=clock)),
        lambda: tables.ImportTable(pb.ImportTableRequest(record=record, clock=clock)),
    ):
        with pytest.raises(grpc.RpcError) as error:
            call()
        assert refused(error) == (CODE.INVALID_ARGUMENT, field)


def test_the_shortest_and_the_longest_time(tables: Stub) -> None:
    for seconds in (5, 86_400):
        made = tables.CreateTable(pb.CreateTableRequest(options=options(2), clock=clock(seconds, pb.TIME_OUT_SEAT)))
        assert made.table.clock.time.seconds == seconds
        assert made.table.clock.then == pb.TIME_OUT_SEAT
        listed = tables.ListTables(pb.ListTablesRequest(page_size=1)).tables
        assert listed[0] == made.table


# ---- Somebody is away


def test_the_host_seats_a_bot_for_who_is_away(tmp_path: Path) -> None:
    """Who comes back has the seat at once, with the same token. A host has to say that somebody is away."""

    async def work(here: Place) -> None:
        await here.create(None)
        seat = await here.due()
        with pytest.raises(AlreadyTaken, match="away"):
            await here.hand_over(seat, here.host)
        with pytest.raises(Denied):
            await here.hand_over(seat, here.tokens[1 - seat], away=True)
        table = await here.hand_over(seat, here.host, away=True)
        assert table.seats[seat] == pb.Seat(seat=seat, player=pb.PLAYER_BOT, name=f"Person {seat}", away=True)
        table = await here.back(seat, "Ann")
        assert table.seats[seat] == pb.Seat(seat=seat, player=pb.PLAYER_PERSON, name="Ann")
        await here.act(seat)

    at(tmp_path, work)


def test_a_bot_for_who_is_away_is_asked_for_over_the_wire(tables: Stub) -> None:
    made = create(tables, 2, [bot(1)])
    join(tables, made.table.table, name="Ann")
    request = pb.SeatBotRequest(table=made.table.table, token=made.host_token, bot=bot(0, name="Deputy"), away=True)
    assert tables.SeatBot(request).table.seats[0] == pb.Seat(seat=0, player=pb.PLAYER_BOT, name="Deputy", away=True)
