"""Parameters that name a record by what everybody calls it: its name, its path, its number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services_app.builders.plan import Entity
from services_app.specs.vocabulary import words_of

_KEYS = (
    "name", "key", "slug", "path", "number", "code", "email", "symbol", "title", "url", "username", "domain", "uri",
    "identifier", "ref", "handle", "ticker", "filename", "filepath", "address", "login", "hash", "sku", "isbn", "doi",
)  # fmt: skip


def own_name(properties: Mapping[str, Any], own: Entity) -> str:
    """`sync-group-name` beside the `name` of what sync groups lie in; "" where no parameter names the record so."""
    ending = own.noun.replace("_", "")
    for name in properties:
        words = words_of(name)
        stem = "".join(words[:-1])
        if words[-1:] == ["name"] and len(stem) > 3 and ending.endswith(stem):
            return name
    return ""


def is_natural_key(name: str, own: Entity) -> bool:
    """Whether a parameter is a name, path or number of the entity's own records."""
    words = words_of(name)
    if not words:
        return False
    nouns = own.noun.split("_")
    if "_".join(words) in (own.noun, nouns[-1]):
        return True
    return words[-1] in _KEYS and (len(words) == 1 or words[0] in nouns or words[:-1] == nouns)
