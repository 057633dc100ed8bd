"""Grading stored rollouts by another rubric, from what they recorded: no call is made again.

A stored rollout holds its journal, its calls and its answer. What it left behind follows from these and s0, which
is built once per task. What cannot be told from a record is unknown and says why; it is never a fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from services_app.engine.plain import canonical
from services_app.engine.protocol import Environment
from tasks_app.engine.rubric import (
    NET,
    CriterionResult,
    Status,
    Verdict,
    collateral,
    evaluate,
    net_tables,
    paths_of,
    variable_name,
    verdict_of,
)
from tasks_app.engine.task import Criterion, TaskSpec

Path = tuple[str, str, str]
NOT_JUDGED = "the rollout ended without a verdict"
OTHER_VERSION = "reads a table of {}, which is another version now: what the rollout started from cannot be rebuilt"
DOES_NOT_FIT = "the recorded changes of {} do not fit the initial state of the task"


@dataclass(frozen=True, slots=True)
class StoredRollout:
    """What re-grading needs of a rollout."""

    changes: tuple[dict[str, Any], ...]
    """The journal, in order: {service, table, id, before, after}."""
    calls: tuple[dict[str, Any], ...]
    """{service, tool, arguments, success}, in order."""
    answer: str
    old: Mapping[str, Any] | None
    """The stored verdict; None when the outcome could not be told."""

    @classmethod
    def of(cls, steps: Sequence[Mapping[str, Any]], *, answer: str, old: Mapping[str, Any] | None) -> Self:
        """From the recorded steps that called a tool (`trajectory.Step` as JSON), in order."""
        return cls(
            changes=tuple(change for step in steps for change in step["changes"]),
            calls=tuple(
                {
                    "service": step["service"],
                    "tool": step["tool"],
                    "arguments": step["tool_arguments"],
                    "success": step["success"],
                }
                for step in steps
            ),
            answer=answer,
            old=old,
        )


@dataclass(frozen=True, slots=True)
class Flip:
    """One criterion that comes out otherwise; "" stands for a rubric that has not got it."""

    criterion: str
    old: Status | str
    new: Status | str

    def to_json(self) -> dict[str, str]:
        return {"criterion": self.criterion, "old": self.old, "new": self.new}


@dataclass(frozen=True, slots=True)
class Regraded:
    """One rollout by the old and by the new rubric."""

    old_passed: bool | None
    old_score: float | None
    passed: bool | None
    score: float | None
    flips: tuple[Flip, ...]
    verdict: Verdict | None
    why: str = ""
    """Why the new outcome cannot be told."""

    @property
    def flipped(self) -> bool:
        """The verdict on the whole is another one."""
        return self.old_passed is not self.passed


@dataclass
class Start:
    """s0 of a task, its tables converted once, on demand."""

    environment: Environment
    other_versions: frozenset[str]
    """Mounted services that are not in the version the task was made for."""
    _tables: dict[tuple[str, str], dict[str, dict[str, Any]]] = field(default_factory=dict)

    @classmethod
    def of(cls, task: TaskSpec, environment: Environment) -> Start:
        """`environment` is in s0."""
        mounted = environment.catalogue.services
        return cls(
            environment,
            frozenset(one.slug for one in task.services if mounted[one.slug].version_hash != one.version_hash),
        )

    def table(self, service: str, table: str) -> dict[str, dict[str, Any]]:
        """Records by id, in order. Not to be changed."""
        key = (service, table)
        if key not in self._tables:
            self._tables[key] = {str(row["id"]): row for row in self.environment.rows(service, table)}
        return self._tables[key]

    @cached_property
    def slugs(self) -> dict[str, str]:
        """Service by its name in expressions."""
        return {variable_name(slug): slug for slug in self.environment.catalogue.services}

    def known(self, paths: Iterable[Path]) -> list[Path]:
        """Those of the paths that name whole tables, before or after, of mounted services."""
        services = self.environment.catalogue.services
        return [
            path
            for path in paths
            if path[0] not in NET and path[1] in self.slugs and path[2] in services[self.slugs[path[1]]].tables
        ]


@dataclass(frozen=True, slots=True)
class RecordedOutcome:
    """The variables of expressions, from the record of a rollout (`rubric.Evidence`)."""

    start: Start
    rollout: StoredRollout

    def data(self, paths: Iterable[Path]) -> dict[str, Any]:
        tables: dict[str, dict[str, dict[str, Any]]] = {"before": {}, "after": {}}
        for root, name, table in self.start.known(paths):
            service = self.start.slugs[name]
            rows = self.start.table(service, table)
            if root == "after":
                rows = replayed(rows, self.journal_of(service, table))
            tables[root].setdefault(name, {})[table] = list(rows.values())
        net = net_tables(self.start.environment.catalogue, self.rollout.changes)
        return {**tables, **net, "calls": list(self.rollout.calls), "answer": self.rollout.answer}

    def journal_of(self, service: str, table: str) -> list[dict[str, Any]]:
        return [one for one in self.rollout.changes if (one["service"], one["table"]) == (service, table)]

    def problem(self, criterion: Criterion) -> str:
        """Why a criterion cannot be told from the record; "" when it can."""
        for _, name, table in self.start.known(paths_of(criterion.expression)):
            service = self.start.slugs[name]
            if service in self.start.other_versions:
                return OTHER_VERSION.format(service)
            if not _fits(self.start.table(service, table), self.journal_of(service, table)):
                return DOES_NOT_FIT.format(f"{service}.{table}")
        return ""


def replayed(rows: Mapping[str, dict[str, Any]], journal: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The records of a table after a journal of changes to it."""
    after = dict(rows)
    for change in journal:
        if change["after"] is None:
            after.pop(change["id"], None)
        else:
            after[change["id"]] = change["after"]
    return after


