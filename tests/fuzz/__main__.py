"""`make fuzz`: every target for a while, then what was tried; exits with 1 if anything was found.

What was interesting stays in the folder, so that the next time goes on from there.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.names import CORPUS, LARGEST, NAMES

MISSING = "SKIPPED: fuzzing needs atheris, which cannot be installed for this Python on this machine"
_HANGS = 120  # seconds; reading has a limit of its own, of CPU
_MOST_MEMORY = 2048  # MB of the process, most of it the sanitizer's


@dataclass(frozen=True)
class Tried:
    """What one target came to."""

    name: str
    inputs: int
    rate: int  # inputs a second
    reached: int  # places in Python and, in the debug build, in the compiled core
    kept: int  # inputs that reached something new, or in a new way
    found: Sequence[Path]
    ended: bool  # as it should

    def __str__(self) -> str:
        end = ", ".join(map(str, self.found)) or ("nothing found" if self.ended else "it did not end well: see its log")
        return f"{self.name:12}{self.inputs:10}{self.rate:8}/s{self.reached:9}{self.kept:8}   {end}"


def environment() -> Mapping[str, str]:
    """Where gcc's sanitizers are loaded, the fuzzer's in their place: they tell it what the compiled core did."""
    loaded = os.environ.get("LD_PRELOAD", "")
    if "libasan" not in loaded:
        return os.environ
    spec = find_spec("atheris")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    libraries = [package.parent / "asan_with_fuzzer.so", *package.glob("custom_mutator.*.so")]
    options = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=16"
    return os.environ | {"LD_PRELOAD": " ".join(map(str, libraries)), "ASAN_OPTIONS": options}


def fuzz(name: str, out: Path, limit: str) -> Tried:
    """One target, as long as this argument of libFuzzer says."""
    kept, findings, log = out / name, out / "findings" / f"{name}-", out / f"{name}.log"
    kept.mkdir(parents=True, exist_ok=True)
    findings.parent.mkdir(exist_ok=True)
    before = set(findings.parent.iterdir())
    arguments = [
        limit, f"-max_len={LARGEST}", f"-timeout={_HANGS}", f"-rss_limit_mb={_MOST_MEMORY}",
        f"-artifact_prefix={findings}", "-print_final_stats=1", str(kept),
    ]  # fmt: skip
    arguments += [str(folder) for folder in (CORPUS / name,) if folder.is_dir()]
    with log.open("wb") as file:
        command = [sys.executable, "-m", "tests.fuzz.worker", name, *arguments]
        code = subprocess.run(command, env=environment(), stdout=file, stderr=subprocess.STDOUT).returncode
    text = log.read_text(errors="replace")
    found = sorted(set(findings.parent.iterdir()) - before)
    return Tried(
        name,
        inputs=_last(r"number_of_executed_units: (\d+)", text),
        rate=_last(r"average_exec_per_sec: +(\d+)", text),
        reached=_last(r"cov: (\d+)", text),
        kept=_last(r"corp: (\d+)", text),
        found=found,
        ended=code == 0,
    )


def _last(pattern: str, text: str) -> int:
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(NAMES)}; all if none is named")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: 60)")
    parser.add_argument("--runs", type=int, help="so many inputs for each instead, whatever time they take")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"), help="for what is kept and what is found")
    given = parser.parse_args()
    if not set(given.targets) <= set(NAMES):
        parser.error(f"targets are {', '.join(NAMES)}")
    if find_spec("atheris") is None:
        print(MISSING, file=sys.stderr)
        return 2
    limit = f"-max_total_time={given.seconds}" if given.runs is None else f"-runs={given.runs}"
    tried = []
    for name in given.targets or NAMES:
        tried.append(fuzz(name, given.out.absolute(), limit))
        if not tried[-1].ended:
            print(said(given.out / f"{name}.log"), flush=True)
    print(f"{'target':12}{'inputs':>10}{'rate':>10}{'reached':>9}{'kept':>8}   result")
    print(*tried, sep="\n")
    return 0 if all(one.ended for one in tried) else 1


def said(log: Path) -> str:
    """What came out of the worker once something was found."""
    lines = log.read_text(errors="replace").splitlines()
    start = next((i for i, line in enumerate(lines) if "===" in line or line.startswith("==")), max(0, len(lines) - 20))
    return "\n".join(line[:500] for line in lines[start : start + 60])


if __name__ == "__main__":
    sys.exit(main())
