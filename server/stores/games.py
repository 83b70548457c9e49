# May know: nothing else of Saloon.
"""What operators need of a store: games that are over, in bulk, and what is kept of a person. `sqlite_games.py` and
`postgresql_games.py` do it, while servers run."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from server.stores.tables import SeatRow, Stored

NOBODY = "somebody"  # what somebody is called who is to be forgotten
_AT_ONCE = 100  # games


@dataclass(frozen=True, slots=True)
class WantedGames:
    """Which games that are over."""

    game: str | None = None
    ended_from: float | None = None  # seconds since 1970
    ended_before: float | None = None
    account: str | None = None  # of whoever made the table or sat there


@dataclass(frozen=True, slots=True)
class Ended:
    """Where a game stands among those that are over, in the order they ended."""

    at: float
    table: str


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, by a name that seats have, or by an account: one of both."""

    name: str | None = None
    account: str | None = None

    def __post_init__(self) -> None:
        assert (self.name is None) != (self.account is None)
        assert self.name != NOBODY, "already forgotten"

    def at(self, seat: SeatRow) -> bool:
        return seat.name == self.name if self.account is None else seat.account == self.account

    def forgotten(self, seat: SeatRow) -> SeatRow:
        """Of whom nothing is known any more."""
        if not self.at(seat):
            return seat
        return replace(seat, name=NOBODY, account=seat.account if self.account is None else "")


class Games(Protocol):
    """Any method may raise StoreUnavailable. None holds up servers for more than a moment."""

    async def finished(self, wanted: WantedGames, after: Ended | None, count: int) -> Sequence[Stored]:
        """Games that are over, with their events, in the order they ended, after this one."""

    async def tables_of(self, person: Person) -> Sequence[str]:
        """Live tables where something says who they are."""

    async def games_of(self, person: Person) -> Sequence[str]:
        """The same of games that are over."""

    async def forget_at_table(self, table: str, person: Person) -> None:
        """Replace it there, in one write, of which servers hear."""

    async def forget_in_game(self, table: str, person: Person) -> None:
        """The same of a game that is over."""

    async def forget_account(self, account: str) -> None:
        """The rest that is known by it."""


async def all_finished(games: Games, wanted: WantedGames) -> AsyncIterator[Stored]:
    """One after the other; few are in memory at a time."""
    after = None
    while found := await games.finished(wanted, after, _AT_ONCE):
        for stored in found:
            yield stored
        last = found[-1]
        assert last.ended is not None
        after = Ended(last.ended, last.header.table)


async def forget(games: Games, person: Person) -> None:
    """Looked for until nothing is left: games end and people sit down meanwhile."""
    while tables := await games.tables_of(person):
        for table in tables:
            await games.forget_at_table(table, person)
    while over := await games.games_of(person):
        for table in over:
            await games.forget_in_game(table, person)
    if person.account is not None:
        await games.forget_account(person.account)
