"""What a dataset selects, and how a selection is frozen: members, splits by family, figures, leakage."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Count, QuerySet

from tasks_app.models import Task, TaskService, Trajectory
from training_app.exports.splits import RULE, Item, assign, families, overlap
from training_app.filters import SELECTIONS
from training_app.models import Dataset, DatasetMember, DatasetVersion
from webapp.common.models import User

SPLITS: Final = tuple(DatasetMember.Split.values)
_BATCH: Final = 2_000


class DatasetError(ValueError):
    """A dataset that cannot be made or frozen as asked; the message says why, in words."""


@dataclass(frozen=True, slots=True)
class Row:
    """One member to be: a trajectory (or None for a task alone) with what splits and figures need of it."""

    trajectory: UUID | None
    task: UUID
    lineage: str
    instruction: str
    score: float | None
    simulated_share: float
    policy: str
    needed: int
    length: int

    @property
    def id(self) -> str:
        return str(self.trajectory or self.task)


def selection(kind: str, query: Mapping[str, Any]) -> QuerySet[Any]:
    """What a query selects, always of verified tasks only. Raises DatasetError for a query that is not one."""
    filters = SELECTIONS[kind]
    unknown = sorted(set(query) - set(filters.get_filters()))
    if unknown:
        raise DatasetError(f"Unknown in the query of a dataset of kind {kind}: {', '.join(unknown)}.")
    if kind == Dataset.Kind.SFT:
        rows: QuerySet[Any] = Trajectory.objects.filter(task__status=Task.Status.VERIFIED)
    else:
        rows = Task.objects.filter(status=Task.Status.VERIFIED)
    bound = filters({name: str(value) for name, value in query.items()}, queryset=rows)
    if not bound.is_valid():
        wrong = "; ".join(f"{name}: {' '.join(errors)}" for name, errors in bound.errors.items())
        raise DatasetError(f"The query cannot be read: {wrong}")
    chosen: QuerySet[Any] = bound.qs.order_by("id")
    return chosen


def default_query(kind: str) -> dict[str, str]:
    """Passed trajectories, or verified tasks."""
    return {"status": "passed"} if kind == Dataset.Kind.SFT else {"status": "verified"}


def read_rows(kind: str, query: Mapping[str, Any]) -> list[Row]:
    """The rows of a selection in the order of their ids: a few hundred bytes each, never their bodies."""
    found = selection(kind, query)
    if kind == Dataset.Kind.SFT:
        columns = (
            "id", "task_id", "task__lineage", "task__instruction", "score", "simulated_share", "policy",
            "task__needed_count", "task__walk_length",
        )  # fmt: skip
        return [Row(*values) for values in found.values_list(*columns).iterator(_BATCH)]
    return task_rows(found)


def task_rows(tasks: QuerySet[Task]) -> list[Row]:
    """Tasks as rows, in the order of the query."""
    columns = ("id", "lineage", "instruction", "simulated_share", "needed_count", "walk_length")
    return [
        Row(None, pk, lineage, instruction, None, simulated, "", needed, length)
        for pk, lineage, instruction, simulated, needed, length in tasks.values_list(*columns).iterator(_BATCH)
    ]


def check_shares(shares: Mapping[str, float]) -> dict[str, float]:
    """Shares of the splits without the empty ones. Raises DatasetError."""
    kept = {name: round(float(share), 6) for name, share in shares.items() if share}
    unknown = sorted(set(kept) - set(SPLITS))
    if unknown:
        raise DatasetError(f"There is no split {', '.join(unknown)}; the splits are {', '.join(SPLITS)}.")
    if min(kept.values(), default=0) <= 0 or abs(sum(kept.values()) - 1) > 1e-6 or "train" not in kept:
        raise DatasetError("The shares of train, validation and test must add up to 1, with some left for train.")
    return kept


def freeze(dataset: Dataset, *, shares: Mapping[str, float], seed: int, by: User | None) -> tuple[DatasetVersion, bool]:
    """The next version of a dataset, and whether it is new: equal content is not frozen twice.

    Raises DatasetError for an empty selection, and where there are fewer families than splits.
    """
    wanted = check_shares(shares)
    rows = read_rows(dataset.kind, dataset.query)
    if not rows:
        raise DatasetError("Nothing matches the query of this dataset, so there is nothing to freeze.")
    family_of = row_families(rows)
    chosen = _Chosen(rows, family_of, _assign(family_of, wanted, seed), wanted, seed)
    with transaction.atomic():
        Dataset.objects.select_for_update().get(pk=dataset.pk)
        newest = dataset.versions.order_by("-number").first()
        if newest is not None and newest.content_hash == content_hash(dataset.kind, rows, chosen.split_of):
            return newest, False
        return _store(dataset, chosen, by), True


def freeze_chosen(
    dataset: Dataset,
    *,
    split_of: Mapping[UUID, str],
    family_of: Mapping[str, str],
    seed: int,
    by: User | None,
) -> DatasetVersion:
    """A version of exactly these tasks, in this order, with their splits and families; an equal one is not made twice.

    For whoever decides about splits over more tasks than one version holds. Raises DatasetError for an empty choice and
    for tasks that are not verified any more.
    """
    known = {row.task: row for row in task_rows(Task.objects.filter(pk__in=split_of, status=Task.Status.VERIFIED))}
    if not split_of or len(known) < len(split_of):
        raise DatasetError(f"{len(split_of)} tasks are to be frozen and {len(known)} of them are verified.")
    rows = [known[pk] for pk in split_of]
    splits = {str(pk): split for pk, split in split_of.items()}
    counts = Counter(splits.values())
    shares = {split: round(count / len(rows), 6) for split, count in sorted(counts.items())}
    chosen = _Chosen(rows, {row.id: family_of[row.id] for row in rows}, splits, shares, seed)
    with transaction.atomic():
        Dataset.objects.select_for_update().get(pk=dataset.pk)
        equal = dataset.versions.filter(content_hash=content_hash(dataset.kind, rows, splits)).first()
        return equal or _store(dataset, chosen, by)


@dataclass(frozen=True)
class _Chosen:
    """What a version is to hold. Row id -> family and split; `shares` as wanted."""

    rows: Sequence[Row]
    family_of: Mapping[str, str]
    split_of: Mapping[str, str]
    shares: Mapping[str, float]
    seed: int


def _store(dataset: Dataset, chosen: _Chosen, by: User | None) -> DatasetVersion:
    """The next version; the caller holds the dataset's row."""
    newest = dataset.versions.order_by("-number").first()
    version = DatasetVersion.objects.create(
        dataset=dataset,
        number=newest.number + 1 if newest else 1,
        content_hash=content_hash(dataset.kind, chosen.rows, chosen.split_of),
        shares=dict(chosen.shares),
        split_seed=chosen.seed,
        stats=figures(chosen.rows, chosen.family_of, chosen.split_of),
        created_by=by,
    )
    _store_members(version, chosen.rows, chosen.family_of, chosen.split_of)
    return version


