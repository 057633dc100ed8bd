"""What information a service can give and take, from its effect profile: which services can feed each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tasks_app.engine.profile import ParameterProfile, ServiceProfile, ToolProfile

_SAYS_NOTHING: Final = frozenset({"", "id", "ref", "flag", "object", "text", "label"})
"""Kinds that are no information another service could use: keys of its own, switches, words about one thing."""


@dataclass(frozen=True, slots=True)
class Flow:
    """Kinds of values (email, money, duration:hours ...) that a service's reads show and that its calls take."""

    gives: frozenset[str]
    takes: frozenset[str]
    tells: frozenset[str] = frozenset()
    """Facts that people pass on about its records, and their classes; empty where nobody has written about it."""
    asks: frozenset[str] = frozenset()
    """Classes of facts that people put into its fields."""
    hears: frozenset[str] = frozenset()
    """Classes of facts that people pass on in its texts."""
    named: frozenset[str] = frozenset()
    """Single facts of others that people put there, whatever they have to do with each other."""


def flow_of(profile: ServiceProfile) -> Flow:
    """What the working tools of a service give and take."""
    working = [tool for tool in profile.tools.values() if tool.works]
    gives = {key for tool in working if not tool.writes for key in tool.returns}
    takes = {key for tool in working for detail in tool.parameters.values() for key in _columns(tool, detail)}
    return Flow(_kinds(profile, gives), _kinds(profile, takes))


def exchanged(source: Flow, target: Flow) -> frozenset[str]:
    """Kinds that the source shows and the target takes."""
    return source.gives & target.takes


def passed_on(source: Flow, target: Flow, *, heard: bool = True, traded: bool = True) -> frozenset[str]:
    """What people would carry from one to the other: classes of facts where both are written about, else kinds.

    `heard`: whether those who read the texts of the target have a use for facts of the source; `traded`: whether
    values of the source go into fields of the target.
    """
    if not (source.tells and (target.asks or target.hears or target.named)):
        return exchanged(source, target)
    taken = (target.asks if traded else frozenset()) | (target.hears if heard else frozenset())
    return source.tells & (taken | target.named)


def _columns(tool: ToolProfile, detail: ParameterProfile) -> set[str]:
    """Columns that a parameter selects by or writes to; for a target, the column that names the record."""
    landed = {landing.column for landing in detail.lands} if tool.writes else set()
    return {*detail.selects, *landed, *([detail.target] if detail.target else [])}


def _kinds(profile: ServiceProfile, keys: set[str]) -> frozenset[str]:
    columns = (profile.columns[key] for key in keys if key in profile.columns)
    return frozenset(
        f"{column.kind}:{column.unit}" if column.unit else column.kind
        for column in columns
        if column.kind not in _SAYS_NOTHING and not column.system
    )
