"""The tool of each service that a story is built around, so that a set of tasks uses more of a library."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from tasks_app.authors.access import Reach
from tasks_app.authors.trials import Trials
from tasks_app.engine.columns import Column
from tasks_app.engine.profile import ToolProfile

PULL = 40.0  # how much more a story likes what leads to its focus
FOCUSED_TRIES = 4  # how often a visit is planned after its focus before it does without


def tools_in_turn(service: str, reach: Reach, trials: Trials, turn: int, visits: int) -> list[str]:
    """The tools that a story is built around, one for each of its visits to a service that was visited `turn` times
    before; fewer where stories can use no more.

    Every tool that a story can be built around has its turn before one has a second.
    """
    tools = [tool.tool for tool in reach.writers if trials.usable(service, tool)]
    tools += [tool.tool for tool in reach.readers if reach.opened_by(tool)]
    random.Random(f"focus:{service}").shuffle(tools)  # noqa: S311 - any order will do, the same everywhere
    return [tools[(turn + number) % len(tools)] for number in range(min(visits, len(tools)))]


class Focus:
    """What a story is to make use of, service by service, until it has."""

    def __init__(self, tools: Mapping[str, Sequence[str]], reaches: Mapping[str, Reach], trials: Trials) -> None:
        """`tools`: service -> tools, the one that is tried first in front."""
        self._pending = {
            service: [reaches[service].profile.tools[name] for name in names] for service, names in tools.items()
        }
        self._reaches = reaches
        self._trials = trials
        self._chosen = 0
        self._awake = True

    def begin(self, service: str, tries: int) -> None:
        """Follow, at a visit to the service that broke down `tries` times, what was not given up for it."""
        patience = 2 if len(self._pending.get(service, ())) > 1 else FOCUSED_TRIES
        self._chosen, self._awake = tries // patience, tries < FOCUSED_TRIES

    def _now(self, service: str) -> ToolProfile | None:
        pending = self._pending.get(service, ())
        return pending[self._chosen] if self._awake and self._chosen < len(pending) else None

    def writer(self, service: str) -> ToolProfile | None:
        tool = self._now(service)
        return tool if tool is not None and tool.writes else None

    def reader(self, service: str) -> str:
        tool = self._now(service)
        return tool.tool if tool is not None and not tool.writes else ""

    def used(self, service: str, tool: str) -> None:
        pending = self._pending.get(service, [])
        self._pending[service] = [other for other in pending if other.tool != tool]

    def pull_of_tool(self, service: str, tool: ToolProfile | None) -> float:
        return PULL if tool is not None and self._now(service) is tool else 1.0

    def pull_of_column(self, service: str, column: Column) -> float:
        """Of finding a record by this column: whether the focus could then be used on it."""
        tool = self._now(service)
        if tool is None:
            return 1.0
        tables = self._trials.concerned(service, tool) if tool.writes else self._reaches[service].opened_by(tool)
        return PULL if column.table in tables else 1.0
