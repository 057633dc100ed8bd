"""From a specification to a plan: entities from nouns and id parameters, one rule per kind of verb."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from services_app.builders.meaning import meaning_of, type_of
from services_app.builders.plan import (
    Entity,
    Field,
    Filter,
    Plan,
    ToolPlan,
    class_name,
    is_order,
    is_sort,
    is_text_query,
    page_kind,
    python_name,
    range_kind,
    scalar_choices,
)
from services_app.builders.statuses import status_after
from services_app.specs.model import Specification, ToolSpec
from services_app.specs.vocabulary import (
    Reading,
    id_target,
    plural_of,
    read_name,
    shared_prefix,
    singular,
    types_of,
    words_of,
)
from services_app.verification.arguments import resolve

_KEYS = ("name", "key", "slug", "path", "number", "code", "email", "symbol", "title", "url", "username", "domain")
_READ = frozenset({"get", "list", "search", "count"})


@dataclass
class _Reader:
    """Working state while a specification is read."""

    spec: Specification
    readings: dict[str, Reading]
    plan: Plan
    by_noun: dict[str, Entity] = field(default_factory=dict)

    def properties(self, tool: ToolSpec) -> dict[str, dict[str, Any]]:
        return {name: resolve(schema, tool.input_schema) for name, schema in tool.properties.items()}


def analyse(spec: Specification) -> Plan:
    """The plan of a specification. Every tool is in `tools` or in `left_out`, never in both."""
    prefix = shared_prefix(tool.name for tool in spec.tools)
    readings = {tool.name: read_name(tool.name, prefix) for tool in spec.tools}
    reader = _Reader(spec, readings, Plan(spec.slug, {}, [], {}))
    _find_entities(reader)
    for tool in sorted(spec.tools, key=lambda tool: readings[tool.name].action in _READ):  # writes teach the fields
        planned = _plan_tool(reader, tool)
        if isinstance(planned, str):
            reader.plan.left_out[tool.name] = planned
        else:
            reader.plan.tools.append(planned)
    reader.plan.tools.sort(key=lambda planned: [tool.name for tool in spec.tools].index(planned.name))
    _drop_orphans(reader.plan)
    return reader.plan


def _find_entities(reader: _Reader) -> None:
    for tool in reader.spec.tools:
        reading = reader.readings[tool.name]
        if reading.action not in ("other", "link") and reading.noun:
            _entity(reader, reading.noun)
    creatable = {r.noun for r in reader.readings.values() if r.action == "create" and r.noun}
    for noun in list(reader.by_noun):
        last = noun.split("_", 1)[-1]
        if noun not in creatable and last != noun and last in creatable:  # list_ticket_comments is about comments
            reader.plan.entities.pop(noun, None)
            reader.by_noun[noun] = reader.by_noun[last]


def _entity(reader: _Reader, noun: str, *, implied: bool = False) -> Entity:
    known = reader.by_noun.get(noun)
    if known is None:
        words = noun.split("_")
        table = python_name("_".join([*words[:-1], plural_of(words[-1])]))
        known = Entity(noun, table, class_name(noun), implied=implied)
        if implied:
            known.fields["name"] = Field("name", "name", "str", "f.Title")
        reader.by_noun[noun] = reader.plan.entities[noun] = known
    return known


def _plan_tool(reader: _Reader, tool: ToolSpec) -> ToolPlan | str:
    reading = reader.readings[tool.name]
    if reading.action in ("other", "link"):
        return (
            f"no rule covers the verb {reading.verb!r}" if reading.verb else "the name holds no verb that a rule covers"
        )
    if not reading.noun:
        return "the name says no entity"
    entity = reader.by_noun[reading.noun]
    wrap = _wrap(tool)
    if wrap is None:
        return "the output schema has a shape that no rule produces"
    rules = {
        "get": _plan_get,
        "list": _plan_list,
        "search": _plan_list,
        "count": _plan_list,
        "create": _plan_create,
        "update": _plan_change,
        "delete": _plan_delete,
        "status": _plan_status,
    }
    planned = rules[reading.action](reader, tool, entity)
    if isinstance(planned, ToolPlan):
        planned.wrap = wrap
    return planned


def _wrap(tool: ToolSpec) -> str | None:
    """How to fit the output schema: "" as it is, "result" or "text" for the usual wrappers, None if unknown."""
    schema = tool.output_schema
    properties = (schema or {}).get("properties")
    if not schema or not properties:
        return ""
    if set(properties) == {"result"}:
        kinds = types_of(resolve(properties["result"], schema))
        return "text" if kinds == {"string"} else "result"
    return None


def _key(reader: _Reader, tool: ToolSpec, entity: Entity) -> str:
    """The parameter that selects the record: its id, else the one required text or number; "" if there is none.

    Required parameters come first; a tool that takes one of several optional identities gets its id.
    """
    properties = reader.properties(tool)
    required = [name for name in tool.required if name in properties]
    for names in (required, [name for name in properties if name not in required]):
        for name in names:
            target = id_target(name, entity.noun)
            if target is not None and (target == entity.noun or reader.by_noun.get(target) is entity):
                return name
        for name in names:
            words = words_of(name)
            if words and words[-1] in _KEYS and (len(words) == 1 or words[0] in entity.noun.split("_")):
                return name
    scalars = {"string", "integer", "number"}
    own = [name for name in required if types_of(properties[name]) & scalars and id_target(name, "") is None]
    return own[0] if len(own) == 1 and len(required) == 1 else ""


def _note_key(reader: _Reader, tool: ToolSpec, entity: Entity, name: str) -> None:
    """Remember what kind of key a record has: generated (text or number) or a natural one."""
    kinds = types_of(reader.properties(tool)[name])
    if id_target(name, entity.noun) is not None:
        entity.integer_id = entity.integer_id or ("string" not in kinds and bool(kinds & {"integer", "number"}))
    elif not entity.natural_key:
        entity.natural_key = name
        _add_field(reader, entity, name, reader.properties(tool)[name])


def _parents(reader: _Reader, tool: ToolSpec, entity: Entity, names: list[str]) -> dict[str, str]:
    """Id parameters of other entities; one that no tool is about becomes an implied entity."""
    found = {}
    for name in names:
        target = id_target(name, "")
        if target and reader.by_noun.get(target) is not entity:
            parent = _entity(reader, target, implied=True)
            kinds = types_of(reader.properties(tool)[name])
            parent.integer_id = parent.integer_id or ("string" not in kinds and bool(kinds & {"integer", "number"}))
            found[name] = parent.noun
    return found


def _plan_get(reader: _Reader, tool: ToolSpec, entity: Entity) -> ToolPlan | str:
    properties = reader.properties(tool)
    key = _key(reader, tool, entity)
    if not key:
        many = [name for name in tool.required if "array" in types_of(properties.get(name, {}))]
        if len(many) == 1:
            return _plan_many(reader, tool, entity, "get_many", many[0])
        return "a single record is asked for, but no parameter names it"
    if "array" in types_of(properties[key]):
        return _plan_many(reader, tool, entity, "get_many", key)
    _note_key(reader, tool, entity, key)
    others = [name for name in tool.required if name != key]
    parents = _parents(reader, tool, entity, others)
    unknown = [name for name in others if name not in parents]
    if unknown:
        return f"no rule says what {', '.join(unknown)} does when one record is read"
    for name, noun in parents.items():
        _add_field(reader, entity, name, properties[name], target=noun)
    return ToolPlan(tool.name, "get", entity.noun, key=key, parents=parents)


def _plan_many(reader: _Reader, tool: ToolSpec, entity: Entity, kind: Any, name: str) -> ToolPlan | str:
    items = resolve(reader.properties(tool)[name].get("items", {}), tool.input_schema)
    if not types_of(items) <= {"string", "integer", "number"} or not types_of(items):
        return f"{name} holds no plain ids or names"
    if id_target(name, entity.noun) is None and not entity.natural_key:
        single = singular("_".join(words_of(name))).removeprefix(f"{entity.noun}_") or "name"
        entity.natural_key = single
        _add_field(reader, entity, single, items)
    return ToolPlan(tool.name, kind, entity.noun, key=name)


def _plan_list(reader: _Reader, tool: ToolSpec, entity: Entity) -> ToolPlan | str:
    reading = reader.readings[tool.name]
    planned = ToolPlan(tool.name, "count" if reading.action == "count" else "list", entity.noun)
    planned.result_key = entity.table.rstrip("_")
    properties = reader.properties(tool)
    planned.parents = _parents(
        reader, tool, entity, [name for name in properties if "array" not in types_of(properties[name])]
    )
    for name, schema in properties.items():
        _plan_list_parameter(reader, entity, planned, name, schema)
    return planned


def _plan_list_parameter(
    reader: _Reader, entity: Entity, planned: ToolPlan, name: str, schema: Mapping[str, Any]
) -> None:
    kinds = types_of(schema)
    paging = page_kind(name)
    bounds = range_kind(name, kinds)
    if name in planned.parents:
        _add_field(reader, entity, name, schema, target=planned.parents[name])
        planned.filters.append(Filter(name, "equal", name))
    elif paging is not None and kinds & {"integer", "number", "string"}:
        planned.pages.setdefault(paging, name)
    elif is_text_query(name):
        planned.filters.append(Filter(name, "text"))
    elif is_sort(name) and not planned.sort:
        planned.sort = name
    elif is_order(name) and not planned.order:
        planned.order = name
    elif bounds is not None:
        planned.filters.append(Filter(name, bounds[0], _range_field(reader, entity, bounds, schema)))
    elif id_target(name, entity.noun) == entity.noun:
        planned.filters.append(Filter(name, "equal", "id"))
    else:
        _add_field(reader, entity, name, schema, filtered=True)
        planned.filters.append(Filter(name, "equal", name))


def _range_field(reader: _Reader, entity: Entity, bounds: tuple[Any, str], schema: Mapping[str, Any]) -> str:
    stem = bounds[1]
    if bounds[0] in ("least", "most"):
        if stem == "id":
            return "id"
        found = next((name for name in entity.fields if "_".join(words_of(name)) == stem), stem)
        _add_field(reader, entity, found, {"type": "number"} if "string" not in types_of(schema) else schema)
        return found
    times = [
        name for name, known in entity.fields.items() if known.meaning in ("f.Date", "f.Timestamp", "f.SystemTime")
    ]
    named = [name for name in times if stem and stem in "_".join(words_of(name))]
    if named or times:
        return (named or times)[0]
    _add_field(reader, entity, "created_at", {"type": "string", "format": "date-time"})
    return "created_at"


def _plan_create(reader: _Reader, tool: ToolSpec, entity: Entity) -> ToolPlan | str:
    properties = reader.properties(tool)
    required = [name for name in tool.required if name in properties]
    if len(required) == 1 and len(properties) <= 2 and "array" in types_of(properties[required[0]]):
        items = resolve(properties[required[0]].get("items", {}), tool.input_schema)
        if items.get("properties"):
            return _plan_create_many(reader, tool, entity, required[0], items)
    if not properties:
        return "a record is created from nothing: the tool has no parameters"
    planned = ToolPlan(tool.name, "create", entity.noun)
    planned.parents = _parents(reader, tool, entity, list(properties))
    for name, schema in properties.items():
        target = planned.parents.get(name, "")
        _add_field(reader, entity, name, schema, target=target)
        planned.fields[name] = name
    _choose_natural_key(reader, tool, entity, required)
    return planned


def _plan_create_many(reader: _Reader, tool: ToolSpec, entity: Entity, name: str, items: Mapping[str, Any]) -> ToolPlan:
    planned = ToolPlan(tool.name, "create_many", entity.noun, items=name)
    for inner, schema in items["properties"].items():
        _add_field(reader, entity, inner, resolve(schema, tool.input_schema))
        planned.fields[inner] = inner
    if not entity.natural_key and "name" in items.get("required", ()):
        entity.natural_key = "name"
    return planned


def _choose_natural_key(reader: _Reader, tool: ToolSpec, entity: Entity, required: list[str]) -> None:
    """When every reader names records by a field that creation requires, that field is the key."""
    own_id = next((name for name in required if id_target(name, entity.noun) == entity.noun), "")
    if own_id:
        entity.natural_key = entity.natural_key or own_id
        return
    for other in reader.spec.tools:
        reading = reader.readings[other.name]
        if reading.action in ("get", "update", "delete", "status") and reader.by_noun.get(reading.noun) is entity:
            key = _key(reader, other, entity)
            if key and id_target(key, entity.noun) is not None:
                return
            if key and key in required and not entity.natural_key:
                entity.natural_key = key


def _plan_change(reader: _Reader, tool: ToolSpec, entity: Entity) -> ToolPlan | str:
    properties = reader.properties(tool)
    key = _key(reader, tool, entity)
    if not key:
        return "a record is changed, but no required parameter names it"
    _note_key(reader, tool, entity, key)
    planned = ToolPlan(tool.name, "update", entity.noun, key=key)
    planned.parents = _parents(reader, tool, entity, [name for name in properties if name != key])
    for name, schema in properties.items():
        if name == key:
            continue
        known = (
            name.removeprefix("new_")
            if name.startswith("new_") and name.removeprefix("new_") in entity.fields
            else name
        )
        if known == entity.natural_key:
            return f"{name} renames the record, which no rule covers yet"
        _add_field(reader, entity, known, schema, target=planned.parents.get(name, ""))
        planned.fields[name] = known
    if not planned.fields:
        return "nothing is said about what is changed"
    return planned


def _plan_delete(reader: _Reader, tool: ToolSpec, entity: Entity) -> ToolPlan | str:
    properties = reader.properties(tool)
    required = [name for name in tool.required if name in properties]
    many = [name for name in required if "array" in types_of(properties[name])]
    if len(many) == 1 and len(required) == 1:
        return _plan_many(reader, tool, entity, "delete_many", many[0])
    key = _key(reader, tool, entity)
    if not key:
        return "a record is deleted, but no required parameter names it"
    _note_key(reader, tool, entity, key)
    parents = _parents(reader, tool, entity, [name for name in required if name != key])
    return ToolPlan(tool.name, "delete", entity.noun, key=key, parents=parents)


def _plan_status(reader: _Reader, tool: ToolSpec, entity: Entity) -> ToolPlan | str:
    key = _key(reader, tool, entity)
    if not key:
        return "a status is changed, but no required parameter names the record"
    _note_key(reader, tool, entity, key)
    planned = ToolPlan(tool.name, "status", entity.noun, key=key)
    name = entity.status or next((n for n in entity.fields if words_of(n)[-1:] in (["status"], ["state"])), "status")
    _add_field(reader, entity, name, {"type": "string"})
    entity.status = name
    planned.value = status_after(reader.readings[tool.name].verb, entity.fields[name].choices)
    if planned.value not in entity.statuses:
        entity.statuses = (*entity.statuses, planned.value)
    properties = reader.properties(tool)
    planned.parents = _parents(reader, tool, entity, [other for other in properties if other != key])
    for other, schema in properties.items():
        if other not in (key, name):
            _add_field(reader, entity, other, schema, target=planned.parents.get(other, ""))
            planned.fields[other] = other
    return planned


def _add_field(
    reader: _Reader, entity: Entity, name: str, schema: Mapping[str, Any], *, target: str = "", filtered: bool = False
) -> None:
    known = entity.fields.get(name)
    choices = scalar_choices(schema)
    if known is None:
        taken = {other.python for other in entity.fields.values()}
        python = python_name(name)
        while python in taken:
            python += "_"
        kind = type_of(schema)
        known = entity.fields[name] = Field(name, python, kind, meaning_of(name, kind, schema), choices)
    known.choices = tuple(dict.fromkeys([*known.choices, *choices]))
    known.filtered = known.filtered or filtered
    if target:
        known.target = reader.by_noun[target].table


def _drop_orphans(plan: Plan) -> None:
    """Entities that no tool uses and nothing refers to are not written down."""
    used = {tool.entity for tool in plan.tools} | {noun for tool in plan.tools for noun in tool.parents.values()}
    tables = {known.target for entity in plan.entities.values() for known in entity.fields.values()}
    for noun, entity in list(plan.entities.items()):
        if noun not in used and entity.table not in tables:
            del plan.entities[noun]
