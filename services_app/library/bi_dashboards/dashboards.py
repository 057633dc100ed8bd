"""Tools for dashboards."""

from __future__ import annotations

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given
from services_app.engine import fields as f
from services_app.library.bi_dashboards.figures import chart_rows, curated, own_dashboard, value_of
from services_app.library.bi_dashboards.state import (
    BiState,
    CollectionId,
    Comment,
    Dashboard,
    DashboardId,
    Note,
    Tile,
    service,
)
from services_app.library.cast import ME
from services_app.library.shared import Body, Json, Name, check_range, check_text, same, some_changes, with_fields


def tiles_of(state: BiState, dashboard_id: str) -> list[Tile]:
    return sorted(state.tiles.find(dashboard_id=dashboard_id), key=lambda row: row.position)


def dashboard_row(state: BiState, dashboard: Dashboard) -> Json:
    """A dashboard with its tiles in order."""
    tiles = [
        {"tile_id": row.id, "position": row.position, "chart_id": row.chart_id, "title": chart.title}
        for row in tiles_of(state, dashboard.id)
        for chart in [state.charts.get(row.chart_id)]
    ]
    name = state.collections.get(dashboard.collection_id).name
    return with_fields(dashboard, collection=name, certified=dashboard.certified_by is not None, tiles=tiles)


def check_title(state: BiState, collection_id: str, title: str, own_id: str = "") -> str:
    """A title that no other live dashboard of the collection has; 409 `duplicate_title`, 422 `blank_text`."""
    clean = check_text(title, "title")
    for other in state.dashboards.find(collection_id=collection_id, archived=False):
        if other.id != own_id and same(other.title, clean):
            raise conflict(f"{other.id} has this title; choose another.", type="duplicate_title")
    return clean


@service.tool()
def get_dashboard(state: BiState, ctx: CallContext, dashboard_id: DashboardId) -> Json:
    """Show a dashboard with its tiles, comments and subscriptions.

    Errors: `not_found`.

    Args:
        dashboard_id: Id of the dashboard.
    """
    dashboard = state.dashboards.get(dashboard_id)
    return {
        **dashboard_row(state, dashboard),
        "comments": state.comments.find(dashboard_id=dashboard_id),
        "subscription_ids": [row.id for row in state.subscriptions.find(dashboard_id=dashboard_id)],
    }


@service.tool()
def run_dashboard(
    state: BiState,
    ctx: CallContext,
    dashboard_id: DashboardId,
    company: f.Organisation | None = None,
    start_date: f.Date | None = None,
    end_date: f.Date | None = None,
) -> Json:
    """Show the value of every tile of a dashboard, under filters that hold for all of them.

    Errors: `not_found`, `invalid_date`, `invalid_range`.

    Args:
        dashboard_id: Id of the dashboard.
        company: Only rows of this customer.
        start_date: First day.
        end_date: Last day.
    """
    dashboard = state.dashboards.get(dashboard_id)
    check_range(start_date, end_date)
    values = []
    for tile in tiles_of(state, dashboard_id):
        chart = state.charts.get(tile.chart_id)
        rows = chart_rows(state, chart, company, start_date, end_date)
        value = value_of(rows, chart.measure, chart.aggregation)
        values.append({"position": tile.position, "chart_id": chart.id, "title": chart.title, "value": value})
    return {"dashboard_id": dashboard_id, "title": dashboard.title, "tiles": values}


@service.tool(phrase="create the dashboard {title} in {collection_id}")
def create_dashboard(
    state: BiState, ctx: CallContext, title: Name, collection_id: CollectionId, description: Note = ""
) -> Json:
    """Create an empty dashboard in a collection that you curate.

    Errors: `not_found`, `no_permission`, `duplicate_title` (in the collection), `blank_text`.

    Args:
        title: Title of the dashboard.
        collection_id: Id of the collection.
        description: Whom it is for.
    """
    curated(state, collection_id)
    clean = check_title(state, collection_id, title)
    values = {"description": description, "owner_email": ME.email, "updated_at": ctx.now}
    return dashboard_row(state, state.dashboards.create(title=clean, collection_id=collection_id, **values))


@service.tool(phrase="change the dashboard {dashboard_id}")
def update_dashboard(
    state: BiState,
    ctx: CallContext,
    dashboard_id: DashboardId,
    title: Name | Unset = UNSET,
    description: Note | Unset = UNSET,
    collection_id: CollectionId | Unset = UNSET,
    owner_email: f.Email | Unset = UNSET,
) -> Json:
    """Change title, description, owner or collection of a dashboard.

    Errors: `not_found`, `no_permission`, `archived`, `nothing_to_change`, `duplicate_title`, `restricted` (it does
    not leave a restricted collection), `blank_text`.

    Args:
        dashboard_id: Id of the dashboard.
        title: New title.
        description: New description.
        collection_id: Collection to which it is moved.
        owner_email: New owner.
    """
    dashboard = own_dashboard(state, dashboard_id)
    changes = some_changes(
        given(title=title, description=description, collection_id=collection_id, owner_email=owner_email)
    )
    target = changes.get("collection_id", dashboard.collection_id)
    if target != dashboard.collection_id:
        curated(state, target)
        if state.collections.get(dashboard.collection_id).restricted:
            raise forbidden(f"{dashboard_id} is in a restricted collection and stays there.", type="restricted")
    if "title" in changes or target != dashboard.collection_id:
        clean = check_title(state, target, changes.get("title", dashboard.title), dashboard_id)
        changes |= {"title": clean} if "title" in changes else {}
    return dashboard_row(state, state.dashboards.patch(dashboard_id, **changes, updated_at=ctx.now))


