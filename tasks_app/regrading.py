"""Re-grading the stored rollouts of a task by a changed rubric: nothing is played again."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from services_app.engine.errors import EngineError, ServiceDefect
from services_app.environments import mounting_of
from services_app.pipelines.building import sandbox_words
from tasks_app.engine.regrade import Regraded, Start, StoredRollout, difference, regrade
from tasks_app.engine.rubric import check_expression
from tasks_app.engine.task import TaskSpec
from tasks_app.models import Task, Trajectory, TrajectoryStep
from webapp.common.models import Run, User
from webapp.common.runs import RunContext, start_run
from workers.sandbox.limits import SandboxError

AT_ONCE = 100  # rollouts that are read together


class RubricError(ValueError):
    """The changed rubric cannot be used; the text says why."""


def with_expressions(spec: TaskSpec, expressions: dict[str, str]) -> TaskSpec:
    """The task with other expressions for some criteria, by id. Raises RubricError for an id it has not got."""
    unknown = set(expressions) - {criterion.id for criterion in spec.rubric}
    if unknown:
        raise RubricError(f"The task has no criterion {', '.join(sorted(unknown))}.")
    changed = tuple(
        one.model_copy(update={"expression": expressions.get(one.id, one.expression)}) for one in spec.rubric
    )
    return spec.model_copy(update={"rubric": changed})


def start_regrading(*, task: Task, expressions: dict[str, str], by: User | None) -> Run:
    """Start re-grading the stored rollouts of a task with these expressions. Raises RubricError in words."""
    with_expressions(task.to_spec(), expressions)
    payload = {"task": str(task.pk), "expressions": expressions}
    return start_run(kind="regrade", title=f"Re-grade the rollouts of {task.public_id}", payload=payload, by=by)


def regrade_stored(context: RunContext, task: Task, expressions: dict[str, str]) -> dict[str, Any]:
    """Judge every stored rollout of `task` anew; {difference, flips, unknown}. Raises RubricError, RunFailed."""
    spec = with_expressions(task.to_spec(), expressions)
    total = task.trajectories.count()
    graded: list[Regraded] = []
    names: list[str] = []
    try:
        with mounting_of(mounted.slug for mounted in spec.services) as mounting:
            start = Start.of(spec, spec.environment(mounting))
            _check(expressions, start)
            for identity, rollout in stored_rollouts(task):
                if len(graded) % AT_ONCE == 0:
                    context.checkpoint()
                    context.progress(done=len(graded), total=total, unit="rollouts", phase="re-grading")
                graded.append(regrade(spec, start, rollout))
                names.append(identity)
            start.environment.close()
    except (EngineError, ServiceDefect, SandboxError) as error:
        raise sandbox_words(error) from error
    context.progress(done=total, total=total, unit="rollouts", phase="done")
    return report_of(names, graded)


def _check(expressions: dict[str, str], start: Start) -> None:
    for name, expression in expressions.items():
        problems = check_expression(expression, start.environment.catalogue)
        if problems:
            raise RubricError(f"{name}: {'; '.join(problems)}")


def report_of(names: Sequence[str], graded: Sequence[Regraded]) -> dict[str, Any]:
    """The figures, each rollout of which something flips, and each that cannot be told with its reason."""
    pairs = list(zip(names, graded, strict=True))
    return {
        "difference": difference(graded).to_json(),
        "flips": [
            {
                "trajectory": name, "old_passed": one.old_passed, "passed": one.passed, "old_score": one.old_score,
                "score": one.score, "criteria": [flip.to_json() for flip in one.flips],
            }
            for name, one in pairs if one.flips or one.flipped
        ],
        "unknown": [{"trajectory": name, "why": one.why} for name, one in pairs if one.passed is None],
    }  # fmt: skip


def stored_rollouts(task: Task) -> Iterator[tuple[str, StoredRollout]]:
    """(id, what re-grading needs) of every stored rollout of a task, oldest first, two queries for each hundred."""
    last: UUID | None = None
    while True:
        rows = Trajectory.objects.filter(task=task).order_by("id").only("id", "body")
        page = list((rows if last is None else rows.filter(id__gt=last))[:AT_ONCE])
        if not page:
            return
        steps: dict[UUID, list[dict[str, Any]]] = defaultdict(list)
        made = TrajectoryStep.objects.filter(trajectory__in=page).exclude(service="").order_by("trajectory", "index")
        for owner, body in made.values_list("trajectory_id", "body"):
            steps[owner].append(json.loads(body))
        for row in page:
            body = json.loads(row.body)
            yield row.public_id, StoredRollout.of(steps[row.pk], answer=body["answer"], old=body["verdict"])
        last = page[-1].pk
