"""What an evaluation is made of: attempts at tasks, from any policy, local or behind an endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Attempt(BaseModel):
    """One attempt at one task. An attempt without a verdict (crash, outage) is invalid and counts nowhere."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    task_id: str
    index: int = Field(ge=0, description="Number of the attempt at this task, from 0.")
    status: str = "completed"
    detail: str = ""
    verdict: dict[str, bool | None] | None = None
    calls: tuple[tuple[str, str], ...] = Field(default=(), description="(tool, arguments as JSON text) in order.")
    turns: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None

    @property
    def valid(self) -> bool:
        """Was every criterion judged?"""
        return bool(self.verdict) and None not in (self.verdict or {}).values()

    @property
    def solved(self) -> bool:
        """Every criterion met."""
        return self.valid and all((self.verdict or {}).values())

    @property
    def score(self) -> float:
        """Share of criteria met, 0..1; 0.0 if there is no verdict."""
        outcomes = [bool(outcome) for outcome in (self.verdict or {}).values()]
        return sum(outcomes) / len(outcomes) if outcomes else 0.0

    @property
    def missed(self) -> tuple[str, ...]:
        """Criteria that were judged and not met."""
        return tuple(sorted(name for name, outcome in (self.verdict or {}).items() if outcome is False))


def read_attempts(records: list[Mapping[str, Any]]) -> list[Attempt]:
    """Parse stored records. Raises pydantic's ValidationError."""
    return [Attempt.model_validate(record) for record in records]
