"""Tools for metrics and their values."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, invalid
from services_app.engine import fields as f
from services_app.library.monitoring.evaluate import aggregated
from services_app.library.monitoring.state import (
    Aggregator,
    HostName,
    MetricName,
    MonitoringState,
    Series,
    ServiceName,
    service,
)
from services_app.library.shared import (
    LABEL,
    Json,
    Query,
    check_time,
    plus_minutes,
    search,
    with_fields,
)


@service.tool()
def list_metrics(
    state: MonitoringState,
    ctx: CallContext,
    query: Query | None = None,
    host: HostName | None = None,
    service: ServiceName | None = None,
) -> Json:
    """List metrics with unit, meaning and the number of hosts that report them.

    Errors: `not_found`.

    Args:
        query: Words in the name or description.
        host: Only metrics that this host reports.
        service: Only metrics that a host of this service reports.
    """
    if host is not None:
        state.hosts.get(host)
    if service is not None:
        state.services.get(service)
    rows = []
    for metric in search(state.metrics, query, lambda row: (row.id, row.description)):
        reporting = [row.host for row in state.series.find(metric=metric.id)]
        of_service = [name for name in reporting if service in (None, state.hosts.get(name).service)]
        if (host is None or host in reporting) and (service is None or of_service):
            rows.append(with_fields(metric, hosts=len(of_service)))
    return {"metrics": rows, "total": len(rows)}


def points(series: Series, start: str, end: str) -> list[tuple[str, float]]:
    """(instant, value) of the hours between two instants, both included."""
    found = [(plus_minutes(series.first_at, 60 * hour), value) for hour, value in enumerate(series.values)]
    return [pair for pair in found if start <= pair[0] <= end]


@service.tool()
def query_metrics(  # noqa: PLR0913, PLR0917 - parts of a query
    state: MonitoringState,
    ctx: CallContext,
    metric: MetricName,
    service: ServiceName | None = None,
    host: HostName | None = None,
    aggregator: Aggregator = "avg",
    group_by: Annotated[Literal["host", "service", "place"], LABEL] = "host",
    start: f.Timestamp | None = None,
    end: f.Timestamp | None = None,
    with_points: bool = False,
) -> Json:
    """Ask for values of a metric over time: one per host, service or place, the highest first.

    Values are there for each hour of the last two days.

    Errors: `not_found`, `invalid_time`, `invalid_range`.

    Args:
        metric: Name of the metric.
        service: Only hosts of this service.
        host: Only this host.
        aggregator: How the hours become one value.
        group_by: What gets a row.
        start: First instant; the beginning, if left out.
        end: Last instant; now, if left out.
        with_points: true adds the hourly values of each row.
    """
    unit = state.metrics.get(metric).unit
    if service is not None:
        state.services.get(service)
    if host is not None:
        state.hosts.get(host)
    first, last = check_time(start) if start else "", check_time(end) if end else ctx.now
    if first > last:
        raise invalid(f"The start {first} lies after the end {last}.", type="invalid_range")
    rows: dict[str, list[tuple[str, float]]] = {}
    for series in state.series.find(metric=metric):
        where = state.hosts.get(series.host)
        if service in (None, where.service) and host in (None, where.id):
            key = {"host": where.id, "service": where.service, "place": where.place}[group_by]
            rows.setdefault(key, []).extend(points(series, first, last))
    shown = []
    for key, found in rows.items():
        found.sort(key=lambda pair: pair[0])
        row: Json = {group_by: key, "value": aggregated([value for _, value in found], aggregator), "hours": len(found)}
        shown.append({**row, "points": [list(pair) for pair in found]} if with_points else row)
    shown.sort(key=lambda row: (-(row["value"] if row["value"] is not None else -1.0), row[group_by]))
    return {"metric": metric, "unit": unit, "aggregator": aggregator, "series": shown}
