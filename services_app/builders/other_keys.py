"""A second way to name a record: "The ID or number of the incident" takes the number as well as the id."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from services_app.builders.plan import Entity
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import types_of, words_of

_KEYS = "number|slug|key|code|name|email|handle|iid|username|title|symbol|path"
_OR = re.compile(
    rf"\b(?:ids?|uuid|guid)\b(?: \([^)]*\))?,? or (?:an? |the |its |their )?(?P<words>(?:[\w-]+ )?(?:{_KEYS}))\b", re.I
)
_SCHEMAS = {"number": {"type": "integer"}, "iid": {"type": "integer"}}


_NAMED = re.compile(rf"(?:^|_)ids?_or_(?P<words>{_KEYS})s?$|(?:^|_)(?P<first>{_KEYS})s?_or_ids?$")
_SPOKEN = re.compile(
    rf"\b(?:ids?|uuid|guid)(?: \([^)]*\))?(?:,? or |/)(?:an? |the |its |their )?(?:[\w-]+ )?({_KEYS})\b|"
    rf"\b({_KEYS})(?:,? or |/)(?:an? |the |its |their )?(?:[\w-]+ )?(?:ids?|uuid|guid)\b",
    re.I,
)


def also_called(name: str, said: str) -> str:
    """Key, name, number: what may stand for the id in a parameter, by its name or its words; "" for nothing else."""
    found = _NAMED.search("_".join(words_of(name))) or _SPOKEN.search(said)
    return next((word.lower() for word in found.groups() if word), "") if found else ""


def called_field(own: Entity, word: str) -> str:
    """The field of an entity that such a word means; the word itself where it has none."""
    return next((n for n in own.fields if "_".join(words_of(n)) in (word, f"{own.noun}_{word}")), word)


def schema_of(word: str) -> dict[str, Any]:
    """The schema of such a field."""
    return dict(_SCHEMAS.get(word, {"type": "string"}))


def other_key(tool: ToolSpec, own: Entity, name: str, schema: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """(field, schema) of what names a record beside its id in this parameter; ("", {}) where nothing is said."""
    said = f"{schema.get('description', '')} {_documented(tool.description, name)}"
    found = _OR.search(said) or _NAMED.search("_".join(words_of(name)))
    if found is None or own.natural_key or "string" not in types_of(schema) or "array" in types_of(schema):
        return "", {}
    word = words_of(found["words"] or found["first"])[-1] if found.re is _NAMED else words_of(found["words"])[-1]
    plain = [known for known in own.fields.values() if known.type in ("str", "int") and not known.target]
    exact = next((known.name for known in plain if "_".join(words_of(known.name)) in (word, f"{own.noun}_{word}")), "")
    return exact or word, dict(_SCHEMAS.get(word, {"type": "string"}))


def _documented(description: str, name: str) -> str:
    """What the description of the tool says of a parameter: the line `incident_id: The ID or number ...`."""
    line = re.search(rf"^\s*[-*]?\s*`?{re.escape(name)}`?\s*(?:\([^)]*\))?\s*:(.*)$", description, re.MULTILINE)
    return line[1] if line else ""
