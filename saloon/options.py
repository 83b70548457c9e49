"""Options of games on the command line, made from what the games declare, for every command that starts games."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from engine_cy.component_sets import ComponentSets
from engine_cy.registry import GAMES, game_class
from engine_cy.rules import OptionField
from search.cluster import ADDRESSES

ComponentFile = Annotated[
    Path | None, typer.Option("--components", "--map", help="A component file (for Goldgräber a map) of your own.")
]

Ray = Annotated[str | None, typer.Option("--ray", metavar="ADDRESS", help=f"Work over a Ray cluster: {ADDRESSES}.")]

Command = Callable[..., None]


def own_sets(components: Path | None) -> ComponentSets:
    """What games here may be played with: the printed sets, and this file's."""
    return ComponentSets([] if components is None else [components])


def component_flags(components: Path | None) -> tuple[str, ...]:
    """What a server of one's own is started with for them."""
    return () if components is None else ("--components", str(components))


@dataclass(frozen=True)
class Table:
    """What is to be played: a game, and its options as records hold them."""

    game: str
    options: dict[str, Any]
    given: dict[str, Any]  # what was said of it, without defaults


def starts_games(**defaults: Any) -> Callable[[Command], Command]:
    """Give a command --game and a flag for every option that a game declares; they arrive as its parameter `table`.
    `defaults` are what the command takes for options that are not given, if the game has them."""
    declared = _declared()

    def with_flags(command: Command) -> Command:
        @wraps(command)
        def with_table(game: str | None, **given: Any) -> None:
            flags = {name: _plain(_kind(fields), given.pop(name)) for name, fields in declared.items()}
            said = {name: value for name, value in {"game": game, **flags}.items() if value not in (None, False)}
            game = game or next(iter(GAMES))
            command(table=Table(game, _given(game, flags, defaults), said), **given)

        flags = [_game(), *(_flag(name, fields, defaults.get(name)) for name, fields in declared.items())]
        own = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in signature(command).parameters.values()]
        parameters = [flag for each in own for flag in (flags if each.name == "table" else [each])]
        # This is where typer looks; __wrapped__ would lead it to the command without flags.
        with_table.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        with_table.__annotations__ = {each.name: each.annotation for each in parameters}
        return with_table

    return with_flags


def _declared() -> dict[str, dict[str, OptionField]]:
    """Every option that leaves a choice: by its name, then by the title of the game."""
    found: dict[str, dict[str, OptionField]] = {}
    for about in (game.about() for game in GAMES.values()):
        for field in about.options:
            if len(field.choices) != 1:
                found.setdefault(field.name, {})[about.title] = field
    return found


def _given(game: str, flags: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """Only what was given, so that options of another game are refused, and defaults of options that the game has, or
    what is nearest to them in this game."""
    known = {field.name: field for field in game_class(game).about().options}
    given = {name: value for name, value in flags.items() if value is not None and value is not False}
    usual = {name: max(value, known[name].low) for name, value in defaults.items() if name in known}
    return {**usual, **given}


def _kind(fields: dict[str, OptionField]) -> str:
    """A flag is of the same kind in every game."""
    (kind,) = {field.kind for field in fields.values()}
    return kind


def _plain(kind: str, value: Any) -> Any:
    """As records hold it."""
    if value is None or not kind.endswith("_per_seat"):
        return value
    parts = value.split(",")
    return [int(part) if kind == "integer_per_seat" and part.isdecimal() else part for part in parts]


def _game() -> Parameter:
    option = typer.Option("--game", help=f"One of {', '.join(GAMES)}.", show_default=next(iter(GAMES)))
    return Parameter("game", Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, option])


def _flag(name: str, fields: dict[str, OptionField], default: Any) -> Parameter:
    of_kind: Any = {"boolean": bool, "integer": int | None}.get(_kind(fields), str | None)
    words = " ".join(f"{title}: {_words(field)}" for title, field in fields.items())
    usual = False if default is None else f"{default}, or the fewest of the game"
    option = typer.Option(f"--{name.replace('_', '-')}", help=words, show_default=usual)
    missing = False if of_kind is bool else None
    return Parameter(name, Parameter.KEYWORD_ONLY, default=missing, annotation=Annotated[of_kind, option])


def _words(field: OptionField) -> str:
    """What an option is for, and what may be given."""
    notes = [", ".join(field.choices) or (f"{field.low} to {field.high}" if field.high else "")]
    notes += ["one for each seat, with commas"] if field.kind.endswith("_per_seat") else []
    notes += [f"with --{field.needs}"] if field.needs else []
    said = "; ".join(note for note in notes if note)
    return field.help.removesuffix(".") + (f" ({said})." if said else ".")
