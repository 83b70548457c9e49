"""Who imports whom: folders and rooms know what the tables of docs/architecture.md say, and few files know gRPC."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
TABLES = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
GRPC = re.compile(r"grpc|google\.rpc|saloon_client\.v1\.\w+_pb2_grpc")
SERVICE = "service.py"  # of a room: it has the shape that gRPC wants, and knows of calls


def known(table: str) -> dict[str, set[str]]:
    """What each folder of a table may know: its second column."""
    rows = re.findall(
        r"^\| `([\w/]+)/` \|([^|]*)\|", TABLES.partition(f"\n## {table}\n")[2].partition("\n## ")[0], re.M
    )
    return {name.replace("clients/python", "saloon_client"): set(re.findall(r"\w+", row)) for name, row in rows}


FOLDERS, ROOMS = known("Folders"), known("Inside server")


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)


def files(folder: Path) -> list[Path]:
    found = sorted([*folder.rglob("*.py"), *folder.rglob("*.pyi")])
    assert found
    return found


@pytest.mark.parametrize("folder", [name for name in FOLDERS if any((ROOT / name).glob("*.py"))])
def test_folders_know_what_they_may(folder: str) -> None:
    for file in files(ROOT / folder):
        others = {name.partition(".")[0] for name in imports(file)} & FOLDERS.keys() - {folder}
        assert others <= FOLDERS[folder], file


def about(file: Path) -> set[str]:
    """The folders, rooms and gRPC that a file of the server imports."""
    found = set()
    for name in imports(file):
        folder, room = [*name.split("."), ""][:2]
        found |= {"gRPC"} if GRPC.match(name) else set()
        found |= {room} if folder == "server" else {folder} & FOLDERS.keys()
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_files_of_the_server_know_what_they_say_and_rooms_what_they_may(room: str) -> None:
    folder = ROOT / "server" / room
    for file in files(folder):
        allowed = FOLDERS["server"] | ROOMS[room] | ({"calls"} if file.name == SERVICE else set())
        if room in ("calls", "process") or file.name == SERVICE:
            allowed |= {"gRPC"}
        if file.name != "__init__.py":
            line = file.read_text(encoding="utf-8").partition("\n")[0]
            assert line.startswith("# May know: "), file
            said = set(re.findall(r"\w+", line)) & {*ROOMS, *FOLDERS, "gRPC"}
            assert said <= allowed, file
            allowed = said
        assert about(file) - {room} <= allowed, file


def test_every_folder_is_in_the_tables() -> None:
    assert {path.parent.name for path in (ROOT / "server").glob("*/__init__.py")} == ROOMS.keys()
    assert {path.parent.name for path in ROOT.glob("*/__init__.py")} <= FOLDERS.keys()


@pytest.mark.parametrize("table", [FOLDERS, ROOMS])
def test_nobody_knows_who_comes_after(table: dict[str, set[str]]) -> None:
    names = list(table)
    for index, name in enumerate(names):
        assert table[name] <= {*names[:index]}, name


def test_nothing_below_the_server_knows_grpc() -> None:
    for folder in ("engine_cy", "pictures", "search", "wire"):
        for file in files(ROOT / folder):
            assert "gRPC" not in about(file), file
