# May know: nothing else of Saloon.
"""Where wanted tables are found, in words of SQL that every database shares.

Live tables are in `tables`, games that are over in `games`, and each state of each game is a shelf of its own: there
is an index for it, by when tables were made, so that a page costs as little as it has rows. Whoever lists looks at the
first rows of every shelf and takes the newest of them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from server.stores.games import Ended, WantedGames
from server.stores.tables import Place, Stored, Wanted


@dataclass(frozen=True, slots=True)
class Shelf:
    """``SELECT ... FROM {source} WHERE {where} ORDER BY {order} LIMIT ...``; a table is called `t` there."""

    over: bool  # rows of `games`, else of `tables`
    source: str
    where: str
    order: str


def shelves(wanted: Wanted, after: Place | None, mark: Callable[[str], str], schema: str = "") -> Iterator[Shelf]:
    """`mark` names a value as the database does."""
    mine = bool(wanted.account)
    created, table = ("p.created", "p.table_id") if mine else ("t.created", "t.id")
    conditions = [
        (mine, f"p.account = {mark('account')}"),
        (wanted.access is not None, f"t.access = {mark('access')}"),
        (wanted.players is not None, f"t.players = {mark('players')}"),
        (wanted.made_from is not None, f"{created} >= {mark('made_from')}"),
        (wanted.made_before is not None, f"{created} < {mark('made_before')}"),
        (after is not None, f"({created}, {table}) < ({mark('after_created')}, {mark('after_table')})"),
    ]
    where = [text for holds, text in conditions if holds]
    for state in wanted.states:
        kept = "games" if state == "over" else "tables"
        # CROSS: who has few tables is asked first, and not every table whose it is.
        source = f"{schema}people p CROSS JOIN {schema}{kept} t" if mine else f"{schema}{kept} t"
        joined = ["t.id = p.table_id"] if mine else []
        on = [f"t.state = '{state}'"] if state != "over" else []
        for place in range(len(wanted.games)) or (None,):
            game = [] if place is None else [f"t.game = {mark(f'game_{place}')}"]
            text = " AND ".join([*joined, *on, *game, *where])
            yield Shelf(state == "over", source, text or "true", f"{created} DESC, {table} DESC")


def values(wanted: Wanted, after: Place | None, count: int) -> dict[str, Any]:
    """The values that shelves name."""
    return {
        "account": wanted.account,
        "access": wanted.access,
        "players": wanted.players,
        "made_from": wanted.made_from,
        "made_before": wanted.made_before,
        "after_created": after and after.created,
        "after_table": after and after.table,
        "count": count,
        **{f"game_{place}": game for place, game in enumerate(wanted.games)},
    }


def newest(found: Sequence[Stored], count: int) -> Sequence[Stored]:
    return sorted(found, key=lambda stored: stored.place, reverse=True)[:count]


# ---- Games that are over, in the order they ended


def finished(wanted: WantedGames, after: Ended | None, mark: Callable[[str], str], schema: str = "") -> str:
    """``{where} ORDER BY ... LIMIT ...``; a game is called `t` there."""
    account = f"SELECT table_id FROM {schema}people WHERE account = {mark('account')}"  # noqa: S608
    conditions = [
        (wanted.game is not None, f"t.game = {mark('game')}"),
        (wanted.ended_from is not None, f"t.ended >= {mark('ended_from')}"),
        (wanted.ended_before is not None, f"t.ended < {mark('ended_before')}"),
        (wanted.account is not None, f"t.id IN ({account})"),
        (after is not None, f"(t.ended, t.id) > ({mark('after')}, {mark('after_table')})"),
    ]
    where = " AND ".join(text for holds, text in conditions if holds) or "true"
    return f"{where} ORDER BY t.ended, t.id LIMIT {mark('count')}"


def finished_values(wanted: WantedGames, after: Ended | None, count: int) -> dict[str, Any]:
    """The values that are named there."""
    return {**asdict(wanted), "after": after and after.at, "after_table": after and after.table, "count": count}
