"""How well a specification reads, in points: 100 is a tool that the linter has nothing to say about.

A tool loses the cost of each rule that applies to it, once. A service has the mean of its tools, with a refused tool
as 0, less 3 points for each remark on the service as a whole (20 at most).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from services_app.specs.lint_rules import MOST_SERVICE_COST, RULES, SERVICE_COST
from services_app.specs.linter import lint
from services_app.specs.model import Note, Specification


class LintReport(NamedTuple):
    """Scores from 0 to 100. `score` is None for a specification without tools."""

    score: int | None
    tools: dict[str, int]
    codes: dict[str, tuple[str, ...]]
    """Tool -> codes of the rules that apply to it, in their order."""
    notes: tuple[Note, ...]

    def to_json(self) -> dict[str, Any]:
        """What is kept: scores and codes. The notes follow from the content."""
        tools = {name: {"score": score, "codes": list(self.codes[name])} for name, score in self.tools.items()}
        whole = [note.code for note in self.notes if note.tool is None]
        return {"score": self.score, "remarks": len(self.notes), "tools": tools, "service": whole}


def lint_report(spec: Specification) -> LintReport:
    """Lint a specification and count the points."""
    notes = lint(spec)
    codes: dict[str, set[str]] = defaultdict(set)
    for note in notes:
        codes[note.tool or ""].add(note.code)
    tools = {tool.name: tool_score(codes[tool.name]) for tool in spec.tools}
    whole = sum(note.tool is None for note in notes)
    counted = len(tools) + len(spec.refused)
    lost = min(MOST_SERVICE_COST, SERVICE_COST * whole)
    score = max(0, round(sum(tools.values()) / counted) - lost) if counted else None
    return LintReport(score, tools, {name: tuple(sorted(codes[name])) for name in tools}, notes)


def tool_score(codes: Iterable[str]) -> int:
    """Points of a tool to which these rules apply."""
    return max(0, 100 - sum(RULES[code].cost for code in set(codes) if code in RULES))
