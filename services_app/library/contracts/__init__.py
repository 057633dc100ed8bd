"""Contracts: agreements from the template over reviews and signatures to renewal."""

from services_app.library.contracts import clauses, drafting, lifecycle, obligations, review, seed, signing
from services_app.library.contracts.state import service

__all__ = ["clauses", "drafting", "lifecycle", "obligations", "review", "seed", "service", "signing"]
