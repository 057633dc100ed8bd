"""Tools that report on traffic and pages."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Offset,
    Query,
    cursor_page,
    grouped,
    guide_pages,
    keep,
    offset_page,
    plus_days,
    search,
    with_fields,
)
from services_app.library.web_analytics.figures import (
    check_period,
    counted,
    in_period,
    in_segment,
    metrics,
    paths,
    share,
)
from services_app.library.web_analytics.state import (
    Device,
    GoalId,
    Medium,
    PageId,
    PropertyId,
    SegmentId,
    Source,
    WebState,
    service,
)

Dimension = Annotated[Literal["date", "page", "source", "medium", "campaign", "country", "device", "event_name"], LABEL]
Metric = Annotated[Literal["sessions", "users", "pageviews", "conversions", "value", "bounce_rate"], LABEL]


@service.tool()
def list_properties(state: WebState, ctx: CallContext, query: Query | None = None) -> Json:
    """List web sites with your role and the sessions of the last 28 days.

    Args:
        query: Words in the name, domain or description.
    """
    since = ctx.in_days(-28)
    rows = []
    for row in search(state.properties, query, lambda row: (row.name, row.domain, row.description)):
        mine = state.users.first(property_id=row.id, email=ME.email)
        recent = in_period(counted(state, row.id), since, None)
        figures = {"pages": state.pages.count(property_id=row.id), "sessions": sum(one.sessions for one in recent)}
        rows.append(with_fields(row, your_role=mine.role if mine else None, **figures))
    return {"properties": rows, "total": len(rows)}


@service.tool()
def run_report(  # noqa: PLR0913, PLR0917 - parts of a report
    state: WebState,
    ctx: CallContext,
    property_id: PropertyId,
    dimension: Dimension = "source",
    start_date: f.Date | None = None,
    end_date: f.Date | None = None,
    segment_id: SegmentId | None = None,
    goal_id: GoalId | None = None,
    source: Source | None = None,
    medium: Medium | None = None,
    country: f.Place | None = None,
    device: Device | None = None,
    sort: Metric = "sessions",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Report users, sessions, bounces and conversions of a site, a row per value of a dimension.

    Errors: `not_found`, `invalid_date`, `invalid_range` (400 days at most).

    Args:
        property_id: Id of the property.
        dimension: What gets a row.
        start_date: First day; 28 days ago, if left out.
        end_date: Last day; today, if left out.
        segment_id: Only traffic of this segment.
        goal_id: Conversions of this goal alone, instead of all.
        source: Only traffic from this source.
        medium: Only traffic of this medium.
        country: Only traffic from this country.
        device: Only traffic of this kind of device.
        sort: Metric with the largest first; rows by date stay in order.
        limit: At most so many rows.
        cursor: next_cursor of the previous page.
    """
    state.properties.get(property_id)
    segment = state.segments.get(segment_id) if segment_id is not None else None
    goals = [state.goals.get(goal_id)] if goal_id is not None else state.goals.find(property_id=property_id)
    first, last = start_date or ctx.in_days(-28), end_date or ctx.today
    check_period(first, last)
    rows = in_segment(state, in_period(counted(state, property_id), first, last), segment)
    rows = keep(rows, source=source, medium=medium, country=country, device=device)
    where = paths(state)
    groups = grouped(rows, lambda row: where[row.page_id] if dimension == "page" else str(getattr(row, dimension)))
    table = [{dimension: key, **metrics(state, part, goals)} for key, part in groups.items()]
    table.sort(key=lambda row: (row["date"],) if dimension == "date" else (-row[sort], row[dimension]))
    page = cursor_page("rows", table, limit, cursor)
    return {**page, "start_date": first, "end_date": last, "totals": metrics(state, rows, goals)}


