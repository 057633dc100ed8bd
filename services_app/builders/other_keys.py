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


def other_key(tool: ToolSpec, own: Entity, name: str, schema: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """(field, schema) of what names a record beside its id in this parameter; ("", {}) where nothing is said."""
    said = f"{schema.get('description', '')} {_documented(tool.description, name)}"
    found = _OR.search(said)
    if found is None or own.natural_key or "string" not in types_of(schema) or "array" in types_of(schema):
        return "", {}
    word = words_of(found["words"])[-1]
    plain = [known for known in own.fields.values() if known.type in ("str", "int") and not known.target]
    exact = next((known.name for known in plain if "_".join(words_of(known.name)) in (word, f"{own.noun}_{word}")), "")
    return exact or word, dict(_SCHEMAS.get(word, {"type": "string"}))


def _documented(description: str, name: str) -> str:
    """What the description of the tool says of a parameter: the line `incident_id: The ID or number ...`."""
    line = re.search(rf"^\s*[-*]?\s*`?{re.escape(name)}`?\s*(?:\([^)]*\))?\s*:(.*)$", description, re.MULTILINE)
    return line[1] if line else ""