@service.tool(phrase="copy the dashboard {dashboard_id} as {title}")
def copy_dashboard(
    state: BiState, ctx: CallContext, dashboard_id: DashboardId, title: Name, collection_id: CollectionId
) -> Json:
    """Copy a dashboard with its tiles into a collection that you curate; the copy is yours and not certified.

    Errors: `not_found`, `no_permission`, `duplicate_title`, `restricted` (it does not leave a restricted collection),
    `blank_text`.

    Args:
        dashboard_id: Id of the dashboard.
        title: Title of the copy.
        collection_id: Id of the collection that gets the copy.
    """
    source = state.dashboards.get(dashboard_id)
    curated(state, collection_id)
    if state.collections.get(source.collection_id).restricted and collection_id != source.collection_id:
        raise forbidden(f"{dashboard_id} is in a restricted collection and stays there.", type="restricted")
    copy = state.dashboards.create(
        title=check_title(state, collection_id, title),
        description=source.description,
        collection_id=collection_id,
        owner_email=ME.email,
        updated_at=ctx.now,
    )
    for tile in tiles_of(state, dashboard_id):
        state.tiles.create(dashboard_id=copy.id, chart_id=tile.chart_id, position=tile.position)
    return dashboard_row(state, copy)


@service.tool(phrase="archive the dashboard {dashboard_id}")
def archive_dashboard(state: BiState, ctx: CallContext, dashboard_id: DashboardId, restore: bool = False) -> Json:
    """Archive a dashboard, whose subscriptions are paused with it, or restore an archived one.

    Errors: `not_found`, `no_permission`, `archived`, `not_archived`, `duplicate_title`.

    Args:
        dashboard_id: Id of the dashboard.
        restore: true takes an archived dashboard back; its subscriptions stay paused.
    """
    dashboard = state.dashboards.get(dashboard_id)
    curated(state, dashboard.collection_id)
    if restore:
        if not dashboard.archived:
            raise conflict(f"{dashboard_id} is not archived.", type="not_archived")
        check_title(state, dashboard.collection_id, dashboard.title, dashboard_id)
        return dashboard_row(state, state.dashboards.patch(dashboard_id, archived=False, updated_at=ctx.now))
    own_dashboard(state, dashboard_id)
    paused = []
    for row in state.subscriptions.find(dashboard_id=dashboard_id, paused=False):
        paused.append(state.subscriptions.patch(row.id, paused=True).id)
    changed = state.dashboards.patch(dashboard_id, archived=True, updated_at=ctx.now)
    return {**dashboard_row(state, changed), "paused_subscriptions": paused}


@service.tool(phrase="certify the dashboard {dashboard_id}")
def certify_dashboard(
    state: BiState, ctx: CallContext, dashboard_id: DashboardId, note: Body, withdraw: bool = False
) -> Json:
    """Certify a dashboard all of whose charts stand on trusted datasets, or withdraw the certificate.

    Errors: `not_found`, `no_permission`, `archived`, `own_dashboard` (somebody else certifies it), `no_tiles`,
    `untrusted_data`, `certified`, `not_certified`, `blank_text`.

    Args:
        dashboard_id: Id of the dashboard.
        note: What was checked, or why it is withdrawn.
        withdraw: true withdraws the certificate.
    """
    dashboard = own_dashboard(state, dashboard_id)
    text = check_text(note, "note")
    if withdraw:
        if dashboard.certified_by is None:
            raise conflict(f"{dashboard_id} is not certified.", type="not_certified")
        return dashboard_row(state, state.dashboards.patch(dashboard_id, certified_by=None, certified_note=text))
    if dashboard.certified_by is not None:
        raise conflict(f"{dashboard.certified_by} has certified it.", type="certified")
    if same(dashboard.owner_email, ME.email):
        raise forbidden("Nobody certifies their own dashboard; ask another curator.", type="own_dashboard")
    tiles = tiles_of(state, dashboard_id)
    if not tiles:
        raise conflict(f"{dashboard_id} shows nothing; add a tile first.", type="no_tiles")
    charts = [state.charts.get(row.chart_id) for row in tiles]
    bad = [chart.id for chart in charts if not state.datasets.get(chart.dataset).trusted]
    if bad:
        raise conflict(f"{', '.join(bad)} stands on a dataset that is not trusted.", type="untrusted_data")
    return dashboard_row(state, state.dashboards.patch(dashboard_id, certified_by=ME.email, certified_note=text))


@service.tool(phrase="comment on the dashboard {dashboard_id}")
def add_comment(state: BiState, ctx: CallContext, dashboard_id: DashboardId, text: Body) -> Comment:
    """Comment on a dashboard.

    Errors: `not_found`, `archived`, `blank_text`.

    Args:
        dashboard_id: Id of the dashboard.
        text: The comment.
    """
    if state.dashboards.get(dashboard_id).archived:
        raise conflict(f"{dashboard_id} is archived; restore it first.", type="archived")
    clean = check_text(text, "comment")
    return state.comments.create(dashboard_id=dashboard_id, text=clean, by_email=ME.email, at=ctx.now)
