"""Tools for what suppliers bill: the match of order, receipt and invoice."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.procurement.figures import TOLERANCE, Books
from services_app.library.procurement.sourcing import SupplierId
from services_app.library.procurement.state import InvoiceStatus, ProcurementState, SupplierInvoice, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    newest_first,
    plus_days,
    search,
    total,
    with_fields,
)

InvoiceId = Annotated[str, f.ref("supplier_invoices")]


def _invoice_json(books: Books, invoice: SupplierInvoice) -> Json:
    """An invoice with its order, what was received and not yet paid for, and whether the three agree."""
    order = books.state.purchase_orders.get(invoice.purchase_order_id)
    supplier = books.suppliers[order.supplier_id]
    own = invoice.amount if invoice.status == "approved" else 0.0
    payable = total((books.received_value(order.id), -books.invoiced(order.id), own))
    return with_fields(
        invoice,
        order_number=order.number,
        supplier_name=supplier.name,
        due_on=plus_days(invoice.invoiced_on, supplier.payment_terms),
        payable=payable,
        matched=invoice.amount <= round(payable * TOLERANCE, 2),
    )


@service.tool()
def search_supplier_invoices(
    state: ProcurementState,
    ctx: CallContext,
    query: Query | None = None,
    supplier_id: SupplierId | None = None,
    status: InvoiceStatus | None = None,
    matched: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find supplier invoices by number, order number or supplier, with due date and whether receipts cover them.

    Args:
        query: Words in the invoice number, order number, supplier name or dispute.
        supplier_id: Only invoices of this supplier.
        status: Only invoices with this status.
        matched: true for invoices that goods received cover, false for those that exceed them.
        limit: At most so many invoices.
        cursor: next_cursor of the previous page.
    """
    books = Books(state)
    orders = {row.id: row for row in state.purchase_orders}
    found = search(
        keep(state.supplier_invoices, status=status),
        query,
        lambda row: (
            row.number,
            row.dispute_reason,
            orders[row.purchase_order_id].number,
            books.suppliers[orders[row.purchase_order_id].supplier_id].name,
        ),
    )
    found = [row for row in found if supplier_id in (None, orders[row.purchase_order_id].supplier_id)]
    found = newest_first(found, "invoiced_on")
    rows = [row for row in (_invoice_json(books, row) for row in found) if matched in (None, row["matched"])]
    return {**cursor_page("invoices", rows, limit, cursor), "sum": total(row["amount"] for row in rows)}


def _undecided(state: ProcurementState, invoice_id: str) -> SupplierInvoice:
    invoice = state.supplier_invoices.get(invoice_id)
    if invoice.status == "approved":
        raise conflict(f"Invoice {invoice.number} is approved already.", type="already_approved")
    return invoice


@service.tool(phrase="approve the supplier invoice {invoice_id} for payment")
def approve_supplier_invoice(state: ProcurementState, ctx: CallContext, invoice_id: InvoiceId) -> Json:
    """Approve an invoice for payment if goods received on its order cover it, with a tolerance of 1 %.

    Errors: `not_found`, `already_approved`, `match_failed`.

    Args:
        invoice_id: Id of the invoice.
    """
    invoice = _undecided(state, invoice_id)
    shown = _invoice_json(Books(state), invoice)
    if not shown["matched"]:
        raise conflict(
            f"Goods for {shown['payable']:.2f} were received and not yet paid, the invoice is {invoice.amount:.2f}; "
            "receive the rest or dispute it.",
            type="match_failed",
        )
    changed = state.supplier_invoices.patch(invoice_id, status="approved", dispute_reason="")
    return _invoice_json(Books(state), changed)


@service.tool(phrase="dispute the supplier invoice {invoice_id} because {reason}")
def dispute_supplier_invoice(state: ProcurementState, ctx: CallContext, invoice_id: InvoiceId, reason: Body) -> Json:
    """Dispute an invoice that is not approved; sent again, the reason replaces the one before.

    Errors: `not_found`, `already_approved`, `blank_text`.

    Args:
        invoice_id: Id of the invoice.
        reason: What is wrong with it.
    """
    _undecided(state, invoice_id)
    text = check_text(reason, "reason")
    changed = state.supplier_invoices.patch(invoice_id, status="disputed", dispute_reason=text)
    return _invoice_json(Books(state), changed)
