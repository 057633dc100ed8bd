"""Releases and feature flags."""

from services_app.library.releases import flags, rollout, seed, shipping, trains
from services_app.library.releases.state import service

__all__ = ["flags", "rollout", "seed", "service", "shipping", "trains"]
