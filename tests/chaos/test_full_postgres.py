"""A full disk of PostgreSQL: really full, of its own and small."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import grpc
import psycopg
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from saloon_client.v1 import game_pb2

from load.postgres import Postgres, running
from tests.service.at_tables import Stub, bot, create, look, play_to_end
from tests.service.disks import Disk, NoDisk, small_disk
from tests.service.games import details
from tests.service.postgres import place
from tests.service.test_postgres import begun, events_so_far, soon, tables_at, turn

_MEGABYTES = 128  # an empty one has 40, and 16 for every file of its log

_SMALL = {"max_wal_size": "32MB", "min_wal_size": "32MB"}


@contextmanager
def on_a_small_disk(log_alone: bool) -> Iterator[tuple[Postgres, Disk]]:
    with place() as folder:
        try:
            with small_disk(folder / "disk", _MEGABYTES) as disk:
                made = Postgres(folder, None, _SMALL, disk=disk, log_alone=log_alone)
                with running(made):
                    yield made, disk
        except NoDisk as reason:
            pytest.skip(f"SKIPPED: no disk can be made that is really full: {reason}")


def fill(made: Postgres, disk: Disk, log_alone: bool) -> None:
    """Not a byte fits. If it is the log alone that is full, somebody else's writes need its next file: it ends."""
    disk.fill()
    with suppress(psycopg.OperationalError):
        while log_alone:
            made.sql("CREATE TABLE public.other (); DROP TABLE public.other; SELECT pg_switch_wal()")


def until_refused(tables: Stub, table: str, tokens: list[str]) -> int:
    """Decide until that cannot be kept; how many events were acknowledged."""
    events, end = 0, time.monotonic() + 60
    while time.monotonic() < end:
        try:
            events = look(tables, table).table.events
            turn(tables, table, tokens)
        except grpc.RpcError as error:
            said = error
            break
    else:
        raise AssertionError("the disk is not full")
    assert said.code() == grpc.StatusCode.UNAVAILABLE
    assert details(said, RetryInfo).retry_delay.ToMilliseconds() > 0
    assert "the tables cannot be stored or read just now" in str(said.details())
    return events


@pytest.mark.parametrize("log_alone", [False, pytest.param(True, marks=pytest.mark.chaos)])
def test_a_full_disk(tmp_path: Path, log_alone: bool) -> None:
    """Of all its data, or of its write-ahead log alone, for which PostgreSQL ends: calls that write are UNAVAILABLE,
    what was acknowledged is there, and with room games go on, also those of bots."""
    with (
        on_a_small_disk(log_alone) as (made, disk),
        made.database() as name,
        tables_at(tmp_path, database=made.url(name)) as tables,
    ):
        table, tokens = begun(tables)
        before = turn(tables, table, tokens)
        bots = create(tables, 4, [bot(seat, iterations=300) for seat in range(4)]).table.table
        fill(made, disk, log_alone)
        before = max(before, until_refused(tables, table, tokens))
        if not log_alone:  # what is there can still be read
            assert look(tables, table).table.events == before
        disk.free()
        if not made.alive:
            made.start()
        assert soon(lambda: look(tables, table)).table.events == before
        assert soon(lambda: turn(tables, table, tokens)) > before
        numbers = [update.event.number for update in events_so_far(tables, table, before)]
        assert numbers == list(range(before))
        assert soon(lambda: play_to_end(tables, bots, {}))[-1].table.status.waiting == game_pb2.WAITING_OVER
