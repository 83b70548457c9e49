"""Games in files: the contract's GameRecord as JSON, which every language with protobuf can read."""

import json
import os
from pathlib import Path

from google.protobuf import json_format

from saloon_client.v1 import game_pb2

PLAYED = "saloon_play"  # what `saloon play` keeps beside the fields of a record: how the bots play


def save(record: game_pb2.GameRecord, path: str | os.PathLike[str]) -> None:
    """Write a record. A file that was there before is replaced as a whole or not at all."""
    path = Path(path)
    beside = path.with_name(path.name + ".part")
    beside.write_text(json_format.MessageToJson(record, preserving_proto_field_name=True) + "\n", encoding="utf-8")
    beside.replace(path)


def load_record(path: str | os.PathLike[str]) -> game_pb2.GameRecord:
    """Read a record; ValueError if the file holds none. Whether it can be played again is for the server to say."""
    text = Path(path).read_bytes()
    try:
        data = json.loads(text)
        if not isinstance(data, dict):
            raise ValueError("expected a game record, a JSON object")
        data.pop(PLAYED, None)
        if "saloon_record" in data:
            raise ValueError("a record of the engine; `saloon play` and `saloon suggest` read it, this client does not")
        return json_format.ParseDict(data, game_pb2.GameRecord())
    except (ValueError, RecursionError, json_format.ParseError) as error:
        raise ValueError(f"{path}: {error}") from error
