"""Tables played at several servers on one PostgreSQL while servers, the database and connections are killed or stand
still; every history is checked, and every record replayed.

`make chaos-tables` does it for a night, `make chaos-tables CHAOS_SECONDS=600` for ten minutes.
"""

import argparse
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

import grpc
from saloon_client.v1 import rules_pb2, rules_pb2_grpc
from saloon_client.v1 import tables_pb2 as pb

from tests.chaos.history import Act, History, Look, violations
from tests.service.at_tables import Stub, bot, create, events, join, watch
from tests.service.postgres import Postgres, cluster
from tests.service.processes import Server

_AWAY = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.RESOURCE_EXHAUSTED,
         grpc.StatusCode.CANCELLED}  # fmt: skip
_CALL_SECONDS = 15.0
_LOST = "a call was answered "


class Played:
    """A table with a bot and two persons, whose clients ask any server, all at the same time."""

    def __init__(self, servers: Sequence[Server], seed: int, clients: int = 2) -> None:
        self.servers, self.ended = servers, threading.Event()
        random = Random(seed)
        with servers[0].channel() as channel:
            tables = Stub(channel)
            made = create(tables, 3, [bot(2, level="1")], seed=seed)
            self.table, self.host = made.table.table, made.host_token
            self.tokens = {seat: join(tables, self.table, seat=seat).token for seat in range(2)}
        self.history = History(frozenset(self.tokens))
        self.problems: list[str] = []
        work: Sequence[Callable[[Random], None]] = [*[self._play] * clients, self._watch]
        self.threads = [
            threading.Thread(target=self._run, args=(each, Random(random.random())), daemon=True) for each in work
        ]
        for thread in self.threads:
            thread.start()

    def _run(self, work: Callable[[Random], None], random: Random) -> None:
        try:
            work(random)
        except Exception as error:
            self.problems.append(f"a client failed: {error!r}")

    def _ask(self, random: Random, what: Callable[[Stub], object]) -> object | None:
        """The answer of any server; None if none can be had just now."""
        with random.choice(self.servers).channel() as channel:
            try:
                return what(Stub(channel))
            except grpc.RpcError as error:
                code = error.code()
                if code in _AWAY:
                    time.sleep(0.05)
                elif code != grpc.StatusCode.FAILED_PRECONDITION:
                    self.problems.append(_LOST + f"{code.name}: {error.details()}")
                else:
                    raise
        return None

    def _play(self, random: Random) -> None:
        number = 0
        while not self.ended.is_set():
            begun = time.monotonic()
            seat = random.choice([*self.tokens])
            request = pb.GetTableRequest(table=self.table, token=self.tokens[seat])
            now = self._ask(random, lambda tables, r=request: tables.GetTable(r, timeout=_CALL_SECONDS))  # type: ignore[misc]
            if not isinstance(now, pb.GetTableResponse):
                continue
            self.history.looks.append(Look(begun, time.monotonic(), now.table.events))
            if now.decisions:
                number += 1
                self._act(random, now, seat, f"{threading.get_ident()}-{number}")
            else:
                time.sleep(0.01)

    def _act(self, random: Random, now: pb.GetTableResponse, seat: int, name: str) -> None:
        """Send it until somebody says what became of it."""
        decision = random.choice(now.decisions)
        request = pb.ActRequest(
            table=self.table, token=self.tokens[seat], decision=decision, after=now.table.events, request_id=name
        )
        begun, told = time.monotonic(), None
        outcome = "unknown"
        try:
            while told is None and not self.ended.is_set():
                told = self._ask(random, lambda tables: tables.Act(request, timeout=_CALL_SECONDS))
        except grpc.RpcError:
            outcome = "refused"
        count = told.events if isinstance(told, pb.ActResponse) else 0
        if count:
            outcome = "done"
        said = decision.SerializeToString(deterministic=True)
        made = Act(begun, time.monotonic(), seat, said, request.after, outcome, count)  # type: ignore[arg-type]
        self.history.acts.append(made)

    def _watch(self, random: Random) -> None:
        """At one server after the other, from where the last one ended."""
        heard: list[tuple[int, bytes]] = []
        self.history.heard.append(heard)
        while not self.ended.is_set():
            with random.choice(self.servers).channel() as channel:
                request = pb.WatchTableRequest(table=self.table, first_event=len(heard))
                try:
                    for update in Stub(channel).WatchTable(request, timeout=random.uniform(1, 4)):
                        if update.HasField("event"):
                            heard.append((update.event.number, update.event.SerializeToString(deterministic=True)))
                        if self.ended.is_set():
                            break
                except grpc.RpcError as error:
                    if error.code() not in _AWAY:
                        raise
            time.sleep(0.05)

    def check(self) -> list[str]:
        """What was wrong, once all servers serve."""
        self.ended.set()
        for thread in self.threads:
            thread.join(60)
        with self.servers[-1].channel() as channel:
            tables = Stub(channel)
            table = tables.GetTable(pb.GetTableRequest(table=self.table)).table
            happened = []
            for update in watch(tables, self.table):
                happened += events([update])
                if len(happened) >= table.events:
                    break
            record = tables.ExportTable(pb.ExportTableRequest(table=self.table, token=self.host)).record
            replayed = rules_pb2_grpc.RulesStub(channel).Replay(rules_pb2.ReplayRequest(record=record))
        found = [*self.problems, *violations(self.history, happened)]
        if [event.event for event in happened][: len(record.events)] != list(record.events)[: len(happened)]:
            found.append("the record is not what watchers hear")
        if not replayed.status.phase:
            found.append("the record cannot be replayed")
        return [f"table {self.table}: {problem}" for problem in found]


