"""Tools for monitors: thresholds on metrics, and whom they tell."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.monitoring.evaluate import ORDER, groups, overall, silenced_by
from services_app.library.monitoring.state import (
    Aggregator,
    Comparison,
    Emails,
    Hours,
    MetricName,
    Monitor,
    MonitorId,
    MonitoringState,
    MonitorStatus,
    Priority,
    ServiceName,
    Threshold,
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
    check_future,
    check_text,
    cursor_page,
    keep,
    minutes_between,
    same,
    search,
    some_changes,
    with_fields,
)

HOURS_OF_A_URGENT_MUTE = 4


def monitor_row(state: MonitoringState, ctx: CallContext, monitor: Monitor) -> Json:
    """A monitor with its present state, computed from the series."""
    rows = groups(state, monitor)
    return with_fields(
        monitor,
        status=overall(rows),
        hosts_alerting=sum(row["status"] == "Alert" for row in rows),
        silenced_by=silenced_by(state, ctx, monitor),
    )


def changeable(state: MonitoringState, monitor_id: str) -> Monitor:
    """The monitor if the signed-in user may change it; 403 `monitor_locked`."""
    monitor = state.monitors.get(monitor_id)
    if monitor.locked and monitor.owner_email != ME.email:
        raise forbidden(f"{monitor_id} is locked; ask its owner {monitor.owner_email}.", type="monitor_locked")
    return monitor


def check_monitor(state: MonitoringState, values: dict[str, Any], own_id: str = "") -> None:
    """Name and thresholds: 422 `blank_text` or `invalid_thresholds`, 409 `duplicate_name`."""
    name = check_text(values["name"], "name")
    for other in state.monitors:
        if other.id != own_id and same(other.name, name):
            raise conflict(f"{other.id} has this name; choose another.", type="duplicate_name")
    critical, warning = values["critical"], values["warning"]
    if warning is not None:
        right = warning < critical if values["comparison"] == "above" else warning > critical
        if not right:
            order = "below" if values["comparison"] == "above" else "above"
            raise invalid(f"The warning {warning:g} must lie {order} {critical:g}.", type="invalid_thresholds")


@service.tool()
def list_monitors(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: MonitoringState,
    ctx: CallContext,
    query: Query | None = None,
    service: ServiceName | None = None,
    status: MonitorStatus | None = None,
    priority: Priority | None = None,
    owner_email: f.Email | None = None,
    silenced: bool | None = None,
    sort: Annotated[Literal["status", "name", "priority"], LABEL] = "status",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List monitors with their present state, the worst first.

    Errors: `not_found`.

    Args:
        query: Words in the name or message.
        service: Only monitors of this service.
        status: Only monitors in this state.
        priority: Only monitors of this priority; 1 is the most urgent.
        owner_email: Only monitors of this person.
        silenced: true for monitors that a mute or a downtime silences now, false for the others.
        sort: What comes first: the worst state, the name, or the most urgent.
        limit: At most so many monitors.
        cursor: next_cursor of the previous page.
    """
    if service is not None:
        state.services.get(service)
    found = search(state.monitors, query, lambda row: (row.name, row.message))
    found = keep(found, service=service, priority=priority, owner_email=owner_email)
    rows = [monitor_row(state, ctx, row) for row in found]
    rows = [row for row in rows if status in (None, row["status"])]
    rows = [row for row in rows if silenced in (None, row["silenced_by"] is not None)]
    rows.sort(key=lambda row: (ORDER.index(row["status"]) if sort == "status" else row[sort], row["id"]))
    return cursor_page("monitors", rows, limit, cursor)


@service.tool()
def get_monitor(state: MonitoringState, ctx: CallContext, monitor_id: MonitorId) -> Json:
    """Show a monitor with the value and state of each host, its latest alert episodes and the objectives on it.

    Errors: `not_found`.

    Args:
        monitor_id: Id of the monitor.
    """
    monitor = state.monitors.get(monitor_id)
    episodes = sorted(state.episodes.find(monitor_id=monitor_id), key=lambda row: row.started_at, reverse=True)
    return {
        **monitor_row(state, ctx, monitor),
        "unit": state.metrics.get(monitor.metric).unit,
        "groups": groups(state, monitor),
        "episodes": [with_fields(row, minutes=minutes_between(row.started_at, row.ended_at)) for row in episodes[:10]],
        "slo_ids": [row.id for row in state.slos if monitor_id in row.monitor_ids],
    }


