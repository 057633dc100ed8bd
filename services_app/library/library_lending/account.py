"""Tools for the card, fees and payments."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.library_lending.figures import BLOCK_AT, balance_of, fee_shown, fine_of, me, owed
from services_app.library.library_lending.state import FeeKind, LendingState, PaymentMethod, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    cursor_page,
    days_between,
    keep,
    newest_first,
    plus_days,
    total,
    with_fields,
)

FeeId = Annotated[str, f.ref("fees")]
RENEW_CARD_WITHIN = 60  # days before it expires


@service.tool()
def get_my_account(state: LendingState, ctx: CallContext) -> Json:
    """Show your card: expiry, loans, overdue ones, holds that are ready, what is owed and whether you are blocked."""
    member = me(state)
    loans = state.loans.find(member_id=member.id, returned_on=None, lost=False)
    holds = state.holds.find(member_id=member.id)
    debt = owed(state, member.id)
    return with_fields(
        member,
        loans=len(loans),
        overdue=sum(1 for row in loans if row.due_on < ctx.today),
        holds_waiting=sum(1 for row in holds if row.status == "waiting"),
        holds_ready=sum(1 for row in holds if row.status == "ready"),
        owed=debt,
        fines_running=total(fine_of(state, row, ctx.today) for row in loans),
        blocked=debt >= BLOCK_AT or member.card_expires_on < ctx.today,
    )


@service.tool(phrase="renew the library card")
def renew_card(state: LendingState, ctx: CallContext) -> Json:
    """Renew your card for another year, in the 60 days before it expires or later.

    Errors: `too_early`, `blocked` (10 pounds are owed).
    """
    member = me(state)
    if days_between(ctx.today, member.card_expires_on) > RENEW_CARD_WITHIN:
        raise conflict(f"The card is valid until {member.card_expires_on}; renew it later.", type="too_early")
    if owed(state, member.id) >= BLOCK_AT:
        raise forbidden("Pay the open fees before you renew the card.", type="blocked")
    start = max(member.card_expires_on, ctx.today)
    return with_fields(state.members.patch(member.id, card_expires_on=plus_days(start, 365)))


@service.tool()
def list_my_fees(
    state: LendingState,
    ctx: CallContext,
    kind: FeeKind | None = None,
    open_only: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List your fees with payments and what is left of each, the latest first.

    Args:
        kind: Only fees of this kind.
        open_only: Only fees that are not paid in full.
        limit: At most so many fees.
        cursor: next_cursor of the previous page.
    """
    own = keep(state.fees.find(member_id=me(state).id), kind=kind)
    own = [row for row in own if balance_of(state, row) > 0 or not open_only]
    own = newest_first(own, "charged_on")
    page = cursor_page("fees", own, limit, cursor)
    page["fees"] = [fee_shown(state, row) for row in page["fees"]]
    return {**page, "owed": owed(state, me(state).id)}


@service.tool(phrase="pay {amount} pounds of the fee {fee_id}")
def pay_fee(
    state: LendingState,
    ctx: CallContext,
    fee_id: FeeId,
    amount: Annotated[float, f.Semantic("money"), Field(gt=0, le=1000)],
    method: PaymentMethod = "online",
) -> Json:
    """Pay a fee of yours in full or in part.

    Errors: `not_found`, `not_yours`, `already_paid`, `too_much`.

    Args:
        fee_id: Id of the fee.
        amount: Pounds to pay.
        method: How it is paid.
    """
    fee = state.fees.get(fee_id)
    if fee.member_id != me(state).id:
        raise forbidden(f"{fee_id} is a fee of somebody else.", type="not_yours")
    left = balance_of(state, fee)
    if left <= 0:
        raise conflict(f"{fee_id} is paid in full.", type="already_paid")
    if round(amount, 2) > left:
        raise invalid(f"{left:.2f} pounds are left of {fee_id}; pay that or less.", type="too_much")
    state.payments.create(fee_id=fee.id, amount=amount, method=method, paid_at=ctx.now)
    return fee_shown(state, fee)
