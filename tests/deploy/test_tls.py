"""TLS inside the cluster (deploy/kubernetes-tls): what it changes, and that it works with real processes."""

import ssl
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import yaml
from saloon_client.v1 import bots_pb2, tables_pb2

from saloon.health import check
from saloon.ports import free_port
from tests.deploy.containers import environment, saloon, token_of, with_token
from tests.deploy.reading import DEPLOY, KUBERNETES, SERVER_PORT, documents, pods, settings_file
from tests.deploy.test_files import tool
from tests.deploy.test_proxies import created_over_http, over_http, pointed
from tests.service.at_tables import Stub, bot, create
from tests.service.games import Stubs
from tests.service.postgres import cluster
from tests.service.processes import wait_until_serving
from tests.service.test_envoy import envoy_binary
from tests.service.test_operations import certificate

TLS = DEPLOY / "kubernetes-tls"
HERE = "/etc/saloon/tls"


@pytest.fixture(scope="module")
def made() -> list[Any]:
    """Everything that `kubectl apply -k` would send."""
    kubectl = tool("kubectl", "https://kubernetes.io/docs/tasks/tools/")
    done = subprocess.run([kubectl, "kustomize", str(TLS)], capture_output=True, text=True, timeout=60, check=True)
    return list(yaml.safe_load_all(done.stdout))


def pod(made: list[Any], name: str) -> Any:
    (found,) = [o for o in made if o["kind"] == "Deployment" and o["metadata"]["name"] == name]
    return found["spec"]["template"]["spec"]


def mounts(spec: Any) -> dict[str, Any]:
    """What is mounted, by where."""
    (container,) = spec["containers"]
    volumes = {volume["name"]: volume for volume in spec["volumes"]}
    return {mount["mountPath"]: volumes.get(mount["name"]) for mount in container["volumeMounts"]}


# ---- What is changed


def test_servers_are_told_of_their_certificate(made: list[Any]) -> None:
    settings = [o["data"] for o in made if o["kind"] == "ConfigMap" and "SALOON_SLOTS" in o["data"]]
    assert settings == [{**settings_file(), **settings_file(TLS / "tls.env")}]
    assert settings[0]["SALOON_INSECURE"] == "false"
    found = mounts(pod(made, "saloon"))
    assert found[HERE]["secret"] == {"secretName": "saloon-tls", "defaultMode": 0o440}
    for setting in ("SALOON_TLS_CERT", "SALOON_TLS_KEY"):
        assert str(Path(settings[0][setting]).parent) == HERE
    assert set(mounts(pods()["saloon"])) < set(found)  # all else is as it was, the database's certificate among it


def test_probes_speak_tls(made: list[Any]) -> None:
    (container,) = pod(made, "saloon")["containers"]
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert "grpc" not in container[probe]
        assert container[probe]["exec"]["command"] == probe_command()
        # An import of grpc and three seconds of waiting.
        assert container[probe]["timeoutSeconds"] >= 10


def test_envoy_never_sees_the_key(made: list[Any]) -> None:
    (secret,) = [v["secret"] for v in pod(made, "saloon-envoy")["volumes"] if "secret" in v]
    assert secret == {"secretName": "saloon-tls", "items": [{"key": "ca.crt", "path": "ca.crt"}]}
    assert mounts(pod(made, "saloon-envoy"))[HERE]["secret"] == secret


def test_envoy_differs_only_in_how_it_speaks_to_servers(made: list[Any]) -> None:
    (plain,), (secure,) = (documents(folder / "envoy.yaml") for folder in (KUBERNETES, TLS))
    for each in secure["static_resources"]["clusters"]:
        context = each.pop("transport_socket")["typed_config"]
        validation = context["common_tls_context"]["validation_context"]
        assert validation["trusted_ca"] == {"filename": f"{HERE}/ca.crt"}
        assert validation["match_typed_subject_alt_names"] == [{"san_type": "DNS", "matcher": {"exact": "saloon"}}]
        assert context["sni"] == "saloon"
        assert context["common_tls_context"]["alpn_protocols"] == ["h2"]
    assert secure == plain
    used = [o["data"]["envoy.yaml"] for o in made if o["kind"] == "ConfigMap" and "envoy.yaml" in o["data"]]
    assert used == [(TLS / "envoy.yaml").read_text(encoding="utf-8")]


# ---- That it works


def certificates(folder: Path) -> None:
    """As an operator makes them, or makes them anew."""
    tool("openssl", "apt-get install openssl")
    command = [TLS / "certificates.sh", folder]
    subprocess.run(command, capture_output=True, timeout=60, check=True)


def probe_command() -> list[str]:
    (patch,) = documents(TLS / "servers.yaml")
    (container,) = patch["spec"]["template"]["spec"]["containers"]
    words: list[str] = container["startupProbe"]["exec"]["command"]
    return words


def probe(port: int, folder: Path) -> bool:
    """Whether the kubelet would find the server healthy."""
    words = [word.replace(HERE, str(folder)).replace(str(SERVER_PORT), str(port)) for word in probe_command()]
    return subprocess.run(saloon(words[1:]), capture_output=True, timeout=30, check=False).returncode == 0


def answers(port: int) -> bool:
    """Whether it is healthy, in plaintext."""
    return check(f"127.0.0.1:{port}", timeout=1.0) == ""


