"""YAML read as the JSON value it stands for: dates stay text, `no` stays `no`, aliases cannot blow up.

PyYAML's safe loader follows YAML 1.1, where `on` is true and 2024-01-01 a date. API documents mean JSON.
"""

from __future__ import annotations

import re
from typing import Any

from services_app.specs.errors import SpecError

MOST_NODES = 2_000_000
"""Values after every alias is written out; an eighth of that is the largest real document seen."""


def parse_yaml(text: str, name: str) -> Any:
    """The value of the only document in `text`. Raises SpecError with kind `file:not-yaml`."""
    try:
        import yaml
    except ImportError as error:
        raise SpecError("file:not-yaml", f"{name} is YAML, which needs PyYAML.", "Convert it to JSON.") from error

    try:
        return _value(yaml.compose(text, Loader=_loader(yaml)), _Budget())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise SpecError("file:not-yaml", f"{name} is not YAML: {problem}{where}.") from error
    except RecursionError as error:
        raise SpecError("file:too-deep", f"{name} is nested deeper than can be read.") from error


class _Budget:
    """Values that may still be made."""

    def __init__(self) -> None:
        self.left = MOST_NODES
        self.above: set[int] = set()

    def take(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise SpecError("file:too-large", f"Its aliases stand for more than {MOST_NODES:,} values.")


def _loader(yaml: Any) -> Any:
    class Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
        """Composes nodes only; what a scalar means is decided below."""

    return Loader


def _value(node: Any, budget: _Budget) -> Any:
    """The JSON value of a node. A node that holds itself has none."""
    budget.take()
    if node is None:
        return None
    if node.id == "scalar":
        return _scalar(node)
    if id(node) in budget.above:
        raise SpecError("file:not-yaml", "An alias in the YAML stands for a value that it is part of.")
    budget.above.add(id(node))
    if node.id == "sequence":
        value: Any = [_value(item, budget) for item in node.value]
    else:
        value = _object(node, budget)
    budget.above.discard(id(node))
    return value


def _object(node: Any, budget: _Budget) -> dict[str, Any]:
    """A mapping; `<<` brings in the fields of others, which those written here replace."""
    merged: dict[str, Any] = {}
    own: dict[str, Any] = {}
    for key, item in node.value:
        value = _value(item, budget)
        if key.id == "scalar" and key.value == "<<" and key.style not in _QUOTED:
            for other in reversed(value if isinstance(value, list) else [value]):
                merged |= other if isinstance(other, dict) else {}
        else:
            own[_key(key)] = value
    return {**merged, **own}


def _key(node: Any) -> str:
    """Keys are text in JSON: the status 200 becomes "200"."""
    if node.id != "scalar":
        raise SpecError("file:not-yaml", "A key in the YAML is a list or an object, which JSON does not have.")
    return str(node.value)


_QUOTED = frozenset({"'", '"', "|", ">"})
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORDS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


def _scalar(node: Any) -> Any:
    """Plain words as JSON has them; everything in quotes, and everything else, is text."""
    text: str = node.value
    if node.style in _QUOTED:
        return text
    if text in _NULLS:
        return None
    if text in _WORDS:
        return _WORDS[text]
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > 300:
        return text
    return float(text) if match[1] or match[2] else int(text)
