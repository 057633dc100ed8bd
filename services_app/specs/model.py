"""Specifications: what a service offers, as imported, with everything that was repaired on the way.

Every object is frozen and round-trips through JSON. The original is kept next to the normalised form.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from services_app.engine.plain import digest

Severity = Literal["info", "warning", "refused"]
_MOST_NOTES = 300
_MOST_CHARACTERS = 500
SourceKind = Literal["file", "stdio", "http"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Note(_Frozen):
    """One repair, remark or refusal. `pointer` is a JSON pointer inside the tool ('' = the tool itself)."""

    tool: str | None
    pointer: str
    code: str
    severity: Severity
    message: str


class Source(_Frozen):
    """Where a specification came from: a file name, a command line or a URL (never its credentials)."""

    kind: SourceKind
    locator: str


class ToolSpec(_Frozen):
    """One usable tool.

    `input_schema` is self-contained (every `$ref` is a local pointer with its target present), always has
    `"type": "object"` and `"properties"`, and compiles with `services_app.engine.schema.compile_schema`.
    `raw` is the tool exactly as served.
    """

    name: str
    title: str = ""
    description: str = ""
    input_schema: dict[str, Any]
    output_schema: dict[str, Any] | None = None
    annotations: dict[str, Any] = Field(default_factory=dict)
    raw: Any = None

    @property
    def properties(self) -> dict[str, Any]:
        """Parameter name -> schema, under the original names."""
        found: dict[str, Any] = self.input_schema["properties"]
        return found

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(self.input_schema.get("required", ()))

    def content(self) -> dict[str, Any]:
        """What the tool means, without its history: the part that is hashed and compared."""
        return self.model_dump(mode="json", exclude={"raw"})


class Refusal(_Frozen):
    """A tool that was left out. `position` counts from 0 in the list as served."""

    name: str
    position: int
    code: str
    pointer: str
    message: str
    raw: Any = None


class Specification(_Frozen):
    """The tools of one server, the ones left out, and every note made on the way."""

    slug: str
    title: str
    source: Source
    domain: str | None = None
    description: str = ""
    tools: tuple[ToolSpec, ...]
    refused: tuple[Refusal, ...] = ()
    notes: tuple[Note, ...] = ()
    raw: Any = None

    def tool(self, name: str) -> ToolSpec:
        """The tool of that original name. Raises KeyError."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> Mapping[str, ToolSpec]:
        return {tool.name: tool for tool in self.tools}

    def notes_for(self, name: str) -> tuple[Note, ...]:
        return tuple(note for note in self.notes if note.tool == name)

    @property
    def content_hash(self) -> str:
        """Hash of the usable tools (32 hex characters), the same for every order and every source of them."""
        return digest(sorted((tool.content() for tool in self.tools), key=_name))

    @property
    def raw_hash(self) -> str:
        """Hash of the original JSON value."""
        text = json.dumps(self.raw, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _name(content: Mapping[str, Any]) -> str:
    return str(content["name"])


def shortened(text: str) -> str:
    """A text of at most 500 characters: names and values from outside may have any length."""
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…"


class Notebook:
    """Collects the notes of one tool, or of the file when `tool` is None."""

    def __init__(self, tool: str | None = None) -> None:
        self.tool = tool
        self.notes: list[Note] = []

    def info(self, pointer: str, code: str, message: str) -> None:
        """A repair that changes no meaning."""
        self._add(pointer, code, "info", message)

    def warning(self, pointer: str, code: str, message: str) -> None:
        """A repair that guesses, or that makes the schema accept more than it said."""
        self._add(pointer, code, "warning", message)

    def refused(self, pointer: str, code: str, message: str) -> None:
        self._add(pointer, code, "refused", message)

    def extend(self, notes: Iterable[Note]) -> None:
        self.notes.extend(notes)

    def _add(self, pointer: str, code: str, severity: Severity, message: str) -> None:
        note = Note(
            tool=self.tool, pointer=shortened(pointer), code=code, severity=severity, message=shortened(message)
        )
        if note in self.notes[-50:]:  # the same repair twice at the same place says nothing new
            return
        if severity != "refused" and len(self.notes) >= _MOST_NOTES:
            self._add_more()
        else:
            self.notes.append(note)

    def _add_more(self) -> None:
        if self.notes[-1].code != "notes:more":
            message = f"More than {_MOST_NOTES} things were found; the rest is not listed."
            self.notes.append(Note(tool=self.tool, pointer="", code="notes:more", severity="warning", message=message))
