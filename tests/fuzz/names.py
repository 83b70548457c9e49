"""What the process that starts the fuzzer has to know; it does not load what is fuzzed."""

from pathlib import Path

NAMES = ("codec", "records", "positions", "components")
BROKEN = "broken"  # whoever finds nothing else must find what is wrong with this one
CORPUS = Path(__file__).parent / "corpus"
LARGEST = 1 << 16  # bytes of an input
