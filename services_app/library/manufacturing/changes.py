"""Tools for engineering changes and the process sheets."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.manufacturing.items import ItemId
from services_app.library.manufacturing.plant import Plant
from services_app.library.manufacturing.state import Change, ChangeStatus, ManufacturingState, service
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    next_number,
    search,
    with_fields,
)


def _row(state: ManufacturingState, row: Change) -> Json:
    return with_fields(
        row,
        product=state.items.get(row.product_id).name,
        old_sku=state.items.get(row.old_material_id).sku,
        new_sku=state.items.get(row.new_material_id).sku,
        new_material=state.items.get(row.new_material_id).name,
        new_material_available=Plant(state).available(row.new_material_id),
    )


@service.tool()
def list_engineering_changes(
    state: ManufacturingState,
    ctx: CallContext,
    query: Query | None = None,
    product_id: ItemId | None = None,
    status: ChangeStatus | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List changes of bills of materials, the highest number first.

    Args:
        query: Words in the number, product, SKUs, new material, reason or decision.
        product_id: Only changes of this product.
        status: Only changes in this status.
        limit: At most so many changes.
        cursor: next_cursor of the previous page.
    """
    rows = [_row(state, row) for row in keep(state.changes, product_id=product_id, status=status)]
    names = ("number", "product", "old_sku", "new_sku", "new_material", "reason", "decision_note")
    rows = search(rows, query, lambda row: [row[name] for name in names])
    rows.sort(key=lambda row: row["number"], reverse=True)
    return cursor_page("engineering_changes", rows, limit, cursor)


@service.tool(phrase="propose to replace {old_material_id} by {new_material_id} in {product_id}")
def propose_engineering_change(
    state: ManufacturingState,
    ctx: CallContext,
    product_id: ItemId,
    old_material_id: ItemId,
    new_material_id: ItemId,
    reason: Body,
) -> Json:
    """Propose to replace a material of a product by another one.

    Errors: `not_found`, `not_on_bom`, `not_a_material`, `on_bom_already` (the new material is part of it),
    `already_proposed`, `blank_text`.

    Args:
        product_id: Id of the product.
        old_material_id: Id of the material on its bill of materials.
        new_material_id: Id of the material that replaces it.
        reason: Why.
    """
    product, new = state.items.get(product_id), state.items.get(new_material_id)
    old = state.items.get(old_material_id)
    text = check_text(reason, "reason")
    if state.bom_lines.first(product_id=product_id, material_id=old_material_id) is None:
        raise invalid(f"{old.sku} is no part of {product.name}; see get_bill_of_materials.", type="not_on_bom")
    if new.kind != "material":
        raise invalid(f"{new.sku} is a product; send a material.", type="not_a_material")
    if state.bom_lines.first(product_id=product_id, material_id=new_material_id) is not None:
        raise conflict(f"{new.sku} is part of {product.name} already.", type="on_bom_already")
    open_one = state.changes.first(product_id=product_id, old_material_id=old_material_id, status="proposed")
    if open_one is not None:
        raise conflict(f"{open_one.number} proposes to replace it already.", type="already_proposed")
    change = state.changes.create(
        number=next_number((row.number for row in state.changes), "EC-", first=61, width=3),
        product_id=product_id,
        old_material_id=old_material_id,
        new_material_id=new_material_id,
        reason=text,
        proposed_by=ME.email,
        status="proposed",
    )
    return _row(state, change)


@service.tool(phrase="{decision} the engineering change {change_id}")
def decide_engineering_change(
    state: ManufacturingState,
    ctx: CallContext,
    change_id: Annotated[str, f.ref("changes")],
    decision: Annotated[Literal["approve", "reject"], LABEL],
    note: Body,
) -> Json:
    """Approve a change, which puts the new material on the bill of materials at once, or reject it.

    Errors: `not_found`, `not_proposed`, `blank_text`, `orders_released` (released orders have the old material
    allocated), `not_on_bom` (the old material has been replaced meanwhile), `on_bom_already`.

    Args:
        change_id: Id of the engineering change.
        decision: Approve or reject.
        note: Why, and under what conditions.
    """
    change = state.changes.get(change_id)
    if change.status != "proposed":
        raise conflict(f"{change.number} is {change.status} already.", type="not_proposed")
    text = check_text(note, "note")
    if decision == "approve":
        _replace(state, change)
    status = "approved" if decision == "approve" else "rejected"
    return _row(state, state.changes.patch(change_id, status=status, decision_note=text))


def _replace(state: ManufacturingState, change: Change) -> None:
    released = state.orders.first(product_id=change.product_id, status="released")
    if released is not None:
        raise conflict(f"{released.number} is released with the old material; start it first.", type="orders_released")
    line = state.bom_lines.first(product_id=change.product_id, material_id=change.old_material_id)
    if line is None:
        raise conflict("The old material is no longer on the bill of materials; reject it.", type="not_on_bom")
    if state.bom_lines.first(product_id=change.product_id, material_id=change.new_material_id) is not None:
        raise conflict("The new material is on the bill of materials already; reject it.", type="on_bom_already")
    state.bom_lines.patch(line.id, material_id=change.new_material_id)


@service.tool()
def search_process_sheets(
    state: ManufacturingState, ctx: CallContext, query: Query | None = None, limit: Limit = 5, cursor: Cursor = ""
) -> Json:
    """Find the plant's process sheets: release, scrap, dispositions, changes, traceability, breakdowns.

    Args:
        query: Words in the title or text.
        limit: At most so many sheets.
        cursor: next_cursor of the previous page.
    """
    found = search(state.process_sheets, query, lambda row: (row.title, row.body))
    return cursor_page("process_sheets", found, limit, cursor)
