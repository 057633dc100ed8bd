"""Manufacturing: orders, operations, materials and quality of our own plant."""

from services_app.library.manufacturing import changes, items, orders, quality, seed, shopfloor, steps
from services_app.library.manufacturing.state import service

__all__ = ["changes", "items", "orders", "quality", "seed", "service", "shopfloor", "steps"]
