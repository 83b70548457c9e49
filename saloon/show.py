"""`saloon show`: a recorded game at one moment, in the terminal or as a picture; no server is needed."""

import re
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console

from engine_cy.errors import InputError, OptionError
from pictures import picture
from pictures.themes import DARK, LIGHT
from saloon.connecting import RECORD, read_record
from saloon.options import ComponentFile, own_sets
from saloon.screens import screen_of_rules
from search.kept import write_whole
from wire.naming import naming
from wire.reading import Reader, read_seat
from wire.writing import position_message, score_messages

# What may be on this machine and makes a PNG of an SVG: the file comes first, the picture second.
_BROWSER = [  # a page that is only this picture, with a profile of its own; nothing of others is in it to be shut away
    "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--user-data-dir={folder}/profile",
    "--window-size={width},{height}", "--screenshot={png}", "file://{svg}",
]  # fmt: skip
_MAKERS = {
    "rsvg-convert": ["{svg}", "--output", "{png}"],
    "inkscape": ["{svg}", "--export-type=png", "--export-filename={png}"],
    "resvg": ["{svg}", "{png}"],
    "chromium": _BROWSER,
    "google-chrome": _BROWSER,
}
_SIZE = re.compile(r' (?:width|height)="(\d+)"')  # those of the picture come before all others


def command(
    record: Annotated[Path, typer.Argument(help=RECORD, show_default=False)],
    after: Annotated[int | None, typer.Option(min=0, help="After so many events of the record; else all.")] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="As this seat sees it; else as a spectator.")] = None,
    out: Annotated[Path | None, typer.Option(help="Draw it into this file, .svg or .png.")] = None,
    components: ComponentFile = None,
    dark: Annotated[bool, typer.Option("--dark", help="The picture in dark colours.")] = False,
) -> None:
    """Show where a recorded game stands."""
    sets = own_sets(components)
    message = read_record(record, sets)
    if after is not None and after > len(message.events):
        raise InputError("after", f"0 to {len(message.events)}, the events of the record", after)
    game = Reader(sets).record(message, str(record), after)
    if seat is not None:
        read_seat(seat, game.rules, "seat")
    with naming(str(record)):
        state = (game.spectate() if seat is None else game.observe(seat)).state
    if out is None:
        console = Console(highlight=False)
        scores = score_messages(game.rules, state)
        console.print(screen_of_rules(console, game.rules).table(position_message(game.rules, state), scores))
        return
    write_picture(picture(game.rules, state, theme=(DARK if dark else LIGHT).name), out)
    typer.echo(f"the picture is in {out}")


def write_picture(svg: str, out: Path) -> None:
    """As the ending of the file's name says."""
    match out.suffix.lower():
        case ".svg":
            write_whole(out, svg.encode())
        case ".png":
            _write_png(svg, out)
        case _:
            raise OptionError("out", "a file that ends in .svg or .png", str(out))


def _write_png(svg: str, out: Path) -> None:
    """By a program that is there for it: there is none in this package."""
    maker = next((name for name in _MAKERS if shutil.which(name)), None)
    if maker is None:
        raise OptionError(
            "out", f"a .svg: for .png there has to be one of {', '.join(_MAKERS)} on this machine", str(out)
        )
    with TemporaryDirectory(prefix="saloon-") as folder:
        source, made = Path(folder) / "table.svg", Path(folder) / "table.png"
        source.write_text(svg, encoding="utf-8")
        width, height = _SIZE.findall(svg)[:2]
        known = {"svg": source, "png": made, "folder": folder, "width": width, "height": height}
        words = [word.format(**known) for word in _MAKERS[maker]]
        done = subprocess.run([maker, *words], capture_output=True, text=True, check=False, timeout=120)  # noqa: S603
        if done.returncode or not made.exists():
            raise OptionError("out", f"a .svg: {maker} made no picture ({done.stderr.strip()})", str(out))
        write_whole(out, made.read_bytes())
