# May know: nothing else of Saloon.
"""What hosted tables need of a store, in plain values. `sqlite_tables.py` and `postgresql_tables.py` do it, and one
suite of tests asks the same of both.

A table has a revision, which every write raises. Whoever writes says which revision it goes on from; if that is not the
newest any more, nothing is written and it has to look again. So several processes can share the tables without locks
among them, and none needs to know of the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

Access = Literal["public", "invitation"]
SeatKind = Literal["free", "person", "bot"]
Waiting = Literal["decision", "chance", "over"]
TimeOut = Literal["turn", "seat"]
State = Literal["open", "under_way", "over"]

STATES: tuple[State, ...] = ("open", "under_way", "over")


class Conflict(Exception):
    """The table was changed by somebody else meanwhile, or the request is one that was carried out; nothing was
    written."""


class Full(Exception):
    """There are as many tables as there may be, or as one owner may have."""

    def __init__(self, of_owner: bool, retry_seconds: float) -> None:
        """After so long one of them will be deleted if nothing happens there."""
        super().__init__()
        self.of_owner = of_owner
        self.retry_seconds = retry_seconds


@dataclass(frozen=True, slots=True)
class Limits:
    """How many tables there may be, and for how long nothing may happen at one."""

    tables: int
    of_owner: int
    idle_seconds: float
    before_begin: float  # seconds, while the game has not begun
    after_end: float = 86_400.0  # seconds, once it is over: its record stays
    records: int = 1_000_000  # of games that are over, the newest
    record_seconds: float = 31_536_000.0  # after the end of a game


@dataclass(frozen=True, slots=True)
class StoredBot:
    """How a bot plays its seat, the same after every restart."""

    level: str
    seed: int
    personality: str = ""
    search: Mapping[str, float] = field(default_factory=dict)  # the knobs that were turned
    time: float | None = None  # seconds for a decision
    iterations: int | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """The time for each turn of a person, and who decides when it has run out: that turn, or all of the seat's."""

    seconds: float
    then: TimeOut
    bot: StoredBot


@dataclass(frozen=True, slots=True)
class Header:
    """What of a table never changes. Tokens are kept as their SHA-256 only."""

    table: str
    game: str
    options: str  # JSON
    components: str  # SHA-256 of the component set
    access: Access
    invitation: bytes | None
    host: bytes
    seed: int | None  # of all chance; None if it was not told by whoever brought the record
    stream: int
    luck: int  # what chance is dealt from if there is no seed
    created: int  # ns
    owner: str = ""  # whoever made it, as quotas know them; not for telling
    clock: Clock | None = None
    host_may_know: bool = False  # the seed, since it was not drawn here
    account: str = ""  # of the person who made it, if the operator has accounts; not for telling others


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who plays a seat."""

    seat: int
    player: SeatKind
    name: str = ""
    token: bytes | None = None  # of the person it belongs to, even while a bot plays it
    bot: StoredBot | None = None
    account: str = ""  # of the person it belongs to, if the operator has accounts; not for telling others


@dataclass(frozen=True, slots=True)
class Status:
    """What a game waits for."""

    waiting: Waiting
    phase: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """What can be said of a table without its events."""

    status: Status | None = None  # None before the game begins
    free: int = 0  # seats
    bot_due: bool = False  # whether a bot has to decide


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What a decision was answered: how many events there were then, and what the game waited for."""

    events: int
    status: Status | None


@dataclass(frozen=True, slots=True)
class Request:
    """A request that was carried out, and what was answered."""

    seat: int
    request_id: str
    answer: StoredAnswer


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The time of a turn ran out."""

    events: int  # so many had happened
    seat: int


@dataclass(frozen=True, slots=True)
class TurnTime:
    """What a write does to the time of the turn that is due: it begins, or goes on as it did, or there is none."""

    begun: int = 0  # so many events had happened when the turn began
    seconds: float | None = None  # that begin now
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that is over, with all that its record takes: kept apart from live tables, and never changed by them."""

    header: Header
    seats: Sequence[SeatRow]
    events: Sequence[str]  # JSON
    timed_out: Sequence[TimedOut]
    phase: str
    turn_begun: int
    result: str  # JSON


