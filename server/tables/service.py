# May know: basics, calls, thinking, stores, saloon_client, engine_cy, wire, gRPC.
"""The Tables service: hosted games for clients without rules. What requests make of a table is in `changes.py`."""

import secrets
from bisect import bisect_left
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from time import monotonic

from saloon_client.v1 import tables_pb2 as pb
from saloon_client.v1 import tables_pb2_grpc

from engine_cy.errors import InputError
from engine_cy.game import Event, Game, View
from engine_cy.own_record import OwnRecord
from server.basics.caller import CALLER
from server.basics.metrics import Metrics
from server.basics.refusals import Denied, Overloaded, Unavailable
from server.basics.settings import Settings
from server.calls.context import Context
from server.calls.reading import Requests
from server.stores.tables import SeatRow, Store, Stored
from server.tables.access import account_of, digest, new_token, role, visitor
from server.tables.bots import USUAL, TableBots, Times
from server.tables.changes import bot_seated, decided, joined, new_table
from server.tables.fields import page_token, read_clock, read_number, read_page_size, read_table_bots, read_wanted
from server.tables.messages import act_message, stored_table_message, table_message, timed, timed_out_message
from server.tables.open_tables import OpenTable, OpenTables, RequestName
from server.tables.table import Broken, Table
from server.tables.turn_clocks import TurnClocks
from server.tables.visible import OwnEvents, can_deal_without_seed, may_know, visible_state
from server.thinking.searches import Searches
from wire.naming import NONE
from wire.writing import Writer, position_message, score_messages

_PAGE, _MOST_PAGE = 20, 100
_BEHIND = 256  # events that may happen while a watcher does not read
_AGAIN_SECONDS = 0.1


