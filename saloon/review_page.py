"""A review as one file for a browser: it needs no network and no script, and can be printed.

A picture is 50 to 90 kB of shapes, so a game with one at each of 170 decisions would be a file of 10 to 15 MB. Three
things keep it small: the symbols of a game are in the file once; a picture is there once for light and dark, since what
differs is a variable of the style; and only decisions that somebody will want to look at have one: where something was
given away, where the game turned, and the first of every turn. Should that be too much, it is the last of those first
ones that go without.
"""

import re
from collections.abc import Sequence
from io import StringIO

from rich.console import Console

from engine_cy.game import Event, Game
from engine_cy.state import State
from pictures import picture
from pictures.canvas import plain
from pictures.themes import COLOURS, DARK, LIGHT
from saloon.review_words import (
    MARKS,
    NOT_JUDGED,
    SEAT_COLUMNS,
    decisions_in_words,
    replayed,
    seat_figures,
    view_before,
    whose,
    why,
    worth_a_word,
)
from saloon.screens import screen_of_rules
from saloon.screens.screen import SEATS, Screen
from search.judging import BEST, UNJUDGED, Judged
from search.review import Fell, Review
from wire.writing import Writer

_ROOM = 8_000_000  # characters of pictures
_DASHES = ("none", "9 4", "2 4", "12 4 2 4", "5 5", "1 6")  # of seats, for those who do not tell colours apart
_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 960, 340, 52, 14, 18, 40
_LUCKY = 0.005  # of a win: less is not worth a word

_COLOUR = re.compile(r'"(#[0-9a-fA-F]{3,8})"')
_THEMED = re.compile(rf'((?:href="#|id=")\w+)-(?:{LIGHT.name}|{DARK.name})-')  # ids of a picture's symbols
_DEFS = re.compile(r"<defs>.*?</defs>", re.DOTALL)
_ID = re.compile(r'(\bid="|href="#)([^"]+)')

_STYLE = """
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:68rem;background:var(--page);color:var(--text);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.7rem;line-height:1.2}h2{margin-top:2.2rem;font-size:1.3rem}h3{margin:0;font-size:1.05rem}
p{margin:.3rem 0}a{color:var(--accent)}.faint{color:var(--faint)}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.4rem 0}
th,td{padding:.25rem .8rem .25rem 0;text-align:right;white-space:nowrap;border-bottom:1px solid var(--edge)}
th:first-child,td:first-child{text-align:left}
.better td:first-child{white-space:normal;min-width:14rem}
article{background:var(--panel);border:1px solid var(--edge);border-left:.4rem solid var(--seat);border-radius:.5rem;
padding:.7rem .9rem;margin:.7rem 0}
.turned{outline:2px solid var(--accent)}
:target{outline:3px solid var(--accent)}
.chance{margin:.5rem 0 .5rem 1.3rem;color:var(--faint)}.chance.turned{color:var(--text);padding:.3rem .6rem}
.class{padding:0 .5rem;border-radius:1rem;border:1px solid var(--edge);font-weight:600;
font-size:.85rem;white-space:nowrap}
.inaccuracy .class,.mistake .class,.blunder .class{background:#8a1538;border-color:#8a1538;color:#fff}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;padding:0}
.legend svg{vertical-align:middle;margin-right:.4rem}
.graph{display:block;width:100%;min-width:40rem;height:auto}
.graph text{fill:var(--faint);font-size:13px}
details{margin-top:.5rem}summary{cursor:pointer;color:var(--faint)}
.picture svg{display:block;min-width:46rem;width:100%;height:auto;border-radius:.4rem}
@media print{body{max-width:none;padding:0}.scroll{overflow:visible}.picture svg,.graph{min-width:0}
article,.chance,tr{break-inside:avoid}h2,h3{break-after:avoid}.picture svg{max-height:17cm}}
"""


def review_page(game: Game, parts: Sequence[Judged | Fell], whole: Review, seed: int) -> str:
    """The whole file; `parts`: one for every event of the game."""
    screen = screen_of_rules(Console(file=StringIO(), highlight=False), game.rules)
    return Page(screen, game, parts, whole, seed).document()


