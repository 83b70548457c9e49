"""Files of earlier versions of the store, as servers of their time left them: whoever played there plays on.

Each holds tables of both games: with free seats, by invitation, over, imported without a seed, and one where bots
were thinking. Beside it: their tokens, what `GetTable` showed, and the requests that were answered."""

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import grpc
import psycopg
import pytest
from google.protobuf.json_format import ParseDict
from saloon_client.v1 import game_pb2
from saloon_client.v1 import tables_pb2 as pb

from server.stores.postgresql_schema import _VERSIONS
from server.stores.postgresql_schema import VERSION as POSTGRESQL
from server.stores.sqlite import SqliteFile
from server.stores.sqlite_schema import VERSION as SQLITE
from server.stores.sqlite_tables import SqliteTables
from server.stores.tables import StoredBot
from tests.service.at_tables import Stub, bot, join, look, play_to_end, watch
from tests.service.kept import Kept, KeptInFile, KeptInPostgres, kept_in_postgres
from tests.service.running import serving
from tests.tables import DATA

KNOWN = json.loads((DATA / "tables-v1.json").read_text(encoding="utf-8"))
TABLES: dict[str, Any] = {table["about"]: table for table in KNOWN["tables"]}
BOOLEAN = {"bot_due", "host_may_know"}  # numbers in SQLite
BEGUN = [about for about, table in TABLES.items() if "acts" in table]


def placed(folder: Path, version: int) -> Path:
    """The folder, with a file of this version where the server finds it."""
    shutil.copy(DATA / f"tables-v{version}.sqlite", folder / "tables.sqlite")
    return folder


@pytest.fixture(params=range(1, SQLITE))
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return placed(tmp_path, request.param)


@pytest.fixture(params=[*(f"sqlite {n}" for n in range(1, SQLITE)), *(f"postgresql {n}" for n in range(1, POSTGRESQL))])
def database(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Kept]:
    """What a server of each version left."""
    store, version = request.param.split()
    if store == "sqlite":
        placed(tmp_path, int(version))
        yield KeptInFile(tmp_path)
    else:
        with kept_in_postgres(request.getfixturevalue("postgres")) as kept:
            moved(placed(tmp_path, 4) / "tables.sqlite", kept, int(version))
            yield kept


@pytest.fixture
def tables(database: Kept, tmp_path: Path) -> Iterator[Stub]:
    """A server of today, started on it."""
    with serving(tmp_path, database=database.database) as service, grpc.insecure_channel(service.address) as channel:
        yield Stub(channel)


def moved(file: Path, kept: KeptInPostgres, version: int) -> None:
    """What the file holds, in a schema of this version."""
    with closing(sqlite3.connect(file)) as db, psycopg.connect(str(kept.database), autocommit=True) as to:
        to.execute("CREATE SCHEMA saloon")
        to.execute("CREATE TABLE saloon.version (version integer NOT NULL)")
        to.execute("INSERT INTO saloon.version VALUES (%s)", [version])
        for statements in _VERSIONS[:version]:
            to.execute(statements.encode())
        for name in ("tables", "seats", "events", "requests", "timed_out"):
            rows = db.execute(f"SELECT * FROM {name} ORDER BY 1")
            columns = [column[0] for column in rows.description]
            marks = ", ".join("%s::int::boolean" if each in BOOLEAN else "%s" for each in columns)
            more = "OVERRIDING SYSTEM VALUE" if name == "tables" else ""
            sql = f"INSERT INTO saloon.{name} ({', '.join(columns)}) {more} VALUES ({marks})"
            with to.cursor() as cursor:
                cursor.executemany(sql.encode(), rows.fetchall())


def tokens(about: str) -> dict[int, str]:
    return {int(seat): token for seat, token in TABLES[about]["seats"].items()}


def test_every_table_is_listed_and_stands_as_it_did(tables: Stub) -> None:
    listed = tables.ListTables(pb.ListTablesRequest(page_size=100)).tables
    assert [table.table for table in listed] == KNOWN["listed"]
    for table in TABLES.values():
        if "stand" in table:
            stood = ParseDict(table["stand"], pb.GetTableResponse())
            stood.table.host_may_know = True  # who had chosen the seed was not written down then
            assert look(tables, table["table"], table["host"]) == stood


def test_tokens_are_those_they_were(tables: Stub) -> None:
    for about, table in TABLES.items():
        for seat, token in tokens(about).items():
            assert look(tables, table["table"], token).seat == seat
        assert tables.ExportTable(pb.ExportTableRequest(table=table["table"], token=table["host"])).record.events or (
            table["stand"]["table"].get("events", 0) == 0
        )
    hidden = TABLES["hidden"]
    assert look(tables, hidden["table"], hidden["invitation"]).table.access == pb.ACCESS_INVITATION
    with pytest.raises(grpc.RpcError, match="by invitation"):
        look(tables, hidden["table"])


def test_lists_know_how_far_they_have_come(tables: Stub) -> None:
    waiting = {
        pb.TABLE_STATE_OPEN: "",
        pb.TABLE_STATE_UNDER_WAY: "WAITING_DECISION",
        pb.TABLE_STATE_OVER: "WAITING_OVER",
    }
    stands = [table["stand"]["table"] for table in TABLES.values() if "stand" in table]
    for state, expected in waiting.items():
        listed = tables.ListTables(pb.ListTablesRequest(state=state, seats=2)).tables
        for stand in stands:
            fits = stand.get("status", {}).get("waiting", "") == expected and len(stand["seats"]) == 2
            public = stand["table"] in KNOWN["listed"]
            assert (stand["table"] in [table.table for table in listed]) == (fits and public)


