"""Which services are shipped, and how to get one. Nothing is imported before it is asked for."""

from __future__ import annotations

import importlib
from functools import cache

from services_app.engine import EngineError, Service

_SLUGS = (
    "mail",
    "calendar",
    "chat",
    "crm",
    "help-desk",
    "documents",
    "invoicing",
    "sql-warehouse",
    "expenses",
    "orders",
    "video-meetings",
    "hr",
    "accounting",
    "phone",
    "shop-catalog",
    "recruiting",
    "source-control",
    "notes",
    "banking",
    "payments",
    "issues",
    "time-tracking",
    "procurement",
    "subscriptions",
    "tasks",
    "contracts",
    "ci",
    "payroll",
    "inventory",
    "releases",
    "incidents",
    "files",
    "travel",
    "monitoring",
    "warehouse",
    "hotels",
    "appointments",
    "marketing-mail",
    "spreadsheets",
    "maps",
    "shipping",
    "cloud",
    "slides",
    "weather",
    "ads",
    "lab-results",
    "secrets",
    "media",
    "restaurants",
    "fleet",
    "fitness",
    "bi-dashboards",
    "surveys",
    "smart-home",
    "events",
    "web-analytics",
    "school",
    "manufacturing",
    "social",
    "insurance-claims",
    "knowledge-base",
    "library-lending",
    "real-estate",
)


def slugs() -> tuple[str, ...]:
    """Slugs of the shipped services."""
    return _SLUGS


@cache
def load(slug: str) -> Service:
    """The shipped service with this slug; raises EngineError when there is none."""
    if slug not in _SLUGS:
        raise EngineError(f"the library has no service {slug!r}; it has {', '.join(_SLUGS)}")
    module = importlib.import_module(f"services_app.library.{slug.replace('-', '_')}")
    service: Service = module.service
    return service


def load_all() -> tuple[Service, ...]:
    """All shipped services, in the order of `slugs`."""
    return tuple(load(slug) for slug in _SLUGS)
