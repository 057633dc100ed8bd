"""The record of one rollout: what the policy said and did, what it saw, what changed, how it was judged."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from tasks_app.engine.task import Frozen

StopReason = Literal[
    "answered", "steps", "turns", "time", "tokens", "cost", "truncated", "policy_error", "environment_error"
]


class Step(Frozen):
    """One tool call of the policy: a discovery call (`service` is "") or a call of a service's tool."""

    index: int
    turn: int
    """Which assistant message made the call."""
    name: str
    """Function name as called: call_tool, list_tools ... or an exposed tool name in direct mode."""
    arguments: Any
    """As sent; text when it was no JSON."""
    service: str = ""
    tool: str = ""
    tool_arguments: Any = None
    coerced: tuple[str, ...] = ()
    observation: dict[str, Any]
    success: bool
    simulated: bool = False
    changes: tuple[dict[str, Any], ...] = ()
    decided: tuple[str, ...] = ()
    """Criteria that began to pass with this step and still pass at the end."""
    broke: tuple[str, ...] = ()
    """Criteria that stopped passing with this step and fail at the end."""
    duration_ms: float = 0.0


class Usage(Frozen):
    """What a rollout consumed."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    model_calls: int = 0


class Trajectory(Frozen):
    """A finished rollout. `verdict` is None when the outcome could not be told (crash, sandbox lost)."""

    version: Literal[1] = 1
    task_hash: str
    policy: str
    seed: int = 0
    mode: Literal["meta", "direct"] = "meta"
    messages: tuple[dict[str, Any], ...]
    """OpenAI chat form: arguments are JSON text, content is always text."""
    tools: tuple[dict[str, Any], ...]
    """Function schemas the policy was given."""
    steps: tuple[Step, ...]
    answer: str = ""
    stop_reason: StopReason
    error: str = ""
    verdict: dict[str, Any] | None = None
    state_hash: str = ""
    usage: Usage = Field(default_factory=Usage)
    duration_ms: float = 0.0

    @property
    def passed(self) -> bool | None:
        """True, False, or None when it could not be told."""
        return None if self.verdict is None else self.verdict["passed"]

    @property
    def score(self) -> float | None:
        """Share of criteria that pass."""
        return None if self.verdict is None else self.verdict["score"]

    @property
    def simulated_share(self) -> float:
        """Share of service calls answered by a world model."""
        calls = [step for step in self.steps if step.service]
        return sum(step.simulated for step in calls) / len(calls) if calls else 0.0
