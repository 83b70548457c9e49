"""Game records: versioned JSON that a person can read and that replays to the identical state."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine_cy.checks import Checker
from engine_cy.errors import InputError, RecordError
from engine_cy.game import Chosen, Event, Game, Happened
from engine_cy.registry import game_class
from engine_cy.rules import GameRules

VERSION = 1
_KEYS = ("saloon_record", "game", "options", "components", "seed", "stream", "events")

check = Checker(InputError)


@dataclass(frozen=True)
class Record:
    """What it takes to play a game again. Events: ``["chance", what, outcome]`` or ``["decision", seat, option]``."""

    game: str
    options: dict[str, Any]
    component_name: str
    component_hash: str
    seed: int | None
    stream: int
    events: tuple[list[Any], ...]

    @classmethod
    def of(cls, game: Game) -> "Record":
        """The record of a game so far."""
        if not game.from_start:
            raise ValueError("a game that started in the middle has no record")
        rules = game.rules
        return cls(
            game=rules.name,
            options=rules.options(),
            component_name=rules.component_name,
            component_hash=rules.component_hash,
            seed=game.seed,
            stream=game.stream,
            events=tuple(plain_event(event) for event in game.history),
        )

    def to_data(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "saloon_record": VERSION,
            "game": self.game,
            "options": self.options,
            "components": {"name": self.component_name, "hash": self.component_hash},
            "seed": self.seed,
            "stream": self.stream,
            "events": self.events,
        }

    def to_json(self) -> str:
        """One event a line."""
        header = self.to_data()
        del header["events"]
        lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in header.items()]
        events = ",\n".join("  " + json.dumps(event) for event in self.events)
        return "{\n" + "\n".join(lines) + '\n "events": [\n' + events + "\n ]\n}\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> "Record":
        """Read a record; RecordError if it is none. Legality is checked by `replay`."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RecordError(None, f"not JSON: {error}") from error
        try:
            return cls._from_data(data)
        except InputError as error:
            raise RecordError(None, str(error)) from error

    @classmethod
    def _from_data(cls, data: Any) -> "Record":
        top = check.table(data, "", _KEYS)
        check.integer(top["saloon_record"], "saloon_record", VERSION, VERSION)
        components = check.table(top["components"], "components", ("name", "hash"))
        if top["seed"] is not None:
            check.integer(top["seed"], "seed", 0, 2**64 - 1)
        played = game_class(check.text(top["game"], "game"))
        return cls(
            game=played.name,
            options=played.as_kept(check.table(top["options"], "options", ["players"], top["options"])),
            component_name=check.text(components["name"], "components.name"),
            component_hash=check.text(components["hash"], "components.hash"),
            seed=top["seed"],
            stream=check.integer(top["stream"], "stream", 0, 2**64 - 1),
            events=tuple(check.items(top["events"], "events", 0, 100_000)),
        )

    def rules(self, components: Any = None) -> GameRules:
        """The rules it was played by; its component set must be given unless it is the standard one."""
        try:
            rules = game_class(self.game).from_options(self.options, components)
        except InputError as error:
            raise RecordError(None, str(error)) from error
        if rules.component_hash != self.component_hash:
            raise RecordError(
                None,
                f"played with the component set {self.component_name!r} ({self.component_hash[:12]}...), without which "
                f"it cannot be read; this is {rules.component_name!r} ({rules.component_hash[:12]}...)",
            )
        return rules

    def replay(self, components: Any = None) -> Game:
        """Play it again; RecordError names the first entry that cannot be."""
        game = Game(self.rules(components), self.seed, stream=self.stream)
        for index, event in enumerate(self.events):
            try:
                play_plain(game, index, event)
            except InputError as error:
                raise RecordError(index, str(error)) from error
        if len(game.history) > len(self.events):
            missing = game.history[len(self.events)]
            raise RecordError(len(self.events), f"missing: {plain_event(missing)} follows from the seed")
        return game

    def save(self, path: str | Path) -> None:
        Path(path).write_text(self.to_json(), encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> "Record":
        return cls.from_json(Path(path).read_bytes())


def plain_event(event: Event) -> list[Any]:
    """An event as records hold it."""
    match event:
        case Happened(what, outcome):
            return ["chance", what, outcome]
        case Chosen(seat, decision):
            return ["decision", seat, decision.to_list()]


def play_plain(game: Game, index: int, event: Any) -> None:
    """Let event number `index` of a record happen, or see that it is the one that followed from the seed; InputError if
    it cannot be."""
    kind, subject, value = check.items(event, "event", 3, 3)
    if index < len(game.history):  # a chance event that the seed brought about
        expected = plain_event(game.history[index])
        if list(event) != expected:
            raise InputError("event", f"{expected}, which follows from the seed", event)
    elif kind == "chance":
        game.reveal(subject, value)
    elif kind == "decision":
        if type(subject) is not int or subject != game.seat:
            raise InputError("seat", f"{game.seat}", subject)
        game.decide(check.items(value, "decision", 1, 8))
    else:
        raise InputError("event", '"chance" or "decision"', kind)
