"""A small disk of its own for a program, in memory and in a namespace that ends with us: it can be really full."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NEEDED = ("unshare", "nsenter", "mount")


class NoDisk(Exception):
    """This machine does not let us have one, and says why."""


class Disk:
    """What runs by its command finds it at `path`; nobody else sees it there."""

    def __init__(self, path: Path, pid: int) -> None:
        self.path, self._pid = path, pid

    @property
    def command(self) -> list[str]:
        """Before the words of a program that shall have it."""
        enter = ["nsenter", f"--target={self._pid}", "--mount"]
        if os.geteuid() == 0:
            return enter
        # In there we are root, as which not all programs run.
        return [*enter, "--user", "--preserve-credentials", "unshare", "--user", "--map-user=1000"]

    def seen(self, path: Path) -> Path:
        """The way to it for us."""
        return Path(f"/proc/{self._pid}/root{path}")

    def fill(self) -> None:
        """Until not a byte more fits."""
        with self.seen(self.path / "balloon").open("ab", buffering=0) as file:
            for size in (1 << 20, 1 << 12, 1):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise

    def free(self) -> None:
        self.seen(self.path / "balloon").unlink(missing_ok=True)


@contextmanager
def small_disk(path: Path, megabytes: int) -> Iterator[Disk]:
    """So large, until the block ends; NoDisk. Nothing is left behind if we are killed, either."""
    missing = [name for name in _NEEDED if shutil.which(name) is None]
    if missing:
        raise NoDisk(f"not there: {', '.join(missing)}")
    path.mkdir()
    path.chmod(0o755)
    # It ends when its standard input does.
    work = f'mount -t tmpfs -o size={megabytes}m,mode=0777 tmpfs "$1" && echo ready && cat'
    own = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    holder = subprocess.Popen(
        ["unshare", *own, "--mount", "sh", "-c", work, "sh", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stderr is not None
        try:
            if holder.stdout.readline() != "ready\n":
                raise NoDisk(" ".join(holder.stderr.read().split()))
            yield Disk(path, holder.pid)
        finally:
            holder.kill()
