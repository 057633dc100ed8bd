"""Real estate: listings, viewings and offers of someone who looks for a home."""

from services_app.library.real_estate import finding, offers, saving, seed, talking, viewings
from services_app.library.real_estate.state import service

__all__ = ["finding", "offers", "saving", "seed", "service", "talking", "viewings"]
