"""What clients of a table sent and were told, and whether a server that keeps its promises can have said all of it.

The promise: what was acknowledged happened once, where it was said to; what was refused did not happen; nothing happens
that nobody sent; and who asks after somebody was told something sees at least that, whichever server it asks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from saloon_client.v1 import tables_pb2 as pb

Outcome = Literal["done", "refused", "unknown"]


@dataclass(frozen=True)
class Act:
    """A decision that was sent, as often as needed, when so many events had happened."""

    begun: float
    ended: float
    seat: int
    decision: bytes
    after: int
    outcome: Outcome
    events: int = 0  # there were then, as it was told


@dataclass(frozen=True)
class Look:
    """Somebody asked how the table stands."""

    begun: float
    ended: float
    events: int


@dataclass
class History:
    """Of one table. Clients add to it as they are told."""

    persons: frozenset[int]  # their seats
    acts: list[Act] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    heard: list[list[tuple[int, bytes]]] = field(default_factory=list)  # by each watcher, one stream after the other


def chosen(event: pb.NumberedEvent) -> tuple[int, bytes] | None:
    """Who decided what; None for chance."""
    if not event.event.HasField("chosen"):
        return None
    made = event.event.chosen
    return made.seat, made.decision.SerializeToString(deterministic=True)


def violations(history: History, events: Sequence[pb.NumberedEvent]) -> list[str]:
    """What of the promise was broken, given all that happened in the end."""
    return [*_of_numbers(events), *_of_acts(history, events), *_of_order(history), *_of_watchers(history, events)]


def _of_numbers(events: Sequence[pb.NumberedEvent]) -> Iterator[str]:
    if [event.number for event in events] != list(range(len(events))):
        yield "events are not numbered one after the other"


def _of_acts(history: History, events: Sequence[pb.NumberedEvent]) -> Iterator[str]:
    done: dict[int, Act] = {}
    for act in history.acts:
        if act.outcome != "done":
            continue
        if act.after in done:
            yield f"two decisions were acknowledged at {act.after}"
        done[act.after] = act
        if act.after >= len(events) or chosen(events[act.after]) != (act.seat, act.decision):
            yield f"what seat {act.seat} was told to have decided at {act.after} is not there"
        if not act.after < act.events <= len(events):
            yield f"seat {act.seat} was told of {act.events} events after {act.after}"
    may_be = {(act.after, act.seat, act.decision) for act in history.acts if act.outcome != "refused"}
    for event in events:
        made = chosen(event)
        if made is not None and made[0] in history.persons and (event.number, *made) not in may_be:
            yield f"nobody decided what happened at {event.number}, or it was refused"


def _of_order(history: History) -> Iterator[str]:
    """Nobody sees less than somebody was told before they asked."""
    told = [(act.ended, act.events) for act in history.acts if act.outcome == "done"]
    told += [(look.ended, look.events) for look in history.looks]
    told.sort()
    asked = [(look.begun, look.events) for look in history.looks]
    asked += [(act.begun, act.events) for act in history.acts if act.outcome == "done"]
    most, place = 0, 0
    for begun, events in sorted(asked):
        while place < len(told) and told[place][0] < begun:
            most = max(most, told[place][1])
            place += 1
        if events < most:
            yield f"{events} events were seen after somebody was told of {most}"


def _of_watchers(history: History, events: Sequence[pb.NumberedEvent]) -> Iterator[str]:
    right = [event.SerializeToString(deterministic=True) for event in events]
    for heard in history.heard:
        if heard != [(number, right[number]) for number in range(len(heard)) if number < len(right)]:
            yield "a watcher heard something else, twice, or not in order"
