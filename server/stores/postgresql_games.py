# May know: nothing else of Saloon.
"""Games that are over, and what is kept of a person, in PostgreSQL."""

from collections.abc import Sequence

from server.stores import shelves
from server.stores.games import NOBODY, Ended, Person, WantedGames
from server.stores.postgresql import Postgres
from server.stores.postgresql_news import CHANNEL, news_word
from server.stores.postgresql_rows import KEPT, stored
from server.stores.tables import Stored
from server.stores.words import read_seats, seats_text

_TABLES_OF_ACCOUNT = """
    SELECT id FROM saloon.tables WHERE owner = %(account)s OR account = %(account)s
    UNION SELECT table_id FROM saloon.seats WHERE account = %(account)s
"""
_TABLES_OF_NAME = "SELECT DISTINCT table_id FROM saloon.seats WHERE name = %(name)s"
_GAMES_OF_ACCOUNT = """
    SELECT id FROM saloon.people p JOIN saloon.games ON id = table_id WHERE p.account = %(account)s
"""
_GAMES_OF_NAME = """
    SELECT id FROM saloon.games WHERE number > %(above)s AND number <= %(above)s + %(most)s AND EXISTS (
        SELECT FROM json_array_elements(seats::json) AS seat WHERE seat->>'name' = %(name)s)
"""
# The row of the table comes first: whoever writes to it meanwhile is waited for, or finds another revision.
_FORGET_AT_TABLE = """
    WITH found AS (
        UPDATE saloon.tables SET revision = revision + 1,
            account = CASE WHEN account = %(account)s THEN '' ELSE account END,
            owner = CASE WHEN owner = %(account)s THEN '' ELSE owner END
        WHERE id = %(id)s RETURNING id, revision
    ), seats AS (
        UPDATE saloon.seats SET name = %(nobody)s, account = CASE WHEN account = %(account)s THEN '' ELSE account END
        FROM found WHERE table_id = found.id AND (account = %(account)s OR name = %(name)s)
    )
    SELECT revision FROM found
"""
_FORGET_IN_GAME = """
    WITH game AS (
        UPDATE saloon.games SET seats = %(seats)s, account = %(left)s, revision = revision + 1
        WHERE id = %(id)s AND revision = %(revision)s RETURNING id)
    DELETE FROM saloon.people WHERE table_id IN (SELECT id FROM game) AND account = %(account)s
"""
_AT_ONCE = 5000  # games that are looked through in one go


class PostgresGames:
    """See `Games`."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres

    async def finished(self, wanted: WantedGames, after: Ended | None, count: int) -> Sequence[Stored]:
        rest = shelves.finished(wanted, after, "%({})s".format, "saloon.")
        values = {"first": 0, **shelves.finished_values(wanted, after, count)}
        sql = f"SELECT {KEPT} FROM saloon.games t WHERE {rest}"  # noqa: S608
        return [stored(row) for row in await self._postgres.rows(sql, values, again=True)]

    async def tables_of(self, person: Person) -> Sequence[str]:
        return await self._found(_TABLES_OF_NAME if person.account is None else _TABLES_OF_ACCOUNT, person)

    async def games_of(self, person: Person) -> Sequence[str]:
        if person.account is not None:
            return await self._found(_GAMES_OF_ACCOUNT, person)
        ((last,),) = await self._postgres.rows("SELECT coalesce(max(number), 0) FROM saloon.games", again=True)
        found: list[str] = []
        for above in range(0, last, _AT_ONCE):
            found += await self._found(_GAMES_OF_NAME, person, above)
        return found

    async def _found(self, sql: str, person: Person, above: int = 0) -> list[str]:
        values = {"name": person.name, "account": person.account, "above": above, "most": _AT_ONCE}
        return [row[0] for row in await self._postgres.rows(sql, values, again=True)]

    async def forget_at_table(self, table: str, person: Person) -> None:
        values = {"id": table, "name": person.name, "account": person.account, "nobody": NOBODY}
        for (revision,) in await self._postgres.rows(_FORGET_AT_TABLE, values, again=True):
            news = {"channel": CHANNEL, "words": news_word(table, revision)}
            await self._postgres.rows("SELECT pg_notify(%(channel)s, %(words)s)", news, again=True)

    async def forget_in_game(self, table: str, person: Person) -> None:
        """Should another one change the row meanwhile, it is found again."""
        sql = "SELECT seats::json, account, revision FROM saloon.games WHERE id = %(id)s"
        for seats, account, revision in await self._postgres.rows(sql, {"id": table}, again=True):
            values = {
                "id": table,
                "account": person.account,
                "seats": seats_text([person.forgotten(seat) for seat in read_seats(seats)]),
                "left": "" if account == person.account else account,
                "revision": revision,
            }
            await self._postgres.rows(_FORGET_IN_GAME, values, again=True)

    async def forget_account(self, account: str) -> None:
        sql = "DELETE FROM saloon.people WHERE account = %(account)s"
        await self._postgres.rows(sql, {"account": account}, again=True)
