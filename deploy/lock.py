"""serving.lock and building.lock: what the image installs, in the versions of requirements.lock, with the hashes of
every file of each version, so that it can be installed on any platform. Run by `make lock`."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
HEADER = "# Made by `make lock`. {what}, for Python {python} or newer on Linux and macOS.\n"
# No options: they could name where the files come from, which is for each machine's pip to know.
PIP_COMPILE = ["--quiet", "--generate-hashes", "--allow-unsafe", "--strip-extras", "--no-header", "--no-annotate"]
PIP_COMPILE += ["--no-emit-options", "--no-emit-index-url", "--no-emit-find-links", "--no-emit-trusted-host"]


def project(folder: Path) -> Any:
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))


def name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement)[0]


def lock(target: Path, what: str, wanted: set[str]) -> None:
    source = target.with_suffix(".in")
    source.write_text("\n".join(sorted(wanted)), encoding="utf-8")
    command = [sys.executable, "-m", "piptools", "compile", *PIP_COMPILE, "-c", str(ROOT / "requirements.lock")]
    target.unlink(missing_ok=True)  # or pip-compile would keep what it holds
    try:
        subprocess.run([*command, "-o", str(target), str(source)], check=True)  # noqa: S603
    finally:
        source.unlink()
    python = ".".join(map(str, sys.version_info[:2]))
    target.write_text(HEADER.format(what=what, python=python) + target.read_text(encoding="utf-8"), encoding="utf-8")


def main() -> None:
    projects = [project(ROOT), project(ROOT / "clients" / "python")]
    own = {each["project"]["name"] for each in projects}
    serving = {line for each in projects for line in each["project"]["dependencies"] if name(line) not in own}
    building = {line for each in projects for line in each["build-system"]["requires"]}
    serving.update(projects[0]["project"]["optional-dependencies"]["postgresql"])  # the image has both databases
    lock(ROOT / "deploy" / "serving.lock", "What serving needs", serving)
    lock(ROOT / "deploy" / "building.lock", "What building the wheels needs", building)


if __name__ == "__main__":
    if sys.version_info[:2] != (3, 11):
        sys.exit("expected Python 3.11, the image's: others may need fewer packages")
    main()
