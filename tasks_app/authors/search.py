"""Planning with second thoughts: each visit is tried out once it is planned, and planned anew when it breaks down.

A visit breaks down where nothing fits, where a service refuses a write, where a read does not show what was planted,
where a value could be read elsewhere, or where the plan would not run with another value in its place. The visits
before it stay as they are: each draws from a generator of its own, so that planning them again gives the same.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping

from services_app.engine import EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from tasks_app.authors.plan import Plan
from tasks_app.authors.planner import Planner
from tasks_app.authors.story import Carried, Rejection
from tasks_app.engine.ablation import LOW_ENTROPY
from tasks_app.engine.program import Get, Program, ProgramError, ProgramRun, run_program

TRIES = 6  # of one visit, before the visit ahead of it is planned anew
ROUNDS = 90
RECENT = 3  # values whose necessity is looked at again when a visit was added


class Search:
    """Looks for a plan that runs. `make` gives a planner that draws from the generator handed to it."""

    def __init__(
        self, make: Callable[[random.Random], Planner], seed: str, visits: int, texts: Mapping[str, str]
    ) -> None:
        """`texts`: service -> all that can be read there, case-folded."""
        self._make = make
        self._texts = texts
        self._seed = seed
        self._tries = [0] * visits
        self._visit = 0
        self._proven = 0  # so many visits are known to run as they are
        self.broken: Counter[tuple[str, str]] = Counter()
        """(service, tool) -> how often a visit broke down at its call."""

    def run(self) -> Plan:
        """A plan whose program runs. Raises what stopped the last round."""
        for _ in range(ROUNDS):
            try:
                return self._round()
            except (Rejection, ProgramError, ServiceDefect, EngineError) as breakdown:
                last = breakdown
            if not self._go_back():
                break
        raise last

    def _round(self) -> Plan:
        rng = random.Random(self._seed)  # noqa: S311 - a reproducible story
        planner = self._make(rng)
        plan = planner.plan
        for visit, tries in enumerate(self._tries):
            self._visit = visit
            rng.seed(f"{self._seed}:{visit}:{tries}")
            plan.focus.begin(plan.walk[visit], tries)
            planner.visit(visit)
            if visit >= self._proven:
                self._try_out(plan)
                self._proven = visit + 1
        planner.close()
        return plan

    def _try_out(self, plan: Plan) -> None:
        program = Program(steps=tuple(plan.steps), answer=None)
        world = plan.environment.edited(edit.to_edit() for edit in plan.draft.edits())
        try:
            run = self._run(program, world)
            for carried in plan.carried[-RECENT:]:
                if self._leaks(plan, carried):
                    raise Rejection("a value can be read elsewhere")
                if carried.ablation and not self._runs_otherwise(program, run, carried, world):
                    raise Rejection("the plan would not run with another value")
        finally:
            world.close()

    def _run(self, program: Program, world: Environment) -> ProgramRun:
        end = world.fork()
        try:
            return run_program(program, end.call)
        except ProgramError as error:
            self.broken[culprit(program, error)] += 1
            raise
        finally:
            end.close()

    def _leaks(self, plan: Plan, carried: Carried) -> bool:
        if carried.kind in LOW_ENTROPY or not isinstance(carried.value, str):
            return False
        ends = plan.walk[carried.visit : carried.visit + 2]
        raw = carried.value.casefold()
        return any(raw in text for service, text in self._texts.items() if service not in ends)

    @staticmethod
    def _runs_otherwise(program: Program, run: ProgramRun, carried: Carried, world: Environment) -> bool:
        """Whether the program gives another value, and still runs, where the alternative stands in its place."""
        other = world.edited(edit.to_edit() for edit in carried.ablation)
        try:
            name = carried.register_name
            return bool(run_program(program, other.call).registers[name] != run.registers[name])
        except ProgramError:
            return False
        finally:
            other.close()

    def _go_back(self) -> bool:
        """Choose the visit that is planned otherwise next; False when nothing is left to try."""
        visit = self._visit
        self._tries[visit] += 1
        while visit and self._tries[visit] >= TRIES:
            self._tries[visit] = 0
            visit -= 1
            self._tries[visit] += 1
        self._proven = min(self._proven, visit)
        return self._tries[0] < TRIES


def culprit(program: Program, error: ProgramError) -> tuple[str, str]:
    """Service and tool of the call that was refused or that gave nothing usable."""
    step = program.steps[min(error.step, len(program.steps) - 1)]
    if isinstance(step, Get):
        step = next(call for call in program.calls if call.number == step.call)
    return step.service, step.tool
