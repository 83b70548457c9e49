"""One server for all tests of a module."""

from collections.abc import Iterator

import pytest
from saloon_client import Client

from tests.service.running import serving


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("service")) as service:
        yield service.address


@pytest.fixture(scope="module")
def saloon(address: str) -> Iterator[Client]:
    with Client(address) as client:
        yield client
