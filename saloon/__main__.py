"""The `saloon` command."""

from typing import Annotated

import typer

from engine_cy.errors import InputError, RecordError
from saloon import arena, bench, levels, serve, trace

app = typer.Typer(no_args_is_help=True, pretty_exceptions_show_locals=False, help="AI opponents for board games.")
app.command("serve")(serve.command)
app.command("trace")(trace.command)
app.command("levels")(levels.command)
app.command("arena")(arena.command)
app.add_typer(bench.app, name="bench")


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(version("saloon"))
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    """AI opponents for board games with hidden information."""


def run() -> None:
    """The console script: input that the engine refuses ends with its message and exit code 2, not a traceback."""
    try:
        app()
    except (InputError, RecordError, OSError) as error:
        typer.echo(f"saloon: {error}", err=True)
        raise SystemExit(2) from None


if __name__ == "__main__":
    run()
