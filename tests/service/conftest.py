"""One server for all tests of a module that need nothing special."""

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from tests.service.at_tables import Stub
from tests.service.games import Stubs
from tests.service.kept import Kept, KeptInFile, kept_in_postgres
from tests.service.postgres import Postgres, cluster
from tests.service.running import serving


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("service")) as service:
        yield service.address


@pytest.fixture(scope="module")
def channel(address: str) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(address) as channel:
        yield channel


@pytest.fixture(scope="module")
def stubs(channel: grpc.Channel) -> Stubs:
    return Stubs(channel)


@pytest.fixture(scope="module")
def tables(channel: grpc.Channel) -> Stub:
    return Stub(channel)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One for all tests of a process; nothing of it has to outlive the machine."""
    with cluster(fsync="off") as made:
        yield made


@pytest.fixture(params=["sqlite", "postgresql"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    """An empty database of either kind."""
    if request.param == "sqlite":
        yield KeptInFile(tmp_path)
    else:
        with kept_in_postgres(request.getfixturevalue("postgres")) as found:
            yield found
