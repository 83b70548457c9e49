"""Makes the Python code of the contract: `python proto/generate.py [--check]`.

It needs grpcio-tools and mypy-protobuf of the lowest version whose protobuf and grpc the clients support, since
generated code runs with newer ones but never with older ones; `make proto` installs those into a folder of their own.
"""

import argparse
import re
import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from grpc_tools import protoc

ROOT = Path(__file__).parent
TARGET = ROOT.parent / "clients" / "python" / "saloon_client" / "v1"
HEAD = '"""The contract, generated from proto/saloon/v1 by `make proto`."""\n'


def generate(out: Path) -> dict[str, str]:
    """The generated files by name. protoc derives imports from the folders of the proto files; here they are in the
    package of the client."""
    sources = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("saloon/v1/*.proto"))
    flags = [f"--{kind}_out={out}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")]
    include = [f"-I{ROOT}", f"-I{files('grpc_tools') / '_proto'}"]
    if protoc.main(["protoc", *include, *flags, *sources]) != 0:
        sys.exit("protoc failed")
    made = {"__init__.py": HEAD}
    for path in sorted(out.glob("saloon/v1/*.py*")):
        text = re.sub(r"\bsaloon\.v1(?= import|\.\w+_pb2)", "saloon_client.v1", path.read_text(encoding="utf-8"))
        if "_grpc" not in path.name or "Stub" in text:  # nothing for files without services
            made[path.name] = text
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the committed code is up to date")
    check = parser.parse_args().check
    with TemporaryDirectory() as folder:
        made = generate(Path(folder))
    there = {path.name: path.read_text(encoding="utf-8") for path in TARGET.glob("*.py*")} if TARGET.exists() else {}
    stale = sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))
    if check:
        sys.exit(f"out of date, run `make proto`: {', '.join(stale)}" if stale else 0)
    TARGET.mkdir(parents=True, exist_ok=True)
    for name in stale:
        if name in made:
            (TARGET / name).write_text(made[name], encoding="utf-8")
        else:
            (TARGET / name).unlink()


if __name__ == "__main__":
    main()