class TablesService(tables_pb2_grpc.TablesServicer):
    """See tables.proto."""

    def __init__(
        self,
        requests: Requests,
        searches: Searches,
        settings: Settings,
        metrics: Metrics,
        store: Store,
        *,
        behind: int = _BEHIND,
        times: Times = USUAL,
        steady: Callable[[], float] = monotonic,
    ) -> None:
        """A watcher that is so many events behind is let go."""
        self.requests = requests
        self.behind = behind
        self.open_tables = OpenTables(
            requests.reader, settings, store, metrics, lambda table_id: self.bots.play(table_id),
            beside=requests.beside, steady=steady,
        )  # fmt: skip
        self.bots = TableBots(self.open_tables, searches, times)
        self.clocks = TurnClocks(self.open_tables)

    def start(self) -> None:
        """Go on with all games. The store has to be open."""
        self.open_tables.start()
        self.bots.start()
        self.clocks.start()

    def drain(self) -> None:
        """Let the watchers go, and bots play elsewhere."""
        self.open_tables.drain()
        self.bots.hand_over()

    async def close(self) -> None:
        self.drain()
        await self.clocks.close()
        await self.bots.close()
        await self.open_tables.close()

    # ---- New tables

    async def CreateTable(self, request: pb.CreateTableRequest, context: Context) -> pb.CreateTableResponse:
        rules = await self.requests.options(request.options, "options")
        chosen = request.HasField("seed")
        seed = request.seed if chosen else secrets.randbits(63)
        rows = read_table_bots(request.bots, rules)
        table, host, invitation = new_table(
            rules, request.access, seed, clock=read_clock(request, rules), host_may_know=chosen,
            account=account_of(request.account),
        )  # fmt: skip
        made = await self._create(table, rows)
        return pb.CreateTableResponse(table=made, host_token=host, invitation=invitation)

    async def ImportTable(self, request: pb.ImportTableRequest, context: Context) -> pb.ImportTableResponse:
        game = await self.requests.record(request.record, "record")
        if game.seed is None and not can_deal_without_seed(game.rules):
            raise InputError("record.seed", "a seed, since this game deals what some seats do not see", NONE)
        rows = read_table_bots(request.bots, game.rules)
        clock = read_clock(request, game.rules)
        table, host, invitation = new_table(
            game.rules, request.access, game.seed, game.stream, clock, host_may_know=game.seed is not None,
            account=account_of(request.account),
        )  # fmt: skip
        made = await self._create(replace(table, game=game), rows)
        return pb.ImportTableResponse(table=made, host_token=host, invitation=invitation)

    async def _create(self, table: Table, bots: Sequence[SeatRow]) -> pb.Table:
        for row in bots:
            table = table.seated(row)
        return self._message(await self.open_tables.create(table))

    def _message(self, table: Table) -> pb.Table:
        return table_message(table, self.open_tables.steady())

    # ---- Seeing tables

    async def ListTables(self, request: pb.ListTablesRequest, context: Context) -> pb.ListTablesResponse:
        size = read_page_size(request.page_size, _MOST_PAGE, _PAGE)
        wanted, after = read_wanted(request, account_of(request.account))
        found = await self.open_tables.store.listed(wanted, after, size + 1)
        more = len(found) > size
        return pb.ListTablesResponse(
            tables=list(_known(found[:size], wanted.account)),
            next_page_token=page_token(found[size - 1].place) if more else "",
        )

    async def GetTable(self, request: pb.GetTableRequest, context: Context) -> pb.GetTableResponse:
        async with self.open_tables.using(request.table) as open_table:
            table = open_table.table
            seat = visitor(table, request.token).seat
            answer = pb.GetTableResponse(table=self._message(table), seat=seat)
            if table.running is not None:
                _show(self.requests.writer, answer, table.running, seat)
            return answer

    async def WatchTable(self, request: pb.WatchTableRequest, context: Context) -> AsyncIterator[pb.WatchTableResponse]:
        lost: list[Overloaded] = []
        async with self.open_tables.using(request.table) as open_table:

            def lose(why: Overloaded) -> None:
                lost.append(why)
                open_table.tell()

            seat = visitor(open_table.table, request.token).seat
            number = read_number(request.first_event, "first_event")
            with open_table.watchers.taken(CALLER.get(), lose):
                said = _told(open_table, open_table.table)
                yield self._timed(said, open_table.table)
                out = bisect_left(open_table.table.timed_out, number, key=lambda one: one.events)
                live, own = False, OwnEvents(open_table.table.rules, seat)
                while not lost:
                    news, table = open_table.news, open_table.table
                    events = table.history[number:]
                    if live and len(events) > self.behind:
                        problem = f"{len(events)} events were not read; watch again from {number}"
                        raise Overloaded(problem, _AGAIN_SECONDS)
                    if own.differ and events:
                        await self.requests.beside(own.follow, table.history)
                    for event in (*events, None):
                        for one in _timed_out(table, out, number):
                            yield one
                            out += 1
                        if event is not None:
                            yield self._numbered(open_table, number, event, own)
                            number += 1
                    now = _told(open_table, table)
                    if events or now != said:
                        said = now
                        yield self._timed(said, table)
                    if table.over:
                        return
                    if self.open_tables.draining:
                        raise Unavailable(f"the server shuts down; watch again from {number}")
                    live = True
                    if not await open_table.wait(news):
                        await self.open_tables.look(open_table)
                raise lost[0]

    def _timed(self, told: pb.WatchTableResponse, table: Table) -> pb.WatchTableResponse:
        """The same, with what is left of the turn's time."""
        now = self.open_tables.steady()
        if table.time_left(now) is None:
            return told
        copy = pb.WatchTableResponse()
        copy.CopyFrom(told)
        timed(copy.table, table, now)
        return copy

    def _numbered(self, open_table: OpenTable, number: int, event: Event, own: OwnEvents) -> pb.WatchTableResponse:
        """An event as this seat or a spectator may see it; one message for all who see the same."""
        rules, writer = own.rules, self.requests.writer
        seen = may_know(own.seat, event)
        key = number, own.seat if own.differ else seen
        message: pb.WatchTableResponse | None = open_table.messages.get(key)
        if message is None:
            numbered = pb.NumberedEvent(number=number)
            if seen:
                numbered.event.CopyFrom(writer.event(rules, event))
            numbered.own.extend(writer.event(rules, one) for one in own.beside(number))
            message = open_table.messages[key] = pb.WatchTableResponse(event=numbered)
        return message

    async def ExportTable(self, request: pb.ExportTableRequest, context: Context) -> pb.ExportTableResponse:
        async with self.open_tables.using(request.table) as open_table:
            table = open_table.table
            who = visitor(table, request.token)
            if who.host or table.over:
                game = table.game or table.new_game()
            elif who.seat is not None:
                game = (await self.requests.beside(OwnRecord.of, table.rules, table.history, who.seat)).game
            else:
                raise Denied("until the game is over only the host may have its record, and players their own")
            return pb.ExportTableResponse(record=self.requests.writer.record(game))

    async def DeleteTable(self, request: pb.DeleteTableRequest, context: Context) -> pb.DeleteTableResponse:
        def allowed(table: Table) -> None:
            if not role(table, request.token).host:
                raise Denied("the token is not the host's")

        await self.open_tables.delete(request.table, allowed)
        return pb.DeleteTableResponse()

    # ---- Changes

    async def JoinTable(self, request: pb.JoinTableRequest, context: Context) -> pb.JoinTableResponse:
        own = request.seat_token or new_token()
        changed = await self.open_tables.change(request.table, lambda table: joined(table, request, own))
        # Whoever came back to a seat has its token already.
        token = request.token if changed.table.seat_with(digest(own)) is None else own
        seat = changed.table.seat_with(digest(token))
        assert seat is not None
        return pb.JoinTableResponse(seat=seat, token=token, table=self._message(changed.table))

    async def SeatBot(self, request: pb.SeatBotRequest, context: Context) -> pb.SeatBotResponse:
        changed = await self.open_tables.change(request.table, lambda table: bot_seated(table, request))
        return pb.SeatBotResponse(table=self._message(changed.table))

    async def Act(self, request: pb.ActRequest, context: Context) -> pb.ActResponse:
        name = RequestName(digest(request.token), request.request_id) if request.request_id else None
        changed = await self.open_tables.change(request.table, lambda table: decided(table, request), name)
        return act_message(changed.answer)


