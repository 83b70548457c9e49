"""JSON over HTTP that does not fit the contract: the answer names the field, what was expected and what came."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given
from hypothesis import strategies as st

from saloon.ports import free_port
from server.calls.fitting import check, plain
from server.process.service import Service
from tests.property.strategies import examples
from tests.service.running import serving
from tests.service.test_fuzz import METHODS, messages
from tests.service.test_http import ANALYZE, NEW_GAME, SUGGEST, call, envelope, envelopes

CREATE = "/saloon.v1.Tables/CreateTable"
WHOLE = "a whole number from -2147483648 to 2147483647"
OBJECT, SECONDS = "an object", 'seconds as text, such as "0.5s"'
WRONG: list[tuple[str, Any, str, str, str]] = [
    (NEW_GAME, {"options": {"moonRiver": {"players": "x"}}}, "options.moon_river.players", WHOLE, "'x'"),
    (NEW_GAME, {"options": {"moon_river": {"players": 2.5}}}, "options.moon_river.players", WHOLE, "2.5"),
    (NEW_GAME, {"options": {"moonRiver": {"players": True}}}, "options.moon_river.players", WHOLE, "True"),
    (NEW_GAME, {"options": {"moonRiver": {"players": 2**31}}}, "options.moon_river.players", WHOLE, str(2**31)),
    (NEW_GAME, {"options": {"moonRiver": []}}, "options.moon_river", OBJECT, "[]"),
    (NEW_GAME, {"options": 3}, "options", OBJECT, "3"),
    (NEW_GAME, {"seed": -1}, "seed", f"a whole number from 0 to {2**64 - 1}", "-1"),
    (NEW_GAME, {"seed": "1e3"}, "seed", f"a whole number from 0 to {2**64 - 1}", "'1e3'"),
    (
        NEW_GAME,
        {"options": {"moonRiver": {}, "goldgraeber": {}}},
        "options",
        "one of moon_river, goldgraeber",
        "moon_river and goldgraeber",
    ),
    (SUGGEST, {"budget": {"time": 5}}, "budget.time", SECONDS, "5"),
    (SUGGEST, {"budget": {"time": "5"}}, "budget.time", SECONDS, "'5'"),
    (SUGGEST, {"budget": {"time": "400000000000s"}}, "budget.time", SECONDS, "'400000000000s'"),
    (SUGGEST, {"bot": {"level": 3}}, "bot.level", "text", "3"),
    (SUGGEST, {"bot": {"level": "\ud800"}}, "bot.level", "text", r"'\ud800'"),
    (SUGGEST, {"situation": {"record": {"events": {}}}}, "situation.record.events", "a list", "{}"),
    (SUGGEST, {"situation": {"record": {"events": [{}, 1]}}}, "situation.record.events[1]", OBJECT, "1"),
    (SUGGEST, {"situation": {"record": {"events": [None]}}}, "situation.record.events[0]", OBJECT, "None"),
    (CREATE, {"access": "ACCESS_X"}, "access", "one of ACCESS_PUBLIC, ACCESS_INVITATION", "'ACCESS_X'"),
    (CREATE, {"access": True}, "access", "one of ACCESS_PUBLIC, ACCESS_INVITATION", "True"),
    (NEW_GAME, [], "request", OBJECT, "[]"),
    (NEW_GAME, None, "request", OBJECT, "None"),
    (NEW_GAME, b'{"seed": 1, "seed": 2}', "request", "each name once in an object", "'seed' twice"),
    (NEW_GAME, b'{"seed": 1', "request", "JSON", "text that is none: Expecting ',' delimiter at line 1, column 11"),
    (NEW_GAME, b"", "request", "JSON", "text that is none: Expecting value at line 1, column 1"),
    (NEW_GAME, b'{"a": "\xff"}', "request", "JSON", "bytes that are none"),
    (NEW_GAME, b"[" * 50_000, "request", "JSON of the contract", "lists in lists, too deep"),
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("fields"), http_port=free_port()) as service:
        yield service


@pytest.mark.parametrize(("path", "said", "field", "expected", "got"), WRONG)
def test_the_field_is_named(service: Service, path: str, said: Any, field: str, expected: str, got: str) -> None:
    found = call(service, path, said if isinstance(said, bytes) else json.dumps(said).encode())
    assert (found.status, found.json["code"]) == (400, "invalid_argument")
    assert found.json["message"] == f"{field}: expected {expected}, got {got}"
    (detail,) = found.json["details"]
    (violation,) = detail["debug"]["fieldViolations"]
    assert violation == {"field": field, "description": f"expected {expected}, got {got}"}


def test_it_is_named_in_a_stream_s_end(service: Service) -> None:
    asked = envelope(json.dumps({"budget": {"time": 5}}).encode())
    ((_, end),) = envelopes(call(service, ANALYZE, asked, content_type="application/connect+json").data)
    assert json.loads(end)["error"]["message"] == f"budget.time: expected {SECONDS}, got 5"


@pytest.mark.parametrize("seed", [7, 7.0, "7"])
def test_numbers_may_be_text(service: Service, seed: object) -> None:
    """As protobuf's JSON has 64 bits."""
    asked = {"options": {"moonRiver": {"players": 2}}, "seed": seed}
    assert call(service, NEW_GAME, asked).json["record"]["seed"] == "7"


@examples(2)
@given(data=st.data())
def test_what_protobuf_writes_fits(data: st.DataObject) -> None:
    """Every message of the contract, and it is read as it was written."""
    kind = METHODS[data.draw(st.sampled_from(sorted(METHODS)))].input_type
    message = data.draw(messages(kind))
    try:
        text = json_format.MessageToJson(message)
    except json_format.Error:  # a duration of minus seconds and nanoseconds
        return
    said = plain(text.encode())
    check(kind, said)
    assert json_format.ParseDict(said, GetMessageClass(kind)()).SerializeToString() == message.SerializeToString()
