# May know: stores, saloon_client, engine_cy, wire.
"""Fields of requests about tables: each is what it should be, or an InputError says what is not."""

import re
from collections.abc import Sequence
from typing import Literal

from google.protobuf.timestamp_pb2 import Timestamp
from saloon_client.v1 import tables_pb2 as pb

from engine_cy.errors import InputError
from engine_cy.registry import GAMES
from engine_cy.rules import GameRules
from server.stores.tables import STATES, Access, Clock, Place, SeatRow, State, StoredBot, TimeOut, Wanted
from server.tables.access import role
from server.tables.table import Table
from wire.bots import read_bot, read_budget
from wire.naming import NONE, Words
from wire.reading import read_seat

_MOST_NAME = 40
_MOST_REQUEST_ID = 64
_SEAT_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,64}")  # 128 random bits at least, as far as that can be seen
_ACCESS: dict[int, Access] = {
    pb.ACCESS_UNSPECIFIED: "public",
    pb.ACCESS_PUBLIC: "public",
    pb.ACCESS_INVITATION: "invitation",
}
_TIME_OUT: dict[int, TimeOut] = {
    pb.TIME_OUT_UNSPECIFIED: "turn",
    pb.TIME_OUT_TURN: "turn",
    pb.TIME_OUT_SEAT: "seat",
}
_SHORTEST_TURN, _LONGEST_TURN = 5, 86_400  # seconds
_STATES: dict[int, State | None] = {
    pb.TABLE_STATE_UNSPECIFIED: None,
    pb.TABLE_STATE_OPEN: "open",
    pb.TABLE_STATE_UNDER_WAY: "under_way",
    pb.TABLE_STATE_OVER: "over",
}
_PAGE_TOKEN = re.compile(r"([0-9a-f]{1,16})-([0-9a-f]{1,32})")
_FIRST_SECOND, _LAST_SECOND = 0, 7_258_118_400  # of times that people may mean


def read_access(access: int) -> Access:
    if access not in _ACCESS:
        raise InputError("access", "ACCESS_PUBLIC or ACCESS_INVITATION", access)
    return _ACCESS[access]


def read_name(name: str, field: str) -> str:
    if not 1 <= len(name) <= _MOST_NAME or not name.isprintable() or not name.strip():
        raise InputError(field, f"1 to {_MOST_NAME} printable characters", name)
    return name


def read_request_id(request_id: str) -> str:
    if len(request_id) > _MOST_REQUEST_ID:
        raise InputError("request_id", f"at most {_MOST_REQUEST_ID} characters", len(request_id))
    return request_id


def read_seat_token(token: str, table: Table) -> str:
    """The token of a seat as its client wants it to be; it is told to nobody, in errors neither."""
    if not _SEAT_TOKEN.fullmatch(token):
        raise InputError("seat_token", "22 to 64 letters, digits, - and _", Words(f"{len(token)} characters"))
    known = role(table, token)
    if known.host or known.invited:
        raise InputError("seat_token", "one drawn for this seat", Words("the host's token or the invitation"))
    return token


def read_number(number: int, field: str) -> int:
    if number < 0:
        raise InputError(field, "0 or more", number)
    return number


def read_table_bot(bot: pb.TableBot, rules: GameRules, field: str) -> SeatRow:
    """A bot and its seat. What is absent of its settings is drawn now, so that it plays on alike after a restart."""
    read_seat(bot.seat, rules, f"{field}.seat")
    if bot.name:
        read_name(bot.name, f"{field}.name")
    stored = _read_bot(bot, rules, field)
    return SeatRow(bot.seat, "bot", bot.name or bot_name(stored), bot=stored)


def _read_bot(message: pb.TableBot | pb.TurnClock, rules: GameRules, field: str) -> StoredBot:
    settings = read_bot(message.bot, f"{field}.bot", rules)
    budget = read_budget(message.budget, f"{field}.budget")
    return StoredBot(
        level=settings.level,
        seed=settings.seed,
        personality=settings.personality,
        search=settings.search,
        time=budget.seconds,
        iterations=budget.iterations,
    )


