"""What reading parameters say about how records are shown: parts on demand, hidden rows, detail, zone, language."""

from __future__ import annotations

import re
from typing import Any

from services_app.builders.entities import Reader, Schema, add_field
from services_app.builders.manners import REASONS, Manner, manner_of, shows_more
from services_app.builders.plan import Block, Entity, ToolPlan
from services_app.builders.prose import about
from services_app.builders.roles import is_format, key_of, scalar_choices
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import id_target, singular, types_of, words_of
from services_app.verification.arguments import resolve

_HIDDEN = frozenset(
    (
        "archived deleted disabled inactive hidden completed closed draft drafts pending suggested expired cancelled "
        "canceled trashed unpublished past private resolved done suspended revoked spam removed declined dismissed "
        "trash finished deactivated terminated obsolete deprecated muted ignored snoozed unavailable unlisted"
    ).split()
)
_TOTALS = frozenset(("total", "totals", "count", "total_count", "totals_count", "total_results", "counts"))
_EVERYTHING = frozenset(("fetch_all_pages", "fetch_all", "all_pages", "return_all", "get_all", "auto_paginate"))
_VERBOSE = frozenset(
    "verbose detailed details detail full full_details full_detail all_fields expand expanded extended complete".split()
)
_COMPACT = frozenset(("compact", "summary_only", "minimal", "brief", "concise", "simple", "lite"))
_SWITCHED_ON = re.compile(r"\bdefaults?(?: value)?(?: is)?[:=\s(to]*[`'\"]?true\b", re.IGNORECASE)
_ZONES = frozenset(("timezone", "time_zone", "tz"))
_LANGUAGES = frozenset(("lang", "language", "locale", "accept_language"))
_UNITS = frozenset(("units", "unit_system", "unit", "temperature_unit"))
_STEMS = (
    "include_", "includes_", "with_", "show_", "expand_", "fetch_", "return_", "exclude_", "hide_", "omit_", "without_",
    "in_", "only_", "get_",
)  # fmt: skip
_AWAY = ("exclude", "hide", "omit", "without")
_PLAIN_READS = frozenset(("get", "find", "list", "get_or_list", "get_many"))


def plan_presentation(reader: Reader, tool: ToolSpec, planned: ToolPlan, own: Entity) -> None:
    """Give each parameter of presentation its work; one that can have none is declared inert with the reason."""
    for name, schema in reader.properties(tool).items():
        role = reader.role(tool, name)
        if planned.kind not in _PLAIN_READS and role in ("presentation", "select"):
            planned.inert.setdefault(name, "presentation: the result has no parts to choose from")
        elif role == "select":
            planned.select = planned.select or name
        elif role == "presentation":
            _plan_one(reader, planned, own, name, schema)
    if planned.read.totals and planned.wrap in ("result", "fit"):
        planned.inert[planned.read.totals] = "presentation: the output schema has no place for a total"
        planned.read.totals = ""
    for wrapper in planned.unwraps:
        inner = resolve(tool.properties.get(wrapper, {}), tool.input_schema).get("properties") or {}
        if inner and set(inner) <= set(planned.inert):
            planned.inert[wrapper] = planned.inert[next(iter(inner))]


def _plan_one(reader: Reader, planned: ToolPlan, own: Entity, name: str, schema: Schema) -> None:
    kinds = types_of(schema)
    flag = "boolean" in kinds
    if flag and _plan_manner(planned, name, schema, manner_of(name, schema)):
        return
    if flag and shows_more(name, schema, own) and planned.kind in ("list", "get_or_list"):
        planned.read.shows[_flag_field(reader, own, key_of(name))] = name
        return
    if _plan_whole(planned, name, schema):
        return
    if flag and planned.wrap == "fit" and not set(key_of(name).split("_")) & _HIDDEN and manner_of(name, schema):
        planned.inert.setdefault(name, "presentation: the output schema fixes which parts are shown")
        return
    if is_format(name) and not flag:
        if planned.format or planned.wrap == "fit":
            planned.inert.setdefault(name, "presentation: the output schema allows one rendering")
            return
        planned.format = name
        planned.read.formats = tuple(str(choice) for choice in schema.get("enum") or ())
    elif "array" in kinds or "string" in kinds:
        _plan_parts(reader, planned, own, name, schema)
    elif flag:
        _plan_flag(reader, planned, own, name)
        if switched_on(schema):
            for block in planned.read.blocks:
                block.usual = block.usual or block.parameter == name
    else:
        planned.inert.setdefault(name, "presentation: records are shown in one way only")


