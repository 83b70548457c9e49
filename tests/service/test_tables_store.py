"""Where hosted tables are kept: the file, and processes that share it."""

import asyncio
import socket
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from saloon.launching import free_port
from server.basics.settings import ConfigError
from server.tables.sqlite import SqliteStore
from server.tables.store import (
    Change,
    Clock,
    Conflict,
    Full,
    Header,
    Limits,
    Request,
    SeatRow,
    Status,
    Stored,
    StoredAnswer,
    StoredBot,
    Summary,
    TimedOut,
    TurnTime,
)
from tests.service.at_tables import Stub, create, join
from tests.service.running import serving

HEADER = Header("t", "moon_river", "{}", "c", "public", b"i", b"h", 2**64 - 1, 2**64 - 1, 2**63 - 1, 10**18)
BOT = StoredBot("max", 2**64 - 1, "outlaw", {"exploration": 1.5, "win": 0.0}, time=0.020000001, iterations=30)
SEATS = [
    SeatRow(0, "person", "Ann", b"token"),
    SeatRow(1, "bot", "StoredBot", None, BOT),
    SeatRow(2, "bot", "Other", b"own", StoredBot("3", 0)),
    SeatRow(3, "free"),
]
STATUS = Status("decision", "claim", 1)
CLOCK = Clock(60.5, "seat", BOT)
LIMITS = Limits(tables=10, of_owner=10, idle_seconds=3600, before_begin=3600)
FIRST = Change(Summary(STATUS, free=0, bot_due=True), SEATS, 0, ["[0]", "[1]"])
ANSWER = StoredAnswer(2, STATUS)


def limited(**limits: float) -> Limits:
    return replace(LIMITS, **limits)  # type: ignore[arg-type]


class Steady:
    """A clock that nobody can set, for tests to wind."""

    def __init__(self) -> None:
        self.time = 5000.0

    def __call__(self) -> float:
        return self.time

    async def goes(self, store: SqliteStore, seconds: float) -> None:
        """So long, while a server looks every five seconds."""
        end = self.time + seconds
        while self.time < end:
            self.time = min(end, self.time + 5)
            await store.out_of_time()


def stores(
    path: Path,
    work: Callable[[SqliteStore, SqliteStore], Awaitable[None]],
    steady: Callable[[], float] = time.monotonic,
) -> None:
    """Two stores on one file, as two processes have them."""

    async def run() -> None:
        both = SqliteStore(path / "tables.sqlite", steady), SqliteStore(path / "tables.sqlite", steady)
        await asyncio.gather(*(store.open() for store in both))
        try:
            await work(*both)
        finally:
            for store in both:
                await store.close()

    asyncio.run(run())


def test_what_is_written_is_read(tmp_path: Path) -> None:
    async def work(one: SqliteStore, two: SqliteStore) -> None:
        revision = await one.create(HEADER, FIRST, LIMITS)
        for store in (one, two):
            stored = await store.read("t", 0)
            assert stored is not None
            assert (stored.header, stored.seats, stored.summary) == (HEADER, tuple(SEATS), FIRST.summary)
            assert (stored.revision, stored.events, stored.count) == (revision, ("[0]", "[1]"), 2)
        later = await two.read("t", 1)
        assert later is not None
        assert later.events == ("[1]",)
        assert await one.read("u", 0) is None

    stores(tmp_path, work)


def test_of_two_writers_one_has_to_look_again(tmp_path: Path) -> None:
    async def work(one: SqliteStore, two: SqliteStore) -> None:
        revision = await one.create(HEADER, FIRST, LIMITS)
        changes = [Change(Summary(), [], 2, [f'["{name}"]'], Request(0, name, ANSWER)) for name in ("one", "two")]
        done = await asyncio.gather(
            *(store.write("t", revision, change) for store, change in zip((one, two), changes, strict=True)),
            return_exceptions=True,
        )
        assert sorted(isinstance(result, Conflict) for result in done) == [False, True]
        winner = "two" if isinstance(done[0], Conflict) else "one"
        stored = await one.read("t", 0)
        assert stored is not None
        assert stored.events == ("[0]", "[1]", f'["{winner}"]')
        assert [await two.answer("t", 0, name) is not None for name in ("one", "two")] == [
            winner == "one",
            winner == "two",
        ]
        assert await two.answer("t", 0, winner) == ANSWER
        assert await one.answer("t", 1, winner) is None

    stores(tmp_path, work)


