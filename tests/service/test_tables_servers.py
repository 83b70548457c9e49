"""Any table at any server: persons, watchers and bots of one table are at different ones, some of which are killed."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import grpc
from saloon_client.v1 import game_pb2
from saloon_client.v1 import tables_pb2 as pb

from server.process.service import Service
from tests.service.at_tables import Stub, act_once, bot, create, events, join, look, play_to_end, watch
from tests.service.kept import Kept
from tests.service.processes import server
from tests.service.running import serving, until


def searches(service: Service) -> int:
    """That it has made."""
    (found,) = [
        sample.value
        for metric in service.metrics.searched.collect()
        for sample in metric.samples
        if sample.name == "saloon_search_seconds_count"
    ]
    return int(found)


@contextmanager
def two_servers(folder: Path, kept: Kept) -> Iterator[tuple[Service, Stub, Service, Stub]]:
    """Two on one database, each with a client."""
    with ExitStack() as stack:
        one, two = (stack.enter_context(serving(folder, database=kept.database)) for _ in range(2))
        left, right = (Stub(stack.enter_context(grpc.insecure_channel(each.address))) for each in (one, two))
        yield one, left, two, right


def drain(service: Service) -> None:
    """As when it is to stop; it still takes calls."""
    grpc_server: Any = service.server  # it knows its event loop
    grpc_server._loop.call_soon_threadsafe(service.tables.drain)
    until(lambda: service.tables.open_tables.draining)


def test_bots_are_thought_for_at_one_server(tmp_path: Path, kept: Kept) -> None:
    """Where the last decision was taken, whoever watches elsewhere."""
    with two_servers(tmp_path, kept) as (one, left, two, right):
        table = create(left, 2, [bot(seat, iterations=50) for seat in range(2)]).table.table
        assert list(watch(right, table))[-1].table.status.waiting == game_pb2.WAITING_OVER
        assert searches(one) > 10
        assert searches(two) == 0


def test_a_bot_thinks_on_whatever_else_is_changed_elsewhere(tmp_path: Path, kept: Kept) -> None:
    with two_servers(tmp_path, kept) as (one, left, two, right):
        made = create(left, 3, [bot(1), bot(2)])
        table, host = made.table.table, made.host_token
        ann = join(left, table, seat=0)
        until(lambda: look(left, table).table.status.seat == 0)
        left.SeatBot(pb.SeatBotRequest(table=table, token=ann.token, bot=bot(0, iterations=100_000_000)))
        until(lambda: one.searches.admission.running)
        (thinking,) = one.searches.admission.running
        right.SeatBot(pb.SeatBotRequest(table=table, token=host, bot=bot(1, name="Renamed")))
        until(lambda: look(left, table).table.seats[1].name == "Renamed")
        time.sleep(1.5)  # as long as it takes to look for tables that nobody plays on
        assert one.searches.admission.running == {thinking}
        assert not two.searches.admission.running


def test_bots_go_on_elsewhere_while_their_server_drains(tmp_path: Path, kept: Kept) -> None:
    """It still takes calls, but what a bot has to decide then is decided at another one."""
    with two_servers(tmp_path, kept) as (one, left, two, right):
        table = create(left, 2, [bot(1)]).table.table
        token = join(left, table, seat=0).token
        until(lambda: look(left, table).table.status.seat == 0)
        drain(one)
        before, number = searches(one), 0
        while look(left, table).table.status.seat == 0:
            act_once(left, table, token, Random(number))
            number += 1
        acted = look(left, table).table.events
        until(lambda: look(right, table).table.events > acted)
        assert searches(one) == before
        assert searches(two) > 0


def test_a_bot_that_thinks_is_handed_over(tmp_path: Path, kept: Kept) -> None:
    """By a server that drains: it thinks at the other one, and not at both."""
    with two_servers(tmp_path, kept) as (one, left, two, _):
        create(left, 2, [bot(seat, iterations=100_000_000) for seat in range(2)])
        until(lambda: one.searches.admission.running)
        drain(one)
        until(lambda: two.searches.admission.running)
        assert not one.searches.admission.running


def test_bots_among_themselves_are_handed_over(tmp_path: Path, kept: Kept) -> None:
    """In the middle of a game, of which nothing is decided at the first any more."""
    with two_servers(tmp_path, kept) as (one, left, two, right):
        table = create(left, 2, [bot(seat, iterations=200) for seat in range(2)]).table.table
        until(lambda: look(right, table).table.events > 10)
        drain(one)
        until(lambda: searches(two) > 0)
        thought = searches(one)
        assert list(watch(right, table))[-1].table.status.waiting == game_pb2.WAITING_OVER
        assert searches(one) == thought


def test_bots_go_on_elsewhere_when_their_server_is_killed(tmp_path: Path, kept: Kept) -> None:
    """At once, though they have time to think; nothing is lost, and the games end."""
    flags = ["--database", str(kept.database)]
    with ExitStack() as stack:
        one, two = (stack.enter_context(server(tmp_path, *flags)) for _ in range(2))
        left, right = (Stub(stack.enter_context(each.channel())) for each in (one, two))
        table = create(left, 3, [bot(seat, iterations=300) for seat in (1, 2)]).table.table
        tokens = {0: join(left, table, seat=0).token}
        bots = create(left, 2, [bot(seat, iterations=300) for seat in range(2)]).table.table
        watching, seen = watch(right, bots), list[pb.WatchTableResponse]()
        while len(events(seen)) < 20:
            seen.append(next(watching))
        one.kill()
        killed, before = time.monotonic(), look(right, bots).table.events
        while len(events(seen)) <= before:
            seen.append(next(watching))
        assert time.monotonic() - killed < 5  # it is about one second; 40 without noticing who is gone
        seen += watching
        assert [event.number for event in events(seen)] == list(range(look(right, bots).table.events))
        assert seen[-1].table.status.waiting == game_pb2.WAITING_OVER
        assert play_to_end(right, table, tokens)[-1].table.status.waiting == game_pb2.WAITING_OVER