def test_games_that_were_over_have_a_record(tables: Stub, database: Kept) -> None:
    """Once the live tables are gone nobody sees a difference."""

    def seen() -> list[Any]:
        found = []
        for table in tables.ListTables(pb.ListTablesRequest(state=pb.TABLE_STATE_OVER)).tables:
            export = tables.ExportTable(pb.ExportTableRequest(table=table.table))
            found += [table, look(tables, table.table), export, *watch(tables, table.table)]
        return found

    before = seen()
    assert len(before) > 100
    database.sql("DELETE FROM tables WHERE waiting = 'over'")
    assert seen() == before


@pytest.mark.parametrize("about", BEGUN)
def test_a_game_goes_on_and_requests_sent_again_are_answered_alike(tables: Stub, about: str) -> None:
    table = TABLES[about]
    assert table["acts"]
    seen = play_to_end(tables, table["table"], tokens(about), next(iter(tokens(about).values())))
    assert seen[-1].table.status.waiting == game_pb2.WAITING_OVER
    for act in table["acts"]:
        answer = tables.Act(ParseDict(act["request"], pb.ActRequest()))
        assert answer == ParseDict(act["answer"], pb.ActResponse())


def test_bots_that_were_thinking_play_on_and_their_person_comes_back(tables: Stub) -> None:
    table, token = TABLES["bots"]["table"], tokens("bots")[2]
    begun = look(tables, table).table.events
    for update in watch(tables, table, first_event=begun):
        if update.HasField("table") and update.table.events > begun + 5:
            break
    back = join(tables, table, token, name="Ann again")
    assert (back.seat, back.token) == (2, token)
    assert play_to_end(tables, table, {2: token})[-1].table.status.waiting == game_pb2.WAITING_OVER


@pytest.mark.parametrize("about", ["free", "imported, free"])
def test_free_seats_are_taken(tables: Stub, about: str) -> None:
    table, host = TABLES[about]["table"], TABLES[about]["host"]
    seats = look(tables, table).table.seats
    for seat in seats:
        if seat.player == pb.PLAYER_FREE:
            tables.SeatBot(pb.SeatBotRequest(table=table, token=host, bot=bot(seat.seat)))
    seen = play_to_end(tables, table, tokens(about))
    assert seen[-1].table.status.waiting == game_pb2.WAITING_OVER


# ---- The file


def opened(folder: Path, processes: int = 1) -> None:
    """Bring the file up to date; so many try it at once."""

    async def run() -> None:
        stores = [SqliteFile(folder / "tables.sqlite") for _ in range(processes)]
        await asyncio.gather(*(store.open() for store in stores))
        for store in stores:
            await store.close()

    asyncio.run(run())


def content(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Schema and rows of the file."""
    db = sqlite3.connect(folder / "tables.sqlite")
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    found = {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in ("tables", "seats", "events", "requests")}
    rows = db.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
    schema = [(name, " ".join((sql or "").replace('"', "").split())) for name, sql in rows]
    version = db.execute("PRAGMA user_version").fetchall()
    db.close()
    return {"schema": schema, "version": version, **found}


def test_it_becomes_what_a_new_file_is(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    before, new = content(folder), tmp_path_factory.mktemp("new")
    for place in (folder, new):
        opened(place)
    after = content(folder)
    assert (after["schema"], after["version"]) == (content(new)["schema"], content(new)["version"])
    assert after["events"] == before["events"]
    assert [len(after[name]) for name in ("tables", "seats", "requests")] == [
        len(before[name]) for name in ("tables", "seats", "requests")
    ]
    opened(folder)
    assert content(folder) == after


def test_a_bot_keeps_all_its_settings(folder: Path) -> None:
    async def run() -> StoredBot | None:
        file = SqliteFile(folder / "tables.sqlite")
        await file.open()
        stored = await SqliteTables(file).read(TABLES["hidden"]["table"], 0)
        await file.close()
        assert stored is not None
        assert (stored.seats[1].player, stored.seats[1].name) == ("bot", "Deputy")
        return stored.seats[1].bot

    knobs = {"exploration": 1.5, "win": 0.25}
    assert asyncio.run(run()) == StoredBot("max", 2**64 - 1, "outlaw", knobs, time=0.020000001, iterations=30)


def test_processes_that_open_it_at_once_change_it_once(folder: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(folder / "tables.sqlite", alone)
    opened(alone)
    opened(folder, processes=6)
    assert content(folder) == content(alone)


_DIES = """
import os, signal, sys
from pathlib import Path
from server.stores import sqlite_schema
from tests.service.test_tables_versions import opened

left = int(sys.argv[2])

def dies(status):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return convert(status)

convert, sqlite_schema._CONVERTERS_1[sys.argv[3]] = sqlite_schema._CONVERTERS_1[sys.argv[3]], dies
opened(Path(sys.argv[1]))
"""


@pytest.mark.parametrize(("word", "row"), [("access", 1), ("bot", 5), ("answer", 11)])
def test_killed_in_the_middle_it_is_as_it_was(tmp_path: Path, word: str, row: int) -> None:
    folder = placed(tmp_path, 1)
    before = content(folder)
    command = [sys.executable, "-c", _DIES, str(folder), str(row), word]
    assert subprocess.run(command, check=False, timeout=60).returncode == -9
    assert content(folder) == before
    opened(folder)
    assert content(folder)["version"] == [(SQLITE,)]
