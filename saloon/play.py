"""`saloon play`: a person against bots in the terminal, with a game that this command owns."""

import contextlib
import secrets
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import sleep
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text
from saloon_client import Client, InvalidRequest, NotReachable, SaloonError, chosen
from saloon_client.v1 import bots_pb2, game_pb2, rules_pb2

from engine_cy.errors import InputError
from engine_cy.in_short import Section
from engine_cy.registry import rules_of
from saloon.choosing import Menu
from saloon.connecting import DEFAULT_ADDRESS, Address, Insecure, TlsCa, Token, connect, seconds
from saloon.launching import NotStarted, own_server
from saloon.options import Table, starts_games
from saloon.saved import Played, found, keep, new_path, read
from saloon.screens import screen_of
from saloon.screens.screen import Choice, listed, score_table
from search.simple_players import levels
from wire.reading import Reader
from wire.writing import options_message

_HELP = """\
[b]1[/b]            that line; of several ways together it shows them
[b]b2[/b]           what happens there; also with another: b2 c2
[b]farm b2[/b]      what has these words in it
[b]Enter[/b]        everything again
[b]hint[/b], h      what a strong bot would do, and what it expects
[b]rules[/b]        the topics of the rules; also with one: rules build
[b]why[/b]          why something is not among the ways; also of fields: why b2 c2
[b]undo[/b], u      take back a decision of this turn
[b]board[/b], b     the table
[b]score[/b], s     the points so far
[b]save[/b]         keep the game now
[b]quit[/b], q      keep it and go
A field is the letter of its column and the number of its row; places of a
column count from 1 (records and the contract count them from 0). Take back what
you like until you end your turn with Enter."""
_ALIASES = {"h": "hint", "?": "help", "u": "undo", "b": "board", "s": "score", "q": "quit", "exit": "quit"}
_PLACES = ("second", "third", "fourth", "fifth", "last")
_HINT_SECONDS = 1.0
_HINT_WORDS = """\
  Best first, from {} games played on from here. wins: how often you win them; points: what you have at the end;
  the last number: how far that is ahead of the best other seat."""


class _Quit(Exception):
    """The person goes."""