def _fits(rows: Mapping[str, dict[str, Any]], journal: Iterable[Mapping[str, Any]]) -> bool:
    """Each change starts from the record that the changes before it left."""
    now: dict[str, Any] = {}
    for change in journal:
        found = now.get(change["id"], rows.get(change["id"]))
        if canonical(found) != canonical(change["before"]):
            return False
        now[change["id"]] = change["after"]
    return True


def regrade(task: TaskSpec, start: Start, rollout: StoredRollout) -> Regraded:
    """Judge a stored rollout by the rubric and write scope of `task`, a version of the task that was played."""
    old = rollout.old
    if old is None:
        return Regraded(None, None, None, None, (), None, NOT_JUDGED)
    verdict = _judged(task, RecordedOutcome(start, rollout))
    unknown = next((f"{one.id}: {one.detail}" for one in verdict.results if one.status == "unknown"), "")
    return Regraded(
        old_passed=old["passed"],
        old_score=old["score"],
        passed=verdict.passed,
        score=verdict.score,
        flips=_flips(old["results"], verdict.results),
        verdict=verdict,
        why=unknown if verdict.passed is None else "",
    )


def _judged(task: TaskSpec, outcome: RecordedOutcome) -> Verdict:
    problems = {criterion.id: outcome.problem(criterion) for criterion in task.rubric}
    told = evaluate([criterion for criterion in task.rubric if not problems[criterion.id]], outcome)
    results = {result.id: result for result in told}
    ordered = tuple(
        results.get(criterion.id) or CriterionResult(criterion.id, "unknown", problems[criterion.id])
        for criterion in task.rubric
    )
    return verdict_of(ordered, collateral(outcome.rollout.changes, task.scope))


def _flips(old: Sequence[Mapping[str, Any]], new: Sequence[CriterionResult]) -> tuple[Flip, ...]:
    was = {result["id"]: str(result["status"]) for result in old}
    now: dict[str, str] = {result.id: result.status for result in new}
    names = dict.fromkeys([*was, *now])
    return tuple(
        Flip(name, was.get(name, ""), now.get(name, "")) for name in names if was.get(name, "") != now.get(name, "")
    )


@dataclass(frozen=True, slots=True)
class Difference:
    """What a new rubric does to a set of rollouts."""

    rollouts: int
    told: int
    """Of these, rollouts with a score by both rubrics; the means are over them."""
    flipped: int
    """Rollouts whose verdict on the whole is another one."""
    unknown: int
    old_mean: float | None
    new_mean: float | None
    criteria: dict[str, dict[str, int]]
    """Criterion -> "fail to pass" -> rollouts."""

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def difference(graded: Sequence[Regraded]) -> Difference:
    """The figures of a set of re-graded rollouts."""
    both = [one for one in graded if one.old_score is not None and one.score is not None and one.passed is not None]
    criteria: dict[str, dict[str, int]] = {}
    for one in graded:
        for flip in one.flips:
            words = f"{flip.old or 'absent'} to {flip.new or 'absent'}"
            found = criteria.setdefault(flip.criterion, {})
            found[words] = found.get(words, 0) + 1
    return Difference(
        rollouts=len(graded),
        told=len(both),
        flipped=sum(one.flipped for one in graded),
        unknown=sum(one.passed is None for one in graded),
        old_mean=_mean([one.old_score or 0.0 for one in both]),
        new_mean=_mean([one.score or 0.0 for one in both]),
        criteria=criteria,
    )


def _mean(scores: Sequence[float]) -> float | None:
    return sum(scores) / len(scores) if scores else None
