"""Rules for tools that read: one record, several, a list, a count, or a look-up under open keys."""

from __future__ import annotations

import re
from typing import Any

from services_app.builders.aspects import aspect_of
from services_app.builders.by_words import said_by
from services_app.builders.entities import (
    SCALARS,
    Reader,
    Schema,
    add_field,
    field_name,
    key_parameter,
    names_own,
    note_key,
    parents,
    stored_as,
)
from services_app.builders.known_keys import note_keys
from services_app.builders.narrowing import choose_variants, is_plain, plan_parameter
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.prose import says_list, takes_commas
from services_app.builders.roles import (
    is_material,
    is_order,
    is_sort,
    is_text_query,
    page_kind,
    range_kind,
)
from services_app.builders.states import reshapes
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import id_target, singular, types_of, words_of


def plan_get(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """One record by its key; several by a list of keys; the only one, or one looked up, where there is no key."""
    properties = reader.values(tool)
    required = [name for name in reader.required(tool) if name in properties]
    aspect = aspect_of(reader, tool, own)
    if aspect is not None and "array" not in types_of(properties[aspect[1]]):
        planned = _plan_one(reader, tool, *aspect, required)
        if isinstance(planned, ToolPlan):
            planned.read.part = own.noun
        return planned
    key = key_parameter(reader, tool, own)
    if key and ("array" in types_of(properties[key]) or _names_several(reader, tool, own, key)):
        return plan_many(reader, tool, own, "get_many", key)
    if key and takes_commas(properties[key]):
        return _plan_find(reader, tool, own)
    many = [name for name in required if "array" in types_of(properties[name])]
    if not key and len(many) == 1 and len(required) == 1:
        return plan_many(reader, tool, own, "get_many", many[0])
    if required and all(is_material(name) for name in required):
        return f"it works on {', '.join(required)} that it is given, which no rule does"
    if key and key not in required and len(properties) > 1:
        return _plan_get_or_list(reader, tool, own, key)
    if key and (own.written or own.natural_key == "" or names_own(reader, tool, key, own)):
        return _plan_one(reader, tool, own, key, required)
    return _plan_find(reader, tool, own)


def _names_several(reader: Reader, tool: ToolSpec, own: Entity, key: str) -> bool:
    """Whether a key names records of the tool's own kind in one text with commas."""
    return takes_commas(reader.properties(tool)[key]) and names_own(reader, tool, key, own)


def _plan_one(reader: Reader, tool: ToolSpec, own: Entity, key: str, required: list[str]) -> ToolPlan | str:
    planned = ToolPlan(tool.name, "get", own.noun, key=key, key_field=note_key(reader, tool, own, key))
    others = [name for name in required if name != key]
    planned.parents = parents(reader, tool, own, others)
    for name in others:
        schema = reader.properties(tool)[name]
        if not types_of(schema) & SCALARS:
            return f"no rule says what {name} does when one record is read"
        if planned.key_field and words_of(key)[-1:] == words_of(name)[-1:] == ["identifier"]:
            return f"{name} and {key} make one name of two records, which no rule puts together"
        known = stored_as(reader, tool, own, name)
        if name in planned.parents:
            add_field(reader, own, known, schema, target=planned.parents[name])
            planned.lookups[name] = known
        elif range_kind(name, types_of(schema)) is None and page_kind(name) is None:
            add_field(reader, own, known, schema, filtered=True)
            planned.lookups[name] = known
    for name, schema in reader.values(tool).items():
        if name != key and name not in others:
            _plan_optional(reader, tool, own, planned, name, schema)
    return planned


def _plan_optional(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan, name: str, schema: Schema) -> None:
    """What an optional parameter says about one record: a value that it must have, or a span of time."""
    kinds = types_of(schema)
    bounds = range_kind(name, kinds)
    order = is_sort(name) or is_order(name)
    if page_kind(name) or order or "boolean" in kinds or not is_plain(kinds, schema):
        planned.inert.setdefault(name, "presentation: one record is shown whole, with nothing to page or sort")
    elif bounds is not None and bounds[0] in ("from", "until"):
        planned.read.moments = (*planned.read.moments, name)
    elif bounds is None and not is_text_query(name) and not names_own(reader, tool, name, own):
        target = parents(reader, tool, own, [name]).get(name, "")
        known = stored_as(reader, tool, own, name)
        single = schema.get("items") if "array" in kinds and known not in own.fields else None
        add_field(reader, own, known, single or schema, target=target, filtered=True)
        planned.read.same[name] = known


def _plan_get_or_list(reader: Reader, tool: ToolSpec, own: Entity, key: str) -> ToolPlan | str:
    planned = plan_list(reader, tool, own)
    if isinstance(planned, ToolPlan) and planned.kind == "list":
        planned.filters = [item for item in planned.filters if item.parameter != key]
        planned.kind, planned.key, planned.key_field = "get_or_list", key, note_key(reader, tool, own, key)
    return planned


def _plan_find(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """One record without an id: settings, the current user, or what lies under the required values."""
    planned = plan_list(reader, tool, own)
    if isinstance(planned, ToolPlan):
        plain = not planned.pages and not planned.sort and not planned.order and not planned.read.after
        only_filters = plain and not any(item.kind != "equal" for item in planned.filters)
        optional = any(item.parameter not in reader.required(tool) for item in planned.filters)
        commas = any(takes_commas(reader.properties(tool)[name]) for name in planned.lookups)
        if only_filters and not commas and not _output_array(tool) and not _says_many(tool, own, optional=optional):
            planned.kind = "find"
            if not planned.lookups and not planned.filters and not reader.values(tool):
                own.single = True
    return planned


_MANY = re.compile(
    r"^\W*(?:lists?\b|(?:gets?|returns?|retrieves?|fetch(?:es)?|access|provides?|shows?) (?:a |the |up-to-date )?"
    r"(?:\w+ )?(?:lists?|arrays?|collections?) of|(?:gets?|returns?|retrieves?|fetch(?:es)?|shows?) all (?!of the )"
    r"(?:\w+ )*\w+s\b)|热榜|热搜|列表|榜单",
    re.IGNORECASE,
)
_LISTS = frozenset("trending news headlines feed leaderboard movers gainers losers hotspot".split())


def _says_many(tool: ToolSpec, own: Entity, *, optional: bool) -> bool:
    """Whether the description speaks of many records, also where none is named; or the noun is a word for many."""
    if optional and says_list(tool.description):
        return True
    return own.noun.rsplit("_", 1)[-1] in _LISTS or _MANY.search(tool.description) is not None


def _output_array(tool: ToolSpec) -> bool:
    properties = (tool.output_schema or {}).get("properties") or {}
    return any("array" in types_of(schema) for schema in properties.values() if isinstance(schema, dict))


def plan_many(reader: Reader, tool: ToolSpec, own: Entity, kind: Any, name: str) -> ToolPlan | str:
    """Several records by a list of keys."""
    items = reader.properties(tool)[name].get("items", {})
    if types_of(items) - {"string", "integer", "number"}:
        return f"{name} holds no plain ids or names"
    planned = ToolPlan(tool.name, kind, own.noun, key=name)
    if id_target(name, own.noun) is None and not own.natural_key:
        single = field_name(own, singular("_".join(words_of(name))).removeprefix(f"{own.noun}_") or "name")
        if single not in own.fields and own.written:
            planned.key_field = "" if "name" not in own.fields else "name"
        else:
            add_field(reader, own, single, {"type": "string", **items})
            planned.key_field = single
    others = [other for other in reader.required(tool) if other != name and other in reader.values(tool)]
    planned.parents = parents(reader, tool, own, others)
    return planned


def plan_list(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """Rows under filters, in pages; a count of them."""
    action = reader.readings[tool.name].action
    properties = reader.values(tool)
    counts = action == "count" and not any(page_kind(name) for name in properties)
    planned = ToolPlan(tool.name, "count" if counts else "list", own.noun)
    planned.result_key = own.table.rstrip("_")
    required = [name for name in reader.required(tool) if name in properties]
    material = [name for name in required if is_material(name) or (action == "count" and is_text_query(name))]
    if required and material == required:
        return f"it works on {', '.join(required)} that it is given, which no rule does"
    if reader.readings[tool.name].verb == "get" and _wants_one(reader, tool, own, required):
        return plan_get_one(reader, tool, own, required)
    for name, schema in reader.properties(tool).items():
        if types_of(schema) - {"null"} == {"boolean"} and (how := reshapes(schema)):
            return f"{name} {how}, which no rule does"
    single = [name for name, schema in properties.items() if "array" not in types_of(schema)]
    told = [name for name in single if name not in required and said_by(reader, tool, own, name)]
    planned.parents = parents(reader, tool, own, [name for name in single if name not in told])
    for name in properties:
        problem = plan_parameter(reader, tool, planned, name, required=name in required)
        if problem:
            return problem
    planned.derived = bool(planned.lookups) and not own.written
    if planned.derived:
        note_keys(reader, tool, planned)
    if planned.derived:
        planned.read.each = next((name for name in planned.lookups if takes_commas(properties[name])), "")
        choose_variants(reader, tool, planned)
        under = {item.parameter: item.field for item in planned.filters if item.parameter in required}
        planned.lookups |= {name: known for name, known in under.items() if name in planned.parents}
        planned.filters = [item for item in planned.filters if item.parameter not in planned.lookups]
    else:
        for known in planned.lookups.values():
            own.fields[known].scope = own.fields[known].scope or not own.fields[known].choices
    if planned.pages and "limit" not in planned.pages:
        planned.read.usual = planned.read.usual or 10
    return planned


_SINGLE = re.compile(
    r"^\W*(?:fetch|get|retrieve|read|show)(?:es|s)? (?:a |one |the )?(?:single|specific|one) ", re.IGNORECASE
)


def _wants_one(reader: Reader, tool: ToolSpec, own: Entity, required: list[str]) -> bool:
    """`get_todolists(id)`: a plural noun, but its own exact id is required."""
    if len(required) == 1 and _SINGLE.match(tool.description) and names_own(reader, tool, required[0], own):
        return True
    return any(id_target(name, "") == own.noun for name in required) or (
        required == ["id"] and names_own(reader, tool, "id", own)
    )


def plan_get_one(reader: Reader, tool: ToolSpec, own: Entity, required: list[str]) -> ToolPlan | str:
    key = key_parameter(reader, tool, own)
    if "array" in types_of(reader.properties(tool)[key]):
        return plan_many(reader, tool, own, "get_many", key)
    return _plan_one(reader, tool, own, key, required)
