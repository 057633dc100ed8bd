"""Calendar: events, rooms and who has time when."""

from services_app.library.calendar import availability, events, invitations, seed
from services_app.library.calendar.state import service

__all__ = ["availability", "events", "invitations", "seed", "service"]
