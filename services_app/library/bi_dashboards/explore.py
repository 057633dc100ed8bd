"""Tools that find content, and ask datasets directly."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.bi_dashboards.figures import selected, table_of, value_of
from services_app.library.bi_dashboards.state import (
    Aggregation,
    BiState,
    CollectionId,
    DatasetId,
    Dimension,
    Measure,
    service,
)
from services_app.library.cast import ME
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Offset,
    Query,
    brief,
    check_range,
    cursor_page,
    keep,
    offset_page,
    search,
    with_fields,
)


@service.tool()
def list_collections(
    state: BiState, ctx: CallContext, query: Query | None = None, curated_by_you: bool = False
) -> Json:
    """List collections with their curators and what they hold.

    Args:
        query: Words in the name or description.
        curated_by_you: true for collections whose content you may change.
    """
    rows = [
        with_fields(
            row,
            charts=state.charts.count(collection_id=row.id, archived=False),
            dashboards=state.dashboards.count(collection_id=row.id, archived=False),
        )
        for row in search(state.collections, query, lambda row: (row.name, row.description))
        if ME.email in row.curator_emails or not curated_by_you
    ]
    return {"collections": rows, "total": len(rows)}


@service.tool()
def search_content(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: BiState,
    ctx: CallContext,
    query: Query | None = None,
    kind: Annotated[Literal["chart", "dashboard"], LABEL] | None = None,
    collection_id: CollectionId | None = None,
    owner_email: f.Email | None = None,
    certified: bool | None = None,
    archived: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Search charts and dashboards by words in the title or description.

    Errors: `not_found`.

    Args:
        query: Words in the title or description.
        kind: Only charts, or only dashboards.
        collection_id: Only content of this collection.
        owner_email: Only content of this person.
        certified: true for certified dashboards, false for everything else.
        archived: true for what is archived instead of what is not.
        limit: At most so many items.
        cursor: next_cursor of the previous page.
    """
    if collection_id is not None:
        state.collections.get(collection_id)
    items: list[Json] = []
    if kind != "chart":
        for one in state.dashboards:
            row = brief(one, "id", "title", "description", "collection_id", "owner_email", "archived")
            items.append({**row, "kind": "dashboard", "certified": one.certified_by is not None})
    if kind != "dashboard":
        for chart in state.charts:
            row = brief(chart, "id", "title", "description", "collection_id", "owner_email", "archived")
            items.append({**row, "kind": "chart", "certified": False})
    wanted = {"collection_id": collection_id, "owner_email": owner_email, "certified": certified, "archived": archived}
    found = search(items, query, lambda row: (row["title"], row["description"]))
    found = [row for row in found if all(value in (None, row[key]) for key, value in wanted.items())]
    found.sort(key=lambda row: (row["title"], row["id"]))
    return cursor_page("items", found, limit, cursor)


@service.tool()
def list_datasets(state: BiState, ctx: CallContext, query: Query | None = None, trusted: bool | None = None) -> Json:
    """List datasets with what their amounts and quantities mean, and the days they cover.

    Args:
        query: Words in the title or description.
        trusted: true for datasets on which dashboards can be certified, false for the others.
    """
    rows = []
    for row in keep(search(state.datasets, query, lambda row: (row.id, row.title, row.description)), trusted=trusted):
        days = sorted(fact.date for fact in state.facts.find(dataset=row.id))
        span = {"first_day": days[0], "last_day": days[-1]} if days else {}
        rows.append(with_fields(row, rows=len(days), **span))
    return {"datasets": rows, "total": len(rows)}


@service.tool()
def query_dataset(  # noqa: PLR0913, PLR0917 - parts of a query
    state: BiState,
    ctx: CallContext,
    dataset: DatasetId,
    measure: Measure = "amount",
    aggregation: Aggregation = "sum",
    group_by: Dimension = "month",
    company: f.Organisation | None = None,
    country: f.Place | None = None,
    product: f.Product | None = None,
    owner_email: f.Email | None = None,
    start_date: f.Date | None = None,
    end_date: f.Date | None = None,
    with_rows: bool = False,
    limit: Limit = 50,
) -> Json:
    """Ask a dataset without saving a chart: a value per group and one over all.

    Errors: `not_found`, `invalid_date`, `invalid_range`.

    Args:
        dataset: Id of the dataset.
        measure: amount, quantity, or records for the number of rows.
        aggregation: How the rows of a group become one value.
        group_by: What gets a value.
        company: Only rows of this customer.
        country: Only rows of this country.
        product: Only rows of this product.
        owner_email: Only rows of this account manager.
        start_date: First day.
        end_date: Last day.
        with_rows: true adds the rows themselves.
        limit: At most so many groups and rows.
    """
    state.datasets.get(dataset)
    check_range(start_date, end_date)
    rows = selected(state, dataset, company, country, product, start_date, end_date, owner_email)
    groups = table_of(rows, group_by, measure, aggregation)
    found = {"groups": groups[:limit], "total_groups": len(groups), "value": value_of(rows, measure, aggregation)}
    return {**found, "rows": rows[:limit]} if with_rows else found


@service.tool()
def list_metric_definitions(
    state: BiState,
    ctx: CallContext,
    query: Query | None = None,
    superseded: bool | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """List what metrics mean and how they are counted, by term.

    Args:
        query: Words in the term or text.
        superseded: false for definitions in force, true for those that a newer one has replaced.
        limit: At most so many definitions.
        offset: How many to skip.
    """
    found = keep(search(state.definitions, query, lambda row: (row.term, row.body)), superseded=superseded)
    found.sort(key=lambda row: (row.term, row.id))
    return offset_page("definitions", found, limit, offset)