@service.tool(phrase="create the monitor {name} on {metric} of {service}")
def create_monitor(  # noqa: PLR0913, PLR0917 - what a monitor consists of
    state: MonitoringState,
    ctx: CallContext,
    name: Name,
    service: ServiceName,
    metric: MetricName,
    critical: Threshold,
    message: Body,
    warning: Threshold | None = None,
    aggregator: Aggregator = "avg",
    window_hours: Hours = 1,
    comparison: Comparison = "above",
    notify_emails: Emails = (),
    priority: Priority = 3,
) -> Json:
    """Create a monitor that you own; it alerts for each host of the service that reports the metric.

    Errors: `not_found`, `duplicate_name`, `invalid_thresholds` (the warning is to come before the critical value),
    `nobody_notified` (priority 1 and 2 need an address), `blank_text`.

    Args:
        name: One line.
        service: Service whose hosts are watched.
        metric: Name of the metric.
        critical: Value beyond which it alerts.
        message: What those who are told should know.
        warning: Value beyond which it warns.
        aggregator: How the hours of the window become one value.
        window_hours: How many of the newest hours count.
        comparison: Whether values above or below are bad.
        notify_emails: Who is told.
        priority: 1 for the most urgent, to 5.
    """
    state.services.get(service)
    state.metrics.get(metric)
    values = {"name": name, "critical": critical, "warning": warning, "comparison": comparison}
    check_monitor(state, values)
    check_text(message, "message")
    if priority <= 2 and not notify_emails:
        raise invalid(f"A monitor of priority {priority} has to notify somebody.", type="nobody_notified")
    monitor = state.monitors.create(
        **{**values, "name": name.strip()},
        service=service,
        metric=metric,
        message=message,
        aggregator=aggregator,
        window_hours=window_hours,
        notify_emails=notify_emails,
        priority=priority,
        owner_email=ME.email,
        created_at=ctx.now,
    )
    return monitor_row(state, ctx, monitor)


@service.tool(phrase="update the monitor {monitor_id}")
def update_monitor(  # noqa: PLR0913, PLR0917 - what of a monitor may change
    state: MonitoringState,
    ctx: CallContext,
    monitor_id: MonitorId,
    name: Name | Unset = UNSET,
    critical: Threshold | Unset = UNSET,
    warning: Threshold | Unset | None = UNSET,
    message: Body | Unset = UNSET,
    window_hours: Hours | Unset = UNSET,
    notify_emails: Emails | Unset = UNSET,
    priority: Priority | Unset = UNSET,
) -> Json:
    """Change a monitor; metric and service stay.

    Errors: `not_found`, `monitor_locked`, `nothing_to_change`, `duplicate_name`, `invalid_thresholds`,
    `nobody_notified`, `blank_text`.

    Args:
        monitor_id: Id of the monitor.
        name: New name.
        critical: New value beyond which it alerts.
        warning: New value beyond which it warns; null for none.
        message: New message.
        window_hours: New number of hours that count.
        notify_emails: Who is told instead.
        priority: New priority.
    """
    monitor = changeable(state, monitor_id)
    changes = some_changes(
        given(
            name=name,
            critical=critical,
            warning=warning,
            message=message,
            window_hours=window_hours,
            notify_emails=notify_emails,
            priority=priority,
        )
    )
    after = {**monitor.plain(), **changes}
    check_monitor(state, after, monitor_id)
    check_text(after["message"], "message")
    if after["priority"] <= 2 and not after["notify_emails"]:
        raise invalid(f"A monitor of priority {after['priority']} has to notify somebody.", type="nobody_notified")
    return monitor_row(state, ctx, state.monitors.patch(monitor_id, **changes))


@service.tool(phrase="delete the monitor {monitor_id}")
def delete_monitor(state: MonitoringState, ctx: CallContext, monitor_id: MonitorId) -> Json:
    """Delete a monitor with its episodes and its own downtimes; not while an objective is measured by it.

    Errors: `not_found`, `monitor_locked`, `used_by_slo`.

    Args:
        monitor_id: Id of the monitor.
    """
    changeable(state, monitor_id)
    used = [row.id for row in state.slos if monitor_id in row.monitor_ids]
    if used:
        raise conflict(f"{', '.join(used)} is measured by {monitor_id}; it has to stay.", type="used_by_slo")
    for episode in state.episodes.find(monitor_id=monitor_id):
        state.episodes.delete(episode.id)
    for downtime in state.downtimes.find(monitor_id=monitor_id):
        state.downtimes.delete(downtime.id)
    return {"deleted": state.monitors.delete(monitor_id).id}


@service.tool(phrase="mute the monitor {monitor_id} until {end}")
def mute_monitor(state: MonitoringState, ctx: CallContext, monitor_id: MonitorId, end: f.Timestamp) -> Json:
    """Silence a monitor until an instant; one of priority 1 for four hours at most.

    Errors: `not_found`, `monitor_locked`, `in_the_past`, `invalid_time`, `mute_too_long`.

    Args:
        monitor_id: Id of the monitor.
        end: When it is to be heard again.
    """
    monitor = changeable(state, monitor_id)
    moment = check_future(ctx, end, "end")
    if monitor.priority == 1 and minutes_between(ctx.now, moment) > 60 * HOURS_OF_A_URGENT_MUTE:
        raise forbidden(
            f"Priority 1 is muted for {HOURS_OF_A_URGENT_MUTE} hours at most; plan a downtime.", type="mute_too_long"
        )
    return monitor_row(state, ctx, state.monitors.patch(monitor_id, muted_until=moment))


@service.tool(phrase="unmute the monitor {monitor_id}")
def unmute_monitor(state: MonitoringState, ctx: CallContext, monitor_id: MonitorId) -> Json:
    """Hear of a muted monitor again; a downtime still holds.

    Errors: `not_found`, `not_muted`.

    Args:
        monitor_id: Id of the monitor.
    """
    monitor = state.monitors.get(monitor_id)
    if monitor.muted_until is None or monitor.muted_until <= ctx.now:
        raise conflict(f"{monitor_id} is not muted.", type="not_muted")
    return monitor_row(state, ctx, state.monitors.patch(monitor_id, muted_until=None))
