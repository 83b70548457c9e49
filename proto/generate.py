"""Makes the code of the contract for the clients: `python proto/generate.py [--check]`.

For Python it needs grpcio-tools and mypy-protobuf of the lowest version whose protobuf and grpc the clients support,
since generated code runs with newer ones but never with older ones; `make proto` installs those into a folder of their
own. For TypeScript it needs what `npm ci` installs in clients/typescript, and does without it if that is not there.
"""

import argparse
import re
import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from grpc_tools import protoc

ROOT = Path(__file__).parent
CLIENTS = ROOT.parent / "clients"
PYTHON = CLIENTS / "python" / "saloon_client" / "v1"
HEAD = '"""The contract, generated from proto/saloon/v1 by `make proto`."""\n'
TYPESCRIPT = CLIENTS / "typescript" / "src" / "gen"
PLUGIN = CLIENTS / "typescript" / "node_modules" / ".bin" / "protoc-gen-es"
DETAILS = "google/rpc/error_details.proto"  # what errors carry; the Python client has it from a package

Files = dict[str, str]  # by their names in their target


def run(sources: list[str], *flags: str) -> None:
    # `google` is a package in several places: one holds the common types, another those of errors.
    include = [f"-I{ROOT}", f"-I{files('grpc_tools') / '_proto'}", f"-I{files('google.rpc') / '..' / '..'}"]
    if protoc.main(["protoc", *include, *flags, *sources]) != 0:
        sys.exit("protoc failed")


def contract() -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("saloon/v1/*.proto"))


def python(out: Path) -> Files:
    """protoc derives imports from the folders of the proto files; here they are in the package of the client."""
    run(contract(), *(f"--{kind}_out={out}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")))
    made = {"__init__.py": HEAD}
    for path in sorted(out.glob("saloon/v1/*.py*")):
        text = re.sub(r"\bsaloon\.v1(?= import|\.\w+_pb2)", "saloon_client.v1", path.read_text(encoding="utf-8"))
        if "_grpc" not in path.name or "Stub" in text:  # nothing for files without services
            made[path.name] = text
    return made


def typescript(out: Path) -> Files:
    options = "--es_opt=target=ts,import_extension=js"
    run([*contract(), DETAILS], f"--plugin=protoc-gen-es={PLUGIN}", f"--es_out={out}", options)
    return {path.relative_to(out).as_posix(): path.read_text(encoding="utf-8") for path in out.rglob("*.ts")}


def stale(target: Path, made: Files) -> list[str]:
    there = {
        path.relative_to(target).as_posix(): path.read_text(encoding="utf-8")
        for path in target.rglob("*.*")
        if path.suffix in (".py", ".pyi", ".ts")
    }
    return sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the committed code is up to date")
    check = parser.parse_args().check
    makers = {PYTHON: python}
    if PLUGIN.exists():
        makers[TYPESCRIPT] = typescript
    else:
        print("SKIPPED: the contract's TypeScript needs npm (Node.js)", file=sys.stderr)
    old = []
    for target, maker in makers.items():
        with TemporaryDirectory() as folder:
            made = maker(Path(folder))
        for name in stale(target, made):
            path = target / name
            old.append(str(path.relative_to(CLIENTS)))
            if not check and name in made:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(made[name], encoding="utf-8")
            elif not check:
                path.unlink()
    if check:
        sys.exit(f"out of date, run `make proto`: {', '.join(old)}" if old else 0)


if __name__ == "__main__":
    main()
