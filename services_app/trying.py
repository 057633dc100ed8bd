"""Calling a tool by hand: a fresh environment, one call, the observation and what changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from services_app.engine.errors import EngineError, ServiceDefect
from services_app.environments import AVAILABLE, mounting_of
from services_app.models import Tool
from workers.sandbox.limits import SandboxError


@dataclass(frozen=True, slots=True)
class Trial:
    """Outcome of one call by hand. `trouble` is set when the call could not be made at all."""

    sent: Any
    observation: dict[str, Any] | None = None
    changes: tuple[dict[str, Any], ...] = ()
    coerced: tuple[str, ...] = ()
    trouble: str = ""

    @property
    def state(self) -> str:
        """passed, failed (the tool refused) or error (it could not be told)."""
        if self.observation is None:
            return "error"
        return "passed" if self.observation["success"] else "failed"


def try_tool(tool: Tool, arguments: object, *, seed: int = 0, scale: str = "small") -> Trial:
    """Call a tool of the current version on freshly seeded state. Quarantined tools can be tried too."""
    slug = tool.service.slug
    try:
        with mounting_of([slug], show_hidden=tool.status not in AVAILABLE) as mounting:
            environment = mounting.mount([slug], seed=seed, scale=scale)
            observation = environment.call(slug, tool.name, arguments)
            changes = tuple(change.to_json() for change in environment.changes)
            return Trial(arguments, observation, changes, tuple(environment.calls[-1].coerced))
    except SandboxError as error:
        return Trial(arguments, trouble=f"{error.kind}: {error.message}")
    except (EngineError, ServiceDefect) as error:
        return Trial(arguments, trouble=str(error))
