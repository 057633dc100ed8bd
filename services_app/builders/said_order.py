"""In which order, and how many of, its rows a list gives by itself, as its description says it in words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from services_app.builders.bounds import is_time, time_of
from services_app.builders.entities import Reader
from services_app.builders.field_types import typed
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.promised import give_field
from services_app.builders.prose import newest_first
from services_app.builders.qualifiers import plan_qualified
from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import words_of

_WAY = r"ascending|descending|asc|desc|(?:soonest|latest|newest|oldest|highest|lowest|largest|smallest|earliest) first"
_SORTED = re.compile(
    r"(?<!be )(?<!optionally )(?<!filtered, )\b(?:sorted|ordered|ranked)(?: alphabetically)? by "
    r"(?:the |its |their )?"
    rf"(?P<what>[a-z_]+(?:[ _][a-z_]+){{0,2}}?)(?:,? (?:order )?\(?(?P<way>{_WAY})\)?| in (?P<in>ascending|descending) "
    rf"order)?(?=\s*(?:$|[.,;()\n]|\bor\b|\band\b))",
    re.IGNORECASE,
)
_DOWN = frozenset(("descending", "desc", "latest first", "newest first", "highest first", "largest first"))
_RECENT = re.compile(
    r"^\W*(?:(?:gets?|lists?|retrieves?|returns?|shows?|fetch(?:es)?|reads?|views?) )?(?:the |a list of |all )*"
    r"(?:\d+ )?(?:most recent|recent|latest|newest)(?:ly \w+)? (?:\w+ ){0,3}?(?P<noun>\w+s)\b",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\b(?:returns?|shows?|lists?|retrieves?|gets?) (?:only )?"
    r"(?:up to|at most|a maximum of|the (?:first|top|last|latest|most recent)) (\d{1,4}) "
    r"(?!days|hours|minutes|seconds|weeks|months|years|characters|words|lines|levels|bytes)[a-z]+",
    re.IGNORECASE,
)
_COMING = re.compile(r"^[^.;(]{0,60}\bupcoming\b", re.IGNORECASE)
_BEHIND = frozenset("created updated modified published added sent completed".split())
_MADE = {"creation_date": "created_at", "creation_time": "created_at", "update_date": "updated_at"}


def plan_orders(reader: Reader, specs: Mapping[str, ToolSpec]) -> None:
    """Give every list the order and the length that the description of its tool says."""
    for planned in reader.plan.every():
        if not planned.entity:
            continue
        tool, own = specs[planned.name], reader.by_noun[planned.entity]
        plan_qualified(reader, tool, planned, own)
        if planned.kind == "list":
            _plan_order(reader, tool.description, planned, own)
        late = {"latest", "newest", "recent"} & set(words_of(tool.name)) and not (planned.derived or planned.sort)
        if planned.kind in ("find", "list") and late and not planned.read.newest:
            planned.read.newest = time_of(reader, own)


def _plan_order(reader: Reader, description: str, planned: ToolPlan, own: Entity) -> None:
    """Note the order of the rows, and the size of a page, where no parameter says them."""
    if any(item.kind == "spoken" for item in planned.filters):  # the query language has an order of its own
        return
    size = _MOST.search(description)
    if size and not planned.derived and "limit" not in planned.pages and int(size[1]) > 0:
        planned.read.usual = planned.read.most = int(size[1])
    if _COMING.search(description.partition(". ")[0]) and not planned.derived:
        _plan_coming(reader, planned, own)
    if newest_first(description):
        planned.read.newest = time_of(reader, own)
    if planned.derived or planned.read.newest:
        return
    said = _SORTED.search(description)
    field = _field(own, said["what"]) or _given(reader, own, said["what"]) if said else ""
    if said and field:
        way = (said["way"] or said["in"] or "").lower()
        planned.read.newest, planned.read.rising = field, way not in _DOWN
    elif said is None and not planned.sort and _RECENT.match(description):
        planned.read.newest = time_of(reader, own)


def _plan_coming(reader: Reader, planned: ToolPlan, own: Entity) -> None:
    """What is upcoming lies ahead of the session clock, the next of it first, unless a bound of time says more."""
    times = [name for name, known in own.fields.items() if is_time(known) and not _BEHIND & set(words_of(name))]
    if any(item.kind in ("from", "until", "past", "coming") for item in planned.filters) or not times:
        return
    ahead = next((name for name in times if {"start", "starts", "due"} & set(words_of(name))), times[0])
    planned.read.coming, planned.read.newest, planned.read.rising = ahead, ahead, True


def _field(own: Entity, said: str) -> str:
    """The field that words such as "due date" mean; "" where nothing tells."""
    key = key_of(said.strip())
    keys = {key_of(name): name for name, known in own.fields.items() if known.type in ("str", "int", "float", "bool")}
    times = {key_of(name) for name, known in own.fields.items() if is_time(known)}
    stem = key.removesuffix("_date").removesuffix("_time")
    alike = [name for name in times if stem != key and words_of(name)[0] == stem]
    wanted = (key, _MADE.get(key, key), f"{own.noun}_{key}", key.removeprefix(f"{own.noun}_"), *alike)
    return next((keys[name] for name in wanted if name in keys), "")


def _given(reader: Reader, own: Entity, said: str) -> str:
    """The field of that name, given to records that lack it: a list sorted by due date has due dates."""
    key = _MADE.get(key_of(said.strip()), key_of(said.strip()))
    last = key.rsplit("_", 1)[-1]
    if own.written or not (last in ("name", "title", "priority") or typed(key)[0] != {"type": "string"}):
        return ""
    schema, kind = typed(key)
    if schema["type"] == "array":
        return ""
    give_field(reader, own, key, schema, kind, {key_of(name) for name in own.fields})
    return key if key in own.fields else ""
