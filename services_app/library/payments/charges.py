"""Tools for charges: authorise, capture, cancel, review, and their notes."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.payments.customers import CustomerId, MethodId
from services_app.library.payments.ledger import described, usable
from services_app.library.payments.state import ChargeStatus, Note, PaymentsState, service
from services_app.library.shared import (
    LABEL,
    Amount,
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_text,
    cursor_page,
    days_between,
    keep,
    same,
    search,
    within,
)

ChargeId = Annotated[str, f.ref("charges")]
Sort = Annotated[Literal["newest", "oldest", "largest"], LABEL]
REVIEW_FROM = 10_000.0
CAPTURE_DAYS = 7


@service.tool()
def search_charges(  # noqa: PLR0913, PLR0917 - one per filter
    state: PaymentsState,
    ctx: CallContext,
    query: Query | None = None,
    customer_id: CustomerId | None = None,
    status: ChargeStatus | None = None,
    in_review: bool | None = None,
    min_amount: f.Money | None = None,
    created_from: f.Date | None = None,
    created_to: f.Date | None = None,
    sort: Sort = "newest",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find charges by description, order number or customer, with fee and what is left to refund.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the description, order number, customer name, email or last four digits.
        customer_id: Only charges of this customer.
        status: Only charges in this status.
        in_review: Only charges that the risk team holds, or only the others.
        min_amount: Only charges of at least this amount.
        created_from: Only charges made on this day or later.
        created_to: Only charges made on this day or earlier.
        sort: Order of the list.
        limit: At most so many charges.
        cursor: next_cursor of the previous page.
    """
    payers = {row.id: (row.name, row.email) for row in state.customers}
    digits = {row.id: row.last4 for row in state.methods}
    found = search(
        state.charges,
        query,
        lambda row: (row.description, row.order_number, *payers[row.customer_id], digits[row.method_id]),
    )
    found = within(keep(found, customer_id=customer_id, status=status), "created_at", created_from, created_to)
    found = [
        row
        for row in found
        if in_review in (None, row.review == "open") and (min_amount is None or row.amount >= min_amount)
    ]
    found.sort(key=lambda row: (row.created_at, row.id), reverse=sort != "oldest")
    if sort == "largest":
        found.sort(key=lambda row: -row.amount)
    page = cursor_page("charges", found, limit, cursor)
    page["charges"] = [described(state, row) for row in page["charges"]]
    return page


@service.tool()
def get_charge(state: PaymentsState, ctx: CallContext, charge_id: ChargeId) -> Json:
    """Show a charge with payment method, refunds, disputes and notes.

    Errors: `not_found`.

    Args:
        charge_id: Id of the charge.
    """
    charge = state.charges.get(charge_id)
    return {
        **described(state, charge),
        "payment_method": state.methods.get(charge.method_id),
        "refunds": state.refunds.find(charge_id=charge_id),
        "disputes": state.disputes.find(charge_id=charge_id),
        "notes": state.notes.find(charge_id=charge_id),
    }


@service.tool(phrase="charge {customer_id} {amount} for {description}")
def create_charge(
    state: PaymentsState,
    ctx: CallContext,
    customer_id: CustomerId,
    amount: Amount,
    description: Name,
    order_number: f.Code = "",
    method_id: MethodId | None = None,
    capture: bool = True,
) -> Json:
    """Charge a customer in its currency; card charges of 10,000.00 and more wait for a review by the risk team.

    Errors: `not_found`, `no_payment_method`, `foreign_method`, `expired_card`, `card_declined`, `duplicate_charge`
    (the order number was charged already), `not_capturable_later` (only cards can be authorised), `blank_text`.

    Args:
        customer_id: Id of the customer.
        amount: Amount in the customer's currency.
        description: What it is for, as on the receipt.
        order_number: The order it pays.
        method_id: Payment method; the customer's default, if left out.
        capture: false only reserves the amount on a card for 7 days.
    """
    customer = state.customers.get(customer_id)
    chosen = method_id or customer.default_method_id
    if chosen is None:
        raise conflict(f"{customer.name} has no payment method; attach one first.", type="no_payment_method")
    method = state.methods.get(chosen)
    usable(customer, method, ctx.today)
    if not capture and method.kind != "card":
        raise invalid("Only cards can be authorised; send capture true.", type="not_capturable_later")
    for row in state.charges:
        live = row.status in ("authorized", "succeeded")
        if live and order_number.strip() and same(row.order_number, order_number):
            raise conflict(f"{order_number} was charged with {row.id} already.", type="duplicate_charge")
    charge = state.charges.create(
        customer_id=customer_id,
        method_id=method.id,
        method_kind=method.kind,
        amount=amount,
        currency=customer.currency,
        status="succeeded" if capture else "authorized",
        captured_amount=amount if capture else 0.0,
        captured_on=ctx.today if capture else None,
        description=check_text(description, "description"),
        order_number=order_number.strip(),
        review="open" if method.kind == "card" and amount >= REVIEW_FROM else "none",
        created_at=ctx.now,
    )
    return described(state, charge)


