"""Tools for rates and labels."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, ToolError, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.shared import LABEL, Json, days_between, next_number, same, total
from services_app.library.shipping.shipments import ShipmentId, described
from services_app.library.shipping.state import CarrierService, Shipment, ShippingState, service
from services_app.library.shipping.tariff import (
    APPROVAL_FROM,
    Desk,
    days,
    draft,
    needs_customs,
    price,
    refusal,
    working_days_after,
    zone,
)

VOID_DAYS = 14
RETURN_DAYS = 45


@service.tool()
def get_rates(
    state: ShippingState,
    ctx: CallContext,
    shipment_id: ShipmentId,
    sort_by: Annotated[Literal["price", "delivery"], LABEL] = "price",
) -> Json:
    """Compare what every carrier service that takes a shipment costs, and when it would arrive.

    Errors: `not_found`, `not_draft`.

    Args:
        shipment_id: Id of the shipment.
        sort_by: Cheapest or fastest first.
    """
    shipment = draft(state, shipment_id)
    address = state.addresses.get(shipment.address_id)
    where = zone(shipment.origin, address.country)
    rates = []
    for offer in state.services:
        many = days(offer, where)
        if many is None or refusal(offer, shipment, address):
            continue
        rates.append(
            {
                "service_id": offer.id,
                "carrier_name": state.carriers.get(offer.carrier_id).name,
                "service_name": offer.name,
                "price": price(offer, shipment, where),
                "delivery_on": working_days_after(ctx.today, many),
            }
        )
    order = ("price", "delivery_on") if sort_by == "price" else ("delivery_on", "price")
    rates.sort(key=lambda row: (row[order[0]], row[order[1]], row["service_id"]))
    return {"shipment_number": shipment.number, "zone": where, "rates": rates}


@service.tool(phrase="buy the label of the shipment {shipment_id} from {service_id}")
def buy_label(
    state: ShippingState,
    ctx: CallContext,
    shipment_id: ShipmentId,
    service_id: Annotated[str, f.ref("services")],
    approved_by: f.Email | None = None,
) -> Json:
    """Buy a label from the balance at the carrier; above 250.00 a freight approver has to have agreed.

    Errors: `not_found`, `not_draft`, `address_unverified`, `not_served`, `too_heavy`, `lithium_refused`,
    `customs_incomplete` (declared value and customs lines differ), `insufficient_balance`, `approval_needed`,
    `unknown_approver`, `approver_limit`.

    Args:
        shipment_id: Id of the shipment.
        service_id: Id of the carrier service, from get_rates.
        approved_by: Address of the freight approver who agreed.
    """
    shipment, offer = draft(state, shipment_id), state.services.get(service_id)
    address = state.addresses.get(shipment.address_id)
    if not address.verified:
        raise conflict(f"The address of {address.contact_name} is not verified; verify it.", type="address_unverified")
    problem = refusal(offer, shipment, address)
    if problem:
        raise ToolError(409, *problem)
    if needs_customs(shipment.origin, address.country):
        items = state.customs_items.find(shipment_id=shipment_id)
        value = total(row.quantity * row.unit_value for row in items)
        if abs(value - shipment.declared_value) > 0.005:
            raise conflict(
                f"Customs lines add up to {value:.2f}, declared are {shipment.declared_value:.2f}; complete them.",
                type="customs_incomplete",
            )
    cost = price(offer, shipment, zone(shipment.origin, address.country))
    approver_id = _approver(state, cost, approved_by)
    balance = Desk(state).balance(offer.carrier_id)
    if cost > balance:
        raise conflict(
            f"The label costs {cost:.2f}, the balance is {balance:.2f}; top it up.", type="insufficient_balance"
        )
    return described(state, _print(state, ctx, shipment, offer, cost, approver_id))


def _approver(state: ShippingState, cost: float, email: str | None) -> str | None:
    """Who agreed to the cost; None when nobody has to."""
    if email is None:
        if cost > APPROVAL_FROM:
            raise forbidden(f"A label for {cost:.2f} needs a freight approver in approved_by.", type="approval_needed")
        return None
    row = next((row for row in state.approvers if same(row.email, email)), None)
    if row is None:
        raise invalid(f"{email} approves no freight; see list_carrier_accounts.", type="unknown_approver")
    if row.limit < cost:
        raise forbidden(f"{row.name} may approve up to {row.limit:.2f}, not {cost:.2f}.", type="approver_limit")
    return row.id


def _print(
    state: ShippingState, ctx: CallContext, shipment: Shipment, offer: CarrierService, cost: float, approver: str | None
) -> Shipment:
    start = state.carriers.get(offer.carrier_id).name[:2].upper()
    number = next_number((row.tracking_number for row in state.shipments), start, first=5_000_001, width=7)
    return state.shipments.patch(
        shipment.id,
        service_id=offer.id,
        approver_id=approver,
        tracking_number=number,
        price=cost,
        bought_on=ctx.today,
    )


@service.tool(phrase="void the label of the shipment {shipment_id}")
def void_label(state: ShippingState, ctx: CallContext, shipment_id: ShipmentId) -> Json:
    """Void a label within 14 days, as long as the carrier has not scanned it; its price goes back to the balance.

    Errors: `not_found`, `no_label`, `already_voided`, `already_manifested`, `scanned_already`, `void_window_over`.

    Args:
        shipment_id: Id of the shipment.
    """
    shipment = state.shipments.get(shipment_id)
    status = Desk(state).status(shipment)
    if status == "draft" or shipment.bought_on is None:
        raise conflict(f"{shipment.number} has no label.", type="no_label")
    if status == "voided":
        raise conflict(f"The label of {shipment.number} is void already.", type="already_voided")
    if status == "manifested":
        raise conflict(f"{shipment.number} is on a manifest; ask the carrier to return it.", type="already_manifested")
    if status != "ready":
        raise conflict(f"The carrier has {shipment.number}; it is {status}.", type="scanned_already")
    if days_between(shipment.bought_on, ctx.today) > VOID_DAYS:
        raise conflict(f"The label is older than {VOID_DAYS} days; it is lost.", type="void_window_over")
    return described(state, state.shipments.patch(shipment_id, voided_on=ctx.today))


@service.tool(phrase="make a return label for the shipment {shipment_id}")
def create_return_label(state: ShippingState, ctx: CallContext, shipment_id: ShipmentId) -> Json:
    """Make a prepaid return label for a delivered shipment, with the service and price of its way there.

    Errors: `not_found`, `not_delivered`, `return_exists`, `is_return`, `return_window_over` (45 days after delivery),
    `insufficient_balance`.

    Args:
        shipment_id: Id of the delivered shipment.
    """
    shipment, desk = state.shipments.get(shipment_id), Desk(state)
    if shipment.return_of is not None:
        raise conflict(f"{shipment.number} is a return itself; prepare a new shipment.", type="is_return")
    if desk.status(shipment) != "delivered" or shipment.service_id is None:
        raise conflict(f"{shipment.number} is {desk.status(shipment)}, not delivered.", type="not_delivered")
    old = state.shipments.first(return_of=shipment_id, voided_on=None)
    if old is not None:
        raise conflict(f"{old.number} is the return of {shipment.number} already.", type="return_exists")
    if days_between(desk.last[shipment.id].happened_at, ctx.today) > RETURN_DAYS:
        raise conflict(f"{shipment.number} came more than {RETURN_DAYS} days ago.", type="return_window_over")
    offer = state.services.get(shipment.service_id)
    balance = desk.balance(offer.carrier_id)
    if shipment.price > balance:
        raise conflict(
            f"The label costs {shipment.price:.2f}, the balance is {balance:.2f}; top it up.",
            type="insufficient_balance",
        )
    back = state.shipments.create(
        number=next_number((row.number for row in state.shipments), "SH-", width=5),
        order_number=shipment.order_number,
        origin=shipment.origin,
        address_id=shipment.address_id,
        contents=f"Return: {shipment.contents}",
        box=shipment.box,
        weight=shipment.weight,
        declared_value=shipment.declared_value,
        contains_lithium=shipment.contains_lithium,
        return_of=shipment_id,
    )
    return described(state, _print(state, ctx, back, offer, shipment.price, shipment.approver_id))
