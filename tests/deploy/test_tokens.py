"""Every deployment asks for tokens, made as the files say, and sees new ones without being started again."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest
from saloon_client.v1 import bots_pb2

from tests.deploy.containers import command, container, saloon, token, token_of, with_token
from tests.deploy.reading import DEPLOY, ENVIRONMENTS, ROOT, compose, objects, pods, said
from tests.service.games import Stubs
from tests.service.processes import wait_until_serving
from tests.service.test_envoy import proxied

HERE = "/etc/saloon/tokens"


def code(channel: grpc.Channel) -> str:
    with channel:
        try:
            Stubs(channel).bots.ListBots(bots_pb2.ListBotsRequest(), timeout=10)
        except grpc.RpcError as error:
            return str(error.code().name)
    return "OK"


@pytest.mark.parametrize("where", ["compose", "kubernetes"])
def test_servers_are_told_of_the_file(where: str) -> None:
    assert ENVIRONMENTS[where]["SALOON_TOKENS"] == f"{HERE}/tokens.toml"


def test_compose_mounts_the_folder_or_does_not_start() -> None:
    (mount,) = [volume for volume in compose()["server"]["volumes"] if isinstance(volume, dict)]
    bind = {"create_host_path": False}
    assert mount == {"type": "bind", "source": "./tokens", "target": HERE, "read_only": True, "bind": bind}


def test_pods_mount_the_secret() -> None:
    """The whole folder, since a file mounted by itself never changes."""
    pod = pods()["saloon"]
    (container,) = pod["containers"]
    (mount,) = [each for each in container["volumeMounts"] if each["name"] == "tokens"]
    assert mount == {"name": "tokens", "mountPath": HERE, "readOnly": True}
    (volume,) = [each for each in pod["volumes"] if each["name"] == "tokens"]
    # Pods read it as the group they have (fsGroup), nobody else does.
    assert volume["secret"] == {"secretName": "saloon-tokens", "defaultMode": 0o440}
    assert pod["securityContext"]["fsGroup"]


def test_no_secret_is_kept_with_the_files() -> None:
    assert objects("Secret") == {}
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"deploy/tokens/", "deploy/certificates/"} <= set(ignored)
    assert "COPY . ./" in (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    sent = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {line for line in sent if line.startswith("!deploy")} == {"!deploy/building.lock", "!deploy/serving.lock"}


def test_a_token_has_a_name_that_fits() -> None:
    for words in ([], ["two words"], ['"]\n']):
        done = subprocess.run([DEPLOY / "token.sh", *words], capture_output=True, timeout=30, check=False)
        assert done.returncode != 0
        assert done.stdout == b""


@pytest.mark.parametrize("where", ["compose", "kubernetes"])
def test_nobody_calls_without_a_token(where: str, tmp_path: Path) -> None:
    """Through Envoy, which passes tokens on and needs none to ask for health."""
    with container(where, tmp_path, saloon(command(said("CMD")))) as server:
        folder = tmp_path / "envoy"
        folder.mkdir()
        with proxied(folder, [server.port] * 3) as address:
            wait_until_serving(address)
            time.sleep(1)  # for the first health checks
            assert code(grpc.insecure_channel(address)) == "UNAUTHENTICATED"
            assert code(with_token(address, "wrong")) == "UNAUTHENTICATED"
            assert code(with_token(address, token_of(tmp_path))) == "OK"


def test_a_changed_secret_is_read_anew(tmp_path: Path) -> None:
    """As a kubelet changes it: a new folder, and a link to it that is put in the place of the old one."""

    def put(number: int, make: Callable[[Path], str]) -> str:
        folder = tmp_path / f"..{number}"
        folder.mkdir()
        made = make(folder / "tokens.toml")
        (tmp_path / "..new").symlink_to(folder)
        (tmp_path / "..new").rename(tmp_path / "..data")
        return made

    first = put(1, lambda file: token("first", file))
    (tmp_path / "tokens.toml").symlink_to(tmp_path / "..data" / "tokens.toml")
    with container("kubernetes", tmp_path, saloon(command(said("CMD")))) as server:
        assert code(with_token(server.address, first)) == "OK"
        second = put(2, lambda file: token("second", file))
        until = time.monotonic() + 15
        while code(with_token(server.address, second)) != "OK":
            assert time.monotonic() < until
            time.sleep(0.2)
        assert code(with_token(server.address, first)) == "UNAUTHENTICATED"
