"""Writes whose verb stands only in the description, while the name says what they do in a word that no rule covers.

`drain_queue`, "Remove all jobs from a queue", removes no queue, and `unprotect_branch`, "Remove protection from a
branch", no branch.
"""

from __future__ import annotations

import re

from services_app.builders.entities import Reader
from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import WRITES, shared_prefix, words_of

# What such tools do by the first word of their names.
_DOES = frozenset(
    (
        "drain containerize interact visualize visualise aggregate unprotect unobserve redact override taint untaint "
        "autoscale declare replicate look fly connect untriage build notify bulk flag batch summarize extract scan "
        "convert apply"
    ).split()
)
_REQUEST = re.compile(
    r"^\W*(?:make|send|perform|execute)s? an? (?:\w+ ){0,3}requests? to\b|"
    r"^\W*sends? an? (?:prompt|image|question)\b[^.]*\b(?:llm|models?|api)\b",
    re.IGNORECASE,
)
_PATCHES = re.compile(r"\bjson[- ]?patch\b|\brfc[- ]?6902\b", re.IGNORECASE)


def misread(reader: Reader, tool: ToolSpec) -> str:
    """Why a write is not what its description alone would make of it; "" where the name agrees."""
    reading = reader.readings[tool.name]
    words = words_of(tool.name)
    if reading.action not in WRITES:
        return ""
    patch = next(
        (name for name, s in reader.properties(tool).items() if _PATCHES.search(str(s.get("description")))), ""
    )
    if patch:
        return f"{patch} takes JSON Patch operations, which no rule applies to a record"
    if reading.verb in words:
        return ""
    if _REQUEST.search(tool.description):
        return "it hands a request on to something else, whose answer no rule knows"
    first = words[1] if len(words) > 1 and words[0] == _prefix(reader) else words[0]
    if first in _DOES and not _made(tool, words[words.index(first) + 1 :]):
        return f"its name says {first!r}, a verb that no rule covers"
    front, _, rest = reading.noun.partition("_")
    if reading.action == "create" and front == first and _named(reader, tool, rest):
        return (
            f"its name says what is done to a {rest.replace('_', ' ')} that is there: {front!r}, which no rule covers"
        )
    return ""


def _prefix(reader: Reader) -> str:
    return shared_prefix(tool.name for tool in reader.spec.tools)


def _made(tool: ToolSpec, rest: list[str]) -> bool:
    """Whether the description speaks of a new thing of that name."""
    noun = " ".join(rest)
    return re.match(rf"\W*creates? (?:a|an|one|the) (?:new )?{re.escape(noun)}\b", tool.description.lower()) is not None


def _named(reader: Reader, tool: ToolSpec, noun: str) -> bool:
    known = reader.by_noun.get(noun)
    keys = [key_of(name) for name in reader.required(tool)]
    return known is not None and not known.implied and any(key.startswith(f"{noun}_") for key in keys)
