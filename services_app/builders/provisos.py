"""Conditions that the prose of a writing tool names: what is required when, ignored unless, or only with a token."""

from __future__ import annotations

import re

from services_app.builders.entities import Reader, add_field
from services_app.builders.first_values import note_made
from services_app.builders.guards import note_guards
from services_app.builders.open_objects import note_open_object
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.prose import about
from services_app.builders.roles import key_of, scalar_choices
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import types_of, words_of

_UNLESS = re.compile(r"\bignored unless [`'\"]?(\w+)[`'\"]? (?:is|was) changed", re.IGNORECASE)
_OMITTED = re.compile(r"\b[Ii]f (?:omitted|not given|left out), [^.;]*?\bis [`'\"]?(PENDING|DRAFT|pending|draft)\b")
_TOKEN = re.compile(r"(?:^|_)confirm(?:ation)?_token$")
_MATCH = re.compile(r"^(?:require|expected)_(\w+?)(?:_match)?$")
_ENDS = frozenset("closed done resolved completed cancelled canceled merged archived inactive".split())


def note_provisos(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan) -> None:
    """Let a plan heed what its description and those of its parameters say."""
    note_guards(reader, tool, own, planned)
    note_open_object(reader, tool, own, planned)
    if planned.kind == "create":
        _note_body(reader, tool, planned)
        _note_derived(reader, tool, own, planned)
        note_made(reader, tool, own, planned)
    if planned.kind in ("create", "update"):
        _note_reason(reader, tool, own, planned)
    if planned.kind == "delete":
        _note_token(reader, tool, own, planned)


def _note_body(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> None:
    """A body that is declared with its parts and sent empty makes no record."""
    inside = [name for wrapper in planned.unwraps for name in tool.properties.get(wrapper, {}).get("properties") or ()]
    names = tuple(name for name in inside if name in planned.fields)
    optional = all("optional" in about(reader.properties(tool)[name]).lower() for name in names)
    if names and not optional and not planned.write.own_id:
        planned.checks = (*planned.checks, ("filled", names))


def _note_derived(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan) -> None:
    """event: APPROVE | COMMENT, "if omitted, the review is PENDING": the state of what is made."""
    for name, schema in reader.values(tool).items():
        said = _OMITTED.search(str(schema.get("description", "")))
        choices = [str(choice) for choice in scalar_choices(schema)]
        if said is None or not choices or words_of(name)[-1] in ("state", "status") or planned.fields.get(name) is None:
            continue
        states = {choice: _state_after(choice) for choice in choices}
        add_field(reader, own, "state", {"type": "string", "enum": [*states.values(), said[1]]})
        planned.write.derives = ("state", name, states, said[1])


def _state_after(event: str) -> str:
    """APPROVE -> APPROVED, REQUEST_CHANGES -> CHANGES_REQUESTED."""
    first, *rest = event.lower().split("_")
    state = "_".join([*rest, f"{first}d" if first.endswith("e") else f"{first}ed"])
    return state.upper() if event.isupper() else state


def _note_reason(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan) -> None:
    for name in list(planned.fields):
        said = _UNLESS.search(str(reader.properties(tool)[name].get("description", "")))
        state = planned.fields.get(said[1], "") if said is not None else ""
        if said is None or said[1] == name:
            continue
        if planned.kind == "create":
            planned.inert[name] = f"ignored: no {said[1]} is changed where a record is made"
            del planned.fields[name]
        elif state:
            ended = tuple(str(choice) for choice in own.fields[state].choices if str(choice).lower() in _ENDS)
            planned.write.reason = (planned.fields[name], state, ended)


def _note_token(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan) -> None:
    for name, schema in reader.properties(tool).items():
        key = key_of(name)
        said = _MATCH.match(key)
        if _TOKEN.search(key) and "string" in types_of(schema) and name not in tool.required:
            planned.write.token = name
            planned.inert.pop(name, None)
        elif said and "string" in types_of(schema) and said[1] in own.fields:
            planned.write.expects[name] = said[1]
