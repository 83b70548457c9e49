"""The `saloon` command."""

import sys
from importlib import import_module
from typing import Annotated

import typer
from saloon_client import SaloonError

from engine_cy.errors import InputError, RecordError
from wire.reading import NobodyDecides

app = typer.Typer(no_args_is_help=True, pretty_exceptions_show_locals=False, help="AI opponents for board games.")
COMMANDS = (
    "serve", "play", "host", "join", "watch", "suggest", "analyze", "review", "puzzles", "show", "levels", "arena",
    "regret", "trace", "health", "bench", "export", "forget-person",
)  # fmt: skip


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(version("saloon-server"))
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    """AI opponents for board games with hidden information."""


def _add_commands(asked: str) -> None:
    """Nothing but what is asked for is imported: a server's health is asked every few seconds."""
    for name in (asked,) if asked in COMMANDS else COMMANDS:
        module = import_module(f"saloon.{name.replace('-', '_')}")
        if name == "bench":
            app.add_typer(module.app, name=name)
        else:
            app.command(name)(module.command)


def run() -> None:
    """The console script: input that is refused ends with its message and exit code 2, a server that does not help with
    1; neither with a traceback."""
    try:
        _add_commands(sys.argv[1] if len(sys.argv) > 1 else "")
        app()
    except (InputError, RecordError, NobodyDecides, OSError) as error:
        words = str(error)
        if isinstance(error, OSError) and error.filename is not None and error.strerror:
            words = f"{error.filename}: {error.strerror.lower()}"
        typer.echo(f"saloon: {words}", err=True)
        raise SystemExit(2) from None
    except SaloonError as error:
        typer.echo(f"saloon: {error}", err=True)
        raise SystemExit(1) from None


if __name__ == "__main__":
    run()
