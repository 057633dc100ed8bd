"""Whether episodes offer the tools that the data was made with: another list is another prompt than was imitated."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

_LISTED = 5


class Findings(Protocol):
    """Where the outcome goes."""

    figures: dict[str, Any]
    problems: list[str]


class ToolLists:
    """Tools of recorded solutions by task id, compared with what the episodes of the same tasks offer."""

    def __init__(self, records: Mapping[str, Mapping[str, Any]]) -> None:
        self._records = records
        self._compared = 0
        self._different: dict[str, str] = {}

    def compare(self, task_id: str, offered: Sequence[Mapping[str, Any]]) -> None:
        """Look at one task; one without a recorded solution is passed over."""
        record = self._records.get(task_id)
        if record is None:
            return
        self._compared += 1
        words = _difference(_by_name(json.loads(record["tools"])), _by_name(offered))
        if words:
            self._different[task_id] = words

    def conclude(self, report: Findings) -> None:
        """Put the numbers, and a problem if there is one, into the report."""
        report.figures["tool_lists_compared"] = self._compared
        if self._different:
            task_id, words = next(iter(self._different.items()))
            report.problems.append(
                f"{len(self._different)} of {self._compared} reference solutions were made with another tool list than "
                f"their episodes offer (first: {task_id}: {words}): make the data anew, or train in the mode it was "
                "made in"
            )


def _by_name(tools: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {tool["function"]["name"]: json.dumps(tool, sort_keys=True) for tool in tools}


def _difference(recorded: Mapping[str, str], offered: Mapping[str, str]) -> str:
    """In words; "" where the lists are equal. Their order does not count."""
    gone, new = sorted(recorded.keys() - offered.keys()), sorted(offered.keys() - recorded.keys())
    changed = [name for name in sorted(recorded.keys() & offered.keys()) if recorded[name] != offered[name]]
    parts = (("not offered", gone), ("not in the data", new), ("described otherwise", changed))
    return "; ".join(f"{len(names)} {words}: {_some(names)}" for words, names in parts if names)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_LISTED]) + (" and more" if len(names) > _LISTED else "")
