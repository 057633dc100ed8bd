"""How much of a specification is read. Every bound has a name, so that a refusal can say which one was hit."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from services_app.specs.errors import RefusedError


@dataclass(frozen=True)
class ImportLimits:
    """Bounds of one import. Real servers stay far below: 3.6 MB a file, 142 KB a schema, 26 levels, 700 tools."""

    file_bytes: int = 32 << 20
    tools: int = 5_000
    schema_bytes: int = 1 << 20
    schema_nodes: int = 50_000
    schema_depth: int = 60
    schema_refs: int = 5_000
    schema_expansion: int = 1_000_000
    description_chars: int = 32_000
    name_chars: int = 256
    raw_depth: int = 80


class Size(NamedTuple):
    """Values in a JSON value, and how deep they are nested (a scalar has depth 0)."""

    nodes: int
    depth: int


def measure(value: Any, *, stop_at_nodes: int = 10_000_000) -> Size:
    """Nodes and depth of a JSON value, without recursion; counting ends at `stop_at_nodes`."""
    nodes = depth = 0
    level = [value]
    while level and nodes < stop_at_nodes:
        nodes += len(level)
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
        depth += bool(below)
        level = below
    return Size(nodes, depth)


def check_schema_size(schema: Any, limits: ImportLimits, pointer: str) -> None:
    """Raises RefusedError, naming the bound, when a schema is too large to work with."""
    size = measure(schema, stop_at_nodes=limits.schema_nodes + 1)
    if size.depth > limits.schema_depth:
        raise RefusedError(
            "bound:depth",
            pointer,
            f"The schema is nested deeper than {limits.schema_depth} levels, the limit for one tool.",
        )
    if size.nodes > limits.schema_nodes:
        raise RefusedError(
            "bound:nodes", pointer, f"The schema has more than {limits.schema_nodes:,} values, the limit for one tool."
        )
    length = len(json.dumps(schema, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass"))
    if length > limits.schema_bytes:
        raise RefusedError(
            "bound:bytes",
            pointer,
            f"The schema takes {length:,} bytes; the limit for one tool is {limits.schema_bytes:,}.",
        )


def prune(value: Any, levels: int) -> tuple[Any, bool]:
    """`value` with everything deeper than `levels` replaced by a sentence, and whether that happened."""
    if measure(value).depth <= levels:
        return value, False
    return _pruned(value, levels), True


def _pruned(value: Any, levels: int) -> Any:
    if levels == 0 and isinstance(value, dict | list) and value:
        return "(left out: nested too deep)"
    if isinstance(value, dict):
        return {key: _pruned(item, levels - 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_pruned(item, levels - 1) for item in value]
    return value
