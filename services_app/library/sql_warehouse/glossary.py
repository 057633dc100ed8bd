"""Tools for what figures mean and for the figures people enter themselves."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    Amount,
    Body,
    Json,
    Name,
    Query,
    brief,
    check_text,
    keep,
    percent,
    same,
    search,
    total,
)
from services_app.library.sql_warehouse.state import Definition, Region, WarehouseState, service

MonthName = Annotated[str, f.Semantic("label"), Field(pattern=r"^20\d\d-(0[1-9]|1[0-2])$")]


@service.tool()
def search_definitions(state: WarehouseState, ctx: CallContext, query: Query | None = None) -> Json:
    """Find metric definitions by words in the term or text; get_definition has the text.

    Args:
        query: Words that must all occur.
    """
    found = search(state.definitions, query, lambda row: (row.term, row.body))
    return {
        "definitions": [brief(row, "id", "term", "owner_email", "updated_at") for row in found],
        "total": len(found),
    }


@service.tool()
def get_definition(
    state: WarehouseState, ctx: CallContext, definition_id: Annotated[str, f.ref("definitions")]
) -> Definition:
    """Read how a metric is defined.

    Errors: `not_found`.

    Args:
        definition_id: Id of the definition.
    """
    return state.definitions.get(definition_id)


@service.tool(phrase="define the metric {term}")
def write_definition(state: WarehouseState, ctx: CallContext, term: Name, body: Body) -> Definition:
    """Define a metric, or replace the definition that it has.

    Errors: `blank_text`, `same_text`.

    Args:
        term: Name of the metric.
        body: How it is computed and what it leaves out.
    """
    clean, text = check_text(term, "term"), check_text(body, "body")
    for row in state.definitions:
        if same(row.term, clean):
            if row.body == text:
                raise conflict(f"{row.term} is defined like this already.", type="same_text")
            return state.definitions.patch(row.id, body=text, owner_email=ME.email, updated_at=ctx.now)
    return state.definitions.create(term=clean, body=text, owner_email=ME.email, updated_at=ctx.now)


@service.tool()
def list_targets(
    state: WarehouseState, ctx: CallContext, region: Region | None = None, month: MonthName | None = None
) -> Json:
    """List sales targets next to the sales of that region and month, with the share reached.

    Args:
        region: Only targets of this region.
        month: Only targets of this month, such as 2026-03.
    """
    sales = _sales(state)
    rows = []
    for row in sorted(keep(state.targets, region=region, month=month), key=lambda item: (item.month, item.region)):
        reached = sales.get((row.region, row.month), 0.0)
        share = percent(reached, row.amount)
        rows.append({**row.plain(), "sales": reached, "share_reached": share})
    return {"targets": rows, "total_target": total(row["amount"] for row in rows), "total": len(rows)}


def _sales(state: WarehouseState) -> dict[tuple[str, str], float]:
    """Sales by region and month, without orders that were cancelled or returned."""
    regions = {row.id: row.region for row in state.customers}
    keys = {
        row.id: (regions[row.customer_id], row.ordered_on[:7])
        for row in state.orders
        if row.status not in ("cancelled", "returned") and row.customer_id in regions
    }
    sales: dict[tuple[str, str], float] = {}
    for line in state.order_lines:
        key = keys.get(line.order_id)
        if key is not None:
            sales[key] = round(sales.get(key, 0.0) + line.quantity * line.unit_price, 2)
    return sales


@service.tool(phrase="set the sales target of the region {region} for {month} to {amount}")
def set_target(state: WarehouseState, ctx: CallContext, region: Region, month: MonthName, amount: Amount) -> Json:
    """Set the sales target of a region for a month that is not over, or change it.

    Errors: `month_over`, `same_target`.

    Args:
        region: The region.
        month: The month, such as 2026-04.
        amount: The target.
    """
    if month < ctx.today[:7]:
        raise invalid(f"{month} is over; today is {ctx.today}.", type="month_over")
    present = state.targets.first(region=region, month=month)
    if present is not None and present.amount == amount:
        raise conflict(f"The target of {region} for {month} is {amount:.2f} already.", type="same_target")
    if present is not None:
        row = state.targets.patch(present.id, amount=amount, entered_by=ME.email)
    else:
        row = state.targets.create(region=region, month=month, amount=amount, entered_by=ME.email)
    all_regions = total(item.amount for item in state.targets.find(month=month))
    return {**row.plain(), "all_regions": all_regions}
