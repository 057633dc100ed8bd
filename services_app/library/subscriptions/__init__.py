"""Subscriptions: what customers pay again and again."""

from services_app.library.subscriptions import catalogue, invoices, lifecycle, seed, subscriptions
from services_app.library.subscriptions.state import service

__all__ = ["catalogue", "invoices", "lifecycle", "seed", "service", "subscriptions"]
