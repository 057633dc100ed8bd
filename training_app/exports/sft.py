"""Training records from trajectories.

A trajectory is a JSON object: `id`, `task_id`, `family` (lineage key), `status` (completed, truncated,
aborted), `messages` (wire form), `tools` (OpenAI function schemas), `verdict` ({"passed": bool | null,
"score": float}), `simulated_share` (0..1). A record is a row of a training set; see `RECORD_KEYS` for its
shape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from training_app.engine.errors import TrainingError
from training_app.exports.messages import Message, json_text, to_training, to_wire
from training_app.exports.pairing import check_pairing

Reasoning = Literal["none", "all", "per_turn"]
Record = dict[str, Any]
RECORD_KEYS = ("id", "task_id", "family", "messages", "tools", "score", "simulated_share")
"""messages: training form; tools: JSON text, so that no table merges the schemas of different tools."""


@dataclass(frozen=True)
class SFTOptions:
    """Which trajectories enter and how reasoning is kept.

    reasoning "none": removed everywhere. "all": kept in every turn (the template must print it in every
    turn). "per_turn": one record per assistant turn, its context as inference would have sent it (earlier
    reasoning gone), the turn itself with its reasoning, as `prompt` and `completion` instead of `messages`.
    """

    only_passed: bool = True
    allow_truncated: bool = False
    reasoning: Reasoning = "none"
    max_simulated_share: float = 1.0


@dataclass
class Selection:
    """Counts of a conversion while it runs: records written, and trajectories left out by reason."""

    trajectories: int = 0
    records: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


def sft_records(
    trajectories: Iterable[Mapping[str, Any]], options: SFTOptions, selection: Selection
) -> Iterator[Record]:
    """Stream training records; `selection` is filled along the way.

    Raises TrainingError naming trajectory and turn where a chosen trajectory is not usable as it is.
    """
    for trajectory in trajectories:
        reason = _reason_to_leave_out(trajectory, options)
        if reason:
            selection.left_out[reason] += 1
            continue
        selection.trajectories += 1
        for record in trajectory_records(trajectory, options.reasoning):
            selection.records += 1
            yield record


def trajectory_records(trajectory: Mapping[str, Any], reasoning: Reasoning) -> list[Record]:
    """The records of one trajectory: one, or one per assistant turn."""
    name = str(trajectory["id"])
    check_pairing(name, trajectory["messages"])
    messages = [
        to_training(message, f"trajectory {name}, turn {turn}")
        for turn, message in enumerate(trajectory["messages"], start=1)
    ]
    if not any(message["role"] == "assistant" for message in messages):
        raise TrainingError("data:empty", f"trajectory {name} has no assistant turn")
    common = _common(trajectory)
    if reasoning == "per_turn":
        return [{**common, **turn} for turn in _turns(messages)]
    if reasoning == "none":
        messages = [_without_reasoning(message) for message in messages]
    return [{**common, "messages": messages}]


def wire_record(trajectory: Mapping[str, Any]) -> Record:
    """The trajectory for API-style fine-tuning: arguments as JSON text, tools as objects."""
    name = str(trajectory["id"])
    check_pairing(name, trajectory["messages"])
    messages = [
        to_wire(message, f"trajectory {name}, turn {turn}")
        for turn, message in enumerate(trajectory["messages"], start=1)
    ]
    return {**_common(trajectory), "tools": list(trajectory.get("tools") or ()), "messages": messages}


def prompt_record(task: Mapping[str, Any], system_prompt: str = "") -> Record:
    """A GRPO row from a task: `task_id`, `family`, `prompt`, and the reference's length where it is known."""
    system = [{"role": "system", "content": system_prompt}] if system_prompt else []
    return {
        "task_id": str(task["task_id"]),
        "family": str(task.get("family") or ""),
        "prompt": [*system, {"role": "user", "content": str(task["instruction"])}],
    }


def _common(trajectory: Mapping[str, Any]) -> Record:
    verdict = trajectory.get("verdict") or {}
    return {
        "id": str(trajectory["id"]),
        "task_id": str(trajectory["task_id"]),
        "family": str(trajectory.get("family") or ""),
        "tools": json_text(list(trajectory.get("tools") or ())),
        "score": float(verdict.get("score") or 0.0),
        "simulated_share": float(trajectory.get("simulated_share") or 0.0),
    }


def _reason_to_leave_out(trajectory: Mapping[str, Any], options: SFTOptions) -> str:
    status = trajectory.get("status", "completed")
    verdict = trajectory.get("verdict") or {}
    if status != "completed" and not (status == "truncated" and options.allow_truncated):
        return str(status)
    if options.only_passed and verdict.get("passed") is not True:
        return "unknown" if verdict.get("passed") is None else "not passed"
    if float(trajectory.get("simulated_share") or 0.0) > options.max_simulated_share:
        return "too much simulated"
    return ""


def _turns(messages: Sequence[Message]) -> Iterator[Record]:
    for position, message in enumerate(messages):
        if message["role"] == "assistant":
            context = [_without_reasoning(earlier) for earlier in messages[:position]]
            yield {"prompt": context, "completion": [dict(message)]}


def _without_reasoning(message: Message) -> Message:
    return {key: value for key, value in message.items() if key != "reasoning_content"}
