"""Restaurants: finding tables, reservations, guests and dishes, waitlist, reviews and favorites."""

from services_app.library.restaurants import finding, guests, reservations, seed, waitlist
from services_app.library.restaurants.state import service

__all__ = ["finding", "guests", "reservations", "seed", "service", "waitlist"]
