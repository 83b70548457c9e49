"""Tables by the thousand: copies of one, which the database makes itself."""

from collections.abc import Callable, Mapping

Sql = Callable[[str], list[tuple[object, ...]]]

LIVE = {"tables": "id", "seats": "table_id", "events": "table_id"}  # by what their rows belong to a table
OVER = {"games": "id"}
_COLUMNS_THERE = (
    "SELECT column_name FROM information_schema.columns WHERE table_schema = 'saloon' AND table_name = '{name}' "
    "AND is_identity = 'NO' AND is_generated = 'NEVER'"
)
_COLUMNS_IN_FILE = "SELECT name FROM pragma_table_info('{name}') WHERE NOT (name = 'number' AND pk = 1)"
_NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) "


def copy(sql: Sql, table: str, count: int, *, of: Mapping[str, str] = LIVE, schema: str = "") -> None:
    """All its rows, in PostgreSQL those of this schema; each copy has another name, and was made a moment later. In a
    file, where revisions differ, it has an older one."""
    for name, key in of.items():
        columns = (_COLUMNS_THERE if schema else _COLUMNS_IN_FILE).format(name=name)
        values = {str(row[0]): str(row[0]) for row in sql(columns)}
        values |= {key: f"{key} || '-' || i"} | ({"created": "created + i"} if "created" in values else {})
        if not schema and "revision" in values:
            values["revision"] = "-(i * 1000 + revision)"
        sql(
            f"{_NUMBERS.format(count=count)} INSERT INTO {schema}{name} ({', '.join(values)}) "  # noqa: S608
            f"SELECT {', '.join(values.values())} FROM {schema}{name}, n WHERE {key} = '{table}'"
        )
