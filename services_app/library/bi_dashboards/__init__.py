"""Dashboards: datasets, charts, dashboards with tiles, subscriptions, alerts and metric definitions."""

from services_app.library.bi_dashboards import charts, dashboards, delivery, explore, seed, tiles
from services_app.library.bi_dashboards.state import service

__all__ = ["charts", "dashboards", "delivery", "explore", "seed", "service", "tiles"]
