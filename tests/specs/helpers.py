"""Short ways to a specification for tests."""

from __future__ import annotations

import json
from typing import Any

from services_app.specs.files import load_text
from services_app.specs.model import Note, Refusal, Specification, ToolSpec


def spec_of(*tools: Any, **envelope: Any) -> Specification:
    return load_text(json.dumps({"tools": list(tools), **envelope}), "sample.json")


def spec_for(schema: Any, **rest: Any) -> Specification:
    """A specification with one tool `subject` of that input schema and a healthy sibling."""
    return spec_of(
        {"name": "subject", "inputSchema": schema, **rest}, {"name": "sibling", "inputSchema": {"type": "object"}}
    )


def one(schema: Any, **rest: Any) -> ToolSpec:
    """The tool with that input schema; its sibling must be there too."""
    spec = spec_for(schema, **rest)
    assert [tool.name for tool in spec.tools] == ["subject", "sibling"], spec.refused
    return spec.tools[0]


def refusal(schema: Any, **rest: Any) -> Refusal:
    """Why the tool with that input schema was left out; its sibling must be unharmed."""
    spec = spec_for(schema, **rest)
    assert [tool.name for tool in spec.tools] == ["sibling"]
    (refused,) = spec.refused
    assert refused.name == "subject"
    assert any(note.severity == "refused" and note.code == refused.code for note in spec.notes_for("subject"))
    return refused


def codes(spec: Specification, tool: str | None = "subject") -> list[str]:
    return [note.code for note in spec.notes if note.tool == tool]


def note(spec: Specification, code: str) -> Note:
    (found,) = [item for item in spec.notes if item.code == code]
    return found
