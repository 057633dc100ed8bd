"""What stands on a tool: tasks, trajectories, datasets. The apps above register how to find and mark it.

`services_app` must not import the apps that use it, and still has to say what a quarantine would break.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Impact:
    """One kind of thing that depends on a set of tools."""

    label: str
    count: int
    samples: tuple[tuple[str, str], ...] = ()
    """(text, URL) of a few."""


SAMPLES = 5


def few_and_count(rows: QuerySet[M]) -> tuple[list[M], int]:
    """Some rows and the number of all, which is only asked for when there are more than a few."""
    found = list(rows[: SAMPLES + 1])
    return found[:SAMPLES], rows.count() if len(found) > SAMPLES else len(found)


@dataclass(frozen=True, slots=True)
class Dependants:
    """How one app answers for what it built on tools."""

    impact: Callable[[Iterable[UUID]], list[Impact]]
    mark_stale: Callable[[Iterable[UUID], str], list[str]]
    """(tool ids, reason) -> ids of what became stale by this."""
    restore: Callable[[Iterable[str]], int]
    """Take `mark_stale` back for exactly these ids."""
    mark_mounting: Callable[[UUID, str], list[str]] = lambda _service, _reason: []
    """(service id, reason) -> ids of what became stale because it mounts the service, whichever tools it calls."""


_registered: list[Dependants] = []


def register(dependants: Dependants) -> None:
    """Called once by each app that builds on tools, from its AppConfig."""
    _registered.append(dependants)


def impact(tools: Iterable[UUID]) -> list[Impact]:
    ids = list(tools)
    return [entry for dependants in _registered for entry in dependants.impact(ids)]


def mark_stale(tools: Iterable[UUID], reason: str) -> list[str]:
    ids = list(tools)
    return [marked for dependants in _registered for marked in dependants.mark_stale(ids, reason)]


def service_changed(service: UUID, tools: Iterable[UUID], reason: str) -> list[str]:
    """Mark what stands on the tools of a service that has a new version, and what only mounts it."""
    return [
        *mark_stale(tools, reason),
        *(marked for dependants in _registered for marked in dependants.mark_mounting(service, reason)),
    ]


def restore(marked: Iterable[str]) -> int:
    ids = list(marked)
    return sum(dependants.restore(ids) for dependants in _registered)
