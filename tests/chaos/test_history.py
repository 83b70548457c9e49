"""The checker of histories finds what it is there for: violations that are planted in a history that is right."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from saloon_client.v1 import game_pb2
from saloon_client.v1 import tables_pb2 as pb

from tests.chaos.history import Act, History, Look, violations

Events = list[pb.NumberedEvent]


def decision(name: str) -> game_pb2.Decision:
    return game_pb2.Decision(text=name)


def said(name: str) -> bytes:
    return decision(name).SerializeToString(deterministic=True)


def right() -> tuple[History, Events]:
    """Two persons and a bot (seat 2); the last decision was done, but nobody was told."""
    made = [(0, "a"), (2, "bot"), (1, "b"), (0, "c")]
    events = [
        pb.NumberedEvent(number=n, event=game_pb2.Event(chosen=game_pb2.Chosen(seat=seat, decision=decision(name))))
        for n, (seat, name) in enumerate(made)
    ]
    history = History(frozenset({0, 1}))
    history.acts = [
        Act(1, 2, 0, said("a"), 0, "done", 2),
        Act(1, 2.5, 0, said("z"), 0, "refused"),
        Act(3, 4, 1, said("b"), 2, "done", 3),
        Act(5, 9, 0, said("c"), 3, "unknown"),
        Act(8, 9, 1, said("never sent"), 4, "unknown"),
    ]
    history.looks = [Look(0.5, 1.5, 0), Look(2.1, 2.2, 2), Look(3.5, 3.9, 2), Look(4.5, 6, 3), Look(7, 7.5, 4)]
    history.heard = [[(n, events[n].SerializeToString(deterministic=True)) for n in range(length)] for length in (4, 2)]
    return history, events


def lose(history: History, events: Events) -> None:
    del events[2:]
    history.looks, history.heard = [], []


def double(history: History, events: Events) -> None:
    events.insert(3, pb.NumberedEvent(number=3, event=events[2].event))
    events[4].number = 4
    history.looks, history.heard, history.acts = [], [], [act for act in history.acts if act.outcome != "unknown"]


def swap(history: History, events: Events) -> None:
    first, second = events[0].event.chosen.decision.text, events[2].event.chosen.decision.text
    events[0].event.chosen.decision.text, events[2].event.chosen.decision.text = second, first
    history.heard = []


def do_what_was_refused(history: History, events: Events) -> None:
    history.acts[0] = replace(history.acts[0], outcome="unknown")
    events[0].event.chosen.decision.text = "z"
    history.heard = []


def invent(history: History, events: Events) -> None:
    history.acts = [act for act in history.acts if act.after != 3]


def acknowledge_two(history: History, events: Events) -> None:
    history.acts.append(replace(history.acts[0], begun=1.1))


def look_back(history: History, events: Events) -> None:
    history.looks.append(Look(4.1, 4.2, 2))


def forget_for_a_while(history: History, events: Events) -> None:
    history.looks.append(Look(7.6, 7.7, 3))


def say_a_wrong_number(history: History, events: Events) -> None:
    history.acts[2] = replace(history.acts[2], events=2)


def skip_one(history: History, events: Events) -> None:
    del history.heard[0][1]


def hear_twice(history: History, events: Events) -> None:
    history.heard[0].insert(1, history.heard[0][0])


def number_anew(history: History, events: Events) -> None:
    events[3].number = 5
    history.heard, history.acts = [], history.acts[:3]


def test_a_history_that_is_right() -> None:
    assert violations(*right()) == []


@pytest.mark.parametrize(
    "plant",
    [
        lose,
        double,
        swap,
        do_what_was_refused,
        invent,
        acknowledge_two,
        look_back,
        forget_for_a_while,
        say_a_wrong_number,
        skip_one,
        hear_twice,
        number_anew,
    ],
)
def test_what_is_planted_is_found(plant: Callable[[History, Events], None]) -> None:
    history, events = right()
    plant(history, events)
    assert violations(history, events)
