"""The Tables service: hosted games for clients without rules."""

import json
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from grpc import StatusCode
from saloon_client.v1 import tables_pb2 as pb
from saloon_client.v1 import tables_pb2_grpc

from engine_cy.errors import InputError
from engine_cy.game import Game, View
from engine_cy.rules import GameRules
from server.calls.context import Context
from server.calls.refusals import Refused, exhausted
from server.process.metrics import Metrics
from server.process.settings import Settings
from server.tables.bots import HostedBots
from server.tables.open_tables import Hosting, Place
from server.tables.requests import (
    denied,
    digest,
    new_token,
    page_token,
    read_access,
    read_name,
    read_number,
    read_page_size,
    read_page_token,
    read_request_id,
    read_seat_token,
    read_table_bot,
    read_table_bots,
    role,
    visitor,
)
from server.tables.sqlite import SqliteStore
from server.tables.store import Conflict, Header, Request, SeatRow, Stored
from server.tables.table import Broken, Table, stored_message
from server.tables.visible import deals_without_seed, sees, shown
from server.thinking.searches import Searches
from wire.naming import NONE, naming
from wire.reading import Reader, read_decision, read_seat
from wire.writing import decision_message, event_message, position_message, record_message, score_messages

_PAGE, _MOST_PAGE = 20, 100
_BEHIND = 256  # events that may happen while a watcher does not read
_AGAIN_SECONDS = 0.1


