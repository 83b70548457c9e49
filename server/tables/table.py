# May know: basics, stores, engine_cy, wire.
"""A hosted table at one moment: seats and game. Nothing here waits or writes; what happens makes a new `Table`."""

import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine_cy.errors import InputError
from engine_cy.game import Event, Game
from engine_cy.records import plain_event, play_plain
from engine_cy.registry import game_class
from engine_cy.rules import GameRules
from server.basics.refusals import NotNow
from server.stores.tables import (
    Change,
    Finished,
    Header,
    Request,
    SeatRow,
    Status,
    Stored,
    StoredAnswer,
    Summary,
    TimedOut,
    TurnTime,
)
from server.tables.visible import deal_chance
from wire.reading import Reader


class Broken(RuntimeError):
    """What is stored does not fit the rules of this server."""


class SetMissing(NotNow, Broken):
    """It is played with a component set that this server was not started with."""


@dataclass(frozen=True)
class Table:
    """Seats and game. The game is None until it begins, unless it goes on with a record; it is never changed."""

    header: Header
    rules: GameRules
    seats: tuple[SeatRow, ...]
    game: Game | None = None
    revision: int = 0
    turn_begun: int = 0  # so many events had happened when the turn that is due began
    turn_ends: float | None = None  # its time, by the steady clock of this process; None if it has no end
    timed_out: tuple[TimedOut, ...] = ()

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
        """The same, if a bot plays it, or decides this turn."""
        due, clock = self.due, self.header.clock
        if due is None or due.player == "bot":
            return due
        return replace(due, player="bot", bot=clock.bot) if clock is not None and self.turn_timed_out else None

    @property
    def turn_timed_out(self) -> bool:
        """Whether the time of the turn that is due has run out."""
        return self.due is not None and bool(self.timed_out) and self.timed_out[-1].events >= self.turn_begun

    def time_left(self, now: float) -> float | None:
        """Seconds for the turn that is due; None if no time runs."""
        if self.turn_ends is None or self.due is None or self.bot_due is not None:
            return None
        return max(0.0, self.turn_ends - now)

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
        made = replace(self, seats=seats)
        return made.begun() if self.running is None else made

    def begun(self) -> "Table":
        """With the game under way, if nobody is missing."""
        if self.free:
            return self
        game = self.new_game() if self.game is None else self.game.copy()
        deal_chance(game, self.header.luck)
        return replace(self, game=game, turn_begun=len(game.history))

    def decided(self, option: Sequence[Any]) -> "Table":
        """After a decision of the seat that has to, and all that follows by itself; IllegalDecision."""
        assert self.running is not None
        game = self.running.copy()
        game.decide(option)
        deal_chance(game, self.header.luck)
        same = _turn(game) == _turn(self.running)
        return replace(self, game=game, turn_begun=self.turn_begun if same else len(game.history))

    def out_of_time(self) -> "Table":
        """After the time of the turn ran out: a bot decides it, or takes the seat."""
        due, clock = self.due, self.header.clock
        if due is None or clock is None or self.bot_due is not None:
            return self
        taken = replace(due, player="bot", bot=clock.bot) if clock.then == "seat" else due
        seats = tuple(taken if seat.seat == due.seat else seat for seat in self.seats)
        return replace(self, seats=seats, timed_out=(*self.timed_out, TimedOut(len(self.history), due.seat)))

    def new_game(self) -> Game:
        return Game(self.rules, self.header.seed, stream=self.header.stream)

    # ---- To and from the store

    @property
    def people(self) -> Sequence[str]:
        """The accounts of whoever made it or sits there."""
        return sorted({self.header.account, *(seat.account for seat in self.seats)} - {""})

    def change_from(self, old: "Table | None", request: Request | None = None) -> Change:
        """What has to be written to get here."""
        first = 0 if old is None else len(old.history)
        return Change(
            summary=Summary(self.status, self.free, self.bot_due is not None),
            seats=[seat for seat in self.seats if old is None or old.seats[seat.seat] != seat],
            first=first,
            events=[json.dumps(plain_event(event)) for event in self.history[first:]],
            request=request,
            turn=self._turn_time(old),
            timed_out=self.timed_out[0 if old is None else len(old.timed_out) :],
            bot_goes_on=old is not None and self.bot_due == old.bot_due and len(self.history) == first,
            people=self.people if old is None or old.people != self.people else None,
            finished=self._finished() if self.over and (old is None or not old.over) else None,
        )

    def _finished(self) -> Finished:
        """The game, which is over, for its record."""
        assert self.game is not None
        places = self.game.ranking()
        result = [
            {"seat": score.seat, "points": score.total, "place": places[score.seat]} for score in self.game.scores()
        ]
        return Finished(
            self.header,
            self.seats,
            [json.dumps(plain_event(event)) for event in self.history],
            self.timed_out,
            self.game.phase,
            self.turn_begun,
            json.dumps(result),
        )

    def _turn_time(self, old: "Table | None") -> TurnTime:
        """Time begins with a person's turn. It goes on whoever plays the seat meanwhile, so that handing it over and
        taking it back does not make a turn longer."""
        clock = self.header.clock
        if clock is None or self.due is None:
            return TurnTime(self.turn_begun)
        if old is not None and old.turn_ends is not None and old.turn_begun == self.turn_begun:
            return TurnTime(self.turn_begun, goes_on=True)
        return TurnTime(self.turn_begun, clock.seconds if self.bot_due is None else None)


def _turn(game: Game) -> tuple[int | None, int]:
    """The same for all that one seat decides in one turn."""
    return game.seat, game.state.turn_number


def read_again(stored: Stored, old: Table | None, reader: Reader, now: float) -> Table:
    """A table as it was stored, given what is known of it: only the events that follow are played.

    Broken if the events do not fit the rules: then this is not the server that wrote them."""
    if old is None:
        old = Table(stored.header, stored_rules(stored.header, reader), stored.seats)
    table = replace(
        old,
        header=stored.header,  # the name of somebody who is to be forgotten may be gone
        seats=stored.seats,
        revision=stored.revision,
        turn_begun=stored.turn_begun,
        turn_ends=None if stored.time_left is None else now + stored.time_left,
        timed_out=stored.timed_out,
    )
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
        game_class(header.game)
        try:
            components = reader.sets.find(header.game, header.components)
        except InputError as error:
            raise SetMissing(f"table {header.table} cannot be played here: {error}") from error
        return reader.rules(header.game, json.loads(header.options), components, kept=True)
    except InputError as error:
        raise Broken(f"table {header.table} is played by rules this server does not know: {error}") from error
