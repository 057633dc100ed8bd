"""Tools for saved queries, their runs and notes."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Offset,
    Query,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    some_changes,
    with_fields,
)
from services_app.library.sql_warehouse.explore import Parameters, Sql, answer
from services_app.library.sql_warehouse.sql import evaluate, placeholders
from services_app.library.sql_warehouse.state import QueryNote, SavedQuery, WarehouseState, service

QueryId = Annotated[str, f.ref("saved_queries")]


def uses(state: WarehouseState, query_id: str) -> Json:
    """How often a query is used by tiles, alerts and schedules."""
    return {
        "tiles": state.tiles.count(query_id=query_id),
        "alerts": state.alerts.count(query_id=query_id),
        "schedules": state.schedules.count(query_id=query_id),
    }


@service.tool()
def list_saved_queries(
    state: WarehouseState,
    ctx: CallContext,
    query: Query | None = None,
    owner_email: f.Email | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find saved queries by words in the name, description or SQL, with their number of runs.

    Args:
        query: Words that must all occur.
        owner_email: Only queries of this person.
        limit: At most so many queries.
        cursor: next_cursor of the previous page.
    """
    found = keep(
        search(state.saved_queries, query, lambda row: (row.name, row.description, row.sql)), owner_email=owner_email
    )
    found.sort(key=lambda row: (row.name, row.id))
    rows = [with_fields(row, runs=state.runs.count(query_id=row.id)) for row in found]
    return cursor_page("queries", rows, limit, cursor)


@service.tool()
def get_saved_query(state: WarehouseState, ctx: CallContext, query_id: QueryId) -> Json:
    """Show a saved query with its placeholders, where it is used, its notes and its last run.

    Errors: `not_found`.

    Args:
        query_id: Id of the query.
    """
    query = state.saved_queries.get(query_id)
    runs = sorted(state.runs.find(query_id=query_id), key=lambda row: (row.ran_at, row.id))
    notes = sorted(state.notes.find(query_id=query_id), key=lambda row: (row.written_at, row.id))
    return with_fields(
        query,
        placeholders=placeholders(query.sql),
        used_by=uses(state, query_id),
        runs=len(runs),
        last_run=runs[-1] if runs else None,
        notes=notes,
    )


