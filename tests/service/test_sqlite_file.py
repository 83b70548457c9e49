"""The file in which hosted tables are kept, if it is one: who may read it, and what cannot be used as one."""

import asyncio
import socket
import sqlite3
import tempfile
from pathlib import Path

import grpc
import pytest

from saloon.ports import free_port
from server.basics.settings import ConfigError
from tests.service.at_tables import Stub, create, join
from tests.service.kept import KeptInFile, opened
from tests.service.running import serving
from tests.service.test_tables_store import FIRST, HEADER, LIMITS


def start(path: Path) -> None:
    with serving(path.parent, database=path):
        pass


def test_the_folder_is_made(tmp_path: Path) -> None:
    start(tmp_path / "a" / "b" / "tables.sqlite")
    assert (tmp_path / "a" / "b" / "tables.sqlite").is_file()


def test_nobody_else_on_the_machine_may_read_it(tmp_path: Path) -> None:
    """Seeds of games that are played are in it, and in what SQLite puts beside it. A file of before is closed, too."""
    path = tmp_path / "new" / "tables.sqlite"

    async def look() -> None:
        async with opened(KeptInFile(path.parent), 1) as (stores,):
            await stores.tables.create(HEADER, FIRST, LIMITS)
            files = [path, *path.parent.glob("tables.sqlite-*")]
            assert len(files) > 2
            assert [oct(each.stat().st_mode & 0o777) for each in files] == ["0o600"] * len(files)
            assert oct(path.parent.stat().st_mode & 0o777) == "0o700"

    asyncio.run(look())
    path.unlink()
    sqlite3.connect(path).close()
    path.touch(mode=0o644)
    path.chmod(0o644)
    asyncio.run(look())


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
