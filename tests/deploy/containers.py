"""Processes that stand for containers: commands and environment of the deployment files, files of the test's own."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc

from saloon.launching import SALOON, Server
from saloon.ports import free_port
from tests.deploy.reading import DEPLOY, ENVIRONMENTS, said


def token(name: str, file: Path) -> str:
    """A new token, as an operator makes one, and its lines added to the servers' file."""
    done = subprocess.run([DEPLOY / "token.sh", name], capture_output=True, text=True, timeout=30, check=True)
    with file.open("a", encoding="utf-8") as lines:
        lines.write(done.stdout)
    return done.stderr.strip()


def tokens_file(folder: Path) -> Path:
    """A file that lets in whoever has the token in the file beside it."""
    file = folder / "tokens.toml"
    if not file.exists():
        (folder / "token").write_text(token("front-end", file), encoding="utf-8")
    return file


class Bearer(grpc.UnaryUnaryClientInterceptor):
    """Says the token with every call that is no stream."""

    def __init__(self, token: str) -> None:
        self.metadata = (("authorization", f"Bearer {token}"),)

    def intercept_unary_unary(self, go_on: Any, call: Any, request: Any) -> Any:
        return go_on(call._replace(metadata=self.metadata), request)


def with_token(address: str, token: str) -> grpc.Channel:
    return grpc.intercept_channel(grpc.insecure_channel(address), Bearer(token))


def token_of(folder: Path) -> str:
    """The one that lets in whoever calls a container whose files are there."""
    return (folder / "token").read_text(encoding="utf-8")


def command(text: str) -> list[str]:
    """An instruction in the form without a shell, with this Python's `saloon`."""
    words = json.loads(text)
    assert words[0] == "saloon" or text == said("CMD")
    return [str(word) for word in words]


def saloon(words: list[str]) -> list[str]:
    return [*SALOON, *words]


def environment(where: str, folder: Path, port: int, metrics: int = 0, http: int = 0) -> dict[str, str]:
    """What the container would have, but with ports and files of the test's own; tokens are those of `token`."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("SALOON_")}
    theirs = {name: value for name, value in ENVIRONMENTS[where].items() if name != "PATH"}
    if "SALOON_TOKENS" in theirs:
        theirs["SALOON_TOKENS"] = str(tokens_file(folder))
    own = {
        "SALOON_PORT": str(port),
        "SALOON_HTTP_PORT": str(http or free_port()),
        "SALOON_DATABASE": str(folder / "t.sqlite"),
        "SALOON_ADDRESS": f"localhost:{port}",
    }
    return {**ours, **theirs, **own, "SALOON_METRICS_PORT": str(metrics or free_port())}


@contextmanager
def container(where: str, folder: Path, words: list[str], metrics: int = 0) -> Iterator[Server]:
    port = free_port()
    server = Server(words, port, environment=environment(where, folder, port, metrics))
    try:
        server.start()
        yield server
    finally:
        server.kill()