@service.tool()
def compare_periods(
    state: WebState,
    ctx: CallContext,
    property_id: PropertyId,
    start_date: f.Date,
    end_date: f.Date,
    segment_id: SegmentId | None = None,
    page_id: PageId | None = None,
) -> Json:
    """Compare a period with the equally long one right before it, with the annotations of both.

    Errors: `not_found`, `invalid_date`, `invalid_range`.

    Args:
        property_id: Id of the property.
        start_date: First day.
        end_date: Last day.
        segment_id: Only traffic of this segment.
        page_id: Only this page.
    """
    state.properties.get(property_id)
    segment = state.segments.get(segment_id) if segment_id is not None else None
    if page_id is not None:
        state.pages.get(page_id)
    days = check_period(start_date, end_date)
    before = plus_days(start_date, -days)
    goals = state.goals.find(property_id=property_id)
    rows = keep(in_segment(state, counted(state, property_id), segment), page_id=page_id)
    now = metrics(state, in_period(rows, start_date, end_date), goals)
    then = metrics(state, in_period(rows, before, plus_days(start_date, -1)), goals)
    change = {key: share(now[key] - then[key], then[key]) for key in ("users", "sessions", "pageviews", "conversions")}
    notes = within_property(state, property_id, before, end_date)
    previous = {"start_date": before, "end_date": plus_days(start_date, -1), **then}
    return {"period": now, "previous": previous, "change_percent": change, "annotations": notes}


def within_property(state: WebState, property_id: str, first: str, last: str) -> list[object]:
    """Annotations of a property between two days."""
    return [row for row in state.annotations.find(property_id=property_id) if first <= row.date <= last]


@service.tool()
def list_pages(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: WebState,
    ctx: CallContext,
    query: Query | None = None,
    property_id: PropertyId | None = None,
    author_email: f.Email | None = None,
    start_date: f.Date | None = None,
    end_date: f.Date | None = None,
    sort: Annotated[Literal["sessions", "bounce_rate", "path"], LABEL] = "sessions",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List pages with their sessions and bounce rate.

    Errors: `not_found`, `invalid_date`, `invalid_range`.

    Args:
        query: Words in the path or title.
        property_id: Only pages of this property.
        author_email: Only pages of this author.
        start_date: First day whose traffic counts.
        end_date: Last day whose traffic counts.
        sort: sessions or bounce_rate, the largest first, or path.
        limit: At most so many pages.
        cursor: next_cursor of the previous page.
    """
    if property_id is not None:
        state.properties.get(property_id)
    visits = grouped(in_period(counted(state, property_id), start_date, end_date), lambda row: row.page_id)
    found = keep(search(state.pages, query, lambda row: (row.path, row.title)), property_id=property_id)
    rows = []
    for page in keep(found, author_email=author_email):
        traffic = visits.get(page.id, [])
        sessions = sum(row.sessions for row in traffic)
        rate = share(sum(row.bounces for row in traffic), sessions)
        rows.append(with_fields(page, sessions=sessions, bounce_rate=rate))
    rows.sort(key=lambda row: (row["path"],) if sort == "path" else (-row[sort], row["path"]))
    return cursor_page("pages", rows, limit, cursor)


@service.tool()
def get_page(state: WebState, ctx: CallContext, page_id: PageId) -> Json:
    """Show a page with its figures, where its visitors come from, and the goals that it counts for.

    Errors: `not_found`.

    Args:
        page_id: Id of the page.
    """
    page = state.pages.get(page_id)
    rows = [row for row in counted(state, page.property_id) if row.page_id == page_id]
    goals = state.goals.find(property_id=page.property_id)
    sources = grouped(rows, lambda row: f"{row.source} / {row.medium}")
    ranked = sorted(((sum(row.sessions for row in part), key) for key, part in sources.items()), reverse=True)
    return {
        **with_fields(page, domain=state.properties.get(page.property_id).domain),
        **metrics(state, rows, goals),
        "sources": [{"source_medium": key, "sessions": count} for count, key in ranked],
        "goal_ids": [goal.id for goal in goals if goal.kind == "page" and page.path.startswith(goal.match)],
    }


@service.tool()
def read_tracking_plan(
    state: WebState,
    ctx: CallContext,
    query: Query | None = None,
    superseded: bool | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """Read how campaigns are named, what goals are worth and what is left out of reports.

    Args:
        query: Words in the title or text.
        superseded: false for pages in force, true for those that a newer one has replaced.
        limit: At most so many pages.
        offset: How many to skip.
    """
    found = guide_pages(state.plan, query, superseded=superseded)
    return offset_page("plan", found, limit, offset)
