"""One target under atheris, in a process of its own: the name of the target, then arguments of libFuzzer."""

import sys
from random import Random

import atheris


def main() -> None:
    name, *arguments = sys.argv[1:]
    with atheris.instrument_imports(include=["engine_cy", "wire", "server.rules"], enable_loader_override=False):
        from tests.fuzz.targets import TARGETS
    target = TARGETS[name]

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        """Most often a change that keeps the form, else any of bytes."""
        chance = Random(seed)
        new = target.mutate(bytes(data), chance) if chance.randrange(8) else None
        return bytes(atheris.Mutate(data, most)) if new is None else new[:most]

    def one(data: bytes) -> None:
        target.run(data)

    atheris.Setup([sys.argv[0], *arguments], one, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
