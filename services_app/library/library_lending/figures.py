"""Who has what, who is next, what is owed: what follows from the records of the library."""

from __future__ import annotations

from services_app.engine import CallContext, conflict, forbidden, not_found
from services_app.library.cast import ME
from services_app.library.library_lending.state import Copy, Fee, Hold, LendingState, Loan, Member, Title
from services_app.library.shared import Json, days_between, plus_days, total, with_fields

PERIOD = {"book": 21, "audiobook": 14, "dvd": 7, "magazine": 7}  # days
FINE = {"book": 0.25, "audiobook": 0.25, "dvd": 1.0, "magazine": 0.1}  # pounds a day
MOST_FINE = 8.0
BLOCK_AT = 10.0
COLLECT_DAYS = 7


def me(state: LendingState) -> Member:
    """The signed-in reader."""
    member = state.members.first(email=ME.email)
    if member is None:
        raise not_found("reader", ME.email)
    return member


def open_loan(state: LendingState, copy_id: str) -> Loan | None:
    return state.loans.first(copy_id=copy_id, returned_on=None, lost=False)


def shelf_hold(state: LendingState, copy_id: str) -> Hold | None:
    """The hold for which a copy waits."""
    return state.holds.first(copy_id=copy_id, status="ready")


def copy_status(state: LendingState, copy: Copy) -> str:
    """`lost`, `on loan`, `on hold shelf`, `reference only` or `available`."""
    if copy.lost:
        return "lost"
    if open_loan(state, copy.id):
        return "on loan"
    if shelf_hold(state, copy.id):
        return "on hold shelf"
    return "reference only" if copy.reference_only else "available"


def title_of(state: LendingState, copy_id: str) -> Title:
    return state.titles.get(state.copies.get(copy_id).title_id)


def fine_of(state: LendingState, loan: Loan, day: str) -> float:
    """What a loan costs when it comes back on a day, in pounds."""
    late = days_between(loan.due_on, loan.returned_on or day)
    return round(min(max(late, 0) * FINE[title_of(state, loan.copy_id).format], MOST_FINE), 2)


def balance_of(state: LendingState, fee: Fee) -> float:
    """What is left to pay of a fee."""
    return round(fee.amount - sum(row.amount for row in state.payments.find(fee_id=fee.id)), 2)


def owed(state: LendingState, member_id: str) -> float:
    return total(balance_of(state, row) for row in state.fees.find(member_id=member_id))


def check_card(state: LendingState, ctx: CallContext) -> Member:
    """The signed-in reader, who may borrow; 403 `card_expired` or `blocked` otherwise."""
    member = me(state)
    if member.card_expires_on < ctx.today:
        raise forbidden(f"The card expired on {member.card_expires_on}; renew it.", type="card_expired")
    debt = owed(state, member.id)
    if debt >= BLOCK_AT:
        raise forbidden(f"{debt:.2f} pounds are owed; pay below {BLOCK_AT:.2f} first.", type="blocked")
    return member


def own_loan(state: LendingState, loan_id: str) -> Loan:
    """An open loan of the signed-in reader; 403 `not_yours`, 409 `not_on_loan` otherwise."""
    loan = state.loans.get(loan_id)
    if loan.member_id != me(state).id:
        raise forbidden(f"{loan_id} is a loan of somebody else.", type="not_yours")
    if loan.returned_on is not None or loan.lost:
        raise conflict(f"{loan_id} is closed; see list_my_loans.", type="not_on_loan")
    return loan


def queue(state: LendingState, title_id: str) -> list[Hold]:
    """Waiting holds of a title, the first in line first."""
    return sorted(state.holds.find(title_id=title_id, status="waiting"), key=lambda row: (row.placed_at, row.id))


def suspended(hold: Hold, today: str) -> bool:
    return hold.status == "waiting" and hold.suspended_until is not None and hold.suspended_until > today


def give_to_next(state: LendingState, ctx: CallContext, copy: Copy) -> Hold | None:
    """Put a copy that is free on the hold shelf for the first in line whose hold is not suspended."""
    if copy.lost or copy.reference_only:
        return None
    for hold in queue(state, copy.title_id):
        if not suspended(hold, ctx.today):
            return state.holds.patch(
                hold.id, status="ready", copy_id=copy.id, collect_by=plus_days(ctx.today, COLLECT_DAYS)
            )
    return None


def loan_shown(state: LendingState, ctx: CallContext, loan: Loan) -> Json:
    """A loan with its title, whether it is overdue, and what it costs if it came back today."""
    title, copy = title_of(state, loan.copy_id), state.copies.get(loan.copy_id)
    live = loan.returned_on is None and not loan.lost
    status = (
        "lost" if loan.lost else "returned" if loan.returned_on else "overdue" if loan.due_on < ctx.today else "on loan"
    )
    return with_fields(
        loan,
        title=title.title,
        author=title.author,
        format=title.format,
        barcode=copy.barcode,
        status=status,
        days_left=days_between(ctx.today, loan.due_on) if live else None,
        fine_so_far=fine_of(state, loan, ctx.today) if live else 0.0,
    )


def hold_shown(state: LendingState, ctx: CallContext, hold: Hold) -> Json:
    """A hold with its title, pickup branch, and place in the queue while it waits."""
    line = [row.id for row in queue(state, hold.title_id)]
    return with_fields(
        hold,
        title=state.titles.get(hold.title_id).title,
        pickup_branch=state.branches.get(hold.pickup_branch_id).name,
        suspended=suspended(hold, ctx.today),
        place_in_queue=line.index(hold.id) + 1 if hold.id in line else None,
    )


def fee_shown(state: LendingState, fee: Fee) -> Json:
    title = title_of(state, state.loans.get(fee.loan_id).copy_id).title if fee.loan_id else None
    return with_fields(fee, title=title, balance=balance_of(state, fee), payments=state.payments.find(fee_id=fee.id))