def test_a_write_is_done_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    async def work(one: SqliteStore, two: SqliteStore) -> None:
        revision = await one.create(HEADER, FIRST, LIMITS)
        before = await one.read("t", 0)
        with pytest.raises(sqlite3.IntegrityError):  # an event of this number is there
            await one.write("t", revision, Change(Summary(), [SeatRow(0, "bot")], 1, ["[9]"], Request(0, "r", ANSWER)))
        assert await two.read("t", 0) == before
        assert await two.answer("t", 0, "r") is None
        assert await two.write("t", revision, Change(Summary(Status("over", "over")))) > revision

    stores(tmp_path, work)


def test_news_of_others(tmp_path: Path) -> None:
    async def work(one: SqliteStore, two: SqliteStore) -> None:
        assert await one.news() == await two.news() == []
        revision = await one.create(HEADER, FIRST, LIMITS)
        await one.create(replace(HEADER, table="u"), FIRST, LIMITS)
        assert await one.news() == []
        assert await two.news() == ["t", "u"]
        assert await two.news() == []
        await two.write("t", revision, Change(Summary()))
        assert "t" in await one.news()

    stores(tmp_path, work)


def test_lists_and_limits(tmp_path: Path) -> None:
    async def work(one: SqliteStore, two: SqliteStore) -> None:
        free = Change(Summary(free=1))
        for number in range(5):
            header = replace(HEADER, table=f"t{number}", access="invitation" if number == 2 else "public")
            await one.create(header, free if number % 2 else FIRST, limited(tables=5))
        with pytest.raises(Full):
            await two.create(HEADER, FIRST, limited(tables=5))
        found = await two.listed("public", None, 10, False)
        assert [stored.header.table for stored in found] == ["t4", "t3", "t1", "t0"]
        assert [s.header.table for s in await two.listed("public", found[1].number, 1, False)] == ["t1"]
        assert [s.header.table for s in await two.listed("public", None, 10, True)] == ["t3", "t1"]
        assert sorted(await two.bots_due(0)) == ["t0", "t2", "t4"]
        assert await two.bots_due(1000) == []
        assert await one.under_way() == 3

    stores(tmp_path, work)


# ---- The file


def start(path: Path) -> None:
    with serving(path.parent, database=path):
        pass


def test_the_folder_is_made(tmp_path: Path) -> None:
    start(tmp_path / "a" / "b" / "tables.sqlite")
    assert (tmp_path / "a" / "b" / "tables.sqlite").is_file()


def test_nobody_else_on_the_machine_may_read_it(tmp_path: Path) -> None:
    """Seeds of games that are played are in it, and in what SQLite puts beside it. A file of before is closed, too."""
    path = tmp_path / "new" / "tables.sqlite"

    async def opened() -> None:
        store = SqliteStore(path)
        await store.open()
        await store.create(HEADER, FIRST, LIMITS)
        kept = [path, *path.parent.glob("tables.sqlite-*")]
        assert len(kept) > 1
        assert [oct(each.stat().st_mode & 0o777) for each in kept] == ["0o600"] * len(kept)
        assert oct(path.parent.stat().st_mode & 0o777) == "0o700"
        await store.close()

    asyncio.run(opened())
    path.unlink()
    sqlite3.connect(path).close()
    path.touch(mode=0o644)
    path.chmod(0o644)
    asyncio.run(opened())


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    path.write_text("this is no database, only some text" * 100)
    with pytest.raises(ConfigError, match=r"database: .*tables\.sqlite"):
        start(path)
    with pytest.raises(ConfigError, match=r"database: .*tables\.sqlite"):
        start(path / "below" / "tables.sqlite")


