"""The measurement of hosted tables, in short: its table and its picture are made, of all it measures."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from load.postgres import program

_BEGIN, _END = "<!-- made by make scale-tables: begin -->", "<!-- made by make scale-tables: end -->"


def test_how_tables_grow(tmp_path: Path) -> None:
    if program("postgres") is None:
        pytest.skip("SKIPPED: PostgreSQL is not there; apt-get install postgresql")
    page = tmp_path / "performance.md"
    page.write_text(f"before\n{_BEGIN}\n{_END}\nafter\n", encoding="utf-8")
    few = ["--seconds", "0.5", "--servers", "1", "--tables", "4", "--stored", "50", "--active", "5"]
    command = [sys.executable, "-m", "load.tables", *few, "--docs", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    for store in ("SQLite", "PostgreSQL"):
        assert re.search(rf"\| {store} \| 1 \| 4 \| \d+ \|", text)
        assert re.search(rf"\| {store} \| 1 \| 4, at 70 % \| \d+ \| [\d.]+ ms \| [\d.]+ ms \|  \|", text)
        watched = rf"\| {store} \| 1 \| 4, at 70 %, watched \| \d+ \| [\d.]+ ms \| [\d.]+ ms \| [\d.]+ ms \|"
        assert re.search(watched, text)
        assert re.search(rf"\| {store} \| 1 \| 5 of 50, at 70 % \|", text)
        assert re.search(rf"takes \d+\.\d kB in {store}", text)
    assert text.startswith("before")
    assert text.endswith("after\n")
    assert "<svg" in (tmp_path / "scale-tables.svg").read_text(encoding="utf-8")


def test_what_many_tables_cost(tmp_path: Path) -> None:
    if program("postgres") is None:
        pytest.skip("SKIPPED: PostgreSQL is not there; apt-get install postgresql")
    page = tmp_path / "performance.md"
    what = "make scale-tables, stored"
    page.write_text(f"<!-- made by {what}: begin -->\n<!-- made by {what}: end -->\n", encoding="utf-8")
    command = [sys.executable, "-m", "load.stored", "--tables", "30", "--docs", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"\| a .* \| \d+\.\d\d ms \| \d+\.\d\d ms \|", page.read_text(encoding="utf-8"))) == 10
