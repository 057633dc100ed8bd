"""Secrets and access: vaults, secrets with versions, checkouts, access requests, grants, groups and tokens."""

from services_app.library.secrets import checkouts, grants, groups, reports, requests, seed, storing, tokens, vaults
from services_app.library.secrets.state import service

__all__ = ["checkouts", "grants", "groups", "reports", "requests", "seed", "service", "storing", "tokens", "vaults"]
