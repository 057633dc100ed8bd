"""The workbench's own tasks as episodes for the trainers.

In a run's configuration: `episodes: "training_app.trainers.environments:library_tasks"` with the argument `tasks`,
the path of a file with one TaskSpec per line (and `mode`). Other mountings, such as generated services in sandboxes,
fit through `TaskEpisodes`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from services_app.engine.meta import META_TOOLS, direct_tools
from services_app.engine.protocol import Environment, LocalMounting, Mounting
from services_app.library import registry
from tasks_app.engine.rollout import dump_observation
from tasks_app.engine.rubric import verify
from tasks_app.engine.task import TaskSpec
from training_app.engine.errors import TrainingError
from training_app.engine.reward import Outcome
from training_app.exports.ndjson import read_ndjson

Mode = Literal["direct", "meta"]
COLLATERAL = "nothing_else_changed"
"""Criterion id of the write scope: a rollout that damages something else has not solved its task."""
_OUTCOMES: dict[str, Outcome] = {"pass": True, "fail": False, "unknown": None}
_KEPT = 256


@dataclass
class TaskEpisode:
    """One attempt at one task, on a fork of its initial state."""

    task: TaskSpec
    environment: Environment
    mode: Mode
    instruction: str = ""
    tools: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.instruction = self.task.instruction
        self.tools = list(META_TOOLS) if self.mode == "meta" else direct_tools(self.environment.catalogue)

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        """Perform a call of a meta-tool, or of a service's tool in direct mode."""
        if self.mode == "direct":
            name, arguments = "call_tool", {"tool": name, "arguments": arguments}
        return dump_observation(self.environment.meta(name, arguments))

    def finish(self, answer: str) -> dict[str, Outcome]:
        """The verdict of the task's own verifier."""
        verdict = verify(self.task.rubric, self.task.scope, self.environment, answer)
        self.environment.close()
        outcomes = {result.id: _OUTCOMES[result.status] for result in verdict.results}
        return {**outcomes, COLLATERAL: not verdict.collateral}


class TaskEpisodes:
    """Episodes of tasks by their hash. Initial states are mounted once and forked for each episode."""

    def __init__(self, tasks: Iterable[TaskSpec], mounting: Mounting, mode: Mode = "direct") -> None:
        self._tasks: Mapping[str, TaskSpec] = {task.task_hash: task for task in tasks}
        self._mounting, self._mode = mounting, mode
        self._initial: OrderedDict[str, Environment] = OrderedDict()
        self._lock = threading.Lock()

    def start(self, task_id: str) -> TaskEpisode:
        """A fresh episode. Raises KeyError for an unknown task, EngineError for a service that is not there."""
        task = self._tasks[task_id]
        with self._lock:
            environment = self._initial_state(task_id, task).fork()
        return TaskEpisode(task, environment, self._mode)

    def _initial_state(self, task_id: str, task: TaskSpec) -> Environment:
        if task_id not in self._initial:
            self._initial[task_id] = task.environment(self._mounting)
            if len(self._initial) > _KEPT:
                _, oldest = self._initial.popitem(last=False)
                oldest.close()
        self._initial.move_to_end(task_id)
        return self._initial[task_id]


def library_tasks(tasks: str, mode: Mode = "direct") -> TaskEpisodes:
    """Episodes of the tasks in a JSONL file, on the services that the library ships.

    Raises TrainingError: "config:tasks" for a file that cannot be read, "config:services" if a task needs a service
    that is not shipped, or was proved with another version of one.
    """
    specs = _read(Path(tasks))
    _check_services(specs)
    return TaskEpisodes(specs, LocalMounting(registry.load_all()), mode)


def _read(path: Path) -> list[TaskSpec]:
    try:
        return [TaskSpec.model_validate(record) for record in read_ndjson(path)]
    except (OSError, ValueError) as error:
        raise TrainingError("config:tasks", f"cannot read the tasks in {path.name}: {error}") from error


def _check_services(specs: Iterable[TaskSpec]) -> None:
    wanted = {(service.slug, service.version_hash) for spec in specs for service in spec.services}
    shipped = set(registry.slugs())
    missing = sorted({slug for slug, _ in wanted if slug not in shipped})
    if missing:
        raise TrainingError("config:services", f"services that the library does not ship: {', '.join(missing)}")
    stale = sorted({slug for slug, version in wanted if registry.load(slug).version_hash != version})
    if stale:
        raise TrainingError(
            "config:services", f"the tasks were proved with other versions of {', '.join(stale)}: prove them again"
        )