def switched_on(schema: Schema) -> bool:
    """Whether a flag is on unless it is sent, by the schema or the words."""
    said = about(schema)
    return schema.get("default") is True or bool(_SWITCHED_ON.search(said) or re.search(r"true \(default\)", said))


def _plan_manner(planned: ToolPlan, name: str, schema: Schema, manner: Manner) -> bool:
    """Whether the description of a flag says all of what it does to the result; then it is noted."""
    read, on = planned.read, switched_on(schema)
    if manner in REASONS:
        planned.inert.setdefault(name, REASONS[manner])
    elif manner in ("markdown", "ids") and planned.wrap == "fit":
        planned.inert.setdefault(name, "presentation: the output schema allows one rendering")
    elif manner == "markdown" and on:
        planned.inert.setdefault(name, "presentation: texts are kept as the Markdown that it asks for by default")
    elif manner == "markdown":
        read.markdown = name
    elif manner == "ids":
        read.ids = name
    elif manner == "short":
        read.compact, read.compact_usual = name, on
    elif manner == "full":
        read.verbose, read.verbose_usual = name, on
    else:
        return False
    return True


def _plan_whole(planned: ToolPlan, name: str, schema: Schema) -> bool:
    """Whether a parameter is about the whole result: its zone, language, units, detail, its pages; then it is noted."""
    key, read, flag = key_of(name), planned.read, "boolean" in types_of(schema)
    lists = planned.kind in ("list", "get_or_list")
    if key in _ZONES:
        read.zone = name
    elif key in _LANGUAGES:
        read.language = name
    elif key in _UNITS:
        read.units = name
    elif not flag:
        return False
    elif key in _EVERYTHING and lists and "limit" in planned.pages:
        read.everything = name
    elif key in _EVERYTHING:
        planned.inert[name] = "presentation: the one page there is holds everything"
    elif key in _VERBOSE:
        read.verbose, read.verbose_usual = name, schema.get("default") is True
    elif key in _COMPACT:
        read.compact, read.compact_usual = name, switched_on(schema)
    elif key in ("markdown", "as_markdown"):
        read.markdown = name
    elif _stem(key) in _TOTALS and lists and planned.wrap != "result":
        read.totals = name
    else:
        return False
    return True


def _stem(key: str) -> str:
    return next((key.removeprefix(start) for start in _STEMS if key.startswith(start) and key != start), key)


def _plan_flag(reader: Reader, planned: ToolPlan, own: Entity, name: str) -> None:
    """include_archived shows hidden rows, include_comments a part; exclude_archived and exclude_comments hide them."""
    key = key_of(name)
    stem = _stem(key)
    away = key.startswith(_AWAY)
    if set(stem.split("_")) & _HIDDEN and planned.kind in ("list", "get_or_list", "find"):
        field = _flag_field(reader, own, stem)
        if away:
            planned.read.blocks.append(Block(name, "", field, "without", field="rows"))
        else:
            planned.read.shows[field] = name
    elif away:
        planned.read.blocks.append(Block(name, "", _part_field(reader, own, stem), "without"))
    else:
        planned.read.blocks.append(_block(reader, own, name, "", stem))


def _flag_field(reader: Reader, own: Entity, stem: str) -> str:
    """The flag of a record that a word such as archived names."""
    word = next((word for word in stem.split("_") if word in _HIDDEN), stem)
    word = {"drafts": "draft", "trash": "trashed"}.get(word, word)
    for known in own.fields.values():
        if known.type == "bool" and key_of(known.name) in (word, f"is_{word}"):
            return known.name
    name = word if word not in own.fields else f"is_{word}"
    add_field(reader, own, name, {"type": "boolean"})
    if not own.fields[name].filtered:
        own.fields[name].kind = "rare"
    return name


