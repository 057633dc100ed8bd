"""One tool under test, and what one call of it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from services_app.engine.catalogue import ToolInfo
from services_app.engine.environment import Defect
from services_app.engine.observation import Observation
from services_app.engine.protocol import Environment
from services_app.engine.schema import SchemaValidator
from services_app.specs.vocabulary import Reading, types_of, words_of

Json = Any
_REPEATS = frozenset(("echo", "ping"))


class Outcome(NamedTuple):
    """What one call did: its observation, the journal entries it wrote, the clock after it, how it broke."""

    observation: Observation
    changes: list[dict[str, Json]]
    now: str
    broke: str

    @property
    def success(self) -> bool:
        return bool(self.observation["success"])


@dataclass
class Subject:
    """One tool under test: what the specification says, and a call that works once one is found."""

    info: ToolInfo
    reading: Reading
    validator: SchemaValidator
    working: dict[str, Json] | None = None
    observation: Observation | None = None
    last_error: Json = None
    broke: str = ""
    """How the service broke in the last attempt, with the bound where one was hit; "" while it only refuses."""
    changed: bool = False
    before: tuple[tuple[str, dict[str, Json]], ...] = ()
    """Calls that lead from the seeded state to the one in which `working` succeeds."""
    start: Environment | None = None
    crash: tuple[dict[str, Json], str] | None = None
    """Valid arguments that broke the service in a probe, and how."""
    showed: list[tuple[int, dict[str, Json]]] = field(default_factory=list)
    """Probes that succeeded: how long the result was, and the call."""

    writes: list[dict[str, Json]] | None = None
    """Calls that were seen to change the state; None: none is known yet."""
    seen_from: tuple[str, dict[str, Json]] | None = None
    """A write of another tool, and its arguments, after which this one answers differently."""

    @property
    def schema(self) -> Mapping[str, Any]:
        return self.info.input_schema


def breakage(defect: Defect) -> str:
    """A sentence about code that broke: the bound of the sandbox that it hit, or its own fault."""
    if defect.kind == "MemoryError":
        return "it hit the sandbox's memory bound"
    if defect.kind in ("PermissionError", "OSError", "BlockingIOError"):
        return f"the sandbox refused what it tried: {defect.message}"
    return f"it breaks: {defect.kind}: {defect.message}"


def related(writer: Subject, subject: Subject) -> bool:
    """Whether a write may prepare the ground: both names share a word of their nouns."""
    return bool(set(writer.reading.noun.split("_")) & set(subject.reading.noun.split("_"))) or not subject.reading.noun


def fits(value: Json, schema: Mapping[str, Any]) -> bool:
    """Whether a plain value has a type that the schema names."""
    kinds = types_of(schema)
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return False
    if not kinds:
        return True
    if isinstance(value, str):
        return "string" in kinds
    whole = isinstance(value, int | float) and ("number" in kinds or ("integer" in kinds and float(value).is_integer()))
    return bool(whole)


def repeats(subject: Subject) -> bool:
    """Whether a tool is there to say what it was told, or just that it is there."""
    return bool(_REPEATS & set(words_of(subject.info.name)))
