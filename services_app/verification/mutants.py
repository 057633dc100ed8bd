"""Faults planted around an environment: one tool of it behaves as a faulty implementation would.

Black boxes: nothing is known of the implementation, so they fit every service.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from services_app.engine.observation import Observation
from services_app.engine.protocol import Environment
from services_app.verification.parameters import drop, put, value_at

Json = Any
Arguments = dict[str, Json]
Act = Callable[["Mutated", Arguments], Observation]


@dataclass(frozen=True)
class Fault:
    """One planted fault: what it is called, the parameter it is about, and how the tool now acts."""

    kind: str
    act: Act
    parameter: str = ""


class Mutated:
    """An environment in which one tool has a fault; forks have it too. `first` is the state it was planted in."""

    def __init__(
        self, inner: Environment, slug: str, tool: str, fault: Fault, first: Environment | None = None
    ) -> None:
        self.inner = inner
        self.slug = slug
        self.tool = tool
        self.first = first or inner
        self._fault = fault

    def call(self, service: str, tool: str, arguments: object = None) -> Observation:
        if tool != self.tool or not isinstance(arguments, dict):
            return self.inner.call(service, tool, arguments)
        return self._fault.act(self, arguments)

    def plain(self, arguments: Arguments) -> Observation:
        """The call as the tool would answer it."""
        return self.inner.call(self.slug, self.tool, arguments)

    def fork(self) -> Mutated:
        return Mutated(self.inner.fork(), self.slug, self.tool, self._fault, self.first)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def planted(environment: Environment, slug: str, tool: str, fault: Fault) -> Environment:
    """The environment with the fault."""
    return cast(Environment, Mutated(environment, slug, tool, fault))


def drop_write() -> Fault:
    """The tool answers as ever and writes nothing."""

    def act(mutated: Mutated, arguments: Arguments) -> Observation:
        trial = mutated.inner.fork()
        observation = trial.call(mutated.slug, mutated.tool, arguments)
        trial.close()
        return observation

    return Fault("drop_write", act)


def duplicate_write() -> Fault:
    """The tool writes twice."""

    def act(mutated: Mutated, arguments: Arguments) -> Observation:
        observation = mutated.plain(arguments)
        if observation["success"]:
            mutated.plain(arguments)
        return observation

    return Fault("duplicate_write", act)


def stale_read() -> Fault:
    """The tool answers from the state in which the environment began."""

    def act(mutated: Mutated, arguments: Arguments) -> Observation:
        trial = mutated.first.fork()
        observation = trial.call(mutated.slug, mutated.tool, arguments)
        trial.close()
        return observation

    return Fault("stale_read", act)


def ignore(name: str, path: tuple[str, ...]) -> Fault:
    """The tool ignores an optional parameter."""
    return Fault("ignore_parameter", lambda mutated, arguments: mutated.plain(drop(arguments, path)), name)


def one_more(name: str, path: tuple[str, ...]) -> Fault:
    """A limit, an offset or a page number is one too large."""

    def act(mutated: Mutated, arguments: Arguments) -> Observation:
        number = value_at(arguments, path)
        whole = isinstance(number, int) and not isinstance(number, bool)
        return mutated.plain(put(arguments, path, number + 1) if whole else arguments)

    return Fault("off_by_one", act, name)


def swap(name: str, path: tuple[str, ...], one: Json, other: Json, kind: str = "swap_ids") -> Fault:
    """Two known values of a parameter are taken for each other."""

    def act(mutated: Mutated, arguments: Arguments) -> Observation:
        sent = value_at(arguments, path)
        instead = other if sent == one else one if sent == other else None
        return mutated.plain(arguments if instead is None else put(arguments, path, instead))

    return Fault(kind, act, name)


def accept_bad_enum(name: str, path: tuple[str, ...], choices: list[Json]) -> Fault:
    """A value that the enum does not hold is taken for its first."""

    def act(mutated: Mutated, arguments: Arguments) -> Observation:
        sent = value_at(arguments, path)
        bad = sent is not None and sent not in choices
        return mutated.plain(put(arguments, path, choices[0]) if bad else arguments)

    return Fault("accept_bad_enum", act, name)


def error_to_success() -> Fault:
    """A refused call is answered with an empty success."""

    def act(mutated: Mutated, arguments: Arguments) -> Observation:
        observation = mutated.plain(arguments)
        return observation if observation["success"] else {"success": True, "data": {}}

    return Fault("error_to_success", act)
