"""The tool of each service that a story is built around, so that a set of tasks uses more of a library."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tasks_app.authors.access import Reach
from tasks_app.authors.trials import Trials
from tasks_app.engine.columns import Column
from tasks_app.engine.profile import ToolProfile

PULL = 40.0  # how much more a story likes what leads to its focus


def tool_in_turn(service: str, reach: Reach, trials: Trials, turn: int) -> str:
    """The tool that the story number `turn` about a service is built around; "" where stories can use none.

    Every tool that a story can be built around has its turn before one has a second.
    """
    tools = [tool.tool for tool in reach.writers if trials.usable(service, tool)]
    tools += [tool.tool for tool in reach.readers if reach.opened_by(tool)]
    random.Random(f"focus:{service}").shuffle(tools)  # noqa: S311 - any order will do, the same everywhere
    return tools[turn % len(tools)] if tools else ""


class Focus:
    """What a story is to make use of, service by service, until it has."""

    def __init__(self, tools: Mapping[str, str], reaches: Mapping[str, Reach], trials: Trials) -> None:
        """`tools`: service -> tool, at most one for each."""
        self._pending = {service: reaches[service].profile.tools[tool] for service, tool in tools.items() if tool}
        self._reaches = reaches
        self._trials = trials
        self.awake = True
        """Whether the story follows it just now."""

    def _now(self, service: str) -> ToolProfile | None:
        return self._pending.get(service) if self.awake else None

    def writer(self, service: str) -> ToolProfile | None:
        tool = self._now(service)
        return tool if tool is not None and tool.writes else None

    def reader(self, service: str) -> str:
        tool = self._now(service)
        return tool.tool if tool is not None and not tool.writes else ""

    def used(self, service: str, tool: str) -> None:
        if service in self._pending and self._pending[service].tool == tool:
            del self._pending[service]

    def pull_of_tool(self, service: str, tool: ToolProfile | None) -> float:
        return PULL if tool is not None and self._now(service) is tool else 1.0

    def pull_of_column(self, service: str, column: Column) -> float:
        """Of finding a record by this column: whether the focus could then be used on it."""
        tool = self._now(service)
        if tool is None:
            return 1.0
        tables = self._trials.concerned(service, tool) if tool.writes else self._reaches[service].opened_by(tool)
        return PULL if column.table in tables else 1.0
