"""Rules for tools whose one parameter is a list of objects: several records at once, or values added to fields."""

from __future__ import annotations

import re
from typing import Any, Literal

from services_app.builders.entities import Reader, add_field, field_name, parents, referred, stored_as
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import id_target, singular, types_of, words_of
from services_app.verification.arguments import resolve


def plan_nested(
    reader: Reader, tool: ToolSpec, own: Entity, what: Literal["create", "update", "delete"]
) -> ToolPlan | str | None:
    """The plan for `create_things(things: [{...}])`; None when the tool has another shape."""
    properties = reader.values(tool)
    required = [name for name in reader.required(tool) if name in properties]
    if what == "create" and len(required) > 1:
        return _plan_under(reader, tool, own, required)
    if len(required) != 1 or len(properties) > 2 or "array" not in types_of(properties[required[0]]):
        return None
    items = resolve(properties[required[0]].get("items", {}), tool.input_schema)
    inner = {name: resolve(schema, tool.input_schema) for name, schema in (items.get("properties") or {}).items()}
    if not inner:
        return None
    value = _added_values(reader, tool, own, inner)
    if value is not None and what != "update":
        return _plan_added(reader, tool, inner, required[0], value, what)
    if what == "update":
        return "no rule changes several records at once"
    planned = ToolPlan(tool.name, "create_many" if what == "create" else "delete_equal", own.noun, items=required[0])
    planned.write.atomic = _atomic(tool)
    for name, schema in inner.items():
        known = f"{own.noun}_id" if name == "id" else field_name(own, name)
        add_field(reader, own, known, schema, target=_mentioned(reader, own, schema))
        (planned.fields if what == "create" else planned.lookups)[name] = known
    if what == "create" and not own.natural_key and "name" in items.get("required", ()):
        own.natural_key = "name"
    return planned


def _plan_under(reader: Reader, tool: ToolSpec, own: Entity, required: list[str]) -> ToolPlan | None:
    """create_schedule_overrides(id, overrides: [{...}]): several records under one parent."""
    properties = reader.values(tool)
    tail = (own.noun, own.noun.rsplit("_", 1)[-1])
    listed = [name for name in required if "array" in types_of(properties[name]) and singular(key_of(name)) in tail]
    others = [name for name in properties if name not in listed]
    placed = parents(reader, tool, own, others)
    if len(listed) != 1 or set(placed) != set(others) or own.natural_key:
        return None
    items = resolve(properties[listed[0]].get("items", {}), tool.input_schema)
    inner = {name: resolve(schema, tool.input_schema) for name, schema in (items.get("properties") or {}).items()}
    if not inner:
        return None
    planned = ToolPlan(tool.name, "create_many", own.noun, items=listed[0], parents=placed)
    planned.write.atomic = _atomic(tool)
    for name in others:
        planned.lookups[name] = stored_as(reader, tool, own, name)
        add_field(reader, own, planned.lookups[name], properties[name], target=placed[name])
    for name, schema in inner.items():
        known = f"{own.noun}_id" if name == "id" else field_name(own, name)
        add_field(reader, own, known, schema, target=_mentioned(reader, own, schema))
        planned.fields[name] = known
    return planned


_ATOMIC = re.compile(r"\ball-or-nothing\b|\bor none are\b|\b(?:whole|entire) batch (?:is|will be) rejected", re.I)


def _atomic(tool: ToolSpec) -> bool:
    """Whether one record that cannot be made stops all of them."""
    return _ATOMIC.search(tool.description) is not None


def _mentioned(reader: Reader, own: Entity, schema: dict[str, Any]) -> str:
    """The entity whose name or id a property holds by its description: "The name of the entity where ... starts"."""
    said = re.search(r"\b(?:name|id) of the (\w+)", str(schema.get("description", "")).lower())
    noun = singular(said[1]) if said else ""
    return noun if noun in reader.by_noun and reader.by_noun[noun] is not own else ""


def _added_values(reader: Reader, tool: ToolSpec, own: Entity, inner: dict[str, Any]) -> tuple[Entity, str, str] | None:
    """(entity, parameter that names it, parameter that holds values): each object adds values to one record."""
    lists = [name for name, schema in inner.items() if "array" in types_of(schema)]
    keys = [name for name in inner if name not in lists]
    if len(lists) != 1 or len(keys) != 1:
        return None
    words = words_of(keys[0])
    target = id_target(keys[0], "") or ("_".join(words[:-1]) if words[-1:] in (["name"], ["key"]) else "")
    if not target or target not in reader.by_noun or reader.by_noun[target] is own:
        return None
    return referred(reader, target), keys[0], lists[0]


def _plan_added(
    reader: Reader, tool: ToolSpec, inner: dict[str, Any], items: str, value: tuple[Entity, str, str], what: str
) -> ToolPlan:
    owner, key, values = value
    noun = reader.readings[tool.name].noun
    known = next((name for name in owner.fields if singular(key_of(name)) == noun), values)
    add_field(reader, owner, known, inner[values])
    owner.written = True
    kind: Literal["append_many", "strip_many"] = "append_many" if what == "create" else "strip_many"
    return ToolPlan(tool.name, kind, owner.noun, items=items, key=key, fields={values: known})


def plan_graph(reader: Reader, tool: ToolSpec) -> ToolPlan | None:
    """A read whose result names lists of several entities: each of them, under the same text or names."""
    lists = _entity_lists(reader, tool)
    if len(lists) < 2:
        return None
    first = next(iter(lists.values()))
    planned = ToolPlan(tool.name, "graph", first.noun)
    planned.lists = {name: known.noun for name, known in lists.items()}
    for name, schema in reader.values(tool).items():
        if "array" in types_of(schema):
            planned.key = name
        elif "string" in types_of(schema):
            planned.text = name
    return planned


def _entity_lists(reader: Reader, tool: ToolSpec) -> dict[str, Entity]:
    found = {}
    for name, schema in ((tool.output_schema or {}).get("properties") or {}).items():
        noun = "_".join([*words_of(name)[:-1], singular(words_of(name)[-1])]) if words_of(name) else ""
        if isinstance(schema, dict) and "array" in types_of(schema) and noun in reader.by_noun:
            found[name] = reader.by_noun[noun]
    return found
