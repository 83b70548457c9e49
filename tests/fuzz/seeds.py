"""Where fuzzing begins: run as a module, it writes the files of the corpus that can be made; those that fuzzing found
have other names and stay."""

import json
from collections.abc import Iterator

from saloon_client.v1 import bots_pb2, game_pb2, rules_pb2

from engine_cy import Game, Generator
from engine_cy.goldgraeber.components import STANDARD as GOLDEN_CITY
from engine_cy.moon_river.components import STANDARD
from tests.fuzz.codec import METHODS
from tests.fuzz.names import CORPUS
from tests.fuzz.plain import TABLES
from tests.golden.games import FOLDER as GOLDEN
from tests.tables import DATA, advance
from wire.writing import Writer, position_message

Seed = tuple[str, bytes]
_RECORDS = (
    "moon_river-2", "moon_river-3-gold_rush", "moon_river-4-scarce-legends", "goldgraeber-3-tiny-prospecting",
    "goldgraeber-4-prospecting",
)  # fmt: skip
_REQUESTS = ("moon_river-2", "moon_river-4-legends", "goldgraeber-4-prospecting")


def records() -> Iterator[Seed]:
    for name in _RECORDS:
        yield f"{name}.json", (GOLDEN / f"{name}.json").read_bytes()
    start = json.loads((GOLDEN / "moon_river-2.json").read_bytes()) | {"events": []}
    yield "deep.json", b"[" * 5000
    yield "long-number.json", b'{"seed": ' + b"1" * 5000 + b"}"
    yield "no-text.json", b"\xff\xfe{"
    yield "nothing.json", b""
    yield "half-a-character.json", json.dumps(start | {"\ud800": 1}).encode()
    yield "unseeded.json", json.dumps(start | {"seed": None, "events": [["chance", "saloon", ["\ud800"]]]}).encode()
    yield "long-key.json", json.dumps(start | {"x" * 2000: 1}).encode()


def positions() -> Iterator[Seed]:
    """A position of every phase of both games, and the last one of every table."""
    seen = set()
    for name, rules in TABLES.items():
        game, chooser = Game(rules, 3), Generator(3, stream=1)
        while not game.over:
            if (rules.name, game.phase) not in seen:
                seen.add((rules.name, game.phase))
                yield f"{name}-{game.phase}.json", _position(name, game)
            advance(game, chooser, 1)
        if name.count("-") > 1:
            yield f"{name}-over.json", _position(name, game)
    start = {"table": "moon_river-3", "position": Game(TABLES["moon_river-3"], 3).position()}
    yield "no-table.json", json.dumps(start | {"position": 5}).encode()
    yield "deep.json", b'{"table": "moon_river-3", "position": {"game": ' + b"[" * 900 + b"]" * 900 + b"}}"


def _position(name: str, game: Game) -> bytes:
    return json.dumps({"table": name, "position": game.position()}, separators=(",", ":")).encode()


def components() -> Iterator[Seed]:
    for path in (STANDARD, GOLDEN_CITY, DATA / "crowded.toml", DATA / "scarce.toml", DATA / "tiny_golden.toml"):
        yield path.name, path.read_bytes()
    yield "deep.toml", b"a=" + b"[" * 5000
    yield "long-key.toml", b"a" + b".a" * 8_000 + b"=1"
    yield "long-number.toml", b"a=" + b"1" * 5000
    yield "no-text.toml", b"\xff"
    yield "nothing.toml", b""


def requests() -> Iterator[Seed]:
    for name in _REQUESTS:
        rules = TABLES[name]
        assert rules.printed
        for decisions, form in ((4, "record"), (40, "position")):
            game = advance(Game(rules, 4), Generator(4, stream=1), decisions)
            event = Writer().event(rules, advance(game.copy(), Generator(5), 1).history[len(game.history)])
            record = Writer().record(game)
            situation = (
                game_pb2.Situation(record=record)
                if form == "record"
                else game_pb2.Situation(position=position_message(rules, game.state))
            )
            messages = (
                rules_pb2.NewGameRequest(options=record.options, seed=4),
                rules_pb2.ApplyRequest(situation=situation, events=[event]),
                rules_pb2.ReplayRequest(record=record, events=3, seat=1),
                rules_pb2.RenderRequest(situation=situation, seat=1),
                bots_pb2.SuggestRequest(
                    situation=situation,
                    bot=bots_pb2.BotSettings(level="max", seed=1, search=bots_pb2.SearchSettings(exploration=1.0)),
                    budget=bots_pb2.Budget(iterations=3),
                    evaluate=[event.chosen.decision],
                ),
            )
            for message in messages:
                method = type(message).__name__.removesuffix("Request")
                yield f"{name}-{form}-{method}", bytes([METHODS[method]]) + message.SerializeToString()
    empty = rules_pb2.ScoreRequest()
    empty.situation.record.options.moon_river.players = 4
    empty.situation.record.events.extend([game_pb2.Event()] * 2001)
    yield "many-events", bytes([METHODS["Score"]]) + empty.SerializeToString()
    yield "no-message", bytes([METHODS["Score"]]) + b"\xff" * 9


_MADE = {"codec": requests, "records": records, "positions": positions, "components": components}


def main() -> None:
    for name, make in _MADE.items():
        folder = CORPUS / name
        folder.mkdir(parents=True, exist_ok=True)
        for file, data in make():
            (folder / file).write_bytes(data)


if __name__ == "__main__":
    main()
