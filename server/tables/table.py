"""A hosted table at one moment: seats and game. Nothing here waits or writes; what happens makes a new `Table`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp
from saloon_client.v1 import bots_pb2, game_pb2
from saloon_client.v1 import tables_pb2 as pb

from engine_cy.errors import InputError
from engine_cy.game import Event, Game
from engine_cy.records import plain_event, play_plain
from engine_cy.rules import GameRules
from server.tables.store import Change, Header, Request, SeatRow, Standing, Stored
from server.tables.visible import deal
from wire.reading import Reader
from wire.writing import options_message, status_message

RULES = Reader()


class Broken(RuntimeError):
    """What is stored does not fit the rules of this server."""


@dataclass(frozen=True)
class Table:
    """Seats and game. The game is None until it begins, unless it goes on with a record; it is never changed."""

    header: Header
    seats: tuple[SeatRow, ...]
    game: Game | None = None
    revision: int = 0

    @property
    def rules(self) -> GameRules:
        return stored_rules(self.header)

    @property
    def history(self) -> Sequence[Event]:
        return () if self.game is None else self.game.history

    @property
    def free(self) -> int:
        return sum(seat.player == pb.PLAYER_FREE for seat in self.seats)

    @property
    def over(self) -> bool:
        return self.game is not None and self.game.over

    @property
    def running(self) -> Game | None:
        """The game, if it has begun: nobody is missing, or it is over already."""
        return self.game if self.free == 0 or self.over else None

    @property
    def due(self) -> SeatRow | None:
        """The seat that has to decide."""
        game = self.running
        return None if game is None or game.seat is None else self.seats[game.seat]

    @property
    def bot_due(self) -> SeatRow | None:
        """The same, if a bot plays it."""
        due = self.due
        return due if due is not None and due.player == pb.PLAYER_BOT else None

    def status(self) -> game_pb2.Status | None:
        """What the game waits for; None before it begins."""
        return None if self.running is None else status_message(self.running.rules, self.running.state)

    # ---- What can happen

    def seated(self, row: SeatRow) -> "Table":
        """With another player on a seat. Once nobody is missing the game begins."""
        seats = tuple(row if seat.seat == row.seat else seat for seat in self.seats)
        return replace(self, seats=seats).begun()

    def begun(self) -> "Table":
        """With the game under way, if nobody is missing."""
        if self.free:
            return self
        game = self.new_game() if self.game is None else self.game.copy()
        deal(game, self.header.luck)
        return replace(self, game=game)

    def decided(self, option: Sequence[Any]) -> "Table":
        """After a decision of the seat that has to, and all that follows by itself; IllegalDecision."""
        assert self.running is not None
        game = self.running.copy()
        game.decide(option)
        deal(game, self.header.luck)
        return replace(self, game=game)

    def new_game(self) -> Game:
        return Game(self.rules, self.header.seed, stream=self.header.stream)

    # ---- To and from the store

    def change_from(self, old: "Table | None", request: Request | None = None) -> Change:
        """What has to be written to get here."""
        first = 0 if old is None else len(old.history)
        return Change(
            standing=self.standing(),
            seats=[seat for seat in self.seats if old is None or old.seats[seat.seat] != seat],
            first=first,
            events=[json.dumps(plain_event(event)) for event in self.history[first:]],
            request=request,
        )

    def standing(self) -> Standing:
        status = self.status()
        return Standing(
            status=b"" if status is None else status.SerializeToString(),
            free=self.free,
            over=self.over,
            bot_due=self.bot_due is not None,
        )

    def message(self) -> pb.Table:
        return table_message(self.header, self.seats, self.status(), len(self.history))


def read_again(stored: Stored, old: Table | None) -> Table:
    """A table as it was stored, given what is known of it: only the events that follow are played.

    Broken if the events do not fit the rules: then this is not the server that wrote them."""
    known = 0 if old is None else len(old.history)
    table = replace(old, seats=stored.seats) if old is not None else Table(stored.header, stored.seats)
    table = replace(table, revision=stored.revision)
    if table.rules.component_hash != stored.header.components:
        raise Broken(f"table {stored.header.table} was begun with another component set")
    if table.game is None and not stored.count and stored.standing.free:
        return table
    if table.game is None or stored.events:
        game = table.new_game() if table.game is None else table.game.copy()
        for number, data in enumerate(stored.events, known):
            try:
                play_plain(game, number, json.loads(data))
            except InputError as error:
                raise Broken(f"table {stored.header.table}, event {number}: {error}") from error
        table = replace(table, game=game)
    if len(table.history) != stored.count:
        raise Broken(f"table {stored.header.table} has {stored.count} events, played {len(table.history)}")
    return table


def stored_rules(header: Header) -> GameRules:
    """Broken if this server does not know them."""
    given = {key: value for key, value in json.loads(header.options).items() if value is not None}
    try:
        return RULES.rules(header.game, given)
    except InputError as error:
        raise Broken(f"table {header.table} is played by rules this server does not know: {error}") from error


def table_message(header: Header, seats: Sequence[SeatRow], status: game_pb2.Status | None, events: int) -> pb.Table:
    created = Timestamp()
    created.FromNanoseconds(header.created)
    return pb.Table(
        table=header.table,
        options=options_message(stored_rules(header)),
        access=pb.Access.ValueType(header.access),
        seats=[pb.Seat(seat=s.seat, player=pb.Player.ValueType(s.player), name=s.name) for s in seats],
        status=status,
        events=events,
        created=created,
    )


def stored_message(stored: Stored) -> pb.Table:
    """A table that was read without its events."""
    status = game_pb2.Status.FromString(stored.standing.status) if stored.standing.status else None
    return table_message(stored.header, stored.seats, status, stored.count)


def table_bot(row: SeatRow) -> pb.TableBot:
    """The bot of a seat that has one."""
    assert row.bot is not None
    return pb.TableBot.FromString(row.bot)


def bot_row(bot: pb.TableBot, settings: bots_pb2.BotSettings, token: bytes | None = None) -> SeatRow:
    """A seat with a bot, with the settings as they were read, the seed among them."""
    kept = pb.TableBot(seat=bot.seat, bot=settings, budget=bot.budget, name=bot.name)
    name = bot.name or f"Bot (level {settings.level})"
    return SeatRow(bot.seat, pb.PLAYER_BOT, name, token, kept.SerializeToString())
