"""`saloon play`: a person against bots in the terminal, with a game that this command owns."""

import contextlib
import os
import secrets
import sys
from pathlib import Path
from time import sleep
from typing import Annotated, Any

import typer
from rich.console import Console
from saloon_client import Client, InvalidRequest, NotReachable, SaloonError, chosen
from saloon_client.v1 import bots_pb2, game_pb2

from engine_cy.component_sets import ComponentSets
from engine_cy.errors import InputError
from engine_cy.registry import rules_of
from saloon.browser import has_display, open_table, page_flags, page_of, until_stopped
from saloon.coaching import CoachFlag, threshold
from saloon.connecting import DEFAULT_ADDRESS, Address, Insecure, TlsCa, Token, connect, seconds
from saloon.health import check
from saloon.options import ComponentFile, Table, component_flags, own_sets, starts_games
from saloon.own_server import server_while_played
from saloon.person import At, Person, Quit, interactive
from saloon.saved import Played, found, keep, new_path, read
from saloon.screens import screen_of
from search.simple_players import levels
from wire.reading import Reader
from wire.writing import options_message


class Play(Person):
    """A game between a person and bots."""

    def __init__(
        self,
        client: Client,
        record: game_pb2.GameRecord,
        played: Played,
        pace: float,
        console: Console,
        path: Path,
        warned_from: float | None = None,
    ) -> None:
        self.record, self.played, self.pace = record, played, pace
        self.seconds, self.path = seconds(played.time), path
        players = getattr(record.options, record.options.WhichOneof("game") or "").players
        if not 0 <= played.seat < players:
            raise InputError("seat", f"0 to {players - 1}", played.seat)
        screen = screen_of(client, console, record.options, me=played.seat)
        super().__init__(client, screen, played.seat, console, warned_from)

    def run(self) -> None:
        """To the end of the game, or until the person goes."""
        self.say(
            f"{self.screen.title}, you are seat {self.me}, against level {self.played.level}. "
            "Type help whenever you like.",
            "bold",
        )
        if not any(event.HasField("chosen") for event in self.record.events):
            self.story(self.record, 0)
        for line in self.screen.introduction(self.now().position):
            self.say(f"  {line}")
        while True:
            status = self.now().status
            if status.waiting == game_pb2.WAITING_CHANCE:
                raise InputError("record", "one with a seed: chance takes care of itself here", "one without")
            if status.waiting == game_pb2.WAITING_OVER:
                break
            if status.seat == self.me:
                self.persons_turn()
            else:
                self.bots_turn()
        self.show_board(self.now())
        self.show_end(self.client.score(self.record).scores)

    # ---- Where the game stands

    def now(self) -> At:
        return self._at(self.record)

    def _at(self, record: game_pb2.GameRecord, ended: bool = False) -> At:
        stand = self.client.replay(record, seat=self.me)
        return At(record, stand.position, stand.status, ended)

    def tried(self, at: At, decision: game_pb2.Decision) -> At:
        assert isinstance(at.situation, game_pb2.GameRecord)
        after = self.client.apply(at.situation, chosen(self.me, decision))
        record = after.situation.record
        drawn = any(event.HasField("chance") for event in record.events[len(at.situation.events) :])
        mine = after.status.waiting == game_pb2.WAITING_DECISION and after.status.seat == self.me
        return self._at(record, drawn or not mine)

    def save(self) -> str:
        self.keep()
        return f"saved in {self.path}"

    def keep(self) -> None:
        """Save what cannot be taken back any more."""
        keep(self.record, self.played, self.path)

    # ---- Turns

    def persons_turn(self) -> None:
        last = self.my_turn()[-1]
        assert isinstance(last.before.situation, game_pb2.GameRecord)
        self.record = last.before.situation  # what came of the decisions before was told
        self.take(self.client.apply(self.record, chosen(self.me, last.choice.decision)).situation.record)
        self.keep()

    def bots_turn(self) -> None:
        turn = self.client.play_turn(self.record, level=self.played.level, time=self.seconds)
        for answer in turn.answers:
            self.pause(answer)
            self.tell(answer.seat, self.screen.decision(answer.choice, self.now().position))
            self.take(self.client.apply(self.record, answer).situation.record)
        self.keep()

    def pause(self, answer: bots_pb2.Answer) -> None:
        """As long as a person would have thought."""
        time = (answer.pacing.seconds + answer.pacing.nanos / 1e9) * self.pace
        if time > 0:
            sleep(time)

    def take(self, record: game_pb2.GameRecord) -> None:
        """Go on with a longer record, and tell what its events brought."""
        known, self.record = len(self.record.events), record
        self.story(record, known)

    def story(self, record: game_pb2.GameRecord, known: int) -> None:
        """What the events after the known ones brought, as far as the person may know."""
        told = game_pb2.GameRecord()
        told.CopyFrom(record)
        told.ClearField("seed")  # so that it can be looked at before chance as well
        before = self.client.replay(told, events=known, seat=self.me).position
        for number, event in enumerate(record.events[known:], known + 1):
            after = self.client.replay(told, events=number, seat=self.me).position
            for line in self.screen.story(event, before, after):
                self.console.print(line)
            before = after


