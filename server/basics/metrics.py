# May know: search.
"""What operators see: Prometheus metrics of one process, on a port of their own."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from search.ismcts import iterations_made

_TIMES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)


class _Iterations(Collector):
    """Counted where they are made, so that none is forgotten: those of calls given up, of levels, of pondering."""

    def collect(self) -> Iterator[CounterMetricFamily]:
        yield CounterMetricFamily("saloon_iterations", "Iterations of all searches.", value=iterations_made())


class Metrics:
    """All metrics; every one of our own begins with ``saloon_``."""

    def __init__(self) -> None:
        r = self.registry = CollectorRegistry()
        self.calls = Counter("saloon_calls", "Calls ended, by method and status code.", ["method", "code"], registry=r)
        self.seconds = Histogram("saloon_call_seconds", "How long calls took.", ["method"], buckets=_TIMES, registry=r)
        self.open = Gauge("saloon_open_calls", "Calls and streams under way.", ["method"], registry=r)
        self.queued = Gauge("saloon_search_queue", "Searches that wait for a slot.", registry=r)
        self.running = Gauge("saloon_searches", "Searches under way.", registry=r)
        self.slots = Gauge("saloon_search_slots", "Searches there may be at a time.", registry=r)
        self.waited = Histogram("saloon_queue_seconds", "How long searches waited.", buckets=_TIMES, registry=r)
        self.searched = Histogram("saloon_search_seconds", "How long searches took.", buckets=_TIMES, registry=r)
        self.overshoot = Histogram(
            "saloon_overshoot_seconds", "By how much searches exceeded their time.", buckets=_TIMES, registry=r
        )
        self.search_cpu = Counter("saloon_search_cpu_seconds", "What the search threads used.", registry=r)
        r.register(_Iterations())
        ProcessCollector(registry=r)
        self.loop = Histogram(
            "saloon_loop_delay_seconds",
            "How long a call takes that needs nothing.",
            buckets=_TIMES,
            registry=r,
        )
        self.shed = Counter("saloon_shed", "Searches refused for lack of time.", registry=r)
        self.sessions = Gauge("saloon_seat_sessions", "Bot seats, those waiting for their front end too.", registry=r)
        self.tables = Gauge("saloon_tables", "Hosted tables with a game under way.", registry=r)
        self.events = Counter("saloon_table_events", "Events written at hosted tables.", registry=r)
        self.store = Histogram("saloon_store_seconds", "How long the database took.", buckets=_TIMES, registry=r)
        self.store_failed = Counter("saloon_store_failures", "Times the database could not be used.", registry=r)
        self.store_waiting = Gauge("saloon_store_waiting", "Who waits for a connection or the thread.", registry=r)
        self.conflicts = Counter("saloon_table_conflicts", "Writes that came after another process's.", registry=r)
        self.timed_out = Counter("saloon_turns_timed_out", "Turns of persons whose time ran out.", registry=r)

    def serve(self, host: str, port: int) -> None:
        """Answer scrapes from a thread of its own."""
        start_http_server(port, host, registry=self.registry)