def test_a_start_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tables.sqlite").write_text("this is no database")
    port = free_port()
    with tempfile.TemporaryDirectory() as temporary:  # the name of a socket is short
        monkeypatch.setattr(tempfile, "tempdir", temporary)
        with pytest.raises(ConfigError), serving(tmp_path, http_port=port):
            pass
        assert not list(Path(temporary).iterdir())
    socket.create_server(("127.0.0.1", port)).close()


def test_a_database_of_a_newer_server(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(ConfigError, match="version 99"):
        start(path)


def test_no_token_is_kept(tmp_path: Path) -> None:
    with serving(tmp_path) as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        made = create(tables, 2, hidden=True)
        own = join(tables, made.table.table, made.invitation)
        content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert made.table.table.encode() in content
        for token in (made.host_token, made.invitation, own.token):
            assert token
            assert token.encode() not in content


def test_tables_nobody_touches_are_forgotten(tmp_path: Path) -> None:
    """With all that belongs to them; the others stay, and no revision comes twice."""

    async def work(one: SqliteStore, two: SqliteStore) -> None:
        for name in ("a", "b", "c"):
            await one.create(replace(HEADER, table=name), FIRST, LIMITS)
        await one.write(
            "a", (await _read(one, "a")).revision, Change(Summary(), [], 2, ["[2]"], Request(0, "r", ANSWER))
        )
        assert await two.forget(LIMITS) == 0
        assert one.db is not None
        one.db.execute("UPDATE tables SET written = written - 4000 WHERE id <> 'a'")
        assert await two.forget(LIMITS) == 2
        assert await one.read("b", 0) is None
        assert (await _read(one, "a")).count == 3
        for name in ("events", "seats", "requests"):
            rows = one.db.execute(f"SELECT DISTINCT table_id FROM {name}").fetchall()
            assert rows == [("a",)]
        assert await one.create(replace(HEADER, table="d"), FIRST, limited(tables=2)) > 4

    stores(tmp_path, work)


def test_games_that_never_began_are_forgotten_sooner(tmp_path: Path) -> None:
    async def work(one: SqliteStore, two: SqliteStore) -> None:
        await one.create(replace(HEADER, table="begun"), FIRST, LIMITS)
        await one.create(replace(HEADER, table="waiting"), Change(Summary(free=1)), LIMITS)
        assert await two.forget(limited(before_begin=-1)) == 1
        assert await one.read("waiting", 0) is None
        assert await one.read("begun", 0) is not None

    stores(tmp_path, work)


def test_one_owner_has_only_so_many(tmp_path: Path) -> None:
    """And is told when there will be room: when the next of them would be deleted."""

    async def work(one: SqliteStore, two: SqliteStore) -> None:
        limits, ann = limited(of_owner=2, idle_seconds=500), replace(HEADER, owner="Ann")
        for name in ("a", "b"):
            await one.create(replace(ann, table=name), FIRST, limits)
        with pytest.raises(Full) as full:
            await two.create(replace(ann, table="c"), FIRST, limits)
        assert full.value.of_owner
        assert 480 < full.value.retry_seconds <= 500
        await two.create(replace(HEADER, owner="Bob"), FIRST, limits)
        await two.delete("a")
        await one.create(replace(ann, table="c"), FIRST, limits)

    stores(tmp_path, work)


def test_times_of_turns(tmp_path: Path) -> None:
    """A time that ran out is told with the revision it belongs to; it ends with the turn."""
    now = Steady()

    async def work(one: SqliteStore, two: SqliteStore) -> None:
        timed = replace(HEADER, clock=CLOCK, host_may_know=True)
        revision = await one.create(timed, turn(0, seconds=60), LIMITS)
        await one.create(replace(timed, table="u"), turn(0, seconds=90), LIMITS)
        await one.create(replace(timed, table="none"), turn(0), LIMITS)
        stored = await _read(two, "t")
        assert (stored.header, stored.time_left, stored.turn_begun) == (timed, 60, 0)
        assert (await _read(two, "none")).time_left is None
        await now.goes(two, 59)
        assert (await _read(one, "t")).time_left == 1
        assert await one.out_of_time() == []
        await now.goes(two, 2)
        assert await one.out_of_time() == await two.out_of_time() == [("t", revision)]
        assert (await _read(two, "t")).time_left == 0

        revision = await one.write("t", revision, turn(0, goes_on=True))  # within the turn
        assert await two.out_of_time() == [("t", revision)]
        out = replace(turn(0, goes_on=True, bot_due=True), timed_out=[TimedOut(2, 1)])
        revision = await two.write("t", revision, out)
        assert await one.out_of_time() == []
        assert (await _read(one, "t")).timed_out == (TimedOut(2, 1),)
        revision = await two.write("t", revision, turn(0, goes_on=True))  # the person is back
        assert await one.out_of_time() == [("t", revision)]
        await one.write("t", revision, turn(2, seconds=60))
        stored = await _read(two, "t")
        assert (stored.time_left, stored.turn_begun, stored.timed_out) == (60, 2, (TimedOut(2, 1),))
        assert (await _read(two, "u")).time_left == 29
        await one.delete("t")
        assert await two.read("t", 0) is None

    stores(tmp_path, work, now)


@pytest.mark.parametrize("jump", [-(10**6), -3600, 3600, 90 * 86_400])
def test_times_do_not_run_while_nobody_serves(tmp_path: Path, jump: float) -> None:
    """However long that was, and if the steady clock began anew."""
    now = Steady()

    async def before(one: SqliteStore, _: SqliteStore) -> None:
        await one.create(replace(HEADER, clock=CLOCK), turn(0, seconds=3600), LIMITS)
        await now.goes(one, 600)

    async def after(one: SqliteStore, two: SqliteStore) -> None:
        for store in (one, two):
            assert 3000 <= (await _read(store, "t")).time_left <= 3005  # type: ignore[operator]
        await now.goes(two, 600)
        assert 2395 <= (await _read(one, "t")).time_left <= 2405  # type: ignore[operator]
        await now.goes(two, 2405)
        assert [name for name, _ in await one.out_of_time()] == ["t"]

    stores(tmp_path, before, now)
    now.time += jump
    stores(tmp_path, after, now)


def test_a_clock_that_is_set_changes_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(one: SqliteStore, two: SqliteStore) -> None:
        await one.create(replace(HEADER, clock=CLOCK), turn(0, seconds=3600), LIMITS)
        for ahead in (90 * 86_400, -90 * 86_400):
            wall = time.time() + ahead
            monkeypatch.setattr(time, "time", lambda wall=wall: wall)
            assert await two.out_of_time() == []
            assert 3590 < (await _read(two, "t")).time_left <= 3600  # type: ignore[operator]

    stores(tmp_path, work)


def turn(begun: int, seconds: float | None = None, *, goes_on: bool = False, bot_due: bool = False) -> Change:
    return Change(Summary(STATUS, bot_due=bot_due), turn=TurnTime(begun, seconds, goes_on))


def test_a_deleted_table_leaves_nothing(tmp_path: Path) -> None:
    """And what is written next is news, though the newest of all was deleted."""

    async def work(one: SqliteStore, two: SqliteStore) -> None:
        await one.create(replace(HEADER, table="a"), FIRST, LIMITS)
        revision = await one.create(HEADER, FIRST, LIMITS)
        await two.news()
        await one.delete("t")
        assert await one.read("t", 0) is None
        assert one.db is not None
        for name in ("events", "seats", "requests"):
            assert not one.db.execute(f"SELECT * FROM {name} WHERE table_id = 't'").fetchall()
        assert await one.write("a", (await _read(one, "a")).revision, Change(Summary())) > revision
        assert await two.news() == ["a"]

    stores(tmp_path, work)


def test_looking_for_old_tables_waits_for_nobody(tmp_path: Path) -> None:
    """While somebody else writes, however long, it is found out that there is nothing to delete."""

    async def work(one: SqliteStore, two: SqliteStore) -> None:
        await one.create(HEADER, FIRST, LIMITS)
        assert one.db is not None
        one.db.execute("BEGIN IMMEDIATE")
        assert await two.forget(LIMITS) == 0
        one.db.execute("ROLLBACK")

    stores(tmp_path, work)


async def _read(store: SqliteStore, table: str) -> Stored:
    stored = await store.read(table, 0)
    assert stored is not None
    return stored
