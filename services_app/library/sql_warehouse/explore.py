"""Tools that look at the data: tables, rows, aggregates, SQL. None of them leaves a trace."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, Example, invalid
from services_app.library.shared import LABEL, Json, Limit, Offset, Query, offset_page, same, search, with_fields
from services_app.library.sql_warehouse.sql import DATA_TABLES, Result, evaluate
from services_app.library.sql_warehouse.state import WarehouseState, service

TableName = Annotated[Literal["customers", "products", "orders", "order_lines", "shipments", "targets"], LABEL]
Sql = Annotated[str, Field(min_length=7, max_length=4000)]
ColumnName = Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")]
Parameters = dict[str, str | int | float | None]
Measure = Annotated[Literal["count", "sum", "avg", "min", "max"], LABEL]


def answer(result: Result, limit: int, offset: int) -> Json:
    """A page of a result, rows as objects."""
    rows = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
    page = offset_page("rows", rows, limit, offset)
    return {"columns": result.columns, **page, "complete": result.complete}


@service.tool()
def list_tables(state: WarehouseState, ctx: CallContext, query: Query | None = None) -> Json:
    """List the tables that can be queried, with their number of rows and who answers questions.

    Args:
        query: Words in the name or description.
    """
    rows = [
        with_fields(row, rows=len(getattr(state, row.name)))
        for row in search(state.tables, query, lambda item: (item.name, item.description))
        if row.name in DATA_TABLES
    ]
    return {"tables": rows, "total": len(rows)}


@service.tool()
def describe_table(state: WarehouseState, ctx: CallContext, table: TableName) -> Json:
    """Describe a table: columns with types and meaning, which are restricted, and the number of rows.

    Args:
        table: Name of the table.
    """
    columns = state.columns.find(table_name=table)
    doc = state.tables.first(name=table)
    return {
        "table": table,
        "description": doc.description if doc else "",
        "steward_email": doc.steward_email if doc else None,
        "refreshed_at": doc.refreshed_at if doc else None,
        "rows": len(getattr(state, table)),
        "columns": [
            {"name": row.name, "type": row.data_type, "description": row.description, "restricted": row.restricted}
            for row in columns
        ],
    }


def open_columns(state: WarehouseState, table: str) -> list[str]:
    """Columns of a table that may be read."""
    restricted = {row.name for row in state.columns.find(table_name=table, restricted=True)}
    return [name for name in getattr(state, table).record_type.model_fields if name not in restricted]


def check_column(state: WarehouseState, table: str, column: str) -> str:
    """A column that exists and may be read; 422 `unknown_column` otherwise."""
    columns = open_columns(state, table)
    if column not in columns:
        raise invalid(
            f"{table} has no column {column} that you may read; it has {', '.join(columns)}.", type="unknown_column"
        )
    return column


@service.tool(examples=(Example({"table": "orders", "column": "status", "value": "delivered"}),))
def lookup_rows(
    state: WarehouseState,
    ctx: CallContext,
    table: TableName,
    column: ColumnName,
    value: Annotated[str, Field(max_length=200)],
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """Find rows of a table by the value of one column, without SQL. Case does not matter for text.

    Errors: `unknown_column`.

    Args:
        table: Name of the table.
        column: Name of the column.
        value: The value to look for, numbers as text.
        limit: At most so many rows.
        offset: Skip so many rows.
    """
    check_column(state, table, column)
    columns = open_columns(state, table)
    found = [
        {name: getattr(row, name) for name in columns}
        for row in getattr(state, table)
        if getattr(row, column) is not None and _same_value(getattr(row, column), value)
    ]
    return offset_page("rows", found, limit, offset)


def _same_value(found: object, wanted: str) -> bool:
    if isinstance(found, int | float):
        try:
            return float(wanted) == found
        except ValueError:
            return False
    return same(str(found), wanted)


@service.tool(examples=(Example({"table": "orders", "measure": "count", "group_by": "status"}),))
def aggregate_rows(
    state: WarehouseState,
    ctx: CallContext,
    table: TableName,
    measure: Measure,
    column: ColumnName = "id",
    group_by: ColumnName | None = None,
    limit: Limit = 50,
) -> Json:
    """Count rows, or sum, average or compare the numbers of a column, in all or by group; largest group first.

    Errors: `unknown_column`, `not_a_number` (the column holds text).

    Args:
        table: Name of the table.
        measure: What to compute.
        column: Column to compute it of; not needed for count.
        group_by: Column whose values make the groups.
        limit: At most so many groups.
    """
    check_column(state, table, column)
    groups = check_column(state, table, group_by) if group_by else None
    sample = next((getattr(row, column) for row in getattr(state, table)), 0)
    if measure in ("sum", "avg") and not isinstance(sample, int | float):
        raise invalid(f"{table}.{column} holds text.", type="not_a_number")
    value = "count(*)" if measure == "count" else f"{measure}({column})"
    head, tail = (f"{groups} AS grp, ", f" GROUP BY {groups}") if groups else ("", "")
    # Names are checked against the columns above, so nothing of the caller's text reaches the query.
    sql = f"SELECT {head}{value} AS value FROM {table}{tail} ORDER BY value DESC{', grp' if groups else ''}"  # noqa: S608
    result = evaluate(state, ctx.now, sql)
    return {"table": table, "measure": measure, "column": column, "groups": answer(result, limit, 0)["rows"]}


@service.tool()
def execute_sql(
    state: WarehouseState,
    ctx: CallContext,
    sql: Sql,
    parameters: Parameters | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Json:
    """Run one SELECT over the tables and show its rows; nothing can be changed this way.

    SQLite syntax: joins, sub-queries, WITH, GROUP BY, window functions, CASE. Dates are text, YYYY-MM-DD;
    strftime('%Y-%m', ordered_on), date(x, '+7 days') and julianday(x) work. 500 rows at most.
    Errors: `not_a_select`, `sql_error`, `column_restricted`, `function_not_allowed`, `query_too_heavy`,
    `missing_parameters`, `unknown_parameters`, `unsupported_value`.

    Args:
        sql: The query; values can be given as :name.
        parameters: Value of each :name.
        limit: At most so many rows.
        offset: Skip so many rows.
    """
    return answer(evaluate(state, ctx.now, sql, parameters), limit, offset)
