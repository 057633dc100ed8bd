"""Payments: charges, refunds, disputes and payouts."""

from services_app.library.payments import charges, customers, payouts, refunds, seed
from services_app.library.payments.state import service

__all__ = ["charges", "customers", "payouts", "refunds", "seed", "service"]
