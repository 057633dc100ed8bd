"""Shipping: rates, labels, tracking and what carriers charge."""

from services_app.library.shipping import addresses, billing, claims, handover, labels, seed, shipments
from services_app.library.shipping.state import service

__all__ = ["addresses", "billing", "claims", "handover", "labels", "seed", "service", "shipments"]
