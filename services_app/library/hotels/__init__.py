"""Hotels: properties and their rates, bookings, guests, messages, reviews and travel credit."""

from services_app.library.hotels import account, bookings, properties, seed
from services_app.library.hotels.state import service

__all__ = ["account", "bookings", "properties", "seed", "service"]
