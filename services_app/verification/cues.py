"""Where the specification contradicts itself about what a tool does: name, description, annotations.

A tool may be verified against the wrong reading of a contradiction, so it is quarantined with words instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from services_app.specs.vocabulary import ACTION_OF, READS, WRITES, Reading, singular

Class = Literal["reads", "writes", ""]
# Verbs that leave no doubt; many others read in one server and write in the next.
_READS = frozenset("get list search find fetch retrieve read show query describe lookup count".split())
_WRITES = frozenset(
    "create delete remove update edit modify destroy purge erase insert rename archive cancel revoke approve reject "
    "publish unpublish upload send assign unassign enable disable add close".split()
)
_DELETES = frozenset("delete destroy purge erase".split())
_SECOND = frozenset(("and", "or", "then", "also"))  # `get_or_create`, "Retrieves and deletes": both are true


def contradictions(
    reading: Reading, name: str, description: str, annotations: Mapping[str, Any], *, changes: bool
) -> list[str]:
    """Sentences about cues that cannot all be true; `changes`: whether the tool was seen to change the state."""
    found = []
    named, said = _class(reading.verb), ""
    verb = first_verb(description)
    if verb and not _SECOND & set(re.split(r"[^a-z]+", name.lower())):
        said = _class(verb)
    if named and said and named != said:
        found.append(f"the name says {reading.verb}, the description begins with {verb}")
    if annotations.get("readOnlyHint") is True and named == "writes" and (changes or said == "writes"):
        found.append(f"it is marked as read-only and its name says {reading.verb}")
    if annotations.get("destructiveHint") is False and reading.verb in _DELETES and verb in _DELETES:
        found.append(f"it is marked as not destructive and its name says {reading.verb}")
    if annotations.get("readOnlyHint") is False and named == "reads" and said == "reads" and changes:
        found.append(f"name and description say {reading.verb}, and it changes the state")
    return found


def first_verb(description: str) -> str:
    """The verb that a description begins with, in its plain form; "" when it begins otherwise or names two."""
    words = re.findall(r"[A-Za-z]+|[^\sA-Za-z]", description.strip()[:80].lower())
    while words and not words[0].isalpha():
        words.pop(0)  # icons, brackets
    if not words:
        return ""
    plain = singular(words[0]) if words[0] not in ACTION_OF else words[0]
    both = len(words) > 1 and (words[1] in _SECOND or words[1] in (",", "/", "&"))
    return plain if plain in ACTION_OF and not both else ""


def _class(verb: str) -> Class:
    if verb in _READS and ACTION_OF[verb] in READS:
        return "reads"
    return "writes" if verb in _WRITES and ACTION_OF[verb] in WRITES else ""
