"""Warehouse: what stands in which bin, and how it comes in and goes out."""

from services_app.library.warehouse import dock, inbound, orders, packing, picking, seed, storage
from services_app.library.warehouse.state import service

__all__ = ["dock", "inbound", "orders", "packing", "picking", "seed", "service", "storage"]
