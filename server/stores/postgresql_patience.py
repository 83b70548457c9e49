# May know: nothing else of Saloon.
"""How long a connection to PostgreSQL may say nothing."""

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg


@contextmanager
def patience(connection: psycopg.AsyncConnection[Any], seconds: float) -> Iterator[None]:
    """With what is asked there; then it is as if the other side had ended the connection. A proxy or a machine that
    stands still may say nothing for ever, while a kernel acknowledges all that is sent."""
    timer = asyncio.get_running_loop().call_later(seconds, _hang_up, connection)
    try:
        yield
    finally:
        timer.cancel()


def _hang_up(connection: psycopg.AsyncConnection[Any]) -> None:
    with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as end:
        end.shutdown(socket.SHUT_RDWR)
