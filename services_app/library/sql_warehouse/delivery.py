"""Tools for what is shown, watched and sent: dashboards, alerts, schedules."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, ToolError, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import Json, Name, Query, check_text, keep, same, search, some_changes, with_fields
from services_app.library.sql_warehouse.queries import QueryId
from services_app.library.sql_warehouse.sql import evaluate, placeholders
from services_app.library.sql_warehouse.state import (
    Alert,
    AlertState,
    Cadence,
    Chart,
    Comparison,
    Dashboard,
    Schedule,
    Tile,
    WarehouseState,
    service,
)

DashboardId = Annotated[str, f.ref("dashboards")]
AlertId = Annotated[str, f.ref("alerts")]
Threshold = Annotated[float, f.Semantic("money"), Field(ge=-1_000_000_000, le=1_000_000_000)]
MAX_TILES = 12


@service.tool()
def list_dashboards(state: WarehouseState, ctx: CallContext, query: Query | None = None) -> Json:
    """List dashboards with their number of tiles.

    Args:
        query: Words in the name or description.
    """
    found = search(state.dashboards, query, lambda row: (row.name, row.description))
    rows = [with_fields(row, tiles=state.tiles.count(dashboard_id=row.id)) for row in found]
    return {"dashboards": rows, "total": len(rows)}


@service.tool()
def get_dashboard(state: WarehouseState, ctx: CallContext, dashboard_id: DashboardId) -> Json:
    """Show a dashboard with what each of its tiles gives now (the first five rows).

    Errors: `not_found`.

    Args:
        dashboard_id: Id of the dashboard.
    """
    dashboard = state.dashboards.get(dashboard_id)
    tiles = [_shown(state, ctx, tile) for tile in state.tiles.find(dashboard_id=dashboard_id)]
    return with_fields(dashboard, tiles=tiles)


def _shown(state: WarehouseState, ctx: CallContext, tile: Tile) -> Json:
    """A tile with its data, or with what is wrong with its query."""
    try:
        result = evaluate(state, ctx.now, state.saved_queries.get(tile.query_id).sql)
    except ToolError as error:
        return with_fields(tile, error=error.type, rows=[])
    rows = [dict(zip(result.columns, row, strict=True)) for row in result.rows[:5]]
    return with_fields(tile, rows=rows, row_count=len(result.rows))


@service.tool(phrase="create the dashboard {name}")
def create_dashboard(state: WarehouseState, ctx: CallContext, name: Name, description: f.Text = "") -> Dashboard:
    """Create an empty dashboard of your own; names are unique.

    Errors: `duplicate_dashboard`, `blank_text`.

    Args:
        name: Name of the dashboard.
        description: What it is for.
    """
    clean = check_text(name, "name")
    if any(same(row.name, clean) for row in state.dashboards):
        raise conflict(f"There is a dashboard {clean!r} already.", type="duplicate_dashboard")
    return state.dashboards.create(name=clean, description=description, owner_email=ME.email)


@service.tool(phrase="put the query {query_id} on the dashboard {dashboard_id}")
def add_tile(
    state: WarehouseState,
    ctx: CallContext,
    dashboard_id: DashboardId,
    query_id: QueryId,
    title: Name,
    chart: Chart = "table",
) -> Tile:
    """Put a saved query on a dashboard as a tile, twelve at most.

    Errors: `not_found`, `needs_parameters` (queries with placeholders cannot be shown), `not_a_number` (the chart
    number needs one number), `duplicate_tile` (same query and chart), `dashboard_full`, `blank_text`.

    Args:
        dashboard_id: Id of the dashboard.
        query_id: Id of the query.
        title: Title of the tile.
        chart: How it is drawn.
    """
    state.dashboards.get(dashboard_id)
    _plain_query(state, query_id)
    if state.tiles.first(dashboard_id=dashboard_id, query_id=query_id, chart=chart):
        raise conflict("The dashboard shows this query in this way already.", type="duplicate_tile")
    if state.tiles.count(dashboard_id=dashboard_id) >= MAX_TILES:
        raise conflict(f"A dashboard has at most {MAX_TILES} tiles.", type="dashboard_full")
    if chart == "number":
        _number(state, ctx, query_id)
    return state.tiles.create(
        dashboard_id=dashboard_id, query_id=query_id, title=check_text(title, "title"), chart=chart
    )


def _plain_query(state: WarehouseState, query_id: str) -> str:
    """SQL of a query without placeholders."""
    query = state.saved_queries.get(query_id)
    names = placeholders(query.sql)
    if names:
        raise invalid(f"{query.name!r} asks for {', '.join(names)}.", type="needs_parameters")
    return query.sql


def _number(state: WarehouseState, ctx: CallContext, query_id: str) -> float:
    """The one number that a query gives; 422 `not_a_number` otherwise."""
    value = evaluate(state, ctx.now, _plain_query(state, query_id)).single_number
    if value is None:
        raise invalid("The query does not give one row with a number in front.", type="not_a_number")
    return value


@service.tool(phrase="take the tile {tile_id} off its dashboard")
def remove_tile(state: WarehouseState, ctx: CallContext, tile_id: Annotated[str, f.ref("tiles")]) -> Json:
    """Take a tile off a dashboard.

    Errors: `not_found`.

    Args:
        tile_id: Id of the tile, from get_dashboard.
    """
    tile = state.tiles.delete(tile_id)
    return {"removed": tile_id, "tiles_left": state.tiles.count(dashboard_id=tile.dashboard_id)}


@service.tool()
def list_alerts(
    state: WarehouseState,
    ctx: CallContext,
    query: Query | None = None,
    alert_state: AlertState | None = None,
    recipient_email: f.Email | None = None,
) -> Json:
    """List alerts with the value their query gives now and how far it is from the threshold.

    Args:
        query: Words in the name.
        alert_state: Only alerts in this state.
        recipient_email: Only alerts that go to this person.
    """
    found = keep(search(state.alerts, query, lambda row: (row.name,)), state=alert_state)
    rows = [_with_value(state, ctx, row) for row in keep(found, recipient_email=recipient_email)]
    return {"alerts": rows, "total": len(rows)}


def _with_value(state: WarehouseState, ctx: CallContext, alert: Alert) -> Json:
    value: float | None
    try:
        value = _number(state, ctx, alert.query_id)
    except ToolError:
        value = None
    distance = None if value is None else round(value - alert.threshold, 2)
    return with_fields(alert, current_value=value, distance=distance)


@service.tool(phrase="set up the alert {name} when {query_id} is {comparison} {threshold}")
def create_alert(
    state: WarehouseState,
    ctx: CallContext,
    name: Name,
    query_id: QueryId,
    comparison: Comparison,
    threshold: Threshold,
    recipient_email: f.Email,
) -> Alert:
    """Have someone told when the number of a saved query is above or below a threshold.

    Errors: `not_found`, `needs_parameters`, `not_a_number`, `duplicate_alert` (the name, or the same query,
    comparison and recipient), `blank_text`.

    Args:
        name: Name of the alert.
        query_id: Id of a query that gives one number.
        comparison: On which side of the threshold it goes off.
        threshold: The threshold.
        recipient_email: Who is told.
    """
    clean = check_text(name, "name")
    _number(state, ctx, query_id)
    for row in state.alerts:
        same_watch = row.query_id == query_id and row.comparison == comparison
        if same(row.name, clean) or (same_watch and same(row.recipient_email, recipient_email)):
            raise conflict(f"Alert {row.id} ({row.name}) does this already.", type="duplicate_alert")
    return state.alerts.create(
        name=clean,
        query_id=query_id,
        comparison=comparison,
        threshold=threshold,
        recipient_email=recipient_email,
    )


@service.tool(phrase="change the alert {alert_id}")
def update_alert(
    state: WarehouseState,
    ctx: CallContext,
    alert_id: AlertId,
    threshold: Threshold | Unset = UNSET,
    recipient_email: f.Email | Unset = UNSET,
    muted: bool | Unset = UNSET,
) -> Alert:
    """Change the threshold or the recipient of an alert, or mute it; it has to be checked again afterwards.

    Errors: `not_found`, `nothing_to_change`.

    Args:
        alert_id: Id of the alert.
        threshold: New threshold.
        recipient_email: Who is told from now on.
        muted: true silences it, false wakes it.
    """
    state.alerts.get(alert_id)
    changes = some_changes(given(threshold=threshold, recipient_email=recipient_email, muted=muted))
    asleep = changes.pop("muted", state.alerts.get(alert_id).state == "muted")
    return state.alerts.patch(alert_id, state="muted" if asleep else "unchecked", **changes)


@service.tool(phrase="check the alert {alert_id}")
def check_alert(state: WarehouseState, ctx: CallContext, alert_id: AlertId) -> Json:
    """Check an alert now and store the value and whether it has gone off.

    Errors: `not_found`, `alert_muted`, `needs_parameters`, `not_a_number`, `sql_error`, `column_restricted`.

    Args:
        alert_id: Id of the alert.
    """
    alert = state.alerts.get(alert_id)
    if alert.state == "muted":
        raise conflict(f"Alert {alert.name!r} is muted.", type="alert_muted")
    value = _number(state, ctx, alert.query_id)
    off = value > alert.threshold if alert.comparison == "above" else value < alert.threshold
    changed = state.alerts.patch(
        alert_id, state="triggered" if off else "ok", last_value=value, last_checked_at=ctx.now
    )
    return with_fields(changed, distance=round(value - alert.threshold, 2))


@service.tool()
def list_schedules(
    state: WarehouseState, ctx: CallContext, recipient_email: f.Email | None = None, active_only: bool = False
) -> Json:
    """List what is sent to whom and when.

    Args:
        recipient_email: Only schedules that go to this person.
        active_only: Leave out paused schedules.
    """
    names = {row.id: row.name for row in state.saved_queries}
    rows = [
        with_fields(row, query=names.get(row.query_id))
        for row in state.schedules
        if (recipient_email is None or any(same(item, recipient_email) for item in row.recipients))
        and (row.active or not active_only)
    ]
    return {"schedules": rows, "total": len(rows)}


@service.tool(phrase="send {query_id} {cadence} at {at} to {recipients}")
def create_schedule(
    state: WarehouseState,
    ctx: CallContext,
    query_id: QueryId,
    cadence: Cadence,
    at: f.Time,
    recipients: Annotated[list[f.Email], Field(min_length=1, max_length=20)],
) -> Schedule:
    """Have the result of a saved query sent regularly; a query has one schedule per cadence.

    Errors: `not_found`, `needs_parameters`, `duplicate_schedule`, `outside_hours` (sent between 06:00 and 20:00 only).

    Args:
        query_id: Id of the query.
        cadence: How often.
        at: Time of day, UTC, such as 07:30.
        recipients: Who gets it.
    """
    _plain_query(state, query_id)
    present = state.schedules.first(query_id=query_id, cadence=cadence)
    if present is not None:
        raise conflict(f"Schedule {present.id} sends this query {cadence} already.", type="duplicate_schedule")
    if not "06:00" <= at <= "20:00":
        raise invalid("Results are sent between 06:00 and 20:00.", type="outside_hours")
    return state.schedules.create(
        query_id=query_id, cadence=cadence, at=at, recipients=tuple(dict.fromkeys(recipients))
    )


@service.tool(phrase="pause the schedule {schedule_id}")
def pause_schedule(
    state: WarehouseState, ctx: CallContext, schedule_id: Annotated[str, f.ref("schedules")], active: bool = False
) -> Schedule:
    """Pause a schedule, or let it go on. Only recipients and the owner of the query may do so.

    Errors: `not_found`, `no_change`, `not_your_schedule`.

    Args:
        schedule_id: Id of the schedule.
        active: true lets it go on.
    """
    row = state.schedules.get(schedule_id)
    owner = state.saved_queries.get(row.query_id).owner_email
    if not any(same(email, ME.email) for email in (owner, *row.recipients)):
        raise forbidden(f"Only {owner} and the recipients may do this.", type="not_your_schedule")
    if row.active == active:
        raise conflict(f"Schedule {schedule_id} is {'active' if active else 'paused'} already.", type="no_change")
    return state.schedules.patch(schedule_id, active=active)
