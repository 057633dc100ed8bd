"""Names without a verb that tell something: `steam_library`, `cryptoQuotesLatest`. They are read again as reads.

This rule plans nothing: it gives such a tool the reading that its name lacks, and the rules for records do the rest.
"""

from __future__ import annotations

import re

from services_app.builders.entities import Reader, entity
from services_app.builders.plan import ToolPlan
from services_app.builders.roles import page_kind
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import Reading, shared_prefix, singular, words_of

_TELLS = re.compile(
    r"^\W*(returns?|retrieves?|gives?|provides?|full|details?|information|info|latest|current|real-?time|historical|"
    r"recent(ly)?|owned|news|global|looks? ?up|performs? .{0,20}look-?up|reverse geocode|geocode|query|poll|account|"
    r"device|configuration|logbook|recorder|dns|firewall|acl|player|game|récupère|identifie|zeigt|komplette?s?|"
    r"historische|agrar|获取|this (tool|endpoint) (returns|retrieves|provides))\b",
    re.IGNORECASE,
)
_DOES = frozenset(
    (
        "run call execute play draw init initialize screenshot scan chat set control apply install start invoke track "
        "clean delegate redelegate undelegate claim request encrypt swap mulligan optimize prepare maintain collect "
        "serve process ensure suggest recommend generate simulate random "
        "recognize expert screencast enrich reader design renewal workflow"
    ).split()
)


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """None, always: what counts is the reading that a name without a verb is given."""
    reading = reader.readings[tool.name]
    if reading.action != "other" or reading.verb or tool.annotations.get("destructiveHint") is True:
        return None
    words = words_of(tool.name)
    if words[:1] == [shared_prefix(other.name for other in reader.spec.tools)] and len(words) > 1:
        words = words[1:]
    tells = tool.annotations.get("readOnlyHint") is True or _TELLS.search(tool.description) is not None
    if not words or not tells or set(words) & _DOES or tool.annotations.get("readOnlyHint") is False:
        return None
    last = singular(words[-1])
    many = last != words[-1] or any(page_kind(name) == "limit" for name in tool.properties)
    noun = "_".join([*words[:-1], last])
    reader.readings[tool.name] = Reading("get", "list" if many else "get", noun, many)
    entity(reader, noun)
    return None
