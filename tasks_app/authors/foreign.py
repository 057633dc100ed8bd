"""Writes that work and that a task has no business making: what a verifier must notice as collateral."""

from __future__ import annotations

from collections.abc import Mapping

from tasks_app.engine.profile import ServiceProfile
from tasks_app.engine.proof import ForeignCall
from tasks_app.engine.task import TaskSpec

PER_SERVICE = 3


def foreign_calls(task: TaskSpec, profiles: Mapping[str, ServiceProfile]) -> list[ForeignCall]:
    """Known working writes, spread over the mounted services, that create nothing in a table the task changes."""
    written = {(change["service"], change["table"]) for change in task.goal.changes}
    found: list[ForeignCall] = []
    for mounted in task.services:
        tools = profiles[mounted.slug].tools.values() if mounted.slug in profiles else ()
        for tool in [tool for tool in tools if tool.writes and tool.base is not None][:PER_SERVICE]:
            if not any((mounted.slug, table) in written for table in tool.creates):
                found.append((mounted.slug, tool.tool, dict(tool.base or {})))
    return found
