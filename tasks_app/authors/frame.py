"""What a story frame consists of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """One situation: openings that give a reason, what roles, sums, dates and numbers are called in it."""

    name: str
    openings: tuple[str, ...]
    """At least one of them speaks of neither `{who}` nor `{topic}`, so that it fits any task."""
    people: tuple[str, ...]
    money: tuple[str, ...]
    dates: tuple[str, ...]
    codes: tuple[str, ...]
    endings: tuple[str, ...] = ()
