"""Tools for planned downtimes."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.monitoring.evaluate import downtime_status
from services_app.library.monitoring.state import Downtime, MonitorId, MonitoringState, ServiceName, service
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    check_time,
    cursor_page,
    keep,
    minutes_between,
    newest_first,
    search,
    some_changes,
    with_fields,
)

LONGEST_HOURS = {"critical": 8, "standard": 72}
DowntimeId = Annotated[str, f.ref("downtimes")]


def downtime_row(ctx: CallContext, row: Downtime) -> Json:
    minutes = minutes_between(row.start, row.end)
    return with_fields(row, status=downtime_status(ctx, row), minutes=minutes)


def check_span(
    state: MonitoringState, service: str, monitor_id: str | None, start: str, end: str, own_id: str = ""
) -> None:
    """Length and overlap of a downtime: 422 `invalid_range`, 409 `downtime_too_long` or `overlapping_downtime`."""
    if start >= end:
        raise invalid(f"The downtime ends ({end}) before it starts ({start}).", type="invalid_range")
    tier = state.services.get(service).tier
    if minutes_between(start, end) > 60 * LONGEST_HOURS[tier]:
        raise conflict(f"{service} is {tier}: {LONGEST_HOURS[tier]} hours at most.", type="downtime_too_long")
    for other in state.downtimes.find(service=service, monitor_id=monitor_id, cancelled=False):
        if other.id != own_id and other.start < end and start < other.end:
            raise conflict(f"{other.id} covers some of this time; change that one.", type="overlapping_downtime")


@service.tool()
def list_downtimes(
    state: MonitoringState,
    ctx: CallContext,
    query: Query | None = None,
    service: ServiceName | None = None,
    monitor_id: MonitorId | None = None,
    status: Annotated[Literal["scheduled", "active", "ended", "cancelled"], LABEL] | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List downtimes with their state, the latest first.

    Errors: `not_found`.

    Args:
        query: Words in the message.
        service: Only downtimes of this service.
        monitor_id: Only downtimes of this monitor alone.
        status: Only downtimes in this state.
        limit: At most so many downtimes.
        cursor: next_cursor of the previous page.
    """
    if service is not None:
        state.services.get(service)
    if monitor_id is not None:
        state.monitors.get(monitor_id)
    found = keep(search(state.downtimes, query, lambda row: (row.message,)), service=service, monitor_id=monitor_id)
    found = newest_first(found, "start")
    rows = [downtime_row(ctx, row) for row in found if status in (None, downtime_status(ctx, row))]
    return cursor_page("downtimes", rows, limit, cursor)


@service.tool(phrase="schedule a downtime of {service} from {start} to {end}")
def schedule_downtime(
    state: MonitoringState,
    ctx: CallContext,
    service: ServiceName,
    start: f.Timestamp,
    end: f.Timestamp,
    message: Body,
    monitor_id: MonitorId | None = None,
) -> Json:
    """Silence a service, or one monitor of it, for a planned time.

    Errors: `not_found`, `in_the_past`, `invalid_time`, `invalid_range`, `downtime_too_long` (8 hours for a critical
    service, 72 for others), `overlapping_downtime` (of the same scope), `other_service` (the monitor is of another
    service), `blank_text`.

    Args:
        service: Service to be silenced.
        start: First instant.
        end: Last instant.
        message: What is done in that time.
        monitor_id: Only this monitor.
    """
    state.services.get(service)
    if monitor_id is not None and state.monitors.get(monitor_id).service != service:
        raise invalid(f"{monitor_id} does not watch {service}.", type="other_service")
    first, last = check_time(start), check_time(end)
    text = check_text(message, "message")
    if first < ctx.now:
        raise invalid(f"{first} is over; it is now {ctx.now}.", type="in_the_past")
    check_span(state, service, monitor_id, first, last)
    row = state.downtimes.create(
        service=service, monitor_id=monitor_id, start=first, end=last, message=text, created_by=ME.email
    )
    return downtime_row(ctx, row)


def open_downtime(state: MonitoringState, ctx: CallContext, downtime_id: str) -> Downtime:
    """A downtime that is scheduled or active; 409 `downtime_over`."""
    row = state.downtimes.get(downtime_id)
    status = downtime_status(ctx, row)
    if status in ("ended", "cancelled"):
        raise conflict(f"{downtime_id} is {status}; schedule a new one.", type="downtime_over")
    return row


@service.tool(phrase="change the downtime {downtime_id}")
def update_downtime(
    state: MonitoringState,
    ctx: CallContext,
    downtime_id: DowntimeId,
    start: f.Timestamp | Unset = UNSET,
    end: f.Timestamp | Unset = UNSET,
    message: Body | Unset = UNSET,
) -> Json:
    """Move a downtime that is not over, or change its message; an active one keeps its start.

    Errors: `not_found`, `downtime_over`, `already_started`, `in_the_past`, `invalid_time`, `invalid_range`,
    `downtime_too_long`, `overlapping_downtime`, `nothing_to_change`, `blank_text`.

    Args:
        downtime_id: Id of the downtime.
        start: New first instant.
        end: New last instant.
        message: New message.
    """
    row = open_downtime(state, ctx, downtime_id)
    changes = some_changes(given(start=start, end=end, message=message))
    for name in ("start", "end"):
        if name in changes:
            changes[name] = check_time(changes[name])
            if changes[name] < ctx.now:
                raise invalid(f"{changes[name]} is over; it is now {ctx.now}.", type="in_the_past")
    if "message" in changes:
        changes["message"] = check_text(changes["message"], "message")
    if "start" in changes and row.start <= ctx.now:
        raise conflict(f"{downtime_id} began at {row.start}; change its end only.", type="already_started")
    after = row.changed(**changes)
    check_span(state, row.service, row.monitor_id, after.start, after.end, downtime_id)
    return downtime_row(ctx, state.downtimes.patch(downtime_id, **changes))


@service.tool(phrase="cancel the downtime {downtime_id}")
def cancel_downtime(state: MonitoringState, ctx: CallContext, downtime_id: DowntimeId) -> Json:
    """Cancel a downtime that is scheduled or active; what it silenced is heard again.

    Errors: `not_found`, `downtime_over`.

    Args:
        downtime_id: Id of the downtime.
    """
    open_downtime(state, ctx, downtime_id)
    return downtime_row(ctx, state.downtimes.patch(downtime_id, cancelled=True))
