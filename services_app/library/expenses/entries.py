"""Tools for single expenses: find, enter, change, split, and drive."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, given, invalid
from services_app.engine import fields as f
from services_app.library.expenses.figures import (
    Ledger,
    active_category,
    check_past,
    me,
    not_twice,
    own_expense,
    own_report,
)
from services_app.library.expenses.state import Currency, ExpensesState, PaidWith, ReportStatus, Vehicle, service
from services_app.library.shared import (
    LABEL,
    Amount,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_text,
    cursor_page,
    keep,
    search,
    some_changes,
    total,
    within,
)

ExpenseId = Annotated[str, f.ref("expenses")]
CategoryId = Annotated[str, f.ref("categories")]
ReportId = Annotated[str, f.ref("reports")]
EmployeeId = Annotated[str, f.ref("employees")]
Merchant = Annotated[str, f.Semantic("organisation"), Field(min_length=1, max_length=120)]
Description = Annotated[str, f.Semantic("text"), Field(max_length=2000)]
Kilometres = Annotated[int, f.count("kilometres"), Field(ge=1, le=3000)]
Sort = Annotated[Literal["date_desc", "date_asc", "amount_desc"], LABEL]
_PER_KM = {"car": 0.28, "electric_car": 0.31, "motorcycle": 0.15, "bicycle": 0.12}


@service.tool()
def search_expenses(  # noqa: PLR0913, PLR0917 - one per filter
    state: ExpensesState,
    ctx: CallContext,
    query: Query | None = None,
    employee_id: EmployeeId | None = None,
    report_id: ReportId | None = None,
    category_id: CategoryId | None = None,
    report_status: ReportStatus | None = None,
    unreported: bool | None = None,
    incurred_from: f.Date | None = None,
    incurred_to: f.Date | None = None,
    sort: Sort = "date_desc",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find expenses by merchant, words, category, report or day, with their sum in GBP.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the merchant, description, category or employee name.
        employee_id: Only expenses of this employee.
        report_id: Only expenses on this report.
        category_id: Only expenses of this category.
        report_status: Only expenses on reports with this status.
        unreported: true for expenses on no report, false for those on one.
        incurred_from: Only expenses of this day or later.
        incurred_to: Only expenses of this day or earlier.
        sort: Newest first, oldest first, or largest amount in GBP first.
        limit: At most so many expenses.
        cursor: next_cursor of the previous page.
    """
    ledger = Ledger(state)
    found = search(state.expenses, query, ledger.words)
    found = keep(found, employee_id=employee_id, report_id=report_id, category_id=category_id)
    found = [
        row
        for row in within(found, "incurred_on", incurred_from, incurred_to)
        if (unreported is None or (row.report_id is None) == unreported)
        and (report_status is None or (row.report_id and ledger.reports[row.report_id].status == report_status))
    ]
    found.sort(key=lambda row: row.id)
    if sort == "amount_desc":
        found.sort(key=ledger.amount, reverse=True)
    else:
        found.sort(key=lambda row: row.incurred_on, reverse=sort == "date_desc")
    rows = [ledger.expense_json(row, ctx.today) for row in found]
    return {
        **cursor_page("expenses", rows, limit, cursor),
        "sum_in_pounds": total(row["amount_in_pounds"] for row in rows),
    }


@service.tool()
def get_expense(state: ExpensesState, ctx: CallContext, expense_id: ExpenseId) -> Json:
    """Show an expense with its amount in GBP, its receipt, its card transaction and what breaks the policy.

    Errors: `not_found`.

    Args:
        expense_id: Id of the expense.
    """
    expense = state.expenses.get(expense_id)
    return {
        **Ledger(state).expense_json(expense, ctx.today),
        "receipt": state.receipts.get(expense.receipt_id) if expense.receipt_id else None,
        "card_transaction": state.card_transactions.first(expense_id=expense_id),
    }


@service.tool(phrase="enter an expense of {amount} {currency} at {merchant} on {incurred_on}")
def create_expense(  # noqa: PLR0913, PLR0917 - one per field
    state: ExpensesState,
    ctx: CallContext,
    merchant: Merchant,
    category_id: CategoryId,
    amount: Amount,
    incurred_on: f.Date,
    currency: Currency = "GBP",
    description: Description = "",
    paid_with: PaidWith = "personal",
    report_id: ReportId | None = None,
) -> Json:
    """Enter an expense of your own, on one of your open reports or on none yet.

    Errors: `not_found`, `archived_category`, `invalid_date`, `in_the_future`, `duplicate_expense` (same merchant,
    amount and day), `not_yours`, `report_locked`, `blank_text`.

    Args:
        merchant: Where the money was spent.
        category_id: Id of the category.
        amount: Amount in the currency of the receipt.
        incurred_on: Day of the purchase.
        currency: Currency of the amount.
        description: What it was for; required by the policy above the limit of the category.
        paid_with: Own money, or the company card.
        report_id: Report to put it on.
    """
    active_category(state, category_id)
    owner = me(state)
    day = check_past(ctx, check_date(incurred_on))
    name = check_text(merchant, "merchant")
    not_twice(state, owner.id, name, amount, day)
    if report_id is not None:
        own_report(state, report_id)
    expense = state.expenses.create(
        employee_id=owner.id,
        report_id=report_id,
        category_id=category_id,
        merchant=name,
        amount=amount,
        currency=currency,
        incurred_on=day,
        description=description.strip(),
        paid_with=paid_with,
    )
    return Ledger(state).expense_json(expense, ctx.today)


