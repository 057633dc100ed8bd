"""Maps: places, directions, public transport, traffic, lists and routes."""

from services_app.library.maps import places, saved, seed, transit
from services_app.library.maps.state import service

__all__ = ["places", "saved", "seed", "service", "transit"]
