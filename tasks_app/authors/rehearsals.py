"""Short rehearsals of what stories are made of: finding a planted record by one read, one write and nothing else.

Most of what a service refuses, it refuses whatever the story around it: a stay that is too long, a record past its
day, a list that shows the newest only. A rehearsal tells that in milliseconds, once for a seeded state, where a whole
story would be planned in vain each time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from services_app.engine import EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from tasks_app.authors.access import Reach
from tasks_app.authors.acting import Actor
from tasks_app.authors.focus import Focus
from tasks_app.authors.frames import FRAMES
from tasks_app.authors.plan import Plan
from tasks_app.authors.story import Rejection
from tasks_app.authors.trials import Trials
from tasks_app.engine.columns import Column
from tasks_app.engine.profile import ToolProfile
from tasks_app.engine.program import Program, ProgramError, run_program
from tasks_app.engine.values import Values

OF_A_READ = 2
OF_A_WRITE = 4
OF_A_RARE_WRITE = 16  # of one that did not go well so far


class Rehearsals(Trials):
    """Trials that believe in a read or a write only when some rehearsal of it went well."""

    def __init__(self, world_of: Callable[[str], Environment], reaches: Mapping[str, Reach]) -> None:
        super().__init__(world_of, reaches)
        self._starting = ""  # the read that is being rehearsed
        self._shares: dict[tuple[str, str], float] = {}
        self._proven_starts: dict[tuple[str, str], tuple[str, ...]] = {}

    def starts(self, service: str, column: Column) -> tuple[str, ...]:
        if self._starting:
            return (self._starting,)
        mark = (service, column.key)
        if mark not in self._proven_starts:
            self._proven_starts[mark] = tuple(
                start
                for start in super().starts(service, column)
                if any(self._finds(service, column, start, number) for number in range(OF_A_READ))
            )
        return self._proven_starts[mark]

    def usable(self, service: str, tool: ToolProfile) -> bool:
        return super().usable(service, tool) and self.share(service, tool) > 0

    def share(self, service: str, tool: ToolProfile) -> float:
        """The share of the rehearsals of a write that went well; a write that rarely does is tried more often."""
        mark = (service, tool.tool)
        if mark not in self._shares:
            share = sum(self._acts(service, tool, number) for number in range(OF_A_WRITE)) / OF_A_WRITE
            if not share and any(self._acts(service, tool, n) for n in range(OF_A_WRITE, OF_A_RARE_WRITE)):
                share = 1 / OF_A_RARE_WRITE
            self._shares[mark] = share
        return self._shares[mark]

    def _finds(self, service: str, column: Column, start: str, number: int) -> bool:
        self._starting = start
        try:
            return self._goes_well(
                service, f"{column.key}:{start}:{number}", lambda plan: plan.locate(0, service, column), writes=False
            )
        finally:
            self._starting = ""

    def _acts(self, service: str, tool: ToolProfile, number: int) -> bool:
        return self._goes_well(
            service, f"{tool.tool}:{number}", lambda plan: Actor(plan).act(0, service, tool), writes=True
        )

    def _goes_well(self, service: str, what: str, play: Callable[[Plan], object], *, writes: bool) -> bool:
        rng = random.Random(f"rehearsal:{service}:{what}")  # noqa: S311 - a reproducible try
        world = self.world(service)
        reaches = {service: self._reaches[service]}
        plan = Plan(world, reaches, [service], FRAMES[0], rng, Values(rng), self, Focus({}, reaches, self))
        try:
            play(plan)
            with_edits = world.edited(edit.to_edit() for edit in plan.draft.edits())
        except (Rejection, ServiceDefect, EngineError):
            return False
        try:
            run_program(Program(steps=tuple(plan.steps), answer=None), with_edits.call)
        except (ProgramError, ServiceDefect, EngineError):
            return False
        else:
            return bool(with_edits.changes) or not writes
        finally:
            with_edits.close()
