"""Tables by what they are and whose they are: lists, accounts, and games that are over, on both stores."""

import hashlib
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from saloon_client import Client, goldgraeber, moon_river
from saloon_client.v1 import game_pb2
from saloon_client.v1 import tables_pb2 as pb

from tests.service.at_tables import Stub, bot, create, join, look, options, play_to_end, refused, watch
from tests.service.kept import Kept
from tests.service.running import serving, until

CODE = grpc.StatusCode
TOKENS = {"front": 'accounts = "told"', "ann": 'accounts = "own"', "bob": 'accounts = "own"', "page": ""}

Call = Callable[..., Any]


class Caller:
    """The Tables service, as the client with one token has it."""

    def __init__(self, stub: Stub, token: str, address: str) -> None:
        self.address = address
        self._stub, self._metadata = stub, (("authorization", f"Bearer {token}"),)

    def __getattr__(self, method: str) -> Call:
        return lambda request, **how: getattr(self._stub, method)(request, metadata=self._metadata, **how)


@pytest.fixture
def callers(kept: Kept, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """By the names of their tokens; they ask two servers in turn."""
    tokens = tmp_path / "tokens.toml"
    lines = [
        f'[{name}]\nsha256 = "{hashlib.sha256(name.encode()).hexdigest()}"\n{more}\n' for name, more in TOKENS.items()
    ]
    tokens.write_text("\n".join(lines), encoding="utf-8")
    with ExitStack() as stack:
        servers = []
        for _ in range(2):
            service = stack.enter_context(serving(tmp_path, database=kept.database, tokens=tokens))
            stub = Stub(stack.enter_context(grpc.insecure_channel(service.address)))
            servers.append((stub, service.address))
        yield {
            name: Caller(stub, name, address)
            for name, (stub, address) in zip(TOKENS, itertools.cycle(servers), strict=False)
        }


def listed(caller: Any, **wanted: Any) -> list[str]:
    return [table.table for table in caller.ListTables(pb.ListTablesRequest(**wanted)).tables]


def yours(caller: Any, **wanted: Any) -> dict[str, list[int]]:
    found = caller.ListTables(pb.ListTablesRequest(mine=True, **wanted)).tables
    return {table.table: list(table.yours) for table in found}


# ---- Whose tables


def test_a_person_finds_the_tables_they_made_or_sit_at(callers: dict[str, Any]) -> None:
    """Those by invitation, too; by a token of their own, or by a front end that says for whom it calls."""
    front, ann, bob = callers["front"], callers["ann"], callers["bob"]
    made = ann.CreateTable(pb.CreateTableRequest(options=options(2), access=pb.ACCESS_INVITATION))
    table, invitation = made.table.table, made.invitation
    assert yours(ann) == yours(front, account="ann") == {table: []}
    assert yours(bob) == yours(front, account="cid") == {}

    front.JoinTable(pb.JoinTableRequest(table=table, name="Cid", token=invitation, account="cid"))
    bob.JoinTable(pb.JoinTableRequest(table=table, name="Bob", token=invitation))
    assert yours(front, account="cid") == {table: [0]}
    assert yours(bob) == {table: [1]}
    assert yours(bob, state=pb.TABLE_STATE_UNDER_WAY) == {table: [1]}
    assert yours(bob, state=pb.TABLE_STATE_OPEN) == {}
    for caller in callers.values():
        assert table not in listed(caller)

    other = front.CreateTable(pb.CreateTableRequest(options=options(3), account="cid")).table.table
    assert list(yours(front, account="cid")) == [other, table]
    assert yours(bob) == {table: [1]}


def test_accounts_are_told_to_nobody(callers: dict[str, Any]) -> None:
    front, page = callers["front"], callers["page"]
    made = front.CreateTable(pb.CreateTableRequest(options=options(2), account="the-maker"))
    table = made.table.table
    tokens = {}
    for seat in range(2):
        request = pb.JoinTableRequest(table=table, seat=seat, name=f"P{seat}", account=f"sitter-{seat}")
        answer = front.JoinTable(request)
        tokens[seat] = answer.token
    seen = [str(update) for update in play_to_end(page, table, tokens)]
    said = [
        *seen,
        str(made),
        str(answer),
        str(page.GetTable(pb.GetTableRequest(table=table, token=tokens[0]))),
        str(page.ListTables(pb.ListTablesRequest())),
        str(front.ListTables(pb.ListTablesRequest(mine=True, account="sitter-1"))),
        str(page.ExportTable(pb.ExportTableRequest(table=table))),
    ]
    assert not {word for word in ("the-maker", "sitter") if word in "".join(said)}
    assert all(not found.yours for found in front.ListTables(pb.ListTablesRequest(account="sitter-1")).tables)


def test_who_takes_a_seat_over_has_it(callers: dict[str, Any]) -> None:
    """With its token, after a bot or not; without an account it stays whose it was."""
    ann, bob, page = callers["ann"], callers["bob"], callers["page"]
    table = page.CreateTable(pb.CreateTableRequest(options=options(2))).table.table
    token = ann.JoinTable(pb.JoinTableRequest(table=table, name="Ann")).token
    ann.SeatBot(pb.SeatBotRequest(table=table, token=token, bot=bot(0)))
    assert yours(ann) == {table: [0]}
    page.JoinTable(pb.JoinTableRequest(table=table, name="Ann", token=token))
    assert yours(ann) == {table: [0]}
    bob.JoinTable(pb.JoinTableRequest(table=table, name="Bob", token=token))
    assert (yours(ann), yours(bob)) == ({}, {table: [0]})


@pytest.mark.parametrize(
    ("who", "request_"),
    [
        ("ann", pb.ListTablesRequest(mine=True, account="bob")),
        ("page", pb.ListTablesRequest(mine=True, account="bob")),
        ("ann", pb.CreateTableRequest(options=options(2), account="ann")),
        ("page", pb.CreateTableRequest(options=options(2), account="ann")),
        ("page", pb.ImportTableRequest(record=game_pb2.GameRecord(options=options(2)), account="ann")),
    ],
)
def test_only_who_may_says_for_whom_it_calls(callers: dict[str, Any], who: str, request_: Any) -> None:
    method = type(request_).__name__.removesuffix("Request")
    with pytest.raises(grpc.RpcError, match="account") as error:
        getattr(callers[who], method)(request_)
    assert refused(error) == (CODE.PERMISSION_DENIED, "")


def test_mine_without_an_account(callers: dict[str, Any]) -> None:
    for who in ("page", "front"):
        with pytest.raises(grpc.RpcError) as error:
            yours(callers[who])
        assert refused(error) == (CODE.INVALID_ARGUMENT, "mine")
    for account in ("x" * 101, "a\nb", " "):
        with pytest.raises(grpc.RpcError) as error:
            yours(callers["front"], account=account)
        assert refused(error) == (CODE.INVALID_ARGUMENT, "account")


# ---- Lists


def now(ahead: int = 0) -> Timestamp:
    time = Timestamp()
    time.GetCurrentTime()
    time.seconds += ahead
    return time


def test_lists_by_game_seats_state_and_time(tables: Stub) -> None:
    begun = now()
    gold = tables.CreateTable(pb.CreateTableRequest(options=goldgraeber(3))).table.table
    small = create(tables, 2).table.table
    large = create(tables, 4, [bot(seat, "1") for seat in range(4)]).table.table
    waits = create(tables, 2, [bot(0, "1")]).table.table
    join(tables, waits)

    def found(**wanted: Any) -> list[str]:
        return listed(tables, made_from=begun, **wanted)

    list(watch(tables, large))  # to its end
    assert found() == [waits, large, small, gold]
    assert found(game="goldgraeber") == [gold]
    assert found(seats=2) == found(seats=2, game="moon_river") == [waits, small]
    assert found(seats=2, game="goldgraeber") == []
    assert found(state=pb.TABLE_STATE_OPEN) == found(only_free=True) == [small, gold]
    assert found(state=pb.TABLE_STATE_UNDER_WAY) == [waits]
    assert found(state=pb.TABLE_STATE_OVER) == found(state=pb.TABLE_STATE_OVER, seats=4) == [large]
    assert found(state=pb.TABLE_STATE_OVER, only_free=True) == []
    assert found(made_before=begun) == []
    assert found(made_before=now(60), game="goldgraeber") == [gold]


@pytest.mark.parametrize(
    ("field", "wanted"),
    [
        ("game", {"game": "chess"}),
        ("seats", {"seats": -1}),
        ("state", {"state": 9}),
        ("made_from", {"made_from": Timestamp(seconds=-1)}),
        ("made_before", {"made_before": Timestamp(seconds=10**11)}),
        ("made_before", {"made_before": Timestamp(nanos=-1)}),
        ("page_token", {"page_token": "1f"}),
        ("page_token", {"page_token": "0x1-00"}),
        ("page_token", {"page_token": "f" * 17 + "-00"}),
    ],
)
def test_what_does_not_fit_is_named(tables: Stub, field: str, wanted: dict[str, Any]) -> None:
    with pytest.raises(grpc.RpcError) as error:
        listed(tables, **wanted)
    assert refused(error) == (CODE.INVALID_ARGUMENT, field)


def test_the_client_lists_as_it_is_asked(address: str) -> None:
    begun = datetime.now(UTC)
    with Client(address) as saloon:
        made = saloon.create_table(options(3)).table.table
        assert [table.table for table in saloon.tables(made_from=begun, seats=3, state="open")] == [made]
        assert not list(saloon.tables(made_from=begun, game="goldgraeber"))
        with pytest.raises(ValueError, match="zone"):
            list(saloon.tables(made_from=datetime(2026, 1, 1)))
        with pytest.raises(ValueError, match="under_way"):
            list(saloon.tables(state="done"))  # type: ignore[arg-type]


def test_what_the_guide_prints_works(callers: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """As the front end that says for whom it calls."""
    guide = (Path(__file__).parents[2] / "docs" / "tables.md").read_text(encoding="utf-8")
    printed = [block for block in re.findall(r"(?:^ {4}.*\n)+", guide, re.M) if "saloon.tables(" in block]
    assert len(printed) == 2
    with Client(callers["front"].address, token="front") as saloon:
        table = saloon.create_table(moon_river(players=3)).table.table
        for block in printed:
            exec(dedent(block), {"saloon": saloon, "table": table})
    assert capsys.readouterr().out == f"{table} ['', '', '']\n{table} [0]\n"


# ---- Games that are over


def test_a_game_that_is_over_is_there_when_its_table_is_not(
    kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All who watched, looked and exported see what they saw; nothing is played any more."""

    def seen(tables: Stub, table: str, tokens: Sequence[str]) -> list[Any]:
        found: list[Any] = [look(tables, table, token) for token in tokens]
        found += [tables.ExportTable(pb.ExportTableRequest(table=table, token=token)) for token in tokens]
        found += [tables.ListTables(pb.ListTablesRequest(state=pb.TABLE_STATE_OVER)).tables[0]]
        return [*found, *(update for token in tokens for update in watch(tables, table, token))]

    with serving(tmp_path, database=kept.database) as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        made = create(tables, 3, [bot(2)])
        table = made.table.table
        tokens = {seat: join(tables, table, name=f"P{seat}").token for seat in range(2)}
        play_to_end(tables, table, tokens)
        everybody = ["", made.host_token, *tokens.values()]
        before = seen(tables, table, everybody)
        kept.sql("UPDATE tables SET written = written - 90000")
        monkeypatch.setattr(service.tables.open_tables.clock, "believed", lambda _: True)
        until(lambda: not kept.sql("SELECT * FROM tables"), 20)
        assert seen(tables, table, everybody) == before
    with serving(tmp_path, database=kept.database) as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        assert seen(tables, table, everybody) == before
        assert join(tables, table, tokens[0]).token == tokens[0]  # who comes back may look
        act = pb.ActRequest(table=table, token=tokens[0], decision=game_pb2.Decision(), request_id="r")
        seat_bot = pb.SeatBotRequest(table=table, token=tokens[0], bot=bot(0))
        for change in (lambda: tables.Act(act), lambda: join(tables, table), lambda: tables.SeatBot(seat_bot)):
            with pytest.raises(grpc.RpcError, match="the game is over") as error:
                change()
            assert error.value.code() == CODE.FAILED_PRECONDITION
        tables.DeleteTable(pb.DeleteTableRequest(table=table, token=made.host_token))
        with pytest.raises(grpc.RpcError, match="no such table"):
            look(tables, table)
        assert not tables.ListTables(pb.ListTablesRequest()).tables
