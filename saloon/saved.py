"""Games that `saloon play` keeps: a record, and how it is played, in one file; and where such files are."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from saloon_client.records import PLAYED
from saloon_client.v1 import game_pb2

from engine_cy.component_sets import ComponentSets
from engine_cy.errors import InputError
from saloon.connecting import read_record
from search.kept import write_whole
from server.basics.settings import data_folder


@dataclass(frozen=True)
class Played:
    """How a person plays against bots."""

    level: str = "5"
    time: str = "500ms"
    seat: int = 0


def games_folder() -> Path:
    return data_folder() / "games"


def new_path(game: str, seed: int) -> Path:
    """A file that is not there yet, in the folder of games."""
    folder = games_folder()
    folder.mkdir(parents=True, exist_ok=True)
    number, path = 1, folder / f"{game}-{seed}.json"
    while path.exists():
        number += 1
        path = folder / f"{game}-{seed}-{number}.json"
    return path


def found(path: Path) -> Path:
    """The file meant: as it is said, or by its name in the folder of games."""
    kept = games_folder() / path
    return kept if not path.exists() and path.name == str(path) and kept.exists() else path


def keep(record: game_pb2.GameRecord, played: Played, path: Path) -> None:
    """A file that was there before is replaced as a whole or not at all."""
    data = json_format.MessageToDict(record, preserving_proto_field_name=True)
    write_whole(path, (json.dumps({PLAYED: asdict(played), **data}, indent=1) + "\n").encode())


def read(path: Path, sets: ComponentSets) -> tuple[game_pb2.GameRecord, dict[str, Any]]:
    """The record, and what the file says of how it was played: nothing if something else wrote it."""
    record = read_record(path, sets)
    said = json.loads(path.read_bytes()).get(PLAYED, {})
    known = asdict(Played())
    if not isinstance(said, dict) or any(type(value) is not type(known.get(name)) for name, value in said.items()):
        raise InputError(f"{path}: {PLAYED}", f"an object with {', '.join(known)}", said)
    return record, said