def _plan_parts(reader: Reader, planned: ToolPlan, own: Entity, name: str, schema: Schema) -> None:
    """`include` and `expand` by name: each choice of the schema, else every relation of the record."""
    items = schema.get("items") or {}
    choices = [str(choice) for choice in scalar_choices(schema)]
    away = key_of(name).startswith(_AWAY)
    for choice in choices:
        stem = key_of(choice)
        if away:
            planned.read.blocks.append(Block(name, choice, _part_field(reader, own, stem), "without"))
        else:
            planned.read.blocks.append(_block(reader, own, name, choice, stem))
    if not choices and away and types_of(items) & {"array", "object"}:
        planned.inert.setdefault(name, "presentation: its schema takes no names of fields, so it can leave none out")
    elif not choices and away:
        planned.read.omit = planned.read.omit or name
    elif not choices:
        planned.read.blocks.append(Block(name, "*", "*", "rows"))


def _block(reader: Reader, own: Entity, name: str, choice: str, stem: str) -> Block:
    words = words_of(stem)
    noun = "_".join([*words[:-1], singular(words[-1])]) if words else stem
    other = reader.by_noun.get(noun) or next(
        (known for known in own_relations(reader, own) if known.noun.endswith(f"_{noun}")), None
    )
    label = choice or "_".join(words)
    if other is not None and other is not own and not other.single:
        held = next((f.name for f in own.fields.values() if f.target == other.table), "")
        if held:
            return Block(
                name, choice, label if label not in own.fields else f"{label}_record", "record", other.noun, held
            )
        back = next((f.name for f in other.fields.values() if f.target == own.table), "")
        if not back:
            back = f"{own.noun}_id" if f"{own.noun}_id" not in other.fields else f"{own.noun}_ref"
            kind = "integer" if own.integer_id and not own.natural_key else "string"
            add_field(reader, other, back, {"type": kind}, target=own.noun)
            other.fields[back].scope = True
        return Block(name, choice, label if label not in own.fields else f"{label}_list", "rows", other.noun, back)
    return Block(name, choice, _part_field(reader, own, "_".join(words) or stem), "field")


def own_relations(reader: Reader, own: Entity) -> list[Entity]:
    """Entities that records of this kind refer to, and those that refer to them."""
    found = {}
    for other in reader.by_noun.values():
        refers = any(known.target == own.table for known in other.fields.values())
        if other is not own and (refers or any(known.target == other.table for known in own.fields.values())):
            found[other.noun] = other
    return list(found.values())


_COUNTED = frozenset("count total size score number amount depth level rank".split())


def _part_field(reader: Reader, own: Entity, stem: str) -> str:
    """The field that holds a part with no records of its own."""
    by_key = {key_of(known): known for known in own.fields}
    if stem in by_key:
        return by_key[stem]
    words = stem.split("_")
    schema: dict[str, Any] = {"type": "string"}
    if words[-1] in _COUNTED:
        schema = {"type": "integer"}
    elif singular(words[-1]) != words[-1]:
        schema = {"type": "array", "items": {"type": "string"}}
    add_field(reader, own, stem if stem != "id" else "id_part", schema)
    name = stem if stem != "id" else "id_part"
    if schema["type"] == "string" and not own.fields[name].meaning:
        own.fields[name].kind = "text"
    return name


def open_parts(reader: Reader, planned: ToolPlan, own: Entity) -> list[Block]:
    """The parts that an `expand` without listed choices may name: once all fields are known."""
    found: list[Block] = []
    for block in planned.read.blocks:
        if block.choice != "*":
            found.append(block)
            continue
        for other in own_relations(reader, own):
            held = next((f for f in own.fields.values() if f.target == other.table), None)
            if held is not None:
                label = id_target(held.name, "") or other.noun
                name = label if label not in own.fields else f"{label}_record"
                found.append(Block(block.parameter, label, name, "record", other.noun, held.name))
            else:
                back = next(f.name for f in other.fields.values() if f.target == own.table)
                label = other.table.rstrip("_")
                name = label if label not in own.fields else f"{label}_list"
                found.append(Block(block.parameter, label, name, "rows", other.noun, back))
        if not any(made.parameter == block.parameter for made in found):
            found.append(Block(block.parameter, "", "", "rows"))
            planned.inert.setdefault(block.parameter, "presentation: this kind of record is related to no other")
    return found
