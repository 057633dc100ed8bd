"""Tools for saved charts."""

from __future__ import annotations

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.bi_dashboards.figures import chart_rows, curated, headline, live_chart, table_of, value_of
from services_app.library.bi_dashboards.state import (
    Aggregation,
    BiState,
    Chart,
    ChartId,
    ChartType,
    CollectionId,
    DatasetId,
    Dimension,
    Measure,
    Note,
    service,
)
from services_app.library.cast import ME
from services_app.library.shared import Json, Name, check_range, check_text, same, some_changes, with_fields


def chart_row(state: BiState, chart: Chart) -> Json:
    """A chart with its present value and the dashboards that show it."""
    shown = [row.dashboard_id for row in state.tiles.find(chart_id=chart.id)]
    return with_fields(chart, value=headline(state, chart), dashboard_ids=shown)


def check_title(state: BiState, collection_id: str, title: str, own_id: str = "") -> str:
    """A title that no other live chart of the collection has; 409 `duplicate_title`, 422 `blank_text`."""
    clean = check_text(title, "title")
    for other in state.charts.find(collection_id=collection_id, archived=False):
        if other.id != own_id and same(other.title, clean):
            raise conflict(f"{other.id} has this title; choose another.", type="duplicate_title")
    return clean


@service.tool()
def get_chart(state: BiState, ctx: CallContext, chart_id: ChartId) -> Json:
    """Show how a chart is defined, its value, the dashboards that show it and the alerts on it.

    Errors: `not_found`.

    Args:
        chart_id: Id of the chart.
    """
    chart = state.charts.get(chart_id)
    dataset = state.datasets.get(chart.dataset)
    alerts = [row.id for row in state.alerts.find(chart_id=chart_id)]
    return {**chart_row(state, chart), "dataset_title": dataset.title, "trusted": dataset.trusted, "alert_ids": alerts}


@service.tool()
def run_chart(
    state: BiState,
    ctx: CallContext,
    chart_id: ChartId,
    company: f.Organisation | None = None,
    start_date: f.Date | None = None,
    end_date: f.Date | None = None,
) -> Json:
    """Show the data of a chart, narrowed to a customer or to some days if wanted.

    Errors: `not_found`, `archived`, `invalid_date`, `invalid_range`.

    Args:
        chart_id: Id of the chart.
        company: Only rows of this customer.
        start_date: First day.
        end_date: Last day.
    """
    chart = live_chart(state, chart_id)
    check_range(start_date, end_date)
    rows = chart_rows(state, chart, company, start_date, end_date)
    value = value_of(rows, chart.measure, chart.aggregation)
    table = [] if chart.chart_type == "number" else table_of(rows, chart.group_by, chart.measure, chart.aggregation)
    return {"chart_id": chart_id, "title": chart.title, "value": value, "data": table, "rows": len(rows)}


@service.tool(phrase="save the chart {title} in {collection_id}")
def create_chart(  # noqa: PLR0913, PLR0917 - what a chart consists of
    state: BiState,
    ctx: CallContext,
    title: Name,
    collection_id: CollectionId,
    dataset: DatasetId,
    measure: Measure = "amount",
    aggregation: Aggregation = "sum",
    group_by: Dimension = "month",
    chart_type: ChartType = "bar",
    company: f.Organisation | None = None,
    country: f.Place | None = None,
    product: f.Product | None = None,
    start_date: f.Date | None = None,
    end_date: f.Date | None = None,
    description: Note = "",
) -> Json:
    """Save a chart in a collection that you curate.

    Errors: `not_found`, `no_permission`, `duplicate_title` (in the collection), `not_by_month` (a line goes by month),
    `invalid_date`, `invalid_range`, `blank_text`.

    Args:
        title: Title of the chart.
        collection_id: Id of the collection.
        dataset: Id of the dataset.
        measure: amount, quantity, or records for the number of rows.
        aggregation: How rows become one value.
        group_by: What gets a value of its own.
        chart_type: bar, line, table, or number for a single value.
        company: Only rows of this customer.
        country: Only rows of this country.
        product: Only rows of this product.
        start_date: First day.
        end_date: Last day.
        description: What the chart is for.
    """
    curated(state, collection_id)
    state.datasets.get(dataset)
    clean = check_title(state, collection_id, title)
    if chart_type == "line" and group_by != "month":
        raise invalid("A line goes by month; choose a bar for other groups.", type="not_by_month")
    check_range(start_date, end_date)
    chart = state.charts.create(
        title=clean,
        description=description,
        collection_id=collection_id,
        dataset=dataset,
        measure=measure,
        aggregation=aggregation,
        group_by=group_by,
        chart_type=chart_type,
        company=company,
        country=country,
        product=product,
        start_date=start_date,
        end_date=end_date,
        owner_email=ME.email,
    )
    return chart_row(state, chart)