def row_families(rows: Sequence[Row]) -> dict[str, str]:
    """Row id -> family key. Computed over tasks: all rows of a task are relatives."""
    tasks = {row.task: Item(str(row.task), row.lineage, row.instruction) for row in rows}
    family_of = families(list(tasks.values()))
    return {row.id: family_of[str(row.task)] for row in rows}


def _assign(family_of: Mapping[str, str], shares: Mapping[str, float], seed: int) -> dict[str, str]:
    try:
        return assign(family_of, shares, seed)
    except ValueError as error:
        count = len(set(family_of.values()))
        raise DatasetError(
            f"The rows belong to {count} families of tasks, which cannot fill {len(shares)} splits without overlap. "
            "Generate more varied tasks, or leave splits out."
        ) from error


def content_hash(kind: str, rows: Iterable[Row], split_of: Mapping[str, str]) -> str:
    """A hash of what is in which split, in order: the same members and splits have the same hash."""
    digest = hashlib.sha256(kind.encode())
    for row in rows:
        digest.update(f"\n{row.id} {split_of[row.id]}".encode())
    return digest.hexdigest()


def _store_members(
    version: DatasetVersion, rows: Sequence[Row], family_of: Mapping[str, str], split_of: Mapping[str, str]
) -> None:
    DatasetMember.objects.bulk_create(
        (
            DatasetMember(
                dataset_version=version,
                position=position,
                split=split_of[row.id],
                family=family_of[row.id],
                task_id=row.task,
                trajectory_id=row.trajectory,
            )
            for position, row in enumerate(rows)
        ),
        batch_size=_BATCH,
    )


def figures(rows: Sequence[Row], family_of: Mapping[str, str], split_of: Mapping[str, str]) -> dict[str, Any]:
    """What the page of a version shows: counts by split, policy, K, L and service, shares and the leakage check."""
    scores = [row.score for row in rows if row.score is not None]
    return {
        "rows": len(rows),
        "tasks": len({row.task for row in rows}),
        "families": len(set(family_of.values())),
        "splits": {
            split: {
                "rows": sum(split_of[row.id] == split for row in rows),
                "tasks": len({row.task for row in rows if split_of[row.id] == split}),
                "families": len({family_of[row.id] for row in rows if split_of[row.id] == split}),
            }
            for split in SPLITS
            if any(value == split for value in split_of.values())
        },
        "overlap": overlap(family_of, split_of),
        "rule": RULE,
        "simulated_share": sum(row.simulated_share for row in rows) / len(rows),
        "mean_score": sum(scores) / len(scores) if scores else None,
        "policies": _counts(row.policy for row in rows if row.policy),
        "k": _counts(str(row.needed) for row in rows),
        "length": _counts(str(row.length) for row in rows),
        "services": services_used({row.task for row in rows}),
    }


def services_used(tasks: Iterable[UUID]) -> dict[str, int]:
    """Needed services by the number of tasks that need them, most used first."""
    needed = TaskService.objects.filter(task__in=list(tasks), role="needed")
    counted = needed.values_list("service__slug").annotate(count=Count("id")).order_by("-count", "service__slug")
    return dict(counted)


def _counts(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items(), key=lambda entry: (-entry[1], entry[0])))


def leakage(version: DatasetVersion) -> dict[str, int]:
    """Counted anew from the stored members, not believed: what lies in more than one split."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FILTER (WHERE what = 'family'), count(*) FILTER (WHERE what = 'task') FROM ("
            " SELECT 'family' AS what FROM training_app_datasetmember WHERE dataset_version_id = %s"
            " GROUP BY family HAVING count(DISTINCT split) > 1"
            " UNION ALL SELECT 'task' FROM training_app_datasetmember WHERE dataset_version_id = %s"
            " GROUP BY task_id HAVING count(DISTINCT split) > 1) AS shared",
            [version.pk, version.pk],
        )
        families_shared, tasks_shared = cursor.fetchone()
    return {"families": int(families_shared), "tasks": int(tasks_shared)}
