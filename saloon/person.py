"""A person at a terminal: the board, the menu, and all that can be said; whatever the game comes from."""

import contextlib
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text
from saloon_client import Client, SaloonError
from saloon_client.v1 import game_pb2

from engine_cy.component_sets import ComponentSets
from engine_cy.errors import InputError
from engine_cy.in_short import Section
from saloon.choosing import Menu
from saloon.coaching import Coach
from saloon.connecting import seconds
from saloon.review import USUAL_TIME, look_back
from saloon.screens.screen import Choice, Screen, listed, score_table
from search.player import Budget
from wire.reading import Reader
from wire.reasons import in_words

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


class Quit(Exception):
    """The person goes."""


@dataclass(frozen=True)
class At:
    """A moment of a game: what the server is asked with, and what the person sees."""

    situation: game_pb2.GameRecord | game_pb2.Position
    position: game_pb2.Position
    status: game_pb2.Status
    ended: bool = False  # somebody else comes next, or something was drawn that is not to be seen in vain


@dataclass(frozen=True)
class Tried:
    """A decision of the turn, which can be taken back."""

    before: At
    choice: Choice


class Person(ABC):
    """Asks a person at seat `me` for decisions, and shows what comes of them."""

    def __init__(
        self, client: Client, screen: Screen, me: int, console: Console, warned_from: float | None = None
    ) -> None:
        self.client, self.screen, self.me, self.console = client, screen, me, console
        self.coach = None if warned_from is None else Coach(client, warned_from)

    @abstractmethod
    def now(self) -> At:
        """Where the game stands, as the person sees it."""

    @abstractmethod
    def tried(self, at: At, decision: game_pb2.Decision) -> At:
        """What would come of a decision of the person."""

    @abstractmethod
    def save(self) -> str:
        """Keep the game, and say where."""

    # ---- A turn

    def my_turn(self) -> list[Tried]:
        """Decide until something happens that cannot be taken back, then ask whether it is meant. What came of all
        decisions but the last one was told."""
        steps: list[Tried] = []
        at, asked = self.now(), True
        while True:
            if at.ended:
                if self.confirm(steps):
                    return steps
            else:
                decided = self.decide(at, asked and not steps, bool(steps))
                if decided is not None:
                    steps.append(Tried(at, decided))
                    before, at, asked = at, self.tried(at, decided.decision), False
                    if not at.ended:
                        self.tell_story(decided.decision, before.position, at.position)
                        self.show_own(at)
                    continue
            taken = steps.pop()
            self.say(f"taken back: {taken.choice.text}")
            at = taken.before
            self.show_own(at)

    def tell_story(self, decision: game_pb2.Decision, before: game_pb2.Position, after: game_pb2.Position) -> None:
        """What a decision of the person brought."""
        event = game_pb2.Event(chosen=game_pb2.Chosen(seat=self.me, decision=decision))
        for line in self.screen.story(event, before, after):
            self.console.print(line)

    def decide(self, at: At, board: bool, undo: bool) -> Choice | None:
        """One decision; None to take the last one back."""
        legal = self.client.legal_decisions(at.situation).decisions
        menu = Menu(self.screen.choices(legal, at.position))
        if board:
            self.show_board(at, legal)
        due = self.screen.due(at.status, at.position)
        self.list_menu(menu, due)
        while True:
            entered = self.ask(f"{due}> ")
            command = _ALIASES.get(entered.lower(), entered.lower())
            if command == "undo":
                if undo:
                    return None
                self.say("nothing of this turn to take back")
            elif not self.common(command, at, menu):
                try:
                    choice = menu.choose(entered)
                except ValueError as error:
                    self.say(str(error), "yellow")
                    continue
                if choice is not None:
                    self.tell(self.me, choice.text)
                    return choice
                self.list_menu(menu, due)

    def confirm(self, steps: Sequence[Tried]) -> bool:
        """Whether the turn is meant; if not, its last decision is taken back."""
        self.say("Your turn: " + "; ".join(step.choice.text for step in steps), "bold")
        better = self.warn(steps)
        more = ", better tells what is better" if better else ""
        while True:
            entered = self.ask(f"Enter ends the turn, undo takes back{more}> ").lower()
            command = _ALIASES.get(entered, entered)
            if command in ("", "end", "y", "yes", "ok"):
                return True
            if command == "undo":
                return False
            if command == "better" and better:
                self.say(better, "cyan")
            elif not self.common(command, self.now(), None):
                self.say("Enter to end the turn, or undo", "yellow")

    def warn(self, steps: Sequence[Tried]) -> str:
        """Say if the coach finds that the turn gives much away; what would be better, or nothing."""
        if self.coach is None:
            return ""
        try:
            worst = self.coach.worst(steps[0].before.situation, [step.choice.decision for step in steps])
        except SaloonError as error:
            self.say(f"The coach cannot say anything of this turn: {error}", "yellow")
            return ""
        if worst is None:
            return ""
        step = steps[worst.event]
        self.say(f"The coach: {step.choice.text} gives away {worst.lost:.0%} +- {worst.error:.0%} of a win", "yellow")
        better = self.screen.choices([worst.best], step.before.position)[0].short
        why = in_words(worst.reasons)
        return f"better: {better}" + (f" ({why})" if why else "")

    # ---- What may always be said

    def common(self, command: str, at: At, menu: Menu | None) -> bool:
        """Whether it was one of the commands that may always be given."""
        first, *words = command.split() or [""]
        match first:
            case "rules":
                self.rules(" ".join(words))
            case "why":
                self.why(words, at, menu)
            case _:
                return not words and self._plain(first, at, menu)
        return True

    def _plain(self, command: str, at: At, menu: Menu | None) -> bool:
        match command:
            case "help":
                self.console.print(_HELP)
            case "board":
                self.show_board(at, [choice.decision for choice in menu.choices] if menu else ())
            case "score":
                self.console.print(score_table(self.screen, self.client.score(at.situation).scores, False))
            case "save":
                self.say(self.save())
            case "quit":
                raise Quit
            case "hint":
                if menu is not None:
                    self.hint(at, menu)
            case _:
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

    def why(self, words: Sequence[str], at: At, menu: Menu | None) -> None:
        """Why something is not among the ways, and the rules of what is due."""
        lines = self.screen.why(words, at.status, at.position, menu.choices if menu else ())
        for line in lines:
            self.say(f"  {line}")
        if not words or not lines:  # also where nothing is known of what was asked for
            for section in self.screen.rules.sections:
                if at.status.phase in section.explains:
                    self.explain(section)

    def hint(self, at: At, menu: Menu) -> None:
        answer = self.client.suggest(at.situation, time=_HINT_SECONDS, count=3, outs=True)
        words = {choice.decision.text: choice.short for choice in menu.choices}
        for s in answer.suggestions:
            text = words.get(s.decision.text, s.decision.text)
            self.say(f"  {text}   wins {s.win:.0%}, {s.points:.0f} points, {s.margin:+.1f}", "cyan")
        for s in answer.suggestions[:1]:
            if why := in_words(s.reasons):
                self.say(f"  the first rather than the second: {why}", "cyan")
            changing = [out for out in s.outs if out.changes]
            if changing:
                may = ", ".join(f"{self.screen.chance(out.chance)} ({out.probability:.0%})" for out in changing)
                total = sum(out.probability for out in changing)
                self.say(f"  in {total:.0%} of cases the second turns out better than the first: {may}", "cyan")
        self.say(_HINT_WORDS.format(answer.iterations), "dim")

    # ---- What is shown

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
            raise Quit from None
        if not sys.stdin.isatty():  # a terminal has shown it already
            self.say(entered)
        return entered

    def say(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style=style))

    def tell(self, seat: int, text: str) -> None:
        self.console.print(Text.assemble((self.screen.name(seat), self.screen.seat_style(seat)), ": ", text))

    def show_board(self, at: At, legal: Sequence[game_pb2.Decision] = ()) -> None:
        self.console.print()
        self.console.print(self.screen.table(at.position, self.client.score(at.situation).scores, legal))

    def show_own(self, at: At) -> None:
        self.console.print(self.screen.own(at.position, self.me, self.client.score(at.situation).scores))

    def show_end(self, scores: Sequence[game_pb2.SeatScore]) -> None:
        """Who has won."""
        self.console.print(score_table(self.screen, scores, True))
        place = next(score.place for score in scores if score.seat == self.me)
        self.say("You win!" if place == 1 else f"You come {_PLACES[place - 2]}.", "bold")

    def offer_review(self, record: game_pb2.GameRecord, sets: ComponentSets) -> None:
        """Of the game that is over, by this machine; as often as is asked for."""
        self.say("review tells where it was lost, and what was luck; review 1min looks longer. Enter ends.", "dim")
        with contextlib.suppress(Quit, KeyboardInterrupt):
            while entered := self.ask("review?> ").lower():
                command, _, time = entered.partition(" ")
                try:
                    if command in ("quit", "q", "exit"):
                        return
                    if command != "review":
                        raise InputError("what to do", "review, or Enter to end", entered)
                    look_back(self.screen, Reader(sets).record(record, "record"), Budget(seconds(time or USUAL_TIME)))
                except InputError as error:
                    self.say(str(error), "yellow")


def interactive(console: Console) -> bool:
    """Whether a person sits there; then lines can be edited."""
    if not (sys.stdin.isatty() and console.is_terminal):
        return False
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401
    return True
