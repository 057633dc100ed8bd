"""Trying a draft of a rubric before it is saved: on s0, on g, on a rollout, and against every stored verdict."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from services_app.engine.catalogue import Catalogue, ServiceInfo
from services_app.engine.errors import EngineError, ServiceDefect
from services_app.environments import mounting_of
from services_app.models import ServiceVersion
from tasks_app.editions import changed_services
from tasks_app.engine.editing import Ends, Problems, judge_ends, problems_in, rubric_hash, with_rubric
from tasks_app.engine.expressions import Names
from tasks_app.engine.program import ProgramError
from tasks_app.engine.regrade import Difference, Regraded, Start, StoredRollout, difference, regrade
from tasks_app.engine.rubric import Verdict, variable_name
from tasks_app.engine.task import Criterion, TaskSpec
from tasks_app.models import Task, Trajectory
from tasks_app.regrading import rollouts_of, stored_rollouts
from workers.sandbox.limits import SandboxError

MOST_ROLLOUTS = 1_000
MOST_SECONDS = 15.0
SHOWN_FLIPS = 100


class TrialError(ValueError):
    """The draft cannot be tried; the text says why."""


@dataclass(frozen=True, slots=True)
class Changed:
    """One stored rollout that the draft judges otherwise."""

    trajectory: Trajectory
    graded: Regraded


@dataclass(frozen=True, slots=True)
class Trial:
    """How a draft judges. With `problems` it must not be saved; `ends` is None when it could not be evaluated."""

    rubric: tuple[Criterion, ...]
    problems: Problems
    ends: Ends | None = None
    chosen: Verdict | None = None
    """Of the rollout that was asked for."""
    difference: Difference | None = None
    changed: tuple[Changed, ...] = ()
    """At most SHOWN_FLIPS of them."""
    stored: int = 0
    """Rollouts of all editions of the task."""
    bound: str = ""
    """"rollouts" or "seconds": which bound left some of them out."""

    @property
    def digest(self) -> str:
        return rubric_hash(self.rubric)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Per criterion its results on s0, g and the chosen rollout."""
        verdicts = {
            "start": self.ends.start if self.ends else None,
            "goal": self.ends.goal if self.ends else None,
            "chosen": self.chosen,
        }
        found = {name: {one.id: one for one in verdict.results} for name, verdict in verdicts.items() if verdict}
        return [
            {"criterion": one, **{name: results.get(one.id) for name, results in found.items()}} for one in self.rubric
        ]


def catalogue_of(task: Task) -> Catalogue:
    """The state models that the task was made for, from the stored descriptions; nothing is mounted."""
    return _catalogue(tuple(task.mounted.order_by("position").values_list("service_version_id", flat=True)))


@lru_cache(maxsize=64)  # versions never change
def _catalogue(versions: tuple[Any, ...]) -> Catalogue:
    found = dict(ServiceVersion.objects.filter(pk__in=versions).values_list("pk", "description"))
    return Catalogue(ServiceInfo.from_json(found[pk]) for pk in versions)


def names_of(task: Task) -> Names:
    """The services of a task by their name in expressions."""
    return {variable_name(slug): info for slug, info in catalogue_of(task).services.items()}


def try_rubric(
    task: Task, rubric: Sequence[Criterion], *, chosen: Trajectory | None = None, seconds: float = MOST_SECONDS
) -> Trial:
    """Judge by a draft. Stored rollouts are compared with what the present rubric of `task` says of them.

    Raises TrialError when the task cannot be built as it was.
    """
    trial = Trial(tuple(rubric), problems_in(rubric, catalogue_of(task)))
    if trial.problems:
        return trial
    other = changed_services(task)
    if other:
        raise TrialError(f"The task was made for another version of {', '.join(other)}: prove it again first.")
    present = task.to_spec()
    draft = with_rubric(present, rubric)
    try:
        with mounting_of(service.slug for service in present.services) as mounting:
            environment = draft.environment(mounting)
            ends = judge_ends(draft, environment)
            trial = replace(trial, ends=ends, problems=ends.problems())
            trial = _on_rollouts(trial, task, present, draft, Start.of(draft, environment), chosen, seconds)
            environment.close()
    except SandboxError as error:
        raise TrialError(f"{error.kind}: {error.message}") from error
    except (EngineError, ServiceDefect, ProgramError) as error:
        raise TrialError(str(error)) from error
    return trial


@dataclass(slots=True)
class _Comparison:
    """The two rubrics, on one stored rollout after another."""

    task: Task
    present: TaskSpec
    draft: TaskSpec
    start: Start
    graded: list[Regraded] = field(default_factory=list)
    changed: list[Changed] = field(default_factory=list)

    def add(self, row: Trajectory, rollout: StoredRollout) -> None:
        if row.task_id != self.task.pk:  # it was judged by the rubric of another edition
            now = regrade(self.present, self.start, rollout).verdict
            rollout = replace(rollout, old=now.to_json() if now is not None else None)
        one = regrade(self.draft, self.start, rollout)
        self.graded.append(one)
        if (one.flips or one.flipped) and len(self.changed) < SHOWN_FLIPS:
            self.changed.append(Changed(row, one))


def _on_rollouts(
    trial: Trial, task: Task, present: TaskSpec, draft: TaskSpec, start: Start, chosen: Trajectory | None,
    seconds: float,
) -> Trial:  # fmt: skip
    rows = rollouts_of(task, editions=True)
    stored = rows.count()
    verdict = None
    if chosen is not None:
        for _, rollout in stored_rollouts(rows.filter(pk=chosen.pk)):
            verdict = regrade(draft, start, rollout).verdict
    until = time.monotonic() + seconds
    compared = _Comparison(task, present, draft, start)
    bound = "rollouts" if stored > MOST_ROLLOUTS else ""
    for row, rollout in stored_rollouts(rows):
        if len(compared.graded) >= MOST_ROLLOUTS:
            break
        if time.monotonic() > until:
            bound = "seconds"
            break
        compared.add(row, rollout)
    heads = Trajectory.objects.defer("body").in_bulk([one.trajectory.pk for one in compared.changed])
    changed = tuple(replace(one, trajectory=heads[one.trajectory.pk]) for one in compared.changed)
    return replace(
        trial, chosen=verdict, difference=difference(compared.graded), changed=changed, stored=stored, bound=bound
    )
