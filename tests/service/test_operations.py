"""What operators rely on: tokens, transport security, health, metrics, draining, several processes, plain refusals."""

import asyncio
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from saloon_client.v1 import bots_pb2

from saloon.ports import free_port
from server.basics.settings import ConfigError, Settings, load, unknown_variables
from tests.service.games import Sitting, Stubs, details, milliseconds, of
from tests.service.processes import server, wait_until_serving
from tests.service.running import serving

# ---- Tokens


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[tuple[Stubs, Path]]:
    tokens = tmp_path / "tokens.toml"
    write_tokens(tokens, first={"calls_per_minute": 6}, second={"calls_at_a_time": 1})
    with serving(tmp_path, tokens=tokens) as service, grpc.insecure_channel(service.address) as channel:
        yield Stubs(channel), tokens


def write_tokens(path: Path, **limits: dict[str, int]) -> None:
    """Each token is its name in capitals."""
    lines = []
    for name, limit in limits.items():
        lines += [f"[{name}]", f'sha256 = "{hashlib.sha256(name.upper().encode()).hexdigest()}"']
        lines += [f"{key} = {value}" for key, value in limit.items()]
    path.write_text("\n".join(lines), encoding="utf-8")


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


def list_bots(stubs: Stubs, metadata: tuple[tuple[str, str], ...] = ()) -> str:
    code: grpc.StatusCode = stubs.bots.ListBots.future(bots_pb2.ListBotsRequest(), metadata=metadata).code()
    return code.name


def test_tokens_are_asked_for(guarded: tuple[Stubs, Path]) -> None:
    stubs, _ = guarded
    assert list_bots(stubs) == "UNAUTHENTICATED"
    assert list_bots(stubs, bearer("WRONG")) == "UNAUTHENTICATED"
    assert list_bots(stubs, (("authorization", "Basic FIRST"),)) == "UNAUTHENTICATED"
    assert list_bots(stubs, bearer("SECOND")) == "OK"
    health: Any = health_pb2_grpc.HealthStub(stubs.channel)
    assert health.Check(health_pb2.HealthCheckRequest()).status == health_pb2.HealthCheckResponse.SERVING


def test_nothing_is_read_of_a_stranger(guarded: tuple[Stubs, Path]) -> None:
    """Bytes that are no message are refused for what they are only if whoever sent them may call."""
    stubs, _ = guarded
    for method in ("/saloon.v1.Bots/Suggest", "/saloon.v1.Tables/Act"):
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = stubs.channel.unary_unary(method)
        with pytest.raises(grpc.RpcError) as stranger:
            call(b"\xff\xff")
        assert stranger.value.code() == grpc.StatusCode.UNAUTHENTICATED
        with pytest.raises(grpc.RpcError, match="expected a message of the contract"):
            call(b"\xff\xff", metadata=bearer("FIRST"))


def test_a_token_has_limits(guarded: tuple[Stubs, Path]) -> None:
    """So many calls a minute, and so many at a time; whoever exceeds them learns when to come again."""
    stubs, _ = guarded
    found = [list_bots(stubs, bearer("FIRST")) for _ in range(8)]
    assert found == ["OK"] * 6 + ["RESOURCE_EXHAUSTED"] * 2
    with pytest.raises(grpc.RpcError) as caught:
        stubs.bots.ListBots(bots_pb2.ListBotsRequest(), metadata=bearer("FIRST"))
    assert 1 <= details(caught.value, RetryInfo).retry_delay.seconds <= 10
    sitting = Sitting(stubs, metadata=bearer("SECOND"), seat=0)
    sitting.next()
    assert list_bots(stubs, bearer("SECOND")) == "RESOURCE_EXHAUSTED"
    sitting.drop()
    deadline = time.monotonic() + 10
    while list_bots(stubs, bearer("SECOND")) != "OK":
        assert time.monotonic() < deadline


