"""A bot's seat as a browser has it: a stream of what the bot says by itself, and a call for all that is said to it."""

import http.client
import json
import re
import struct
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from saloon.ports import free_port
from server.process.service import Service
from tests.service.running import ended, serving, until
from tests.service.test_http import Answer, call, envelope, envelopes

ATTEND, TELL = "/saloon.v1.Seats/Attend", "/saloon.v1.Seats/Tell"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with serving(tmp_path, http_port=free_port()) as service:
        yield service


class Page:
    """A front end in a browser."""

    def __init__(self, service: Service, headers: Mapping[str, str] | None = None, **sit: Any) -> None:
        self.service = service
        self.connection = http.client.HTTPConnection("127.0.0.1", service.web.port, timeout=20)
        asked = envelope(json.dumps({"sit": sit}).encode())
        self.connection.request("POST", ATTEND, asked, {"content-type": "application/connect+json", **(headers or {})})
        self.stream = self.connection.getresponse()
        self.seated = self.next()["seated"]
        self.session: str = self.seated["session"]

    def next(self) -> Any:
        flags, size = struct.unpack(">BI", self.stream.read(5))
        data = json.loads(self.stream.read(size))
        return data if not flags else {"end": data}

    def tell(self, **message: Any) -> Answer:
        return call(self.service, TELL, {"session": self.session, **message})

    def close(self) -> None:
        self.stream.close()
        self.connection.close()

    def drop(self) -> None:
        self.close()
        until(lambda: self.service.seats.sessions.sessions[self.session].task is None)


def game(service: Service, seat: int = 0) -> dict[str, Any]:
    """One in which that seat has to decide."""
    record = call(service, "/saloon.v1.Rules/NewGame", {"options": {"moonRiver": {"players": 3}}, "seed": 5}).json
    situation = {"record": record["record"]}
    while (status := call(service, "/saloon.v1.Rules/Apply", {"situation": situation}).json["status"])["seat"] != seat:
        turn = call(service, "/saloon.v1.Bots/PlayTurn", {"situation": situation, "budget": {"iterations": 5}}).json
        events = [{"chosen": {"seat": status["seat"], "decision": a["choice"]}} for a in turn["answers"]]
        asked = {"situation": situation, "events": events}
        situation = call(service, "/saloon.v1.Rules/Apply", asked).json["situation"]
    return situation


def test_a_bot_decides_and_goes(service: Service) -> None:
    page = Page(service, seat=0, budget={"iterations": 30})
    decide = {"id": "1", "situation": game(service), "turn": True}
    first, again = page.tell(decide=decide).json["decided"], page.tell(decide=decide).json["decided"]
    assert first["answers"] == again["answers"]
    assert (first.get("fromMemory"), again["fromMemory"]) == (None, True)
    assert page.tell(leave={}).json == {"goodbye": {"decisions": 1}}
    assert page.next() == {"goodbye": {"decisions": 1}}
    assert page.next() == {"end": {}}
    page.close()
    assert page.tell(decide=decide).json["code"] == "not_found"


def test_what_is_told_twice_at_once_is_decided_once(service: Service) -> None:
    page = Page(service, seat=0, budget={"time": "0.5s"})
    decide, answers = {"id": "1", "situation": game(service)}, list[Any]()
    threads = [
        threading.Thread(target=lambda: answers.append(page.tell(decide=decide).json["decided"])) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(bool(answer.get("fromMemory")) for answer in answers) == [False, True, True]
    assert all(answer["answers"] == answers[0]["answers"] for answer in answers)
    page.drop()


def test_it_goes_on_after_a_stream_that_broke(service: Service) -> None:
    page = Page(service, seat=0, budget={"iterations": 30})
    decide = {"id": "1", "situation": game(service)}
    first = page.tell(decide=decide).json["decided"]
    page.drop()
    assert page.tell(decide=decide).json["code"] == "failed_precondition"
    back = Page(service, session=page.session)
    assert (back.seated["resumed"], back.seated["decided"]) == (True, ["1"])
    assert back.tell(decide=decide).json["decided"]["answers"] == first["answers"]
    back.drop()


def test_a_session_s_name_begins_as_the_client_says(service: Service) -> None:
    """So that whoever goes on with it knows by what proxies find its server."""
    page = Page(service, {"saloon-seat": "Table_7-a"}, seat=0)
    assert re.fullmatch(r"Table_7-a\.[\w-]{24}", page.session)
    page.drop()
    back = Page(service, session=page.session)
    assert back.session == page.session
    back.drop()
    for name in ("a" * 65, "a.b", "a b"):
        asked = envelope(json.dumps({"sit": {"seat": 0}}).encode())
        found = call(service, ATTEND, asked, content_type="application/connect+json", saloon_seat=name)
        ((_, end),) = envelopes(found.data)
        assert json.loads(end)["error"]["message"] == (
            f"saloon-seat: expected 1 to 64 letters, digits, '-' and '_', got {name!r}"
        )


def test_errors_are_of_what_was_told(service: Service) -> None:
    page = Page(service, seat=0, budget={"iterations": 30})
    situation = game(service)
    for message, field in (
        ({"decide": {"situation": situation}}, "decide.id"),
        ({"decide": {"id": "1", "situation": game(service, 1)}}, "decide.situation"),
        ({}, "message"),
    ):
        found = page.tell(**message)
        assert found.status == 400
        assert found.json["details"][0]["debug"]["fieldViolations"][0]["field"] == field
    assert page.tell(decide={"id": "1", "situation": situation}).status == 200
    page.drop()


def test_it_thinks_while_others_play(service: Service) -> None:
    page = Page(service, seat=0, ponder=True)
    situation = game(service, 1)
    assert page.tell(watch={"situation": situation}).json == {}
    session = service.seats.sessions.sessions[page.session]
    until(lambda: session.pondering is not None and session.pondering.seconds > 0)
    page.drop()
    until(lambda: session.pondering is None)


def test_who_goes_away_ends_the_thought(service: Service) -> None:
    """It was not decided, so it can be told again."""
    page = Page(service, seat=0, budget={"time": "20s"})
    decide = {"id": "1", "situation": game(service)}
    found = call(service, TELL, {"session": page.session, "decide": decide}, connect_timeout_ms="10")
    assert found.json["code"] == "deadline_exceeded"
    quick = page.tell(decide={**decide, "budget": {"iterations": 10}}).json["decided"]
    assert not quick.get("fromMemory")
    page.drop()


def test_a_server_that_ends_says_move(service: Service) -> None:
    page = Page(service, seat=0)
    loop = service.web._server.get_loop()  # type: ignore[union-attr]
    loop.call_soon_threadsafe(service.seats.drain)
    assert page.next()["move"]["grace"]
    begun = time.monotonic()
    page.drop()
    until(lambda: ended(service, ATTEND, "CANCELLED") == 1)
    assert time.monotonic() - begun < 5
