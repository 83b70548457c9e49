"""The `saloon` command."""

from typing import Annotated

import typer
from saloon_client import SaloonError

from engine_cy.errors import InputError, RecordError
from saloon import analyze, arena, bench, health, levels, play, regret, serve, suggest, trace, watch
from wire.reading import NobodyDecides

app = typer.Typer(no_args_is_help=True, pretty_exceptions_show_locals=False, help="AI opponents for board games.")
app.command("serve")(serve.command)
app.command("play")(play.command)
app.command("suggest")(suggest.command)
app.command("analyze")(analyze.command)
app.command("watch")(watch.command)
app.command("health")(health.command)
app.command("trace")(trace.command)
app.command("levels")(levels.command)
app.command("arena")(arena.command)
app.command("regret")(regret.command)
app.add_typer(bench.app, name="bench")


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


def run() -> None:
    """The console script: input that is refused ends with its message and exit code 2, a server that does not help with
    1; neither with a traceback."""
    try:
        app()
    except (InputError, RecordError, NobodyDecides, OSError) as error:
        typer.echo(f"saloon: {error}", err=True)
        raise SystemExit(2) from None
    except SaloonError as error:
        typer.echo(f"saloon: {error}", err=True)
        raise SystemExit(1) from None


if __name__ == "__main__":
    run()
