"""The measured effects of a tool, as the tool page and the API show them. Tasks measure them (`tasks_app`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services_app import selectors
from services_app.models import EffectProfile, Tool


@dataclass(frozen=True, slots=True)
class Effects:
    """What a tool was seen to do, at one version of its service."""

    service_version: str
    measured_at: datetime
    profile: dict[str, Any]
    """A `tasks_app.engine.profile.ToolProfile` as JSON."""


def effects_of(tool: Tool) -> Effects | None:
    """The effects of a tool at the current version of its service; None when they were not measured."""
    measured = EffectProfile.objects.filter(version_hash__in=selectors.current_hash(tool)).first()
    profile = measured.profile.get("tools", {}).get(tool.name) if measured else None
    if measured is None or profile is None:
        return None
    return Effects(measured.version_hash, measured.created_at, profile)