@service.tool(phrase="claim {distance_km} km from {origin} to {destination} on {incurred_on}")
def create_mileage_expense(
    state: ExpensesState,
    ctx: CallContext,
    origin: f.Place,
    destination: f.Place,
    distance_km: Kilometres,
    incurred_on: f.Date,
    vehicle: Vehicle = "car",
    round_trip: bool = False,
) -> Json:
    """Claim a drive with your own vehicle; the amount is the distance times the rate of the vehicle.

    Rates per km in GBP: car 0.28, electric_car 0.31, motorcycle 0.15, bicycle 0.12.
    Errors: `invalid_date`, `in_the_future`, `no_mileage_category`, `duplicate_expense`.

    Args:
        origin: Where the drive began.
        destination: Where it ended.
        distance_km: Kilometres one way.
        incurred_on: Day of the drive.
        vehicle: What was driven.
        round_trip: true counts the way back as well.
    """
    day = check_past(ctx, check_date(incurred_on))
    category = state.categories.first(name="Mileage", archived=False)
    if category is None:
        raise invalid("There is no category Mileage; enter the drive by create_expense.", type="no_mileage_category")
    kilometres = distance_km * (2 if round_trip else 1)
    owner, amount = me(state), round(kilometres * _PER_KM[vehicle], 2)
    merchant = f"Drive {origin} - {destination}"
    not_twice(state, owner.id, merchant, amount, day)
    expense = state.expenses.create(
        employee_id=owner.id,
        category_id=category.id,
        kind="mileage",
        merchant=merchant,
        amount=amount,
        incurred_on=day,
        description=f"{kilometres} km by {vehicle.replace('_', ' ')}",
        distance_km=kilometres,
    )
    return Ledger(state).expense_json(expense, ctx.today)


@service.tool(phrase="correct the expense {expense_id}")
def update_expense(  # noqa: PLR0913, PLR0917 - one per field
    state: ExpensesState,
    ctx: CallContext,
    expense_id: ExpenseId,
    merchant: Merchant | Unset = UNSET,
    category_id: CategoryId | Unset = UNSET,
    amount: Amount | Unset = UNSET,
    incurred_on: f.Date | Unset = UNSET,
    description: Description | Unset = UNSET,
    paid_with: PaidWith | Unset = UNSET,
) -> Json:
    """Change an expense of your own that is not under review; what is not sent stays as it is.

    Errors: `not_found`, `not_yours`, `report_locked`, `nothing_to_change`, `archived_category`, `invalid_date`,
    `in_the_future`, `blank_text`, `card_matched` (amounts of matched card transactions are fixed).

    Args:
        expense_id: Id of the expense.
        merchant: New merchant.
        category_id: New category.
        amount: New amount, in the same currency.
        incurred_on: New day.
        description: New description.
        paid_with: New means of payment.
    """
    expense = own_expense(state, expense_id)
    changes = some_changes(
        given(
            merchant=merchant,
            category_id=category_id,
            amount=amount,
            incurred_on=incurred_on,
            description=description,
            paid_with=paid_with,
        )
    )
    if "category_id" in changes:
        active_category(state, changes["category_id"])
    if "incurred_on" in changes:
        changes["incurred_on"] = check_past(ctx, check_date(changes["incurred_on"]))
    if "merchant" in changes:
        changes["merchant"] = check_text(changes["merchant"], "merchant")
    if {"amount", "paid_with"} & changes.keys() and state.card_transactions.first(expense_id=expense.id):
        raise invalid("A card transaction is matched; its amount and card stand.", type="card_matched")
    return Ledger(state).expense_json(state.expenses.patch(expense_id, **changes), ctx.today)


@service.tool(phrase="split {amount} off the expense {expense_id} as {description}")
def split_expense(
    state: ExpensesState,
    ctx: CallContext,
    expense_id: ExpenseId,
    amount: Amount,
    category_id: CategoryId,
    description: Description,
) -> Json:
    """Move part of an expense to another category: the rest stays, the part becomes an expense with the same receipt.

    Errors: `not_found`, `not_yours`, `report_locked`, `archived_category`, `split_too_large`, `blank_text`.

    Args:
        expense_id: Id of the expense.
        amount: The part to split off, less than the whole.
        category_id: Category of the part.
        description: What the part was for.
    """
    expense = own_expense(state, expense_id)
    active_category(state, category_id)
    rest = total((expense.amount, -amount))
    if rest <= 0:
        raise invalid(f"The expense is {expense.amount:.2f}; split off less than that.", type="split_too_large")
    kept = state.expenses.patch(expense_id, amount=rest)
    part = state.expenses.create(
        **{name: value for name, value in kept.plain().items() if name not in ("id", "amount", "distance_km")}
        | {"amount": amount, "category_id": category_id, "description": check_text(description, "description")}
    )
    ledger = Ledger(state)
    return {"kept": ledger.expense_json(kept, ctx.today), "part": ledger.expense_json(part, ctx.today)}


@service.tool(phrase="delete the expense {expense_id}")
def delete_expense(state: ExpensesState, ctx: CallContext, expense_id: ExpenseId) -> Json:
    """Delete an expense of your own that is not under review; its card transaction becomes unmatched.

    Errors: `not_found`, `not_yours`, `report_locked`.

    Args:
        expense_id: Id of the expense.
    """
    expense = own_expense(state, expense_id)
    for row in state.card_transactions.find(expense_id=expense_id):
        state.card_transactions.patch(row.id, expense_id=None)
    state.expenses.delete(expense_id)
    return {"deleted": expense_id, "merchant": expense.merchant, "amount": expense.amount}
