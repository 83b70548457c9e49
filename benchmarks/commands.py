"""A benchmark as a command of its own, with flags as `saloon` has them."""

from collections.abc import Callable

import typer

from engine_cy.errors import InputError


def run(command: Callable[..., None], name: str) -> None:
    """Exit code 2 and a word about the input that does not fit."""
    app = typer.Typer(pretty_exceptions_show_locals=False)
    app.command()(command)
    try:
        app()
    except InputError as error:
        typer.echo(f"{name}: {error}", err=True)
        raise SystemExit(2) from None
