"""What a stored rollout did, step by step, and where it left the path of the best one of its group."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class LaneStep:
    """A tool call with its answer, or the final text (`name` empty). Numbers start at 1."""

    number: int
    turn: int
    name: str
    arguments: str
    observation: str
    failed: bool = False
    diverges: bool = False

    @property
    def signature(self) -> tuple[str, str]:
        """What has to be equal for two steps to be the same; final texts are compared by their words too."""
        return (self.name, self.arguments)


def steps_of(row: Mapping[str, Any]) -> list[LaneStep]:
    """The calls of a stored rollout in order, each with the answer that followed, and its last text."""
    found: list[LaneStep] = []
    answers = [one for one in row.get("messages") or () if one.get("role") == "tool"]
    turn = 0
    for message in row.get("messages") or ():
        if message.get("role") != "assistant":
            continue
        turn += 1
        calls = message.get("tool_calls") or ()
        for call in calls:
            answer = answers[len(found)] if len(found) < len(answers) else {}
            found.append(_call(len(found) + 1, turn, call.get("function") or {}, str(answer.get("content") or "")))
        if not calls and message.get("content"):
            found.append(
                LaneStep(len(found) + 1, turn, "", str(message["content"]), "", bool(message.get("truncated")))
            )
    return found


def _call(number: int, turn: int, function: Mapping[str, Any], observation: str) -> LaneStep:
    name, arguments = str(function.get("name") or ""), function.get("arguments")
    if name == "call_tool" and isinstance(arguments, dict) and "tool" in arguments:
        name = ".".join(str(part) for part in (arguments.get("service"), arguments["tool"]) if part)
        arguments = arguments.get("arguments", {})
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, sort_keys=True)
    failed = '"success": false' in observation or '"success":false' in observation
    return LaneStep(number, turn, name or "?", text, observation, failed)


def best_of(rows: Sequence[Mapping[str, Any]]) -> int | None:
    """Index of the rollout with the highest reward (the shortest of equals); None where none has a reward."""
    known = [row for row in rows if row.get("reward") is not None]
    if not known:
        return None
    best = max(known, key=lambda row: (row["reward"], -int(row.get("calls") or 0), -int(row["index"])))
    return int(best["index"])


def first_difference(lane: Sequence[LaneStep], best: Sequence[LaneStep]) -> int | None:
    """Number of the first step that is not the same as the best rollout's; None where they are equal.

    A lane that ends too early leaves the path after its last step, which is then named.
    """
    for own, other in zip(lane, best, strict=False):
        if own.signature != other.signature:
            return own.number
    if len(lane) < len(best):
        return lane[-1].number if lane else None
    return best[-1].number + 1 if len(lane) > len(best) else None
