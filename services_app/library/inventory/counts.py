"""Tools for stock counts: what is found on the shelf becomes the stock."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.inventory.items import LocationId
from services_app.library.inventory.state import Count, CountLine, CountStatus, InventoryState, service
from services_app.library.inventory.stock import Stock, put
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    cursor_page,
    keep,
    newest_first,
    search,
    total,
    with_fields,
)

CountId = Annotated[str, f.ref("counts")]
SECOND_COUNT_FROM = 500.0


def _line(state: InventoryState, stock: Stock, count: Count, line: CountLine) -> Json:
    """A line; the book quantity and the difference show once it has been counted, as counts are blind."""
    item = state.items.get(line.item_id)
    seen = line.counted is not None
    book = stock.on_hand[item.id, count.location_id] if seen and count.status == "open" else None
    difference = line.counted - book if line.counted is not None and book is not None else None
    return with_fields(
        line,
        sku=item.sku,
        name=item.name,
        book_quantity=book,
        difference=difference,
        difference_value=None if difference is None else round(difference * item.unit_cost, 2),
    )


def _described(state: InventoryState, count: Count) -> Json:
    stock = Stock(state)
    lines = [_line(state, stock, count, row) for row in state.count_lines.find(count_id=count.id)]
    return with_fields(
        count,
        location=state.locations.get(count.location_id).name,
        lines=lines,
        to_count=sum(1 for row in lines if row["counted"] is None),
        net_difference_value=total(row["difference_value"] or 0.0 for row in lines),
    )


@service.tool(phrase="start a stock count at {location_id}")
def start_count(state: InventoryState, ctx: CallContext, location_id: LocationId, query: Query | None = None) -> Json:
    """Start a blind count of the items at a location; they cannot move there until it is finished.

    Errors: `not_found`, `count_open` (the location has one), `nothing_to_count`.

    Args:
        location_id: Id of the location.
        query: Only items with these words in the SKU or name.
    """
    place, stock = state.locations.get(location_id), Stock(state)
    running = state.counts.first(location_id=location_id, status="open")
    if running is not None:
        raise conflict(f"{running.number} is open at {place.name}; finish it first.", type="count_open")
    items = [row for row in state.items if (row.id, location_id) in stock.on_hand]
    items = search(items, query, lambda row: (row.sku, row.name))
    if not items:
        raise invalid(f"No such item has ever been at {place.name}.", type="nothing_to_count")
    count = state.counts.create(
        number=f"SC-{max((int(row.number[3:]) for row in state.counts), default=300) + 1}",
        location_id=location_id,
        status="open",
        started_on=ctx.today,
        counter_email=ME.email,
    )
    for item in items:
        state.count_lines.create(count_id=count.id, item_id=item.id)
    return _described(state, count)


@service.tool(phrase="enter {counted} units for the count line {line_id}")
def submit_count_line(
    state: InventoryState,
    ctx: CallContext,
    line_id: Annotated[str, f.ref("count_lines")],
    counted: Annotated[int, f.count("units"), Field(ge=0, le=1_000_000)],
) -> Json:
    """Enter what was counted of an item; entering it again is a second count and replaces the first.

    Errors: `not_found`, `not_open`.

    Args:
        line_id: Id of the count line.
        counted: Units on the shelf, blocked ones among them.
    """
    line = state.count_lines.get(line_id)
    count = state.counts.get(line.count_id)
    if count.status != "open":
        raise conflict(f"Count {count.number} is {count.status}, not open.", type="not_open")
    changed = state.count_lines.patch(line_id, counted=counted, times_counted=line.times_counted + 1)
    return _line(state, Stock(state), count, changed)


@service.tool(phrase="finish the stock count {count_id}")
def finish_count(
    state: InventoryState,
    ctx: CallContext,
    count_id: CountId,
    decision: Annotated[Literal["approve", "cancel"], LABEL],
) -> Json:
    """Approve a count, which books every difference, or cancel it, which books nothing.

    Errors: `not_found`, `not_open`, `lines_missing` (something is not counted), `second_count_needed` (a difference
    of more than 500.00 in value was counted once only).

    Args:
        count_id: Id of the count.
        decision: Approve or cancel.
    """
    count = state.counts.get(count_id)
    if count.status != "open":
        raise conflict(f"Count {count.number} is {count.status}, not open.", type="not_open")
    if decision == "cancel":
        return _described(state, state.counts.patch(count_id, status="cancelled"))
    found = _described(state, count)
    if found["to_count"]:
        raise conflict(f"{found['to_count']} lines are not counted; use submit_count_line.", type="lines_missing")
    for row in found["lines"]:
        if abs(row["difference_value"]) > SECOND_COUNT_FROM and row["times_counted"] < 2:
            raise conflict(
                f"{row['sku']} differs by {row['difference_value']:.2f}; count it again.", type="second_count_needed"
            )
    for row in found["lines"]:
        if row["difference"]:
            _book(state, ctx, count, row["item_id"], row["difference"])
    return {**found, **state.counts.patch(count_id, status="approved").plain()}


def _book(state: InventoryState, ctx: CallContext, count: Count, item_id: str, difference: int) -> None:
    """Book a difference; of lot-tracked items on the lots that end first, a surplus on the one that ends last."""
    terms = {"kind": "count", "reference": count.number, "moved_on": ctx.today}
    if not state.items.get(item_id).lot_tracked:
        put(state, item_id, count.location_id, None, difference, **terms)
        return
    stock = Stock(state)
    lots = sorted(state.lots.find(item_id=item_id), key=lambda row: (row.expires_on, row.id))
    if difference > 0:
        put(state, item_id, count.location_id, lots[-1].id, difference, **terms)
        return
    for lot in lots:
        part = min(stock.by_lot[lot.id, count.location_id], -difference)
        if part > 0:
            put(state, item_id, count.location_id, lot.id, -part, **terms)
            difference += part


@service.tool()
def list_counts(
    state: InventoryState,
    ctx: CallContext,
    query: Query | None = None,
    location_id: LocationId | None = None,
    status: CountStatus | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List stock counts, newest first; get_count has the lines.

    Args:
        query: Words in the number, the location name or the counter's address.
        location_id: Only counts at this location.
        status: Only counts in this status.
        limit: At most so many counts.
        cursor: next_cursor of the previous page.
    """
    names = {row.id: row.name for row in state.locations}
    found = search(state.counts, query, lambda row: (row.number, names[row.location_id], row.counter_email))
    found = keep(found, location_id=location_id, status=status)
    found = newest_first(found, "started_on")
    page = cursor_page("counts", found, limit, cursor)
    page["counts"] = [
        with_fields(row, location=names[row.location_id], lines=state.count_lines.count(count_id=row.id))
        for row in page["counts"]
    ]
    return page


@service.tool()
def get_count(state: InventoryState, ctx: CallContext, count_id: CountId) -> Json:
    """Show a stock count with its lines; of an open one with the differences of what has been counted.

    Errors: `not_found`.

    Args:
        count_id: Id of the count.
    """
    return _described(state, state.counts.get(count_id))
