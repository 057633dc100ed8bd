"""Tools for shipments up to the label, for tracking, and the guides."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, ToolError, given, invalid
from services_app.engine import fields as f
from services_app.library.shared import (
    LABEL,
    Amount,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    next_number,
    same,
    search,
    some_changes,
    total,
    within,
)
from services_app.library.shipping.addresses import AddressId
from services_app.library.shipping.state import Box, Origin, Shipment, ShippingState, service
from services_app.library.shipping.tariff import Desk, billable_kg, draft, needs_customs

ShipmentId = Annotated[str, f.ref("shipments")]
CarrierId = Annotated[str, f.ref("carriers")]
Weight = Annotated[int, f.count("grams"), Field(ge=10, le=2_000_000)]
Contents = Annotated[str, f.Semantic("text"), Field(min_length=2, max_length=300)]
Status = Annotated[Literal["draft", "ready", "manifested", "in_transit", "exception", "delivered", "voided"], LABEL]


def described(state: ShippingState, shipment: Shipment) -> Json:
    """A shipment with its address, customs items, scans, adjustments and what customs still needs."""
    items = state.customs_items.find(shipment_id=shipment.id)
    address = state.addresses.get(shipment.address_id)
    customs = needs_customs(shipment.origin, address.country)
    return {
        **Desk(state).row(shipment),
        "billable_kg": billable_kg(shipment),
        "address": address,
        "customs_required": customs,
        "customs_items": items,
        "customs_value": total(row.quantity * row.unit_value for row in items),
        "events": state.events.find(shipment_id=shipment.id),
        "adjustments": state.adjustments.find(shipment_id=shipment.id),
        "claims": state.claims.find(shipment_id=shipment.id),
    }


@service.tool()
def search_shipments(  # noqa: PLR0913, PLR0917 - one per filter
    state: ShippingState,
    ctx: CallContext,
    query: Query | None = None,
    status: Status | None = None,
    origin: Origin | None = None,
    carrier_id: CarrierId | None = None,
    bought_from: f.Date | None = None,
    bought_to: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find shipments, the highest shipment number first.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the shipment, order or tracking number, recipient, company, destination or contents.
        status: Only shipments in this status.
        origin: Only shipments from this office.
        carrier_id: Only shipments with this carrier.
        bought_from: Only labels bought on this day or later.
        bought_to: Only labels bought on this day or earlier.
        limit: At most so many shipments.
        cursor: next_cursor of the previous page.
    """
    desk = Desk(state)
    mine = {row.id for row in state.services if carrier_id in (None, row.carrier_id)}
    found = within(keep(state.shipments, origin=origin), "bought_on", bought_from, bought_to)
    rows = [desk.row(row) for row in found if carrier_id is None or row.service_id in mine]
    names = ("number", "order_number", "tracking_number", "recipient", "company", "destination", "contents")
    rows = search(rows, query, lambda row: [row[name] for name in names])
    rows = [row for row in rows if status in (None, row["status"])]
    rows.sort(key=lambda row: row["number"], reverse=True)
    return cursor_page("shipments", rows, limit, cursor)


@service.tool()
def get_shipment(state: ShippingState, ctx: CallContext, shipment_id: ShipmentId) -> Json:
    """Show a shipment with its address, customs items, scans, adjustments and claims.

    Errors: `not_found`.

    Args:
        shipment_id: Id of the shipment.
    """
    return described(state, state.shipments.get(shipment_id))


@service.tool()
def track_package(
    state: ShippingState, ctx: CallContext, tracking_number: Annotated[f.Code, Field(min_length=3, max_length=40)]
) -> Json:
    """Show where a parcel is: status, scans from the first to the latest, carrier and recipient.

    Errors: `unknown_tracking_number`.

    Args:
        tracking_number: Tracking number, as on the label.
    """
    for shipment in state.shipments:
        if same(shipment.tracking_number, tracking_number):
            events = state.events.find(shipment_id=shipment.id)
            return {**Desk(state).row(shipment), "events": sorted(events, key=lambda row: (row.happened_at, row.id))}
    raise ToolError(404, "unknown_tracking_number", f"No label has the number {tracking_number}; check it.")


@service.tool(phrase="prepare a shipment for {order_number} from {origin} to {address_id}")
def create_shipment(  # noqa: PLR0913, PLR0917 - a parcel has so many parts
    state: ShippingState,
    ctx: CallContext,
    order_number: Annotated[f.Code, Field(min_length=2, max_length=40)],
    origin: Origin,
    address_id: AddressId,
    contents: Contents,
    box: Box,
    weight: Weight,
    declared_value: Amount,
    contains_lithium: bool = False,
) -> Json:
    """Prepare a shipment; compare prices with get_rates, then use buy_label.

    Errors: `not_found`, `blank_text`.

    Args:
        order_number: Order or purchase order it belongs to.
        origin: Office from which it leaves.
        address_id: Id of the recipient's address.
        contents: What is inside.
        box: Kind of box.
        weight: Weight with box, in grams.
        declared_value: Value of the contents.
        contains_lithium: True when batteries are inside.
    """
    state.addresses.get(address_id)
    shipment = state.shipments.create(
        number=next_number((row.number for row in state.shipments), "SH-", first=70_001, width=5),
        order_number=order_number,
        origin=origin,
        address_id=address_id,
        contents=check_text(contents, "contents"),
        box=box,
        weight=weight,
        declared_value=declared_value,
        contains_lithium=contains_lithium,
    )
    return described(state, shipment)


