"""Weather: forecasts and history of locations, warnings, saved places, alert rules, digests, protocols."""

from services_app.library.weather import digests, forecasts, seed, warnings, watching
from services_app.library.weather.state import service

__all__ = ["digests", "forecasts", "seed", "service", "warnings", "watching"]
