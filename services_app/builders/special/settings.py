"""Rules for settings that three tools share: one reads the setting, one changes it, one sets it back to its default."""

from __future__ import annotations

import re
from typing import Any

from services_app.builders.body_parts import picked, returned, table_of
from services_app.builders.entities import Reader, add_field, note_key
from services_app.builders.plan import ToolPlan
from services_app.builders.special.answers import frame, id_parents, idle, meaningful
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import types_of, words_of

_ROLES = {"get": "get", "update": "set", "set": "set", "reset": "reset"}
_DEFAULT = re.compile(r"\breset\w*\b[^.]*\bto (?:its|the|their) default", re.IGNORECASE)
_EMPTY = {"array": "[]", "object": "{}"}


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """The plan of one of the three tools; None for any other."""
    role, name = _role(tool)
    trio = _trio(reader, name) if role else {}
    if set(trio) != {"get", "set", "reset"} or trio[role] is not tool or not _DEFAULT.search(trio["reset"].description):
        return None
    owner = meaningful(reader, trio["reset"])
    if len(owner) != 1 or meaningful(reader, trio["get"]) != owner or not id_parents(reader, tool, owner):
        return None
    values = [other for other in meaningful(reader, trio["set"]) if other not in owner]
    if len(values) != 1 or not {*owner, *values} <= set(reader.required(trio["set"])):
        return None
    value = reader.properties(trio["set"])[values[0]]
    return _planned(reader, tool, role, (name, value), owner[0], values[0])


def _role(tool: ToolSpec) -> tuple[str, str]:
    """("reset", "stop_words"): what a tool does to which setting; ("", "") for any other tool."""
    words = words_of(tool.name)
    at = next((number for number, word in enumerate(words[:2]) if word in _ROLES), -1)
    return (_ROLES[words[at]], "_".join(words[at + 1 :])) if at >= 0 and words[at + 1 :] else ("", "")


def _trio(reader: Reader, name: str) -> dict[str, ToolSpec]:
    return {role: tool for tool in reader.spec.tools for role, setting in [_role(tool)] if setting == name and role}


def _planned(
    reader: Reader, tool: ToolSpec, role: str, setting: tuple[str, dict[str, Any]], owner: str, sent: str
) -> ToolPlan:
    """The setting is a field of what it belongs to; `setting` are its name and its schema."""
    name, value = setting
    about = {"get": "Reads", "set": "Changes", "reset": "Sets back to its default"}[role]
    planned = frame(reader, tool, f"{about} the setting {name}.")
    known = reader.by_noun[id_parents(reader, tool, [owner])[owner]]
    planned.entity, planned.key = known.noun, owner
    planned.key_field, known.written = note_key(reader, tool, known, owner), True
    if name not in known.fields:
        add_field(reader, known, name, value)
    field = known.fields[name].python
    default = next((text for kind, text in _EMPTY.items() if kind in types_of(value)), "None")
    lines = [f"record = {picked(planned, known)}"]
    if role != "get":
        new = f"args[{sent!r}]" if role == "set" else default
        lines.append(f"record = {table_of(known)}.patch(record.id, {field}={new})")
    planned.body = (*lines, returned(planned, f"{{{owner!r}: args[{owner!r}], {name!r}: record.plain()[{name!r}]}}"))
    planned.inert |= idle(reader, tool)
    return planned
