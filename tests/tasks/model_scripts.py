"""What a language model would send to write a task: the phases of a task that the rules author has proven."""

from __future__ import annotations

from typing import Any

from tasks_app.authors.model.draft import Brief
from tasks_app.engine.program import Call
from tasks_app.engine.task import TaskSpec
from tests.builders.model_scripts import use
from tests.stub_model import Reply
from tests.tasks.authored import SEED

PROBED_TOGETHER = 6


def brief_of(task: TaskSpec) -> Brief:
    walk = task.graph.walk
    return Brief(walk=walk, length=(len(walk) - 1, len(walk) + 1), seed=11, state_seed=SEED)


def design_of(task: TaskSpec) -> dict[str, Any]:
    """The story: planted records, edges, instruction."""
    edges = [
        {
            "register_name": edge.register_name,
            "name": edge.name,
            "ablation": [one.model_dump(mode="json", exclude_none=True) for one in edge.ablation],
        }
        for edge in task.graph.edges
    ]
    plant = [one.model_dump(mode="json", exclude_none=True) for one in task.initial.edits]
    return {"plant": plant, "edges": edges, "instruction": task.instruction}


def steps_of(task: TaskSpec) -> list[dict[str, Any]]:
    """The reference as a model writes it: without what the machine measures."""
    measured = {"step", "number", "visit", "write"}
    return [
        step.model_dump(mode="json", exclude=measured) if isinstance(step, Call) else step.model_dump(mode="json")
        for step in task.reference.steps
    ]


def answer_of(task: TaskSpec) -> list[dict[str, Any]]:
    answer = task.reference.answer
    return [] if answer is None else [part.model_dump(mode="json") for part in answer.parts]


def turns_of(task: TaskSpec) -> list[tuple[str, dict[str, Any]]]:
    """(tool, arguments) of every turn of an author that makes no mistake."""
    walk = task.graph.walk
    steps = steps_of(task)
    probes = [steps[at : at + PROBED_TOGETHER] for at in range(0, len(steps), PROBED_TOGETHER)]
    return [
        ("explore", {"service": walk[0]}),
        ("explore", {"service": walk[0], "tool": task.reference.calls[0].tool}),
        ("design", design_of(task)),
        *(("probe", {"steps": some}) for some in probes),
        ("submit", {"answer": answer_of(task)}),
    ]


def written_by_model(task: TaskSpec) -> list[Reply]:
    return [use(name, **arguments) for name, arguments in turns_of(task)]
