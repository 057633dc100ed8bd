"""Tools for items, bills of materials, receipts of materials and lots."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, ToolError, conflict, invalid
from services_app.engine import fields as f
from services_app.library.manufacturing.plant import Plant
from services_app.library.manufacturing.state import ItemKind, ManufacturingState, service
from services_app.library.shared import Cursor, Json, Limit, Query, cursor_page, keep, same, search, total

ItemId = Annotated[str, f.ref("items")]
Units = Annotated[int, f.count("units"), Field(ge=1, le=10_000)]


@service.tool()
def search_materials(
    state: ManufacturingState,
    ctx: CallContext,
    query: Query | None = None,
    kind: ItemKind | None = None,
    short: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find materials and products with stock, allocation to released orders and demand of planned ones.

    Args:
        query: Words in the SKU, name or supplier name.
        kind: Only materials, or only products.
        short: Only items of which less is available than planned orders need, or only the others.
        limit: At most so many items.
        cursor: next_cursor of the previous page.
    """
    plant = Plant(state)
    found = keep(search(state.items, query, lambda row: (row.sku, row.name, row.supplier_name)), kind=kind)
    rows = [plant.item(row) for row in found]
    if short is not None:
        rows = [row for row in rows if (row["available"] < row["planned_demand"]) == short]
    return cursor_page("items", rows, limit, cursor)


@service.tool()
def get_bill_of_materials(state: ManufacturingState, ctx: CallContext, product_id: ItemId, quantity: Units = 1) -> Json:
    """Show what a product is made of and how, with shortages and material cost for so many units.

    Errors: `not_found`, `not_a_product`.

    Args:
        product_id: Id of the product.
        quantity: For how many units.
    """
    product = state.items.get(product_id)
    if product.kind != "product":
        raise invalid(f"{product.sku} is a material; send a product.", type="not_a_product")
    lines = Plant(state).needs(product_id, quantity)
    steps = sorted(state.routing_steps.find(product_id=product_id), key=lambda row: row.sequence)
    return {
        "product": product,
        "quantity": quantity,
        "materials": lines,
        "routing": steps,
        "quality_characteristics": state.quality_plans.find(product_id=product_id),
        "material_cost": total(row["cost"] for row in lines),
        "can_be_made": min((row["available"] // row["quantity_per"] for row in lines), default=0),
    }


@service.tool(phrase="book {quantity} of {material_id} in as lot {lot_number}")
def record_material_receipt(
    state: ManufacturingState,
    ctx: CallContext,
    material_id: ItemId,
    quantity: Units,
    lot_number: Annotated[f.Code, Field(min_length=2, max_length=40)],
    delivery_note: Annotated[str, f.Semantic("text"), Field(max_length=200)] = "",
) -> Json:
    """Book a delivery of a material in under the supplier's lot number.

    Errors: `not_found`, `not_a_material`, `duplicate_lot` (the lot is booked in already).

    Args:
        material_id: Id of the material.
        quantity: How many came.
        lot_number: Lot number on the box.
        delivery_note: Number of the delivery note, or a remark.
    """
    item = state.items.get(material_id)
    if item.kind != "material":
        raise invalid(f"{item.sku} is a product; it comes from manufacturing orders.", type="not_a_material")
    if any(same(row.lot_number, lot_number) for row in state.moves.find(item_id=material_id, kind="receipt")):
        raise conflict(f"Lot {lot_number} of {item.sku} is booked in already.", type="duplicate_lot")
    state.moves.create(
        item_id=material_id,
        quantity=quantity,
        kind="receipt",
        lot_number=lot_number,
        note=delivery_note,
        moved_on=ctx.today,
    )
    return Plant(state).item(item)


@service.tool()
def trace_lot(
    state: ManufacturingState, ctx: CallContext, lot_number: Annotated[f.Code, Field(min_length=2, max_length=40)]
) -> Json:
    """Trace a lot: of a material the orders and product lots it went into, of a product the material lots inside.

    Errors: `unknown_lot`.

    Args:
        lot_number: Number of the lot.
    """
    moves = [row for row in state.moves if same(row.lot_number, lot_number)]
    if not moves:
        raise ToolError(404, "unknown_lot", f"No lot {lot_number} was ever booked; check the number.")
    item = state.items.get(moves[0].item_id)
    orders = list(dict.fromkeys(row.order_id for row in moves if row.order_id))
    inside = [] if item.kind == "material" else [row for order in orders for row in state.moves.find(order_id=order)]
    return {
        "lot_number": moves[0].lot_number,
        "item": item,
        "left": sum(row.quantity for row in moves),
        "moves": moves,
        "orders": [
            {
                "order_number": state.orders.get(order).number,
                "customer_name": state.orders.get(order).customer_name,
                "product_lot": state.orders.get(order).lot_number,
            }
            for order in orders
        ],
        "material_lots": [
            {"sku": state.items.get(row.item_id).sku, "lot_number": row.lot_number, "quantity": -row.quantity}
            for row in inside
            if row.kind == "issue"
        ],
    }
