"""`saloon arena`: matches between bots, with figures that say how sure they are."""

import json
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine_cy.checks import Checker
from engine_cy.errors import OptionError
from saloon.options import ComponentFile, Ray, Table, starts_games
from search.arena import Match, Played, run
from search.cluster import joined
from search.kept import write_whole
from search.luck import check_luck
from search.plot import course
from search.specs import spec
from search.stats import Adjusted, Sprt, adjusted, elo, interval

check = Checker(OptionError)

_COLUMNS = ("share", "margin", "points", "best_other")  # of the games in a file of results
_LUCK = ("luck_share", "luck_margin")


@starts_games(players=2)
def command(
    a: Annotated[str, typer.Option("--a", help="A bot, such as ismcts:time=100ms; it takes each seat in turn.")],
    b: Annotated[str, typer.Option("--b", help="The bot on all other seats.")],
    table: Table,
    components: ComponentFile = None,
    games: Annotated[int, typer.Option(min=1, help="At most so many games.")] = 100,
    seed: Annotated[int, typer.Option(min=0, max=2**20, help="Of the deals and the bots.")] = 1,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Games at a time; one core each. 1 if not given; with --ray all cores.")
    ] = None,
    ray: Ray = None,
    sprt: Annotated[str | None, typer.Option(help="Stop when the share is LOW or HIGH, e.g. 0.5,0.6.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write the result here, after every game; goes on where it ends. Its `played` has a row for each "
            "game, seen by bot a: share of the win, lead over the best other, own points, points of that other; with "
            "--adjust also what of share and lead was luck."
        ),
    ] = None,
    records: Annotated[Path | None, typer.Option(help="Keep every game's record in this folder.")] = None,
    adjust: Annotated[
        int, typer.Option(min=0, help="Also figures without luck: so many playouts for each chance event, e.g. 100.")
    ] = 0,
    plot: Annotated[Path | None, typer.Option(help="Draw the course of the match as SVG.")] = None,
) -> None:
    """Play a match. Every deal is played once with bot a on each seat."""
    match = Match(table.game, table.options, a, b, seed, str(components) if components else None, adjust)
    rules = match.rules()
    if adjust:
        check_luck(rules)
    spec(a), spec(b)
    test = _sprt(sprt)
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    done = _resume(out, match)
    console = Console(stderr=True)
    with joined(ray, jobs) if ray else nullcontext() as cluster, Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console,
        disable=not console.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task("", total=games, completed=len(done))
        verdict = test.verdict([p.share for p in done]) if test else None
        left = range(len(done), games if verdict is None else 0)
        for played in run(match, left, jobs or 1, records, cluster):
            done.append(played)
            verdict = test.verdict([p.share for p in done]) if test else None
            progress.update(task, completed=len(done), description=_headline(report(match, done, verdict)))
            _save(out, match, done, verdict)
            if verdict:
                break
    if plot is not None:
        parity = 1 / match.options["players"]
        plot.write_text(course([p.share for p in done], parity, f"{a} against {b}"), encoding="utf-8")
    typer.echo(json.dumps(report(match, done, verdict), indent=1))


def report(match: Match, done: list[Played], verdict: str | None) -> dict[str, Any]:
    """The figures of a match: share of wins (a shared win counts by its part), margin, Elo."""
    seats = match.options["players"]
    shares = [p.share for p in done]
    n = len(done)
    share = sum(shares) / n if n else 0.0
    low, high = interval(shares, seats)
    by_seat = [[p.share for p in done if p.seat == seat] for seat in range(seats)]
    return {
        "game": match.game,
        "options": match.options,
        "components": match.components,
        "seed": match.seed,
        "games": n,
        "a": {
            "bot": match.a,
            "share": round(share, 4),
            "ci95": [round(low, 4), round(high, 4)],
            "points": round(sum(p.points for p in done) / n, 2) if n else None,
            "by_seat": [round(sum(s) / len(s), 4) if s else None for s in by_seat],
        },
        "b": {
            "bot": match.b,
            "share": round((1 - share) / (seats - 1), 4),
            "best_points": round(sum(p.best_other for p in done) / n, 2) if n else None,
        },
        "margin": round(sum(p.margin for p in done) / n, 2) if n else None,
        "elo": None if (difference := elo(share, seats)) is None else round(difference, 1),
        "sprt": verdict,
        **({"without_luck": without_luck(match, done)} if match.adjust else {}),
    }