@starts_games(players=3)
def command(
    table: Table,
    components: ComponentFile = None,
    address: Address = DEFAULT_ADDRESS,
    level: Annotated[str | None, typer.Option(help="The bots' level, 1 to 10 or max.", show_default="5")] = None,
    time: Annotated[str | None, typer.Option(help="What a bot's turn may take.", show_default="500ms")] = None,
    seat: Annotated[int | None, typer.Option(help="Your seat, from 0.", show_default="0")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed, the same game; else a new one.")] = None,
    save_to: Annotated[
        Path | None, typer.Option("--save", help="Keep the game in this file; else in the data folder.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with the game in this file: its options, level, time and seat stay.")
    ] = None,
    pace: Annotated[
        float | None, typer.Option(min=0, help="How leisurely bots show their turns; 0: at once.", show_default="1")
    ] = None,
    coach: CoachFlag = None,
    serve: Annotated[bool, typer.Option("--serve", help="Start a server for this game.")] = False,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Play here, not in the browser; so do --save, --resume, --pace, --coach.")
    ] = False,
    page: Annotated[
        str | None,
        typer.Option(help="Where the server has its page.", show_default="port 8080 of the machine of --address"),
    ] = None,
    token: Token = None,
    tls_ca: TlsCa = None,
    insecure: Insecure = False,
) -> None:
    """Play against bots: on the page in your browser, with a server of its own if none answers; or in this terminal, if
    you want that or there is no display. There the game is kept after every turn; quit and --resume it any time."""
    console = Console(highlight=False)
    if save_to is not None and not save_to.parent.is_dir():
        raise InputError("save", "a file in a folder that is there", str(save_to))
    how = {name: value for name, value in (("level", level), ("time", time), ("seat", seat)) if value is not None}
    if resume is None:
        record, played = None, _played(how)
        wanted = options_message(rules_of(table.game, table.options, components))
    else:
        resume = found(resume)
        sets = own_sets(components)
        record, said = read(resume, sets)
        _same(resume, record, sets, {**table.given, **({} if seed is None else {"seed": seed})})
        played = _played(how, said, resume)
        wanted = record.options
    own = component_flags(components)
    warned_from = threshold(coach)
    here = terminal or any(given is not None for given in (save_to, resume, pace, coach))
    if not here and sys.stdin.isatty() and has_display(os.environ, sys.platform):
        to = (token, tls_ca, insecure)
        if serve or (page is None and address == DEFAULT_ADDRESS and check(address, tls_ca=tls_ca, insecure=insecure)):
            page, flags = page_flags()
            with server_while_played(console, "play", *flags, *own) as where, connect(where, *to) as client:
                open_table(client, page, wanted, played, seed, console)
                until_stopped(console)
        else:
            with connect(address, *to) as client:
                open_table(client, page_of(address, page), wanted, played, seed, console)
        return
    leisure = float(interactive(console))
    with (
        server_while_played(console, "play", *own) if serve else contextlib.nullcontext(address) as where,
        connect(where, token, tls_ca, insecure) as client,
    ):
        try:
            record, path = _begin(client, wanted, record, seed, save_to or resume)
        except NotReachable as error:
            typer.echo(f"saloon play: {error}", err=True)
            if address == DEFAULT_ADDRESS:
                typer.echo("saloon play --serve starts one for this game.", err=True)
            raise typer.Exit(1) from None
        play = Play(client, record, played, leisure if pace is None else pace, console, path, warned_from)
        try:
            play.run()
            play.keep()
            play.offer_review(play.record, own_sets(components))
        except (Quit, KeyboardInterrupt) as error:
            if isinstance(error, KeyboardInterrupt):
                console.print()
            play.keep()
            typer.echo(" ".join(("saved; go on with: saloon play --resume", str(path), *own)))
            return
        except SaloonError as error:
            play.keep()
            typer.echo(f"saloon play: {error}\nThe game is saved in {path}.", err=True)
            raise typer.Exit(1) from None
        typer.echo(f"the game is in {path}")


def _played(how: dict[str, Any], kept: dict[str, Any] | None = None, path: Path | None = None) -> Played:
    """How it is played: as is said, which must be as it was in a game that goes on."""
    for name, value in how.items():
        if kept and kept.get(name, value) != value:
            raise InputError(name, f"{kept[name]}, as in {path}", value)
    played = Played(**{**(kept or {}), **how})
    if played.level not in levels():
        raise InputError("level", f"one of {', '.join(levels())}", played.level)
    seconds(played.time)
    return played


def _same(path: Path, record: game_pb2.GameRecord, sets: ComponentSets, said: dict[str, Any]) -> None:
    """A game that goes on is played by the options it has."""
    game = record.options.WhichOneof("game")
    known = {"game": game, "seed": record.seed, **Reader(sets).rules_of_record(record, str(path)).options()}
    for name, value in said.items():
        if known.get(name) != value:
            kept = known.get(name)
            raise InputError(name, f"{'nothing' if kept in (None, False) else kept}, as in {path}", value)


def _begin(
    client: Client, wanted: game_pb2.Options, record: game_pb2.GameRecord | None, seed: int | None, path: Path | None
) -> tuple[game_pb2.GameRecord, Path]:
    """The game to play and the file to keep it in."""
    if record is not None:
        assert path is not None
        try:
            client.replay(record)
        except InvalidRequest as error:
            raise InputError(str(path), "a game that can be played again", str(error)) from error
        return record, path
    number = secrets.randbits(32) if seed is None else seed
    record = client.new_game(wanted, seed=number)
    return record, path or new_path(wanted.WhichOneof("game") or "", number)
