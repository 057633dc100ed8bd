"""Tools for events and logs."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.monitoring.state import (
    AlertType,
    Event,
    HostName,
    LogEntry,
    LogStatus,
    MonitoringState,
    ServiceName,
    service,
)
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_text,
    cursor_page,
    keep,
    newest_first,
    search,
    within,
)


@service.tool()
def list_events(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: MonitoringState,
    ctx: CallContext,
    query: Query | None = None,
    service: ServiceName | None = None,
    alert_type: AlertType | None = None,
    source: Annotated[str, f.Semantic("label")] | None = None,
    start: f.Date | None = None,
    end: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List events such as deployments and restarts, newest first.

    Errors: `not_found`, `invalid_date`, `invalid_range`.

    Args:
        query: Words in the title or text.
        service: Only events of this service.
        alert_type: Only events of this type.
        source: Only events from this source, such as deploy.
        start: First day.
        end: Last day.
        limit: At most so many events.
        cursor: next_cursor of the previous page.
    """
    if service is not None:
        state.services.get(service)
    found = search(within(state.events, "at", start, end), query, lambda row: (row.title, row.text))
    found = keep(found, service=service, alert_type=alert_type, source=source)
    found = newest_first(found, "at")
    return cursor_page("events", found, limit, cursor)


@service.tool(phrase="post the event {title} for {service}")
def post_event(
    state: MonitoringState,
    ctx: CallContext,
    title: Name,
    text: Body,
    service: ServiceName,
    alert_type: AlertType = "info",
) -> Event:
    """Put something that happened on the event stream, so that people see it beside the graphs.

    Errors: `not_found`, `blank_text`.

    Args:
        title: One line.
        text: What happened.
        service: Service that it is about.
        alert_type: How it is marked.
    """
    state.services.get(service)
    return state.events.create(
        title=check_text(title, "title"),
        text=check_text(text, "text"),
        service=service,
        alert_type=alert_type,
        source="api",
        by_email=ME.email,
        at=ctx.now,
    )


def _logs(
    state: MonitoringState,
    query: str | None,
    service: str | None,
    status: str | None,
    start: str | None,
    end: str | None,
) -> list[LogEntry]:
    if service is not None:
        state.services.get(service)
    found = search(within(state.logs, "at", start, end), query, lambda row: (row.message,))
    return keep(found, service=service, status=status)


@service.tool()
def search_logs(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: MonitoringState,
    ctx: CallContext,
    query: Query | None = None,
    service: ServiceName | None = None,
    host: HostName | None = None,
    status: LogStatus | None = None,
    start: f.Date | None = None,
    end: f.Date | None = None,
    sort: Annotated[Literal["timestamp", "-timestamp"], LABEL] = "-timestamp",
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """Search log entries by words, service, host, status and day.

    Errors: `not_found`, `invalid_date`, `invalid_range`.

    Args:
        query: Words in the message.
        service: Only entries of this service.
        host: Only entries of this host.
        status: Only entries of this status.
        start: First day.
        end: Last day.
        sort: timestamp for the oldest first, -timestamp for the newest.
        limit: At most so many entries.
        cursor: next_cursor of the previous page.
    """
    if host is not None:
        state.hosts.get(host)
    found = keep(_logs(state, query, service, status, start, end), host=host)
    found.sort(key=lambda row: (row.at, row.id), reverse=sort == "-timestamp")
    return cursor_page("logs", found, limit, cursor)


@service.tool()
def aggregate_logs(
    state: MonitoringState,
    ctx: CallContext,
    group_by: Annotated[Literal["service", "host", "status", "day"], LABEL] = "service",
    query: Query | None = None,
    service: ServiceName | None = None,
    status: LogStatus | None = None,
    start: f.Date | None = None,
    end: f.Date | None = None,
) -> Json:
    """Count log entries by service, host, status or day, the largest count first.

    Errors: `not_found`, `invalid_date`, `invalid_range`.

    Args:
        group_by: What gets a count.
        query: Words in the message.
        service: Only entries of this service.
        status: Only entries of this status.
        start: First day.
        end: Last day.
    """
    counts: dict[str, int] = {}
    for row in _logs(state, query, service, status, start, end):
        keys = {"service": row.service, "host": row.host, "status": row.status, "day": row.at[:10]}
        counts[keys[group_by]] = counts.get(keys[group_by], 0) + 1
    buckets: list[Json] = [{group_by: key, "count": count} for key, count in counts.items()]
    buckets.sort(key=lambda row: (-row["count"], row[group_by]))
    return {"buckets": buckets, "total": sum(counts.values())}
