"""`saloon export`: games that are over, in bulk."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from engine_cy.component_sets import ComponentSets
from engine_cy.errors import InputError
from engine_cy.records import Record
from engine_cy.registry import GAMES
from saloon.database import ConfigFlag, DatabaseFlag, account_of, with_games
from server.stores.games import Games, WantedGames, all_finished
from server.stores.tables import SeatRow, Stored


def command(
    out: Annotated[Path | None, typer.Option(help="The file to write; else standard output.")] = None,
    game: Annotated[str | None, typer.Option(help="Only games of this kind, such as moon_river.")] = None,
    since: Annotated[
        str | None, typer.Option("--from", help="Ended then or later: 2026-01-31, or 2026-01-31T18:00+01:00; else UTC.")
    ] = None,
    until: Annotated[str | None, typer.Option("--to", help="Ended before then.")] = None,
    account: Annotated[str | None, typer.Option(help="Only games of this person's tables.")] = None,
    components: Annotated[
        list[Path] | None, typer.Option(help="The servers' component files, for their names.")
    ] = None,
    database: DatabaseFlag = None,
    config: ConfigFlag = None,
) -> None:
    """Write the record of every hosted game that is over, one a line (JSON lines), in the order they ended. Servers may
    run meanwhile. How many there were is said at the end, on standard error."""
    if game is not None and game not in GAMES:
        raise InputError("game", f"one of {', '.join(GAMES)}", game)
    wanted = WantedGames(game, _time("from", since), _time("to", until), account_of(account))
    sets = ComponentSets(components or ())

    async def write(games: Games) -> int:
        count = 0
        with _writing(out) as file:
            async for stored in all_finished(games, wanted):
                file.write(json.dumps(line(stored, sets), ensure_ascii=False) + "\n")
                count += 1
        return count

    count = with_games(database, config, write)
    typer.echo(f"{count} games" if count != 1 else "1 game", err=True)


def line(stored: Stored, sets: ComponentSets) -> dict[str, Any]:
    """A game that is over, as operators get it."""
    assert stored.ended is not None
    return {
        "table": stored.header.table,
        "made": _written(stored.header.created / 1e9),
        "ended": _written(stored.ended),
        "account": stored.header.account,
        "seats": [_seat(seat) for seat in stored.seats],
        "result": json.loads(stored.result) if stored.result else None,
        "record": _record(stored, sets).to_data(),
    }


def _record(stored: Stored, sets: ComponentSets) -> Record:
    header = stored.header
    return Record(
        header.game,
        json.loads(header.options),
        _name_of(header.game, header.components, sets),
        header.components,
        header.seed,
        header.stream,
        tuple(json.loads(event) for event in stored.events),
    )


def _name_of(game: str, digest: str, sets: ComponentSets) -> str:
    """Of a component set; it is only told, and what counts is its hash."""
    found = [known.name for known in sets.of(game) if known.digest == digest] if game in GAMES else []
    return found[0] if found else "unknown here"


def _seat(seat: SeatRow) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "player": seat.player,
        "name": seat.name,
        **({"account": seat.account} if seat.account else {}),
        **({"level": seat.bot.level} if seat.bot is not None else {}),
    }


def _written(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _time(field: str, text: str | None) -> float | None:
    """In seconds since 1970."""
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo is not None else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise InputError(field, "a date such as 2026-01-31, or a time such as 2026-01-31T18:00+01:00", text) from None


@contextmanager
def _writing(path: Path | None) -> Iterator[TextIO]:
    """A file that is there before is replaced once all is written, and not at all if that fails."""
    if path is None:
        yield sys.stdout
        return
    part = path.with_name(path.name + ".part")
    try:
        with part.open("w", encoding="utf-8") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
