"""Tables with clients that ask any server, whatever is done to servers, and write down what they sent and were told."""

import threading
import time
from collections.abc import Callable, Sequence
from random import Random

import grpc
from saloon_client.v1 import rules_pb2, rules_pb2_grpc
from saloon_client.v1 import tables_pb2 as pb

from tests.chaos.history import Act, History, Look, violations
from tests.service.at_tables import Stub, bot, create, events, join, watch
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
