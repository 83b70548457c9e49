"""What the Tables service refuses: every status code of the contract."""

import time
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from saloon_client.v1 import game_pb2
from saloon_client.v1 import tables_pb2 as pb

from tests.service.at_tables import (
    Stub,
    begin,
    bot,
    create,
    join,
    look,
    options,
    play_to_end,
    refused,
    watch,
)
from tests.service.games import Sitting, Stubs, details
from tests.service.running import serving

CODE = grpc.StatusCode


def test_nothing_is_decided_at_the_wrong_time(tables: Stub) -> None:
    table, tokens, due = begin(tables)
    now = look(tables, table, tokens[due])
    decision, count = now.decisions[0], now.table.events

    def act(seat: int, after: int | None = None) -> pb.ActResponse:
        return tables.Act(pb.ActRequest(table=table, token=tokens[seat], decision=decision, after=after))

    with pytest.raises(grpc.RpcError) as error:
        act(1 - due)
    assert refused(error) == (CODE.FAILED_PRECONDITION, "")
    with pytest.raises(grpc.RpcError) as error:
        act(due, after=count - 1)
    assert refused(error) == (CODE.FAILED_PRECONDITION, "")
    tables.SeatBot(pb.SeatBotRequest(table=table, token=tokens[due], bot=bot(due, iterations=100_000_000)))
    with pytest.raises(grpc.RpcError) as error:
        act(due)
    assert refused(error) == (CODE.FAILED_PRECONDITION, "")
    join(tables, table, tokens[due])
    assert act(due, after=count).events > count

    lonely = create(tables, 2).table.table
    token = join(tables, lonely).token
    with pytest.raises(grpc.RpcError) as error:
        tables.Act(pb.ActRequest(table=lonely, token=token, decision=decision))
    assert refused(error) == (CODE.FAILED_PRECONDITION, "")

    play_to_end(tables, table, dict(enumerate(tokens)))
    with pytest.raises(grpc.RpcError) as error:
        act(due)
    assert refused(error) == (CODE.FAILED_PRECONDITION, "")


def test_what_is_not_legal_is_refused_with_its_field(tables: Stub) -> None:
    table, tokens, due = begin(tables)
    wrong = game_pb2.Decision()
    wrong.moon_river.claim.position = 9
    for decision in (wrong, game_pb2.Decision()):
        with pytest.raises(grpc.RpcError) as error:
            tables.Act(pb.ActRequest(table=table, token=tokens[due], decision=decision))
        code, field = refused(error)
        assert code == CODE.INVALID_ARGUMENT
        assert field.startswith("decision")
    for request, name in (({"request_id": "x" * 65}, "request_id"), ({"after": -1}, "after")):
        with pytest.raises(grpc.RpcError) as error:
            tables.Act(pb.ActRequest(table=table, token=tokens[due], decision=wrong, **request))
        assert refused(error) == (CODE.INVALID_ARGUMENT, name)


# ---- Who may do what


def test_a_table_by_invitation(tables: Stub) -> None:
    made = create(tables, 2, hidden=True)
    table = made.table.table
    assert made.invitation
    assert made.table.access == pb.ACCESS_INVITATION
    assert table not in {t.table for t in tables.ListTables(pb.ListTablesRequest(page_size=100)).tables}
    for token in ("", "guess", made.invitation + "x"):
        for call in (
            lambda: look(tables, table, token),  # noqa: B023
            lambda: join(tables, table, token),  # noqa: B023
            lambda: list(watch(tables, table, token)),  # noqa: B023
            lambda: tables.ExportTable(pb.ExportTableRequest(table=table, token=token)),  # noqa: B023
        ):
            with pytest.raises(grpc.RpcError) as error:
                call()
            assert refused(error) == (CODE.PERMISSION_DENIED, "")
    tokens = [join(tables, table, made.invitation, name=name).token for name in ("Ann", "Bob")]
    for token in (made.invitation, made.host_token, *tokens):
        assert look(tables, table, token).table.table == table
    assert not look(tables, table, made.invitation).HasField("seat")
    assert look(tables, table, tokens[1]).seat == 1


