"""What follows from records: values of requisitions and orders, what is open, and what is left of budgets."""

from __future__ import annotations

from typing import TypeVar

from services_app.engine import conflict
from services_app.library.procurement.state import (
    GoodsReceipt,
    OrderLine,
    ProcurementState,
    PurchaseOrder,
    Requisition,
    RequisitionLine,
    Supplier,
    SupplierInvoice,
)
from services_app.library.shared import Json, grouped, total, with_fields

T = TypeVar("T")
SECOND_STEP, THIRD_STEP = 2000.0, 10_000.0
TOLERANCE = 1.01  # an invoice may exceed what was received by one per cent


def line_value(line: RequisitionLine | OrderLine) -> float:
    return round(line.quantity * line.unit_price, 2)


class Books:
    """Lines, receipts and invoices sorted by what they belong to, read from the state once."""

    def __init__(self, state: ProcurementState) -> None:
        self.state = state
        self.suppliers: dict[str, Supplier] = {row.id: row for row in state.suppliers}
        self._wanted = grouped(state.requisition_lines, lambda row: row.requisition_id)
        self._ordered = grouped(state.order_lines, lambda row: row.purchase_order_id)
        self._received = grouped(state.goods_receipts, lambda row: row.order_line_id)
        self._invoices = grouped(state.supplier_invoices, lambda row: row.purchase_order_id)

    def lines(self, requisition_id: str) -> list[RequisitionLine]:
        return self._wanted.get(requisition_id, [])

    def order_lines(self, order_id: str) -> list[OrderLine]:
        return self._ordered.get(order_id, [])

    def receipts(self, line_id: str) -> list[GoodsReceipt]:
        return self._received.get(line_id, [])

    def invoices(self, order_id: str) -> list[SupplierInvoice]:
        return self._invoices.get(order_id, [])

    def requisition_total(self, requisition_id: str) -> float:
        return total(line_value(row) for row in self.lines(requisition_id))

    def order_total(self, order_id: str) -> float:
        return total(line_value(row) for row in self.order_lines(order_id))

    def received(self, line_id: str) -> int:
        return sum(row.quantity for row in self.receipts(line_id))

    def received_value(self, order_id: str) -> float:
        return total(self.received(row.id) * row.unit_price for row in self.order_lines(order_id))

    def invoiced(self, order_id: str) -> float:
        """What invoices of the order were approved for payment."""
        return total(row.amount for row in self.invoices(order_id) if row.status == "approved")

    def delivery(self, order: PurchaseOrder) -> str:
        """cancelled, not_received, partly_received or received."""
        lines = self.order_lines(order.id)
        if order.status == "cancelled":
            return "cancelled"
        if all(self.received(row.id) >= row.quantity for row in lines):
            return "received"
        return "partly_received" if any(self.receipts(row.id) for row in lines) else "not_received"

    def requisition_json(self, row: Requisition) -> Json:
        steps = sorted(self.state.approvals.find(requisition_id=row.id), key=lambda step: (step.step, step.id))
        waiting = [step.approver_email for step in steps if step.decision == "pending"]
        return with_fields(
            row,
            budget_name=self.state.budgets.get(row.budget_id).name,
            lines_count=len(self.lines(row.id)),
            total=self.requisition_total(row.id),
            waits_for=waiting[0] if waiting and row.status == "pending_approval" else None,
        )

    def order_json(self, row: PurchaseOrder) -> Json:
        amount, came = self.order_total(row.id), self.received_value(row.id)
        return with_fields(
            row,
            supplier_name=self.suppliers[row.supplier_id].name,
            delivery=self.delivery(row),
            total=amount,
            received_value=came,
            invoiced=self.invoiced(row.id),
        )

    def budget_json(self, budget_id: str) -> Json:
        """A budget with what is spent (invoices approved), committed (orders), requested, and left."""
        budget, spent, committed, requested = self.state.budgets.get(budget_id), 0.0, 0.0, 0.0
        mine = {row.id: row.status for row in self.state.requisitions.find(budget_id=budget_id)}
        for order in self.state.purchase_orders:
            if order.requisition_id in mine and order.status == "issued":
                paid = self.invoiced(order.id)
                spent += paid
                committed += max(self.order_total(order.id) - paid, 0.0)
        for key, status in mine.items():
            if status in ("pending_approval", "approved"):
                requested += self.requisition_total(key)
        figures = {"spent": total([spent]), "committed": total([committed]), "requested": total([requested])}
        return with_fields(budget, **figures, left=total((budget.amount, -spent, -committed, -requested)))


def open_requisition(state: ProcurementState, requisition_id: str) -> Requisition:
    """A requisition that can still be changed; 409 `not_editable`."""
    row = state.requisitions.get(requisition_id)
    if row.status not in ("draft", "rejected"):
        raise conflict(
            f"Requisition {row.number} is {row.status}; only drafts and rejected ones change.", type="not_editable"
        )
    return row


def usable_supplier(state: ProcurementState, supplier_id: str) -> Supplier:
    """A supplier we may order from; 409 `supplier_unavailable`."""
    supplier = state.suppliers.get(supplier_id)
    if supplier.status != "approved":
        raise conflict(
            f"{supplier.name} is {supplier.status.replace('_', ' ')}; choose another supplier.",
            type="supplier_unavailable",
        )
    return supplier
