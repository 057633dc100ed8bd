"""Fleet: our vans, cars and lorries, who drives them and what they need."""

from services_app.library.fleet import bookings, driving, fuel, inspections, maintenance, seed, vehicles, workshop
from services_app.library.fleet.state import service

__all__ = ["bookings", "driving", "fuel", "inspections", "maintenance", "seed", "service", "vehicles", "workshop"]
