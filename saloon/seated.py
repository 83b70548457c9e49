"""A person at a seat of a hosted table, for `saloon host` and `saloon join`."""

import re
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text
from saloon_client import Client, NotNow, chosen
from saloon_client.v1 import game_pb2, tables_pb2

from engine_cy.errors import InputError
from saloon.following import Following, Step
from saloon.kept_seats import Kept
from saloon.options import own_sets
from saloon.person import At, Person, Quit
from saloon.screens import screen_of
from saloon.screens.screen import names_apart, time_is_out

_LINK = re.compile(r"saloon://([^/]+)/([^/]+)(?:/([^/]+))?")


@dataclass(frozen=True)
class Link:
    """Where a table is, and what lets in."""

    address: str
    table: str
    invitation: str = ""

    def __str__(self) -> str:
        return f"saloon://{self.address}/{self.table}" + (f"/{self.invitation}" if self.invitation else "")

    @classmethod
    def read(cls, text: str) -> "Link":
        found = _LINK.fullmatch(text.strip())
        if found is None:
            raise InputError("link", "saloon://HOST:PORT/TABLE/INVITATION, as `saloon host` prints it", text)
        return cls(found[1], found[2], found[3] or "")


class Seated(Person):
    """Plays at a table until the game is over, or the person goes."""

    def __init__(
        self, client: Client, link: Link, kept: Kept, console: Console, lasts: bool, warned_from: float | None
    ) -> None:
        self.link, self.token, self.lasts = link, kept.token, lasts
        stand = client.table(link.table, kept.token)
        self.options = stand.table.options
        screen = screen_of(client, console, self.options, me=kept.seat)
        super().__init__(client, screen, kept.seat, console, warned_from)
        self.seats: list[str] = []
        self.introduced = False
        self.told_until = 0  # events that were shown as they were tried
        self.at: At | None = None

    def run(self) -> None:
        self.say(f"{self.screen.title}, you are seat {self.me}. Type help whenever it is your turn.", "bold")
        stand = self.client.table(self.link.table, self.token)
        following = Following(self.client, self.link.table, self.token, self.me)
        start = (stand.table.events, stand.position) if stand.HasField("position") else None
        seen = 0 if start is None else start[0]
        for update in following.updates(self.options, start):
            if isinstance(update, Step):
                seen = update.number + 1
                self.show(update)
            elif isinstance(update, tables_pb2.TimedOut):
                self.say(time_is_out(self.screen, update), "bold")
            else:
                self.seated(update)
                if self.is_mine(update, seen):
                    self.persons_turn()
        stand = self.client.table(self.link.table, self.token)
        self.console.print()
        self.console.print(self.screen.table(stand.position, stand.scores))
        self.show_end(stand.scores)
        self.offer_review(self.client.export_table(self.link.table, self.token), own_sets(None))

    # ---- What the table tells

    def introduce(self, position: game_pb2.Position) -> None:
        """Once, when everything of it is known."""
        if not self.introduced:
            self.introduced = True
            for line in self.screen.introduction(position):
                self.say(f"  {line}")

    def seated(self, table: tables_pb2.Table) -> None:
        """Say who plays and who is missing, if that is news."""
        self.screen.names = names_apart(table.seats)
        free = [seat.seat for seat in table.seats if seat.player == tables_pb2.PLAYER_FREE]
        who = [f"{seat}: {'free' if seat in free else name}" for seat, name in enumerate(self.screen.names)]
        if who != self.seats:
            self.seats = who
            self.say("seats  " + ", ".join(who) + ("; waiting for others" if free else ""), "bold")

    def is_mine(self, table: tables_pb2.Table, seen: int) -> bool:
        """Whether the person has to decide, and nothing has happened that is still to be told."""
        waits = table.status.waiting == game_pb2.WAITING_DECISION and table.status.seat == self.me
        free = any(seat.player == tables_pb2.PLAYER_FREE for seat in table.seats)
        here = table.seats[self.me].player == tables_pb2.PLAYER_PERSON
        if not (waits and here) or free or table.events != seen:
            return False
        stand = self.client.table(self.link.table, self.token)
        self.at = At(stand.position, stand.position, stand.table.status)
        return stand.table.events == seen

    def show(self, step: Step) -> None:
        if step.number < self.told_until:
            return  # it was shown when it was tried
        event = step.event or game_pb2.Event()
        if event.HasField("chosen") and event.chosen.seat != self.me:
            decision = event.chosen.decision
            words = decision.text if step.before is None else self.screen.decision(decision, step.before)
            self.tell(event.chosen.seat, words)
        if step.before is not None and step.after is not None:
            for line in self.screen.story(event, step.before, step.after):
                self.console.print(line)
        elif event.HasField("chance"):
            self.console.print(Text(self.screen.chance(event.chance), style="dim"))

    # ---- The person's turn

    def now(self) -> At:
        assert self.at is not None
        return self.at

    def tried(self, at: At, decision: game_pb2.Decision) -> At:
        after = self.client.apply(at.situation, chosen(self.me, decision))
        position = after.situation.position
        mine = after.status.waiting == game_pb2.WAITING_DECISION and after.status.seat == self.me
        return At(position, position, after.status, not mine)

    def persons_turn(self) -> None:
        self.introduce(self.now().position)
        steps = self.my_turn()
        number = self.client.table(self.link.table, self.token).table.events
        self.told_until = number + len(steps) - 1
        for after, step in enumerate(steps, number):
            try:
                self.client.act(self.link.table, self.token, step.choice.decision, after=after)
            except NotNow as error:
                self.say(f"the table went on without you: {error}", "yellow")
                return

    def save(self) -> str:
        if not self.lasts:
            return "the table ends with the server, when you go"
        return f"the table keeps it; come back with: saloon join {self.link}"


def play(
    client: Client, link: Link, kept: Kept, console: Console, lasts: bool = True, warned_from: float | None = None
) -> None:
    """Until the game is over; who goes is told how to come back, if the table lasts."""
    try:
        Seated(client, link, kept, console, lasts, warned_from).run()
    except (Quit, KeyboardInterrupt):
        console.print()
        if lasts:
            console.print(f"your seat is kept; come back with: saloon join {link}", soft_wrap=True)
        else:
            console.print("the table ends with the server")
