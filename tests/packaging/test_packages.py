"""Source distributions build, wheels hold what runs and no more, and what is installed from them serves."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from saloon.launching import SALOON, Server, serve
from saloon.ports import free_port

pytestmark = pytest.mark.xdist_group("packaging")  # so that they are built once

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("engine_cy", "pictures", "saloon", "search", "server", "wire")
CLIENT = Path("clients", "python")
NOTHING_MADE = shutil.ignore_patterns("*.so", "__pycache__", "*.egg-info", "build")
SHIPPED = {".py", ".pyi", ".pxd", ".toml", ".json", ".network", ".html", ".js", ".css", ".svg", ".txt"}
ASK = """
import sys
from saloon_client import Client, moon_river
with Client(sys.argv[1]) as saloon:
    print(saloon.suggest(saloon.new_game(moon_river(players=3), seed=1), iterations=50).iterations)
"""


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make dist` makes: the wheels are built from the source distributions."""
    tree = tmp_path_factory.mktemp("packaging") / "tree"
    for folder in (*PACKAGES, CLIENT):
        shutil.copytree(ROOT / folder, tree / folder, ignore=NOTHING_MADE)
    for name in ("setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    env = {name: value for name, value in os.environ.items() if not name.startswith("SALOON_")}
    for project in (".", CLIENT):
        # Nice, since others are measuring times.
        build = ["nice", sys.executable, "-m", "build", "--no-isolation", "--outdir", "dist", project]
        subprocess.run(build, cwd=tree, env=env, check=True, capture_output=True, timeout=900)
    return tree / "dist"


def run(*arguments: str, python: str = sys.executable, cwd: Path | None = None) -> str:
    done = subprocess.run([python, *arguments], cwd=cwd, check=True, stdout=subprocess.PIPE, text=True, timeout=600)
    return done.stdout


def files(folder: Path, *packages: str) -> set[str]:
    found = [path for package in packages for path in (folder / package).rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix() for path in found}


def test_groups_are_kept_together(request: pytest.FixtureRequest) -> None:
    """Else each worker builds everything."""
    if request.config.getoption("loadgroup", False):
        assert request.node.nodeid.endswith("@packaging")


def test_source_distributions_are_whole(dist: Path) -> None:
    """Cython sources, stubs, component data: all it takes to build and run."""
    (archive,) = dist.glob("saloon_server-*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {member.name.partition("/")[2] for member in tar.getmembers() if member.isfile()}
    assert files(dist.parent, *PACKAGES) - names == set()
    assert {"setup.py", "pyproject.toml", "LICENSE"} <= names
    assert not [name for name in names if name.endswith((".c", ".so"))]


def test_wheels_hold_what_runs_and_no_more(dist: Path) -> None:
    (server,), (client,) = dist.glob("saloon_server-*.whl"), dist.glob("saloon_client-*.whl")
    held = set(zipfile.ZipFile(server).namelist())
    sources = files(dist.parent, *PACKAGES)
    wanted = {name for name in sources if Path(name).suffix in SHIPPED or name.endswith("py.typed")}
    made = {name.partition(".")[0] for name in held if name.endswith(".so")}
    assert made == {name.removesuffix(".pyx") for name in sources if name.endswith(".pyx")}
    assert {name for name in held if ".dist-info/" not in name and not name.endswith(".so")} == wanted
    assert {name.partition("/")[0].partition("-")[0] for name in zipfile.ZipFile(client).namelist()} == {
        "saloon_client"
    }


def test_what_is_installed_from_wheels_serves(dist: Path, tmp_path: Path) -> None:
    """In an empty environment, outside the clone, as the image installs it: what others made from the lock with hashes,
    then ours and nothing else. And there the extras can be added by the project's name."""
    run("-m", "venv", str(tmp_path))
    python = str(tmp_path / "bin" / "python")
    pip = ("-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    run(*pip, "--require-hashes", "-r", str(ROOT / "deploy" / "serving.lock"), python=python)
    run(*pip, "--no-index", "--no-deps", *map(str, dist.glob("*.whl")), python=python)
    run("-m", "pip", "check", python=python)
    port = free_port()
    command = serve(port, tmp_path / "tables.sqlite")[len(SALOON) :]
    server = Server([str(tmp_path / "bin" / "saloon"), *command], port)
    try:
        server.start()
        assert run("-c", ASK, server.address, python=python, cwd=tmp_path) == "50\n"
    finally:
        server.kill()
    run(*pip, "--no-index", "--no-deps", "saloon-server[cluster]", python=python)


def test_nobody_is_sent_to_an_index_for_saloon() -> None:
    """Neither project is published: pip is given paths, or names of what these paths have brought."""
    pages = [ROOT / "README.md", ROOT / CLIENT / "README.md", *(ROOT / "docs").glob("*.md")]
    lines = [line for page in pages for line in re.findall(r"pip install ([^`#\n]+)", page.read_text(encoding="utf-8"))]
    assert lines
    for line in lines:
        assert line.split()[0] in ("./clients/python", "dist/*.whl", "--require-hashes"), line
