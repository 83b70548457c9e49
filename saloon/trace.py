"""`saloon trace`: random games, every event written down, so that anybody can check the engine from outside."""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console
from rich.progress import track

from engine_cy import Event, Game, GameRules, Generator, Happened, InputError
from engine_cy.checks import Checker
from engine_cy.registry import rules_of
from saloon.options import ComponentFile, Table, starts_games

_CHOICES = 1 << 63  # streams for decisions lie apart from the games' own


@starts_games(players=4)
def command(
    table: Table,
    verify: Annotated[Path | None, typer.Option(help="Replay such a file: OK, or the first line that differs.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many.")] = 1,
    seed: Annotated[int, typer.Option(help="The same seed, the same games.")] = 0,
    components: ComponentFile = None,
    out: Annotated[Path | None, typer.Option(help="Write here instead of to the standard output.")] = None,
) -> None:
    """Play games with uniformly random decisions and write every event as a JSON line."""
    if verify is not None:
        _verify_file(verify, components)
        return
    rules = rules_of(table.game, table.options, components)
    with out.open("w", encoding="utf-8") if out else nullcontext(sys.stdout) as file:
        numbers: Iterable[int] = range(games)
        if out and sys.stderr.isatty():
            numbers = track(numbers, "playing", console=Console(stderr=True), transient=True)
        for index in numbers:
            _write(play(rules, seed, index), file)


def _write(events: Iterable[dict[str, Any]], file: TextIO) -> None:
    for event in events:
        file.write(json.dumps(event) + "\n")


def play(rules: GameRules, seed: int, index: int) -> Iterator[dict[str, Any]]:
    """The events of game `index` of a run."""
    game = Game(rules, seed, stream=index)
    chooser = Generator(seed, stream=_CHOICES + index)
    yield {
        "event": "game",
        "game": rules.name,
        "index": index,
        **rules.header(),
        "seed": seed,
    }
    seen = 0
    while True:
        yield from _chance(game.history[seen:])
        if game.over:
            break
        options = [decision.to_list() for decision in game.decisions()]
        chosen = options[chooser.below(len(options))]
        yield {"event": "decision", "seat": game.seat, "kind": game.phase, "options": options, "chosen": chosen}
        seen = len(game.history) + 1
        game.decide(chosen)
    yield result(game)


def _chance(events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    for event in events:
        if isinstance(event, Happened):
            yield {"event": "chance", "what": event.what, "outcome": event.outcome}


def result(game: Game) -> dict[str, Any]:
    scores = [score.to_dict() for score in game.scores()]
    return {"event": "result", **game.rules.ending(game.state), "scores": scores, "ranking": game.ranking()}


# ---- Verifying

check = Checker(InputError)


def _verify_file(path: Path, components: Path | None) -> None:
    with path.open(encoding="utf-8") as file:
        problem = verify(file, components)
    typer.echo(problem or "OK")
    if problem:
        raise typer.Exit(1)


def verify(lines: Iterable[str], components: Path | None = None) -> str | None:
    """Replay the lines of a trace; None, or the first line that disagrees and why."""
    game: Game | None = None
    number = 0
    try:
        for line in lines:
            number += 1
            game = _verify_line(game, line, components)
    except (InputError, UnicodeDecodeError) as error:
        return f"line {number}: {error}"
    if game is not None:
        return f"line {number + 1}: expected more of the game, got the end of the file"
    return None if number else "line 1: expected a game, got the end of the file"


def _verify_line(game: Game | None, line: str, components: Path | None) -> Game | None:
    """One event; returns the game that goes on after it."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError("line", "a JSON object", line) from error
    if not isinstance(event, dict):
        raise InputError("line", "a JSON object", event)
    kind = check.choice(event.get("event"), "event", ("game", "chance", "decision", "result"))
    if (kind == "game") != (game is None):
        raise InputError("event", "game" if game is None else "more of the game before the next", kind)
    if game is None:
        return _verify_start(event, components)
    if kind == "chance":
        check.table(event, "", ("event", "what", "outcome"))
        game.reveal(event["what"], event["outcome"])
    elif kind == "decision":
        _verify_decision(game, event)
    else:
        if not game.over:
            raise InputError("event", f"more of the game: {game.phase}", kind)
        _same("result", result(game), event)
        return None
    return game


def _verify_start(event: dict[str, Any], components: Path | None) -> Game:
    check.table(event, "", ("event", "game", "index", "players", "seed"), event)
    name = check.text(event["game"], "game")
    header = {key: value for key, value in event.items() if key not in ("event", "game", "index", "seed")}
    rules = rules_of(name, {key: value for key, value in header.items() if key != "components"}, components)
    for key, value in rules.header().items():
        if key in header or key == "components":
            _same(key, value, header.get(key))
    return Game(rules)


def _verify_decision(game: Game, event: dict[str, Any]) -> None:
    check.table(event, "", ("event", "seat", "kind", "options", "chosen"))
    _same("kind", game.phase, event["kind"])
    _same("seat", game.seat, event["seat"])
    expected = [decision.to_list() for decision in game.decisions()]
    given = check.items(event["options"], "options", 0, 1 << 20)
    for option in given:
        if option not in expected:
            raise InputError("options", "only legal ones", option)
    for option in expected:
        if given.count(option) != 1:
            raise InputError("options", f"{option} once", f"{given.count(option)} times")
    game.decide(check.items(event["chosen"], "chosen", 1, 8))


def _same(field: str, expected: Any, got: Any) -> None:
    if expected != got or type(expected) is not type(got):
        raise InputError(field, f"{expected!r}", got)
