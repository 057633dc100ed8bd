"""An author that is broken in one way at a time: the real proof names what is wrong with each of its tasks."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest

from tasks_app.engine.ablation import LOW_ENTROPY
from tasks_app.engine.criteria import goal_of
from tasks_app.engine.program import Call, Constant, Register, Sequenced, Template, TieError, registers_of, run_program
from tasks_app.engine.proof import prove
from tasks_app.engine.task import Criterion, GraphEdge, StateEdit, TaskSpec
from tasks_app.engine.text import plain_form
from tests.tasks.authored import build, stale_task, written

Breaker = Callable[[TaskSpec], TaskSpec]


@lru_cache(maxsize=1)
def good_tasks() -> tuple[TaskSpec, ...]:
    return (*(written(seed) for seed in (2, 3, 5, 8)), stale_task())


def frozen(task: TaskSpec) -> TaskSpec:
    """The task with the goal that its reference reaches now: a broken author freezes what it sees."""
    world = build(task)
    run = run_program(task.reference, world.call)
    goal = goal_of(world)
    world.close()
    return task.model_copy(update={"goal": goal, "answer": run.answer})


def planted(task: TaskSpec, *edits: StateEdit) -> TaskSpec:
    initial = task.initial.model_copy(update={"edits": (*task.initial.edits, *edits)})
    return task.model_copy(update={"initial": initial})


def created(task: TaskSpec) -> dict[str, Any]:
    """The first record that the reference makes."""
    return next(change for change in task.goal.changes if change["before"] is None)


def goal_true_at_the_start(task: TaskSpec) -> TaskSpec:
    """What the goal asks for stands in s0 under another id, and criteria look for presence alone."""
    made = created(task)
    place = f"{made['service']}.{made['table']}"
    record = {**made["after"], "id": f"{made['after']['id']}9"}
    edit = StateEdit(service=made["service"], table=made["table"], id=record["id"], record=record)
    rubric = tuple(
        criterion.model_copy(update={"expression": criterion.expression.replace(f"added.{place}", f"after.{place}")})
        for criterion in task.rubric
        if f"added.{place}.size()" not in criterion.expression
    )
    return frozen(planted(task.model_copy(update={"rubric": rubric}), edit))


def criterion_that_cannot_fail(task: TaskSpec) -> TaskSpec:
    """Nobody sends what the criterion speaks of, so it holds for everybody."""
    made = created(task)
    vacuous = f"added.{made['service']}.{made['table']}.filter(r, r.id == 'nothing').all(r, r.id == 'ops')"
    extra = Criterion(id="x1", text="All of them go to ops.", kind="constraint", expression=vacuous)
    return task.model_copy(update={"rubric": (*task.rubric, extra)})


def used_edge(task: TaskSpec) -> GraphEdge:
    """An edge whose value a write sends, and nothing but calls takes."""
    sent = {
        name for call in task.reference.calls if call.write for e in call.arguments.values() for name in registers_of(e)
    }
    told = set(registers_of(task.reference.answer)) if task.reference.answer is not None else set()
    return next(edge for edge in reversed(task.graph.edges) if edge.register_name in sent - told and edge.ablation)


def decorative_edge(task: TaskSpec) -> TaskSpec:
    """The graph shows a carried value that no call takes: each has it as a literal."""
    edge = used_edge(task)

    def literal(expression: Any) -> Any:
        if isinstance(expression, Register) and expression.name == edge.register_name:
            value = plain_form(expression.style, edge.value) if expression.style else edge.value
            return Constant(value=value, origin="constant")
        if isinstance(expression, Template):
            return expression.model_copy(update={"parts": tuple(literal(part) for part in expression.parts)})
        if isinstance(expression, Sequenced):
            return expression.model_copy(update={"items": tuple(literal(item) for item in expression.items)})
        return expression

    steps = tuple(
        step.model_copy(update={"arguments": {name: literal(e) for name, e in step.arguments.items()}})
        if isinstance(step, Call)
        else step.model_copy(
            update={"where": tuple(c.model_copy(update={"value": literal(c.value)}) for c in step.where)}
        )
        for step in task.reference.steps
    )
    return task.model_copy(update={"reference": task.reference.model_copy(update={"steps": steps})})


def hidden_values(task: TaskSpec) -> list[GraphEdge]:
    return [e for e in task.graph.edges if e.kind not in LOW_ENTROPY and isinstance(e.value, str) and len(e.value) > 5]


def gold_value_in_the_instruction(task: TaskSpec) -> TaskSpec:
    value = hidden_values(task)[-1].value
    return task.model_copy(update={"instruction": f"{task.instruction} You will need {value}."})


def place_by_name(task: TaskSpec) -> dict[str, Any]:
    """A record that the instruction names."""
    return next(place for place in task.meaning["places"] if place["stated"] is not None and "." in place["key"])


def unresolvable_tie(task: TaskSpec) -> TaskSpec:
    """A second record answers to the same name, and nothing tells the two apart."""
    place = place_by_name(task)
    world = build(task)
    record = world.record(place["service"], place["table"], place["id"])
    world.close()
    assert record is not None
    twin = {**record, "id": f"{record['id']}9"}
    return planted(task, StateEdit(service=place["service"], table=place["table"], id=twin["id"], record=twin))


CLAIMS: dict[Breaker, tuple[str, str]] = {
    goal_true_at_the_start: ("nothing for nothing", "do nothing: "),
    criterion_that_cannot_fail: ("criteria can fail", "no mutant fails x1"),
    decorative_edge: ("edges are necessary", "the old solution still passes"),
    gold_value_in_the_instruction: ("edges are necessary", "the value is in the instruction"),
    unresolvable_tie: ("reachable", "a tie cannot be decided"),
}


@pytest.mark.parametrize("breaker", CLAIMS, ids=lambda breaker: breaker.__name__)
def test_each_broken_task_is_caught_by_the_named_claim(breaker: Breaker) -> None:
    name, words = CLAIMS[breaker]
    tried = 0
    for task in good_tasks():
        assert prove(task, build).passed
        try:
            broken = breaker(task)
        except (StopIteration, TieError):  # this story has nothing to break in that way, or breaks down altogether
            continue
        tried += 1
        failing = {claim.name: str(claim.evidence["why"]) for claim in prove(broken, build).claims if not claim.passed}
        assert words in failing.get(name, ""), (task.author, failing)
    assert tried >= 3
