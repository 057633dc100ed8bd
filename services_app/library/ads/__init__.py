"""Ads: campaigns, shared budgets, ad groups, keywords, ads and reports."""

from services_app.library.ads import budgets, campaigns, creatives, groups, seed
from services_app.library.ads.state import service

__all__ = ["budgets", "campaigns", "creatives", "groups", "seed", "service"]
