# May know: basics.
"""The socket by which a process calls itself: in a folder that only its user may enter."""

import shutil
import socket
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from time import time

from server.basics.settings import ConfigError

_PREFIX, _NAME = "saloon-own-", "socket"
_OLD_SECONDS = 10.0  # before that its process may be about to listen


class OwnSocket:
    """A place for it, until it is closed. What processes left that were killed is removed."""

    def __init__(self) -> None:
        for other in Path(gettempdir()).glob(f"{_PREFIX}*"):
            if _nobody_listens(other / _NAME):
                shutil.rmtree(other, ignore_errors=True)
        try:
            self._folder = TemporaryDirectory(prefix=_PREFIX)
        except OSError as error:
            raise ConfigError(f"temporary folder: {error}") from error

    @property
    def address(self) -> str:
        return f"unix:{self._folder.name}/{_NAME}"

    def close(self) -> None:
        self._folder.cleanup()


def _nobody_listens(path: Path) -> bool:
    """Whether there is a socket of one who is gone; False where that cannot be told, such as another user's."""
    with socket.socket(socket.AF_UNIX) as caller, suppress(OSError):
        caller.setblocking(False)  # who is alive may be busy
        if time() - path.stat().st_mtime < _OLD_SECONDS:
            return False
        try:
            caller.connect(str(path))
        except ConnectionRefusedError:
            return True
    return False
