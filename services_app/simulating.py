"""Whether and with which model tools can be simulated."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import gettext as _


def simulation_problem() -> str:
    """Why no tool can be simulated here, in words; "" when it can."""
    if getattr(settings, "WORKBENCH_WORLD_MODEL", ""):
        return ""
    return _("Not available: no world model is configured (WORKBENCH_WORLD_MODEL).")