def test_wrong_tokens(tables: Stub) -> None:
    made = create(tables, 3)
    table = made.table.table
    own = join(tables, table)
    other = create(tables, 2)

    def act(token: str) -> object:
        return tables.Act(pb.ActRequest(table=table, token=token))

    def seat_bot(token: str, seat: int = 1) -> object:
        return tables.SeatBot(pb.SeatBotRequest(table=table, token=token, bot=bot(seat)))

    calls: list[Callable[[], object]] = [
        lambda: look(tables, table, "guess"),
        lambda: look(tables, table, other.host_token),
        lambda: list(watch(tables, table, "guess")),
        lambda: join(tables, table, "guess"),
        lambda: act(""),
        lambda: act(made.host_token),
        lambda: act("guess"),
        lambda: seat_bot(""),
        lambda: seat_bot("guess"),
        lambda: seat_bot(other.host_token),
        lambda: seat_bot(own.token, 1),
        lambda: tables.ExportTable(pb.ExportTableRequest(table=table)),
    ]
    for call in calls:
        with pytest.raises(grpc.RpcError) as error:
            call()
        assert refused(error) == (CODE.PERMISSION_DENIED, "")


def test_taken_seats(tables: Stub) -> None:
    made = create(tables, 2, [bot(1)])
    table = made.table.table
    own = join(tables, table)
    calls: list[Callable[[], object]] = [
        lambda: join(tables, table),
        lambda: join(tables, table, seat=0),
        lambda: join(tables, table, seat=1),
        lambda: join(tables, table, own.token, seat=1),
        lambda: tables.SeatBot(pb.SeatBotRequest(table=table, token=made.host_token, bot=bot(0))),
    ]
    for call in calls:
        with pytest.raises(grpc.RpcError) as error:
            call()
        assert refused(error) == (CODE.ALREADY_EXISTS, "")
    # The host's own bots can be exchanged.
    changed = tables.SeatBot(pb.SeatBotRequest(table=table, token=made.host_token, bot=bot(1, level="3"))).table
    assert changed.seats[1].name == "Bot (level 3)"


def test_a_seat_needs_a_token_of_its_own(tables: Stub) -> None:
    """Neither the host's, nor the invitation, which others have too."""
    made = create(tables, 2, hidden=True)
    for token in (made.host_token, made.invitation):
        with pytest.raises(grpc.RpcError) as error:
            tables.JoinTable(
                pb.JoinTableRequest(table=made.table.table, name="Ann", token=made.invitation, seat_token=token)
            )
        assert refused(error) == (CODE.INVALID_ARGUMENT, "seat_token")
        assert token not in str(error.value)


def test_no_such_table(tables: Stub) -> None:
    calls: list[Callable[[], object]] = [
        lambda: look(tables, "none"),
        lambda: look(tables, ""),
        lambda: join(tables, "none"),
        lambda: list(watch(tables, "none")),
        lambda: tables.Act(pb.ActRequest(table="none")),
        lambda: tables.SeatBot(pb.SeatBotRequest(table="none")),
        lambda: tables.ExportTable(pb.ExportTableRequest(table="none")),
    ]
    for call in calls:
        with pytest.raises(grpc.RpcError) as error:
            call()
        assert refused(error) == (CODE.NOT_FOUND, "")


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (pb.CreateTableRequest(), "options"),
        (pb.CreateTableRequest(options=options(9)), "options.moon_river.players"),
        (pb.CreateTableRequest(options=options(), access=7), "access"),  # type: ignore[arg-type]
        (pb.CreateTableRequest(options=options(), bots=[bot(2)]), "bots[0].seat"),
        (pb.CreateTableRequest(options=options(), bots=[bot(-1)]), "bots[0].seat"),
        (pb.CreateTableRequest(options=options(), bots=[bot(1), bot(1)]), "bots[1].seat"),
        (pb.CreateTableRequest(options=options(), bots=[bot(0), bot(1), bot(0)]), "bots"),
        (pb.CreateTableRequest(options=options(), bots=[bot(0, level="11")]), "bots[0].bot.level"),
        (pb.CreateTableRequest(options=options(), bots=[bot(0, iterations=0)]), "bots[0].budget.iterations"),
        (pb.CreateTableRequest(options=options(), bots=[bot(0, name="x" * 41)]), "bots[0].name"),
        (pb.ImportTableRequest(), "record.options"),
        (pb.ListTablesRequest(page_size=-1), "page_size"),
        (pb.ListTablesRequest(page_size=101), "page_size"),
        (pb.ListTablesRequest(page_token="!"), "page_token"),
        (pb.JoinTableRequest(name=""), "name"),
        (pb.JoinTableRequest(name="  "), "name"),
        (pb.JoinTableRequest(name="x" * 41), "name"),
        (pb.JoinTableRequest(name="a\nb"), "name"),
        (pb.JoinTableRequest(name="Ann", seat=2), "seat"),
        (pb.JoinTableRequest(name="Ann", seat_token="x" * 21), "seat_token"),
        (pb.JoinTableRequest(name="Ann", seat_token="x" * 65), "seat_token"),
        (pb.JoinTableRequest(name="Ann", seat_token="x" * 30 + "\n"), "seat_token"),
        (pb.SeatBotRequest(), "bot"),
        (pb.SeatBotRequest(bot=bot(5)), "bot.seat"),
        (pb.SeatBotRequest(bot=bot(0, level="none")), "bot.bot.level"),
        (pb.WatchTableRequest(first_event=-1), "first_event"),
    ],
)
def test_a_field_that_does_not_fit(
    tables: Stub, request_: pb.CreateTableRequest | pb.JoinTableRequest | pb.SeatBotRequest, field: str
) -> None:
    if "table" in request_.DESCRIPTOR.fields_by_name:
        made = create(tables, 2)
        request_.table = made.table.table  # type: ignore[union-attr]
        if isinstance(request_, pb.SeatBotRequest):
            request_.token = made.host_token
    method = getattr(tables, request_.DESCRIPTOR.name.removesuffix("Request"))
    with pytest.raises(grpc.RpcError) as error:
        list(method(request_)) if "Watch" in request_.DESCRIPTOR.name else method(request_)
    assert refused(error) == (CODE.INVALID_ARGUMENT, field)


