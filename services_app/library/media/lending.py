"""Tools for lending discs and records to friends."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.media.access import TitleId, check_stock, free_copies, shown_loan
from services_app.library.media.state import Borrower, Loan, MediaState, Reservation, service
from services_app.library.shared import LABEL, Cursor, Json, Limit, cursor_page, plus_days, same, with_fields

LoanId = Annotated[str, f.ref("loans")]
LoanStatus = Annotated[Literal["open", "overdue", "returned"], LABEL]
DAYS = {"film": 14, "series": 28, "album": 21, "podcast": 21}
EXTRA_DAYS = 7
MOST_LOANS = 3


def _borrower(state: MediaState, email: str) -> Borrower:
    """The borrower with this address; 422 `unknown_borrower` otherwise."""
    for row in state.borrowers:
        if same(row.email, email):
            return row
    raise invalid(f"{email} is not among the borrowers; list_loans shows who is.", type="unknown_borrower")


def _open_loan(state: MediaState, loan_id: str) -> Loan:
    loan = state.loans.get(loan_id)
    if loan.returned_on is not None:
        raise conflict(f"{loan_id} was returned on {loan.returned_on}.", type="already_returned")
    return loan


@service.tool()
def list_loans(
    state: MediaState,
    ctx: CallContext,
    status: LoanStatus | None = None,
    borrower_email: f.Email | None = None,
    title_id: TitleId | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List loans with borrower, due day and days overdue, those due first at the top.

    Args:
        status: Only open, overdue or returned ones.
        borrower_email: Only loans to this person.
        title_id: Only loans of this title.
        limit: At most so many loans.
        cursor: next_cursor of the previous page.
    """
    found = [shown_loan(state, ctx, row) for row in state.loans if title_id in (None, row.title_id)]
    if status == "returned":
        found = [row for row in found if row["returned_on"] is not None]
    elif status is not None:
        found = [row for row in found if row["returned_on"] is None]
        found = [row for row in found if status == "open" or row["days_overdue"] > 0]
    found = [row for row in found if borrower_email is None or same(row["borrower_email"], borrower_email)]
    found.sort(key=lambda row: (row["due_on"], row["id"]))
    return cursor_page("loans", found, limit, cursor)


@service.tool(phrase="lend the title {title_id} to {borrower_email}")
def lend_title(
    state: MediaState, ctx: CallContext, title_id: TitleId, borrower_email: f.Email, note: f.Text = ""
) -> Json:
    """Lend a copy to a friend: films 14 days, records 21, series 28; three loans per person at once.

    Errors: `not_found`, `unknown_borrower`, `not_lendable`, `already_lent` (to this person), `no_copy_left`,
    `reserved` (all free copies wait for others), `loan_limit`, `borrower_overdue`.

    Args:
        title_id: Id of the title.
        borrower_email: Address of the friend.
        note: What was agreed.
    """
    title, borrower = state.titles.get(title_id), _borrower(state, borrower_email)
    check_stock(title)
    theirs = state.loans.find(borrower_id=borrower.id, returned_on=None)
    if any(row.title_id == title_id for row in theirs):
        raise conflict(f"{borrower.name} has {title.name} already.", type="already_lent")
    if any(row.due_on < ctx.today for row in theirs):
        raise conflict(f"{borrower.name} has something overdue; it comes back first.", type="borrower_overdue")
    if len(theirs) >= MOST_LOANS:
        raise conflict(f"{borrower.name} has {MOST_LOANS} loans, no more are possible.", type="loan_limit")
    free = free_copies(state, title)
    if free == 0:
        raise conflict(f"All copies of {title.name} are lent; use reserve_title.", type="no_copy_left")
    queue = state.reservations.find(title_id=title_id)
    place = next((at for at, row in enumerate(queue) if row.borrower_id == borrower.id), len(queue))
    if place >= free:
        first = state.borrowers.get(queue[0].borrower_id).name
        raise conflict(f"{title.name} is reserved for {first}.", type="reserved")
    if place < len(queue):
        state.reservations.delete(queue[place].id)
    due = plus_days(ctx.today, DAYS[title.kind])
    loan = state.loans.create(title_id=title_id, borrower_id=borrower.id, lent_on=ctx.today, due_on=due, note=note)
    return shown_loan(state, ctx, loan)


@service.tool(phrase="take back the loan {loan_id}")
def return_title(state: MediaState, ctx: CallContext, loan_id: LoanId) -> Json:
    """Note that a copy came back, and say who waits for it.

    Errors: `not_found`, `already_returned`.

    Args:
        loan_id: Id of the loan.
    """
    loan = _open_loan(state, loan_id)
    done = state.loans.patch(loan_id, returned_on=ctx.today)
    waiting = [state.borrowers.get(row.borrower_id) for row in state.reservations.find(title_id=loan.title_id)]
    return {**shown_loan(state, ctx, done), "next_in_line": waiting[0].email if waiting else None}


@service.tool(phrase="extend the loan {loan_id}")
def extend_loan(state: MediaState, ctx: CallContext, loan_id: LoanId) -> Json:
    """Extend a loan once, by seven days from its due day.

    Errors: `not_found`, `already_returned`, `already_extended`, `overdue`, `reserved` (someone waits for the title).

    Args:
        loan_id: Id of the loan.
    """
    loan = _open_loan(state, loan_id)
    if loan.extended:
        raise conflict(f"{loan_id} was extended once, to {loan.due_on}.", type="already_extended")
    if loan.due_on < ctx.today:
        raise conflict(f"{loan_id} was due on {loan.due_on}; it has to come back.", type="overdue")
    if state.reservations.count(title_id=loan.title_id):
        raise conflict("Someone waits for the title; it cannot be extended.", type="reserved")
    changed = state.loans.patch(loan_id, extended=True, due_on=plus_days(loan.due_on, EXTRA_DAYS))
    return shown_loan(state, ctx, changed)


@service.tool(phrase="reserve the title {title_id} for {borrower_email}")
def reserve_title(state: MediaState, ctx: CallContext, title_id: TitleId, borrower_email: f.Email) -> Json:
    """Put a friend in the queue for a title whose copies are all lent.

    Errors: `not_found`, `unknown_borrower`, `not_lendable`, `copy_free` (lend it at once), `already_lent`,
    `already_reserved`.

    Args:
        title_id: Id of the title.
        borrower_email: Address of the friend.
    """
    title, borrower = state.titles.get(title_id), _borrower(state, borrower_email)
    check_stock(title)
    if state.loans.first(title_id=title_id, borrower_id=borrower.id, returned_on=None) is not None:
        raise conflict(f"{borrower.name} has {title.name}.", type="already_lent")
    queue = state.reservations.find(title_id=title_id)
    if any(row.borrower_id == borrower.id for row in queue):
        raise conflict(f"{borrower.name} waits for {title.name} already.", type="already_reserved")
    if free_copies(state, title) > len(queue):
        raise conflict(f"A copy of {title.name} is free; use lend_title.", type="copy_free")
    row: Reservation = state.reservations.create(title_id=title_id, borrower_id=borrower.id, reserved_at=ctx.now)
    return with_fields(row, title=title.name, place_in_line=len(queue) + 1)