@dataclass(frozen=True, slots=True)
class Change:
    """One write: all of it happens, or nothing."""

    summary: Summary
    seats: Sequence[SeatRow] = ()  # those that changed
    first: int = 0  # the number of the first new event
    events: Sequence[str] = ()  # JSON
    request: Request | None = None
    turn: TurnTime = TurnTime()
    timed_out: Sequence[TimedOut] = ()  # what is new of it
    bot_goes_on: bool = False  # the bot that has to decide does so as before, at the process where it thinks
    people: Sequence[str] | None = None  # the accounts of who made it or sits there, if these are others than before
    finished: Finished | None = None  # with this write the game is over


@dataclass(frozen=True, slots=True)
class News:
    """A table was written."""

    table: str
    revision: int


@dataclass(frozen=True, slots=True)
class Stored:
    """A table that was read."""

    header: Header
    revision: int
    summary: Summary
    seats: tuple[SeatRow, ...]
    count: int  # events there are
    events: tuple[str, ...] = ()  # from the one asked for
    turn_begun: int = 0
    time_left: float | None = None  # seconds for the turn, when it was read; None if it has no end
    timed_out: tuple[TimedOut, ...] = ()  # all, in order, if the table was read with events
    ended: float | None = None  # when, if the game is over and was read from its record
    result: str = ""  # JSON, of a game that is over; empty if it was not written down

    @property
    def place(self) -> "Place":
        return Place(self.header.created, self.header.table)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a table stands in lists, which are by when tables were made."""

    created: int  # ns
    table: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which tables are to be listed: those of which all of it is true."""

    access: Access | None = None
    account: str = ""  # of whoever made it or sits there
    games: tuple[str, ...] = ()
    players: int | None = None  # only together with games
    states: tuple[State, ...] = STATES
    made_from: int | None = None  # ns
    made_before: int | None = None


class Store(Protocol):
    """Where tables are kept. What a method has acknowledged is on disk. Any of them may raise StoreUnavailable; then
    nothing was written, or at least nobody knows: the caller has to look."""

    async def create(self, header: Header, change: Change, limits: Limits) -> int:
        """A new table, its revision; Full if there is no room for it."""

    async def write(self, table: str, revision: int, change: Change) -> int:
        """The next revision of a table; Conflict if this one is not the newest, or the request was carried out.

        If a bot has to decide then, it is this process that lets it play, unless the bot goes on elsewhere."""

    async def read(self, table: str, first: int) -> Stored | None:
        """A table, or what is kept of it since its game is over, and its events from a number on; None if there is
        none."""

    async def answer(self, table: str, seat: int, request_id: str) -> StoredAnswer | None:
        """What such a request was answered; None if it was not carried out."""

    async def listed(self, wanted: Wanted, after: Place | None, count: int) -> Sequence[Stored]:
        """Tables, newest first, after this place of the list."""

    async def claim_bots(self, idle_seconds: float, most: int) -> Sequence[str]:
        """Tables where a bot has to decide and that nobody lets play, at most so many: the process that did is gone, or
        has not been heard of there for so long. From now on it is this one, and no other is told of them."""

    def retire(self) -> None:
        """This process lets no more bots play: where it writes from now on, another one claims them."""

    async def hand_over_bots(self) -> None:
        """So do they wherever it let them play until now."""

    async def out_of_time(self) -> Sequence[tuple[str, int]]:
        """Tables where the time of a turn has run out that no bot has to decide, with their revisions. Asked every few
        seconds by all who serve: time goes only while somebody asks."""

    async def under_way(self) -> int:
        """How many games have begun and are not over."""

    async def clock(self) -> float:
        """The clock by which is known what was written when, in seconds. It may be set."""

    async def delete(self, table: str) -> None:
        """As if it had never been, its record included."""

    async def forget(self, limits: Limits) -> int:
        """Delete tables at which nothing has happened for too long, some at a time; how many. Of games that are over
        the record stays, for its own time."""

    async def news(self) -> Sequence[News] | None:
        """What was written since this was last asked, by others at least. It waits until there is some, or for a
        moment. None: some of it may have been missed, by which any table may be another than it was."""
