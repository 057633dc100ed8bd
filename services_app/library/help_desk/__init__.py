"""Help desk: tickets, the people who raise and solve them, and what is promised to them."""

from services_app.library.help_desk import handling, people, seed, tickets
from services_app.library.help_desk.state import service

__all__ = ["handling", "people", "seed", "service", "tickets"]
