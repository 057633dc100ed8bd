"""Giving a parameter of a list the work that its words describe; `said` reads them."""

from __future__ import annotations

import re

from services_app.builders.bounds import range_field, time_of
from services_app.builders.entities import Reader, Schema, add_field, names_own
from services_app.builders.plan import Entity, Filter, ToolPlan
from services_app.builders.prose import about, default_size
from services_app.builders.roles import key_of, page_kind, range_kind
from services_app.builders.said import Said, said_of
from services_app.builders.said_fields import searched_fields
from services_app.specs.documented import documented_values
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import singular, types_of

_SEARCHES = re.compile(r"^\W*(?:search(?:es)?|finds?)\b[^.\n]*\bby (?:[\w-]+,? ){1,6}?[\w-]+(?=[.\n]|$)", re.IGNORECASE)
_EXACT = re.compile(r"\bexact|\bunique\b|\bidentif|\bnamespace|\bcase[- ]sensitive|\bone of\b", re.IGNORECASE)
_QUERIES = ("services_app.recipes.query", ("spoken",))


def said_by(reader: Reader, tool: ToolSpec, own: Entity, name: str) -> Said | None:
    """What the words say, unless the name says as much already."""
    schema = reader.properties(tool)[name]
    told = said_of(name, schema, own.noun)
    if told is None and reader.readings[tool.name].action == "search" and _is_sought(name, schema):
        return Said("holds", key_of(name))
    if told is None or page_kind(name) in ("limit", "offset", "page"):
        return None
    known = range_kind(name, types_of(schema))
    if told.kind in ("from", "until"):
        return None if known and known[0] in ("from", "until") else told
    return told


def _is_sought(name: str, schema: Schema) -> bool:
    """Whether a search takes a name, of which a part is enough unless its words ask for the whole."""
    key, words = key_of(name), about(schema)
    named = key in ("name", "title") or key.endswith(("_name", "_title"))
    listed = schema.get("enum") or schema.get("pattern") or schema.get("default") or documented_values(name, schema)
    return named and types_of(schema) - {"null"} == {"string"} and not listed and not _EXACT.search(words)


def plan_said(reader: Reader, tool: ToolSpec, planned: ToolPlan, name: str, told: Said) -> bool:
    """Whether the parameter got its work."""
    own, schema = reader.by_noun[planned.entity], reader.properties(tool)[name]
    if told.kind in ("from", "until", "least", "most"):
        bound = {"type": "string"} if told.kind in ("from", "until") else schema
        field = range_field(reader, own, (told.kind, told.stem), bound)
        planned.filters.append(Filter(name, told.kind, field, told.strict))
    elif told.kind in ("past", "coming"):
        usual = default_size(schema)
        if usual:
            planned.defaults[name] = usual
        field = time_of(reader, own)
        planned.filters.append(Filter(name, told.kind, field, size=told.seconds, usual=usual))
    elif told.kind in ("holds", "begins", "ends"):
        field = _text_field(reader, own, told.stem)
        planned.filters.append(Filter(name, told.kind, field))
    elif told.kind == "unlike":
        planned.filters.append(_unlike(reader, tool, own, name, told))
    elif told.kind == "spoken":
        planned.filters.append(Filter(name, "spoken", told.stem))
        planned.imports = {**planned.imports, _QUERIES[0]: _QUERIES[1]}
    else:
        named = told.kind == "size" and any(page_kind(other) == "limit" for other in reader.properties(tool))
        return not named and _plan_whole(planned, name, schema, told)
    return True


def _plan_whole(planned: ToolPlan, name: str, schema: Schema, told: Said) -> bool:
    """What is said of the list as a whole: its size, its direction, how much of each text is shown."""
    if planned.kind != "list":
        return False
    if told.kind == "size" and "limit" not in planned.pages:
        planned.pages["limit"] = name
        planned.read.usual = default_size(schema)
        if planned.read.usual:
            planned.defaults[name] = planned.read.usual
    elif told.kind in ("up", "down") and not planned.order:
        planned.order, planned.read.ascending = name, told.kind == "up"
    elif told.kind == "cut" and not planned.read.cut:
        planned.read.cut, planned.read.cut_usual = name, default_size(schema)
    elif told.kind == "pages" and not planned.read.most_pages:
        planned.read.most_pages, planned.read.most_pages_usual = name, default_size(schema)
    else:
        return False
    return True


def _text_field(reader: Reader, own: Entity, stem: str) -> str:
    """The field of texts that a stem such as `name` or `project_name` means; made when there is none."""
    plain = stem.removeprefix(f"{own.noun}_") or stem
    for wanted in (stem, plain):
        found = next((name for name in own.fields if key_of(name) == wanted), "")
        if found and own.fields[found].type in ("str", "tuple[str, ...]"):
            return found
    ending = next(
        (name for name, f in own.fields.items() if key_of(name).endswith(f"_{plain}") and f.type == "str"), ""
    )
    if ending:
        return ending
    field = plain if plain not in own.fields else f"{plain}_text"
    add_field(reader, own, field, {"type": "string"}, filtered=True)
    return field


def _unlike(reader: Reader, tool: ToolSpec, own: Entity, name: str, told: Said) -> Filter:
    """Rows with certain values are left out: by their own id, else by the field that the rest of the name means."""
    schema = reader.properties(tool)[name]
    if told.strict:
        return Filter(name, "unlike", _text_field(reader, own, told.stem), strict=True)
    stem = singular(told.stem) if told.stem.endswith("s") else told.stem
    bare = stem.removesuffix("_ids").removesuffix("_id").removesuffix("_key")
    if bare in ("", "id", "ids", own.noun) or names_own(reader, tool, name, own) or bare.endswith(f"_{own.noun}"):
        return Filter(name, "unlike", "id")
    keys = {key_of(field): field for field in own.fields}
    found = next((keys[key] for key in (told.stem, stem, bare, f"{bare}_id") if key in keys), "")
    if not found:
        found = stem
        single = schema.get("items") if "array" in types_of(schema) else schema
        add_field(reader, own, found, {"type": "string", **(single or {})}, filtered=True)
    return Filter(name, "unlike", found)


def plan_text(reader: Reader, tool: ToolSpec, planned: ToolPlan, name: str) -> None:
    """A text query: over the fields that its words name, else over all of a record."""
    own, said = reader.by_noun[planned.entity], about(reader.properties(tool)[name])
    first = _SEARCHES.match(tool.description)
    fields = searched_fields(reader, own, said) or (searched_fields(reader, own, first[0]) if first else "")
    planned.filters.append(Filter(name, "text", fields))
