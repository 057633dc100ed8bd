"""In which order, and how many of, its rows a list gives by itself, as its description says it in words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from services_app.builders.bounds import is_time, time_of
from services_app.builders.entities import Reader
from services_app.builders.field_types import typed
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.promised import give_field
from services_app.builders.prose import by_time
from services_app.builders.qualifiers import plan_qualified
from services_app.builders.roles import key_of
from services_app.builders.sort_fields import settle_sorts
from services_app.builders.usual_order import plan_usual_order
from services_app.specs.figures import whole
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
    r"(?:up to|at most|a maximum of|the (?:first|top|last|latest|most recent)) (\d{1,4}|\d{1,3},\d{3}) "
    r"(?!days|hours|minutes|seconds|weeks|months|years|characters|words|lines|levels|bytes)[a-z]+",
    re.IGNORECASE,
)
_ALPHABET = re.compile(
    r"\b(?:sorted|ordered|listed) alphabetically\b(?! by (?!name|title))|\bin alphabetical order\b", re.IGNORECASE
)
_ARGUMENTS = re.compile(
    r"\n\s*(?:Args|Arguments|Parameters|Params|Input)\b.*?(?=\n\s*(?:Returns?|Examples?|Notes?)\b|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_COMING = re.compile(r"^[^.;(]{0,60}\bupcoming\b", re.IGNORECASE)
_BEHIND = frozenset("created updated modified published added sent completed".split())
_MADE = {"creation_date": "created_at", "creation_time": "created_at", "update_date": "updated_at"}
_MADE |= {"last_updated": "updated_at", "last_modified": "updated_at", "creation_order": "created_at"}
_MADE |= {"created": "created_at", "creation": "created_at", "modified_date": "updated_at", "updated": "updated_at"}


def plan_orders(reader: Reader, specs: Mapping[str, ToolSpec]) -> None:
    """Give every list the order and the length that the description of its tool says."""
    for planned in reader.plan.every():
        if not planned.entity:
            continue
        tool, own = specs[planned.name], reader.by_noun[planned.entity]
        plan_qualified(reader, tool, planned, own)
        if planned.kind == "list":
            settle_sorts(reader, planned, own)
            plan_usual_order(reader, tool, planned, own, lambda said, own=own: _meant(reader, own, said))  # type: ignore[misc]
            _plan_order(reader, tool.description, planned, own)
        late = {"latest", "newest", "recent"} & set(words_of(tool.name)) and not (planned.derived or planned.sort)
        if planned.kind in ("find", "list") and late and not planned.read.newest:
            planned.read.newest = time_of(reader, own)


def _plan_order(reader: Reader, description: str, planned: ToolPlan, own: Entity) -> None:
    """Note the order of the rows, and the size of a page, where no parameter says them."""
    if any(item.kind == "spoken" for item in planned.filters):  # the query language has an order of its own
        return
    size = _MOST.search(description)
    if size and not planned.derived and "limit" not in planned.pages and whole(size[1]) > 0:
        planned.read.usual = planned.read.most = whole(size[1])
    if _COMING.search(description.partition(". ")[0]) and not planned.derived:
        _plan_coming(reader, planned, own)
    text = _ARGUMENTS.sub("", description)
    told = by_time(text)
    if told and not planned.read.newest:
        planned.read.newest, planned.read.rising = _timed(reader, own, told[1]), told[0] == "asc"
    if planned.derived or planned.read.newest:
        return
    said = _SORTED.search(text)
    field = _meant(reader, own, said["what"]) if said else _lettered(own, text)
    if field:
        way = (said["way"] or said["in"] or "").lower() if said else ""
        planned.read.newest, planned.read.rising = field, way not in _DOWN
    elif said is None and planned.sort not in planned.read.usually and _RECENT.match(text):
        planned.read.newest = time_of(reader, own)


def _meant(reader: Reader, own: Entity, said: str) -> str:
    """The field that words mean, given to records that lack it where that can be done."""
    made = _MADE.get(key_of(said.strip()), "") == "created_at"
    return _field(own, said) or _given(reader, own, said) or (time_of(reader, own) if made else "")


def _timed(reader: Reader, own: Entity, word: str) -> str:
    """The time by which rows lie: "most recently modified first" is about when they were modified."""
    root = re.sub(r"(?:ed|d)$", "", word)
    times = [name for name, known in own.fields.items() if is_time(known)]
    same = [name for name in times if len(root) > 2 and any(part.startswith(root) for part in words_of(name))]
    return same[0] if same else time_of(reader, own)


def _lettered(own: Entity, text: str) -> str:
    """The name by which rows are said to lie in the order of the alphabet."""
    names = [name for name in own.fields if key_of(name) in ("name", "title", "label", f"{own.noun}_name")]
    return names[0] if names and _ALPHABET.search(text) else ""


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
    key = key_of(said.strip()) if "_" in said else _MADE.get(key_of(said.strip()), key_of(said.strip()))
    last = key.rsplit("_", 1)[-1]
    schema, kind = typed(key)
    told = last in ("name", "title", "priority") or bool(kind) or schema != {"type": "string"}
    if own.written or not told or schema["type"] == "array":
        return ""
    give_field(reader, own, key, schema, kind, {key_of(name) for name in own.fields})
    return key if key in own.fields else ""