def without_luck(match: Match, done: list[Played]) -> dict[str, Any]:
    """Bot a's share and margin with chance taken out as far as playouts know of it; None for a few games."""
    seats = match.options["players"]
    share = adjusted([p.share for p in done], [p.luck_share for p in done], seats)
    margin = adjusted([p.margin for p in done], [p.luck_margin for p in done], seats)
    return {"playouts": match.adjust, "share": _adjusted(share, 4), "margin": _adjusted(margin, 2)}


def _adjusted(figure: Adjusted | None, digits: int) -> dict[str, Any] | None:
    if figure is None:
        return None
    interval = [round(figure.low, digits), round(figure.high, digits)]
    return {"mean": round(figure.mean, digits), "ci95": interval, "times_fewer_games": round(figure.fewer, 2)}


def _headline(figures: dict[str, Any]) -> str:
    low, high = figures["a"]["ci95"]
    text = f"{figures['a']['share']:.3f} [{low:.3f}, {high:.3f}]  margin {figures['margin']:+.1f}"
    without = figures.get("without_luck", {}).get("share")
    if without is None:
        return text
    low, high = without["ci95"]
    return f"{text}  without luck {without['mean']:.3f} [{low:.3f}, {high:.3f}]"


def _sprt(text: str | None) -> Sprt | None:
    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        low = high = 0.0
    if not 0 < low < high < 1:
        raise OptionError("sprt", "two shares LOW,HIGH with 0 < LOW < HIGH < 1", text)
    return Sprt(low, high)


def _save(out: Path | None, match: Match, done: list[Played], verdict: str | None) -> None:
    if out is None:
        return
    columns = [*_COLUMNS, *(_LUCK if match.adjust else ())]
    data = {**report(match, done, verdict), "columns": columns, "played": [_row(match, p) for p in done]}
    write_whole(out, (json.dumps(data) + "\n").encode())


def _row(match: Match, played: Played) -> list[float]:
    return [getattr(played, name) for name in (*_COLUMNS, *(_LUCK if match.adjust else ()))]


def _resume(out: Path | None, match: Match) -> list[Played]:
    """The games a file already holds; one of another match is refused."""
    if out is None or not out.exists():
        return []
    try:
        data = json.loads(out.read_text(encoding="utf-8"))
        bots = data["a"]["bot"], data["b"]["bot"]
        known = Match(data["game"], data["options"], *bots, data["seed"], data.get("components"))
        known = replace(known, adjust=data.get("without_luck", {}).get("playouts", 0))
        rows = [_played(match, index, *row) for index, row in enumerate(data["played"])]
    except (ValueError, KeyError, TypeError) as error:
        raise OptionError("out", "no file, or one this command wrote", str(out)) from error
    if known != match:
        there, here = _told(known), _told(match)
        names = [name for name in {**there, **here} if there.get(name) != here.get(name)]
        words = [", ".join(f"{name} {said.get(name, 'none')}" for name in names) for said in (there, here)]
        raise OptionError("out", f"the match of that file, with {words[0]}", words[1])
    return rows


def _told(match: Match) -> dict[str, Any]:
    """What makes a match, as one says it."""
    flags = asdict(match)
    return {**flags.pop("options"), **{name: value for name, value in flags.items() if value not in (None, 0)}}


def _played(match: Match, index: int, share: float, margin: int, points: int, other: int, *luck: float) -> Played:
    seat = index % match.options["players"]
    return Played(index, seat, float(share), int(margin), int(points), int(other), *map(float, luck))
