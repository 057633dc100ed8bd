"""What is there already and must not be added a second time: a record of the kind that a request asks for.

A colleague asks for two tasks in a project, and one of them is there. Whoever adds both without looking leaves the
project with one task twice, which the rubric counts.
"""

from __future__ import annotations

from tasks_app.authors.access import Reach, payloads_of
from tasks_app.authors.guide import said_by
from tasks_app.authors.plan import Plan
from tasks_app.authors.story import Goal, Place, Stated
from tasks_app.engine.columns import Column
from tasks_app.engine.profile import ToolProfile

ONCE_SHARE = 0.15  # of the requests that it can be asked with
TAG = "idempotency"


def keep_single(plan: Plan, goal: Goal, tool: ToolProfile) -> None:
    """Now and then, once in a story, plant what a request adds a second of, and have the list read before it."""
    act = goal.act
    if act is None or not act.single or TAG in plan.tags or plan.rng.random() > ONCE_SHARE:
        return
    listed = _list_of(plan, goal, tool, act.single)
    name, stated = said_by(plan, act, act.single), goal.slots.get(act.single)
    if listed is None or not isinstance(stated, Stated) or stated.value == name:
        return
    whole, reference, column = listed
    plan.draft.plant(goal.service, column.table, {reference.field: whole.id, column.field: name})
    plan.ensure(whole, (column.key,), goal.visit)
    plan.tags.add(TAG)
    goal.present = str(name)


def _list_of(plan: Plan, goal: Goal, tool: ToolProfile, parameter: str) -> tuple[Place, Column, Column] | None:
    """The record that the thing is added to, the reference to it and the column that the parameter names it by."""
    reach: Reach = plan.reaches[goal.service]
    column = next((payload.column for payload in payloads_of(reach, tool) if payload.name == parameter), None)
    if column is None or column.table not in tool.creates:
        return None
    for whole in goal.slots.values():
        if isinstance(whole, Place) and plan.chain(whole, column.key) is not None:
            for table, reference in reach.children(whole.table):
                if table == column.table:
                    return whole, reference, column
    return None
