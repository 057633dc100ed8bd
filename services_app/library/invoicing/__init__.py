"""Invoicing: what customers owe and have paid."""

from services_app.library.invoicing import customers, invoices, money, seed
from services_app.library.invoicing.state import service

__all__ = ["customers", "invoices", "money", "seed", "service"]
