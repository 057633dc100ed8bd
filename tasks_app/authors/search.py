"""Planning with second thoughts: each visit is tried out once it is planned, and planned anew when it breaks down.

A visit breaks down where nothing fits, where a service refuses a write, where a read does not show what was planted,
where a value could be read elsewhere, or where the plan would not run with another value in its place. The visits
before it stay as they are: each draws from a generator of its own, so that planning them again gives the same.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from services_app.engine import EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from tasks_app.authors.otherwise import another_world
from tasks_app.authors.plan import Plan
from tasks_app.authors.planner import Planner
from tasks_app.authors.story import Carried, Rejection, Unfed
from tasks_app.engine.ablation import LOW_ENTROPY, texts_of
from tasks_app.engine.program import Get, Program, ProgramError, ProgramRun, run_program
from tasks_app.engine.task import StateEdit
from tasks_app.engine.text import plain_form, stands_in

TRIES = 6  # of one visit, before the visit ahead of it is planned anew
TRIES_OF_A_CALL = 3
ROUNDS = 90
RECENT = 3  # values that are looked up in the seeded records when a visit was added
FED = 2  # values whose alternatives are tried when a visit was added: the one that it takes, the one that it gives


class Search:
    """Looks for a plan that runs. `make` gives a planner that draws from the generator handed to it."""

    def __init__(
        self,
        make: Callable[[random.Random], Planner],
        seed: str,
        visits: int,
        texts: Mapping[str, str],
        patience: int = ROUNDS,
    ) -> None:
        """`texts`: service -> all that can be read there, case-folded.

        `patience`: how often a visit may have nothing for the next one before the search is given up.
        """
        self._make = make
        self._texts = texts
        self._seed = seed
        self._tries = [0] * visits
        self._visit = 0
        self._otherwise: dict[tuple[str, tuple[int, ...]], list[StateEdit]] = {}
        self._unfed: Counter[int] = Counter()
        self._patience = patience
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
            self._unfed[self._visit] += isinstance(last, Unfed)
            if self._unfed[self._visit] >= self._patience or not self._go_back(last):
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
            self._recall(plan)
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
            no_leaks(plan.walk, plan.carried, plan.draft.edits(), self._texts)
            for carried in plan.carried[-FED:]:
                if not carried.ablation:
                    carried.ablation = self._otherwise[self._mark(carried)] = another_world(plan, run, carried, world)
                elif not self._runs_otherwise(program, run, carried, world):
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

    def _mark(self, carried: Carried) -> tuple[str, tuple[int, ...]]:
        """A value of the plan, however often it is planned anew."""
        return carried.register_name, tuple(self._tries[: carried.visit + 1])

    def _recall(self, plan: Plan) -> None:
        for carried in plan.carried:
            carried.ablation = carried.ablation or list(self._otherwise.get(self._mark(carried), ()))

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

    def _go_back(self, breakdown: Exception) -> bool:
        """Choose the visit that is planned otherwise next; False when nothing is left to try.

        What a visit does with the value that comes in was settled by the visit ahead of it, and so is which write
        was refused.
        """
        visit = self._visit
        self._tries[visit] += 1
        tries = TRIES_OF_A_CALL if isinstance(breakdown, ProgramError) else TRIES
        while visit and self._tries[visit] >= tries:
            tries = TRIES
            self._tries[visit] = 0
            visit -= 1
            self._tries[visit] += 1
        self._proven = min(self._proven, visit)
        return self._tries[0] < TRIES


def no_leaks(
    walk: Sequence[str], carried: Sequence[Carried], edits: Iterable[StateEdit], texts: Mapping[str, str]
) -> None:
    """Raises Rejection where a value can be read in a service that neither gives nor takes it.

    `texts`: service -> all that could be read there before the edits, case-folded; only the last values are looked
    up in it. Any visit may have planted a record that holds an earlier value, so the edits are looked at for all.
    """
    cells: dict[str, list[Any]] = {}
    for edit in edits:
        cells.setdefault(edit.service, []).extend((edit.record or edit.patch or {}).values())
    planted = {service: "\n".join(texts_of(values)).casefold() for service, values in cells.items()}
    for number, value in enumerate(carried, 1):
        if value.kind in LOW_ENTROPY or not isinstance(value.value, str | float):
            continue
        ends = walk[value.visit : value.visit + 2]
        forms = {str(value.value).casefold(), plain_form(value.kind, value.value).casefold()}
        places = (planted, texts) if number > len(carried) - RECENT else (planted,)
        others = [place.get(service, "") for place in places for service in texts if service not in ends]
        if any(stands_in(form, text) for text in others for form in forms):
            raise Rejection("a value can be read elsewhere")


def culprit(program: Program, error: ProgramError) -> tuple[str, str]:
    """Service and tool of the call that was refused or that gave nothing usable."""
    step = program.steps[min(error.step, len(program.steps) - 1)]
    if isinstance(step, Get):
        step = next(call for call in program.calls if call.number == step.call)
    return step.service, step.tool
