"""What charts show: computed from the rows each time they are asked for."""

from __future__ import annotations

from collections.abc import Iterable

from services_app.engine import conflict, forbidden
from services_app.library.bi_dashboards.state import Alert, BiState, Chart, Collection, Dashboard, Fact
from services_app.library.cast import ME
from services_app.library.shared import Json, grouped, keep, with_fields, within


def selected(
    state: BiState,
    dataset: str,
    company: str | None,
    country: str | None,
    product: str | None,
    start_date: str | None,
    end_date: str | None,
    owner_email: str | None = None,
) -> list[Fact]:
    """The rows of a dataset that pass the filters."""
    rows = keep(
        state.facts.find(dataset=dataset), company=company, country=country, product=product, owner_email=owner_email
    )
    return [row for row in rows if (start_date or "") <= row.date <= (end_date or "9999")]


def value_of(rows: list[Fact], measure: str, aggregation: str) -> float:
    """One number of several rows; 0 for none."""
    if measure == "records" or not rows:
        return float(len(rows))
    values = [row.amount if measure == "amount" else float(row.quantity) for row in rows]
    found = {"sum": sum(values), "max": max(values), "avg": sum(values) / len(values)}[aggregation]
    return round(found, 2)


def table_of(rows: Iterable[Fact], group_by: str, measure: str, aggregation: str) -> list[Json]:
    """A row per group: months in order, everything else with the largest value first."""
    found = grouped(rows, lambda row: row.date[:7] if group_by == "month" else str(getattr(row, group_by)))
    table = [{group_by: key, "value": value_of(part, measure, aggregation)} for key, part in found.items()]
    if group_by == "month":
        return sorted(table, key=lambda row: str(row["month"]))
    return sorted(table, key=lambda row: (-float(str(row["value"])), str(row[group_by])))


def chart_rows(
    state: BiState, chart: Chart, company: str | None = None, start_date: str | None = None, end_date: str | None = None
) -> list[Fact]:
    """The rows of a chart, narrowed by the filters of whoever looks at it."""
    rows = selected(state, chart.dataset, chart.company, chart.country, chart.product, chart.start_date, chart.end_date)
    rows = keep(rows, company=company)
    return within(rows, "date", start_date, end_date)


def headline(state: BiState, chart: Chart) -> float:
    """The one number over all rows of a chart."""
    return value_of(chart_rows(state, chart), chart.measure, chart.aggregation)


def alert_row(state: BiState, alert: Alert) -> Json:
    chart = state.charts.get(alert.chart_id)
    value = headline(state, chart)
    triggered = value > alert.threshold if alert.condition == "above" else value < alert.threshold
    return with_fields(alert, chart=chart.title, value=value, triggered=triggered)


def curated(state: BiState, collection_id: str) -> Collection:
    """The collection if the signed-in user may change its content; 403 `no_permission`."""
    collection = state.collections.get(collection_id)
    if ME.email not in collection.curator_emails:
        raise forbidden(
            f"{collection.name} is curated by {', '.join(collection.curator_emails)}; ask there.", type="no_permission"
        )
    return collection


def live_chart(state: BiState, chart_id: str) -> Chart:
    """A chart that can be used; 409 `archived`."""
    chart = state.charts.get(chart_id)
    if chart.archived:
        raise conflict(f"{chart_id} is archived; restore it first.", type="archived")
    return chart


def own_dashboard(state: BiState, dashboard_id: str) -> Dashboard:
    """A dashboard that is not archived and in a collection that the signed-in user curates."""
    dashboard = state.dashboards.get(dashboard_id)
    curated(state, dashboard.collection_id)
    if dashboard.archived:
        raise conflict(f"{dashboard_id} is archived; restore it first.", type="archived")
    return dashboard
