"""Business banking: accounts, payments that may need a second pair of eyes, standing orders, mandates, cards."""

from services_app.library.banking import accounts, beneficiaries, cards, payments, recurring, seed, transactions
from services_app.library.banking.state import service

__all__ = ["accounts", "beneficiaries", "cards", "payments", "recurring", "seed", "service", "transactions"]
