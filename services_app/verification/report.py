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


class Survivor(Frozen):
    """A planted fault that no check noticed."""

    kind: str
    parameter: str = ""
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
    """Parameters without any effect and without a stated reason."""
    inert_parameters: dict[str, str] = Field(default_factory=dict)
    """Parameter -> why the builder says that it has no effect, where none was seen."""
    mutants_planted: int = 0
    mutants_killed: int = 0
    survivors: tuple[Survivor, ...] = ()

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
        """Share of parameters that do something, over the parameters that could be tried; 1 where there are none."""
        return self.live / self.tried if self.tried else 1.0

    @property
    def live(self) -> int:
        return sum(len(tool.live_parameters) for tool in self.tools)

    @property
    def tried(self) -> int:
        """Parameters that could be tried: live, dead, and declared to have no effect."""
        return self.live + sum(len(tool.dead_parameters) + len(tool.inert_parameters) for tool in self.tools)

    @property
    def mutants_planted(self) -> int:
        return sum(tool.mutants_planted for tool in self.tools)

    @property
    def mutants_killed(self) -> int:
        return sum(tool.mutants_killed for tool in self.tools)


def cut(value: Any, limit: int = 2000) -> Any:
    """A value small enough to keep as evidence: long text is cut, large containers become their text's head."""
    text = value if isinstance(value, str) else repr(value)
    if len(text) <= limit:
        return value
    return text[: limit - 1] + "…"