class Play:
    """A game between a person and bots."""

    def __init__(
        self, client: Client, record: game_pb2.GameRecord, played: Played, pace: float, console: Console, path: Path
    ) -> None:
        self.client, self.record, self.played, self.pace, self.console = client, record, played, pace, console
        self.me, self.seconds, self.path = played.seat, seconds(played.time), path
        me = self.me
        players = getattr(record.options, record.options.WhichOneof("game") or "").players
        if not 0 <= me < players:
            raise InputError("seat", f"0 to {players - 1}", me)
        self.screen = screen_of(client, console, record.options, me=me)

    def run(self) -> None:
        """To the end of the game, or until the person goes."""
        self.say(
            f"{self.screen.title}, you are seat {self.me}, against level {self.played.level}. "
            "Type help whenever you like.",
            "bold",
        )
        if not any(event.HasField("chosen") for event in self.record.events):
            self.story(self.record, 0)
        for line in self.screen.introduction(self.stand().position):
            self.say(f"  {line}")
        while True:
            status = self.stand().status
            if status.waiting == game_pb2.WAITING_CHANCE:
                raise InputError("record", "one with a seed: chance takes care of itself here", "one without")
            if status.waiting == game_pb2.WAITING_OVER:
                break
            if status.seat == self.me:
                self.my_turn()
            else:
                self.bots_turn()
        self.show_board()
        scores = self.client.score(self.record).scores
        self.console.print(score_table(self.screen, scores, True))
        place = next(score.place for score in scores if score.seat == self.me)
        self.say("You win!" if place == 1 else f"You come {_PLACES[place - 2]}.", "bold")

    def stand(self) -> rules_pb2.ReplayResponse:
        """Where the game stands, as the person sees it."""
        return self.client.replay(self.record, seat=self.me)

    # ---- The bots

    def bots_turn(self) -> None:
        turn = self.client.play_turn(self.record, level=self.played.level, time=self.seconds)
        for answer in turn.answers:
            self.pause(answer)
            self.tell(answer.seat, self.screen.decision(answer.choice, self.stand().position))
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

    # ---- The person

    def my_turn(self) -> None:
        """Decide until something happens that cannot be taken back, then ask whether it is meant."""
        steps: list[tuple[game_pb2.GameRecord, str]] = []  # the record before, and what was decided
        current, asked, ended = self.record, True, False
        while True:
            if ended:
                if self.confirm([text for _, text in steps]):
                    break
            else:
                decided = self.decide(current, asked and not steps, bool(steps))
                if decided is not None:
                    steps.append((current, decided.text))
                    after = self.client.apply(current, chosen(self.me, decided.decision))
                    ended = self.is_end(current, after)
                    known, current, asked = len(current.events), after.situation.record, False
                    if not ended:
                        self.story(current, known)
                        self.show_own(current)
                    continue
            before, text = steps.pop()
            self.say(f"taken back: {text}")
            current, ended = before, False
            self.show_own(current)
        self.record = steps[-1][0]  # what came of the steps before was told
        self.take(current)
        self.keep()

    def is_end(self, before: game_pb2.GameRecord, after: rules_pb2.ApplyResponse) -> bool:
        """Whether somebody else comes next, or something was drawn that is not to be seen in vain."""
        drawn = any(e.HasField("chance") for e in after.situation.record.events[len(before.events) :])
        return drawn or after.status.waiting != game_pb2.WAITING_DECISION or after.status.seat != self.me

    def decide(self, record: game_pb2.GameRecord, board: bool, undo: bool) -> Choice | None:
        """One decision; None to take the last one back."""
        stand = self.client.replay(record, seat=self.me)
        legal = self.client.legal_decisions(record).decisions
        menu = Menu(self.screen.choices(legal, stand.position))
        if board:
            self.show_board(record, legal)
        due = self.screen.due(stand.status, stand.position)
        self.list_menu(menu, due)
        while True:
            entered = self.ask(f"{due}> ")
            command = _ALIASES.get(entered.lower(), entered.lower())
            if command == "undo":
                if undo:
                    return None
                self.say("nothing of this turn to take back")
            elif not self.common(command, record, menu):
                try:
                    choice = menu.choose(entered)
                except ValueError as error:
                    self.say(str(error), "yellow")
                    continue
                if choice is not None:
                    self.tell(self.me, choice.text)
                    return choice
                self.list_menu(menu, due)

    def common(self, command: str, record: game_pb2.GameRecord, menu: Menu | None) -> bool:
        """Whether it was one of the commands that may always be given."""
        match command:
            case "help":
                self.console.print(_HELP)
            case "board":
                self.show_board(record, [choice.decision for choice in menu.choices] if menu else ())
            case "score":
                self.console.print(score_table(self.screen, self.client.score(record).scores, False))
            case "save":
                self.keep()
                self.say(f"saved in {self.path}")
            case "quit":
                raise _Quit
            case "hint":
                if menu is not None:
                    self.hint(record, menu)
            case _:
                first, *words = command.split() or [""]
                if first == "rules":
                    self.rules(" ".join(words))
                elif first == "why":
                    self.why(words, record, menu)
                else:
                    return False
        return True

    def rules(self, topic: str) -> None:
        """A topic of the rules, or which there are."""
        sections = self.screen.rules.sections
        found = [one for one in sections if topic in (one.topic, one.title.lower())]
        if not found:
            if topic:
                self.say(f"rules: expected one of {', '.join(one.topic for one in sections)}, got {topic!r}", "yellow")
            for one in sections:
                self.console.print(Text.assemble("  rules ", (f"{one.topic:<12}", "bold"), one.title))
        for one in found:
            self.explain(one)

    def explain(self, section: Section) -> None:
        self.say(section.title, "bold")
        for line in section.text:
            self.say(f"  {line}")

    def why(self, words: Sequence[str], record: game_pb2.GameRecord, menu: Menu | None) -> None:
        """Why something is not among the ways, and the rules of what is due."""
        stand = self.client.replay(record, seat=self.me)
        ways = menu.choices if menu else ()
        for line in self.screen.why(words, stand.status, stand.position, ways):
            self.say(f"  {line}")
        if not words:
            for section in self.screen.rules.sections:
                if stand.status.phase in section.explains:
                    self.explain(section)

    def confirm(self, texts: Sequence[str]) -> bool:
        """Whether the turn is meant; if not, its last decision is taken back."""
        self.say("Your turn: " + "; ".join(texts), "bold")
        while True:
            entered = self.ask("Enter ends the turn, undo takes back> ").lower()
            command = _ALIASES.get(entered, entered)
            if command in ("", "end", "y", "yes", "ok"):
                return True
            if command == "undo":
                return False
            if not self.common(command, self.record, None):
                self.say("Enter to end the turn, or undo", "yellow")

    def hint(self, record: game_pb2.GameRecord, menu: Menu) -> None:
        answer = self.client.suggest(record, time=_HINT_SECONDS, count=3)
        words = {choice.decision.text: choice.short for choice in menu.choices}
        for s in answer.suggestions:
            text = words.get(s.decision.text, s.decision.text)
            self.say(f"  {text}   wins {s.win:.0%}, {s.points:.0f} points, {s.margin:+.1f}", "cyan")
        self.say(_HINT_WORDS.format(answer.iterations), "dim")

    def list_menu(self, menu: Menu, due: str) -> None:
        entries = menu.entries()
        shown, of = len(menu.within), len(menu.choices)
        fewer = f", {shown} in view; Enter shows all of them" if shown < of else ""
        self.say(f"{due}: {of} ways{fewer}", "bold")
        self.console.print(listed([entry.text for entry in entries]))

    # ---- Words

    def ask(self, prompt: str) -> str:
        """A line of input; the end of it stands for quit."""
        try:
            entered = input(prompt).strip()
        except EOFError:
            self.console.print()
            raise _Quit from None
        if not sys.stdin.isatty():  # a terminal has shown it already
            self.say(entered)
        return entered

    def say(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style=style))

    def tell(self, seat: int, text: str) -> None:
        self.console.print(Text.assemble((self.screen.name(seat), self.screen.seat_style(seat)), ": ", text))

    def show_board(self, record: game_pb2.GameRecord | None = None, legal: Sequence[game_pb2.Decision] = ()) -> None:
        stand = self.client.replay(record or self.record, seat=self.me)
        self.console.print()
        self.console.print(self.screen.table(stand.position, self.client.score(record or self.record).scores, legal))

    def show_own(self, record: game_pb2.GameRecord) -> None:
        stand = self.client.replay(record, seat=self.me)
        self.console.print(self.screen.own(stand.position, self.me, self.client.score(record).scores))

    def keep(self) -> None:
        """Save what cannot be taken back any more."""
        keep(self.record, self.played, self.path)


