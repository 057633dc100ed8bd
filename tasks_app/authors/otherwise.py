"""Worlds in which a figure that a service works out is another one: what proves that a story depends on it."""

from __future__ import annotations

import contextlib
from typing import Final

from services_app.engine import EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from tasks_app.authors.plan import Plan
from tasks_app.authors.story import Carried, Rejection
from tasks_app.engine.ablation import edits_around, gives_another
from tasks_app.engine.program import Program, ProgramRun
from tasks_app.engine.task import StateEdit

WORLDS: Final = 8  # that are looked at for another figure


def another_world(plan: Plan, run: ProgramRun, carried: Carried, world: Environment) -> list[StateEdit]:
    """Changes that give another figure where the plan could not tell beforehand. Raises Rejection at none."""
    program = Program(steps=tuple(plan.steps), answer=None)
    value, service = run.registers[carried.register_name], plan.walk[carried.visit]
    around = edits_around(world, service, plan.draft.edits())
    for edits in sorted(around, key=lambda edits: -_bearing(edits[0], carried))[:WORLDS]:
        try:
            other = world.edited(edit.to_edit() for edit in edits)
        except (ServiceDefect, EngineError):
            continue
        with contextlib.closing(other):
            if gives_another(program, carried.register_name, value, other):
                return edits
    raise Rejection("no other world gives another figure")


def _bearing(edit: StateEdit, carried: Carried) -> int:
    """How likely a change moves a figure: it is of a column, or of the number of records, that the figure was seen
    to depend on; it is about the record whose figure it is."""
    depends = carried.detail.get("depends", ())
    seen = any(f"{edit.table}.{field}" in depends for field in (edit.patch or {"+": None}))
    own = carried.source is not None and carried.source.id in (edit.id, *map(str, (edit.record or {}).values()))
    return 2 * seen + own
