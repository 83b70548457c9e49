# May know: engine_cy, wire.
"""A hosted table at one moment: seats and game. Nothing here waits or writes; what happens makes a new `Table`."""

import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine_cy.errors import InputError
from engine_cy.game import Event, Game
from engine_cy.records import plain_event, play_plain
from engine_cy.rules import GameRules
from server.tables.store import Change, Header, Request, SeatRow, Status, Stored, StoredAnswer, Summary
from server.tables.visible import deal_chance
from wire.reading import Reader


class Broken(RuntimeError):
    """What is stored does not fit the rules of this server."""


@dataclass(frozen=True)
class Table:
    """Seats and game. The game is None until it begins, unless it goes on with a record; it is never changed."""

    header: Header
    rules: GameRules
    seats: tuple[SeatRow, ...]
    game: Game | None = None
    revision: int = 0

    @property
    def id(self) -> str:
        return self.header.table

    @property
    def history(self) -> Sequence[Event]:
        return () if self.game is None else self.game.history

    @property
    def free(self) -> int:
        return sum(seat.player == "free" for seat in self.seats)

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
        return due if due is not None and due.player == "bot" else None

    @property
    def status(self) -> Status | None:
        """What the game waits for; None before it begins."""
        game = self.running
        if game is None:
            return None
        return Status("over" if game.over else "decision" if game.chance is None else "chance", game.phase, game.seat)

    @property
    def answer(self) -> StoredAnswer:
        """What a decision that led here is answered."""
        return StoredAnswer(len(self.history), self.status)

    def seat_with(self, token: bytes) -> int | None:
        """The seat with this token. Every one is compared, each in the same time whatever it is."""
        found = [row.seat for row in self.seats if hmac.compare_digest(row.token or b"", token)]
        return found[0] if found else None

    # ---- What can happen

    def seated(self, row: SeatRow) -> "Table":
        """With another player on a seat. Once nobody is missing the game begins."""
        if self.seats[row.seat] == row:
            return self
        seats = tuple(row if seat.seat == row.seat else seat for seat in self.seats)
        return replace(self, seats=seats).begun()

    def begun(self) -> "Table":
        """With the game under way, if nobody is missing."""
        if self.free:
            return self
        game = self.new_game() if self.game is None else self.game.copy()
        deal_chance(game, self.header.luck)
        return replace(self, game=game)

    def decided(self, option: Sequence[Any]) -> "Table":
        """After a decision of the seat that has to, and all that follows by itself; IllegalDecision."""
        assert self.running is not None
        game = self.running.copy()
        game.decide(option)
        deal_chance(game, self.header.luck)
        return replace(self, game=game)

    def new_game(self) -> Game:
        return Game(self.rules, self.header.seed, stream=self.header.stream)

    # ---- To and from the store

    def change_from(self, old: "Table | None", request: Request | None = None) -> Change:
        """What has to be written to get here."""
        first = 0 if old is None else len(old.history)
        return Change(
            summary=Summary(self.status, self.free, self.bot_due is not None),
            seats=[seat for seat in self.seats if old is None or old.seats[seat.seat] != seat],
            first=first,
            events=[json.dumps(plain_event(event)) for event in self.history[first:]],
            request=request,
        )


def read_again(stored: Stored, old: Table | None, reader: Reader) -> Table:
    """A table as it was stored, given what is known of it: only the events that follow are played.

    Broken if the events do not fit the rules: then this is not the server that wrote them."""
    if old is None:
        old = Table(stored.header, stored_rules(stored.header, reader), stored.seats)
        if old.rules.component_hash != stored.header.components:
            raise Broken(f"table {stored.header.table} was begun with another component set")
    table = replace(old, seats=stored.seats, revision=stored.revision)
    if table.game is None and not stored.count and stored.summary.free:
        return table
    if table.game is None or stored.events:
        table = replace(table, game=_played_on(table, stored.events))
    if len(table.history) != stored.count:
        raise Broken(f"table {stored.header.table} has {stored.count} events, played {len(table.history)}")
    return table


def _played_on(table: Table, events: Sequence[str]) -> Game:
    game = table.new_game() if table.game is None else table.game.copy()
    for number, data in enumerate(events, len(table.history)):
        try:
            play_plain(game, number, json.loads(data))
        except InputError as error:
            raise Broken(f"table {table.header.table}, event {number}: {error}") from error
    return game


def stored_rules(header: Header, reader: Reader) -> GameRules:
    """The rules of a table; Broken if this server does not know them."""
    try:
        return reader.rules(header.game, json.loads(header.options), kept=True)
    except InputError as error:
        raise Broken(f"table {header.table} is played by rules this server does not know: {error}") from error
