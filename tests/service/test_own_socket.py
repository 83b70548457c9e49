"""The socket by which a process calls itself."""

import os
import socket
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from server.process.own_socket import OwnSocket


def test_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a killed server left is removed, but nothing of one that may be alive."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with ExitStack() as stack:
        for name in ("gone", "new", "alive"):
            path = tmp_path / f"saloon-own-{name}" / "socket"
            path.parent.mkdir()
            bound = stack.enter_context(socket.socket(socket.AF_UNIX))
            bound.bind(str(path))
            if name == "alive":
                bound.listen()
            if name != "new":
                os.utime(path, (0, 0))
        own = OwnSocket()
        assert Path(own.address.removeprefix("unix:")).parent.stat().st_mode & 0o777 == 0o700
        own.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["saloon-own-alive", "saloon-own-new"]
