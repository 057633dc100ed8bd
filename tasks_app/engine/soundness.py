"""Does a state hold what its services take for granted? Planted records may lack what real ones always have."""

from __future__ import annotations

from collections.abc import Iterable

from services_app.engine.protocol import Environment

DEFECT = 500


def breakdown(start: Environment, services: Iterable[str]) -> str:
    """A tool that breaks down in the state when it is told nothing, lists above all; "" when none does."""
    world = start.fork()
    try:
        for service in services:
            for name, tool in start.catalogue.tools[service].items():
                if tool.input_schema.get("required"):
                    continue
                made = world.call(service, name, {})
                if not made["success"] and made["error"]["code"] == DEFECT:
                    return f"{service}.{name} breaks down in s0: {made['error']['message']}"
    finally:
        world.close()
    return ""
