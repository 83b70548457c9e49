# May know: nothing else of Saloon.
"""Games that are over, and what is kept of a person, in a SQLite file."""

import json
from collections.abc import Sequence

from server.stores import shelves, sqlite_rows
from server.stores.games import NOBODY, Ended, Person, WantedGames
from server.stores.sqlite import SqliteFile
from server.stores.tables import Stored
from server.stores.words import read_seats, seats_text

_AT_ONCE = 5000  # games that are looked through in one go
_TABLES_OF_ACCOUNT = """
    SELECT id FROM tables WHERE owner = :account OR account = :account
    UNION SELECT table_id FROM seats WHERE account = :account
"""
_TABLES_OF_NAME = "SELECT DISTINCT table_id FROM seats WHERE name = :name"
_GAMES_OF_ACCOUNT = "SELECT id FROM people JOIN games ON id = table_id WHERE people.account = :account"
_GAMES_OF_NAME = """
    SELECT id FROM games WHERE number > :above AND number <= :above + :most AND EXISTS (
        SELECT * FROM json_each(games.seats) WHERE json_extract(value, '$.name') = :name)
"""


class SqliteGames:
    """See `Games`."""

    def __init__(self, file: SqliteFile) -> None:
        self.file = file

    async def finished(self, wanted: WantedGames, after: Ended | None, count: int) -> Sequence[Stored]:
        return await self.file.do(self._finished, wanted, after, count)

    async def tables_of(self, person: Person) -> Sequence[str]:
        sql = _TABLES_OF_NAME if person.account is None else _TABLES_OF_ACCOUNT
        return await self.file.do(self._found, sql, person)

    async def games_of(self, person: Person) -> Sequence[str]:
        if person.account is not None:
            return await self.file.do(self._found, _GAMES_OF_ACCOUNT, person)
        ((last,),) = await self.file.do(self.file.rows, "SELECT coalesce(max(number), 0) FROM games")
        found: list[str] = []
        for above in range(0, last, _AT_ONCE):
            found += await self.file.do(self._found, _GAMES_OF_NAME, person, above)
        return found

    async def forget_at_table(self, table: str, person: Person) -> None:
        await self.file.do(self._forget_at_table, table, person)

    async def forget_in_game(self, table: str, person: Person) -> None:
        await self.file.do(self._forget_in_game, table, person)

    async def forget_account(self, account: str) -> None:
        await self.file.do(self.file.rows, "DELETE FROM people WHERE account = ?", account)

    # ---- In the thread

    def _finished(self, wanted: WantedGames, after: Ended | None, count: int) -> Sequence[Stored]:
        rest = shelves.finished(wanted, after, ":{}".format)
        return sqlite_rows.kept(self.file.db, rest, shelves.finished_values(wanted, after, count))

    def _found(self, sql: str, person: Person, above: int = 0) -> list[str]:
        values = {"name": person.name, "account": person.account, "above": above, "most": _AT_ONCE}
        return [row[0] for row in self.file.rows(sql, **values)]

    def _forget_at_table(self, table: str, person: Person) -> None:
        values = {"table": table, "name": person.name, "account": person.account, "nobody": NOBODY}
        self.file.rows("PRAGMA secure_delete = ON")  # what was there is not left in the file
        with self.file.transaction("IMMEDIATE"):
            self.file.rows(
                "UPDATE seats SET name = :nobody, account = CASE WHEN account = :account THEN '' ELSE account END "
                "WHERE table_id = :table AND (name = :name OR account = :account)",
                **values,
            )
            self.file.rows(
                "UPDATE tables SET revision = :revision, "
                "account = CASE WHEN account = :account THEN '' ELSE account END, "
                "owner = CASE WHEN owner = :account THEN '' ELSE owner END WHERE id = :table",
                revision=self.file.next_revision(),
                **values,
            )

    def _forget_in_game(self, table: str, person: Person) -> None:
        self.file.rows("PRAGMA secure_delete = ON")
        with self.file.transaction("IMMEDIATE"):
            for seats, account in self.file.rows("SELECT seats, account FROM games WHERE id = ?", table):
                forgotten = [person.forgotten(seat) for seat in read_seats(json.loads(seats))]
                self.file.rows(
                    "UPDATE games SET seats = ?, account = ?, revision = ? WHERE id = ?",
                    seats_text(forgotten),
                    "" if account == person.account else account,
                    self.file.next_revision(),
                    table,
                )
            self.file.rows("DELETE FROM people WHERE table_id = ? AND account = ?", table, person.account)