def test_there_are_only_so_many_tables(tmp_path: Path) -> None:
    with serving(tmp_path, max_tables=2, client_share=1) as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        record = game_pb2.GameRecord(options=options(2), seed=1)
        create(tables, 2)
        tables.ImportTable(pb.ImportTableRequest(record=record))
        with pytest.raises(grpc.RpcError) as error:
            create(tables, 2)
        assert refused(error) == (CODE.RESOURCE_EXHAUSTED, "")
        with pytest.raises(grpc.RpcError) as error:
            tables.ImportTable(pb.ImportTableRequest(record=record))
        assert refused(error) == (CODE.RESOURCE_EXHAUSTED, "")


def test_one_client_has_only_so_many_tables_and_seats(tmp_path: Path) -> None:
    """Of several, by what they call with; each is told when it is worth trying again, and deleting makes room."""
    with serving(tmp_path, max_tables=8, max_sessions=8) as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        made = [create(tables, 2) for _ in range(2)]
        with pytest.raises(grpc.RpcError, match="tables of yours") as error:
            create(tables, 2)
        assert 23 * 3600 < details(error.value, RetryInfo).retry_delay.seconds <= 24 * 3600
        tables.DeleteTable(pb.DeleteTableRequest(table=made[0].table.table, token=made[0].host_token))
        create(tables, 2)
        sitting = [Sitting(Stubs(channel), seat=0) for _ in range(2)]
        for bot_seat in sitting:
            bot_seat.next()
        with pytest.raises(grpc.RpcError, match="one client"):
            Sitting(Stubs(channel), seat=0).next()
        for bot_seat in sitting:
            bot_seat.hang_up()


def test_only_its_host_deletes_a_table(tmp_path: Path) -> None:
    """Those who watch it are told; a bot that thinks there comes to rest."""
    with serving(tmp_path) as service, grpc.insecure_channel(service.address) as channel:
        tables = Stub(channel)
        made = create(tables, 2, [bot(seat, iterations=10**8) for seat in range(2)])
        watching = tables.WatchTable(pb.WatchTableRequest(table=made.table.table))
        next(watching)
        for token in ("", "x" * 30):
            with pytest.raises(grpc.RpcError) as error:
                tables.DeleteTable(pb.DeleteTableRequest(table=made.table.table, token=token))
            assert error.value.code() == CODE.PERMISSION_DENIED
        tables.DeleteTable(pb.DeleteTableRequest(table=made.table.table, token=made.host_token))
        calls: list[Callable[[], object]] = [
            lambda: list(watching),
            lambda: look(tables, made.table.table),
            lambda: tables.DeleteTable(pb.DeleteTableRequest(table=made.table.table, token=made.host_token)),
        ]
        for call in calls:
            with pytest.raises(grpc.RpcError) as error:
                call()
            assert error.value.code() == CODE.NOT_FOUND
        until = time.monotonic() + 10
        while service.searches.admission.running or service.tables.bots.tasks:
            assert time.monotonic() < until
            time.sleep(0.01)
