"""Streams of records out of a frozen version: keyset paging over members, a bounded number of bodies in memory."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal

from django.db.models import QuerySet

from services_app.environments import mounting_of
from tasks_app.engine.rollout import SYSTEM, roll_out
from tasks_app.engine.task import TaskSpec
from tasks_app.engine.trajectory import Trajectory as TrajectoryValue
from tasks_app.models import Trajectory
from tasks_app.policies.rules import ReferencePolicy
from training_app.engine.errors import TrainingError
from training_app.exports.sft import Selection, SFTOptions, prompt_record, trajectory_records, wire_record
from training_app.exports.trajectories import task_record, trajectory_record
from training_app.models import Dataset, DatasetMember, DatasetVersion, Export

Record = dict[str, Any]
Mode = Literal["meta", "direct"]
PAGE: Final = 20
"""Members whose bodies are in memory at once: 20 of 300 KB are 6 MB."""
EVERYTHING: Final = SFTOptions(only_passed=False, allow_truncated=True)
"""What the query of the dataset let in is exported; the exporter checks it and selects nothing more."""


def pages(version: DatasetVersion, split: str | None = None) -> Iterator[list[DatasetMember]]:
    """Members in order, a page at a time, with task and trajectory. Each page is a query of its own, so that neither
    a server-side cursor nor a long transaction is needed.
    """
    members = version.members.select_related("task", "trajectory").order_by("position")
    if split is not None:
        members = members.filter(split=split)
    last = -1
    while True:
        page = list(members.filter(position__gt=last)[:PAGE])
        if not page:
            return
        yield page
        last = page[-1].position


def members(version: DatasetVersion, split: str | None = None) -> Iterator[DatasetMember]:
    """All members of a split, in order."""
    for page in pages(version, split):
        yield from page


def stored_trajectory(row: Trajectory, *, with_steps: bool = False) -> TrajectoryValue:
    """The trajectory as it was stored; without its steps unless they are wanted (records do not hold them)."""
    if with_steps:
        return row.to_value()
    return TrajectoryValue.model_validate_json(f'{row.body[:-1]},"steps":[]}}')


def plain_trajectory(member: DatasetMember) -> Record:
    """The trajectory of a member in the shape that the exports take."""
    row = member.trajectory
    assert row is not None, "a dataset of kind sft has trajectories"
    record = trajectory_record(stored_trajectory(row), identity=row.public_id, family=member.family)
    return {**record, "simulated_share": row.simulated_share}


def sft(version: DatasetVersion, split: str | None, selection: Selection | None = None) -> Iterator[Record]:
    """Training records: arguments as objects, tools as JSON text.

    Raises TrainingError naming trajectory and turn where one cannot be used as it is.
    """
    counted = selection or Selection()
    for member in members(version, split):
        counted.trajectories += 1
        for record in trajectory_records(plain_trajectory(member), EVERYTHING.reasoning):
            counted.records += 1
            yield record


def references(version: DatasetVersion, split: str | None, mode: Mode) -> Iterator[Record]:
    """Training records of the reference solutions of a split's tasks, played now through the meta-tools or directly.

    Raises TrainingError("data:reference") for a task whose reference no longer passes on the services as they are.
    """
    slugs = {mounted.slug for spec, _ in specs(version, split) for mounted in spec.services}
    with mounting_of(slugs) as mounting:
        for spec, family in specs(version, split):
            value = roll_out(spec, ReferencePolicy(), mounting, timer=time.monotonic, mode=mode)
            if value.passed is not True:
                words = f"the reference solution of task {spec.task_hash} does not pass any more: prove it again"
                raise TrainingError("data:reference", words)
            plain = trajectory_record(value, identity=f"reference-{spec.task_hash}", family=family)
            yield from trajectory_records(plain, EVERYTHING.reasoning)


def imitated(version: DatasetVersion, split: str | None, mode: Mode) -> Iterator[Record]:
    """What supervised fine-tuning imitates: the trajectories of a version, or the references of its tasks."""
    if version.dataset.kind == Dataset.Kind.SFT:
        return sft(version, split)
    return references(version, split, mode)


def wire(version: DatasetVersion, split: str | None) -> Iterator[Record]:
    """Chat records as APIs take them: arguments as JSON text, tools as objects."""
    return (wire_record(plain_trajectory(member)) for member in members(version, split))


def trajectories(version: DatasetVersion, split: str | None) -> Iterator[Record]:
    """Whole trajectories with steps and verdict, and which task, family and row each is."""
    for member in members(version, split):
        assert member.trajectory is not None
        value = stored_trajectory(member.trajectory, with_steps=True)
        head = {"id": member.trajectory.public_id, "task_id": value.task_hash, "family": member.family}
        yield {**head, "trajectory": json.loads(value.model_dump_json())}


def specs(version: DatasetVersion, split: str | None) -> Iterator[tuple[TaskSpec, str]]:
    """The distinct tasks of a split with their family, in the order of their first row."""
    seen = set()
    for member in members(version, split):
        if member.task_id not in seen:
            seen.add(member.task_id)
            yield member.task.to_spec(), member.family


def tasks(version: DatasetVersion, split: str | None) -> Iterator[Record]:
    """Task artifacts as they were proven."""
    return (json.loads(spec.model_dump_json()) for spec, _ in specs(version, split))


def prompts(version: DatasetVersion, split: str | None) -> Iterator[Record]:
    """Rows of a GRPO data set: task id, family, system prompt and instruction."""
    return (prompt_record({**task_record(spec), "family": family}, SYSTEM) for spec, family in specs(version, split))


def sized_prompts(version: DatasetVersion, split: str | None) -> Iterator[Record]:
    """Rows of a GRPO data set with the K and L of their tasks, by which a curriculum orders them."""
    for spec, family in specs(version, split):
        row = prompt_record({**task_record(spec), "family": family}, SYSTEM)
        yield {**row, "k": len(spec.needed), "l": len(spec.graph.walk)}


Stream = Callable[[DatasetVersion, "str | None"], Iterator[Record]]
STREAMS: Final[Mapping[str, Stream]] = {
    Export.Format.SFT: sft,
    Export.Format.SFT_PARQUET: sft,
    Export.Format.WIRE: wire,
    Export.Format.TRAJECTORIES: trajectories,
    Export.Format.TASKS: tasks,
    Export.Format.PROMPTS: prompts,
}


def splits_of(version: DatasetVersion) -> list[str]:
    """The splits that have rows, train first."""
    present = set(version.members.order_by().values_list("split", flat=True).distinct())
    return [split for split in DatasetMember.Split.values if split in present]


def mode_of(version: DatasetVersion) -> Mode:
    """How the tools were offered in the trajectories of a version: meta or direct.

    Raises ValueError where it differs: one policy cannot be trained on both.
    """
    rows: QuerySet[DatasetMember] = version.members.filter(trajectory__isnull=False)
    direct = rows.filter(trajectory__body__contains='"mode":"direct"').count()
    if 0 < direct < rows.count():
        raise ValueError("some trajectories call tools directly and some through the meta-tools: choose one kind")
    return "direct" if direct else "meta"
