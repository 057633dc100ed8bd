"""Tools of the person who needs something: draft a requisition, fill it, submit it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.procurement.figures import (
    SECOND_STEP,
    THIRD_STEP,
    Books,
    line_value,
    open_requisition,
    usable_supplier,
)
from services_app.library.procurement.sourcing import SupplierId
from services_app.library.procurement.state import ProcurementState, Requisition, RequisitionStatus, service
from services_app.library.shared import (
    Amount,
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_date,
    check_text,
    cursor_page,
    keep,
    next_number,
    plus_days,
    same,
    search,
    total,
    with_fields,
    within,
)

RequisitionId = Annotated[str, f.ref("requisitions")]
BudgetId = Annotated[str, f.ref("budgets")]
LineId = Annotated[str, f.ref("requisition_lines")]
Quantity = Annotated[int, f.count("units"), Field(ge=1, le=10_000)]


def shown(state: ProcurementState, requisition_id: str) -> Json:
    """A requisition with lines, approval steps and comments."""
    books = Books(state)
    steps = sorted(state.approvals.find(requisition_id=requisition_id), key=lambda row: (row.step, row.id))
    return {
        **books.requisition_json(state.requisitions.get(requisition_id)),
        "lines": [
            with_fields(row, supplier_name=books.suppliers[row.supplier_id].name, value=line_value(row))
            for row in books.lines(requisition_id)
        ],
        "approvals": steps,
        "comments": state.comments.find(requisition_id=requisition_id),
        "purchase_orders": [row.number for row in state.purchase_orders.find(requisition_id=requisition_id)],
    }


def _mine(state: ProcurementState, requisition_id: str) -> Requisition:
    """A requisition of mine that can be changed; 403 `not_yours`, 409 `not_editable`."""
    row = state.requisitions.get(requisition_id)
    if not same(row.requester_email, ME.email):
        raise forbidden(f"Requisition {row.number} belongs to {row.requester_email}.", type="not_yours")
    return open_requisition(state, requisition_id)


@service.tool()
def search_requisitions(  # noqa: PLR0913, PLR0917 - one per filter
    state: ProcurementState,
    ctx: CallContext,
    query: Query | None = None,
    status: RequisitionStatus | None = None,
    budget_id: BudgetId | None = None,
    requester_email: f.Email | None = None,
    awaiting_my_approval: bool | None = None,
    needed_from: f.Date | None = None,
    needed_to: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find requisitions by number, title, order number, requester or what is wanted, newest number first.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the number, title, justification, order number, requester or lines.
        status: Only requisitions with this status.
        budget_id: Only requisitions on this budget.
        requester_email: Only requisitions of this person.
        awaiting_my_approval: true for those whose next step is yours, false for all others.
        needed_from: Only requisitions needed on this day or later.
        needed_to: Only requisitions needed on this day or earlier.
        limit: At most so many requisitions.
        cursor: next_cursor of the previous page.
    """
    books = Books(state)
    found = search(
        state.requisitions,
        query,
        lambda row: (
            *(row.number, row.title, row.justification, row.order_number, row.requester_email),
            *(line.description for line in books.lines(row.id)),
        ),
    )
    found = keep(found, status=status, budget_id=budget_id, requester_email=requester_email)
    found = within(found, "needed_by", needed_from, needed_to)
    rows = [books.requisition_json(row) for row in sorted(found, key=lambda row: row.number, reverse=True)]
    rows = [row for row in rows if awaiting_my_approval in (None, row["waits_for"] == ME.email)]
    return {**cursor_page("requisitions", rows, limit, cursor), "sum": total(row["total"] for row in rows)}


@service.tool()
def get_requisition(state: ProcurementState, ctx: CallContext, requisition_id: RequisitionId) -> Json:
    """Show a requisition with lines, approval steps, comments and the purchase orders made from it.

    Errors: `not_found`.

    Args:
        requisition_id: Id of the requisition.
    """
    return shown(state, requisition_id)


