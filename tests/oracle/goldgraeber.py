"""Goldgräber oracle, part 2: the course of the game, decision by decision.

The game is written as one Python generator that reads like the rules: wherever the rules ask a player or chance,
it yields a `Pending` and gets the answer back. (So an Oracle cannot be copied in the middle of a game; replay its
answers instead.) Rule numbers (GG-...) refer to the consolidated rules text.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from .goldgraeber_map import Board, MapData, Place

Chip = tuple[str, int]  # ("gold", value) or ("robber", strength)
Option = list[Any]
CHANCE = ("first", "die", "chip", "roll")


@dataclass
class Pending:
    """What the game waits for: a chance event, or a decision of a seat among options."""

    kind: str
    seat: int | None = None
    options: list[Option] = field(default_factory=list)


Flow = Generator[Pending, Any, None]
Deciding = Generator[Pending, Any, Place]


@dataclass
class Robber:
    """A robber face up on the board, and the chips under it (GG-13)."""

    strength: int
    under: list[Chip] = field(default_factory=list)


@dataclass
class Fight:
    """A fight that goes on; a robber is no seat, so there is no defender then."""

    place: Place
    attacker: int
    defender: int | None = None
    rolled: int | None = None  # the attacker's number while the defender's is due
    winner: int | None = None


class Oracle:
    """One game of Goldgräber."""

    def __init__(
        self,
        data: MapData,
        players: int,
        prospecting: bool = False,
        colours: list[int] | None = None,
        edition: int = 2,
    ) -> None:
        """In the first edition of GG-20a nobody could rest: give up the roll with nothing new to see."""
        if players not in (3, 4, 5, 6):
            raise ValueError("3 to 6 players")
        colours = list(range(players)) if colours is None else list(colours)  # GG-2a
        if len(colours) != players or len(set(colours)) != players or not set(colours) <= set(range(6)):
            raise ValueError("GG-2a: a colour for each seat, 0 to 5, none twice")
        self.board = Board(data)
        self.players = players
        self.prospecting = prospecting
        self.nobody_rests = edition == 1
        self.colours = colours

        # GG-2
        self.unseen: Counter[Chip] = Counter()  # chips no seat has seen
        self.unseen.update({("gold", value): count for value, count in data.gold})
        self.unseen.update({("robber", strength): count for strength, count in data.robbers})
        if self.unseen.total() != len(self.board.holes) or self.unseen.total() <= players:
            raise ValueError("GG-2: a chip for each dig hole, and more chips than players")
        self.face_down = set(self.board.holes)
        self.known: dict[Place, Chip] = {}  # face-down chips that some seat has looked at
        self.looked: dict[Place, set[int]] = {}  # the seats that have
        self.rested: set[int] = set()  # the seats whose last turn was given up with nothing new to see (GG-20a)
        self.rafts = {(row, column) for row, column in data.piers}
        self.locomotive = 0  # position in board.rail
        self.diggers = [self.board.houses[colour] for colour in colours]
        self.robbers: dict[Place, Robber] = {}
        self.open: list[list[Chip]] = [[] for _ in range(players)]
        self.banked: list[list[Chip]] = [[] for _ in range(players)]
        self.turn: int | None = None  # the seat whose turn it is
        self.steps: int | None = None  # of the walk that is due or being chosen
        self.fight: Fight | None = None
        self.chip_due: Place | None = None
        self.ended_by: str | None = None

        self._game = self.game()
        self._pending: Pending | None = next(self._game, None)

    # ---------------------------------------------------------------- what callers use

    @property
    def due(self) -> str:
        """The kind of decision (prospect, walk, ferry, retreat) or chance (first, die, chip, roll), or "over"."""
        return "over" if self._pending is None else self._pending.kind

    @property
    def seat(self) -> int | None:
        """Who decides; nobody while chance is due and at the end."""
        return None if self._pending is None else self._pending.seat

    def options(self) -> list[Option]:
        """The options of the decision that is due; none while no decision is."""
        return [] if self._pending is None else copy.deepcopy(self._pending.options)

    def decide(self, option: Option) -> None:
        """Take one of the options."""
        if option not in self.options():
            raise ValueError(f"{option!r} is no option of {self.due}")
        self._resume(copy.deepcopy(option))

    def can_come(self, what: str, outcome: Any) -> bool:
        """Is this chance event due, and can it come out so?"""
        if what != self.due or what not in CHANCE:
            return False
        if what == "first":
            return type(outcome) is int and 0 <= outcome < self.players
        if what == "chip":
            return self.can_be_chip(outcome)
        return type(outcome) is int and 1 <= outcome <= 6

    def can_be_chip(self, outcome: Any) -> bool:
        """[[row, column], [what, number]]: the field that is due, and a chip that nobody has seen yet."""
        if not isinstance(outcome, list) or len(outcome) != 2 or self.chip_due is None:
            return False
        place, chip = outcome
        if place != list(self.chip_due) or not isinstance(chip, list) or len(chip) != 2:
            return False
        what, number = chip
        return isinstance(what, str) and type(number) is int and self.unseen[(what, number)] > 0

    def reveal(self, what: str, outcome: Any) -> None:
        """Report how the chance event that is due came out."""
        if not self.can_come(what, outcome):
            raise ValueError(f"{what} cannot come out as {outcome!r} while {self.due} is due")
        self._resume(copy.deepcopy(outcome))

    def _resume(self, answer: Any) -> None:
        try:
            self._pending = self._game.send(answer)
        except StopIteration:
            self._pending = None

    def scores(self) -> list[dict[str, int]]:
        """GG-19, as if the game ended now: only what is banked counts, robbers 2 each whatever their strength."""
        scores = []
        for seat in range(self.players):
            gold = sum(number for what, number in self.banked[seat] if what == "gold")
            robbers = 2 * sum(1 for what, _ in self.banked[seat] if what == "robber")
            scores.append({"seat": seat, "gold": gold, "robbers": robbers, "total": gold + robbers})
        return scores

    def ranking(self) -> list[int]:
        """GG-19, GG-19a: the place of each seat; equal points share it."""
        totals = [score["total"] for score in self.scores()]
        return [1 + sum(1 for other in totals if other > total) for total in totals]

    def snapshot(self) -> dict[str, Any]:
        """Everything on the table, face up or not, as plain data."""

        def chips(many: list[Chip]) -> list[list[Any]]:
            return [list(chip) for chip in sorted(many)]

        return {
            "phase": self.due,
            "seat": self.seat,
            "turn": self.turn,
            "steps": self.steps,
            "diggers": [list(place) for place in self.diggers],
            "rafts": [list(place) for place in sorted(self.rafts)],
            "locomotive": self.locomotive,
            "open": [chips(self.open[seat]) for seat in range(self.players)],
            "banked": [chips(self.banked[seat]) for seat in range(self.players)],
            "face_down": [list(place) for place in sorted(self.face_down)],
            "robbers": [
                [list(p), self.robbers[p].strength, chips(self.robbers[p].under)] for p in sorted(self.robbers)
            ],
            "looked": [[list(place), sorted(self.looked[place])] for place in sorted(self.looked)],
            "known": [[list(place), list(self.known[place])] for place in sorted(self.known)],
            "unseen": chips(list(self.unseen.elements())),
            "rested": sorted(self.rested),
            "fight": self.fight_snapshot(),
            "ended_by": self.ended_by,
        }

    def fight_snapshot(self) -> dict[str, Any] | None:
        if self.fight is None:
            return None
        return {
            "field": list(self.fight.place),
            "attacker": self.fight.attacker,
            "defender": self.fight.defender,
            "rolled": self.fight.rolled,
            "winner": self.fight.winner,
        }

    # ---------------------------------------------------------------- the course of the game

    def choose(self, seat: int, kind: str, places: set[Place]) -> Deciding:
        """Section 8: ask a seat for a field; a decision with exactly one legal option is not asked."""
        options: list[Option] = [[kind, list(place)] for place in sorted(places)]
        answer = options[0]
        if len(options) > 1:
            answer = yield Pending(kind, seat, options)
        row, column = answer[1]
        return row, column

    def game(self) -> Flow:
        self.turn = yield Pending("first")  # GG-3
        while True:
            yield from self.take_turn(self.turn)
            if self.ended_by is not None:
                return
            self.steps = self.fight = None
            self.turn = (self.turn + 1) % self.players  # GG-17

    def take_turn(self, seat: int) -> Flow:
        """Section 3, GG-20."""
        if self.may_prospect(seat):
            answer = yield Pending("prospect", seat, [["prospect"], ["roll"]])
            if answer == ["prospect"]:
                yield from self.prospect(seat)
                return
        self.rested.discard(seat)
        number: int = yield Pending("die")
        if number == 1:
            self.move_locomotive(seat)
            return
        self.steps = number
        ends = {path[-1] for path in self.walks(seat, number)}
        if ends:  # GG-9: otherwise the digger stays
            self.diggers[seat] = yield from self.choose(seat, "walk", ends)
            self.steps = None
            yield from self.arrive(seat)

    def seats_after(self, seat: int) -> list[int]:
        """The other seats, clockwise from this one's left (GG-2a)."""
        return [(seat + i) % self.players for i in range(1, self.players)]

    # ---------------------------------------------------------------- the locomotive

    def move_locomotive(self, roller: int) -> None:
        """GG-4, GG-5; GG-18b: the last step ends the game and hits nobody."""
        self.locomotive += 1
        if self.locomotive == len(self.board.rail) - 1:
            self.ended_by = "locomotive"
            return
        place = self.board.rail[self.locomotive]
        for victim in [*self.seats_after(roller), roller]:  # GG-5d
            if self.diggers[victim] != place:
                continue
            if victim != roller:  # GG-5a: hitting one's own digger costs nothing
                self.open[roller] += self.open[victim]  # GG-5c, GG-5e
                self.open[victim] = []
            self.diggers[victim] = self.behind_locomotive(victim)

    def behind_locomotive(self, victim: int) -> Place:
        """GG-5: the first rail field behind the locomotive without a digger; GG-5b: else the house."""
        for place in reversed(self.board.rail[: self.locomotive]):
            if place not in self.diggers:
                return place
        return self.board.houses[self.colours[victim]]

    # ---------------------------------------------------------------- walks

    def walks(self, seat: int, steps: int) -> list[list[Place]]:
        """GG-6, GG-7, GG-8: every legal walk of exactly so many steps, as the list of its fields; GG-6c: loops too."""
        others = {self.diggers[other] for other in self.seats_after(seat)}
        free_rafts = self.rafts - others  # GG-8; GG-8b: the raft the walk starts from is among them
        paths = [[self.diggers[seat]]]
        for step in range(1, steps + 1):
            longer = []
            for path in paths:
                for to in self.board.near[path[-1]]:
                    if to == self.board.rail[self.locomotive]:
                        continue  # GG-6, GG-6a
                    if len(path) > 1 and to == path[-2]:
                        continue  # GG-6b
                    if self.board.may_step(path[-1], to, self.colours[seat], step == steps, free_rafts):
                        longer.append([*path, to])
            paths = longer
        return paths

    def arrive(self, seat: int) -> Flow:
        """Section 4."""
        place = self.diggers[seat]
        kind = self.board.kinds[place]
        if kind == "shore":
            yield from self.ferry(seat)
        elif kind == "house":
            self.bank(seat)
        elif kind == "land":
            there = [other for other in self.seats_after(seat) if self.diggers[other] == place]
            if there:  # GG-11a, GG-11g; GG-11b: a chip below stays face down
                yield from self.brawl(seat, there[0])
            elif place in self.face_down:
                yield from self.turn_up(seat)
            elif place in self.robbers:  # GG-11e, GG-11f
                yield from self.fight_robber(seat)
        # GG-11c, GG-11d: in the city nothing happens.

    def ferry(self, seat: int) -> Flow:
        """GG-8, GG-8a, GG-8c: raft and digger go to a shore field of this lake without a raft, or stay."""
        here = self.diggers[seat]
        there = yield from self.choose(seat, "ferry", (self.board.shores(here) - self.rafts) | {here})
        self.rafts.remove(here)
        self.rafts.add(there)
        self.diggers[seat] = there

    def bank(self, seat: int) -> None:
        """GG-11."""
        self.banked[seat] += self.open[seat]
        self.open[seat] = []

    # ---------------------------------------------------------------- chips

    def see(self, place: Place) -> Flow:
        """Section 8: the first time anybody sees this chip, chance says what it is."""
        if place in self.known:
            return
        self.chip_due = place
        _, (what, number) = yield Pending("chip")
        self.chip_due = None
        self.unseen[(what, number)] -= 1
        self.known[place] = (what, number)

    def turn_up(self, seat: int) -> Flow:
        """GG-10, GG-18.

        GG-18b says that nothing else happens when the last counted chip is turned up. Gold is then still taken: GG-10
        has no place for gold face up on the board, and open chips count nothing.
        """
        place = self.diggers[seat]
        yield from self.see(place)
        what, number = self.known.pop(place)
        self.looked.pop(place, None)
        self.face_down.remove(place)
        if what == "gold":
            self.open[seat].append((what, number))
        else:
            self.robbers[place] = Robber(number)
        if len(self.face_down) <= self.players:  # GG-18, GG-18a
            self.ended_by = "chips"
        elif what == "robber":
            yield from self.fight_robber(seat)

    def in_sight(self, seat: int) -> list[Place]:
        """GG-20, GG-20b: the face-down chips next to the digger."""
        return sorted(place for place in self.board.near[self.diggers[seat]] if place in self.face_down)

    def may_prospect(self, seat: int) -> bool:
        """GG-20a: with the variant, at every turn; with nothing new to see not in two of the seat's turns running."""
        if not self.prospecting:
            return False
        if self.sees_something_new(seat):
            return True
        return not self.nobody_rests and seat not in self.rested

    def sees_something_new(self, seat: int) -> bool:
        """Is there a face-down chip in sight that this seat has not looked at?"""
        return any(seat not in self.looked.get(place, set()) for place in self.in_sight(seat))

    def prospect(self, seat: int) -> Flow:
        """GG-20: instead of roll and move, look at all of them; GG-20a: if none is new, the seat rests."""
        if self.sees_something_new(seat):
            self.rested.discard(seat)
        else:
            self.rested.add(seat)
        for place in self.in_sight(seat):
            yield from self.see(place)
            self.looked.setdefault(place, set()).add(seat)

    # ---------------------------------------------------------------- fights (section 5)

    def fight_robber(self, seat: int) -> Flow:
        """GG-12, GG-13."""
        place = self.diggers[seat]
        robber = self.robbers[place]
        self.fight = Fight(place, seat)
        number: int = yield Pending("roll")
        while number == robber.strength:
            number = yield Pending("roll")
        if number > robber.strength:
            self.open[seat] += [("robber", robber.strength), *robber.under]
            del self.robbers[place]
        else:
            robber.under += self.open[seat]
            self.open[seat] = []
            yield from self.walk_away(seat, number)

    def brawl(self, attacker: int, defender: int) -> Flow:
        """GG-14, GG-15."""
        self.fight = Fight(self.diggers[attacker], attacker, defender)
        while True:
            mine: int = yield Pending("roll")
            self.fight.rolled = mine
            theirs: int = yield Pending("roll")
            self.fight.rolled = None
            if mine != theirs:
                break
        winner, loser = (attacker, defender) if mine > theirs else (defender, attacker)
        self.fight.winner = winner
        self.open[winner] += self.open[loser]
        self.open[loser] = []
        steps: int = yield Pending("roll")
        yield from self.walk_away(winner, steps)

    def walk_away(self, seat: int, steps: int) -> Flow:
        """GG-16, GG-16a, GG-16b."""
        ends = {path[-1] for path in self.walks(seat, steps)}
        allowed = {place for place in ends if self.may_retreat_to(place)}
        if not allowed:
            return
        self.steps = steps
        self.diggers[seat] = yield from self.choose(seat, "retreat", allowed)
        self.steps = None
        if self.board.kinds[self.diggers[seat]] == "house":
            self.bank(seat)

    def may_retreat_to(self, place: Place) -> bool:
        """GG-16a: not onto a raft, a revealed robber, or a field outside the city with a digger."""
        if self.board.kinds[place] == "shore" or place in self.robbers:
            return False
        return not (self.board.outside_city(place) and place in self.diggers)
