"""The HTTP port as operators have it: certificates, several processes, a port that somebody else has."""

import http.client
import json
import signal
import socket
import ssl
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import grpc
import pytest
from saloon_client.v1 import bots_pb2

from saloon.launching import SALOON, Server
from saloon.ports import free_port
from server.basics import limits
from server.basics.settings import ConfigError, Settings
from tests.service.games import Stubs
from tests.service.processes import server
from tests.service.running import serving, until
from tests.service.test_http import JSON, LIST, call
from tests.service.test_operations import certificate


def asked(port: int, context: ssl.SSLContext) -> str:
    """The name in the certificate of whoever answers a call."""
    with closing(http.client.HTTPSConnection("localhost", port, timeout=10, context=context)) as connection:
        connection.request("POST", LIST, b"{}", JSON)
        response = connection.getresponse()
        assert json.loads(response.read())["levels"]
        return str(response.status)


def test_certificates_are_read_anew(tmp_path: Path) -> None:
    (cert, key), (other, other_key) = certificate(tmp_path, "one"), certificate(tmp_path, "two")
    with serving(tmp_path, http_port=free_port(), tls_cert=cert, tls_key=key) as service:
        old, new = ssl.create_default_context(cafile=cert), ssl.create_default_context(cafile=other)
        new_pem, new_key = other.read_bytes(), other_key.read_bytes()
        assert asked(service.web.port, old) == "200"
        old.set_alpn_protocols(["h2", "http/1.1"])
        plain = socket.create_connection(("localhost", service.web.port), 10)
        with old.wrap_socket(plain, server_hostname="localhost") as secure:
            assert secure.selected_alpn_protocol() == "h2"
        key.write_bytes(new_key)
        cert.write_bytes(new_pem)
        assert asked(service.web.port, new) == "200"
        with pytest.raises(ssl.SSLError):
            asked(service.web.port, old)


def test_handshakes_that_never_end_count_for_their_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As connections do; what ended, well or not, does not count any more."""
    monkeypatch.setattr(limits, "CONNECTIONS", 5)
    cert, key = certificate(tmp_path, "one")
    with serving(tmp_path, http_port=free_port(), tls_cert=cert, tls_key=key) as service, ExitStack() as stack:
        handshakes, context = service.web.handshakes, ssl.create_default_context(cafile=cert)
        assert handshakes is not None
        silent = list[socket.socket]()

        def connect() -> None:
            silent.append(stack.enter_context(socket.create_connection(("127.0.0.1", service.web.port), 10)))

        for _ in range(4):
            connect()
        until(lambda: handshakes.of_address == {"127.0.0.1": 4})
        assert asked(service.web.port, context) == "200"  # the fifth
        until(lambda: not service.web.connections.open)
        connect()
        until(lambda: handshakes.of_address == {"127.0.0.1": 5})
        with socket.create_connection(("127.0.0.1", service.web.port), 10) as sixth, suppress(ConnectionError):
            assert sixth.recv(1) == b""
        silent[-1].sendall(b"GET / HTTP/1.1\r\n\r\n")  # no handshake
        until(lambda: handshakes.of_address == {"127.0.0.1": 4})
        assert asked(service.web.port, context) == "200"
        for each in silent:
            each.close()
        until(lambda: not handshakes.of_address)


def test_clients_can_be_asked_for_certificates(tmp_path: Path) -> None:
    (cert, key), (own, own_key) = certificate(tmp_path, "server"), certificate(tmp_path, "client")
    with serving(tmp_path, http_port=free_port(), tls_cert=cert, tls_key=key, tls_client_ca=own) as service:
        context = ssl.create_default_context(cafile=cert)
        with pytest.raises((ssl.SSLError, ConnectionError)):
            asked(service.web.port, context)
        context.load_cert_chain(own, own_key)
        assert asked(service.web.port, context) == "200"


def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, http_port=free_port()) as service:
        port = service.web.port
        with pytest.raises(ConfigError, match=f"http_port: 127.0.0.1:{port}"), serving(tmp_path, http_port=port):
            pass
        assert call(service, LIST, {}).status == 200


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_usual_port_that_something_else_has_is_done_without(workers: str, tmp_path: Path) -> None:
    """So that a second server of one machine starts as the first one did."""
    port, usual = free_port(), Settings.model_fields["http_port"].default
    log = tmp_path / "log"
    flags = ["--port", str(port), "--workers", workers, "--database", str(tmp_path / "tables.sqlite")]
    second = Server([*SALOON, "serve", *flags], port, log=log)
    with socket.socket() as other:
        with suppress(OSError):  # then something else has it already
            other.bind(("127.0.0.1", usual))
            other.listen()
        second.start()
        try:
            with grpc.insecure_channel(second.address) as channel:
                assert Stubs(channel).bots.ListBots(bots_pb2.ListBotsRequest()).levels
            assert "no HTTP; --http-port chooses another port" in log.read_text(encoding="utf-8")
        finally:
            assert second.stop() == 0


def test_several_processes_share_the_port(tmp_path: Path) -> None:
    """And end as they should."""
    port = free_port()
    with server(tmp_path, "--workers", "2", "--http-port", str(port)) as running:
        for _ in range(6):
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
                connection.request("POST", LIST, b"{}", JSON)
                assert connection.getresponse().status == 200
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(20) == 0
