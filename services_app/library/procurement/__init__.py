"""Procurement: from the requisition over approvals and orders to goods received and invoices matched."""

from services_app.library.procurement import approvals, invoices, orders, requisitions, seed, sourcing
from services_app.library.procurement.state import service

__all__ = ["approvals", "invoices", "orders", "requisitions", "seed", "service", "sourcing"]
