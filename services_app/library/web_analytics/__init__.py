"""Web analytics: properties, pages, traffic, goals, campaigns, segments, annotations and filters."""

from services_app.library.web_analytics import access, annotations, campaigns, filters, goals, reports, seed, segments
from services_app.library.web_analytics.state import service

__all__ = ["access", "annotations", "campaigns", "filters", "goals", "reports", "seed", "segments", "service"]
