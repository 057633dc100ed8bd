"""Accounting: the general ledger, from the chart of accounts to the balance sheet."""

from services_app.library.accounting import chart, journals, notes, periods, reports, seed
from services_app.library.accounting.state import service

__all__ = ["chart", "journals", "notes", "periods", "reports", "seed", "service"]
