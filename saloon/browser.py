"""Playing in the browser: whether there is one, and a table for it."""

import signal
import socket
import webbrowser
from collections.abc import Mapping
from http.client import HTTPException
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

from rich.console import Console
from saloon_client import Client, table_bot
from saloon_client.v1 import game_pb2

from engine_cy.errors import InputError
from saloon.connecting import seconds
from saloon.person import Quit
from saloon.ports import free_port
from saloon.saved import Played
from server.basics.settings import data_folder

_USUAL_PORT = 8080  # where a browser may know tables of before
_PATIENCE = 5.0


def has_display(environment: Mapping[str, str], platform: str) -> bool:
    """Whether a browser would open where the person sits."""
    if environment.get("BROWSER"):
        return True
    if environment.get("SSH_CONNECTION") or environment.get("SSH_TTY"):
        return False
    screens = environment.get("DISPLAY"), environment.get("WAYLAND_DISPLAY")
    return platform in ("darwin", "win32") or any(screens)


def open_table(
    client: Client, page: str, options: game_pb2.Options, played: Played, seed: int | None, console: Console
) -> None:
    """Make a table with bots, and open it; the person sits down on the page."""
    players = getattr(options, options.WhichOneof("game") or "").players
    if not 0 <= played.seat < players:
        raise InputError("seat", f"0 to {players - 1}", played.seat)
    others = [seat for seat in range(players) if seat != played.seat]
    bots = [table_bot(seat, level=played.level, time=seconds(played.time)) for seat in others]
    made = client.create_table(options, bots=bots, by_invitation=True, seed=seed)
    link = f"{page}/#/join/{made.table.table}/{made.invitation}"
    console.print(f"Your table: {link}", soft_wrap=True)
    if not webbrowser.open(link):
        console.print("No browser opens here: open the link yourself, or play with saloon play --terminal.")


def until_stopped(console: Console) -> None:
    """The server of a table lives as long as this."""
    console.print("The server ends with Ctrl-C. It keeps the table, and the page has it when there is a server again.")
    try:
        while True:
            signal.pause()
    except (KeyboardInterrupt, Quit):
        console.print()


def page_flags() -> tuple[str, list[str]]:
    """Where a server of one's own has its page, and the flags for that; its tables stay in the data folder."""
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", _USUAL_PORT))
            port = _USUAL_PORT
        except OSError:
            port = free_port()
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return f"http://localhost:{port}", ["--http-port", str(port), "--database", str(folder / "tables.sqlite")]


def page_of(address: str, said: str | None) -> str:
    """Where the page of a server is; InputError if there is none."""
    page = (said or f"http://{address.rpartition(':')[0]}:{_USUAL_PORT}").partition("#")[0].rstrip("/")
    wanted = "where the server has its page, such as http://localhost:8080, or --terminal"
    if urlsplit(page).scheme not in ("http", "https"):
        raise InputError("page", wanted, page)
    try:
        with urlopen(f"{page}/", timeout=_PATIENCE) as answer:  # noqa: S310
            found = b"<title>Saloon</title>" in answer.read(1 << 16)
    except (URLError, HTTPException, OSError, ValueError) as error:
        raise InputError("page", wanted, f"{page}, where no page answers") from error
    if not found:
        raise InputError("page", wanted, page)
    return page
