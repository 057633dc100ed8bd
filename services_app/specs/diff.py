"""What one specification has that another has not: tools added, removed and changed, field by field."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from services_app.specs.keywords import escape
from services_app.specs.model import Specification, ToolSpec

MOST_FIELDS = 200
"""Changed fields that are listed for one tool; the rest is only counted."""
_UNRELATED = 0.2


def _shown(value: Any) -> str:
    """A text as it is, anything else as JSON, nothing as nothing."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class FieldChange(NamedTuple):
    """One place inside a tool. `before` or `after` is None where there was or is nothing."""

    pointer: str
    kind: Literal["added", "removed", "changed"]
    before: Any
    after: Any
    breaking: bool
    """Whether calls that were right may be refused now."""

    @property
    def before_text(self) -> str:
        return _shown(self.before)

    @property
    def after_text(self) -> str:
        return _shown(self.after)


class ToolChange(NamedTuple):
    """A tool that both have, and what is different about it."""

    name: str
    fields: tuple[FieldChange, ...]
    more: int = 0

    @property
    def breaking(self) -> bool:
        return any(field.breaking for field in self.fields)


class SpecDiff(NamedTuple):
    """Tools by original name, in the order of the specification that has them."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[ToolChange, ...]
    same: int

    @property
    def touched(self) -> tuple[str, ...]:
        """Tools of the older specification that are not as they were."""
        return (*self.removed, *(change.name for change in self.changed))

    @property
    def unrelated(self) -> bool:
        """Whether hardly a tool has its name in both: perhaps these are two servers with one name."""
        both = self.same + len(self.changed)
        return both < _UNRELATED * (both + min(len(self.added), len(self.removed)))

    def to_json(self) -> dict[str, Any]:
        changed = [
            {
                "name": change.name,
                "breaking": change.breaking,
                "more": change.more,
                "fields": [field._asdict() for field in change.fields],
            }
            for change in self.changed
        ]
        return {"added": list(self.added), "removed": list(self.removed), "changed": changed, "same": self.same}


def diff(before: Specification, after: Specification) -> SpecDiff:
    """Compare two specifications by the names of their tools."""
    old = {tool.name: tool for tool in before.tools}
    new = {tool.name: tool for tool in after.tools}
    changes = [_tool_change(old[name], tool) for name, tool in new.items() if name in old]
    changed = tuple(change for change in changes if change is not None)
    return SpecDiff(
        added=tuple(name for name in new if name not in old),
        removed=tuple(name for name in old if name not in new),
        changed=changed,
        same=len(changes) - len(changed),
    )


def _tool_change(before: ToolSpec, after: ToolSpec) -> ToolChange | None:
    old, new = _comparable(before), _comparable(after)
    if _same(old, new):
        return None
    fields = list(_walk("", old, new))
    return ToolChange(before.name, tuple(fields[:MOST_FIELDS]), max(0, len(fields) - MOST_FIELDS))


def _comparable(tool: ToolSpec) -> dict[str, Any]:
    """The tool's content under the names that MCP gives its parts; the order of `required` means nothing."""
    content = tool.content()
    schema = {**content["input_schema"]}
    schema["required"] = sorted(schema.get("required", ()))
    named = {"inputSchema": schema, "outputSchema": content["output_schema"]}
    return {**{name: content[name] for name in ("title", "description", "annotations")}, **named}


def _walk(pointer: str, before: Any, after: Any) -> Iterator[FieldChange]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in dict.fromkeys((*before, *after)):
            yield from _step(f"{pointer}/{escape(name)}", name in before, name in after, before, after, name)
    elif not _same(before, after):
        kind: Literal["added", "removed", "changed"] = (
            "added" if before is None else "removed" if after is None else "changed"
        )
        yield FieldChange(pointer, kind, before, after, _breaks(pointer, before, after))


def _step(
    pointer: str, had: bool, has: bool, before: Mapping[str, Any], after: Mapping[str, Any], name: str
) -> Iterator[FieldChange]:
    if had and has:
        yield from _walk(pointer, before[name], after[name])
    elif has:
        yield FieldChange(pointer, "added", None, after[name], _narrows(pointer, after[name]))
    else:
        yield FieldChange(pointer, "removed", before[name], None, _is_parameter(pointer))


def _breaks(pointer: str, before: Any, after: Any) -> bool:
    """Whether a changed value refuses what was accepted: another type, fewer values, more that is required."""
    if not pointer.startswith("/inputSchema/"):
        return False
    word = pointer.rpartition("/")[2]
    if word in ("type", "enum"):
        return bool(_as_set(before) - _as_set(after))
    if word == "required":
        return bool(_as_set(after) - _as_set(before))
    return word == "additionalProperties" and after is False


def _narrows(pointer: str, value: Any) -> bool:
    """Whether a new keyword refuses what was accepted."""
    if not pointer.startswith("/inputSchema/"):
        return False
    word = pointer.rpartition("/")[2]
    return (
        (word == "required" and bool(value))
        or word in ("enum", "type")
        or (word == "additionalProperties" and value is False)
    )


def _is_parameter(pointer: str) -> bool:
    """Whether a pointer leads to a parameter: /inputSchema/properties/NAME."""
    return pointer.startswith("/inputSchema/properties/") and pointer.count("/") == 3


def _same(one: Any, other: Any) -> bool:
    """Equality of JSON values; for Python true and 1 would be the same."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _as_set(value: Any) -> set[str]:
    return {repr(item) for item in value} if isinstance(value, list) else {repr(value)}
