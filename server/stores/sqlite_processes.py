# May know: nothing else of Saloon.
"""Which of the processes that share a file are alive.

Each holds a lock on a file of its own beside it, which the system takes away when the process ends, however it does.
Locks hold among containers that share a folder, where numbers of processes mean nothing.
"""

import fcntl
import os
import secrets
from contextlib import suppress
from pathlib import Path


class Processes:
    """This one and its fellows."""

    def __init__(self, database: Path) -> None:
        self._prefix = f"{database.name}-process-"
        self._folder = database.parent
        self._lock: int | None = None
        self.me = secrets.token_hex(8)

    def begin(self) -> None:
        """From now on this process is alive. What those have left that were killed is removed."""
        for file in self._folder.glob(f"{self._prefix}*"):
            self.alive(file.name.removeprefix(self._prefix))
        # It gets its name when it is locked, so that nobody takes it for one of the dead.
        new = self._folder / f".{self._prefix}{self.me}"
        self._lock = os.open(new, os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        new.rename(self._file(self.me))

    def end(self) -> None:
        if self._lock is not None:
            self._file(self.me).unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = None

    def alive(self, name: str) -> bool:
        """Whether the process of this name is; a look at it removes what is left of one that is not."""
        if name == self.me:
            return self._lock is not None
        file = self._file(name)
        try:
            found = os.open(file, os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(found, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(found)
        with suppress(OSError):
            file.unlink(missing_ok=True)
        return False

    def _file(self, name: str) -> Path:
        return self._folder / f"{self._prefix}{name}"
