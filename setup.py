"""Compile the Cython modules; everything else is in pyproject.toml.

SALOON_MARCH    the processor to compile for, e.g. native or x86-64-v3; unset: any of the platform's
SALOON_DEBUG    1: with bounds checks, AddressSanitizer and UndefinedBehaviorSanitizer (see `make test-debug`)
SALOON_COMPILE  0: compile nothing, because `make` does, and only what changed
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

debug = os.environ.get("SALOON_DEBUG") == "1"
march = os.environ.get("SALOON_MARCH", "")
flags = (
    [
        *("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-fno-omit-frame-pointer"),
        *("-fsanitize-coverage=trace-pc", "-include", "tests/fuzz/coverage.h"),  # for `make fuzz`
    ]
    if debug
    else ["-O3"]
)
flags += [f"-march={march}"] if march else []
flags += ["-ffp-contract=off"]  # a search must give the same answer on every machine, to the last bit
flags += ["-Wno-unused-function"]  # no module calls every inline function of the .pxd files it uses

# Training needs a clone, where everything is built in place; wheels hold what runs.
folders = ("engine_cy", "search", *(("learning",) if "--inplace" in sys.argv else ()))


def extensions() -> list[Extension]:
    return cythonize(
        [
            Extension(
                ".".join(path.with_suffix("").parts),
                [str(path)],
                extra_compile_args=flags,
                # The sanitizers' libraries are loaded before Python, not linked: the fuzzer brings others than gcc.
            )
            for folder in folders
            for path in sorted(Path(folder).rglob("*.pyx"))
        ],
        build_dir="build/cython",
        language_level=3,
        compiler_directives={
            "boundscheck": debug,
            "wraparound": debug,
            "initializedcheck": debug,
            "cdivision": True,
            "auto_pickle": False,
        },
    )


setup(
    ext_modules=[] if os.environ.get("SALOON_COMPILE") == "0" else extensions(),
    options={"build_ext": {"parallel": os.cpu_count()}},
)
