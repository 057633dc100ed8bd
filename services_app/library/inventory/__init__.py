"""Inventory: what lies where, and what is promised."""

from services_app.library.inventory import counts, items, moving, seed, transfers
from services_app.library.inventory.state import service

__all__ = ["counts", "items", "moving", "seed", "service", "transfers"]
