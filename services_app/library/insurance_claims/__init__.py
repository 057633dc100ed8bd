"""Insurance claims: our policies, what happened, what is paid and what is recovered."""

from services_app.library.insurance_claims import (
    claims,
    inspections,
    losses,
    policies,
    recoveries,
    seed,
    settlement,
)
from services_app.library.insurance_claims.state import service

__all__ = ["claims", "inspections", "losses", "policies", "recoveries", "seed", "service", "settlement"]