@service.tool(phrase="draft a requisition for {title}, needed by {needed_by}")
def create_requisition(
    state: ProcurementState,
    ctx: CallContext,
    title: Name,
    budget_id: BudgetId,
    needed_by: f.Date,
    deliver_to: f.Place = "18 Wharf Road, London",
    justification: Annotated[str, f.Semantic("text"), Field(max_length=2000)] = "",
    order_number: f.Code = "",
) -> Json:
    """Draft an empty requisition of your own; lines are added by add_catalog_line or add_custom_line.

    Errors: `not_found`, `blank_text`, `invalid_date`, `in_the_past`.

    Args:
        title: What it is about.
        budget_id: Budget that pays.
        needed_by: Day by which the goods must be there.
        deliver_to: Address of the delivery.
        justification: Why it is needed.
        order_number: Customer order that the goods are for.
    """
    state.budgets.get(budget_id)
    if check_date(needed_by) < ctx.today:
        raise invalid(f"{needed_by} is in the past; today is {ctx.today}.", type="in_the_past")
    row = state.requisitions.create(
        number=next_number((row.number for row in state.requisitions), f"RQ-{ctx.today[:4]}-"),
        title=check_text(title, "title"),
        requester_email=ME.email,
        budget_id=budget_id,
        justification=justification.strip(),
        order_number=order_number.strip(),
        needed_by=needed_by,
        deliver_to=deliver_to,
        created_at=ctx.now,
    )
    return shown(state, row.id)


@service.tool(phrase="add {quantity} of the catalog item {item_id} to the requisition {requisition_id}")
def add_catalog_line(
    state: ProcurementState,
    ctx: CallContext,
    requisition_id: RequisitionId,
    item_id: Annotated[str, f.ref("catalog_items")],
    quantity: Quantity,
) -> Json:
    """Add a catalog item to one of your requisitions at the price of the catalog.

    Errors: `not_found`, `not_yours`, `not_editable`, `discontinued`, `supplier_unavailable`, `below_minimum_quantity`,
    `duplicate_line` (the item is on it; use update_line_quantity).

    Args:
        requisition_id: Id of the requisition.
        item_id: Id of the item.
        quantity: How many.
    """
    row, item = _mine(state, requisition_id), state.catalog_items.get(item_id)
    if item.discontinued:
        raise conflict(f"{item.name} is discontinued; search the catalog for another.", type="discontinued")
    usable_supplier(state, item.supplier_id)
    if quantity < item.minimum_quantity:
        raise invalid(f"{item.name} is sold from {item.minimum_quantity} on.", type="below_minimum_quantity")
    if state.requisition_lines.first(requisition_id=row.id, item_id=item_id):
        raise conflict(f"{item.name} is on {row.number} already; change its quantity.", type="duplicate_line")
    state.requisition_lines.create(
        requisition_id=row.id,
        supplier_id=item.supplier_id,
        item_id=item.id,
        description=item.name,
        quantity=quantity,
        unit_price=item.price,
    )
    return shown(state, requisition_id)


@service.tool(phrase="add {quantity} of {description} from {supplier_id} to the requisition {requisition_id}")
def add_custom_line(
    state: ProcurementState,
    ctx: CallContext,
    requisition_id: RequisitionId,
    supplier_id: SupplierId,
    description: Name,
    quantity: Quantity,
    unit_price: Amount,
) -> Json:
    """Add something that is not in the catalog to one of your requisitions, at the price that was quoted.

    Errors: `not_found`, `not_yours`, `not_editable`, `supplier_unavailable`, `blank_text`.

    Args:
        requisition_id: Id of the requisition.
        supplier_id: Id of the supplier.
        description: What is wanted.
        quantity: How many.
        unit_price: Price of one.
    """
    row = _mine(state, requisition_id)
    state.requisition_lines.create(
        requisition_id=row.id,
        supplier_id=usable_supplier(state, supplier_id).id,
        description=check_text(description, "description"),
        quantity=quantity,
        unit_price=unit_price,
    )
    return shown(state, requisition_id)


@service.tool(phrase="change the quantity of the requisition line {line_id} to {quantity}")
def update_line_quantity(state: ProcurementState, ctx: CallContext, line_id: LineId, quantity: Quantity) -> Json:
    """Change the quantity of a line on one of your requisitions.

    Errors: `not_found`, `not_yours`, `not_editable`, `below_minimum_quantity`.

    Args:
        line_id: Id of the line.
        quantity: How many.
    """
    line = state.requisition_lines.get(line_id)
    row = _mine(state, line.requisition_id)
    item = state.catalog_items.get(line.item_id) if line.item_id else None
    if item is not None and quantity < item.minimum_quantity:
        raise invalid(f"{item.name} is sold from {item.minimum_quantity} on.", type="below_minimum_quantity")
    state.requisition_lines.patch(line_id, quantity=quantity)
    return shown(state, row.id)


