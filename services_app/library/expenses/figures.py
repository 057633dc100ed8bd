"""What follows from records: amounts in GBP, report totals, and which expenses break the policy and why."""

from __future__ import annotations

from services_app.engine import CallContext, ToolError, conflict, forbidden, invalid
from services_app.library.cast import ME
from services_app.library.expenses.state import Category, Employee, Expense, ExpensesState, Report
from services_app.library.shared import Json, days_between, grouped, same, total, with_fields

OLDEST_DAYS = 60
LEDGER_CURRENCY = "GBP"


class Ledger:
    """Looks up categories, rates, names and the expenses of reports, read from the state once."""

    def __init__(self, state: ExpensesState) -> None:
        self.categories = {row.id: row for row in state.categories}
        self.employees = {row.id: row for row in state.employees}
        self.reports = {row.id: row for row in state.reports}
        self.rates: dict[str, float] = {row.currency: row.gbp_per_unit for row in state.exchange_rates}
        self._by_report = grouped(state.expenses, lambda row: row.report_id)

    def expenses_of(self, report_id: str) -> list[Expense]:
        return self._by_report.get(report_id, [])

    def words(self, row: Expense) -> tuple[str, ...]:
        """What an expense is found by."""
        names = self.categories[row.category_id].name, self.employees[row.employee_id].name
        return row.merchant, row.description, *names

    def in_gbp(self, amount: float, currency: str) -> float:
        return round(amount * (1.0 if currency == LEDGER_CURRENCY else self.rates[currency]), 2)

    def amount(self, expense: Expense) -> float:
        return self.in_gbp(expense.amount, expense.currency)

    def report_total(self, report_id: str) -> float:
        return total(self.amount(row) for row in self.expenses_of(report_id))

    def reimbursable(self, report_id: str) -> float:
        """What the employee gets back: own money, in categories that are paid back."""
        return total(
            self.amount(row)
            for row in self.expenses_of(report_id)
            if row.paid_with == "personal" and self.categories[row.category_id].reimbursable
        )

    def violations(self, expense: Expense, as_of: str) -> list[str]:
        """The words for each rule of the policy that an expense breaks on a day."""
        category, amount = self.categories[expense.category_id], self.amount(expense)
        found = []
        if expense.kind == "purchase" and amount >= category.receipt_from and expense.receipt_id is None:
            found.append("receipt_missing")
        if amount > category.limit_amount and not expense.description.strip():
            found.append("over_limit_unexplained")
        if days_between(expense.incurred_on, as_of) > OLDEST_DAYS:
            found.append("too_old")
        return found

    def expense_json(self, expense: Expense, as_of: str) -> Json:
        report = self.reports.get(expense.report_id or "")
        return with_fields(
            expense,
            employee_name=self.employees[expense.employee_id].name,
            category_name=self.categories[expense.category_id].name,
            report_number=report.number if report else None,
            amount_in_pounds=self.amount(expense),
            violations=self.violations(expense, report.submitted_on if report and report.submitted_on else as_of),
        )

    def report_json(self, report: Report) -> Json:
        approver = self.employees.get(report.approver_id or "")
        return with_fields(
            report,
            employee_name=self.employees[report.employee_id].name,
            approver_name=approver.name if approver else None,
            expenses_count=len(self.expenses_of(report.id)),
            total=self.report_total(report.id),
            reimbursable=self.reimbursable(report.id),
        )


def me(state: ExpensesState) -> Employee:
    """The employee who is signed in."""
    found = state.employees.first(email=ME.email)
    if found is None:
        raise forbidden("You are not an employee of this workspace; ask an administrator.", type="not_yours")
    return found


def active_category(state: ExpensesState, category_id: str) -> Category:
    category = state.categories.get(category_id)
    if category.archived:
        raise conflict(
            f"The category {category.name} is archived; choose one from list_categories.", type="archived_category"
        )
    return category


def own_expense(state: ExpensesState, expense_id: str) -> Expense:
    """An expense of mine that is not under review; 403 `not_yours`, 409 `report_locked`."""
    expense = state.expenses.get(expense_id)
    if expense.employee_id != me(state).id:
        raise forbidden(f"Expense {expense_id} belongs to a colleague; you cannot change it.", type="not_yours")
    if expense.report_id is not None:
        _unlocked(state.reports.get(expense.report_id))
    return expense


def own_report(state: ExpensesState, report_id: str) -> Report:
    """A report of mine that can still be changed; 403 `not_yours`, 409 `report_locked`."""
    report = state.reports.get(report_id)
    if report.employee_id != me(state).id:
        raise forbidden(f"Report {report.number} belongs to a colleague; you cannot change it.", type="not_yours")
    _unlocked(report)
    return report


def _unlocked(report: Report) -> None:
    if report.status not in ("draft", "rejected"):
        raise conflict(
            f"Report {report.number} is {report.status}; only draft and rejected reports change.", type="report_locked"
        )


def employee_by_email(state: ExpensesState, email: str) -> Employee:
    for row in state.employees:
        if same(row.email, email):
            return row
    raise ToolError(404, "unknown_employee", f"No employee has the address {email}; see search_employees.")


def check_past(ctx: CallContext, day: str) -> str:
    """A day up to today; 422 `in_the_future` otherwise."""
    if day > ctx.today:
        raise invalid(f"{day} is in the future; today is {ctx.today}.", type="in_the_future")
    return day


def not_twice(state: ExpensesState, employee_id: str, merchant: str, amount: float, incurred_on: str) -> None:
    """409 `duplicate_expense` when the employee has this very expense already."""
    for row in state.expenses.find(employee_id=employee_id, incurred_on=incurred_on):
        if same(row.merchant, merchant) and row.amount == round(amount, 2):
            raise conflict(
                f"Expense {row.id} has this merchant, amount and day; change that one instead.",
                type="duplicate_expense",
            )
