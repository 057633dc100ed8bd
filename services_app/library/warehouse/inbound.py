"""Tools for inbound shipments: what is announced, received and missing."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import Cursor, Json, Limit, Query, cursor_page, keep, next_number, search, within
from services_app.library.warehouse.floor import Floor, inbound
from services_app.library.warehouse.state import InboundStatus, WarehouseState, service

InboundId = Annotated[str, f.ref("inbounds")]
OVER_RECEIPT = 1.05


@service.tool()
def list_inbound_shipments(
    state: WarehouseState,
    ctx: CallContext,
    query: Query | None = None,
    status: InboundStatus | None = None,
    expected_from: f.Date | None = None,
    expected_to: f.Date | None = None,
    limit: Limit = 15,
    cursor: Cursor = "",
) -> Json:
    """List announced and received shipments with their lines, the earliest first.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the ASN number, supplier, delivery note, carrier, SKU or product name.
        status: Only shipments in this status.
        expected_from: Only shipments expected on this day or later.
        expected_to: Only shipments expected on this day or earlier.
        limit: At most so many shipments.
        cursor: next_cursor of the previous page.
    """
    found = within(keep(state.inbounds, status=status), "expected_on", expected_from, expected_to)
    found.sort(key=lambda row: (row.expected_on, row.id))
    rows = search([inbound(state, row) for row in found], query, _words)
    return cursor_page("inbound_shipments", rows, limit, cursor)


def _words(row: Json) -> list[str]:
    lines = [text for line in row["lines"] for text in (line["sku"], line["sku_name"])]
    return [row["number"], row["supplier_name"], row["delivery_note"], row["carrier_name"], *lines]


@service.tool()
def get_inbound_shipment(state: WarehouseState, ctx: CallContext, inbound_id: InboundId) -> Json:
    """Show an inbound shipment with its lines, its receipts and its dock appointments.

    Errors: `not_found`.

    Args:
        inbound_id: Id of the inbound shipment.
    """
    found = inbound(state, state.inbounds.get(inbound_id))
    lines = {row["id"] for row in found["lines"]}
    return {
        **found,
        "receipts": [row for row in state.receipts if row.inbound_line_id in lines],
        "dock_appointments": state.appointments.find(inbound_id=inbound_id),
    }


@service.tool(phrase="receive {quantity} units of the inbound line {inbound_line_id}")
def receive_inbound_line(
    state: WarehouseState,
    ctx: CallContext,
    inbound_line_id: Annotated[str, f.ref("inbound_lines")],
    quantity: Annotated[int, f.count("units"), Field(ge=1, le=20_000)],
    damaged: Annotated[int, f.count("units"), Field(ge=0, le=20_000)] = 0,
) -> Json:
    """Receive units of an announced line onto a new license plate in receiving; damaged ones get a plate on hold.

    Errors: `not_found`, `not_arrived` (check in the truck first), `inbound_closed`, `too_many_damaged`,
    `over_receipt` (more than 5 % above what is announced).

    Args:
        inbound_line_id: Id of the line of the inbound shipment.
        quantity: All units that came, damaged ones among them.
        damaged: How many of them are damaged.
    """
    line = state.inbound_lines.get(inbound_line_id)
    shipment = state.inbounds.get(line.inbound_id)
    if shipment.status == "closed":
        raise conflict(f"{shipment.number} is closed; ask the supplier for a new one.", type="inbound_closed")
    if shipment.status == "expected":
        raise conflict(f"{shipment.number} has not arrived; use check_in_truck.", type="not_arrived")
    if damaged > quantity:
        raise invalid(f"{damaged} of {quantity} units cannot be damaged.", type="too_many_damaged")
    came = sum(row.quantity for row in state.receipts.find(inbound_line_id=line.id)) + quantity
    if came > line.expected * OVER_RECEIPT:
        raise conflict(
            f"{line.expected} are announced, {came} would be received; refuse the surplus.", type="over_receipt"
        )
    state.receipts.create(inbound_line_id=line.id, quantity=quantity, damaged=damaged, received_at=ctx.now)
    made = [_plate(state, ctx, line.sku_id, quantity - damaged, "")] if quantity > damaged else []
    if damaged:
        made.append(_plate(state, ctx, line.sku_id, damaged, f"Damaged on receipt of {shipment.number}."))
    floor = Floor(state)
    plates = [floor.plate(state.plates.get(plate)) for plate in made]
    return {"inbound_shipment": inbound(state, shipment), "license_plates": plates}


def _plate(state: WarehouseState, ctx: CallContext, sku_id: str, quantity: int, hold_reason: str) -> str:
    dock = state.locations.first(zone="receiving")
    return state.plates.create(
        number=next_number((row.number for row in state.plates), "LP-", width=5),
        sku_id=sku_id,
        location_id=dock.id if dock else "",
        quantity=quantity,
        received_on=ctx.today,
        on_hold=bool(hold_reason),
        hold_reason=hold_reason,
    ).id


@service.tool(phrase="close the inbound shipment {inbound_id}")
def close_inbound_shipment(
    state: WarehouseState,
    ctx: CallContext,
    inbound_id: InboundId,
    note: Annotated[str, f.Semantic("text"), Field(max_length=500)] = "",
) -> Json:
    """Close an arrived shipment, after which nothing more is received for it; a shortage needs a note.

    Errors: `not_found`, `not_arrived`, `inbound_closed`, `note_needed` (units are missing).

    Args:
        inbound_id: Id of the inbound shipment.
        note: What is claimed from supplier or carrier.
    """
    shipment = state.inbounds.get(inbound_id)
    if shipment.status == "closed":
        raise conflict(f"{shipment.number} is closed already.", type="inbound_closed")
    if shipment.status == "expected":
        raise conflict(f"{shipment.number} has not arrived; use check_in_truck.", type="not_arrived")
    missing = inbound(state, shipment)["units_missing"]
    if missing and not note.strip():
        raise invalid(f"{missing} units are missing; write in the note who is told.", type="note_needed")
    return inbound(state, state.inbounds.patch(inbound_id, status="closed", closing_note=note))
