"""What verification found: one report per service, one verdict per tool, evidence for each."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Outcome = Literal["pass", "fail", "untold"]


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Check(Frozen):
    """One check of one tool. `untold` is neither pass nor fail: the check could not be made, `note` says why."""

    tool: str
    name: str
    outcome: Outcome
    sent: Any = None
    expected: str = ""
    got: Any = None
    note: str = ""


class ToolReport(Frozen):
    """The gate's verdict on one tool."""

    name: str
    status: Literal["verified", "quarantined"]
    reason: str = ""
    checks: tuple[Check, ...] = ()
    live_parameters: tuple[str, ...] = ()
    """Parameters seen to change an observation or the state."""
    dead_parameters: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        return {
            outcome: sum(check.outcome == outcome for check in self.checks) for outcome in ("pass", "fail", "untold")
        }


class VerificationReport(Frozen):
    """Everything verification has to say about one version of a service."""

    slug: str
    version_hash: str
    tools: tuple[ToolReport, ...]
    problems: tuple[str, ...] = ()
    """What concerns the service as a whole: code that the static policy refuses, a seed that fails, bounds hit."""
    calls: int = 0
    seconds: float = 0.0
    own_tests: dict[str, int] = Field(default_factory=dict)

    @property
    def verified(self) -> tuple[str, ...]:
        return tuple(tool.name for tool in self.tools if tool.status == "verified")

    @property
    def quarantined(self) -> tuple[str, ...]:
        return tuple(tool.name for tool in self.tools if tool.status == "quarantined")

    @property
    def live_share(self) -> float:
        """Share of parameters that do something, over the parameters that could be tried."""
        live = sum(len(tool.live_parameters) for tool in self.tools)
        tried = live + sum(len(tool.dead_parameters) for tool in self.tools)
        return live / tried if tried else 1.0


def cut(value: Any, limit: int = 2000) -> Any:
    """A value small enough to keep as evidence: long text is cut, large containers become their text's head."""
    text = value if isinstance(value, str) else repr(value)
    if len(text) <= limit:
        return value
    return text[: limit - 1] + "…"
