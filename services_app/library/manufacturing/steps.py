"""Tools that carry an order through its operations into stock."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.manufacturing.items import ItemId, Units
from services_app.library.manufacturing.orders import OrderId, described
from services_app.library.manufacturing.plant import Plant, in_status, incoming, operation_row, operations, output
from services_app.library.manufacturing.state import ManufacturingState, service
from services_app.library.shared import Body, Json, check_text

OperationId = Annotated[str, f.ref("operations")]
SCRAP_LIMIT = 0.05


@service.tool(phrase="start the operation {operation_id} with {operator_id}")
def start_operation(
    state: ManufacturingState,
    ctx: CallContext,
    operation_id: OperationId,
    operator_id: Annotated[str, f.ref("operators")],
) -> Json:
    """Start an operation; with the first one of an order its materials are consumed, the oldest lots first.

    Errors: `not_found`, `wrong_status` (the order is not released or in progress), `not_pending`, `previous_open`,
    `work_center_down`, `work_center_busy`, `no_operator` (an inspector or engineer), `operator_busy`.

    Args:
        operation_id: Id of the operation.
        operator_id: Id of the operator.
    """
    row, person = state.operations.get(operation_id), state.operators.get(operator_id)
    order = in_status(state, row.order_id, "released", "in_progress")
    if row.status != "pending":
        raise conflict(f"The operation is {row.status} already.", type="not_pending")
    rows = operations(state, order.id)
    if any(other.status != "done" for other in rows[: rows.index(row)]):
        raise conflict("The operation before it is not done.", type="previous_open")
    center = state.work_centers.get(state.routing_steps.get(row.step_id).work_center_id)
    if center.down:
        raise conflict(f"{center.name} is down: {center.down_reason}.", type="work_center_down")
    running = state.operations.find(status="running")
    if any(state.routing_steps.get(other.step_id).work_center_id == center.id for other in running):
        raise conflict(f"Another operation runs at {center.name}; complete it first.", type="work_center_busy")
    if person.role != "operator":
        raise invalid(f"{person.name} is {person.role.replace('_', ' ')}; choose an operator.", type="no_operator")
    if any(other.operator_id == operator_id for other in running):
        raise conflict(f"{person.name} runs another operation; choose somebody else.", type="operator_busy")
    if order.status == "released":
        for need in Plant(state).needs(order.product_id, order.quantity):
            consume(state, ctx.today, order.id, need["material_id"], need["needed"])
        state.orders.patch(order.id, status="in_progress")
    return operation_row(state, state.operations.patch(operation_id, status="running", operator_id=operator_id))


def consume(
    state: ManufacturingState, day: str, order_id: str, material_id: str, quantity: int, note: str = ""
) -> None:
    """Issue a material to an order from its oldest lots; the caller knows that enough is there."""
    for lot, left in Plant(state).lots_first_in(material_id):
        part = min(left, quantity)
        if part:
            state.moves.create(
                item_id=material_id,
                quantity=-part,
                kind="issue",
                lot_number=lot,
                order_id=order_id,
                note=note,
                moved_on=day,
            )
        quantity -= part


@service.tool(phrase="complete the operation {operation_id} with {scrapped} scrapped units")
def complete_operation(
    state: ManufacturingState,
    ctx: CallContext,
    operation_id: OperationId,
    scrapped: Annotated[int, f.count("units"), Field(ge=0, le=10_000)] = 0,
    scrap_reason: Annotated[str, f.Semantic("text"), Field(max_length=300)] = "",
) -> Json:
    """Complete a running operation; what is not scrapped goes on to the next one.

    Errors: `not_found`, `not_running`, `too_many`, `reason_needed` (more than 5 % are scrapped).

    Args:
        operation_id: Id of the operation.
        scrapped: Units that were spoilt.
        scrap_reason: What went wrong.
    """
    row = state.operations.get(operation_id)
    if row.status != "running":
        raise conflict(f"The operation is {row.status}, not running.", type="not_running")
    units = incoming(state, row)
    if scrapped > units:
        raise invalid(f"{units} units came to this operation; no more can be scrapped.", type="too_many")
    if scrapped > units * SCRAP_LIMIT and not scrap_reason.strip():
        raise invalid("More than 5 % are scrapped; say why.", type="reason_needed")
    done = state.operations.patch(
        operation_id, status="done", good=units - scrapped, scrapped=scrapped, scrap_reason=scrap_reason
    )
    return operation_row(state, done)


@service.tool(phrase="issue {quantity} more of {material_id} to the manufacturing order {order_id}")
def issue_extra_material(
    state: ManufacturingState, ctx: CallContext, order_id: OrderId, material_id: ItemId, quantity: Units, reason: Body
) -> Json:
    """Issue more of a material to an order in progress than its bill of materials says, as after scrap.

    Errors: `not_found`, `wrong_status`, `not_on_bom`, `insufficient_stock`, `blank_text`.

    Args:
        order_id: Id of the manufacturing order.
        material_id: Id of the material.
        quantity: How many more.
        reason: What they are needed for.
    """
    order, item = in_status(state, order_id, "in_progress"), state.items.get(material_id)
    text = check_text(reason, "reason")
    if state.bom_lines.first(product_id=order.product_id, material_id=material_id) is None:
        raise invalid(f"{item.sku} is not used for this product; see get_bill_of_materials.", type="not_on_bom")
    free = Plant(state).available(material_id)
    if quantity > free:
        raise conflict(f"{max(0, free)} of {item.sku} are available; send fewer.", type="insufficient_stock")
    consume(state, ctx.today, order_id, material_id, quantity, text)
    return described(state, order)


@service.tool(
    phrase="finish the manufacturing order {order_id} as lot {lot_number}",
    examples=(Example({"order_id": "MFO-0014", "lot_number": "G10-2610"}),),
)
def finish_manufacturing_order(
    state: ManufacturingState,
    ctx: CallContext,
    order_id: OrderId,
    lot_number: Annotated[f.Code, Field(min_length=2, max_length=40)],
) -> Json:
    """Take the good units of an order into stock, when all operations and quality checks are done.

    Errors: `not_found`, `wrong_status`, `operations_open`, `checks_missing`, `nonconformance_open`, `nothing_good`,
    `duplicate_lot`.

    Args:
        order_id: Id of the manufacturing order.
        lot_number: Number of the new product lot.
    """
    order = in_status(state, order_id, "in_progress")
    if any(row.status != "done" for row in operations(state, order_id)):
        raise conflict(f"{order.number} has operations that are not done.", type="operations_open")
    checked = {row.plan_id for row in state.quality_checks.find(order_id=order_id)}
    missing = [row.name for row in state.quality_plans.find(product_id=order.product_id) if row.id not in checked]
    if missing:
        raise conflict(f"Not checked yet: {', '.join(missing)}; use record_quality_check.", type="checks_missing")
    issue = state.nonconformances.first(order_id=order_id, disposition="open")
    if issue is not None:
        raise conflict(f"{issue.number} is open; decide on it first.", type="nonconformance_open")
    units = output(state, order)
    if units < 1:
        raise conflict(f"{order.number} has no good unit; plan a new one.", type="nothing_good")
    if state.moves.first(lot_number=lot_number) is not None:
        raise conflict(f"Lot {lot_number} exists already; choose another number.", type="duplicate_lot")
    state.moves.create(
        item_id=order.product_id,
        quantity=units,
        kind="output",
        lot_number=lot_number,
        order_id=order_id,
        moved_on=ctx.today,
    )
    done = state.orders.patch(order_id, status="done", lot_number=lot_number, finished_on=ctx.today)
    return {**described(state, done), "units_into_stock": units}
