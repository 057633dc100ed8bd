"""The order that a list has by the words of its sort and direction: "defaults to descending order (newest first)"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from services_app.builders.bounds import time_of
from services_app.builders.entities import Reader
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.prose import about
from services_app.builders.roles import key_of, scalar_choices
from services_app.specs.documented import documented_values
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import types_of

Schema = Mapping[str, Any]
_WAYS = {
    "asc": "asc", "ascending": "asc", "ascend": "asc", "oldest": "asc", "1": "asc", "up": "asc",
    "desc": "desc", "descending": "desc", "descend": "desc", "newest": "desc", "latest": "desc", "most recent": "desc",
    "-1": "desc", "down": "desc",
}  # fmt: skip
_WORD = r"asc(?:ending)?|desc(?:ending)?|newest|oldest|latest|most recent"
_IF = r"(?!['\"`]?(?: order)?\)? (?:if|when|for|unless)\b(?! (?:not|omitted|none|unspecified|unset|no\b)))"
_WAY = re.compile(
    r"\bdefault(?:s|ing)?(?: sort(?:ing)?)?(?: order| direction| value)*(?: is| to|:|=)*(?: sort(?:ing)?| the)*"
    rf"[\s'\"`(]+(?P<first>{_WORD})\b['\"`]?{_IF}|['\"`]?\b(?P<last>{_WORD})['\"`]? \((?:the )?default\)",
    re.IGNORECASE,
)
_SORT = re.compile(
    r"\bdefault(?:s|ing)?(?: sort(?:ing)?)?(?: field| order| value| column)?(?: is| to|:|=)*"
    r"(?: (?:be )?(?:sort(?:ing|ed)?|order(?:ing|ed)?))?(?: by)?(?: the| its)?"
    r"\s*['\"`]?(?P<first>[A-Za-z]\w*(?:[ .:-]\w+){0,2}?)['\"`]?"
    r"(?:,? (?:in )?\(?(?P<way>asc(?:ending)?|desc(?:ending)?)\)?(?: order)?)?"
    r"(?: \([^)]*\))?(?=\s*(?:[.,;)](?!\w)|$|if not|when not|if none|unless))|"
    r"['\"`]?\b(?P<last>[A-Za-z]\w*)['\"`]? \((?:the )?(?:(?P<how>asc|desc)\w*, )?default\b",
    re.IGNORECASE,
)
_BY = re.compile(r"\bsort(?:s|ed|ing)?(?: results| rows)? by (?:the )?['\"`]?([a-z]+(?:_[a-z]+)*)\b", re.IGNORECASE)
_DATED = re.compile(r"\b(?:newest|oldest|recent|chronological\w*|dates?|times?|timestamps?)\b", re.IGNORECASE)


def said_way(schema: Schema) -> str:
    """asc or desc, where the words of a direction say which it is when it is not sent; "" where they do not."""
    found = _WAY.search(about(schema))
    return _WAYS[(found["first"] or found["last"]).lower()] if found else ""


def plan_usual_order(
    reader: Reader, tool: ToolSpec, planned: ToolPlan, own: Entity, field_of: Callable[[str], str]
) -> None:
    """Note what the sort and the direction of a list are by their words; `field_of` knows fields by what they mean."""
    properties = reader.properties(tool)
    if planned.sort in properties and properties[planned.sort].get("default") is None:
        note_sort(planned, properties[planned.sort], field_of)
    if planned.order not in properties:
        return
    schema = properties[planned.order]
    way = said_way(schema)
    if way and planned.order not in planned.read.usually:
        planned.read.usually[planned.order] = _word(planned, schema, way)
    sent = planned.read.usually.get(planned.order)
    if sent is None or planned.sort in planned.read.usually or planned.read.newest:
        return
    only = properties[planned.sort].get("const") if planned.sort in properties else None
    if isinstance(only, str):
        planned.read.newest = field_of(only)
    elif _DATED.search(about(schema)):
        planned.read.newest = time_of(reader, own)


def note_sort(planned: ToolPlan, schema: Schema, field_of: Callable[[str], str]) -> None:
    """The value that the sort has by its words, else the field by which rows lie when it is not sent."""
    said = _SORT.search(about(schema))
    if said is None:
        return
    what, word = _split(said["first"] or said["last"])
    way = _WAYS[(word or said["way"] or said["how"] or "asc").lower()]
    if what.lower() in _WAYS:  # "Sort by opened_at in either order. Defaults to descending."
        by = _BY.search(about(schema))
        what, way = by[1] if by else "", _WAYS[what.lower()]
    choices = [choice for choice in scalar_choices(schema) if isinstance(choice, str)]
    wanted = [key_of(what)] if way == "asc" else [f"{key_of(what)}_{way}", f"{key_of(what)}_descending"]
    named = next((choice for choice in choices if key_of(choice) in wanted and choice[0] not in "-+"), "")
    if named:
        planned.read.usually[planned.sort] = named
    elif what and (field := field_of(what)):
        planned.read.newest, planned.read.rising = field, way == "asc"


def _split(said: str) -> tuple[str, str]:
    """A field and the direction behind it: `last_updated.desc`, `name:asc`; "" where there is none."""
    found = re.fullmatch(r"(.+?)[ .:-](asc|desc)(?:ending)?", said.strip(), re.IGNORECASE)
    return (found[1], found[2]) if found else (said.strip(), "")


def _word(planned: ToolPlan, schema: Schema, way: str) -> str | bool:
    """The value of the direction that means this way: one of its choices, or a flag."""
    if types_of(schema) - {"null"} == {"boolean"}:
        return (way == "asc") == (planned.read.ascending or "asc" in planned.order.lower())
    listed = [str(choice) for choice in scalar_choices(schema)] or [*documented_values(planned.order, schema)]
    return next((choice for choice in listed if _WAYS.get(choice.lower()) == way), way)