class Pictures:
    """Pictures of one game on one page, each in the colours of the page."""

    def __init__(self) -> None:
        self.symbols = ""
        self.room = _ROOM
        self._number = 0
        self._names: dict[tuple[str, str], str] = {}  # of variables, by the colours in light and dark

    def drawn(self, game: Game, state: State, label: str) -> str:
        """With ids that no other picture of the page has; "" if there is no more room."""
        light, dark = (
            _COLOUR.split(_THEMED.sub(r"\1-", picture(game.rules, state, theme=theme.name))) for theme in (LIGHT, DARK)
        )
        if light[::2] != dark[::2]:
            dark = light  # not the same shapes: then it is light on both
        whole = "".join(f'"{self._colour(*pair)}"' if at % 2 else pair[0]
                        for at, pair in enumerate(zip(light, dark, strict=True)))  # fmt: skip
        found = _DEFS.search(whole)  # the first ones are the symbols, the same in every picture of a game
        assert found is not None
        self.symbols = found.group()
        self._number += 1
        svg = self._own_ids(whole[: found.start()] + whole[found.end() :])
        if len(svg) > self.room:
            return ""
        self.room -= len(svg)
        return svg.replace("<svg ", f'<svg aria-label="{plain(label)}" ', 1)

    def shared(self) -> str:
        """What all pictures use; not hidden by `display`, which would hide it in them as well."""
        size = 'width="0" height="0" style="position:absolute"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} aria-hidden="true">{self.symbols}</svg>'

    def variables(self, dark: bool) -> str:
        return "".join(f"--{name}:{pair[dark]};" for pair, name in self._names.items())

    def _colour(self, light: str, dark: str) -> str:
        if light == dark:
            return light
        return f"var(--{self._names.setdefault((light, dark), f'c{len(self._names)}')})"

    def _own_ids(self, svg: str) -> str:
        own = {found.group(2) for found in _ID.finditer(svg) if found.group(1).startswith("id")}
        return _ID.sub(
            lambda found: found.group(1) + (f"p{self._number}-" if found.group(2) in own else "") + found.group(2), svg
        )


