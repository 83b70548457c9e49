"""What the image installs is locked with hashes, and the locks agree with what the projects ask for."""

import re
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name as canonical
from packaging.version import Version

ROOT = Path(__file__).parent.parent.parent
PROJECTS = [
    tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    for folder in (ROOT, ROOT / "clients" / "python")
]
OWN = {each["project"]["name"] for each in PROJECTS}
SERVING = [line for each in PROJECTS for line in each["project"]["dependencies"]]
SERVING += PROJECTS[0]["project"]["optional-dependencies"]["postgresql"]  # the image has both databases
BUILDING = [line for each in PROJECTS for line in each["build-system"]["requires"]]
LOCKS = {"serving": SERVING, "building": BUILDING}
# The image's Python, whatever this one is.
PYTHON = {"extra": "", "python_version": "3.11", "python_full_version": "3.11.14"}


def text(name: str) -> str:
    return (ROOT / "deploy" / f"{name}.lock").read_text(encoding="utf-8")


def locked(name: str) -> dict[str, tuple[str, list[str]]]:
    """Version and hashes of everything in a lock."""
    lines = re.sub(r"\\\n", "", text(name)).splitlines()
    found: dict[str, tuple[str, list[str]]] = {}
    for line in (line for line in lines if line and not line.startswith("#")):
        requirement, *hashes = line.split()
        package, version = requirement.split("==")
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", each) for each in hashes), line
        found[canonical(package)] = (version, hashes)
    return found


def development() -> dict[str, str]:
    """Versions of requirements.lock."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines)
    return {canonical(name): version for name, version in pairs}


def needed(lines: list[str]) -> set[str]:
    """Everything that is installed with these, as the packages here say themselves."""
    found: set[str] = set()
    seen: set[str] = set()
    waiting = [(Requirement(line), "") for line in lines]  # each for an extra of whoever asks, or for none
    while waiting:
        each, extra = waiting.pop()
        name = canonical(each.name)
        if name in OWN or str(each) in seen or (each.marker and not each.marker.evaluate({**PYTHON, "extra": extra})):
            continue
        seen.add(str(each))
        found.add(name)
        waiting += [(Requirement(line), asked) for line in requires(name) or () for asked in ("", *each.extras)]
    return found


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_what_is_needed_and_no_more(name: str) -> None:
    assert set(locked(name)) == needed(LOCKS[name])


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_fits_what_the_projects_ask_for(name: str) -> None:
    for line in LOCKS[name]:
        wanted = Requirement(line)
        if wanted.name not in OWN:
            assert wanted.specifier.contains(locked(name)[canonical(wanted.name)][0]), line


@pytest.mark.parametrize("name", LOCKS)
def test_the_image_has_the_versions_that_are_tested(name: str) -> None:
    tested = development()
    assert {package: version for package, (version, _) in locked(name).items()}.items() <= tested.items()


@pytest.mark.parametrize("name", LOCKS)
def test_every_platform_s_file_has_a_hash(name: str) -> None:
    """A source distribution and a wheel at least; what is compiled has wheels for every platform."""
    for package, (_, hashes) in locked(name).items():
        compiled = package in ("grpcio", "protobuf", "pydantic-core", "cython")
        assert len(set(hashes)) == len(hashes) >= (8 if compiled else 2), package


@pytest.mark.parametrize("file", ["deploy/serving.lock", "deploy/building.lock", "requirements.lock"])
def test_locks_do_not_say_where_files_come_from(file: str) -> None:
    """That is for each machine's pip to know."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if "://" in line or re.match(r"\s*-(?!-hash=)", line)]


def test_pip_installs_nothing_without_a_hash() -> None:
    """In the image, and for everything that serves in a clone; the wheels made there are the only exception."""
    image = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    calls = re.findall(r"pip (?:install|wheel) [^&\n]*", image)
    assert len(calls) == 4
    for call in calls:
        assert "--require-hashes -r deploy/" in call or "--no-deps" in call, call
    make = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "LOCKS := deploy/building.lock deploy/serving.lock\n" in make
    assert "--require-hashes $(addprefix -r ,$(LOCKS))" in make


# ---- protobuf: 6.33.5 is the first that does not end the process at deeply nested JSON (CVE-2026-0994)

SAFE = Version("6.33.5")


def test_protobuf_is_nowhere_older_than_is_safe() -> None:
    asked = [Requirement(line) for line in SERVING if Requirement(line).name == "protobuf"]
    assert len(asked) == len(PROJECTS)
    for each in asked:
        assert not each.specifier.contains("6.33.4"), each
        assert each.specifier.contains(SAFE), each
    assert Version(locked("serving")["protobuf"][0]) >= SAFE
    assert Version(development()["protobuf"]) >= SAFE


def test_generated_code_runs_with_the_oldest_versions() -> None:
    """It runs with what made it and all that is newer."""
    folder = ROOT / "clients" / "python" / "saloon_client" / "v1"
    made = [path.read_text(encoding="utf-8") for path in folder.glob("*_pb2.py")]
    assert made
    for each in made:
        found = re.search(r"^# Protobuf Python Version: (\S+)$", each, re.MULTILINE)
        assert found
        assert Version(found[1]) <= SAFE
    stubs = [path.read_text(encoding="utf-8") for path in folder.glob("*_pb2_grpc.py")]
    for each in stubs:
        found = re.search(r"^GRPC_GENERATED_VERSION = '(\S+)'$", each, re.MULTILINE)
        assert found
        for line in SERVING:
            if Requirement(line).name == "grpcio":
                assert Requirement(line).specifier.contains(found[1]), line
    tools = re.search(r"grpcio-tools==(\S+)", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert tools
    assert all(f"GRPC_GENERATED_VERSION = '{tools[1]}'" in each for each in stubs)
