"""One server for all tests of a module that need nothing special."""

from collections.abc import Iterator

import grpc
import pytest

from tests.service.at_tables import Stub
from tests.service.games import Stubs
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