class Page:
    """A review being written."""

    def __init__(self, screen: Screen, game: Game, parts: Sequence[Judged | Fell], whole: Review, seed: int) -> None:
        self.screen, self.game, self.parts, self.whole, self.seed = screen, game, parts, whole, seed
        self.writer, self.pictures = Writer(), Pictures()

    def document(self) -> str:
        title = f"{self.screen.title}: a game looked back on"
        names = ", ".join(self.screen.name(seat.seat) for seat in self.whole.seats)
        body = "\n".join((self._seats(), self._graph(), self._course()))  # first: it says which colours there are
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
            f"<title>{plain(title)}</title>\n<style>{self._colours()}{_STYLE}</style>\n</head>\n<body>\n"
            f"{self.pictures.shared()}\n<header><h1>{plain(title)}</h1>\n<p>{plain(names)}. "
            f"{len(self.parts)} events{'' if self.whole.over else ', not over yet'}. Seed {self.seed}.</p></header>\n"
            f"<main>\n{body}\n</main>\n</body>\n</html>\n"
        )

    def _colours(self) -> str:
        """Paper is always light."""
        light, dark = (
            "".join(
                f"--{name}:{getattr(theme, name)};" for name in ("page", "panel", "edge", "text", "faint", "accent")
            )
            + "".join(f"--seat{seat}:{colour};" for seat, colour in enumerate(seats))
            + self.pictures.variables(theme is DARK)
            for theme, seats in ((LIGHT, COLOURS), (DARK, SEATS))
        )
        return (
            f":root{{color-scheme:light;{light}}}\n"
            f"@media screen and (prefers-color-scheme:dark){{:root{{color-scheme:dark;{dark}}}}}"
        )

    # ---- Seats, and how likely each was to win

    def _seats(self) -> str:
        head = "".join(f'<th scope="col">{name}</th>' for name in ("seat", *SEAT_COLUMNS))
        rows = "".join(
            f'<tr data-seat="{seat.seat}"><th scope="row">{_stroke(seat.seat)} '
            f"{plain(self.screen.name(seat.seat))}</th>"
            + "".join(f"<td>{figure}</td>" for figure in seat_figures(seat, self.whole.over)) + "</tr>"
            for seat in self.whole.seats
        )  # fmt: skip
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        return (
            f'<section aria-labelledby="seats"><h2 id="seats">Seats</h2>{_scroll("seats", table)}'
            "<p class=\"faint\">Result = expected + luck + decisions: those of all seats, as they hit this one. "
            "What a seat gave away by its own is in parts of a win, and in points.</p></section>"
        )  # fmt: skip

    def _graph(self) -> str:
        likely: list[Sequence[float]] = []  # before every event, as the last decision knew it
        known = next((part.wins for part in self.parts if isinstance(part, Judged)), ())
        for part in self.parts:
            known = part.wins if isinstance(part, Judged) else known
            likely.append(known)
        likely.append([seat.result for seat in self.whole.seats])
        lines = "".join(
            f'<polyline points="{" ".join(self._point(x, wins[seat.seat]) for x, wins in enumerate(likely))}" '
            f'fill="none" stroke="var(--seat{seat.seat})" stroke-width="2.5" '
            f'stroke-dasharray="{_DASHES[seat.seat]}"/>'
            for seat in self.whole.seats
        )
        marks = "".join(self._mark(part, likely[part.event]) for part in self.parts if worth_a_word(part, self.whole))
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="graph" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="group" '
            f'aria-label="How likely each seat was to win, by event; marks lead to what happened">'
            f"{self._grid()}{lines}{marks}</svg>"
        )
        legend = "".join(
            f"<li>{_stroke(seat.seat)}{plain(self.screen.name(seat.seat))}</li>" for seat in self.whole.seats
        )
        return (
            f'<section aria-labelledby="graph"><h2 id="graph">How likely each was to win</h2>'
            f'<ul class="legend">{legend}<li>● something was given away</li><li>◆ luck turned the game</li></ul>'
            f"{_scroll('how likely each was to win', svg)}</section>"
        )

    def _x(self, event: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * event / len(self.parts)

    def _y(self, share: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - min(1.0, max(0.0, share)))

    def _point(self, event: float, share: float) -> str:
        return f"{self._x(event):.1f},{self._y(share):.1f}"

    def _grid(self) -> str:
        across = "".join(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{self._y(at / 4):.1f}" y2="{self._y(at / 4):.1f}" '
            f'stroke="var(--edge)"/><text x="{_LEFT - 8}" y="{self._y(at / 4) + 4:.1f}" text-anchor="end">'
            f"{at / 4:.0%}</text>"
            for at in range(5)
        )
        step = max(1, len(self.parts) // 8)
        along = "".join(
            f'<text x="{self._x(at):.1f}" y="{_HEIGHT - 22}" text-anchor="middle">{at}</text>'
            for at in range(0, len(self.parts), step)
        )
        return f'{across}{along}<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 4}" text-anchor="end">event</text>'

    def _mark(self, part: Judged | Fell, likely: Sequence[float]) -> str:
        """On the line of whom it was about, and a way to what is said of it."""
        seat = whose(part)
        x, y = self._x(part.event), self._y(likely[seat])
        big = part.event in self.whole.turning_points
        if isinstance(part, Judged):
            words = f"{part.kind}, gave away {part.lost:.0%}"
            shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{7 if big else 4.5}"'
        else:
            words = f"luck {part.luck[seat]:+.0%}"
            shape = f'<path d="M{x:.1f} {y - 9:.1f}l9 9l-9 9l-9 -9z"'
        words = f"event {part.event}, {self.screen.name(seat)}: {words}"
        return (
            f'<a href="#event-{part.event}" aria-label="{plain(words)}"><title>{plain(words)}</title>'
            f'{shape} fill="var(--seat{seat})" stroke="var(--text)" stroke-width="{2 if big else 1}"/></a>'
        )

    # ---- Every event

    def _course(self) -> str:
        shown = self._drawn()
        rows = "\n".join(
            self._decision(part, before, shown.get(part.event, ""))
            if isinstance(part, Judged) else self._fell(part, event)
            for part, event, before in replayed(self.game, self.parts)
        )  # fmt: skip
        return (
            f'<section aria-labelledby="course"><h2 id="course">Everything that happened</h2>'
            f'<p class="faint">What a decision gave away is in parts of a win, with its standard error. Framed: where '
            f"the game turned. Pictures show what the seat itself saw.</p>\n{rows}</section>"
        )

    def _drawn(self) -> dict[int, str]:
        """The pictures, by event: first those of what is marked, then of the first decision of every turn."""
        decided = [part for part in self.parts if isinstance(part, Judged)]
        marked = {part.event for part in decided if worth_a_word(part, self.whole)}
        turns = {
            part.event for at, part in enumerate(decided) if at == 0 or decided[at - 1].seat != part.seat
        } - marked  # fmt: skip
        drawn: dict[int, str] = {}
        for wanted in (marked, turns):
            for part, _, before in replayed(self.game, self.parts):
                if part.event in wanted and isinstance(part, Judged):
                    label = f"The table as {self.screen.name(part.seat)} saw it before event {part.event}"
                    drawn[part.event] = self.pictures.drawn(self.game, view_before(part, before).state, label)
        return drawn

    def _decision(self, part: Judged, before: Game, svg: str) -> str:
        suggested = [suggestion.decision for suggestion in part.suggestions]
        played, best, *words = decisions_in_words(
            self.screen, self.writer, view_before(part, before), part.chosen, part.best, *suggested
        )
        said = f"<p>Gave away {part.lost:.1%} ± {part.error:.1%}, {part.points:.1f} points.</p>" if part.lost else ""
        if part.kind == UNJUDGED:
            said = f"<p>{NOT_JUDGED}</p>"
        elif part.kind != BEST:
            reason = why(before.rules, part)
            because = f" ({plain(reason)})" if reason else ""
            said += f"<p>Better: <strong>{plain(best)}</strong>{because}</p>{_suggestions(part, words)}"
        if svg:
            unfolded = ' open="open"' if worth_a_word(part, self.whole) else ""
            said += (
                f"<details{unfolded}><summary>the table as {plain(self.screen.name(part.seat))} saw it</summary>"
                f"{_scroll('the table', svg, 'picture')}</details>"
            )
        turned = " turned" if part.event in self.whole.turning_points else ""
        return (
            f'<article id="event-{part.event}" class="{part.kind}{turned}" data-decision="{plain(str(part.chosen))}" '
            f'style="--seat:var(--seat{part.seat})"><h3><span class="faint">{part.event}</span> '
            f"{plain(self.screen.name(part.seat))}: {plain(played)} "
            f'<span class="class">{part.kind} {MARKS.get(part.kind, "")}</span></h3>{said}</article>'
        )

    def _fell(self, part: Fell, event: Event) -> str:
        words = self.screen.chance(self.writer.event(self.game.rules, event).chance)
        lucky = ", ".join(
            f"{self.screen.name(seat)} {luck:+.0%}" for seat, luck in enumerate(part.luck) if abs(luck) >= _LUCKY
        )
        turned = " turned" if part.event in self.whole.turning_points else ""
        return (
            f'<p id="event-{part.event}" class="chance{turned}">{part.event} {plain(words)}'
            f"{f' (luck: {plain(lucky)})' if lucky else ''}</p>"
        )


def _suggestions(part: Judged, words: Sequence[str]) -> str:
    rows = "".join(
        f"<tr><td>{plain(text)}{' (played)' if suggestion.decision == part.chosen else ''}</td>"
        f"<td>{suggestion.win:.0%}</td><td>{suggestion.points:.1f}</td></tr>"
        for text, suggestion in zip(words, part.suggestions, strict=True)
    )
    head = '<th scope="col">what was best</th><th scope="col">win</th><th scope="col">points</th>'
    table = f'<table class="better"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return _scroll("what was best", table)


def _stroke(seat: int) -> str:
    """A seat's line, as the graph has it."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="36" height="8" aria-hidden="true"><line x1="0" x2="36" y1="4" '
        f'y2="4" stroke="var(--seat{seat})" stroke-width="3" stroke-dasharray="{_DASHES[seat]}"/></svg>'
    )


def _scroll(name: str, inner: str, more: str = "") -> str:
    """What is too wide for a phone moves within its frame, by keys as well."""
    return f'<div class="scroll {more}" role="region" tabindex="0" aria-label="{name}">{inner}</div>'