def bot_name(bot: StoredBot) -> str:
    """For people, if nobody gave it another."""
    return f"Bot (level {bot.level})"


def read_clock(request: pb.CreateTableRequest | pb.ImportTableRequest, rules: GameRules) -> Clock | None:
    """The time for each turn; None if there is no end to it."""
    if not request.HasField("clock"):
        return None
    clock = request.clock
    expected = f"{_SHORTEST_TURN} s to {_LONGEST_TURN // 3600} h"
    if not clock.HasField("time"):
        raise InputError("clock.time", expected, NONE)
    seconds = clock.time.seconds + clock.time.nanos / 1e9
    if not _SHORTEST_TURN <= seconds <= _LONGEST_TURN:
        raise InputError("clock.time", expected, Words(f"{seconds} s"))
    if clock.then not in _TIME_OUT:
        raise InputError("clock.then", "TIME_OUT_TURN or TIME_OUT_SEAT", clock.then)
    return Clock(seconds, _TIME_OUT[clock.then], _read_bot(clock, rules, "clock"))


def read_table_bots(bots: Sequence[pb.TableBot], rules: GameRules) -> list[SeatRow]:
    """The bots of a new table."""
    if len(bots) > rules.players:
        raise InputError("bots", f"at most {rules.players}, as many as there are seats", len(bots))
    rows: dict[int, SeatRow] = {}
    for index, bot in enumerate(bots):
        row = read_table_bot(bot, rules, f"bots[{index}]")
        if row.seat in rows:
            raise InputError(f"bots[{index}].seat", "a seat without a bot", Words(f"{row.seat} again"))
        rows[row.seat] = row
    return list(rows.values())


# ---- Pages


def read_page_size(size: int, most: int, usual: int) -> int:
    if not 0 <= size <= most:
        raise InputError("page_size", f"0 to {most}", size)
    return size or usual


def page_token(place: Place) -> str:
    """For the tables that come after this one."""
    return f"{place.created:x}-{place.table}"


def _read_page_token(token: str) -> Place | None:
    if not token:
        return None
    found = _PAGE_TOKEN.fullmatch(token)
    if found is None:
        raise InputError("page_token", "what an answer gave", token)
    return Place(min(int(found[1], 16), 2**63 - 1), found[2])


# ---- Lists


def read_wanted(request: pb.ListTablesRequest, account: str) -> tuple[Wanted, Place | None]:
    """Which tables are asked for, by whom, and after which."""
    if request.mine and not account:
        raise InputError(
            "mine", "a client with an account", Words("one without; see accounts in the guide on security")
        )
    if request.game and request.game not in GAMES:
        raise InputError("game", f"one of {', '.join(GAMES)}", request.game)
    if request.state not in _STATES:
        raise InputError("state", "OPEN, UNDER_WAY or OVER", request.state)
    state = _STATES[request.state]
    states = [each for each in STATES if state in (None, each) and (each == "open" or not request.only_free)]
    seats = read_number(request.seats, "seats")
    return Wanted(
        access=None if request.mine else "public",
        account=account if request.mine else "",
        games=(request.game,) if request.game else tuple(GAMES) if seats else (),
        players=seats or None,
        states=tuple(states),
        made_from=_read_time(request, "made_from"),
        made_before=_read_time(request, "made_before"),
    ), _read_page_token(request.page_token)


def _read_time(request: pb.ListTablesRequest, field: Literal["made_from", "made_before"]) -> int | None:
    """In nanoseconds."""
    if not request.HasField(field):
        return None
    time: Timestamp = getattr(request, field)
    if not _FIRST_SECOND <= time.seconds <= _LAST_SECOND or not 0 <= time.nanos < 10**9:
        raise InputError(field, "a time from 1970 to 2200", Words(f"{time.seconds} s and {time.nanos} ns since 1970"))
    return time.ToNanoseconds()
