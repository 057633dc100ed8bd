"""Rules for tools that write: create, change, delete, set a status, copy, link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services_app.builders.entities import (
    SCALARS,
    Reader,
    add_field,
    entity,
    field_name,
    key_parameter,
    names_own,
    note_key,
    parents,
    stored_as,
)
from services_app.builders.nested import plan_nested
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.reads import plan_many
from services_app.builders.statuses import status_after
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import UNLINKS, id_target, types_of, words_of


def plan_create(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """A new record with the fields that are sent; several when one array of objects is asked for."""
    properties = reader.values(tool)
    required = [name for name in reader.required(tool) if name in properties]
    if not properties:
        return "a record is created from nothing: the tool has no parameters"
    nested = plan_nested(reader, tool, own, "create")
    if nested is not None:
        return nested
    planned = ToolPlan(tool.name, "create", own.noun)
    planned.parents = parents(reader, tool, own, list(properties))
    for name, schema in properties.items():
        known = stored_as(reader, tool, own, name)
        if names_own(reader, tool, name, own) and own.natural_key != name:
            if "array" in types_of(schema):
                return f"no rule says what {name} does when a record is created"
            if name in required and not own.natural_key:
                known = own.natural_key = f"{own.noun}_id" if name == "id" else name
            elif name not in required:
                continue  # "read-only" ids offered in the body are given by the server
        add_field(reader, own, known, schema, target=planned.parents.get(name, ""))
        planned.fields[name] = known
        if _usable_default(schema):
            planned.defaults[name] = schema["default"]
    return planned if planned.fields else "a record is created from nothing but ids that the server gives"


def _usable_default(schema: Mapping[str, Any]) -> bool:
    value = schema.get("default")
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string"}
    choices = schema.get("enum")
    fits = kinds.get(type(value)) in types_of(schema) or (type(value) is int and "number" in types_of(schema))
    return value not in (None, "") and fits and (not choices or value in choices)


def plan_change(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """Sets what was sent on the record that the key names, or on the only record there is."""
    properties = reader.values(tool)
    nested = plan_nested(reader, tool, own, "update")
    if nested is not None:
        return nested
    key = key_parameter(reader, tool, own)
    if key and "array" in types_of(properties[key]):
        return f"no rule changes several records at once by {key}"
    own_key = names_own(reader, tool, key, own) if key else False
    if key and not own_key and len(properties) == 1:
        key = ""  # set_language(language): a setting, not a record called "language"
    planned = ToolPlan(tool.name, "update", own.noun, key=key)
    if key:
        planned.key_field = note_key(reader, tool, own, key)
    planned.parents = parents(reader, tool, own, [name for name in properties if name != key])
    for name, schema in properties.items():
        if name == key:
            continue
        known = stored_as(reader, tool, own, name)
        if known == own.natural_key:
            return f"{name} renames the record, which no rule covers yet"
        add_field(reader, own, known, schema, target=planned.parents.get(name, ""))
        planned.fields[name] = known
    if not planned.fields:
        return "nothing is said about what is changed"
    if not key:
        if any(name in planned.parents for name in reader.required(tool)):
            return _owned_settings(reader, tool, own, planned)
        own.single = True
    return planned


def _owned_settings(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan) -> ToolPlan | str:
    """set_channel_topic(channel_id, topic): the field belongs to the parent that the required id names."""
    owners = [name for name in reader.required(tool) if name in planned.parents]
    owner = reader.by_noun[planned.parents[owners[-1]]]
    changed = ToolPlan(tool.name, "update", owner.noun, key=owners[-1])
    changed.parents = {name: noun for name, noun in planned.parents.items() if name != owners[-1]}
    for name in planned.fields:
        if name not in owners:
            add_field(reader, owner, name, reader.properties(tool)[name], target=changed.parents.get(name, ""))
            changed.fields[name] = name
    owner.written = True
    return changed if changed.fields else "nothing is said about what is changed"


def plan_delete(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """Removes the record that the key names, several, or those that equal what was sent."""
    properties = reader.values(tool)
    required = [name for name in reader.required(tool) if name in properties]
    nested = plan_nested(reader, tool, own, "delete")
    if nested is not None:
        return nested
    key = key_parameter(reader, tool, own)
    many = [name for name in required if "array" in types_of(properties[name])]
    if not key and len(many) == 1:
        return plan_many(reader, tool, own, "delete_many", many[0])
    if key and "array" in types_of(properties[key]):
        return plan_many(reader, tool, own, "delete_many", key)
    if not key:
        return _plan_delete_equal(reader, tool, own, required)
    planned = ToolPlan(tool.name, "delete", own.noun, key=key, key_field=note_key(reader, tool, own, key))
    planned.parents = parents(reader, tool, own, [name for name in required if name != key])
    return planned


def _plan_delete_equal(reader: Reader, tool: ToolSpec, own: Entity, required: list[str]) -> ToolPlan | str:
    """remove_team_member(team_id, user_id): the record is named by all that it holds."""
    properties = reader.values(tool)
    if not required or any(not types_of(properties[name]) & SCALARS for name in required):
        return "a record is deleted, but no required parameter names it"
    planned = ToolPlan(tool.name, "delete_equal", own.noun)
    planned.parents = parents(reader, tool, own, required)
    for name in required:
        known = stored_as(reader, tool, own, name)
        add_field(reader, own, known, properties[name], target=planned.parents.get(name, ""))
        planned.lookups[name] = known
    return planned


def plan_status(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """Sets the status that the verb leads to; other parameters become fields of the record."""
    properties = reader.values(tool)
    key = key_parameter(reader, tool, own)
    if not key:
        found = parents(reader, tool, own, [name for name in reader.required(tool) if name in properties])
        if not found:
            return "a status is changed, but no required parameter names the record"
        key, noun = next(reversed(found.items()))  # close_conversation(channel): the last id is what is closed
        own = reader.by_noun[noun]
        own.written = True
    if "array" in types_of(properties[key]):
        return f"no rule changes the status of several records at once by {key}"
    planned = ToolPlan(tool.name, "status", own.noun, key=key, key_field=note_key(reader, tool, own, key))
    name = own.status or next((n for n in own.fields if words_of(n)[-1:] in (["status"], ["state"])), "status")
    add_field(reader, own, name, {"type": "string"})
    own.status = name
    planned.value = status_after(reader.readings[tool.name].verb, own.fields[name].choices)
    if planned.value not in own.statuses:
        own.statuses = (*own.statuses, planned.value)
    planned.parents = parents(reader, tool, own, [other for other in properties if other != key])
    for other, schema in properties.items():
        if other not in (key, name):
            known = stored_as(reader, tool, own, other)
            add_field(reader, own, known, schema, target=planned.parents.get(other, ""))
            planned.fields[other] = known
    return planned


def plan_copy(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """A new record with the fields of another, apart from what was sent."""
    properties = reader.values(tool)
    key = key_parameter(reader, tool, own)
    if not key or own.natural_key or "array" in types_of(properties[key]):
        return "a record is copied, but no id names it"
    planned = ToolPlan(tool.name, "copy", own.noun, key=key, key_field=note_key(reader, tool, own, key))
    planned.parents = parents(reader, tool, own, [name for name in properties if name != key])
    for name, schema in properties.items():
        if name != key and types_of(schema) & SCALARS:
            known = stored_as(reader, tool, own, name)
            add_field(reader, own, known, schema, target=planned.parents.get(name, ""))
            planned.fields[name] = known
    return planned


def plan_link(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """A pair of things that belong together: made once, taken away, shown by the tools that list it."""
    properties = reader.values(tool)
    required = [name for name in reader.required(tool) if name in properties]
    verb = reader.readings[tool.name].verb
    found = parents(reader, tool, own, required)
    own_ids = [name for name in required if names_own(reader, tool, name, own)]
    if not required or not (found or own_ids):
        return f"no required parameter says what to {verb}"
    if any("array" in types_of(properties[name]) for name in required):
        return f"no rule links several records at once by {verb}"
    ends = [*found, *own_ids]
    nouns = [found.get(name, own.noun) for name in ends]
    stem = verb[2:] if verb in UNLINKS and verb.startswith("un") else verb.removeprefix("de").removeprefix("dis")
    stem = {"leave": "join", "tach": "attach", "associate": "associate"}.get(stem, stem)
    pair = entity(reader, "_".join([*sorted(dict.fromkeys(nouns)), stem if verb != "detach" else "attach"]))
    pair.written = True
    planned = ToolPlan(tool.name, "unlink" if verb in UNLINKS or verb == "detach" else "link", pair.noun)
    planned.parents = dict(zip(ends, nouns, strict=True))
    for name, schema in properties.items():
        known = stored_as(reader, tool, pair, name) if name != "id" else f"{planned.parents.get(name, own.noun)}_id"
        target = planned.parents.get(name, "")
        if target:
            known = next((n for n, f in pair.fields.items() if f.target == reader.by_noun[target].table), known)
        add_field(reader, pair, known, schema, target=target)
        if name in required:
            planned.lookups[name] = known
        else:
            planned.fields[name] = known
    return planned


def choose_natural_keys(reader: Reader) -> None:
    """What names a record is its id where every tool that takes one record takes that, and creation requires it."""
    for own in {id(known): known for known in reader.by_noun.values()}.values():
        tools = [tool for tool in reader.spec.tools if reader.entity_of(tool) is own]
        takers = [t for t in tools if reader.readings[t.name].action in ("get", "update", "delete", "status", "copy")]
        keyed = [(tool, key) for tool in takers if (key := key_parameter(reader, tool, own))]
        keys = [key for _, key in keyed]
        if not keys or any(names_own(reader, tool, key, own) for tool, key in keyed):
            continue
        names = {field_name(own, key) for key in keys}
        creators = [tool for tool in tools if reader.readings[tool.name].action == "create"]
        required = [{field_name(own, name) for name in reader.required(tool)} for tool in creators]
        for key in keys:
            known = field_name(own, key)
            schema = reader.properties(next(t for t in takers if key in reader.properties(t)))[key]
            if "array" in types_of(schema) or not types_of(schema) & SCALARS:
                continue
            if len(names) == 1 and all(known in wanted for wanted in required) and id_target(known, "") is None:
                add_field(reader, own, known, schema)
                own.natural_key = known
                break
