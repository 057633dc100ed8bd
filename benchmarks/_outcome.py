"""What is kept of each measured specification, and the totals over many, in all and by domain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

MOST_REASONS = 25


@dataclass
class Outcome:
    """What became of one specification. Tools by original name; seconds of wall time; memory of
    the measuring process and its sandboxes together."""

    slug: str
    domain: str = "other"
    tools: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    verified: list[str] = field(default_factory=list)
    simulated: list[str] = field(default_factory=list)
    quarantined: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    live: int = 0
    dead: int = 0
    inert: int = 0
    mutants_planted: int = 0
    mutants_killed: int = 0
    controls: dict[str, list[int]] = field(default_factory=dict)
    """Pretence -> [tools judged, tools verified]."""
    own_tests: dict[str, int] = field(default_factory=dict)
    calls: int = 0
    build_seconds: float = 0.0
    verify_seconds: float = 0.0
    peak_mb: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Totals with the most frequent reasons, and the same figures for each domain."""
    domains = sorted({outcome.domain for outcome in outcomes})
    return {
        **_figures(outcomes),
        "reasons": _frequent(reason for outcome in outcomes for reason in _reasons(outcome)),
        "problems": _frequent(problem.split(": ")[0] for outcome in outcomes for problem in outcome.problems),
        "controls": _controls(outcomes),
        "domains": {name: _figures([one for one in outcomes if one.domain == name]) for name in domains},
    }


def _figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    tools = sum(one.tools for one in outcomes)
    verified = sum(len(one.verified) for one in outcomes)
    live, dead, inert = (sum(getattr(one, name) for one in outcomes) for name in ("live", "dead", "inert"))
    planted, killed = sum(one.mutants_planted for one in outcomes), sum(one.mutants_killed for one in outcomes)
    seconds = sum(one.build_seconds + one.verify_seconds for one in outcomes)
    return {
        "services": len(outcomes),
        "services_with_a_usable_tool": sum(bool(one.verified or one.simulated) for one in outcomes),
        "services_complete": sum(bool(one.tools) and len(one.verified) == one.tools for one in outcomes),
        "tools": tools,
        "verified": verified,
        "simulated": sum(len(one.simulated) for one in outcomes),
        "quarantined": sum(len(one.quarantined) + len(one.left_out) for one in outcomes),
        "verified_share": _share(verified, tools),
        "live_parameters": live,
        "live_share": _share(live, live + dead + inert),
        "mutants": planted,
        "mutants_killed_share": _share(killed, planted),
        "calls": sum(one.calls for one in outcomes),
        "build_seconds": round(sum(one.build_seconds for one in outcomes), 1),
        "verify_seconds": round(sum(one.verify_seconds for one in outcomes), 1),
        "seconds_per_tool": round(seconds / tools, 3) if tools else None,
        "peak_mb": max((one.peak_mb for one in outcomes), default=0.0),
    }


def _controls(outcomes: Sequence[Outcome]) -> dict[str, dict[str, Any]]:
    """Tools that only pretended, by kind of pretence: how many the gate verified all the same."""
    totals: dict[str, list[int]] = {}
    for one in outcomes:
        for name, (tools, verified) in one.controls.items():
            before = totals.get(name, [0, 0])
            totals[name] = [before[0] + tools, before[1] + verified]
    return {
        name: {"tools": tools, "verified": verified, "share": _share(verified, tools)}
        for name, (tools, verified) in totals.items()
    }


def _share(part: int, whole: int) -> float | None:
    """None where there was nothing to take a share of: that is not the same as nothing being right."""
    return round(part / whole, 4) if whole else None


def _reasons(outcome: Outcome) -> Iterator[str]:
    yield from (f"left out: {reason}" for reason in outcome.left_out.values())
    yield from (reason.split(":")[0] for reason in outcome.quarantined.values())


def _frequent(reasons: Iterable[str]) -> dict[str, int]:
    return dict(Counter(reasons).most_common(MOST_REASONS))


def sentences(figures: Mapping[str, Any]) -> Iterator[str]:
    """The figures for a person: a line for each domain, the total, the reasons."""
    head = ("domain", "services", "tools", "verified", "simulated", "quarantined", "live", "mutants", "s/tool", "MB")
    yield _line(head)
    for name, row in figures["domains"].items():
        yield _line(_cells(name, row))
    yield _line(_cells("all", figures))
    yield ""
    for name, row in figures["controls"].items():
        yield f"control {name}: {row['verified']} of {row['tools']} tools verified ({_percent(row['share'])})"
    yield from (f"{count:>6}  {reason}" for reason, count in figures["reasons"].items())
    yield from (f"{count:>6}  problem: {problem}" for problem, count in figures["problems"].items())


def _cells(name: str, row: Mapping[str, Any]) -> tuple[str, ...]:
    keys = ("services", "tools", "verified", "simulated", "quarantined")
    shares = tuple(_percent(row[key]) for key in ("live_share", "mutants_killed_share"))
    return (name, *(str(row[key]) for key in keys), *shares, str(row["seconds_per_tool"]), str(row["peak_mb"]))


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _line(cells: Sequence[str]) -> str:
    return f"{cells[0]:<26}" + "".join(f"{cell:>12}" for cell in cells[1:])
