"""Tools that do several things, as a parameter says (`operation: create | list | ...`).

Each value becomes a tool of its own while the specification is read, with the parameters that belong to it; afterwards
they are put together again, one function per action under the one tool.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from services_app.builders.entities import SCALARS, Reader, add_field, entity, parents
from services_app.builders.homes import synonyms
from services_app.builders.outputs import wrap_of
from services_app.builders.plan import ToolPlan
from services_app.builders.roles import is_order, is_sort, is_text_query, key_of, page_kind, range_kind, role_of
from services_app.specs.model import Specification, ToolSpec
from services_app.specs.vocabulary import Reading, id_target, read_name, shared_prefix, types_of, words_of
from services_app.verification.arguments import example

_SWITCHES = ("action", "operation", "method", "command", "op", "mode", "subcommand", "action_type", "operation_type")
_HTTP = frozenset(("GET", "POST", "PUT", "PATCH"))
_FILLER = frozenset(
    (
        "all info details item items one record records entry single many bulk by id list uncompleted active recent me "
        "current status data batch full new existing pending multiple"
    ).split()
)
_CORE = frozenset("create add update delete remove get list read set edit insert modify upsert".split())
_DELETES = frozenset(("delete", "remove", "clear", "unset", "none", "reset"))
_NAMES = ("title", "name", "subject", "summary", "label")
_KEYS = ("name", "key", "slug", "path", "number", "code", "email", "uid")
_ENOUGH = 0.75


@dataclass(frozen=True)
class Action:
    """One value of the parameter that chooses, as a tool of its own."""

    of: str
    switch: str
    value: str
    tool: ToolSpec
    reading: Reading


def split_actions(spec: Specification, claimed: Callable[[ToolSpec], bool]) -> tuple[Specification, list[Action]]:
    """The specification with each tool that does several things replaced by its actions, and these actions."""
    prefix = shared_prefix(tool.name for tool in spec.tools)
    nouns = {read_name(tool.name, prefix, tool.description).noun for tool in spec.tools}
    tools: list[ToolSpec] = []
    actions: list[Action] = []
    for tool in spec.tools:
        switch, values = switch_of(tool)
        if not switch or claimed(tool):
            tools.append(tool)
            continue
        own = _own_noun(tool, prefix)
        made = [_action(tool, switch, value, values, own, nouns) for value in values]
        actions += made
        tools += [action.tool for action in made]
    return spec.model_copy(update={"tools": tuple(tools)}), actions


def switch_of(tool: ToolSpec) -> tuple[str, tuple[str, ...]]:
    """(parameter, its values) when one parameter chooses what the tool does; ("", ()) when none does."""
    for name, schema in tool.properties.items():
        if key_of(name) not in _SWITCHES or types_of(schema) - {"string", "null"}:
            continue
        values = tuple(value for value in schema.get("enum") or _listed(schema) if isinstance(value, str))
        verbs = [value for value in values if read_name(value).action != "other"]
        if len(values) < 2 or len(verbs) * 2 < len(values) or _HTTP & set(values):
            continue
        core = {word for value in values for word in words_of(value)[:1]} & _CORE
        if core or read_name(tool.name, "", tool.description).action in ("other", "update", "list", "status", "link"):
            return name, values
    return "", ()


def _listed(schema: Mapping[str, Any]) -> list[str]:
    """Values that the description lists: "Operation to perform: create, list, or delete"."""
    said = str(schema.get("description", ""))
    quoted = re.findall(r"['\"`]([a-z][a-z_]+)['\"`]", said)
    if len(quoted) > 1:
        return list(dict.fromkeys(quoted))
    listed = re.search(r":\s*((?:[a-z_]+\s*(?:,\s*(?:or|and)?|\||/|\bor\b)\s*)+[a-z_]+)", said)
    return re.findall(r"\b(?!or\b|and\b)[a-z_]+", listed[1]) if listed else []


def _own_noun(tool: ToolSpec, prefix: str) -> str:
    words = read_name(tool.name, prefix, "").noun.split("_")
    while len(words) > 1 and words[-1] in ("management", "operation", "action", "write", "read", "tool", "manager"):
        words.pop()
    return "_".join(words)


def _action(tool: ToolSpec, switch: str, value: str, values: tuple[str, ...], own: str, nouns: set[str]) -> Action:
    reading = _reading(tool, value, own, nouns)
    properties = {name: schema for name, schema in tool.properties.items() if name != switch}
    kept = [name for name in properties if _belongs(tool, name, reading, value, values)]
    required = [name for name in tool.required if name in properties]
    required += [name for name in kept if name not in required and _is_asked(properties[name], value, values)]
    required += _identity(reading, kept, required)
    schema = {
        **tool.input_schema,
        "properties": {name: properties[name] for name in properties if name in kept or name in required},
        "required": required,
    }
    virtual = tool.model_copy(update={"name": f"{tool.name}:{value}", "input_schema": schema})
    return Action(tool.name, switch, value, virtual, reading)


def _reading(tool: ToolSpec, value: str, own: str, nouns: set[str]) -> Reading:
    read = read_name(value)
    said = read.noun
    other = said if said and not set(said.split("_")) <= _FILLER else ""
    known = other in nouns or f"{other}_id" in map(key_of, tool.properties)
    noun = other if other and (known or read.action in ("create", "list")) else own
    action = "list" if read.action == "get" and (read.plural or "list" in words_of(value)) else read.action
    return Reading(read.verb, action, noun, read.plural)


def _mentioned(schema: Mapping[str, Any], values: Iterable[str]) -> set[str]:
    """Actions that the description of a parameter is about: "Filter (for list)", "create/update only"."""
    said = str(schema.get("description", ""))
    lead = r"(?:\bfor|\bwhen|\bif|\bwith|\bused by|\bby|operations?|actions?|methods?|=|\bis|\bon|\(|,|/|\band|\bor|&)"
    return {
        value
        for value in values
        if re.search(
            rf"{lead}\s*['\"`]*{re.escape(value)}['\"`]*(?=\s*(?:[,/.;:)&]|\band\b|\bor\b|only|action|oper|$))", said
        )
        or re.search(rf"['\"`]{re.escape(value)}['\"`]", said)
    }


def _is_asked(schema: Mapping[str, Any], value: str, values: Iterable[str]) -> bool:
    """Whether the description says that a parameter is required for an action."""
    said = str(schema.get("description", ""))
    clauses = re.findall(r"(?<!not )\brequired\b[^.;\n]*", said, re.I)
    return any(value in _mentioned({"description": clause}, values) for clause in clauses)


def _belongs(tool: ToolSpec, name: str, reading: Reading, value: str, values: tuple[str, ...]) -> bool:
    schema = tool.properties[name]
    mentioned = _mentioned(schema, values)
    if mentioned or name in tool.required:
        return not mentioned or value in mentioned
    key, kinds = key_of(name), types_of(schema)
    role = role_of(name, schema, reads=reading.action in ("get", "list", "search", "count"))
    if role != "value":
        return True
    narrows = page_kind(name) or is_sort(name) or is_order(name) or is_text_query(name)
    if reading.action in ("list", "search", "count"):
        return bool(kinds & {"string", "integer", "number", "boolean"})
    if reading.action in ("create", "update"):
        return not narrows and (range_kind(name, set(kinds)) is None or reading.action == "create")
    return id_target(name, reading.noun) is not None or key in _KEYS or key == reading.noun


def _identity(reading: Reading, kept: list[str], required: list[str]) -> list[str]:
    """What an action needs beyond what is said: the record that it is about, a name for a new one."""
    if reading.action in ("get", "update", "delete", "status", "copy"):
        nouns = (reading.noun, *synonyms(reading.noun), reading.noun.rsplit("_", 1)[-1])
        own = [name for name in kept if id_target(name, reading.noun) in nouns]
        own = own or [name for name in kept if key_of(name) in (*nouns, *(f"{noun}_name" for noun in nouns))]
        own = own or [name for name in kept if key_of(name).rsplit("_", 1)[-1] in _KEYS]
        return own[:1] if own and not set(own) & set(required) else []
    if reading.action == "create":
        named = [name for name in kept if key_of(name) in _NAMES]
        return named[:1] if named and named[0] not in required else []
    return []


def fold_actions(
    reader: Reader, spec: Specification, actions: list[Action], whole: Callable[[ToolSpec], ToolPlan | str]
) -> None:
    """Put the plans of actions together under their tools, when most of them have a rule; else plan the tool whole."""
    plan = reader.plan
    originals = {tool.name: tool for tool in spec.tools}
    planned = {tool.name: tool for tool in plan.tools}
    names = {action.tool.name for action in actions}
    plan.tools = [tool for tool in plan.tools if tool.name not in names]
    for of in dict.fromkeys(action.of for action in actions):
        mine = [action for action in actions if action.of == of]
        parts = {a.value: planned[a.tool.name] for a in mine if a.tool.name in planned}
        reasons = {a.value: plan.left_out.pop(a.tool.name) for a in mine if a.tool.name in plan.left_out}
        if reasons:
            parts = _as_setting(reader, originals[of], mine) or parts
        if len(parts) < len(mine) * _ENOUGH:
            found = whole(originals[of])
            if isinstance(found, ToolPlan):
                plan.tools.append(found)
                continue
            value, why = next(iter(reasons.items()), ("", found))
            plan.left_out[of] = f"{len(reasons)} of {len(mine)} actions have no rule: {value}: {why}"
            continue
        plan.tools.append(_together(originals[of], mine[0].switch, parts))


def _together(tool: ToolSpec, switch: str, parts: dict[str, ToolPlan]) -> ToolPlan:
    required = set(tool.required)
    for part in parts.values():
        part.origin = tool.name
    first = next(iter(parts.values()))
    together = ToolPlan(tool.name, "actions", first.entity, switch=switch, parts=parts)
    default = tool.properties[switch].get("default")
    together.value = default if switch not in required and isinstance(default, str) else ""
    if not tool.properties[switch].get("enum"):  # verification cannot guess words that only prose names
        together.examples = tuple(_example(tool, switch, value, part) for value, part in parts.items())
    return together


def _example(tool: ToolSpec, switch: str, value: str, part: ToolPlan) -> dict[str, Any]:
    """A call of one action with what the tool and the action ask for."""
    names = dict.fromkeys([*tool.required, *part.needs])
    made = {name: example(tool.properties[name], tool.input_schema, name=name) for name in names if name != switch}
    return {**made, switch: value}


def need_of(action: Action, tool: ToolSpec) -> tuple[str, ...]:
    """Parameters that an action needs though the tool's schema does not ask for them."""
    return tuple(name for name in action.tool.required if name not in tool.required)


def _as_setting(reader: Reader, tool: ToolSpec, actions: list[Action]) -> dict[str, ToolPlan]:
    """ignore | watch | delete under the same names: one setting that is one of these words, or not there."""
    required = [name for name in tool.required if name != actions[0].switch]
    others = [name for name in tool.properties if name not in required and name != actions[0].switch]
    if others or not required or not any(words_of(action.value)[0] in _DELETES for action in actions):
        return {}
    if any(types_of(tool.properties[name]) - SCALARS for name in required):
        return {}
    noun = actions[0].reading.noun or "setting"
    pair = entity(reader, noun)
    pair.written = True
    found = parents(reader, actions[0].tool, pair, required)
    parts = {}
    for action in actions:
        gone = words_of(action.value)[0] in _DELETES
        part = ToolPlan(action.tool.name, "unlink" if gone else "link", noun, parents=dict(found), wrap=wrap_of(tool))
        for name in required:
            add_field(reader, pair, f"{noun}_id" if name == "id" else name, tool.properties[name])
            part.lookups[name] = f"{noun}_id" if name == "id" else name
        if not gone:
            add_field(reader, pair, "state", {"type": "string"})
            part.write.constants = {"state": action.value}
        parts[action.value] = part
    return parts
