"""Tools for loans: borrowing, renewing, bringing back, losing."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.library_lending.figures import (
    PERIOD,
    check_card,
    copy_status,
    fine_of,
    give_to_next,
    hold_shown,
    loan_shown,
    me,
    own_loan,
    queue,
    shelf_hold,
    title_of,
)
from services_app.library.library_lending.state import Format, LendingState, service
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    cursor_page,
    days_between,
    plus_days,
    search,
    within,
)

LoanId = Annotated[str, f.ref("loans")]
CopyId = Annotated[str, f.ref("copies")]
LoanStatus = Annotated[Literal["on loan", "overdue", "returned", "lost"], LABEL]
MOST_LOANS = 15
MOST_DVDS = 3
RENEWALS = 2
RENEW_WITHIN = 10  # days before the due date


@service.tool()
def list_my_loans(
    state: LendingState,
    ctx: CallContext,
    status: LoanStatus | None = None,
    query: Query | None = None,
    format: Format | None = None,
    due_before: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List your loans, those due first at the top, with days left and the fine so far.

    Errors: `invalid_date`.

    Args:
        status: Only loans in this status.
        query: Words of title, author or barcode.
        format: Only books, audiobooks, films or magazines.
        due_before: Only loans that are due on this day or earlier.
        limit: At most so many loans.
        cursor: next_cursor of the previous page.
    """
    own = within(state.loans.find(member_id=me(state).id), "due_on", None, due_before)
    rows = [loan_shown(state, ctx, row) for row in sorted(own, key=lambda row: (row.due_on, row.id))]
    rows = search(rows, query, lambda row: (row["title"], row["author"], row["barcode"]))
    rows = [row for row in rows if status in (None, row["status"]) and format in (None, row["format"])]
    return cursor_page("loans", rows, limit, cursor)


@service.tool(phrase="borrow the copy {copy_id}")
def checkout_copy(state: LendingState, ctx: CallContext, copy_id: CopyId) -> Json:
    """Borrow a copy from the shelf or from the hold shelf: 21 days for books, 14 for audiobooks, 7 for the rest.

    Errors: `not_found`, `card_expired`, `blocked` (10 pounds are owed), `not_available`, `reference_only`,
    `kept_for_another`, `too_many_loans` (15), `too_many_dvds` (3).

    Args:
        copy_id: Id of the copy.
    """
    copy, member = state.copies.get(copy_id), check_card(state, ctx)
    title, status, waiting = title_of(state, copy.id), copy_status(state, copy), shelf_hold(state, copy.id)
    if status in ("on loan", "lost"):
        raise conflict(f"{copy.barcode} is {status}; place a hold on {title.id}.", type="not_available")
    if copy.reference_only:
        raise conflict(f"{copy.barcode} is for use in the house only.", type="reference_only")
    if waiting is not None and waiting.member_id != member.id:
        raise conflict(f"{copy.barcode} waits for another reader.", type="kept_for_another")
    live = state.loans.find(member_id=member.id, returned_on=None, lost=False)
    if len(live) >= MOST_LOANS:
        raise conflict(f"You have {len(live)} loans; bring something back first.", type="too_many_loans")
    films = [row for row in live if title_of(state, row.copy_id).format == "dvd"]
    if title.format == "dvd" and len(films) >= MOST_DVDS:
        raise conflict(f"You have {len(films)} films; bring one back first.", type="too_many_dvds")
    for hold in state.holds.find(title_id=title.id, member_id=member.id):
        if hold.status in ("waiting", "ready"):
            state.holds.patch(hold.id, status="collected")
            if hold.copy_id not in (None, copy.id):
                give_to_next(state, ctx, state.copies.get(str(hold.copy_id)))
    loan = state.loans.create(
        copy_id=copy.id,
        member_id=member.id,
        borrowed_on=ctx.today,
        due_on=plus_days(ctx.today, PERIOD[title.format]),
    )
    return loan_shown(state, ctx, loan)


@service.tool(phrase="renew the loan {loan_id}")
def renew_loan(state: LendingState, ctx: CallContext, loan_id: LoanId) -> Json:
    """Renew a loan for another full period from today, in the ten days before it is due; twice at most.

    Errors: `not_found`, `not_yours`, `not_on_loan`, `card_expired`, `blocked`, `overdue`, `too_early`,
    `renewal_limit`, `wanted_by_others`.

    Args:
        loan_id: Id of the loan.
    """
    loan = own_loan(state, loan_id)
    check_card(state, ctx)
    title = title_of(state, loan.copy_id)
    if loan.due_on < ctx.today:
        raise conflict(f"{title.title} was due on {loan.due_on}; bring it back.", type="overdue")
    if loan.renewals >= RENEWALS:
        raise conflict(f"{title.title} was renewed {RENEWALS} times already.", type="renewal_limit")
    if queue(state, title.id):
        raise conflict(f"Other readers wait for {title.title}.", type="wanted_by_others")
    if days_between(ctx.today, loan.due_on) > RENEW_WITHIN:
        raise conflict(f"{title.title} is due on {loan.due_on}; renew it in the last 10 days.", type="too_early")
    due = plus_days(ctx.today, PERIOD[title.format])
    return loan_shown(state, ctx, state.loans.patch(loan.id, due_on=due, renewals=loan.renewals + 1))


@service.tool(phrase="bring {loan_id} back")
def return_copy(state: LendingState, ctx: CallContext, loan_id: LoanId) -> Json:
    """Bring a loan back; a late one is charged, and the copy goes to the first reader in the queue.

    Errors: `not_found`, `not_yours`, `not_on_loan`.

    Args:
        loan_id: Id of the loan.
    """
    loan = own_loan(state, loan_id)
    fine = fine_of(state, loan, ctx.today)
    if fine:
        state.fees.create(
            member_id=loan.member_id, loan_id=loan.id, kind="late return", amount=fine, charged_on=ctx.today
        )
    closed = state.loans.patch(loan.id, returned_on=ctx.today)
    kept = give_to_next(state, ctx, state.copies.get(loan.copy_id))
    return {
        **loan_shown(state, ctx, closed),
        "charged": fine,
        "kept_for": hold_shown(state, ctx, kept) if kept else None,
    }


@service.tool(phrase="report {loan_id} as lost")
def report_lost(state: LendingState, ctx: CallContext, loan_id: LoanId) -> Json:
    """Report that a loan is lost; its price is charged, and the copy leaves the catalogue.

    Errors: `not_found`, `not_yours`, `not_on_loan`.

    Args:
        loan_id: Id of the loan.
    """
    loan = own_loan(state, loan_id)
    price = title_of(state, loan.copy_id).price
    state.fees.create(member_id=loan.member_id, loan_id=loan.id, kind="lost item", amount=price, charged_on=ctx.today)
    state.copies.patch(loan.copy_id, lost=True)
    return {**loan_shown(state, ctx, state.loans.patch(loan.id, lost=True)), "charged": price}
