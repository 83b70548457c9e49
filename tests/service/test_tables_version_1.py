"""A file of the first version of the store, as a server of that time left it: whoever played there plays on.

The file holds tables of both games: with free seats, by invitation, over, imported without a seed, and one where bots
were thinking. Beside it: their tokens, what `GetTable` showed, and the requests that were answered."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import ParseDict
from saloon_client.v1 import game_pb2
from saloon_client.v1 import tables_pb2 as pb

from tests.service.hosted import Stub, bot, join, play_to_end, stand, watch
from tests.service.running import serving
from tests.tables import DATA

KNOWN = json.loads((DATA / "tables-v1.json").read_text(encoding="utf-8"))
TABLES: dict[str, Any] = {table["about"]: table for table in KNOWN["tables"]}
BEGUN = [about for about, table in TABLES.items() if "acts" in table]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the server finds the file."""
    shutil.copy(DATA / "tables-v1.sqlite", tmp_path / "tables.sqlite")
    return tmp_path


@pytest.fixture
def tables(folder: Path) -> Iterator[Stub]:
    with serving(folder) as service, grpc.insecure_channel(service.address) as channel:
        yield Stub(channel)


def tokens(about: str) -> dict[int, str]:
    return {int(seat): token for seat, token in TABLES[about]["seats"].items()}


def test_every_table_is_listed_and_stands_as_it_did(tables: Stub) -> None:
    listed = tables.ListTables(pb.ListTablesRequest(page_size=100)).tables
    assert [table.table for table in listed] == KNOWN["listed"]
    for table in TABLES.values():
        if "stand" in table:
            assert stand(tables, table["table"], table["host"]) == ParseDict(table["stand"], pb.GetTableResponse())


def test_tokens_are_those_they_were(tables: Stub) -> None:
    for about, table in TABLES.items():
        for seat, token in tokens(about).items():
            assert stand(tables, table["table"], token).seat == seat
        assert tables.ExportTable(pb.ExportTableRequest(table=table["table"], token=table["host"])).record.events or (
            table["stand"]["table"].get("events", 0) == 0
        )
    hidden = TABLES["hidden"]
    assert stand(tables, hidden["table"], hidden["invitation"]).table.access == pb.ACCESS_INVITATION
    with pytest.raises(grpc.RpcError, match="by invitation"):
        stand(tables, hidden["table"])


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
    begun = stand(tables, table).table.events
    for update in watch(tables, table, first_event=begun):
        if update.HasField("table") and update.table.events > begun + 5:
            break
    back = join(tables, table, token, name="Ann again")
    assert (back.seat, back.token) == (2, token)
    assert play_to_end(tables, table, {2: token})[-1].table.status.waiting == game_pb2.WAITING_OVER


@pytest.mark.parametrize("about", ["free", "imported, free"])
def test_free_seats_are_taken(tables: Stub, about: str) -> None:
    table, host = TABLES[about]["table"], TABLES[about]["host"]
    seats = stand(tables, table).table.seats
    for seat in seats:
        if seat.player == pb.PLAYER_FREE:
            tables.SeatBot(pb.SeatBotRequest(table=table, token=host, bot=bot(seat.seat)))
    seen = play_to_end(tables, table, tokens(about))
    assert seen[-1].table.status.waiting == game_pb2.WAITING_OVER
