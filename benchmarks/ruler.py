"""Make a ruler for `saloon regret` (docs/strength.md): play games, choose decisions, value every move. `make ruler`.

What is killed goes on where it was: what is done stands beside the result in a file that ends in .part.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import count, repeat
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands import run
from engine_cy.errors import OptionError
from engine_cy.registry import game_class
from engine_cy.rules import GameRules
from engine_cy.state import Generator
from saloon.options import Table, starts_games
from search.arena import decision_seed, play, replayed
from search.kept import code_version, write_whole
from search.ruler import Header, Position, Ruler, lines, options_of, parsed, save, usual_path, value_line
from search.specs import spec
from search.valuing import LEAST_VISITS, Valued, value

# Who plays the games: from bad to good, so that all sorts of positions occur, but more good than bad ones.
_SOURCES = "random level:2 greedy ismcts:iterations=16 ismcts:iterations=120"
_RARE = 40  # of every kind at least one decision in so many, if games have them
_SOURCE_STREAM, _CHOICE_STREAM = 1 << 41, 1 << 42


@starts_games(players=4)
def command(
    table: Table,
    decisions: Annotated[int, typer.Option(min=1, help="About so many.")] = 410,
    games: Annotated[int, typer.Option(min=2, help="Games they are taken from.")] = 80,
    visits: Annotated[int, typer.Option(min=LEAST_VISITS, help="Of the best moves, in each half.")] = 4096,
    valuer: Annotated[str, typer.Option(help="The search that values, by its spec.")] = "ismcts",
    sources: Annotated[str, typer.Option(help="The bots that play the games, with spaces.")] = _SOURCES,
    seed: Annotated[int, typer.Option(min=0, max=2**20)] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    out: Annotated[Path | None, typer.Option(help="The file; in benchmarks/regret, if not given.")] = None,
) -> None:
    """Make a ruler for a table."""
    rules = game_class(table.game).from_options(table.options)
    bots = sources.split()
    header = Header(
        rules.name, table.options, rules.component_hash, valuer, visits, bots, games, seed, decisions, 0.0, ""
    )  # fmt: skip
    path = out or usual_path(rules)
    make(header, path, path.with_name(path.name + ".part"), jobs)


def make(header: Header, path: Path, part: Path, jobs: int = 1) -> Ruler:
    """The ruler of this header, whose decisions are about how many are wanted, from nothing or what is there."""
    ruler = _begun(header, part)
    with part.open("a", encoding="utf-8") as file:
        for number, valued in enumerate(_values(ruler, len(ruler.values), jobs), len(ruler.values) + 1):
            ruler.values.append(valued)
            file.write(value_line(valued) + "\n")
            file.flush()
            if number % 20 == 0:
                print(f"{number} of {len(ruler.positions)}", flush=True)
    save(ruler, path)
    part.unlink()
    return ruler


def _begun(header: Header, part: Path) -> Ruler:
    """What is there already, else the positions that are to be valued."""
    if part.exists():
        ruler = parsed(part.read_text(encoding="utf-8").splitlines(keepends=True))
        asked = replace(header, decisions=0, decisions_a_seat=0.0, code="")
        if replace(ruler.header, decisions=0, decisions_a_seat=0.0, code="") != asked:
            raise OptionError("out", f"what {part} was begun with, {ruler.header}", asked)
    else:
        part.parent.mkdir(parents=True, exist_ok=True)
        ruler = planned(header)
    # Written whole: a cut-off last line is gone, and what is killed here was not begun.
    write_whole(part, "".join(f"{line}\n" for line in lines(ruler)).encode())
    return ruler


def planned(header: Header) -> Ruler:
    """Decisions of games between all sorts of bots: of each kind in proportion, but some of every kind there is."""
    rules = header.rules
    found = [position for game in range(header.games) for position in _positions(rules, header, game)]
    kinds = defaultdict(list)
    for position in found:
        kinds[position.kind].append(position)
    luck = Generator(header.seed, _CHOICE_STREAM)
    chosen: list[Position] = []
    for kind in sorted(kinds):
        there = kinds[kind]
        n = min(len(there), max(1, header.decisions // _RARE, round(header.decisions * len(there) / len(found))))
        chosen += [replace(position, weight=len(there) / n) for position in _shuffled(there, luck)[:n]]
    # On average 1; in random order, so that the first ones are a ruler, too.
    usual = sum(position.weight for position in chosen) / len(chosen)
    positions = [replace(each, weight=round(each.weight / usual, 4)) for each in _shuffled(chosen, luck)]
    each = len(found) / header.games / rules.players
    return Ruler(
        replace(header, decisions=len(positions), decisions_a_seat=round(each, 2), code=code_version()), positions, []
    )


def _positions(rules: GameRules, header: Header, number: int) -> list[Position]:
    """All decisions of a game between bots drawn for each seat."""
    luck = Generator(header.seed, _SOURCE_STREAM + number)
    specs = [spec(header.sources[luck.below(len(header.sources))]) for _ in range(rules.players)]
    played = play(rules, specs, header.seed, number, number)
    found = []
    for again, event in replayed(played):
        view = again.observe(event.seat)
        found.append(Position(event.seat, again.phase, 0, number, 1.0, options_of(view), view.position()))
    return [replace(position, third=1 + 3 * index // len(found)) for index, position in enumerate(found)]


def _shuffled(items: Sequence[Position], luck: Generator) -> list[Position]:
    out = list(items)
    for last in range(len(out) - 1, 0, -1):
        other = luck.below(last + 1)
        out[last], out[other] = out[other], out[last]
    return out


def _values(ruler: Ruler, done: int, jobs: int) -> Iterator[Valued]:
    positions = ruler.positions[done:]
    if jobs == 1:
        yield from map(_value, repeat(ruler.header), positions, count(done))
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(_value, repeat(ruler.header), positions, range(done, len(ruler.positions)))


def _value(header: Header, position: Position, number: int) -> Valued:
    seeds = decision_seed(header.seed, number, 0), decision_seed(header.seed, number, 1)
    return value(position.view(header.rules), header.valuer, header.visits, seeds)


if __name__ == "__main__":
    run(command, "ruler")
