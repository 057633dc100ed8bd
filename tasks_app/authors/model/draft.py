"""What the model has designed so far, and what it was asked for."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from services_app.builders.model.workspace import WorkError
from tasks_app.engine.program import Step
from tasks_app.engine.task import Frozen, Scale, StateEdit
from tasks_app.engine.walk import WalkError, check_walk

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Brief:
    """What one task has to be. `walk` is the one that was drawn; another over the same services will do."""

    walk: tuple[str, ...]
    length: tuple[int, int]
    """Fewest and most visits of a walk."""
    seed: int
    state_seed: int
    scale: Scale = "small"

    @property
    def needed(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.walk))


class EdgeDraft(Frozen):
    """What is carried from one visit to the next."""

    register_name: str
    """Register of the reference program that holds the value."""
    name: str
    """Its name in people's words, as the instruction says it: "invoice number"."""
    ablation: tuple[StateEdit, ...] = ()
    """Edits that put another value in its place; without them some are searched for."""


class Draft(BaseModel):
    """A task in the making."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    walk: tuple[str, ...]
    instruction: str = ""
    plant: tuple[StateEdit, ...] = ()
    edges: tuple[EdgeDraft, ...] = ()
    steps: tuple[Step, ...] = ()
    """Reference program; calls are numbered from 1 and know whether they write."""


def read_edits(given: Sequence[Any]) -> tuple[StateEdit, ...]:
    """Planted records. Raises WorkError in words."""
    return _read(TypeAdapter(tuple[StateEdit, ...]), given, "plant")


def read_edges(given: Sequence[Any]) -> tuple[EdgeDraft, ...]:
    """Edges of the graph. Raises WorkError in words."""
    return _read(TypeAdapter(tuple[EdgeDraft, ...]), given, "edges")


def _read(adapter: TypeAdapter[Value], given: Any, name: str) -> Value:
    try:
        return adapter.validate_python(given)
    except ValidationError as error:
        raise WorkError(f"{name}: {problems_of(error)}") from error


def problems_of(error: ValidationError) -> str:
    """What pydantic found wrong, in one line."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    said = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in found[:4]]
    return "; ".join(said) + (f"; and {len(found) - 4} more" if len(found) > 4 else "")


def check_design(walk: Sequence[str], brief: Brief) -> None:
    """Raise WorkError when `walk` is no walk over the needed services of the wanted length."""
    if set(walk) != set(brief.needed):
        raise WorkError(f"The walk visits each of {', '.join(brief.needed)} and no other service.")
    if not brief.length[0] <= len(walk) <= brief.length[1]:
        raise WorkError(f"The walk has {brief.length[0]} to {brief.length[1]} visits, not {len(walk)}.")
    if any(one == other for one, other in itertools.pairwise(walk)):
        raise WorkError("The walk never visits a service twice in a row.")
    try:
        check_walk(len(brief.needed), len(walk))
    except WalkError as error:
        raise WorkError(str(error)) from error
