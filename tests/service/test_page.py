"""The page for people: what a browser gets at `/` and beside it, and what nobody gets."""

import gzip
import http.client
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from saloon.ports import free_port
from server.page.files import FOLDER, read_files
from server.process.service import Service
from tests.service.running import serving
from tests.service.test_http import LIST, Answer
from tests.service.test_http2 import Client

MOST_BYTES = 150_000  # of the whole page, packed


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("page"), http_port=free_port()) as service:
        yield service


def get(service: Service, path: str, method: str = "GET", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(http.client.HTTPConnection("127.0.0.1", service.web.port, timeout=20)) as connection:
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in named.items():
            connection.putheader(name, value)
        connection.endheaders()
        return Answer(connection.getresponse())


def parts(page: bytes) -> list[str]:
    return re.findall(r'(?:src|href)="([^"]+)"', page.decode())


def test_the_page_and_all_it_names(service: Service) -> None:
    page = get(service, "/")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert page.headers["cache-control"] == "no-cache"
    kinds = set()
    for name in parts(page.data):
        found = get(service, f"/{name}")
        assert found.status == 200, name
        assert found.data == (FOLDER / name).read_bytes()
        kinds.add(found.headers["content-type"])
        if name != "icon.svg":
            assert found.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert kinds == {"text/css; charset=utf-8", "text/javascript; charset=utf-8", "image/svg+xml"}


def test_browsers_are_told_to_run_nothing_else(service: Service) -> None:
    for path in read_files():
        headers = get(service, path).headers
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    page = get(service, "/").data.decode()
    assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=|https?:|//", page)


def test_it_is_small_and_packed(service: Service) -> None:
    """Whoever comes loads all of it, but one puzzle only."""
    packed = puzzle = 0
    for path, file in read_files().items():
        found = get(service, path, accept_encoding="br, gzip;q=0.8")
        assert found.headers["content-encoding"] == "gzip"
        assert found.headers["vary"] == "accept-encoding"
        assert gzip.decompress(found.data) == file.whole
        if path.startswith("/puzzle-"):
            puzzle = max(puzzle, len(found.data))
        else:
            packed += len(found.data)
        plain = get(service, path, accept_encoding="gzip;q=0, identity")
        assert "content-encoding" not in plain.headers
        assert plain.data == file.whole
    assert puzzle > 0
    assert packed + puzzle < MOST_BYTES


def test_what_a_browser_has_is_not_sent_again(service: Service) -> None:
    first = get(service, "/", accept_encoding="gzip")
    tag = first.headers["etag"]
    for said in (tag, f'"other", W/{tag}', "*"):
        again = get(service, "/", accept_encoding="gzip", if_none_match=said)
        assert (again.status, again.data, again.headers["etag"]) == (304, b"", tag)
        assert "content-security-policy" in again.headers
    assert get(service, "/", accept_encoding="gzip", if_none_match='"other"').status == 200
    assert get(service, "/", if_none_match=tag).status == 200, "the plain form is another one"


def test_head_says_all_but_the_content(service: Service) -> None:
    whole, head = get(service, "/"), get(service, "/", "HEAD")
    assert (head.status, head.data) == (200, b"")
    assert {**head.headers, "date": ""} == {**whole.headers, "date": ""}


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "NEWER"])
def test_nothing_but_reading(service: Service, method: str) -> None:
    found = get(service, "/", method)
    assert (found.status, found.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    "path",
    [
        "/index.html", "/nothing", "/page.py", "//", "/./", "/../page.py", "/assets/index.html", "/%2e%2e/page.py",
        "/..%2fpage.py", "/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/icon.svg/", "/icon.svg%00", "/ICON.SVG", "/\\icon.svg",
        "http://localhost/../files.py", "*",
    ],
)  # fmt: skip
def test_other_paths_do_not_exist(service: Service, path: str) -> None:
    assert get(service, path).status == 404


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.lists(
        st.sampled_from("./\\%2efE?#;:@~aA0 &=+,é\x7f|<>'\"") | st.sampled_from(["icon.svg", "assets", "server", ".."]),
        max_size=12,
    )
)
def test_no_path_leads_anywhere_else(service: Service, path: list[str]) -> None:
    """Whatever is asked for, as bytes on the wire: a file of the page, or that there is none; never something else."""
    target = ("/" + "".join(path)).replace(" ", "%20").encode()
    with socket.create_connection(("127.0.0.1", service.web.port), 10) as connection:
        connection.sendall(b"GET " + target + b" HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        answer = b""
        while part := connection.recv(65536):
            answer += part
    status, body = int(answer.split(b" ", 2)[1]), answer.partition(b"\r\n\r\n")[2]
    assert status in (200, 400, 404)
    if status == 200:
        assert body in {file.whole for file in read_files().values()}
        assert target.partition(b"?")[0].decode() in read_files()


def test_over_http2(service: Service) -> None:
    client = Client(service)
    with closing(client.socket):
        for stream, path in ((1, "/"), (3, "/icon.svg"), (5, "/nothing")):
            client.data[stream] = b""
            client.http.send_headers(
                stream,
                [(":method", "GET"), (":scheme", "http"), (":authority", "localhost"), (":path", path)],
                end_stream=True,
            )
        client.flush()
        client.until(lambda: client.over >= {1, 3, 5})
        assert [client.status[stream] for stream in (1, 3, 5)] == ["200", "200", "404"]
        assert client.data[1] == (FOLDER / "index.html").read_bytes()
        assert client.data[3] == (FOLDER / "icon.svg").read_bytes()


def test_calls_are_where_they_were(service: Service) -> None:
    assert get(service, LIST).status == 405
    assert get(service, LIST, "POST", content_type="application/proto", content_length="0").status == 200


def test_an_operator_can_do_without(tmp_path: Path) -> None:
    with serving(tmp_path, http_port=free_port(), page=False) as service:
        assert get(service, "/").status == 404
        assert get(service, "/icon.svg").status == 404


@pytest.mark.parametrize(
    ("origin", "host", "status"),
    [
        ("http://192.0.2.7:8080", "192.0.2.7:8080", 200),
        ("http://[2001:db8::1]:8080", "[2001:db8::1]:8080", 200),
        ("http://192.0.2.7:8080", "192.0.2.8:8080", 403),
        ("http://games.example.org", "games.example.org", 403),
        ("ftp://192.0.2.7", "192.0.2.7", 403),
    ],
)
def test_its_own_calls_from_an_address(service: Service, origin: str, host: str, status: int) -> None:
    """A page opened by a bare address may call the server it came from; by a name only if the operator said so, since
    a name can be made to lead here by whoever owns it."""
    with closing(http.client.HTTPConnection("127.0.0.1", service.web.port, timeout=20)) as connection:
        connection.putrequest("POST", LIST, skip_host=True)
        for name, value in (
            ("host", host),
            ("origin", origin),
            ("content-type", "application/proto"),
            ("content-length", "0"),
        ):
            connection.putheader(name, value)
        connection.endheaders()
        assert connection.getresponse().status == status
