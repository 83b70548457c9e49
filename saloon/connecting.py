"""How commands reach a server, the same for all of them, and the little they share about times and files."""

import json
from pathlib import Path
from typing import Annotated

import typer
from saloon_client import Client, load_record
from saloon_client.v1 import game_pb2

from engine_cy.component_sets import ComponentSets
from engine_cy.errors import InputError
from engine_cy.records import Record
from search.settings import parse_time
from wire.naming import naming
from wire.writing import Writer

DEFAULT_ADDRESS = "localhost:50051"

RECORD = "A game record. Of a game that a seed deals, options and a seed are enough of one."

Address = Annotated[str, typer.Option(envvar="SALOON_ADDRESS", help="Where the server is.")]
Token = Annotated[str | None, typer.Option(envvar="SALOON_TOKEN", help="The access token, if the server asks for one.")]
TlsCa = Annotated[Path | None, typer.Option(help="Certificates of the authorities to trust (PEM), for TLS.")]
Insecure = Annotated[bool, typer.Option("--insecure", help="Do without TLS to another machine.")]


def seconds(text: str, field: str = "time") -> float:
    """`500ms`, `1s`, `1.5`, `2min` in seconds."""
    found = parse_time(text)
    if found is None:
        raise InputError(field, "a time such as 500ms, 1s or 2min", text)
    return found


def connect(address: str, token: str | None, tls_ca: Path | None, insecure: bool) -> Client:
    try:
        return Client(address, token=token or None, root_certificates=tls_ca, insecure=insecure)
    except ValueError as error:
        raise InputError("address", str(error), address) from error


def read_record(path: Path, sets: ComponentSets) -> game_pb2.GameRecord:
    """A record in a file, the contract's as JSON or the engine's own."""
    text = path.read_bytes()
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(str(path), "a game record in JSON; options and a seed are enough", "something else") from error
    if isinstance(data, dict) and "saloon_record" in data:
        kept = Record.from_json(text)
        with naming(str(path)):
            components = sets.find(kept.game, kept.component_hash, kept.component_name)
        return Writer().record(kept.replay(components))
    try:
        return load_record(path)
    except ValueError as error:
        raise InputError(str(path), "a game record in JSON", str(error)) from error
