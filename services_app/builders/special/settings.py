"""Rules for settings that three tools share: one reads the setting, one changes it, one sets it back to its default."""

from __future__ import annotations

import re

from services_app.builders.body_parts import returned
from services_app.builders.entities import Reader
from services_app.builders.plan import Fixture, ToolPlan
from services_app.builders.special.answers import add_fixture, frame, id_parents, idle, meaningful
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import types_of, words_of

_MODULE = "services_app.recipes.settings"
_FIXTURE = Fixture("kept_settings", "KeptSetting", _MODULE)
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
    return _planned(reader, tool, role, name, owner[0], reader.properties(trio["set"])[values[0]] | {"name": values[0]})


def _role(tool: ToolSpec) -> tuple[str, str]:
    """("reset", "stop_words"): what a tool does to which setting; ("", "") for any other tool."""
    words = words_of(tool.name)
    at = next((number for number, word in enumerate(words[:2]) if word in _ROLES), -1)
    return (_ROLES[words[at]], "_".join(words[at + 1 :])) if at >= 0 and words[at + 1 :] else ("", "")


def _trio(reader: Reader, name: str) -> dict[str, ToolSpec]:
    return {role: tool for tool in reader.spec.tools for role, setting in [_role(tool)] if setting == name and role}


def _planned(reader: Reader, tool: ToolSpec, role: str, name: str, owner: str, value: dict[str, object]) -> ToolPlan:
    about = {"get": "Reads", "set": "Changes", "reset": "Sets back to its default"}[role]
    planned = frame(reader, tool, f"{about} the setting {name}.")
    planned.parents = id_parents(reader, tool, [owner])
    default = next((text for kind, text in _EMPTY.items() if kind in types_of(value)), "None")
    lines = []
    if role == "set":
        lines.append(f"keep_setting(state.kept_settings, args[{owner!r}], {name!r}, args[{value['name']!r}])")
    elif role == "reset":
        lines.append(f"reset_setting(state.kept_settings, args[{owner!r}], {name!r})")
    lines.append(f"value = setting_of(state.kept_settings, args[{owner!r}], {name!r}, {default})")
    lines.append(returned(planned, f"{{{owner!r}: args[{owner!r}], {name!r}: value}}"))
    planned.body = tuple(lines)
    extra = {"get": (), "set": ("keep_setting",), "reset": ("reset_setting",)}[role]
    planned.imports = {_MODULE: ("setting_of", *extra)}
    planned.inert |= idle(reader, tool)
    add_fixture(reader, _FIXTURE)
    return planned
