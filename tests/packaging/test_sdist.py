"""A source distribution holds all it takes to build and run: Cython sources, stubs, component data."""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
FOLDERS = ("engine_cy", "pictures", "search", "wire", "server", "saloon", "benchmarks")
SHIPPED = {".py", ".pyx", ".pxd", ".pyi", ".toml", ".json", ".typed"}


def test_the_source_distribution_is_whole(tmp_path: Path) -> None:
    tree, out = tmp_path / "tree", tmp_path / "out"
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("*.so", "__pycache__", "strength"))
    for name in ("setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    code = f"from setuptools import build_meta; build_meta.build_sdist({str(out)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=tree, check=True, capture_output=True, timeout=300)
    (archive,) = out.iterdir()
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    sources = {
        path.relative_to(tree).as_posix()
        for folder in FOLDERS
        for path in (tree / folder).rglob("*")
        if path.suffix in SHIPPED or path.name == "py.typed"
    }
    assert sources - names == set()
    assert {"setup.py", "pyproject.toml", "LICENSE"} <= names