@contextmanager
def server(folder: Path, certificates: Path | None, database: str = "") -> Iterator[tuple[int, int]]:
    """A pod's process; its ports. Without certificates it is one that speaks plainly."""
    port, web = free_port(), free_port()
    folder.mkdir(exist_ok=True)
    env = environment("kubernetes", folder, port, http=web)
    if certificates is not None:
        env |= {n: v.replace(HERE, str(certificates)) for n, v in settings_file(TLS / "tls.env").items()}
    if database:
        env["SALOON_DATABASE"] = database
    child = subprocess.Popen(saloon(["serve"]), env=env, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 60
        while not (probe(port, certificates) if certificates else answers(port)):
            assert child.poll() is None
            assert time.monotonic() < until
        yield port, web
    finally:
        child.kill()
        child.wait(10)


@contextmanager
def envoy(folder: Path, authority: Path, ports: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The variant's Envoy in front of servers at these ports; its address."""
    listen, admin = free_port(), free_port()
    text = (TLS / "envoy.yaml").read_text(encoding="utf-8").replace(HERE, str(authority))
    text = (
        pointed(text, ports)
        .replace("port_value: 50050", f"port_value: {listen}")
        .replace("port_value: 9901", f"port_value: {admin}")
    )
    file = folder / "envoy.yaml"
    file.write_text(text, encoding="utf-8")
    command = [envoy_binary(), "-c", str(file), "--log-level", "error", "--base-id", str(admin), "--concurrency", "1"]
    child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_until_serving(f"127.0.0.1:{listen}")
        time.sleep(1.5)  # for the first health checks
        yield f"127.0.0.1:{listen}"
    finally:
        child.kill()
        child.wait(10)


def test_calls_go_encrypted_to_servers_and_on_to_the_database(tmp_path: Path) -> None:
    """Tables and all else, with tokens, by gRPC and HTTP, at any of two servers that reach PostgreSQL by TLS, too;
    plaintext is not answered, a renewed certificate is used."""
    keys, folder = tmp_path / "keys", tmp_path / "saloon"
    certificates(keys)
    theirs = certificate(tmp_path, "database")
    with cluster(theirs, fsync="off") as postgres, postgres.database() as name, ExitStack() as stack:
        database = postgres.secure_url(name, theirs[0])
        ports = [stack.enter_context(server(folder, keys, database)) for _ in range(2)]
        address = stack.enter_context(envoy(tmp_path, keys, ports))

        def list_bots(at: str) -> bool:
            with with_token(at, token_of(folder)) as channel:
                return bool(Stubs(channel).bots.ListBots(bots_pb2.ListBotsRequest(), timeout=10).levels)

        assert list_bots(address)
        with with_token(address, token_of(folder)) as channel:
            table = create(Stub(channel), 2, [bot(0, level="1")]).table.table
            for _ in range(6):  # at either server
                assert Stub(channel).GetTable(tables_pb2.GetTableRequest(table=table)).table.table == table
        encrypted = "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name ~ 'saloon'"
        assert {*postgres.sql(encrypted)} == {(True,)}
        listen, (port, web) = int(address.rpartition(":")[2]), ports[0]
        assert over_http(listen, "Bots/ListBots", {}, token_of(folder))["levels"]
        assert created_over_http(listen, token_of(folder))
        with pytest.raises(grpc.RpcError, match="UNAVAILABLE"):
            list_bots(f"127.0.0.1:{port}")
        before = (keys / "tls.crt").read_text(encoding="utf-8")
        certificates(keys)
        after = (keys / "tls.crt").read_text(encoding="utf-8")
        assert after != before
        for each in (port, web):
            assert ssl.get_server_certificate(("127.0.0.1", each), timeout=10).split() == after.split()
        assert probe(port, keys)
        assert list_bots(address)


def misnamed(folder: Path, authority: Path) -> None:
    """A certificate of the same authority, but for somebody else."""
    folder.mkdir()
    (folder / "names").write_text("subjectAltName = DNS:localhost, DNS:shop\n", encoding="utf-8")
    (folder / "ca.crt").write_bytes((authority / "ca.crt").read_bytes())
    request = (
        "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=saloon -keyout tls.key -out request"
    )
    signed = f"x509 -req -in request -CA ca.crt -CAkey {authority}/ca.key -days 2 -extfile names -out tls.crt"
    for arguments in (request, signed):
        subprocess.run(["openssl", *arguments.split()], cwd=folder, check=True, capture_output=True, timeout=60)


@pytest.mark.parametrize("who", ["of another authority", "with another name", "in plaintext"])
def test_envoy_sends_nothing_to_who_is_not_a_server(who: str, tmp_path: Path) -> None:
    keys, others = tmp_path / "keys", tmp_path / "others"
    certificates(keys)
    if who == "of another authority":
        certificates(others)
    elif who == "with another name":
        misnamed(others, keys)
    with (
        server(tmp_path / "pod", None if who == "in plaintext" else others) as ports,
        envoy(tmp_path, keys, [ports]) as address,
        with_token(address, token_of(tmp_path / "pod")) as channel,
    ):
        with pytest.raises(grpc.RpcError) as refused:
            Stubs(channel).bots.ListBots(bots_pb2.ListBotsRequest(), timeout=10)
        assert refused.value.code() == grpc.StatusCode.UNAVAILABLE
        with pytest.raises(AssertionError, match="no healthy upstream"):
            over_http(int(address.rpartition(":")[2]), "Bots/ListBots", {}, token_of(tmp_path / "pod"))
