"""`saloon forget-person`: what says who somebody is, deleted."""

from typing import Annotated

import typer

from engine_cy.errors import InputError
from saloon.database import ConfigFlag, DatabaseFlag, account_of, with_games
from server.stores.games import NOBODY, Games, Person, forget
from wire.naming import Words


def command(
    name: Annotated[str | None, typer.Argument(help="A name that seats have, letter by letter.")] = None,
    account: Annotated[str | None, typer.Option(help="Instead of a name: an account.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do it. Without, only what would be done is told.")] = False,
    database: DatabaseFlag = None,
    config: ConfigFlag = None,
) -> None:
    """Replace a person's name, or all that is kept by their account, at live tables and in games that are over: their
    seats are called "somebody", and their tables are nobody's. Servers may run meanwhile, and hear of it. Games stay:
    what was played says nothing of who played it."""
    if (name is None) == (account is None):
        raise InputError("name", "a name, or --account", Words("both" if name is not None else "neither"))
    if name in ("", NOBODY):
        raise InputError("name", f"a name, and not {NOBODY!r}, which is nobody's", name)
    person = Person(name, account_of(account))

    async def work(games: Games) -> tuple[int, int]:
        found = len(await games.tables_of(person)), len(await games.games_of(person))
        if yes:
            await forget(games, person)
        return found

    tables, over = with_games(database, config, work)
    who = f"account {account!r}" if account is not None else f"name {name!r}"
    typer.echo(f"{who}: {_many(tables, 'live table')}, {_many(over, 'game')} that {'is' if over == 1 else 'are'} over")
    typer.echo("Forgotten." if yes else "Nothing was changed; --yes forgets it.")


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
