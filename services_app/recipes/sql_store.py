"""What a SQL server keeps: tables and rows as records, loaded into an engine and written back as a difference.

A `scope` (the records of the server, project or branch that a call names) has a database of its own. One to which
nothing was written yet holds what follows from these records.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from services_app.engine.context import CallContext, SeedContext
from services_app.engine.errors import ToolError, conflict
from services_app.engine.state import About, Record, Table
from services_app.engine.store import CLOCK_START
from services_app.recipes.dates import moment_of, shifted
from services_app.recipes.records import Json

MOST_ROWS = 5000
TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"


class SqlObject(Record):
    """A table, index or view. `id` is scope and name; `definition` the columns of a table, of others the statement."""

    about = About("database object", plural="database objects", key="id")

    kind: str
    definition: str


class SqlRow(Record):
    """A row: `id` is scope, table and number; `cells` are its values in the order of the columns."""

    about = About("row", plural="rows")

    cells: Json


class SqlState(Protocol):
    sql_objects: Table[SqlObject]
    sql_rows: Table[SqlRow]


_SEEDED: dict[str, tuple[str, tuple[tuple[Any, ...], ...]]] = {
    "customers": (
        "(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, since TEXT)",
        (
            ("Ida Holm", "Bergen", -700),
            ("Tom Reyes", "Lisbon", -400),
            ("Ana Berg", "Bergen", -90),
            ("Li Wei", "Turin", -30),
        ),
    ),
    "products": (
        "(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL NOT NULL, stock INTEGER)",
        (("Garden shears", 24.5, 40), ("Watering can", 18.0, 12), ("Seed box", 9.9, 120), ("Rain barrel", 89.0, 5)),
    ),
    "orders": (
        (
            "(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), "
            "product_id INTEGER REFERENCES products(id), quantity INTEGER NOT NULL, ordered_on TEXT)"
        ),
        ((1, 3, 4, -60), (2, 1, 1, -31), (1, 2, 2, -14), (3, 4, 1, -9), (4, 3, 10, -3), (2, 2, 1, -1)),
    ),
}


def _initial(offset: int) -> Iterator[tuple[str, str, list[list[Any]]]]:
    """(table, columns, rows) of a database to which nothing was written; `offset` makes them differ."""
    for name, (columns, rows) in _SEEDED.items():
        made = []
        for number, cells in enumerate(rows, 1):
            values = [shifted(CLOCK_START, v)["date"] if isinstance(v, int) and v < 0 else v for v in cells]
            if name == "customers":
                values[0] = rows[(number - 1 + offset) % len(rows)][0]
            else:
                values[2] += offset
            made.append([number, *values])
        yield name, columns, made


def seed_objects(table: Table[SqlObject], ctx: SeedContext) -> None:
    for name, columns, _ in _initial(0):
        table.add(SqlObject(id=name, kind="table", definition=columns))


def seed_rows(table: Table[SqlRow], ctx: SeedContext) -> None:
    for name, _, rows in _initial(0):
        for cells in rows:
            table.add(SqlRow(id=f"{name}:{cells[0]}", cells=cells))


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def prefix_of(scope: Sequence[Record]) -> str:
    """What the ids of records of a scope begin with; "" for a server that holds one database."""
    return "".join(f"{record.id}/" for record in scope)


def _offset(scope: Sequence[Record]) -> int:
    """A small number that follows from what the records of a scope hold."""
    told = json.dumps([{**record.plain(), "id": ""} for record in scope], sort_keys=True)
    return sum((at + 1) * ord(letter) for at, letter in enumerate(told)) % 97


def columns_of(engine: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    rows = engine.execute('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)', [table]).fetchall()
    return [
        {"name": name, "type": kind, "nullable": not notnull and not pk, "default": default, "primary_key": bool(pk)}
        for name, kind, notnull, default, pk in rows
    ]


def table_names(engine: sqlite3.Connection) -> list[str]:
    return [row[0] for row in engine.execute(TABLES)]


def fill(engine: sqlite3.Connection, state: SqlState, scope: Sequence[Record]) -> None:
    """Load a database into an empty engine; a row that does not fit its table any more is left out."""
    prefix = prefix_of(scope)
    try:
        if prefix and not any(known.id.startswith(prefix) for known in state.sql_objects):
            for name, columns, rows in _initial(_offset(scope)):
                engine.execute(f"CREATE TABLE {quoted(name)} {columns}")
                engine.executemany(_insert(engine, name), ([cells[0], *cells] for cells in rows))
        else:
            _fill_from_records(engine, state, prefix)
        engine.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error as error:
        raise conflict(f"The database cannot be opened: {error}.", type="broken_database") from error


def _own(table: Table[Any], prefix: str) -> list[tuple[str, Any]]:
    """(id without the scope, record) of the records of a scope."""
    pairs = [(row.id[len(prefix) :], row) for row in table if row.id.startswith(prefix)]
    return pairs if prefix else [(name, row) for name, row in pairs if "/" not in name]


def _fill_from_records(engine: sqlite3.Connection, state: SqlState, prefix: str) -> None:
    made = _own(state.sql_objects, prefix)
    for name, known in made:
        if known.kind == "table":
            engine.execute(f"CREATE TABLE {quoted(name)} {known.definition}")
    inserts = {name: _insert(engine, name) for name in table_names(engine)}
    for identity, row in _own(state.sql_rows, prefix):
        table, _, number = identity.rpartition(":")
        cells = [int(number), *row.plain()["cells"]]
        if table in inserts and inserts[table].count("?") == len(cells):
            engine.execute(inserts[table], cells)
    for _, known in made:
        if known.kind != "table":
            engine.execute(known.definition)


def _insert(engine: sqlite3.Connection, table: str) -> str:
    names = ["rowid", *(quoted(column["name"]) for column in columns_of(engine, table))]
    marks = ", ".join("?" * len(names))
    return f"INSERT OR IGNORE INTO {quoted(table)} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608 - quoted


def shown(value: Any) -> Any:
    """A cell as JSON."""
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return None
    return value.hex() if isinstance(value, bytes) else value


def keep(engine: sqlite3.Connection, state: SqlState, prefix: str) -> None:
    """Write down what differs from the records."""
    listed = engine.execute("SELECT name, type, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'").fetchall()
    objects = {prefix + n: (kind, definition(sql) if kind == "table" else sql) for n, kind, sql in listed if sql}
    for _, known in _own(state.sql_objects, prefix):
        if objects.get(known.id) != (known.kind, known.definition):
            state.sql_objects.delete(known.id)
    for name, (kind, text) in objects.items():
        if name not in state.sql_objects:
            state.sql_objects.add(SqlObject(id=name, kind=kind, definition=text))
    rows: dict[str, list[Any]] = {}
    for name in table_names(engine):
        for number, *cells in engine.execute(f"SELECT rowid, * FROM {quoted(name)} ORDER BY rowid"):  # noqa: S608
            rows[f"{prefix}{name}:{number}"] = [shown(cell) for cell in cells]
    if len(rows) > MOST_ROWS:
        raise ToolError(400, "too_many_rows", f"The database holds at most {MOST_ROWS} rows.")
    for _, row in _own(state.sql_rows, prefix):
        found = rows.pop(row.id, None)
        if found is None:
            state.sql_rows.delete(row.id)
        elif found != row.plain()["cells"]:
            state.sql_rows.patch(row.id, cells=found)
    for identity, cells in rows.items():
        state.sql_rows.add(SqlRow(id=identity, cells=cells))


_TABLE = re.compile(
    r"CREATE\s+TABLE\s+(?:\"(?:[^\"]|\"\")*\"|\[[^\]]*\]|`[^`]*`|'[^']*'|[^\s(]+)\s*(\(.*)", re.DOTALL | re.IGNORECASE
)


def definition(statement: str) -> str:
    """The columns of a CREATE TABLE statement, in their brackets."""
    found = _TABLE.match(statement)
    if found is None:
        raise ToolError(400, "sql_error", "Only plain tables with columns are supported.")
    return found[1]


def clock(engine: sqlite3.Connection, ctx: CallContext) -> None:
    """Date functions read the session clock where they would read the machine's."""
    plain = sqlite3.connect(":memory:")
    now = moment_of(ctx.now).strftime("%Y-%m-%d %H:%M:%S")

    def clocked(name: str, at: int) -> Any:
        def call(*values: Any) -> Any:
            given = list(values) if len(values) > at else [*values, "now"]
            given[at] = now if str(given[at]).lower() == "now" else given[at]
            return plain.execute(f"SELECT {name}({', '.join('?' * len(given))})", given).fetchone()[0]

        return call

    for name in ("date", "time", "datetime", "julianday", "unixepoch"):
        engine.create_function(name, -1, clocked(name, 0))
    engine.create_function("strftime", -1, clocked("strftime", 1))
    for name, part in (("current_date", now[:10]), ("current_time", now[11:]), ("current_timestamp", now)):
        engine.create_function(name, 0, lambda text=part: text)