class TablesService(tables_pb2_grpc.TablesServicer):
    """See tables.proto."""

    def __init__(self, reader: Reader, searches: Searches, settings: Settings, metrics: Metrics) -> None:
        self.reader = reader
        self.hosting = Hosting(settings, SqliteStore(settings.database), metrics)
        self.bots = HostedBots(self.hosting, searches)

    async def start(self, number: int) -> None:
        """Open the database and go on with all games; ConfigError."""
        await self.hosting.start()
        self.bots.start(number)

    def drain(self) -> None:
        """Let the watchers go."""
        self.hosting.drain()

    async def close(self) -> None:
        await self.bots.close()
        await self.hosting.close()

    # ---- New tables

    async def CreateTable(self, request: pb.CreateTableRequest, context: Context) -> pb.CreateTableResponse:
        rules = self.reader.options(request.options, "options")
        seed = request.seed if request.HasField("seed") else secrets.randbits(63)
        rows = read_table_bots(request.bots, rules)
        table, host, invitation = _new(rules, request.access, seed)
        for row in rows:
            table = table.seated(row)
        return pb.CreateTableResponse(table=await self._create(table), host_token=host, invitation=invitation)

    async def ImportTable(self, request: pb.ImportTableRequest, context: Context) -> pb.ImportTableResponse:
        game = self.reader.record(request.record, "record")
        if game.seed is None and not deals_without_seed(game.rules):
            raise InputError("record.seed", "a seed, since this game deals what some seats do not see", NONE)
        rows = read_table_bots(request.bots, game.rules)
        table, host, invitation = _new(game.rules, request.access, game.seed, game.stream)
        table = replace(table, game=game)
        for row in rows:
            table = table.seated(row)
        return pb.ImportTableResponse(table=await self._create(table), host_token=host, invitation=invitation)

    async def _create(self, table: Table) -> pb.Table:
        place = await self.hosting.finish(self.hosting.create(table))
        self.bots.drive(place)
        return table.message()

    # ---- Seeing tables

    async def ListTables(self, request: pb.ListTablesRequest, context: Context) -> pb.ListTablesResponse:
        size = read_page_size(request.page_size, _MOST_PAGE, _PAGE)
        before = read_page_token(request.page_token)
        found = await self.hosting.store.listed(pb.ACCESS_PUBLIC, before, size + 1, request.only_free)
        more = len(found) > size
        return pb.ListTablesResponse(
            tables=list(_known(found[:size])),
            next_page_token=page_token(found[size - 1].number) if more else "",
        )

    async def GetTable(self, request: pb.GetTableRequest, context: Context) -> pb.GetTableResponse:
        async with self.hosting.using(request.table) as place:
            table = place.table
            seat = visitor(table, request.token).seat
            answer = pb.GetTableResponse(table=table.message(), seat=seat)
            if table.running is not None:
                _show(answer, table.running, seat)
            return answer

    async def WatchTable(self, request: pb.WatchTableRequest, context: Context) -> AsyncIterator[pb.WatchTableResponse]:
        async with self.hosting.using(request.table) as place:
            seat = visitor(place.table, request.token).seat
            number = read_number(request.first_event, "first_event")
            said = place.table.message()
            yield pb.WatchTableResponse(table=said)
            live = False
            while True:
                news, table = place.news, place.table
                events = table.history[number:]
                if live and len(events) > _BEHIND:
                    raise exhausted(f"{len(events)} events were not read; watch again from {number}", _AGAIN_SECONDS)
                for event in events:
                    numbered = pb.NumberedEvent(number=number)
                    if sees(seat, event):
                        numbered.event.CopyFrom(event_message(table.rules, event))
                    yield pb.WatchTableResponse(event=numbered)
                    number += 1
                if events or table.message() != said:
                    said = table.message()
                    yield pb.WatchTableResponse(table=said)
                if table.over:
                    return
                if self.hosting.draining:
                    raise Refused(StatusCode.UNAVAILABLE, f"the server shuts down; watch again from {number}")
                live = True
                await news.wait()

    async def ExportTable(self, request: pb.ExportTableRequest, context: Context) -> pb.ExportTableResponse:
        async with self.hosting.using(request.table) as place:
            table = place.table
            if not visitor(table, request.token).host and not table.over:
                raise denied("until the game is over only the host may have its record")
            return pb.ExportTableResponse(record=record_message(table.game or table.new_game()))

    # ---- Seats

    async def JoinTable(self, request: pb.JoinTableRequest, context: Context) -> pb.JoinTableResponse:
        token = request.seat_token or new_token()

        def join(table: Table) -> SeatRow:
            name = read_name(request.name, "name")
            found = visitor(table, request.token)
            joined = role(table, read_seat_token(token, table)).seat
            if joined is not None:  # the answer to this request got lost
                return table.seats[joined]
            wanted = read_seat(request.seat, table.rules, "seat") if request.HasField("seat") else found.seat
            if wanted is not None and wanted == found.seat:
                return replace(table.seats[wanted], player=pb.PLAYER_PERSON, name=name, bot=None)
            free = [row.seat for row in table.seats if row.player == pb.PLAYER_FREE and wanted in (None, row.seat)]
            if not free:
                taken = "no seat is free" if wanted is None else f"seat {wanted} is taken"
                raise Refused(StatusCode.ALREADY_EXISTS, taken)
            return SeatRow(free[0], pb.PLAYER_PERSON, name, digest(token))

        table, row = await self.hosting.finish(self._seat(request.table, join))
        own = request.token if row.token == digest(request.token) else token
        return pb.JoinTableResponse(seat=row.seat, token=own, table=table.message())

    async def SeatBot(self, request: pb.SeatBotRequest, context: Context) -> pb.SeatBotResponse:
        def sit(table: Table) -> SeatRow:
            found = role(table, request.token)
            if not found.host and found.seat is None:
                raise denied("the token is neither a seat's nor the host's")
            if not request.HasField("bot"):
                raise InputError("bot", "a bot and its seat", NONE)
            row = read_table_bot(request.bot, table.rules, "bot")
            now = table.seats[row.seat]
            if found.seat == row.seat:
                return replace(row, token=now.token)
            if not found.host:
                raise denied(f"the token is not that of seat {row.seat}")
            if now.token is not None:
                raise Refused(StatusCode.ALREADY_EXISTS, f"seat {row.seat} belongs to a person")
            return row

        table, _ = await self.hosting.finish(self._seat(request.table, sit))
        return pb.SeatBotResponse(table=table.message())

    async def _seat(self, table_id: str, player: Callable[[Table], SeatRow]) -> tuple[Table, SeatRow]:
        """Change a seat. `player` says how, and is asked again if another process was faster."""
        async with self.hosting.using(table_id) as place, place.lock:
            while True:
                row = player(place.table)
                try:
                    if place.table.seats[row.seat] != row:
                        await self.hosting.commit(place, place.table.seated(row))
                    self.bots.drive(place)
                    return place.table, row
                except Conflict:
                    await self.hosting.renew(place)

    # ---- Decisions

    async def Act(self, request: pb.ActRequest, context: Context) -> pb.ActResponse:
        return await self.hosting.finish(self._act(request))

    async def _act(self, request: pb.ActRequest) -> pb.ActResponse:
        async with self.hosting.using(request.table) as place, place.lock:
            while True:
                seat = role(place.table, request.token).seat
                if seat is None:
                    raise denied("the token is not that of a seat")
                answer = await self._answered(place, seat, read_request_id(request.request_id))
                if answer is not None:
                    return answer
                table = _decided(place.table, seat, request)
                answer = pb.ActResponse(events=len(table.history), status=table.status())
                done = Request(seat, request.request_id, answer.SerializeToString()) if request.request_id else None
                try:
                    await self.hosting.commit(place, table, done)
                    self.bots.drive(place)
                    return answer
                except Conflict:
                    await self.hosting.renew(place)

    async def _answered(self, place: Place, seat: int, request_id: str) -> pb.ActResponse | None:
        if not request_id:
            return None
        answer = await self.hosting.store.answer(place.id, seat, request_id)
        return None if answer is None else pb.ActResponse.FromString(answer)