@service.tool(phrase="remove the requisition line {line_id}")
def remove_line(state: ProcurementState, ctx: CallContext, line_id: LineId) -> Json:
    """Remove a line from one of your requisitions.

    Errors: `not_found`, `not_yours`, `not_editable`.

    Args:
        line_id: Id of the line.
    """
    row = _mine(state, state.requisition_lines.get(line_id).requisition_id)
    state.requisition_lines.delete(line_id)
    return shown(state, row.id)


@service.tool(phrase="submit the requisition {requisition_id} for approval")
def submit_requisition(state: ProcurementState, ctx: CallContext, requisition_id: RequisitionId) -> Json:
    """Submit one of your requisitions: its budget must cover it, and suppliers must be able to deliver in time.

    The owner of the budget decides first, above 2,000.00 the owner of the budget General, above 10,000.00 the owner of
    the budget Finance as well. Nobody decides on their own requisition.
    Errors: `not_found`, `not_yours`, `not_editable`, `no_lines`, `over_budget`, `lead_time` (an item cannot come in
    time), `supplier_unavailable`.

    Args:
        requisition_id: Id of the requisition.
    """
    row, books = _mine(state, requisition_id), Books(state)
    lines = books.lines(row.id)
    if not lines:
        raise conflict(f"Requisition {row.number} has no lines; add some first.", type="no_lines")
    for line in lines:
        usable_supplier(state, line.supplier_id)
        days = state.catalog_items.get(line.item_id).lead_days if line.item_id else 0
        if plus_days(ctx.today, days) > row.needed_by:
            raise conflict(
                f"{line.description} takes {days} days and is needed by {row.needed_by}; remove it or draft a later "
                "requisition.",
                type="lead_time",
            )
    left, amount = books.budget_json(row.budget_id)["left"], books.requisition_total(row.id)
    if amount > left:
        raise conflict(f"{left:.2f} is left of the budget, {amount:.2f} is wanted; ask for less.", type="over_budget")
    for old in state.approvals.find(requisition_id=row.id):
        state.approvals.delete(old.id)
    for step, email in enumerate(approvers(state, row, amount), start=1):
        state.approvals.create(requisition_id=row.id, step=step, approver_email=email)
    state.requisitions.patch(row.id, status="pending_approval")
    return shown(state, requisition_id)


def approvers(state: ProcurementState, row: Requisition, amount: float) -> list[str]:
    """Who has to decide on a requisition of this amount, in order; never the requester."""
    owners = {budget.name: budget.owner_email for budget in state.budgets}
    chain = [state.budgets.get(row.budget_id).owner_email]
    chain += [owners["General"]] if amount > SECOND_STEP else []
    chain += [owners["Finance"]] if amount > THIRD_STEP else []
    others = [email for email in dict.fromkeys(chain) if not same(email, row.requester_email)]
    stand_in = next(owners[name] for name in ("General", "Finance") if not same(owners[name], row.requester_email))
    return others or [stand_in]


@service.tool(phrase="withdraw the requisition {requisition_id}")
def withdraw_requisition(state: ProcurementState, ctx: CallContext, requisition_id: RequisitionId) -> Json:
    """Withdraw one of your requisitions for good, as long as nothing has been ordered from it.

    Errors: `not_found`, `not_yours`, `already_ordered`, `already_withdrawn`.

    Args:
        requisition_id: Id of the requisition.
    """
    row = state.requisitions.get(requisition_id)
    if not same(row.requester_email, ME.email):
        raise forbidden(f"Requisition {row.number} belongs to {row.requester_email}.", type="not_yours")
    if row.status == "ordered":
        raise conflict(f"Requisition {row.number} is ordered; cancel its purchase orders.", type="already_ordered")
    if row.status == "withdrawn":
        raise conflict(f"Requisition {row.number} is withdrawn already.", type="already_withdrawn")
    state.requisitions.patch(requisition_id, status="withdrawn")
    return shown(state, requisition_id)


@service.tool(phrase="comment on the requisition {requisition_id}: {text}")
def add_requisition_comment(
    state: ProcurementState, ctx: CallContext, requisition_id: RequisitionId, text: Body
) -> Json:
    """Add a comment that the requester, the approvers and purchasing see.

    Errors: `not_found`, `blank_text`.

    Args:
        requisition_id: Id of the requisition.
        text: What to say.
    """
    row = state.requisitions.get(requisition_id)
    comment = state.comments.create(
        requisition_id=requisition_id, author_email=ME.email, text=check_text(text, "text"), written_at=ctx.now
    )
    return with_fields(comment, requisition_number=row.number)