@service.tool(phrase="capture the authorised charge {charge_id}")
def capture_charge(state: PaymentsState, ctx: CallContext, charge_id: ChargeId, amount: Amount | None = None) -> Json:
    """Take the money of an authorised charge, in full or in part; the rest is released.

    Errors: `not_found`, `not_authorized`, `authorization_expired` (after 7 days), `in_review`, `over_authorized`.

    Args:
        charge_id: Id of the charge.
        amount: Amount to take; all of it, if left out.
    """
    charge = state.charges.get(charge_id)
    if charge.status != "authorized":
        raise conflict(f"Charge {charge_id} is {charge.status}, not authorised.", type="not_authorized")
    if days_between(charge.created_at, ctx.today) > CAPTURE_DAYS:
        raise conflict("The authorisation is older than 7 days; charge again.", type="authorization_expired")
    if charge.review == "open":
        raise conflict("The risk team has not released it; use review_charge.", type="in_review")
    taken = charge.amount if amount is None else amount
    if taken > charge.amount:
        raise invalid(f"Only {charge.amount:.2f} were authorised.", type="over_authorized")
    changes = {"status": "succeeded", "captured_amount": taken, "captured_on": ctx.today}
    return described(state, state.charges.patch(charge_id, **changes))


@service.tool(phrase="cancel the authorised charge {charge_id}")
def cancel_charge(state: PaymentsState, ctx: CallContext, charge_id: ChargeId) -> Json:
    """Release the money of an authorised charge.

    Errors: `not_found`, `not_authorized` (captured charges are refunded instead).

    Args:
        charge_id: Id of the charge.
    """
    charge = state.charges.get(charge_id)
    if charge.status != "authorized":
        raise conflict(f"Charge {charge_id} is {charge.status}; only authorised ones end so.", type="not_authorized")
    changes = {"status": "cancelled", "review": "none"}
    return described(state, state.charges.patch(charge_id, **changes))


@service.tool(phrase="release the charge {charge_id} from review")
def review_charge(state: PaymentsState, ctx: CallContext, charge_id: ChargeId, finding: Body) -> Json:
    """Approve a charge that is held for review; its money can then be captured and paid out.

    A charge that is not trusted is cancelled or refunded instead.
    Errors: `not_found`, `not_in_review`, `blank_text`.

    Args:
        charge_id: Id of the charge.
        finding: What was checked; kept as a note.
    """
    charge = state.charges.get(charge_id)
    if charge.review != "open":
        raise conflict(f"Charge {charge_id} is not held for review.", type="not_in_review")
    _note(state, ctx, charge_id, finding)
    return described(state, state.charges.patch(charge_id, review="approved"))


def _note(state: PaymentsState, ctx: CallContext, charge_id: str, text: str) -> Note:
    return state.notes.create(
        charge_id=charge_id, author_email=ME.email, text=check_text(text, "text"), written_at=ctx.now
    )


@service.tool(phrase="add a note to the charge {charge_id}")
def add_charge_note(state: PaymentsState, ctx: CallContext, charge_id: ChargeId, text: Body) -> Note:
    """Add an internal note to a charge; customers and banks do not see it.

    Errors: `not_found`, `blank_text`.

    Args:
        charge_id: Id of the charge.
        text: The note.
    """
    state.charges.get(charge_id)
    return _note(state, ctx, charge_id, text)
