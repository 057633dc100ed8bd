"""SQL on an embedded engine: each call loads the records into memory, executes one statement, stores the difference.

The engine sees neither the clock nor chance nor files: dates come from the session clock, random functions, attached
files and pragmas are refused.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, invalid
from services_app.engine.state import Record
from services_app.recipes.sql_store import (
    MOST_ROWS,
    TABLES,
    SqlState,
    clock,
    columns_of,
    fill,
    keep,
    prefix_of,
    quoted,
    shown,
    table_names,
)

Kind = Literal["read", "change", "define", "any"]
_MOST_STEPS = 3_000_000
_LONGEST = 1_000_000


def _loaded(state: SqlState, ctx: CallContext, scope: Sequence[Record]) -> sqlite3.Connection:
    engine = sqlite3.connect(":memory:", isolation_level=None, cached_statements=0)
    engine.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    engine.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    clock(engine, ctx)
    fill(engine, state, scope)
    return engine


_ALLOWED = {
    "read": {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE},
}
_ALLOWED["change"] = _ALLOWED["read"] | {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}
_NEVER = {
    sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH, sqlite3.SQLITE_PRAGMA, sqlite3.SQLITE_TRANSACTION,
    sqlite3.SQLITE_CREATE_VTABLE, sqlite3.SQLITE_CREATE_TEMP_TABLE, sqlite3.SQLITE_CREATE_TEMP_VIEW,
    sqlite3.SQLITE_CREATE_TEMP_INDEX, sqlite3.SQLITE_CREATE_TEMP_TRIGGER,
}  # fmt: skip
_CHANCE = frozenset(("random", "randomblob", "load_extension", "sqlite_version", "sqlite_source_id", "changes"))


def _guard(engine: sqlite3.Connection, kind: Kind) -> None:
    allowed = _ALLOWED.get(kind)

    def judge(action: int, first: str | None, second: str | None, *_: Any) -> int:
        if action == sqlite3.SQLITE_PRAGMA and first == "table_info":
            return sqlite3.SQLITE_OK  # a look at columns
        refused = action in _NEVER or (allowed is not None and action not in allowed)
        chance = action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _CHANCE
        return sqlite3.SQLITE_DENY if refused or chance else sqlite3.SQLITE_OK

    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1000
        return int(steps > _MOST_STEPS)

    engine.set_authorizer(judge)
    engine.set_progress_handler(count, 1000)


_COMMENTS = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_WORDS: dict[Kind, frozenset[str]] = {
    "read": frozenset(("select", "with", "values", "show", "describe", "desc")),
    "change": frozenset(("insert", "update", "delete", "replace", "with")),
    "define": frozenset(("create",)),
}
_SAID = {
    "read": "a SELECT",
    "change": "an INSERT, UPDATE or DELETE",
    "define": "a CREATE TABLE statement",
    "any": "SQL",
}


def _bad(message: str, kind: str = "sql_error") -> ToolError:
    return ToolError(400, kind, message)


def _checked(text: str, kind: Kind) -> str:
    """The statement without comments and final semicolon; 400 when it is of another class."""
    plain = _COMMENTS.sub(" ", text).strip().rstrip("; \n\t")
    word = (re.match(r"\(*\s*([A-Za-z]+)", plain) or ["", ""])[1].lower()
    if not word:
        raise _bad("The statement is empty. Write SQL.")
    wrong = word not in _WORDS.get(kind, {word}) or (
        kind == "define" and not re.match(r"create\s+(temp\w*\s+)?table\b", plain, re.I)
    )
    if wrong:
        raise _bad(f"Only {_SAID[kind]} is taken here, not {word.upper()}.", "wrong_statement")
    if re.match(r"create\b.*\bwithout\s+rowid\b", plain, re.IGNORECASE | re.DOTALL):
        raise _bad("Tables without row ids are not supported.")
    return plain


_SHOW = re.compile(r"show\s+(full\s+)?tables$|show\s+databases$|desc(?:ribe)?\s+[`\"]?(\w+)[`\"]?$", re.IGNORECASE)


def _translated(text: str) -> str:
    """Words of other dialects: SHOW TABLES, DESCRIBE t, $1, {name:Type}."""
    shown = _SHOW.match(text)
    if shown and shown[2]:
        return f"SELECT name, type, \"notnull\", pk FROM pragma_table_info('{shown[2]}')"  # noqa: S608 - a word
    if shown:
        return "SELECT 'main' AS name" if "databases" in text.lower() else TABLES
    return re.sub(r"\{(\w+):[^}]*\}", r":\1", re.sub(r"\$(\d+)", r"?\1", text))


def _bound(text: str, values: Any) -> tuple[str, Any]:
    if not values:
        return text, []
    if isinstance(values, Mapping):
        return text, {str(name): _cell(value) for name, value in values.items()}
    if isinstance(values, Sequence) and not isinstance(values, str):
        return re.sub(r"%s", "?", text), [_cell(value) for value in values]
    raise invalid("Parameters are a list or an object.", type="bad_parameters")


def _cell(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str | float):
        return value
    if isinstance(value, int) and abs(value) < 2**63:
        return value
    raise invalid(f"{value!r} cannot be the value of a parameter.", type="bad_parameters")


def run(
    state: SqlState,
    ctx: CallContext,
    query: str,
    kind: Kind = "any",
    values: Any = None,
    limit: float | None = None,
    rows: bool | None = None,
    scope: Sequence[Record] = (),
) -> dict[str, Any]:
    """Execute one statement of a class; rows for what selects, the number of changed rows for what writes.

    With `rows` false only their number is shown.
    """
    text = _checked(str(query), kind)
    engine = _loaded(state, ctx, scope)
    _guard(engine, kind if not _SHOW.match(text) else "any")
    try:
        before = engine.total_changes
        statement, bound = _bound(_translated(text), values)
        cursor = engine.execute(statement, bound)
        names = [column[0] for column in cursor.description or ()]
        selected = cursor.fetchmany(MOST_ROWS) if names else []
        changed = cursor.rowcount
    except (sqlite3.Error, sqlite3.Warning, OverflowError, ValueError) as error:
        raise _bad(f"The statement failed: {error}.") from error
    engine.set_authorizer(None)
    engine.set_progress_handler(None, 0)
    if engine.total_changes != before or text.split()[0].lower() not in _WORDS["read"]:
        keep(engine, state, prefix_of(scope))
    if names:
        most = MOST_ROWS if limit is None else max(int(limit), 0)
        found = [dict(zip(names, map(shown, row), strict=True)) for row in selected[:most]]
        if rows is False:
            return {"row_count": len(found)}
        return {"columns": names, "rows": found, "row_count": len(found)}
    return {"affected_rows": max(changed, 0), "statement": text.split()[0].upper()}


def run_all(state: SqlState, ctx: CallContext, queries: Sequence[str], scope: Sequence[Record] = ()) -> dict[str, Any]:
    """Several statements, all or none of them: an error takes everything back."""
    if not queries:
        raise _bad("There is no statement to execute.")
    return {"results": [run(state, ctx, query, scope=scope) for query in queries]}


def counted(
    state: SqlState,
    ctx: CallContext,
    query: str,
    operation: str,
    values: Any = None,
    limit: float | None = None,
    scope: Sequence[Record] = (),
) -> dict[str, Any]:
    """The rows of a query, their number, or whether there are any, as `operation` says."""
    found = run(state, ctx, query, "read", values, limit, scope=scope)
    if operation == "count":
        return {"count": found["row_count"]}
    return {"exists": found["row_count"] > 0} if operation == "exists" else found


# --- what is in the database ---


def tables(state: SqlState, ctx: CallContext, like: str | None = None, scope: Sequence[Record] = ()) -> dict[str, Any]:
    """Names of the tables, with their numbers of rows and columns."""
    engine = _loaded(state, ctx, scope)
    names = [
        name for name in table_names(engine) if engine.execute("SELECT ? LIKE ?", [name, like or "%"]).fetchone()[0]
    ]
    counts = {name: engine.execute(f"SELECT count(*) FROM {quoted(name)}").fetchone()[0] for name in names}  # noqa: S608
    rows = [{"name": name, "rows": counts[name], "columns": len(columns_of(engine, name))} for name in names]
    return {"tables": rows, "total": len(rows)}


def described(state: SqlState, ctx: CallContext, table: str, scope: Sequence[Record] = ()) -> dict[str, Any]:
    """The columns of a table and the statement that made it; 404 for a table that is not there."""
    engine = _loaded(state, ctx, scope)
    known = {name.lower(): name for name in table_names(engine)}
    name = known.get(str(table).rsplit(".", 1)[-1].strip('"`').lower())
    if name is None:
        raise ToolError(404, "no_such_table", f"There is no table {table!r}. Known are {', '.join(known.values())}.")
    made = engine.execute("SELECT sql FROM sqlite_master WHERE name = ?", [name]).fetchone()[0]
    return {"table": name, "columns": columns_of(engine, name), "sql": made}


# --- statements made from their parts ---


def mutation(  # noqa: PLR0913 - the parts of a statement
    state: SqlState,
    ctx: CallContext,
    *,
    operation: str,
    table: str,
    data: Mapping[str, Any] | None = None,
    where: str | None = None,
    conflict: Sequence[str] | None = None,
    returning: str | None = None,
    scope: Sequence[Record] = (),
) -> dict[str, Any]:
    """Insert, update, delete or upsert rows of a table."""
    names = list(data or {})
    if operation != "delete" and not names:
        raise invalid(f"Give the data to {operation}.", type="missing_argument")
    if operation in ("update", "delete") and not where:
        raise invalid(f"Say in `where` which rows to {operation}.", type="missing_argument")
    target, marks = quoted(described(state, ctx, table, scope)["table"]), [f":{index}" for index in range(len(names))]
    columns, places = ", ".join(map(quoted, names)), ", ".join(marks)
    keys = ", ".join(map(quoted, conflict or ["id"]))
    pairs = ", ".join(f"{quoted(name)} = {mark}" for name, mark in zip(names, marks, strict=True))
    texts = {  # names are quoted; `where` is the caller's own SQL, and the engine is guarded
        "insert": f"INSERT INTO {target} ({columns}) VALUES ({places})",  # noqa: S608
        "upsert": f"INSERT INTO {target} ({columns}) VALUES ({places}) ON CONFLICT ({keys}) DO UPDATE SET {pairs}",  # noqa: S608
        "update": f"UPDATE {target} SET {pairs} WHERE {where}",  # noqa: S608
        "delete": f"DELETE FROM {target} WHERE {where}",  # noqa: S608
    }
    if operation not in texts:
        raise invalid(f"Unknown operation {operation!r}. Use one of {', '.join(texts)}.")
    text = texts[operation] + (f" RETURNING {returning}" if returning else "")
    found = run(
        state, ctx, text, "change", {str(at): value for at, value in enumerate((data or {}).values())}, scope=scope
    )
    return {**found, "table": table, "data": dict(data or {})}
