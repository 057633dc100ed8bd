"""Changes of several records at once: `update_items(items: [{id, ...}])`, each with values of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from services_app.builders.entities import Reader, add_field, field_name, names_own, parents
from services_app.builders.id_shapes import note_shape
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import id_target, singular, types_of, words_of
from services_app.verification.arguments import example, resolve

_ANY = frozenset("items updates records changes entries data objects operations".split())


def plan_each_own(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | None:
    """The plan of such a tool: every object of its one list names a record and what changes on it; None for others.

    What is sent beside the list is set on each record, unless it says where they all lie.
    """
    properties = reader.values(tool)
    listed = {name: inner for name in properties if (inner := _objects(tool, own, name, properties[name]))}
    if len(listed) != 1:
        return None
    ((items, inner),) = listed.items()
    others = [name for name in properties if name != items]
    key = next((name for name in inner if _names(own, name)), "")
    if not key or items not in reader.required(tool) or any(names_own(reader, tool, name, own) for name in others):
        return None
    planned = ToolPlan(tool.name, "update_many", own.noun, key=key, items=items)
    planned.parents = parents(reader, tool, own, others)
    for name in others:
        known = field_name(own, name)
        add_field(reader, own, known, properties[name], target=planned.parents.get(name, ""))
        (planned.lookups if name in planned.parents else planned.read.same)[name] = known
    if key != own.natural_key:
        note_shape(own, inner[key])
    for name, schema in inner.items():
        if name == key or schema.get("readOnly") or name == "id":
            continue
        known = field_name(own, name)
        add_field(reader, own, known, schema)
        planned.fields[name] = known
    if not planned.fields:
        return None
    if key != own.natural_key and not planned.parents and not reader.unwraps(tool):
        planned.examples = tuple(_examples(reader, tool, own, planned, inner))
    return planned


def _examples(
    reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan, inner: dict[str, dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Calls for records that the seed makes: verification cannot guess ids inside of objects."""
    root, properties = tool.input_schema, reader.properties(tool)
    made = {name: example(properties[name], root, name=name) for name in reader.required(tool)}
    for number in (1, 2):
        identity = number if own.integer_id else f"{own.prefix}{number:04}"
        for name in list(planned.fields)[:3]:
            item = example(properties[planned.items].get("items", {}), root)
            value = example(inner[name], root, name=name, full=number == 1)
            yield {**made, planned.items: [{**item, planned.key: identity, name: value}]}


def _names(own: Entity, name: str) -> bool:
    return name == own.natural_key or id_target(name, own.noun) == own.noun


def _objects(tool: ToolSpec, own: Entity, name: str, schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The properties of each object of a list that is called after the records, or items; {} for any other."""
    words = words_of(name)
    called = bool(words) and (key_of(name) in _ANY or singular(words[-1]) == own.noun.rsplit("_", 1)[-1])
    if not called or types_of(schema) - {"null"} != {"array"}:
        return {}
    items = resolve(schema.get("items", {}), tool.input_schema)
    return {part: resolve(inner, tool.input_schema) for part, inner in (items.get("properties") or {}).items()}
