"""Monitoring: hosts, metrics, monitors, downtimes, events, logs and service level objectives."""

from services_app.library.monitoring import downtimes, hosts, metrics, monitors, notebooks, objectives, seed, telemetry
from services_app.library.monitoring.state import service

__all__ = ["downtimes", "hosts", "metrics", "monitors", "notebooks", "objectives", "seed", "service", "telemetry"]
