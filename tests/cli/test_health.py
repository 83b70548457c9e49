"""`saloon health` says whether a server serves, for people and for what watches over servers."""

import socket
import subprocess
import sys

from tests.cli.conftest import Saloon


def test_a_server_that_serves(address: str, saloon: Saloon) -> None:
    assert saloon("health", "--address", address).stdout == "SERVING\n"
    assert saloon("health", SALOON_ADDRESS=address).stdout == "SERVING\n"
    assert saloon("health", "--address", address, "--service", "saloon.v1.Bots").stdout == "SERVING\n"


def test_no_such_service(address: str, saloon: Saloon) -> None:
    said = saloon("health", "--address", address, "--service", "saloon.v1.Cooks", code=1).stdout
    assert said == f"NOT_FOUND: the server at {address} has no service 'saloon.v1.Cooks'\n"


def test_nobody_there(saloon: Saloon) -> None:
    said = saloon("health", "--address", "127.0.0.1:1", code=1).stdout
    assert said.startswith("UNAVAILABLE: no Saloon server answers at 127.0.0.1:1; start one with `saloon serve`")


def test_one_that_says_nothing(saloon: Saloon) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        said = saloon("health", "--address", f"127.0.0.1:{port}", "--timeout", "300ms", code=1).stdout
    assert said.startswith(("DEADLINE_EXCEEDED: no answer in the time given", "UNAVAILABLE: "))


def test_an_address_that_needs_more(saloon: Saloon) -> None:
    said = saloon("health", "--address", "example.org:1", "--tls-ca", "missing.pem", code=2).stderr
    assert "missing.pem" in said


def test_nothing_of_the_server_is_imported_to_ask() -> None:
    """Pods ask every few seconds, each time in a new process."""
    code = "from saloon.__main__ import run\ntry: run()\nfinally: import sys; print('server' in sys.modules)"
    command = [sys.executable, "-c", code, "health", "--address", "127.0.0.1:1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "False")
