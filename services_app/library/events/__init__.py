"""Events: venues, events, tickets, orders, check-in, sessions and announcements."""

from services_app.library.events import attending, offers, planning, seed, selling
from services_app.library.events.state import service

__all__ = ["attending", "offers", "planning", "seed", "selling", "service"]
