"""Editions of a task: a changed rubric makes a new one, its proof puts it in the place of the old one.

An edition is never edited. The latest one that is neither rejected nor retired is in use; earlier ones are stale,
and with them what stands on them. Going back retires the later ones; they stay readable and can be taken again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet

from tasks_app.engine.editing import Edit, edits_between, with_rubric
from tasks_app.engine.task import Criterion, TaskSpec
from tasks_app.models import Task, TaskService, TaskTool
from tasks_app.task_rows import columns_of
from webapp.common import activity, clean
from webapp.common.models import Run, User
from webapp.common.runs import StateConflict, start_run

IN_USE = (Task.Status.VERIFIED, Task.Status.STALE)
WAITING = "its proof has not run yet"


class EditionConflict(StateConflict):
    """The edition is not in a state for this (409). `newest` is the edition that stands in the way, if one does."""

    def __init__(self, message: str, state: str, newest: Task | None = None) -> None:
        super().__init__("change", state)
        self.args = (message,)
        self.newest = newest


def editions_of(task: Task) -> QuerySet[Task]:
    """All editions of a task, the first one first."""
    return Task.objects.filter(Q(pk=task.family) | Q(first=task.family)).order_by("edition")


def save_edition(*, task: Task, rubric: Sequence[Criterion], reason: str, by: User | None) -> tuple[Task, Run]:
    """Store `task` with another rubric as a new edition, and start its proof. The old one stays as it is.

    Raises EditionConflict when the task is out of use, changed meanwhile, or when nothing is different.
    """
    with transaction.atomic():
        list(Task.objects.select_for_update().filter(pk=task.family).values_list("pk"))  # one at a time per family
        task.refresh_from_db()
        newest = _check_newest(task)
        spec = task.to_spec()
        edits = edits_between(spec.rubric, rubric)
        if not edits:
            raise EditionConflict("Nothing is changed in the rubric.", task.status)
        made = _store(task, with_rubric(spec, rubric), newest.edition + 1, reason, by)
        _record(made, edits, by, reason)
        run = start_run(kind="prove", title=f"Prove {made.public_id}", payload={"tasks": [str(made.pk)]}, by=by)
    return made, run


def _check_newest(task: Task) -> Task:
    """The edition with the highest number. Raises EditionConflict when `task` must not be edited."""
    if task.status == Task.Status.RETIRED:
        raise EditionConflict("This version is retired: go back to it first.", task.status)
    family = list(editions_of(task).defer("spec"))
    open_ones = [one for one in family if one.status not in (Task.Status.RETIRED, Task.Status.REJECTED)]
    later = [one for one in open_ones if one.edition > task.edition]
    if later:
        words = f"Version {later[-1].edition} was saved meanwhile; this is version {task.edition}."
        raise EditionConflict(words, task.status, later[-1])
    return family[-1]


def _store(task: Task, spec: TaskSpec, number: int, reason: str, by: User | None) -> Task:
    twin = Task.objects.filter(task_hash=spec.task_hash).first()
    if twin is not None:
        raise EditionConflict(f"This is version {twin.edition} again: go back to it instead.", twin.status, twin)
    columns = columns_of(spec) | {"status": Task.Status.SUBMITTED, "status_reason": WAITING}
    made = Task.objects.create(
        **columns | {"proved_at": None}, task_hash=spec.task_hash, run=task.run, created_by=by, seed=task.seed,
        first_id=task.family, parent=task, edition=number, note=clean.text(reason, 2_000),
    )  # fmt: skip
    TaskService.objects.bulk_create(
        TaskService(
            task=made, service_id=one.service_id, service_version_id=one.service_version_id, role=one.role,
            position=one.position,
        )
        for one in task.mounted.all()
    )  # fmt: skip
    TaskTool.objects.bulk_create(TaskTool(task=made, tool_id=one.tool_id) for one in task.tool_uses.all())
    return made


def _record(made: Task, edits: Sequence[Edit], by: User | None, reason: str) -> None:
    activity.record(
        actor=by, verb="task.rubric_changed", target=made, reason=reason,
        before={edit.id: _shown(edit.before) for edit in edits},
        after={edit.id: _shown(edit.after) for edit in edits},
    )  # fmt: skip


def _shown(criterion: Criterion | None) -> dict[str, Any] | None:
    return criterion.model_dump(mode="json", exclude={"id", "reads"}) if criterion is not None else None


def superseded_by(other: Task) -> str:
    return f"version {other.edition} ({other.public_id}) stands in its place"


def after_proof(task: Task, status: str, reason: str) -> tuple[str, str]:
    """Status and reason of an edition whose proof came out so; a proven one takes the place of the earlier ones."""
    if status != Task.Status.VERIFIED:
        return status, reason
    later = editions_of(task).filter(edition__gt=task.edition, status__in=IN_USE).last()
    if later is not None:
        return Task.Status.STALE, superseded_by(later)
    _supersede(task)
    return status, reason


def _supersede(task: Task) -> None:
    """Make the earlier editions stale that were verified, with what stands on them."""
    for old in editions_of(task).filter(edition__lt=task.edition, status=Task.Status.VERIFIED).defer("spec"):
        words = superseded_by(task)
        _move(old, Task.Status.STALE, words)
        activity.record(
            actor=task.created_by, verb="task.superseded", target=old, reason=words,
            before={"status": Task.Status.VERIFIED}, after={"status": Task.Status.STALE},
        )  # fmt: skip


def _move(task: Task, status: str, reason: str) -> None:
    Task.objects.filter(pk=task.pk).update(status=status, status_reason=reason, version=F("version") + 1)


def go_back(*, task: Task, by: User | None, reason: str) -> Task:
    """Put an edition that was proven in use again: later ones are retired, earlier ones stale.

    Raises EditionConflict when it is in use, was never proven, or its services are not what they were.
    """
    with transaction.atomic():
        list(Task.objects.select_for_update().filter(pk=task.family).values_list("pk"))
        task.refresh_from_db()
        if task.status == Task.Status.VERIFIED:
            raise EditionConflict("This version is in use.", task.status)
        if not task.to_spec().proof.passed:
            raise EditionConflict("This version was never proven, so it cannot be used.", task.status)
        other = changed_services(task)
        if other:
            raise EditionConflict(f"It was made for another version of {', '.join(other)}.", task.status)
        before = task.status
        for later in editions_of(task).filter(edition__gt=task.edition).exclude(status=Task.Status.RETIRED):
            _move(later, Task.Status.RETIRED, superseded_by(task))
        _move(task, Task.Status.VERIFIED, "")
        _supersede(task)
        task.refresh_from_db()
        activity.record(
            actor=by, verb="task.gone_back", target=task, before={"status": before}, after={"status": task.status},
            reason=reason,
        )  # fmt: skip
    return task


def changed_services(task: Task) -> list[str]:
    """Services of a task that have another version now, or a tool of whose reference is out of use."""
    moved = task.mounted.exclude(service__current=F("service_version")).values_list("service__slug", flat=True)
    broken = TaskTool.objects.filter(task=task).exclude(tool__status__in=("verified", "simulated"))
    return sorted({*moved, *broken.values_list("tool__service__slug", flat=True)})