@service.tool(phrase="change the chart {chart_id}")
def update_chart(  # noqa: PLR0913, PLR0917 - what of a chart may change
    state: BiState,
    ctx: CallContext,
    chart_id: ChartId,
    title: Name | Unset = UNSET,
    description: Note | Unset = UNSET,
    group_by: Dimension | Unset = UNSET,
    aggregation: Aggregation | Unset = UNSET,
    company: f.Organisation | Unset | None = UNSET,
    start_date: f.Date | Unset | None = UNSET,
    end_date: f.Date | Unset | None = UNSET,
) -> Json:
    """Change a chart; certified dashboards that show it lose their certificate unless only words change.

    Errors: `not_found`, `archived`, `no_permission`, `nothing_to_change`, `duplicate_title`, `not_by_month`,
    `invalid_date`, `invalid_range`, `blank_text`.

    Args:
        chart_id: Id of the chart.
        title: New title.
        description: New description.
        group_by: What gets a value of its own.
        aggregation: How rows become one value.
        company: Only rows of this customer; null for all.
        start_date: First day; null for no limit.
        end_date: Last day; null for no limit.
    """
    chart = live_chart(state, chart_id)
    curated(state, chart.collection_id)
    changes = some_changes(
        given(
            title=title,
            description=description,
            group_by=group_by,
            aggregation=aggregation,
            company=company,
            start_date=start_date,
            end_date=end_date,
        )
    )
    if "title" in changes:
        changes["title"] = check_title(state, chart.collection_id, changes["title"], chart_id)
    after = chart.changed(**changes)
    if after.chart_type == "line" and after.group_by != "month":
        raise invalid(f"{chart_id} is a line and goes by month.", type="not_by_month")
    check_range(after.start_date, after.end_date)
    lost = []
    if changes.keys() - {"title", "description"}:
        for tile in state.tiles.find(chart_id=chart_id):
            if state.dashboards.get(tile.dashboard_id).certified_by is not None:
                lost.append(state.dashboards.patch(tile.dashboard_id, certified_by=None, certified_note="").id)
    return {**chart_row(state, state.charts.patch(chart_id, **changes)), "certificates_lost": lost}


@service.tool(phrase="archive the chart {chart_id}")
def archive_chart(state: BiState, ctx: CallContext, chart_id: ChartId, restore: bool = False) -> Json:
    """Archive a chart that no dashboard shows and no alert watches, or restore an archived one.

    Errors: `not_found`, `no_permission`, `archived`, `not_archived`, `in_use`, `duplicate_title`.

    Args:
        chart_id: Id of the chart.
        restore: true takes an archived chart back.
    """
    chart = state.charts.get(chart_id)
    curated(state, chart.collection_id)
    if restore:
        if not chart.archived:
            raise conflict(f"{chart_id} is not archived.", type="not_archived")
        check_title(state, chart.collection_id, chart.title, chart_id)
        return chart_row(state, state.charts.patch(chart_id, archived=False))
    live_chart(state, chart_id)
    users = [row.dashboard_id for row in state.tiles.find(chart_id=chart_id)]
    users += [row.id for row in state.alerts.find(chart_id=chart_id)]
    if users:
        raise conflict(f"{', '.join(users)} needs {chart_id}; take it out there first.", type="in_use")
    return chart_row(state, state.charts.patch(chart_id, archived=True))
