"""What else than ids names records: "The ID or key of the project", and the keys that new records get."""

from __future__ import annotations

from services_app.builders.entities import Reader, add_field
from services_app.builders.other_keys import also_called, called_field, schema_of
from services_app.builders.plan import Entity, Plan, ToolPlan
from services_app.builders.prose import about
from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import words_of

_GIVEN = frozenset("key number slug code identifier tag id uid uuid hash name".split())
_SENT = frozenset("name title label slug key".split())
_SHOWS = frozenset("get get_many get_or_list find list graph".split())
_MAKES = frozenset("create create_many update link copy".split())
_BY_KEY = frozenset("get get_or_list update delete status flag copy".split())


def note_called(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> None:
    """Let the parameters that name other records take what their words offer beside the id."""
    properties = reader.properties(tool)
    for name, noun in planned.parents.items():
        parent = reader.by_noun[noun]
        word = also_called(name, about(properties[name])) if name in properties else ""
        if not word or parent.natural_key or parent.noun not in reader.plan.entities:
            continue
        field = called_field(parent, word)
        add_field(reader, parent, field, schema_of(word))
        planned.called[name] = (field,)


def give_keys(plan: Plan) -> None:
    """What tools name a record by, and no creation is told, a new record gets: its issue key, its product number."""
    for planned in plan.every():
        if planned.kind == "create" and planned.entity in plan.entities:
            own = plan.entities[planned.entity]
            sent = {key_of(name).rsplit("_", 1)[-1] for name in planned.fields}
            planned.write.keyed = tuple(name for name in _keys(plan, own) if _is_given(own, name, planned, sent))


def join_keys(reader: Reader) -> None:
    """product_number beside products that are named so: the product must be there."""
    plan = reader.plan
    specs = {tool.name: tool for tool in reader.spec.tools}
    named = {key: noun for key, noun in _naming(plan).items() if noun}
    written = " ".join(line for tool in plan.every() if tool.kind == "written" for line in tool.body)
    for planned in plan.every():
        if planned.name not in specs or planned.kind == "written":
            continue
        required = reader.required(specs[planned.name])
        for name, known in {**planned.fields, **planned.lookups}.items():
            noun = named.get(key_of(name), "")
            field = plan.entities[planned.entity].fields.get(known)
            if not noun or noun == planned.entity or name not in required or name in planned.parents or field is None:
                continue
            if f"state.{plan.entities[planned.entity].table}.create({field.python}=" in written:
                continue  # a special rule keeps the key as it was sent
            if field.type == "str" and not field.choices and field.target in ("", plan.entities[noun].table):
                parent = plan.entities[noun]
                planned.parents[name], field.target = noun, parent.table
                key = next((n for n in parent.fields if key_of(n) == key_of(name)), "")
                if key and parent.natural_key != key:
                    planned.called[name] = (key,)
                if planned.derived and planned.kind != "get":  # what is kept about a record that is there
                    planned.derived, planned.read.known = False, {}


def _naming(plan: Plan) -> dict[str, str]:
    """Keys such as product_number -> the one entity whose records tools name so; "" where there are several."""
    found: dict[str, str] = {}
    for tool in plan.every():
        own = plan.entities.get(tool.entity)
        key = key_of(tool.key)
        if own is None or tool.kind not in _BY_KEY or key.rsplit("_", 1)[-1] not in _GIVEN - {"id"}:
            continue
        if key.startswith(f"{own.noun}_") and (own.natural_key == tool.key or tool.key_field):
            found[key] = own.noun if found.get(key, own.noun) == own.noun else ""
    return found


def _keys(plan: Plan, own: Entity) -> list[str]:
    """Fields by which tools name the records of an entity."""
    mine = [tool for tool in plan.every() if tool.entity == own.noun and tool.kind in _BY_KEY]
    return list(dict.fromkeys(tool.key_field for tool in mine if tool.key_field))


def _is_given(own: Entity, name: str, planned: ToolPlan, sent: set[str]) -> bool:
    known = own.fields.get(name)
    if known is None or known.type != "str" or known.target or known.choices or known.format:
        return False
    last = (words_of(name) or [""])[-1]
    if name in (own.natural_key, own.serial) or last not in _GIVEN or (last == "name" and sent & _SENT):
        return False
    return name not in planned.lookups.values()


def free_unknown(reader: Reader) -> None:
    """Writes take any id of what no tool reads and no shown record refers to: nobody could know one that is there."""
    plan = reader.plan
    reads = {tool.entity for tool in plan.every() if tool.kind in _SHOWS and tool.entity}
    reads |= {block.noun for tool in plan.every() for block in tool.read.blocks if block.noun}
    shown = {known.target for noun in reads for known in plan.entities[noun].fields.values() if known.target}
    for planned in plan.every():
        if planned.kind not in _MAKES:
            continue
        for name, noun in list(planned.parents.items()):
            parent = plan.entities.get(noun)
            if parent is None or not parent.implied or parent.written or noun in reads or parent.table in shown:
                continue
            del planned.parents[name]
            for field in plan.entities[planned.entity].fields.values():
                field.target = "" if field.target == parent.table else field.target
