"""Expenses: what employees have spent, from the receipt to the approved report."""

from services_app.library.expenses import entries, receipts, reference, reports, review, seed
from services_app.library.expenses.state import service

__all__ = ["entries", "receipts", "reference", "reports", "review", "seed", "service"]
