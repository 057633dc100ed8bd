"""From the workbench's own trajectories and tasks to the plain dictionaries that the exports take."""

from __future__ import annotations

from typing import Any

from tasks_app.engine.task import TaskSpec
from tasks_app.engine.trajectory import StopReason, Trajectory

_STATUS: dict[StopReason, str] = {
    "answered": "completed",
    "policy_error": "aborted",
    "environment_error": "aborted",
}
"""Every other reason is a limit that was hit: the trajectory is truncated."""


def trajectory_record(trajectory: Trajectory, *, identity: str, family: str) -> dict[str, Any]:
    """The trajectory in the shape of exports.sft; `identity` is its own id, `family` the lineage of its task."""
    return {
        "id": identity,
        "task_id": trajectory.task_hash,
        "family": family,
        "status": _STATUS.get(trajectory.stop_reason, "truncated"),
        "messages": [dict(message) for message in trajectory.messages],
        "tools": list(trajectory.tools),
        "verdict": {"passed": trajectory.passed, "score": trajectory.score},
        "simulated_share": trajectory.simulated_share,
    }


def task_record(task: TaskSpec) -> dict[str, Any]:
    """The task in the shape of exports.sft.prompt_record."""
    return {"task_id": task.task_hash, "instruction": task.instruction, "family": task.lineage}
