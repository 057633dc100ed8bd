"""A part of a record that other tools are about: `get_document_content(id)` shows the content of that document."""

from __future__ import annotations

import re

from services_app.builders.entities import Reader, add_field, key_parameter, names_own
from services_app.builders.field_types import typed
from services_app.builders.homes import synonyms
from services_app.builders.plan import Entity
from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import words_of

# Last word of a noun -> fields that hold this part, the one first that is made where a record has none of them.
_PARTS = {
    "content": "content body text markdown html raw_text",
    "text": "text content body",
    "body": "body content text",
    "markdown": "content markdown body text",
    "transcript": "transcript text content",
    "status": "status state",
    "state": "state status",
    "url": "url link href permalink",
    "link": "url link href",
    "owner": "owner owner_name owner_id author",
    "size": "size bytes",
    "title": "title name",
    "description": "description summary",
    "summary": "summary description abstract",
    "config": "config configuration settings",
    "configuration": "configuration config settings",
    "settings": "settings preferences",
    "schema": "schema fields columns",
    "labels": "labels tags",
    "tags": "tags labels",
    "location": "location place address",
    "permalink": "permalink url link",
    "readme": "readme content",
    "priority": "priority",
    "progress": "progress progress_percent status",
}
_WHOLE = frozenset(("metadata", "info", "properties", "attributes", "overview"))
_BULKY = frozenset("content body text markdown html raw_text transcript".split())
_OF_ONE = re.compile(
    r"\b(?:all \w+ (?:of|on|to|for|in) (?:an?|the specified|a specific|a given)|for the specified|for a given) ([a-z]+)"
)


def aspect_of(reader: Reader, tool: ToolSpec, own: Entity) -> tuple[Entity, str] | None:
    """(entity, key parameter) of the record of which a tool shows a part; None where the noun stands for itself.

    It does where other tools are about the noun, or no required parameter names the record.
    """
    base, _, part = own.noun.rpartition("_")
    if not base or part not in {*_PARTS, *_WHOLE} or own.written:
        return None
    if any(reader.entity_of(other) is own for other in reader.spec.tools if other.name != tool.name):
        return None
    for noun in (base, *synonyms(base)):
        known = reader.by_noun.get(noun)
        if known is None or known.implied or known is own:
            continue
        key = key_parameter(reader, tool, known)
        if key and key in reader.required(tool) and (names_own(reader, tool, key, known) or _named(key, known)):
            return known, key
    return None


def unnamed(reader: Reader, tool: ToolSpec) -> str:
    """Why a tool without parameters cannot do what it says: "all versions of a file" names no file; "" otherwise."""
    if tool.properties:
        return ""
    named = re.search(r"_(?:a_specific_|given_|by_)([a-z]+)$", "_".join(words_of(tool.name)))
    if named is not None and (named[0].startswith("_a_") or named[1] in ("id", "slug", "uid", "uuid")):
        return f"the name speaks of one {named[1]}, but no parameter names it"
    said = _OF_ONE.search(tool.description[:160])
    if said is None:
        return ""
    known = reader.by_noun.get("_".join(words_of(said[1])))
    if said[0].startswith("for the specified") or (known is not None and not known.implied):
        return f"the description speaks of one {said[1]}, but no parameter names it"
    return ""


def parts_of(reader: Reader, own: Entity, noun: str) -> tuple[str, ...]:
    """Names of the fields that the part which a noun speaks of is made of, in records of `own`."""
    part = noun.rpartition("_")[2]
    if part in _WHOLE:
        return tuple(name for name in own.fields if key_of(name) not in _BULKY)
    words = _PARTS[part].split()
    by_key = {key_of(name): name for name in own.fields}
    found = next((by_key[word] for word in words if word in by_key), "")
    if not found and part in ("status", "state") and own.status:
        found = own.status
    if not found:
        found = words[0]
        schema, kind = typed(found)
        add_field(reader, own, found, schema)
        own.fields[found].kind = kind
    return (found,)


def _named(key: str, own: Entity) -> bool:
    """Whether a parameter is the name by which records of the entity are known."""
    return key in (own.natural_key, *own.fields) or key_of(key) in (own.noun, f"{own.noun}_name", f"{own.noun}_key")