@starts_games(players=3)
def command(
    table: Table,
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
    serve: Annotated[bool, typer.Option("--serve", help="Start a server for this game.")] = False,
    token: Token = None,
    tls_ca: TlsCa = None,
    insecure: Insecure = False,
) -> None:
    """Play against bots. The game is kept after every turn; quit and --resume it any time."""
    console = Console(highlight=False)
    if save_to is not None and not save_to.parent.is_dir():
        raise InputError("save", "a file in a folder that is there", str(save_to))
    how = {name: value for name, value in (("level", level), ("time", time), ("seat", seat)) if value is not None}
    if resume is None:
        record, played = None, _played(how)
        wanted = options_message(rules_of(table.game, table.options))
    else:
        resume = found(resume)
        record, said = read(resume)
        _same(resume, record, {**table.given, **({} if seed is None else {"seed": seed})})
        played = _played(how, said, resume)
        wanted = record.options
    interactive = sys.stdin.isatty() and console.is_terminal
    if interactive:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  lines can be edited
    with (
        _server(console) if serve else contextlib.nullcontext(address) as where,
        connect(where, token, tls_ca, insecure) as client,
    ):
        try:
            record, path = _begin(client, wanted, record, seed, save_to or resume)
        except NotReachable as error:
            typer.echo(f"saloon play: {error}", err=True)
            if address == DEFAULT_ADDRESS:
                typer.echo("saloon play --serve starts one for this game.", err=True)
            raise typer.Exit(1) from None
        play = Play(client, record, played, pace if pace is not None else float(interactive), console, path)
        try:
            play.run()
        except (_Quit, KeyboardInterrupt) as error:
            if isinstance(error, KeyboardInterrupt):
                console.print()
            play.keep()
            typer.echo(f"saved; go on with: saloon play --resume {path}")
            return
        except SaloonError as error:
            play.keep()
            typer.echo(f"saloon play: {error}\nThe game is saved in {path}.", err=True)
            raise typer.Exit(1) from None
        play.keep()
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


def _same(path: Path, record: game_pb2.GameRecord, said: dict[str, Any]) -> None:
    """A game that goes on is played by the options it has."""
    game = record.options.WhichOneof("game")
    known = {"game": game, "seed": record.seed, **Reader().options(record.options, str(path)).options()}
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


def _quit(*_: object) -> None:
    raise _Quit


@contextlib.contextmanager
def _server(console: Console) -> Iterator[str]:
    """The address of a server of one's own, as long as the block lasts. Ctrl-C reaches the game, not the server."""
    with contextlib.ExitStack() as stack:
        for ending in (signal.SIGHUP, signal.SIGTERM):  # a closed window must not leave the server behind
            stack.callback(signal.signal, ending, signal.signal(ending, _quit))
        try:
            with console.status("starting a server"):
                server = stack.enter_context(own_server(own_session=True))
        except NotStarted:
            typer.echo("saloon play: the server did not start; `saloon serve` says why", err=True)
            raise typer.Exit(1) from None
        yield server.address