@service.tool(phrase="correct the shipment {shipment_id}")
def update_shipment(
    state: ShippingState,
    ctx: CallContext,
    shipment_id: ShipmentId,
    box: Box = UNSET,  # type: ignore[assignment]
    weight: Weight = UNSET,  # type: ignore[assignment]
    declared_value: Amount = UNSET,  # type: ignore[assignment]
    address_id: AddressId = UNSET,  # type: ignore[assignment]
    contains_lithium: bool = UNSET,  # type: ignore[assignment]
) -> Json:
    """Change a shipment that has no label yet; an insurance above the new declared value is lowered to it.

    Errors: `not_found`, `not_draft`, `nothing_to_change`.

    Args:
        shipment_id: Id of the shipment.
        box: Kind of box.
        weight: Weight with box, in grams.
        declared_value: Value of the contents.
        address_id: Id of another address.
        contains_lithium: True when batteries are inside.
    """
    old = draft(state, shipment_id)
    sent = given(box=box, weight=weight, declared_value=declared_value, contains_lithium=contains_lithium)
    changes = some_changes({**sent, **given(address_id=address_id)})
    if "address_id" in changes:
        state.addresses.get(address_id)
    insured = min(old.insured_value, changes.get("declared_value", old.insured_value))
    return described(state, state.shipments.patch(shipment_id, **changes, insured_value=insured))


@service.tool(phrase="insure the shipment {shipment_id} for {insured_value}")
def insure_shipment(
    state: ShippingState,
    ctx: CallContext,
    shipment_id: ShipmentId,
    insured_value: Annotated[float, f.Semantic("money"), Field(ge=0, le=1_000_000)],
) -> Json:
    """Set the insured value of a shipment without a label; 0 takes the insurance off. It costs 0.8 %.

    Errors: `not_found`, `not_draft`, `over_declared_value`.

    Args:
        shipment_id: Id of the shipment.
        insured_value: What is paid at most, not above the declared value.
    """
    shipment = draft(state, shipment_id)
    if insured_value > shipment.declared_value:
        raise invalid(
            f"{shipment.declared_value:.2f} are declared; insure no more than that.", type="over_declared_value"
        )
    return described(state, state.shipments.patch(shipment_id, insured_value=insured_value))


@service.tool(phrase="declare {quantity} × {description} for the customs of {shipment_id}")
def add_customs_item(
    state: ShippingState,
    ctx: CallContext,
    shipment_id: ShipmentId,
    description: Annotated[str, f.Semantic("title"), Field(min_length=3, max_length=120)],
    hs_code: Annotated[str, f.Semantic("code"), Field(pattern=r"^\d{4}(\.?\d{2}){1,3}$")],
    quantity: Annotated[int, f.count("units"), Field(ge=1, le=100_000)],
    unit_value: Amount,
    origin_country: f.Place = "United Kingdom",
) -> Json:
    """Add a line to the customs declaration of a shipment without a label.

    Errors: `not_found`, `not_draft`, `no_customs` (it crosses no customs border), `over_declared_value` (all lines
    together).

    Args:
        shipment_id: Id of the shipment.
        description: What it is, in plain words.
        hs_code: Tariff number, for example 8517.62.
        quantity: How many.
        unit_value: Value of one.
        origin_country: Where it was made.
    """
    shipment = draft(state, shipment_id)
    found = described(state, shipment)
    if not found["customs_required"]:
        raise invalid(f"{shipment.number} crosses no customs border; nothing is declared.", type="no_customs")
    if found["customs_value"] + quantity * unit_value > shipment.declared_value + 0.005:
        raise invalid(
            f"{shipment.declared_value:.2f} are declared, {found['customs_value']:.2f} on other lines; send less.",
            type="over_declared_value",
        )
    state.customs_items.create(
        shipment_id=shipment_id,
        description=description,
        hs_code=hs_code,
        quantity=quantity,
        unit_value=unit_value,
        origin_country=origin_country,
    )
    return described(state, shipment)


@service.tool()
def search_shipping_guides(
    state: ShippingState, ctx: CallContext, query: Query | None = None, limit: Limit = 5, cursor: Cursor = ""
) -> Json:
    """Find the company's shipping guides: choice of carrier, insurance, customs, lithium, claims, returns.

    Args:
        query: Words in the title or text.
        limit: At most so many guides.
        cursor: next_cursor of the previous page.
    """
    found = search(state.guides, query, lambda row: (row.title, row.body))
    return cursor_page("guides", found, limit, cursor)