def test_a_touched_file_gives_nothing_back(guarded: tuple[Stubs, Path]) -> None:
    """What a client has used of its limit stays used, and its name and limits may change meanwhile."""
    stubs, path = guarded
    found = [list_bots(stubs, bearer("FIRST")) for _ in range(7)]
    assert found[-1] == "RESOURCE_EXHAUSTED"
    write_tokens(path, first={"calls_per_minute": 6}, third={})
    deadline = time.monotonic() + 20
    while list_bots(stubs, bearer("THIRD")) != "OK":
        assert time.monotonic() < deadline
        time.sleep(0.1)
    again = [list_bots(stubs, bearer("FIRST")) for _ in range(6)]
    assert again.count("OK") <= 3  # one may be due every ten seconds


def test_limits_hold_over_all_workers(tmp_path: Path) -> None:
    """Whichever worker a connection comes to, and after a worker was killed with calls under way."""
    tokens = tmp_path / "tokens.toml"
    write_tokens(tokens, first={"calls_per_minute": 6}, second={"calls_at_a_time": 1})
    flags = ["--tokens", str(tokens), "--workers", "2"]
    with server(tmp_path, *flags) as running:

        def call(token: str) -> str:
            with grpc.insecure_channel(running.address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
                return list_bots(Stubs(channel), bearer(token))

        found = [call("FIRST") for _ in range(20)]
        assert found.count("OK") <= 7
        assert "RESOURCE_EXHAUSTED" in found
        with grpc.insecure_channel(running.address) as channel:
            sitting = Sitting(Stubs(channel), metadata=bearer("SECOND"), seat=0)
            sitting.next()
            assert [call("SECOND") for _ in range(8)] == ["RESOURCE_EXHAUSTED"] * 8
            for worker in running.workers(2):
                os.kill(worker, signal.SIGKILL)
            with pytest.raises(grpc.RpcError):
                sitting.next()
        until = time.monotonic() + 60
        while call("SECOND") != "OK":
            assert time.monotonic() < until
            time.sleep(0.2)


def test_a_revoked_token_ends_its_streams(guarded: tuple[Stubs, Path]) -> None:
    stubs, path = guarded
    sitting = Sitting(stubs, metadata=bearer("SECOND"), seat=0)
    sitting.next()
    write_tokens(path, first={})
    with pytest.raises(grpc.RpcError) as caught:
        sitting.next()
    assert caught.value.code() == grpc.StatusCode.UNAUTHENTICATED
    sitting.hang_up()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[a]\n", "a.sha256: expected a value"),
        ('[a]\nsha256 = "12"\n', "expected 64 hexadecimal digits"),
        (f'[a]\nsha256 = "{"0" * 64}"\ncalls_per_minute = 0\n', "a.calls_per_minute: expected an integer"),
        ("[a\n", "tokens: "),
        ("", "file: expected 1 to 1000 tokens, got 0"),
    ],
)
def test_a_wrong_token_file_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "tokens").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=re.escape(problem)), serving(tmp_path, tokens=tmp_path / "tokens"):
        pass


# ---- Transport security


def openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A self-signed certificate for localhost."""
    cert, key = folder / f"{name}.pem", folder / f"{name}.key"
    subject = ["-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-keyout", str(key), "-out", str(cert), *subject)  # fmt: skip
    return cert, key


def secure(address: str, root: Path, pair: tuple[Path, Path] | None = None) -> grpc.Channel:
    chain, key = (pair[0].read_bytes(), pair[1].read_bytes()) if pair else (None, None)
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(root.read_bytes(), key, chain))


def test_certificates_are_read_anew(tmp_path: Path) -> None:
    """A new certificate takes effect without a restart; plaintext is not answered."""
    cert, key = certificate(tmp_path, "server")
    with serving(tmp_path, tls_cert=cert, tls_key=key) as service:
        with secure(service.address, cert) as channel:
            assert list_bots(Stubs(channel)) == "OK"
        with grpc.insecure_channel(service.address) as channel:
            assert list_bots(Stubs(channel)) == "UNAVAILABLE"
        old = tmp_path / "old.pem"
        old.write_bytes(cert.read_bytes())
        certificate(tmp_path, "server")
        with secure(service.address, cert) as channel:
            assert list_bots(Stubs(channel)) == "OK"
        with secure(service.address, old) as channel:
            assert list_bots(Stubs(channel)) == "UNAVAILABLE"


def test_clients_can_be_asked_for_certificates(tmp_path: Path) -> None:
    pair, client = certificate(tmp_path, "server"), certificate(tmp_path, "client")
    with serving(tmp_path, tls_cert=pair[0], tls_key=pair[1], tls_client_ca=client[0]) as service:
        with secure(service.address, pair[0], client) as channel:
            assert list_bots(Stubs(channel)) == "OK"
        with secure(service.address, pair[0]) as channel:
            assert list_bots(Stubs(channel)) == "UNAVAILABLE"


# ---- Settings


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        ({"port": 70_000}, "port: Input should be less than or equal to 65535, got 70000"),
        ({"host": "0.0.0.0"}, "host: 0.0.0.0 is not loopback"),
        ({"tls_cert": "/nowhere"}, "tls_cert and tls_key: expected both or neither"),
        ({"tls_cert": "/nowhere", "tls_key": "/nowhere"}, "tls_cert: expected a file, got '/nowhere'"),
        ({"colour": "red"}, "colour: no such setting; known are client_share, components, database"),
        ({"log_format": "xml"}, "log_format: Input should be 'console' or 'json'"),
    ],
)
def test_a_wrong_setting_is_refused(flags: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(problem)):
        load(**flags)


def test_variables_that_are_no_settings() -> None:
    """One that was mistyped is named; those of other commands, of other programs and real ones are not."""
    variables = ("SALOON_PROT", "saloon_slotss", "SALOON_PORT", "SALOON_TOKEN", "SALOON_MARCH", "PORT")
    assert unknown_variables(dict.fromkeys(variables, "1")) == ["SALOON_PROT", "saloon_slotss"]


def test_flags_before_environment_before_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "saloon.toml"
    file.write_text("port = 1001\nqueue = 7\nlongest = 3.5\n", encoding="utf-8")
    monkeypatch.setenv("SALOON_QUEUE", "8")
    monkeypatch.setenv("SALOON_PORT", "1002")
    settings = load(file, port=1003)
    assert (settings.port, settings.queue, settings.longest) == (1003, 8, 3.5)
    file.write_text("prot = 1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="prot: no such setting"):
        load(file)


def test_every_setting_has_a_flag_and_is_described(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "saloon", "serve", "--help"]
    text = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"}
    ).stdout
    for name, field in Settings.model_fields.items():
        assert f"--{name.replace('_', '-')}" in text, name
        assert field.description


def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    for workers in ("1", "2"):
        with serving(tmp_path) as service:
            command = [sys.executable, "-m", "saloon", "serve", "--port", str(service.port), "--workers", workers]
            command += ["--database", str(tmp_path / "other.sqlite")]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2
        assert "cannot be listened on" in done.stderr
        assert "Traceback" not in done.stdout + done.stderr


def test_a_database_that_is_not_there_is_told_in_a_line() -> None:
    database = f"postgresql://ann:secret@127.0.0.1:{free_port()}/games"
    command = [sys.executable, "-m", "saloon", "serve", "--port", "0", "--http-port", "0", "--database", database]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "saloon serve: database: postgresql://ann:...@127.0.0.1:" in done.stderr
    assert "Connection refused" in done.stderr
    assert not any(word in done.stdout + done.stderr for word in ("Traceback", "secret"))


# ---- Running


def test_metrics_tell_what_happened(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, metrics_port=port) as service, grpc.insecure_channel(service.address) as channel:
        stubs = Stubs(channel)
        request = bots_pb2.SuggestRequest(situation=of(stubs.new_game()), budget=milliseconds(30))
        stubs.bots.Suggest(request)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as response:
            text = response.read().decode()
    assert 'saloon_calls_total{code="OK",method="/saloon.v1.Bots/Suggest"} 1.0' in text
    assert float(re.search(r"^saloon_iterations_total (\S+)", text, re.M)[1]) > 0  # type: ignore[index]
    assert "saloon_search_seconds_count 1.0" in text
    assert "saloon_search_slots 2.0" in text


def test_services_are_told_by_reflection(tmp_path: Path) -> None:
    with serving(tmp_path) as service, grpc.insecure_channel(service.address) as channel:
        known = ProtoReflectionDescriptorDatabase(channel)
        assert {"saloon.v1.Bots", "saloon.v1.Rules", "saloon.v1.Seats"} <= set(known.get_services())
        file = known.FindFileContainingSymbol("saloon.v1.Bots")
        assert "Suggest" in [method.name for method in file.service[0].method]


def test_reflection_on_loopback_only(tmp_path: Path) -> None:
    assert load().with_reflection
    assert not load(host="0.0.0.0", insecure=True).with_reflection
    assert load(host="0.0.0.0", insecure=True, reflection=True).with_reflection


def test_a_cancelled_call_ends_its_search(tmp_path: Path) -> None:
    """The only slot is free again at once."""
    with serving(tmp_path, slots=1) as service, grpc.insecure_channel(service.address) as channel:
        stubs = Stubs(channel)
        situation = of(stubs.new_game())
        call = stubs.bots.Suggest.future(bots_pb2.SuggestRequest(situation=situation, budget=milliseconds(20_000)))
        while not service.searches.admission.running:
            time.sleep(0.01)
        call.cancel()
        begun = time.monotonic()
        while service.searches.admission.running:
            assert time.monotonic() - begun < 5
            time.sleep(0.001)


def test_draining_lets_calls_end(tmp_path: Path) -> None:
    """SIGTERM: health says NOT_SERVING, seats are told to move, what is under way ends well; then the process ends."""
    with server(tmp_path, "--drain-seconds", "20") as running:
        with running.channel() as channel:
            stubs = Stubs(channel)
            situation = of(stubs.new_game())
            sitting = Sitting(stubs, seat=0)
            sitting.next()
            statuses: list[int] = []
            health: Any = health_pb2_grpc.HealthStub(channel)
            watch = health.Watch(health_pb2.HealthCheckRequest())
            thread = threading.Thread(target=lambda: statuses.extend(collect(watch)))
            thread.start()
            call = stubs.bots.Suggest.future(bots_pb2.SuggestRequest(situation=situation, budget=milliseconds(1500)))
            time.sleep(0.3)
            running.process.send_signal(signal.SIGTERM)
            assert sitting.next().move.grace.seconds == 20
            sitting.hang_up()
            assert call.result(10).answer.iterations > 0
            watch.cancel()
            thread.join(10)
        assert running.process.wait(20) == 0
    serving_, not_serving = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING
    assert statuses == [serving_, not_serving]


def collect(watch: Any) -> Iterator[int]:
    try:
        for answer in watch:
            yield answer.status
    except grpc.RpcError:
        return


def test_several_processes_share_a_port(tmp_path: Path) -> None:
    """One that dies is replaced; all of them end with the parent."""
    flags = ["--workers", "2", "--metrics-port", str(free_port(2)), "--log-format", "json", "--log-level", "info"]
    with server(tmp_path, *flags) as running:
        pids = running.workers(2)
        os.kill(pids[0], signal.SIGKILL)
        deadline = time.monotonic() + 30
        while pids[0] in running.workers(2):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        found = running.workers(2)
        wait_until_serving(running.address)
        with running.channel() as channel:
            assert list_bots(Stubs(channel)) == "OK"
        assert running.stop() == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in found)
    lines = [json.loads(line) for line in running.logged().splitlines()]
    assert any(line["event"] == "worker died" for line in lines)


def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    with server(tmp_path, "--workers", "2", "--notice-seconds", "0") as running:
        pids = running.workers(2)
        running.kill()
        deadline = time.monotonic() + 30
        while any(Path(f"/proc/{pid}").exists() for pid in pids):
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_nothing_inside_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error nobody expected: a number for the operator's log, no more."""
    from server.thinking.service import BotsService

    async def broken(self: Any, request: Any, context: Any) -> None:
        await asyncio.sleep(0)
        raise RuntimeError("secret path /etc/passwd")

    monkeypatch.setattr(BotsService, "ListBots", broken)
    with serving(tmp_path) as service, grpc.insecure_channel(service.address) as channel:
        with pytest.raises(grpc.RpcError) as caught:
            Stubs(channel).bots.ListBots(bots_pb2.ListBotsRequest())
        assert caught.value.code() == grpc.StatusCode.INTERNAL
        assert re.fullmatch(r"internal error [0-9a-f]{12}; the server's log says more", caught.value.details() or "")
