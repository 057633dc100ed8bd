"""Orders: what customers have ordered, what has shipped and what came back."""

from services_app.library.orders import catalogue, editing, orders, returns, seed, shipping
from services_app.library.orders.state import service

__all__ = ["catalogue", "editing", "orders", "returns", "seed", "service", "shipping"]
