"""Incidents: on-call, alerts, incidents with a timeline, status page and postmortems."""

from services_app.library.incidents import alerts, communication, handling, oncall, postmortems, seed
from services_app.library.incidents.state import service

__all__ = ["alerts", "communication", "handling", "oncall", "postmortems", "seed", "service"]
