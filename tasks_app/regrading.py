"""Re-grading stored rollouts by a changed rubric: nothing is played again, and what was judged stays as it is."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID

from django.db.models import QuerySet

from services_app.engine.errors import EngineError, ServiceDefect
from services_app.environments import mounting_of
from services_app.pipelines.building import sandbox_words
from tasks_app.engine.regrade import Flip, Regraded, Start, StoredRollout, difference, regrade
from tasks_app.engine.rubric import check_expression
from tasks_app.engine.task import Criterion, TaskSpec
from tasks_app.models import RegradedRollout, Task, Trajectory, TrajectoryStep
from webapp.common.models import Run, User
from webapp.common.runs import RunContext, RunFailed, start_run
from workers.sandbox.limits import SandboxError

KIND = "regrade"
AT_ONCE = 100  # rollouts that are read and written together
MAX_TASKS = 1_000
EXTRA = "extra"
"""Id of a criterion that a run adds to the rubric of every task."""


class RubricError(ValueError):
    """The changed rubric cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a run changes in the rubric of each of its tasks; nothing at all judges by the rubrics as they are."""

    expressions: Mapping[str, str]
    """Criterion id -> the expression in its place."""
    added: str = ""
    """Expression of a criterion that stands beside the others."""

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> Self:
        return cls(payload.get("expressions") or {}, payload.get("added", ""))

    def applied(self, spec: TaskSpec) -> TaskSpec:
        """The task with the changed rubric. Raises RubricError for a criterion that it has not got."""
        unknown = set(self.expressions) - {criterion.id for criterion in spec.rubric}
        if unknown:
            raise RubricError(f"The task has no criterion {', '.join(sorted(unknown))}.")
        rubric = [
            one.model_copy(update={"expression": self.expressions.get(one.id, one.expression)}) for one in spec.rubric
        ]
        if self.added:
            rubric.append(Criterion(id=EXTRA, text="Added by this run.", kind="constraint", expression=self.added))
        return spec.model_copy(update={"rubric": tuple(rubric)})

    def check(self, start: Start) -> None:
        """Raises RubricError when an expression cannot be used on this task."""
        for name, expression in {**self.expressions, **({EXTRA: self.added} if self.added else {})}.items():
            problems = check_expression(expression, start.environment.catalogue)
            if problems:
                raise RubricError(f"{name}: {'; '.join(problems)}")


def start_regrading(
    *, tasks: Sequence[Task], change: Change, by: User | None, policy: str = "", editions: bool = False
) -> Run:
    """Start re-grading the stored rollouts of tasks, of one policy when it is named.

    `editions` also takes the rollouts of the other editions of each task. Raises RubricError in words.
    """
    if not 1 <= len(tasks) <= MAX_TASKS:
        raise RubricError(f"Name between 1 and {MAX_TASKS} tasks, not {len(tasks)}.")
    if len(tasks) == 1:
        change.applied(tasks[0].to_spec())
    payload = {
        "tasks": [str(task.pk) for task in tasks], "expressions": dict(change.expressions), "added": change.added,
        "policy": policy, "editions": editions,
    }  # fmt: skip
    of = tasks[0].public_id if len(tasks) == 1 else f"{len(tasks)} tasks"
    return start_run(kind=KIND, title=f"Re-grade the rollouts of {of}", payload=payload, by=by)


def rollouts_of(task: Task, *, policy: str = "", editions: bool = False) -> QuerySet[Trajectory]:
    """The stored rollouts of a task, or of all its editions, oldest first."""
    rows = Trajectory.objects.order_by("id")
    found = rows.filter(task__in=_family(task)) if editions else rows.filter(task=task)
    return found.filter(policy=policy) if policy else found


def _family(task: Task) -> QuerySet[Task]:
    return Task.objects.filter(pk=task.family) | Task.objects.filter(first=task.family)


def regrade_stored(context: RunContext) -> dict[str, Any]:
    """Judge the rollouts of the payload's tasks anew, one row each; {difference, tasks, refused: {task: why}}.

    A rollout that has its row already is not judged again. Raises RunFailed when no task could be judged.
    """
    payload, change = context.payload, Change.from_json(context.payload)
    tasks = list(Task.objects.filter(pk__in=payload["tasks"]).order_by("id"))
    which = {"policy": payload.get("policy", ""), "editions": bool(payload.get("editions"))}
    left = {task.pk: rollouts_of(task, **which) for task in tasks}
    progress = _Progress(context, sum(rows.count() for rows in left.values()))
    refused: dict[str, str] = {}
    for task in tasks:
        try:
            _regrade_task(context.run, task, change, left[task.pk], progress)
        except SandboxError as error:
            raise sandbox_words(error) from error
        except (RubricError, EngineError, ServiceDefect) as error:
            refused[task.public_id] = str(error)
            context.log(f"{task.public_id} was left out: {error}", level="warning")
    if refused and len(refused) == len(tasks):
        raise RunFailed("rubric:refused", "; ".join(dict.fromkeys(refused.values())))
    progress.finish()
    return {"difference": difference_of(context.run), "tasks": len(tasks), "refused": refused}


@dataclass(slots=True)
class _Progress:
    context: RunContext
    total: int
    done: int = 0

    def step(self, more: int) -> None:
        self.context.checkpoint()
        self.done += more
        self.context.progress(done=self.done, total=self.total, unit="rollouts", phase="re-grading")

    def finish(self) -> None:
        self.context.progress(done=self.total, total=self.total, unit="rollouts", phase="done")


def _regrade_task(run: Run, task: Task, change: Change, rows: QuerySet[Trajectory], progress: _Progress) -> None:
    spec = change.applied(task.to_spec())
    with mounting_of(mounted.slug for mounted in spec.services) as mounting:
        start = Start.of(spec, spec.environment(mounting))
        change.check(start)
        fresh = rows.exclude(pk__in=RegradedRollout.objects.filter(run=run).values("trajectory"))
        for page in stored_pages(fresh):
            made = [_row(run, row.pk, regrade(spec, start, rollout)) for row, rollout in page]
            RegradedRollout.objects.bulk_create(made, ignore_conflicts=True)
            progress.step(len(page))
        start.environment.close()


def _row(run: Run, trajectory: UUID, graded: Regraded) -> RegradedRollout:
    return RegradedRollout(
        run=run, trajectory_id=trajectory, old_passed=graded.old_passed, passed=graded.passed,
        old_score=graded.old_score, score=graded.score, flips=[flip.to_json() for flip in graded.flips],
        changed=bool(graded.flips) or graded.flipped, why=graded.why,
    )  # fmt: skip


def difference_of(run: Run) -> dict[str, Any]:
    """The figures of a run, from its rows."""
    names = ("old_passed", "old_score", "passed", "score", "flips", "why")
    rows = RegradedRollout.objects.filter(run=run).order_by().values_list(*names)
    graded = [
        Regraded(old_passed, old_score, passed, score, tuple(Flip(**flip) for flip in flips), None, why)
        for old_passed, old_score, passed, score, flips, why in rows
    ]
    return difference(graded).to_json()


def rows_of(run: Run) -> QuerySet[RegradedRollout]:
    """The rows of a run, with the policy, number and task of their trajectories."""
    return (
        RegradedRollout.objects.filter(run=run)
        .select_related("trajectory__task")
        .only(
            *(field.name for field in RegradedRollout._meta.concrete_fields),
            "trajectory__policy",
            "trajectory__index",
            "trajectory__task__id",
        )
    )


def flips_of(run: Run) -> dict[str, list[dict[str, Any]]]:
    """{flips: each rollout of which something flips, unknown: each that cannot be told, with its reason}."""
    rows = list(rows_of(run).order_by("trajectory_id"))
    return {
        "flips": [row_json(row) for row in rows if row.changed],
        "unknown": [{"trajectory": row.trajectory.public_id, "why": row.why} for row in rows if row.passed is None],
    }


def row_json(row: RegradedRollout) -> dict[str, Any]:
    return {
        "trajectory": row.trajectory.public_id, "old_passed": row.old_passed, "passed": row.passed,
        "old_score": row.old_score, "score": row.score, "criteria": row.flips,
    }  # fmt: skip


def stored_rollouts(rows: QuerySet[Trajectory]) -> Iterator[tuple[Trajectory, StoredRollout]]:
    """Each trajectory with what re-grading needs of it, oldest first."""
    for page in stored_pages(rows):
        yield from page


def stored_pages(rows: QuerySet[Trajectory]) -> Iterator[list[tuple[Trajectory, StoredRollout]]]:
    """The same, AT_ONCE together, two queries for each page."""
    last: UUID | None = None
    while True:
        ordered = rows.order_by("id").only("id", "task", "body")
        page = list((ordered if last is None else ordered.filter(id__gt=last))[:AT_ONCE])
        if not page:
            return
        steps: dict[UUID, list[dict[str, Any]]] = defaultdict(list)
        made = TrajectoryStep.objects.filter(trajectory__in=page).exclude(service="").order_by("trajectory", "index")
        for owner, body in made.values_list("trajectory_id", "body"):
            steps[owner].append(json.loads(body))
        yield [(row, _stored(json.loads(row.body), steps[row.pk])) for row in page]
        last = page[-1].pk


def _stored(body: dict[str, Any], steps: list[dict[str, Any]]) -> StoredRollout:
    return StoredRollout.of(steps, answer=body["answer"], old=body["verdict"])