def _told(open_table: OpenTable, table: Table) -> pb.WatchTableResponse:
    """How the table stands, as watchers are told; one message for all of them."""
    message: pb.WatchTableResponse | None = open_table.messages.get(table.revision)
    if message is None:
        message = pb.WatchTableResponse(table=table_message(table))
        if table is open_table.known:
            open_table.messages[table.revision] = message
    return message


def _timed_out(table: Table, first: int, number: int) -> Iterator[pb.WatchTableResponse]:
    """Turns whose time ran out, from this one on, up to so many events."""
    clock = table.header.clock
    for one in table.timed_out[first:]:
        if clock is None or one.events > number:
            return
        yield pb.WatchTableResponse(timed_out=timed_out_message(clock, one))


def _known(found: Sequence[Stored], account: str) -> Iterator[pb.Table]:
    """As this person sees them, without those that only another version of the server can tell of."""
    for stored in found:
        with suppress(Broken):
            yield stored_table_message(stored, account)


def _show(writer: Writer, answer: pb.GetTableResponse, game: Game, seat: int | None) -> None:
    """How the game stands, as this seat or a spectator may see it."""
    state = visible_state(game, seat)
    answer.position.CopyFrom(position_message(game.rules, state))
    answer.scores.extend(score_messages(game.rules, state))
    if seat is not None and game.seat == seat:
        answer.decisions.extend(writer.decision(game.rules, d) for d in View(game.rules, state).decisions())
