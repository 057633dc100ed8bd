"""Evaluates one SELECT over the data tables of the state: read-only, bounded, the same answer every time.

The tables a query names are loaded into an in-memory SQLite database that lives for this one query. An authorizer
allows reading these tables and a list of functions, nothing else; steps, rows and text lengths are bounded; the
date functions are ours, so that "now" is the clock of the session.
"""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from services_app.engine import ToolError, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.shared import plus_days, words
from services_app.library.sql_warehouse.state import WarehouseState

DATA_TABLES = ("customers", "products", "orders", "order_lines", "shipments", "targets")
MAX_SQL = 4000
MAX_ROWS = 500
MAX_STEPS = 4000  # of a thousand instructions of SQLite's machine
_FUNCTIONS = frozenset(
    words("""
    abs avg ceil ceiling coalesce count cume_dist date dense_rank first_value floor format glob group_concat ifnull
    iif instr julianday lag last_value lead length like lower ltrim max min nth_value ntile nullif percent_rank
    printf rank replace round row_number rtrim strftime substr substring sum total trim typeof upper
    """)
)
_PLACEHOLDER = re.compile(r"(?<![:\w]):([A-Za-z_]\w*)")
_LITERAL = re.compile(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Result:
    """Columns and rows of an answer; `complete` is false when it was cut at 500 rows."""

    columns: list[str]
    rows: list[list[Any]]
    complete: bool

    @property
    def single_number(self) -> float | None:
        """The value of an answer of one row whose first column is a number."""
        if len(self.rows) != 1 or isinstance(self.rows[0][0], str) or self.rows[0][0] is None:
            return None
        return float(self.rows[0][0])


def placeholders(sql: str) -> list[str]:
    """Names of the `:name` placeholders of a query, in order."""
    return list(dict.fromkeys(_PLACEHOLDER.findall(_LITERAL.sub(" ", sql))))


def evaluate(state: WarehouseState, now: str, sql: str, parameters: Mapping[str, Any] | None = None) -> Result:
    """The answer to one SELECT (or WITH ... SELECT).

    Raises ToolError: `not_a_select`, `sql_error`, `column_restricted`, `function_not_allowed`, `query_too_heavy`,
    `missing_parameters`, `unknown_parameters`, `unsupported_value`.
    """
    text = sql.strip().rstrip(";").strip()
    if len(text) > MAX_SQL or not re.match(r"(select|with)\b", _LITERAL.sub(" ", text).strip(), re.IGNORECASE):
        raise invalid(f"Send one SELECT of at most {MAX_SQL} characters.", type="not_a_select")
    values = _bound(text, parameters or {})
    guard = _Guard(state)
    connection = sqlite3.connect(":memory:")
    try:
        _load(connection, state, text)
        _protect(connection, guard, now)
        try:
            cursor = connection.execute(text, values)
            rows = cursor.fetchmany(MAX_ROWS + 1)
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:  # the last two: odd values
            raise guard.reason(error) from error
        columns = [part[0] for part in cursor.description or ()]
    finally:
        connection.close()
    return Result(columns, [[_plain(value) for value in row] for row in rows[:MAX_ROWS]], len(rows) <= MAX_ROWS)


def _bound(sql: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    names = placeholders(sql)
    missing = [name for name in names if name not in parameters]
    if missing:
        raise invalid(f"Values are missing for {', '.join(missing)}.", type="missing_parameters")
    unknown = sorted(parameters.keys() - set(names))
    if unknown:
        raise invalid(f"The query has no placeholders {', '.join(unknown)}.", type="unknown_parameters")
    return dict(parameters)


def _load(connection: sqlite3.Connection, state: WarehouseState, sql: str) -> None:
    """Create the data tables, filled where the query names them."""
    named = {word.lower() for word in re.findall(r"\w+", sql)}
    for name in DATA_TABLES:
        table = getattr(state, name)
        columns = list(table.record_type.model_fields)
        connection.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        if name in named:
            rows = [tuple(getattr(row, column) for column in columns) for row in table]
            marks = ", ".join("?" * len(columns))
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608 - names are ours


class _Guard:
    """Says what a query may touch, and afterwards why it was stopped."""

    def __init__(self, state: WarehouseState) -> None:
        self._restricted = {(row.table_name, row.name) for row in state.columns if row.restricted}
        self._refusal: ToolError | None = None
        self._steps = 0

    def authorize(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        if action == sqlite3.SQLITE_SELECT:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_READ and first is not None and (first, second) in self._restricted:
            message = f"The column {first}.{second} is restricted; name the columns you need without it."
            self._refusal = forbidden(message, type="column_restricted")
            return sqlite3.SQLITE_DENY
        if action == sqlite3.SQLITE_READ:
            # The empty name is how SQLite asks about sub-selects; its own tables are not ours to show.
            return sqlite3.SQLITE_OK if first in ("", *DATA_TABLES) or not _system(first) else sqlite3.SQLITE_DENY
        if action == sqlite3.SQLITE_FUNCTION:
            if (second or "").lower() in _FUNCTIONS:
                return sqlite3.SQLITE_OK
            hint = " Use date('now')." if (second or "").startswith("current_") else ""
            self._refusal = invalid(f"The function {second} cannot be used here.{hint}", type="function_not_allowed")
        return sqlite3.SQLITE_DENY

    def step(self) -> int:
        self._steps += 1
        return int(self._steps > MAX_STEPS)

    def reason(self, error: Exception) -> ToolError:
        if self._refusal is not None:
            return self._refusal
        if self._steps > MAX_STEPS:
            return invalid("The query takes too long; join fewer rows or filter first.", type="query_too_heavy")
        return invalid(f"The query cannot be run: {str(error).rstrip('.')}.", type="sql_error")


def _system(name: str | None) -> bool:
    return name is None or name.lower().startswith("sqlite_")


def _protect(connection: sqlite3.Connection, guard: _Guard, now: str) -> None:
    connection.create_function("date", -1, _with_clock(_date, now), deterministic=True)
    connection.create_function("strftime", 2, _with_clock(_strftime, now), deterministic=True)
    connection.create_function("julianday", 1, _with_clock(_julian, now), deterministic=True)
    for name, function in (("floor", math.floor), ("ceil", math.ceil), ("ceiling", math.ceil)):
        connection.create_function(name, 1, _number(function), deterministic=True)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 100_000)
    connection.setlimit(sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 60)
    connection.setlimit(sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 10)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.set_authorizer(guard.authorize)
    connection.set_progress_handler(guard.step, 1000)


def _number(function: Callable[[float], int]) -> Callable[[object], int | None]:
    return lambda value: function(value) if isinstance(value, int | float) else None


def _with_clock(function: Callable[..., str | float], now: str) -> Callable[..., str | float | None]:
    """The function with 'now' replaced by the clock, and NULL for NULL."""

    def call(*values: Any) -> str | float | None:
        if None in values:
            return None
        return function(*(now if isinstance(value, str) and value.lower() == "now" else value for value in values))

    return call


def _date(text: str, *modifiers: str) -> str:
    """`date(x)`, `date(x, '+3 days')`, `date(x, 'start of month')`."""
    day = f.parse_date(str(text)).isoformat()
    for modifier in modifiers:
        match = re.fullmatch(r"([+-]?\d{1,5}) days?", modifier.strip())
        if match:
            day = plus_days(day, int(match[1]))
        elif modifier == "start of month":
            day = f"{day[:7]}-01"
        elif modifier == "start of year":
            day = f"{day[:4]}-01-01"
        else:
            raise ValueError(modifier)
    return day


def _strftime(pattern: str, text: str) -> str:
    """`strftime('%Y-%m', x)` with %Y, %m, %d, %j, %w and %W."""
    day = f.parse_date(str(text))
    slots = {"%Y": day.strftime("%Y"), "%m": f"{day.month:02d}", "%d": f"{day.day:02d}"}
    slots |= {"%j": day.strftime("%j"), "%w": day.strftime("%w"), "%W": day.strftime("%W")}
    return re.sub(r"%[a-zA-Z]", lambda match: slots[match[0]], pattern)


def _julian(text: str) -> float:
    return f.parse_date(str(text)).toordinal() + 1721424.5


def _plain(value: Any) -> Any:
    """A value as JSON has it: floats to six decimals."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise invalid("A value of the answer is not a finite number.", type="unsupported_value")
        return round(value, 6)
    if isinstance(value, bytes):
        raise invalid("Binary values cannot be shown; cast them to text.", type="unsupported_value")
    return value
