"""Travel: trips of our people, their flights and hotels, approvals and the travel policy."""

from services_app.library.travel import flights, hotels, seed, travelers, trips
from services_app.library.travel.state import service

__all__ = ["flights", "hotels", "seed", "service", "travelers", "trips"]
