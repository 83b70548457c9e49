"""Calls as locust counts them: by method; what exceeded the budget and what was refused are entries of their own."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from locust.env import Environment
from saloon_client import InvalidRequest, NotFound, NotNow, Overloaded, SaloonError, TooLate

from load.verdict import CALL, LATE, OVER, SHED


@dataclass
class Timed:
    """One call under way."""

    queued: float = 0.0  # seconds the server says it waited for a free core: no fault of the search


class Meter:
    """Times the calls of one user."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    def _fire(self, kind: str, name: str, milliseconds: float, error: BaseException | None = None) -> None:
        self.environment.events.request.fire(  # type: ignore[no-untyped-call]
            request_type=kind, name=name, response_time=milliseconds, response_length=0, exception=error, context={}
        )

    @contextmanager
    def call(self, name: str, budget: float = 0.0) -> Iterator[Timed]:
        """Time what is called in the block. A refusal for lack of time is no failure; an answer after the call's
        deadline is one of its own kind."""
        timed = Timed()
        begun = time.perf_counter()

        def took() -> float:
            return (time.perf_counter() - begun) * 1000

        try:
            yield timed
        except Overloaded:
            self._fire(SHED, name, took())
            raise
        except TooLate as late:
            self._fire(LATE, name, took(), late)
            raise
        except SaloonError as failed:
            self._fire(CALL, name, took(), failed)
            raise
        else:  # and not when the end of the run takes the user away in the middle
            self._fire(CALL, name, took())
            if budget:
                self._fire(OVER, name, max(0.0, took() - (budget + timed.queued) * 1000))

    def expect_refusal(self, name: str, call: Any) -> None:
        """A call that must be refused as it should; anything else is a failure."""
        begun = time.perf_counter()
        error: BaseException | None = AssertionError("was not refused")
        try:
            call()
        except (InvalidRequest, NotNow, NotFound, Overloaded):
            error = None
        except SaloonError as wrong:
            error = wrong
        self._fire(CALL, name, (time.perf_counter() - begun) * 1000, error)