def _new(rules: GameRules, access: int, seed: int | None, stream: int = 0) -> tuple[Table, str, str]:
    """A table with free seats only, the host's token, and the invitation."""
    access, host = read_access(access), new_token()
    invitation = new_token() if access == pb.ACCESS_INVITATION else ""
    header = Header(
        table=secrets.token_hex(8),  # people type it; a dash in front would look like an option
        game=rules.name,
        options=json.dumps(rules.options()),
        components=rules.component_hash,
        access=access,
        invitation=digest(invitation) if invitation else None,
        host=digest(host),
        seed=seed,
        stream=stream,
        luck=secrets.randbits(63),
        created=time.time_ns(),
    )
    return Table(header, tuple(SeatRow(seat, pb.PLAYER_FREE) for seat in range(rules.players))), host, invitation


def _known(found: Sequence[Stored]) -> Iterator[pb.Table]:
    """Without those that only another version of the server can go on with."""
    for stored in found:
        with suppress(Broken):
            yield stored_message(stored)


def _show(answer: pb.GetTableResponse, game: Game, seat: int | None) -> None:
    """How the game stands, as this seat or a spectator may see it."""
    state = shown(game, seat)
    answer.position.CopyFrom(position_message(game.rules, state))
    answer.scores.extend(score_messages(game.rules, state))
    if seat is not None and game.seat == seat:
        answer.decisions.extend(decision_message(game.rules, d) for d in View(game.rules, state).decisions())


def _decided(table: Table, seat: int, request: pb.ActRequest) -> Table:
    """The table after the decision of a request; FAILED_PRECONDITION if it is not the time for it."""
    after = read_number(request.after, "after") if request.HasField("after") else len(table.history)
    due = table.due
    problem = ""
    if table.over:
        problem = "the game is over"
    elif table.running is None:
        problem = f"the game has not begun: {table.free} of {len(table.seats)} seats are free"
    elif due is None or due.seat != seat:
        problem = f"seat {seat} has nothing to decide" + ("" if due is None else f": it is the turn of seat {due.seat}")
    elif due.player != pb.PLAYER_PERSON:
        problem = f"a bot plays seat {seat}; join the table with this token to take it back"
    elif after != len(table.history):
        problem = f"{len(table.history)} events have happened, not {after}"
    if problem:
        raise Refused(StatusCode.FAILED_PRECONDITION, problem)
    with naming("decision"):
        return table.decided(read_decision(table.rules, request.decision, "decision"))
