"""Writes that change what nobody could know: a thing that no tool makes or shows, one that a mere choice names."""

from __future__ import annotations

import re

from services_app.builders.entities import Reader, names_own
from services_app.builders.plan import Entity, Plan, ToolPlan
from services_app.builders.roles import scalar_choices
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import singular, words_of
from services_app.verification.arguments import resolve

_SHOWS = frozenset(("get", "get_many", "get_or_list", "find", "list", "graph", "count"))
_MAKES = frozenset(("create", "create_many", "copy", "link"))
_CHANGES = frozenset(("update", "update_each", "status", "flag", "delete", "delete_equal", "delete_many", "clear"))
_TABLE = re.compile(r"\bstate\.(\w+)")


def leave_out_baseless(reader: Reader) -> None:
    """Take such tools out, each with its reason."""
    plan = reader.plan
    known, specs = _known(plan), {tool.name: tool for tool in reader.spec.tools}
    for planned in list(plan.tools):
        if planned.kind not in _CHANGES or planned.entity not in plan.entities or planned.name not in specs:
            continue
        why = _reason(reader, specs[planned.name], planned, plan.entities[planned.entity], known)
        if why:
            plan.left_out[planned.name] = why
            plan.tools.remove(planned)


def _known(plan: Plan) -> set[str]:
    """Tables whose records some tool makes or shows."""
    found: set[str] = set()
    for tool in plan.every():
        if tool.kind == "written":
            found |= set(_TABLE.findall(" ".join(tool.body)))
        nouns = [*tool.lists.values(), *(block.noun for block in tool.read.blocks)]
        nouns += [tool.entity] if tool.kind in _SHOWS | _MAKES else []
        found |= {plan.entities[noun].table for noun in nouns if noun in plan.entities}
    return found


def _reason(reader: Reader, tool: ToolSpec, planned: ToolPlan, own: Entity, known: set[str]) -> str:
    properties, words = reader.properties(tool), own.noun.replace("_", " ")
    if own.table not in known and not _names(planned, own):
        return f"it changes what the name calls a {words}, and no tool makes or shows one"
    key = properties.get(planned.key, {})
    if planned.kind in ("update", "status", "flag") and scalar_choices(key):
        return f"{planned.key} chooses one of a few words, and names no record that is changed"
    optional = planned.key and planned.key not in reader.required(tool)
    if optional and words_of(planned.key)[-1:] != ["id"] and not names_own(reader, tool, planned.key, own):
        return "no required parameter names the record that is changed"
    patched = next((name for name in planned.fields if _holds_patch(tool, properties.get(name, {}))), "")
    return f"{patched} holds operations on paths, a language that no rule reads" if patched else ""


def _names(planned: ToolPlan, own: Entity) -> bool:
    """Whether a parameter names a record of this kind by its noun, or is its bare id."""
    last = own.noun.rsplit("_", 1)[-1]
    named = [planned.key, *planned.lookups]
    return planned.key == "id" or any(last in map(singular, words_of(name)) for name in named if name)


def _holds_patch(tool: ToolSpec, schema: dict[str, object]) -> bool:
    items = resolve(schema.get("items") or {}, tool.input_schema)
    return {"op", "path"} <= set(items.get("properties") or {})
