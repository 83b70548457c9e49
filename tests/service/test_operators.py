"""What operators do to the database while servers run: games that are over in bulk, and a person forgotten."""

import asyncio
import hashlib
import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from saloon_client.v1 import game_pb2
from saloon_client.v1 import tables_pb2 as pb

from engine_cy.records import Record
from saloon.launching import SALOON
from server.stores import games
from server.stores.games import NOBODY, Ended, Person, WantedGames, all_finished
from server.stores.tables import SeatRow, Wanted
from tests.service.at_tables import Stub, bot, create, join, look, options, play_to_end
from tests.service.kept import Kept, KeptInFile, opened
from tests.service.running import serving
from tests.service.test_tables_store import HEADER, LIMITS, names
from tests.service.test_tables_store_games import the_end


def run(*arguments: Any) -> subprocess.CompletedProcess[str]:
    command = [*SALOON, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@contextmanager
def tables_of(kept: Kept, folder: Path, **settings: Any) -> Iterator[Stub]:
    with (
        serving(folder, database=kept.database, **settings) as service,
        grpc.insecure_channel(service.address) as channel,
    ):
        yield Stub(channel)


# ---- Games that are over


def test_every_game_that_is_over_is_exported_as_a_record(kept: Kept, tmp_path: Path) -> None:
    """It replays to what people saw; games under way are not told of."""
    with tables_of(kept, tmp_path) as tables:
        create(tables, 2)
        played = [create(tables, 2 + number, [bot(i) for i in range(1, 2 + number)]).table.table for number in range(2)]
        for table in played:
            play_to_end(tables, table, {0: join(tables, table, name="Änn").token})
        told = run("export", "--database", kept.database)
        assert (told.returncode, told.stderr) == (0, "2 games\n")
        lines = [json.loads(line) for line in told.stdout.splitlines()]
        assert [line["table"] for line in lines] == played
        for line in lines:
            game = Record.from_json(json.dumps(line["record"])).replay()
            stand = look(tables, line["table"])
            assert len(game.history) == stand.table.events
            assert [(seat["points"], seat["place"]) for seat in line["result"]] == [
                (score.total, score.place) for score in stand.scores
            ]
            assert [seat["name"] for seat in line["seats"]] == [seat.name for seat in stand.table.seats]
            assert line["made"] < line["ended"] < datetime.now(UTC).isoformat()

        file = tmp_path / "games.jsonl"
        now = datetime.now(UTC)
        for flags, count in (
            (["--game", "moon_river", "--from", now - timedelta(hours=1)], "2 games"),
            (["--game", "goldgraeber"], "0 games"),
            (["--to", (now - timedelta(days=1)).date()], "0 games"),
            (["--from", lines[1]["ended"]], "1 game"),
            (["--account", "ann"], "0 games"),
        ):
            told = run("export", "--database", kept.database, "--out", file, *flags)
            assert (told.stdout, told.stderr.strip()) == ("", count)
            assert len(file.read_text(encoding="utf-8").splitlines()) == int(count.split()[0])
        assert [path.name for path in tmp_path.glob("games*")] == ["games.jsonl"]


def test_games_are_read_a_few_at_a_time(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_AT_ONCE", 7)

    async def work() -> None:
        async with opened(kept, 1) as (stores,):
            for number in range(30):
                header = replace(HEADER, table=f"t{number:02}", account="ann" if number % 3 else "")
                await stores.tables.create(header, the_end(header, [SeatRow(0, "free")], ["[0]"]), room)
            kept.sql("UPDATE games SET ended = 1000 + 10 * (number % 2)")  # several at the same moment
            found = [stored.header.table async for stored in all_finished(stores.games, WantedGames())]
            assert sorted(found) == [f"t{number:02}" for number in range(30)]
            early = [s.header.table async for s in all_finished(stores.games, WantedGames(ended_before=1005.0))]
            assert found == [*early, *(name for name in found if name not in early)]
            assert len(early) == 15
            mine = [s.header.table async for s in all_finished(stores.games, WantedGames(account="ann"))]
            assert mine == [name for name in found if int(name[1:]) % 3]
            rest = await stores.games.finished(WantedGames(ended_from=1005.0), Ended(1010.0, found[20]), 100)
            assert [stored.header.table for stored in rest] == found[21:]

    room = replace(LIMITS, tables=100, of_owner=100)
    asyncio.run(work())


# ---- A person


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    """One client, which calls for many people."""
    path = tmp_path / "tokens.toml"
    digest = hashlib.sha256(b"front").hexdigest()
    path.write_text(f'[front]\nsha256 = "{digest}"\naccounts = "told"\n', encoding="utf-8")
    return path


FRONT = (("authorization", "Bearer front"),)


@pytest.mark.parametrize("by", ["name", "account"])
def test_a_person_is_forgotten_while_they_play(kept: Kept, tmp_path: Path, tokens: Path, by: str) -> None:
    """At tables under way, of which a watcher hears; in games that are over; and in what ends afterwards."""
    who = ["Zaphod-Näme"] if by == "name" else ["--account", "zaphod@account"]

    def front(tables: Stub, method: str, **fields: Any) -> Any:
        return getattr(tables, method)(getattr(pb, f"{method}Request")(**fields), metadata=FRONT)

    def sit(tables: Stub) -> tuple[str, str]:
        made = front(tables, "CreateTable", options=options(2), bots=[bot(1)], account="zaphod@account")
        table = made.table.table
        return table, front(tables, "JoinTable", table=table, name="Zaphod-Näme", account="zaphod@account").token

    class AsFront:
        """The same stub, with its token."""

        def __init__(self, stub: Stub) -> None:
            self.stub = stub

        def __getattr__(self, method: str) -> Any:
            return lambda request, **how: getattr(self.stub, method)(request, metadata=FRONT, **how)

    with tables_of(kept, tmp_path, tokens=tokens) as stub, tables_of(kept, tmp_path, tokens=tokens) as elsewhere:
        tables: Any = AsFront(stub)
        over, token = sit(stub)
        play_to_end(tables, over, {0: token})
        table, token = sit(stub)
        other = front(stub, "CreateTable", options=options(2), account="trillian").table.table
        front(stub, "JoinTable", table=other, name="Trillian", account="trillian")
        watching = AsFront(elsewhere).WatchTable(pb.WatchTableRequest(table=table), timeout=30)
        assert next(watching).table.seats[0].name == "Zaphod-Näme"

        told = run("forget-person", *who, "--database", kept.database)
        assert "2 live tables, 1 game that is over\nNothing was changed" in told.stdout, told.stderr
        assert look(tables, table).table.seats[0].name == "Zaphod-Näme"
        told = run("forget-person", *who, "--database", kept.database, "--yes")
        assert told.stdout.endswith("Forgotten.\n"), told.stderr

        for update in watching:
            if update.HasField("table") and update.table.seats[0].name == NOBODY:
                break
        watching.cancel()
        seen = play_to_end(tables, table, {0: token})  # with the token of the seat, as ever
        assert seen[-1].table.status.waiting == game_pb2.WAITING_OVER
        for name in (over, table):
            assert look(tables, name).table.seats[0].name == NOBODY
        assert look(tables, other).table.seats[0].name == "Trillian"
        mine = front(stub, "ListTables", mine=True, account="zaphod@account").tables
        assert len(mine) == (0 if by == "account" else 2)
        assert len(front(stub, "ListTables", mine=True, account="trillian").tables) == 1
        told = run("forget-person", *who, "--database", kept.database)
        assert "0 live tables, 0 games" in told.stdout
    left = str([kept.sql(f"SELECT * FROM {name}") for name in ("tables", "seats", "games", "people")])
    gone = "Zaphod" if by == "name" else "zaphod@account"
    assert gone not in left
    if by == "account":
        assert "Zaphod" not in left
    if isinstance(kept, KeptInFile):
        assert gone.encode() not in Path(kept.database).read_bytes()


def test_people_of_one_name_keep_their_accounts(kept: Kept) -> None:
    async def work() -> None:
        async with opened(kept, 1) as (stores,):
            rows = [SeatRow(0, "person", "Ann", account="a"), SeatRow(1, "bot", "Ann"), SeatRow(2, "person", "Bob")]
            change = replace(the_end(HEADER, rows, ["[0]"]), people=["a"])
            await stores.tables.create(HEADER, change, LIMITS)
            await games.forget(stores.games, Person(name="Ann"))
            for _ in range(2):
                stored = await stores.tables.read("t", 0)
                assert stored is not None
                assert [(seat.name, seat.account) for seat in stored.seats] == [
                    (NOBODY, "a"),
                    (NOBODY, ""),
                    ("Bob", ""),
                ]
                assert await names(stores.tables, Wanted(account="a")) == ["t"]
                await stores.tables.forget(replace(LIMITS, after_end=-1))  # then it is read from its record

    asyncio.run(work())


# ---- What the guide prints


def test_what_the_guide_prints_works(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    lines = re.findall(r"^ {4}\.venv/bin/saloon ((?:export|forget-person) .*?)(?: +#.*)?$", guide, re.M)
    assert len(lines) == 4
    with tables_of(KeptInFile(tmp_path), tmp_path) as tables:
        table = create(tables, 2, [bot(1)]).table.table
        play_to_end(tables, table, {0: join(tables, table, name="Ann").token})
        for line in lines:
            command = f"{shlex.join(SALOON)} {line}"
            subprocess.run(command, shell=True, check=True, cwd=tmp_path, timeout=60)
    record = json.loads((tmp_path / "games.jsonl").read_text(encoding="utf-8"))["record"]
    (tmp_path / "game.json").write_text(json.dumps(record), encoding="utf-8")
    assert run("show", tmp_path / "game.json").returncode == 0


# ---- What does not fit


def test_what_does_not_fit_is_told_in_words(tmp_path: Path) -> None:
    for arguments, problem in (
        (["export", "--game", "chess"], "game: expected one of moon_river, goldgraeber"),
        (["export", "--from", "soon"], "from: expected a date such as"),
        (["export", "--to", "2026-13-01"], "to: expected a date such as"),
        (["export", "--account", ""], "account: expected 1 to 100"),
        (["export", "--database", tmp_path / "none"], "database: expected a file that servers use"),
        (["forget-person"], "name: expected a name, or --account, got neither"),
        (["forget-person", "Ann", "--account", "ann"], "name: expected a name, or --account, got both"),
        (["forget-person", "somebody"], "name: expected a name, and not"),
    ):
        told = run(*arguments)
        assert (told.returncode, told.stdout) == (2, ""), arguments
        assert problem in told.stderr
    assert not (tmp_path / "none").exists()


def test_a_database_of_another_version_is_left_alone(kept: Kept, tmp_path: Path) -> None:
    with tables_of(kept, tmp_path) as tables:
        create(tables, 2)
    kept.sql("PRAGMA user_version = 4" if isinstance(kept, KeptInFile) else "UPDATE version SET version = 2")
    told = run("forget-person", "Ann", "--database", kept.database, "--yes")
    assert told.returncode == 2
    assert "database:" in told.stderr
    assert "a server of this version brings it up to date" in told.stderr