@service.tool()
def preview_query(
    state: WarehouseState,
    ctx: CallContext,
    query_id: QueryId,
    parameters: Parameters | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Json:
    """Show what a saved query gives now, without recording a run.

    Errors: `not_found`, `sql_error`, `column_restricted`, `missing_parameters`, `unknown_parameters`.

    Args:
        query_id: Id of the query.
        parameters: Value of each placeholder.
        limit: At most so many rows.
        offset: Skip so many rows.
    """
    query = state.saved_queries.get(query_id)
    return {"query": query.name, **answer(evaluate(state, ctx.now, query.sql, parameters), limit, offset)}


@service.tool(phrase="run the saved query {query_id}")
def run_query(state: WarehouseState, ctx: CallContext, query_id: QueryId, parameters: Parameters | None = None) -> Json:
    """Run a saved query, record the run with its number of rows, and show the first 20 rows.

    Errors: `not_found`, `sql_error`, `column_restricted`, `missing_parameters`, `unknown_parameters`.

    Args:
        query_id: Id of the query.
        parameters: Value of each placeholder.
    """
    query = state.saved_queries.get(query_id)
    result = evaluate(state, ctx.now, query.sql, parameters)
    run = state.runs.create(
        query_id=query_id,
        row_count=len(result.rows),
        first_value=result.single_number,
        ran_by=ME.email,
        ran_at=ctx.now,
    )
    return {"run": run, "query": query.name, **answer(result, 20, 0)}


def _new_name(state: WarehouseState, name: str, own: str = "") -> str:
    clean = check_text(name, "name")
    if any(same(row.name, clean) and row.id != own for row in state.saved_queries):
        raise conflict(f"There is a query {clean!r} already.", type="duplicate_query")
    return clean


def _check(state: WarehouseState, ctx: CallContext, sql: str) -> str:
    """The SQL, once it has been run with empty values for its placeholders."""
    evaluate(state, ctx.now, sql, dict.fromkeys(placeholders(sql)))
    return sql.strip()


@service.tool(phrase="save the query {name}")
def save_query(state: WarehouseState, ctx: CallContext, name: Name, sql: Sql, description: f.Text = "") -> SavedQuery:
    """Save a query of your own under a name; it is tried first. Values to ask for are written :name.

    Errors: `duplicate_query`, `not_a_select`, `sql_error`, `column_restricted`, `function_not_allowed`,
    `query_too_heavy`, `unsupported_value`, `blank_text`.

    Args:
        name: Name of the query.
        sql: One SELECT.
        description: What it answers.
    """
    clean = _new_name(state, name)
    return state.saved_queries.create(
        name=clean, description=description, sql=_check(state, ctx, sql), owner_email=ME.email, updated_at=ctx.now
    )


def _own(state: WarehouseState, query_id: str) -> SavedQuery:
    query = state.saved_queries.get(query_id)
    if not same(query.owner_email, ME.email):
        raise forbidden(f"{query.name!r} belongs to {query.owner_email}; save one of your own.", type="not_your_query")
    return query


@service.tool(phrase="update the saved query {query_id}")
def update_query(
    state: WarehouseState,
    ctx: CallContext,
    query_id: QueryId,
    name: Name | Unset = UNSET,
    sql: Sql | Unset = UNSET,
    description: f.Text | Unset = UNSET,
) -> SavedQuery:
    """Change a query of your own; what is not sent stays as it is.

    The SQL of a query that alerts watch has to go on giving one number. Errors: `not_found`, `not_your_query`,
    `nothing_to_change`, `duplicate_query`, `not_a_select`, `sql_error`, `column_restricted`, `function_not_allowed`,
    `query_too_heavy`, `unsupported_value`, `breaks_alert`, `blank_text`.

    Args:
        query_id: Id of the query.
        name: New name.
        sql: New SQL.
        description: New description.
    """
    _own(state, query_id)
    changes = some_changes(given(name=name, sql=sql, description=description))
    if "name" in changes:
        changes["name"] = _new_name(state, changes["name"], own=query_id)
    if "sql" in changes:
        changes["sql"] = _check(state, ctx, changes["sql"])
        watched = state.alerts.first(query_id=query_id)
        if watched is not None and (
            placeholders(changes["sql"]) or evaluate(state, ctx.now, changes["sql"]).single_number is None
        ):
            raise conflict(f"Alert {watched.id} needs one number from this query.", type="breaks_alert")
    return state.saved_queries.patch(query_id, updated_at=ctx.now, **changes)


@service.tool(phrase="delete the saved query {query_id}")
def delete_query(state: WarehouseState, ctx: CallContext, query_id: QueryId) -> Json:
    """Delete a query of your own that nothing uses, with its runs and notes.

    Errors: `not_found`, `not_your_query`, `query_in_use` (by tiles, alerts or schedules).

    Args:
        query_id: Id of the query.
    """
    query = _own(state, query_id)
    used = {kind: count for kind, count in uses(state, query_id).items() if count}
    if used:
        listed = ", ".join(f"{count} {kind}" for kind, count in used.items())
        raise conflict(f"{query.name!r} is used by {listed}.", type="query_in_use")
    runs, notes = state.runs.find(query_id=query_id), state.notes.find(query_id=query_id)
    for run in runs:
        state.runs.delete(run.id)
    for note in notes:
        state.notes.delete(note.id)
    state.saved_queries.delete(query_id)
    return {"deleted": query_id, "runs_deleted": len(runs), "notes_deleted": len(notes)}


@service.tool(phrase="add a note to the saved query {query_id}")
def add_query_note(state: WarehouseState, ctx: CallContext, query_id: QueryId, text: Body) -> QueryNote:
    """Add a note to a saved query: a caveat, a change, a finding.

    Errors: `not_found`, `blank_text`.

    Args:
        query_id: Id of the query.
        text: The note.
    """
    state.saved_queries.get(query_id)
    return state.notes.create(
        query_id=query_id, author_email=ME.email, text=check_text(text, "text"), written_at=ctx.now
    )
