"""Library lending: the catalogue, loans and holds of one reader, fees, lists, reviews, events."""

from services_app.library.library_lending import account, catalogue, community, holds, lists, loans, seed
from services_app.library.library_lending.state import service

__all__ = ["account", "catalogue", "community", "holds", "lists", "loans", "seed", "service"]
