"""Seats that were taken on this machine, with the tokens by which people come back to them."""

import fcntl
import json
import re
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from engine_cy.errors import InputError
from search.kept import write_whole
from server.basics.settings import data_folder


@dataclass(frozen=True)
class Kept:
    """A seat taken at a table: with its token a person comes back to it."""

    seat: int
    token: str

    @classmethod
    def read(cls, path: Path) -> Self:
        try:
            known = json.loads(path.read_bytes())
            return cls(int(known["seat"]), str(known["token"]))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(str(path), "a seat as `saloon join` keeps it", "something else") from error


class KeptSeats(ExitStack):
    """Those of one table. What is played in one terminal is not come back to in another: on one machine several people
    may play, each in a terminal of their own."""

    def __init__(self, table: str) -> None:
        super().__init__()
        if not re.fullmatch(r"[\w-]{1,64}", table):
            raise InputError("link", "a table of letters, digits, '-' and '_'", table)
        self.folder = data_folder() / "seats"
        self.table = table

    def come_back(self, seat: int | None) -> Kept | None:
        """The first that nobody plays just now; or that one."""
        for path in sorted(self.folder.glob(f"{self.table}.*json")):
            kept = Kept.read(path)
            if seat in (None, kept.seat) and self._play(path):
                return kept
        return None

    def keep(self, kept: Kept) -> None:
        """For nobody else to read."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self.folder / f"{self.table}.{kept.seat}.json"
        write_whole(path, (json.dumps(asdict(kept)) + "\n").encode())
        path.chmod(0o600)
        self._play(path)

    def _play(self, path: Path) -> bool:
        """Until this process ends, however it does."""
        file = self.enter_context(path.open("rb"))
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
