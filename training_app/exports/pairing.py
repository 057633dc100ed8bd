"""Every tool call has exactly one answer, every answer a call: checked in both directions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from training_app.engine.errors import TrainingError


def check_pairing(trajectory_id: str, messages: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a history whose calls and answers do not pair, naming trajectory and turn.

    Calls of one turn must have unique, non-empty ids and be answered in their order before anything else
    follows. Templates of many models print answers without their ids, so a changed order would change the
    meaning. Raises TrainingError("data:pairing"); turns count from 1.
    """
    waiting: list[str] = []
    opened = 0
    for turn, message in enumerate(messages, start=1):
        where = f"trajectory {trajectory_id}, turn {turn}"
        if message["role"] == "tool":
            _answer(waiting, str(message.get("tool_call_id") or ""), where)
            continue
        if waiting:
            raise _problem(f"{where}: {_names(waiting)} of turn {opened} has no answer")
        if message.get("tool_calls"):
            waiting, opened = _ids(message["tool_calls"], where), turn
    if waiting:
        raise _problem(f"trajectory {trajectory_id}, turn {opened}: {_names(waiting)} has no answer before the end")


def _ids(calls: Sequence[Mapping[str, Any]], where: str) -> list[str]:
    ids = [str(call.get("id") or "") for call in calls]
    if "" in ids:
        raise _problem(f"{where}: a tool call has no id")
    if len(set(ids)) < len(ids):
        raise _problem(f"{where}: two tool calls share an id")
    return ids


def _answer(waiting: list[str], answered: str, where: str) -> None:
    if answered not in waiting:
        raise _problem(f"{where}: the answer to {answered or 'no id'!s} belongs to no open call")
    if waiting[0] != answered:
        raise _problem(f"{where}: the answer to {answered} comes before the answer to {waiting[0]}")
    waiting.pop(0)


def _names(ids: Sequence[str]) -> str:
    return f"call {', '.join(ids)}"


def _problem(message: str) -> TrainingError:
    return TrainingError("data:pairing", message)
