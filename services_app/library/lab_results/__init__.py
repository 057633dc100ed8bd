"""Laboratory: orders, specimens, results against their ranges, critical values and reports."""

from services_app.library.lab_results import catalogue, orders, reporting, seed, specimens, values
from services_app.library.lab_results.state import service

__all__ = ["catalogue", "orders", "reporting", "seed", "service", "specimens", "values"]
