"""A server of one's own, for as long as somebody plays at this terminal."""

import contextlib
import signal
from collections.abc import Iterator

import typer
from rich.console import Console

from saloon.launching import NotStarted, own_server
from saloon.person import Quit


def _quit(*_: object) -> None:
    raise Quit


@contextlib.contextmanager
def server_while_played(console: Console, command: str, *flags: str) -> Iterator[str]:
    """Its address. Ctrl-C reaches the game, not the server; a closed window ends both."""
    with contextlib.ExitStack() as stack:
        for ending in (signal.SIGHUP, signal.SIGTERM):  # a closed window must not leave the server behind
            stack.callback(signal.signal, ending, signal.signal(ending, _quit))
        try:
            with console.status("starting a server"):
                server = stack.enter_context(own_server(*flags, own_session=True))
        except NotStarted:
            typer.echo(f"saloon {command}: the server did not start; `saloon serve` says why", err=True)
            raise typer.Exit(1) from None
        with contextlib.suppress(Quit):  # where nobody was asked anything
            yield server.address
