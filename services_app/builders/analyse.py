"""From a specification to a plan: entities from nouns and id parameters, one rule per kind of verb."""

from __future__ import annotations

from collections.abc import Callable

from services_app.builders.entities import Reader, add_field, read_specification
from services_app.builders.nested import plan_graph
from services_app.builders.outputs import learn_fields, wrap_of
from services_app.builders.plan import Entity, Plan, ToolPlan
from services_app.builders.reads import plan_get, plan_list
from services_app.builders.roles import is_format, language_of
from services_app.builders.special import RULES
from services_app.builders.writes import (
    choose_natural_keys,
    plan_change,
    plan_copy,
    plan_create,
    plan_delete,
    plan_link,
    plan_status,
)
from services_app.specs.model import Specification, ToolSpec
from services_app.specs.vocabulary import WRITES

Rule = Callable[[Reader, ToolSpec, Entity], ToolPlan | str]
_RULES: dict[str, Rule] = {
    "get": plan_get,
    "list": plan_list,
    "search": plan_list,
    "count": plan_list,
    "create": plan_create,
    "update": plan_change,
    "delete": plan_delete,
    "status": plan_status,
    "copy": plan_copy,
    "link": plan_link,
}
# Creations teach the fields, then the writes that depend on them; reads filter by what is known.
_ORDER = ("create", "update", "status", "link", "copy", "delete", "get", "list", "search", "count")


def analyse(spec: Specification) -> Plan:
    """The plan of a specification. Every tool is in `tools` or in `left_out`, never in both."""
    reader = read_specification(spec)
    choose_natural_keys(reader)
    rank = {action: number for number, action in enumerate(_ORDER)}
    readings = reader.readings
    for tool in sorted(spec.tools, key=lambda tool: rank.get(readings[tool.name].action, len(rank))):
        planned = _plan_tool(reader, tool)
        if isinstance(planned, str):
            reader.plan.left_out[tool.name] = planned
        else:
            reader.plan.tools.append(planned)
    position = {tool.name: number for number, tool in enumerate(spec.tools)}
    reader.plan.tools.sort(key=lambda planned: position[planned.name])
    _drop_orphans(reader.plan)
    _give_default_fields(reader)
    _key_singles(reader)
    for known in reader.plan.entities.values():
        _name_fields(known)
    return reader.plan


def _plan_tool(reader: Reader, tool: ToolSpec) -> ToolPlan | str:
    for rule in RULES:
        special = rule(reader, tool)
        if special is not None:
            return special
    reading = reader.readings[tool.name]
    if reading.action == "other":
        return (
            f"no rule covers the verb {reading.verb!r}" if reading.verb else "the name holds no verb that a rule covers"
        )
    if not reading.noun:
        return "the name says no entity"
    for name in reader.required(tool):
        language = language_of(name, reader.properties(tool)[name], tool.description)
        if language:
            return f"{name} takes {language}, a language that no rule speaks"
    own = reader.by_noun[reading.noun]
    graph = plan_graph(reader, tool) if reading.action not in WRITES else None
    planned = graph or _RULES[reading.action](reader, tool, own)
    if isinstance(planned, str):
        return planned
    owner = reader.by_noun[planned.entity]
    if graph is None and planned.kind in ("get", "find", "list", "create", "update", "get_or_list"):
        learn_fields(reader, tool, owner)
    planned.wrap = wrap_of(tool)
    planned.unwraps = reader.unwraps(tool)
    roles = {name: reader.role(tool, name) for name in reader.properties(tool)}
    planned.headers = tuple(name for name, role in roles.items() if role == "header")
    if planned.wrap in ("", "text"):
        planned.format = next((name for name, role in roles.items() if role == "presentation" and is_format(name)), "")
    if reading.action in WRITES:
        planned.dry_run = next((name for name, role in roles.items() if role == "dry_run"), "")
        planned.confirm = next((name for name, role in roles.items() if role == "confirm"), "")
    return planned


def _drop_orphans(plan: Plan) -> None:
    """Entities that no tool uses and nothing refers to are not written down."""
    used = {tool.entity for tool in plan.tools if tool.entity}
    used |= {noun for tool in plan.tools for noun in (*tool.parents.values(), *tool.lists.values())}
    tables = {known.target for entity in plan.entities.values() for known in entity.fields.values()}
    for noun, entity in list(plan.entities.items()):
        if noun not in used and entity.table not in tables:
            del plan.entities[noun]


def _give_default_fields(reader: Reader) -> None:
    """Records of which nothing is known but ids get the fields that nearly every record has."""
    for entity in reader.plan.entities.values():
        plain = [known for known in entity.fields.values() if not known.target and known.type == "str"]
        if len(plain) < 2 and not entity.implied and not _is_pair(reader.plan, entity):
            for name in ("name", "description"):
                if name not in entity.fields:
                    add_field(reader, entity, name, {"type": "string"})
            if "status" not in entity.fields and not entity.status:
                add_field(reader, entity, "created_at", {"type": "string", "format": "date-time"})


def _is_pair(plan: Plan, entity: Entity) -> bool:
    return any(tool.entity == entity.noun and tool.kind in ("link", "unlink") for tool in plan.tools)


def _key_singles(reader: Reader) -> None:
    """A table holds one record only when no tool makes, lists or picks records of it."""
    many = {"get", "get_many", "list", "get_or_list", "create", "create_many", "delete", "delete_many", "count"}
    for tool in reader.plan.tools:
        if tool.kind in many:
            reader.plan.entities[tool.entity].single = False


def _name_fields(entity: Entity) -> None:
    """Python names that are unique and no other field's original name, which would be taken for its alias."""
    originals = set(entity.fields)
    taken: set[str] = {known.name for known in entity.fields.values() if known.python == known.name}
    for known in entity.fields.values():
        if known.python != known.name:
            while known.python in taken or known.python in originals:
                known.python += "_x"
        taken.add(known.python)
