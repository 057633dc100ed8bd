"""What follows from the data: values of series, states of monitors, minutes of downtime."""

from __future__ import annotations

from collections.abc import Sequence

from services_app.engine import CallContext
from services_app.library.monitoring.state import Downtime, Monitor, MonitoringState
from services_app.library.shared import Json, minutes_between

ORDER = ("Alert", "Warn", "No Data", "OK")
Span = tuple[str, str]


def aggregated(values: Sequence[float], aggregator: str) -> float | None:
    """One value of several; None for none."""
    if not values:
        return None
    if aggregator == "last":
        return values[-1]
    found = {"avg": sum(values) / len(values), "max": max(values), "min": min(values)}[aggregator]
    return round(found, 2)


def beyond(monitor: Monitor, value: float, threshold: float) -> bool:
    return value > threshold if monitor.comparison == "above" else value < threshold


def state_of(monitor: Monitor, value: float | None) -> str:
    """State of one host for a monitor."""
    if value is None:
        return "No Data"
    if beyond(monitor, value, monitor.critical):
        return "Alert"
    if monitor.warning is not None and beyond(monitor, value, monitor.warning):
        return "Warn"
    return "OK"


def groups(state: MonitoringState, monitor: Monitor) -> list[Json]:
    """A row per host of the monitor's service that reports its metric, worst first."""
    rows = []
    for series in state.series.find(metric=monitor.metric):
        if state.hosts.get(series.host).service != monitor.service:
            continue
        value = aggregated(series.values[-monitor.window_hours :], monitor.aggregator)
        rows.append({"host": series.host, "value": value, "status": state_of(monitor, value)})
    return sorted(rows, key=lambda row: (ORDER.index(str(row["status"])), row["host"]))


def overall(rows: Sequence[Json]) -> str:
    return str(rows[0]["status"]) if rows else "No Data"


def downtime_status(ctx: CallContext, row: Downtime) -> str:
    if row.cancelled:
        return "cancelled"
    if row.end <= ctx.now:
        return "ended"
    return "active" if row.start <= ctx.now else "scheduled"


def silenced_by(state: MonitoringState, ctx: CallContext, monitor: Monitor) -> str | None:
    """Why a monitor notifies nobody now: its own mute or a downtime."""
    if monitor.muted_until is not None and monitor.muted_until > ctx.now:
        return "mute"
    for row in state.downtimes.find(service=monitor.service):
        if row.monitor_id in (None, monitor.id) and downtime_status(ctx, row) == "active":
            return row.id
    return None


def merged(spans: list[Span]) -> list[Span]:
    """The same time as intervals that do not overlap, in order."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def clipped(span: Span, start: str, end: str) -> list[Span]:
    first, last = max(span[0], start), min(span[1], end)
    return [(first, last)] if first < last else []


def minutes_of(spans: list[Span]) -> int:
    return sum(minutes_between(*span) for span in spans)


def minutes_down(down: list[Span], excused: list[Span], start: str, end: str) -> int:
    """Minutes of `down` between two instants that no interval of `excused` covers."""
    times = [part for span in merged(down) for part in clipped(span, start, end)]
    free = [part for time in times for span in merged(excused) for part in clipped(span, *time)]
    return minutes_of(times) - minutes_of(free)
