"""Data of the check: a few practice tasks on shipped services and their reference solutions, as files for the trainers.

Nothing here needs a database, so that the check runs on a bare machine with a GPU.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from services_app.engine.protocol import Mounting
from tasks_app.authors import practice
from tasks_app.engine.rollout import SYSTEM, roll_out
from tasks_app.engine.task import TaskSpec
from tasks_app.policies.rules import ReferencePolicy
from training_app.exports.ndjson import write_ndjson
from training_app.exports.sft import prompt_record, trajectory_records
from training_app.exports.trajectories import task_record, trajectory_record

EPISODES: Final = "training_app.trainers.environments:library_tasks"
SEED: Final = 11


@dataclass(frozen=True)
class World:
    """Where the files lie: SFT records, prompts of the same tasks, and the tasks themselves."""

    records: Path
    prompts: Path
    tasks: Path
    system_prompt: str = SYSTEM


def write_world(directory: Path, count: int) -> World:
    """Write `count` proven tasks. Raises ValueError naming the claim for a task that cannot be proven."""
    mounting = practice.local_mounting()
    specs = list(practice.write_many(count, seed=SEED, mounting=mounting))
    world = World(directory / "records.jsonl", directory / "prompts.jsonl", directory / "tasks.jsonl")
    write_ndjson(world.tasks, (json.loads(spec.model_dump_json()) for spec in specs))
    write_ndjson(world.prompts, (prompt_record(task_record(spec), SYSTEM) for spec in specs))
    write_ndjson(world.records, _solved(specs, mounting))
    return world


def _solved(specs: Sequence[TaskSpec], mounting: Mounting) -> Iterator[dict[str, Any]]:
    for spec in specs:
        value = roll_out(spec, ReferencePolicy(), mounting, timer=time.monotonic, mode="direct")
        plain = trajectory_record(value, identity=f"reference-{spec.task_hash}", family=spec.lineage)
        yield from trajectory_records(plain, "none")
