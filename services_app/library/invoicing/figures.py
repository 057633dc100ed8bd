"""Amounts that follow from records: totals, balances, ages. Money is rounded per line, as it is printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from services_app.engine import CallContext, conflict
from services_app.library.invoicing.state import CreditNote, Invoice, InvoicingState, Line, Payment
from services_app.library.shared import Json, days_between, grouped, total

T = TypeVar("T", Line, Payment, CreditNote)


@dataclass(frozen=True, slots=True)
class Figures:
    """The amounts of one invoice."""

    net: float
    tax: float
    paid: float
    credited: float

    @property
    def total(self) -> float:
        return total((self.net, self.tax))

    @property
    def settled(self) -> float:
        return total((self.paid, self.credited))

    @property
    def balance(self) -> float:
        return total((self.total, -self.settled))

    def to_json(self) -> Json:
        return {
            "net": self.net,
            "tax": self.tax,
            "total": self.total,
            "paid": self.paid,
            "credited": self.credited,
            "balance": self.balance,
        }


def line_net(line: Line) -> float:
    return round(line.quantity * line.unit_price, 2)


def line_tax(line: Line) -> float:
    return round(line_net(line) * line.tax_rate / 100, 2)


class Books:
    """Amounts of many invoices: lines, payments and credit notes are sorted by invoice once."""

    def __init__(self, state: InvoicingState) -> None:
        self._lines = _by_invoice(state.lines)
        self._payments = _by_invoice(state.payments)
        self._credits = _by_invoice(state.credit_notes)
        self._names = {customer.id: customer.name for customer in state.customers}

    def figures(self, invoice: Invoice) -> Figures:
        key = invoice.id
        return _figures(self._lines.get(key, ()), self._payments.get(key, ()), self._credits.get(key, ()))

    def described(self, ctx: CallContext, invoice: Invoice) -> Json:
        """An invoice as answers show it: fields, customer name and amounts."""
        amounts = self.figures(invoice)
        return {
            **invoice.plain(),
            "customer_name": self._names.get(invoice.customer_id),
            "payment_status": payment_status(ctx, invoice, amounts),
            "days_overdue": days_overdue(ctx, invoice, amounts),
            **amounts.to_json(),
        }


def _by_invoice(rows: Iterable[T]) -> dict[str, list[T]]:
    return grouped(rows, lambda row: row.invoice_id)


def figures(state: InvoicingState, invoice: Invoice) -> Figures:
    """Amounts of one invoice from its lines, payments and credit notes."""
    key = invoice.id
    return _figures(
        state.lines.find(invoice_id=key),
        state.payments.find(invoice_id=key),
        state.credit_notes.find(invoice_id=key),
    )


def _figures(lines: Sequence[Line], payments: Sequence[Payment], credits_: Sequence[CreditNote]) -> Figures:
    return Figures(
        net=total(map(line_net, lines)),
        tax=total(map(line_tax, lines)),
        paid=total(payment.amount - payment.refunded for payment in payments),
        credited=total(note.amount for note in credits_),
    )


def payment_status(ctx: CallContext, invoice: Invoice, amounts: Figures) -> str:
    """What the status and the amounts mean together today."""
    if invoice.status != "issued":
        return invoice.status
    if amounts.balance <= 0:
        return "paid"
    if days_overdue(ctx, invoice, amounts):
        return "overdue"
    return "partly_paid" if amounts.settled else "unpaid"


def days_overdue(ctx: CallContext, invoice: Invoice, amounts: Figures) -> int:
    """Days since the due date while something is owed; 0 otherwise."""
    if invoice.status != "issued" or invoice.due_date is None or amounts.balance <= 0:
        return 0
    return max(0, days_between(invoice.due_date, ctx.today))


def outstanding(state: InvoicingState, customer_id: str, books: Books | None = None) -> float:
    """What a customer owes over all issued invoices."""
    issued = state.invoices.find(customer_id=customer_id, status="issued")
    return total((books.figures(row) if books else figures(state, row)).balance for row in issued)


def described(state: InvoicingState, ctx: CallContext, invoice: Invoice) -> Json:
    """An invoice as answers show it: fields, customer name and amounts."""
    return Books(state).described(ctx, invoice)


def issued_invoice(state: InvoicingState, invoice_id: str) -> Invoice:
    """An invoice that money can be booked on; 409 `not_issued` otherwise."""
    invoice = state.invoices.get(invoice_id)
    if invoice.status != "issued":
        raise conflict(f"Invoice {invoice.number} is {invoice.status}, not issued.", type="not_issued")
    return invoice


def draft_invoice(state: InvoicingState, invoice_id: str) -> Invoice:
    """An invoice that can still be changed; 409 `not_draft` otherwise."""
    invoice = state.invoices.get(invoice_id)
    if invoice.status != "draft":
        raise conflict(
            f"Invoice {invoice.number} is {invoice.status}; only drafts can be changed. Credit it instead.",
            type="not_draft",
        )
    return invoice
