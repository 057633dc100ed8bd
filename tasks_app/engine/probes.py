"""What profiling is made of: parameters as schemas describe them, calls and what they showed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from services_app.engine.catalogue import ToolInfo
from tasks_app.engine.columns import shape_of

Row = dict[str, Any]
RANGE_START = re.compile(r"(^|_)(from|since|after|starts?|first|begin)(_|$)")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter as far as the schema and its meaning tell."""

    name: str
    required: bool
    type: str
    many: bool
    choices: tuple[Any, ...]
    default: Any
    kind: str
    unit: str
    target: str
    minimum: float | None

    def send(self, value: Any) -> Any:
        """`value` in the form that the parameter takes."""
        return [value] if self.many and not isinstance(value, list) else value


@dataclass(frozen=True)
class Probe:
    """One probing call: the row that the arguments were made around, and what came of it."""

    table: str
    row: Row
    arguments: dict[str, Any]
    success: bool
    data: Any
    error: str
    changes: tuple[dict[str, Any], ...]

    @cached_property
    def shown(self) -> frozenset[str]:
        """All texts in the answer."""
        return frozenset(value for _, value in flat(self.data) if type(value) is str)


def flat(value: Any, path: str = "$") -> Iterator[tuple[str, Any]]:
    """(concrete path, scalar) for everything in an answer."""
    waiting = [(path, value)]
    while waiting:
        path, value = waiting.pop()
        if type(value) is dict:
            waiting += [(f"{path}.{key}", item) for key, item in reversed(value.items())]
        elif type(value) is list:
            waiting += [(f"{path}[{index}]", value[index]) for index in range(len(value) - 1, -1, -1)]
        else:
            yield path, value


def general(path: str) -> str:
    """A concrete path with every list position replaced by `[*]`."""
    return re.sub(r"\[\d+\]", "[*]", path)


def singular(table: str) -> str:
    if table.endswith("ies"):
        return table[:-3] + "y"
    if table.endswith(("sses", "xes", "ches")):
        return table[:-2]
    return table[:-1] if table.endswith("s") and not table.endswith("ss") else table


def parameters_of(tool: ToolInfo) -> dict[str, Parameter]:
    """The parameters of a tool in schema order."""
    required = set(tool.input_schema.get("required", ()))
    found = {}
    for name, schema in tool.input_schema.get("properties", {}).items():
        shape = shape_of(schema, tool.input_schema)
        meaning = tool.semantics.get(name, {})
        found[name] = Parameter(
            name=name,
            required=name in required,
            type=shape.type,
            many=shape.many,
            choices=shape.choices,
            default=schema.get("default"),
            kind=meaning.get("kind", ""),
            unit=meaning.get("unit", ""),
            target=meaning.get("target", ""),
            minimum=schema.get("minimum", schema.get("exclusiveMinimum")),
        )
    return found


def by_changes(samples: Sequence[Probe]) -> list[Probe]:
    """Working calls, those that changed most first, then those that said most."""
    return sorted(samples, key=lambda probe: (-len(probe.changes), -sum(1 for _ in flat(probe.data))))


def new_id(identity: str) -> str:
    """An id of the same pattern that is most likely free."""
    stem = identity.rstrip("0123456789")
    digits = identity[len(stem) :]
    return f"{stem}{'9' * len(digits)}" if digits else f"{identity}9"