class Faults:
    """What can go wrong, one after the other."""

    def __init__(self, servers: Sequence[Server], postgres: Postgres, random: Random) -> None:
        self.servers, self.postgres, self.random = servers, postgres, random
        self.kinds = [self.kill_server, self.kill_server, self.cut_connections, self.freeze_database,
                      self.kill_database, self.freeze_server, self.restart_database, self.stop_server]  # fmt: skip

    def kill_server(self) -> None:
        server = self.random.choice(self.servers)
        server.kill()
        time.sleep(self.random.uniform(0, 2))
        server.start()

    def stop_server(self) -> None:
        server = self.random.choice(self.servers)
        server.stop()
        server.start()

    def freeze_server(self) -> None:
        with self.random.choice(self.servers).frozen():
            time.sleep(self.random.uniform(0.5, 3))

    def cut_connections(self) -> None:
        for _ in range(5):
            self.postgres.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^saloon' "
                "AND random() < 0.5"
            )
            time.sleep(0.2)

    def kill_database(self) -> None:
        self.postgres.stop(signal.SIGKILL)
        time.sleep(self.random.uniform(0, 1))
        self.postgres.start()

    def restart_database(self) -> None:
        self.postgres.stop(signal.SIGINT)
        self.postgres.start()

    def freeze_database(self) -> None:
        found = self.postgres.sql("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        pids = [self.postgres.pid, *(pid for (pid,) in found)]
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for pid in pids:
                try:
                    os.kill(pid, number)
                except ProcessLookupError:  # a connection was closed meanwhile
                    continue
            if number == signal.SIGSTOP:
                time.sleep(self.random.uniform(1, 4))


def run(
    seconds: float, *, seed: int, servers: int = 2, tables: int = 3, say: Callable[[str], None] = print
) -> list[str]:
    """So long; what was wrong."""
    random, problems, counted = Random(seed), list[str](), dict[str, int]()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres = stack.enter_context(cluster())
        name = stack.enter_context(postgres.database())
        flags = ["--database", postgres.url(name), "--drain-seconds", "1", "--notice-seconds", "0"]
        running = [Server(folder, *flags) for _ in range(servers)]
        for each in running:
            each.start()
            stack.callback(_kill, each)
        faults, end = Faults(running, postgres, random), time.monotonic() + seconds
        while time.monotonic() < end:
            played = [Played(running, random.getrandbits(31)) for _ in range(tables)]
            round_end = min(end, time.monotonic() + 60)
            kinds = random.sample(faults.kinds, len(faults.kinds))
            while time.monotonic() < round_end:
                fault = kinds.pop() if kinds else random.choice(faults.kinds)
                counted[fault.__name__] = counted.get(fault.__name__, 0) + 1
                fault()
                time.sleep(random.uniform(0.5, 1.5))
            _until_all_serve(running)
            for one in played:
                problems += one.check()
            acts = sum(act.outcome == "done" for one in played for act in one.history.acts)
            looks = sum(len(one.history.looks) for one in played)
            say(f"{acts} decisions acknowledged, {looks} looks; faults {counted}; {len(problems)} problems")
    return problems


def _kill(server: Server) -> None:
    if server.alive:
        server.kill()


def _until_all_serve(servers: Sequence[Server]) -> None:
    until = time.monotonic() + 30
    while not all(server.answers() for server in servers):
        assert time.monotonic() < until, "a server does not answer any more"
    time.sleep(3)  # until connections are back


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    problems = run(arguments.seconds, seed=arguments.seed)
    for problem in problems:
        print(problem)
    raise SystemExit(bool(problems))


if __name__ == "__main__":
    main()
