"""The database of hosted tables, for commands of operators: read and changed directly, while servers run."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from server.basics.logs import configure
from server.basics.refusals import StoreUnavailable
from server.basics.settings import ConfigError, load
from server.stores.games import Games
from server.stores.opening import stores_of
from server.tables.access import check_account

T = TypeVar("T")

DatabaseFlag = Annotated[
    str | None,
    typer.Option(
        help="Where the servers keep their tables: a file, or postgresql://USER@HOST/NAME; else SALOON_DATABASE, else "
        "the file in the data folder."
    ),
]
ConfigFlag = Annotated[Path | None, typer.Option(help="The servers' TOML file of settings, which may say it, too.")]


def with_games(database: str | None, config: Path | None, work: Callable[[Games], Awaitable[T]]) -> T:
    """Let this work on what the database holds. It has to be there, as servers of this version left it."""
    configure("console", "error")

    async def run() -> T:
        stores = stores_of(load(config, **({} if database is None else {"database": database})))
        await stores.database.open(as_it_is=True)
        try:
            return await work(stores.games)
        finally:
            await stores.database.close()

    try:
        return asyncio.run(run())
    except ConfigError as error:
        typer.echo(f"saloon: {error}", err=True)
        raise typer.Exit(2) from None
    except StoreUnavailable as error:
        typer.echo(f"saloon: the database cannot be used just now: {error}", err=True)
        raise typer.Exit(1) from None


def account_of(text: str | None) -> str | None:
    if text is not None:
        check_account(text)
    return text
