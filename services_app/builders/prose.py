"""What descriptions say in words: defaults, bounds, fixed values, the order of rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from services_app.specs.figures import FIGURE, whole
from services_app.specs.vocabulary import types_of

_DEFAULT = re.compile(
    rf"default(?:s|ed|ing)?(?:\s+(?:is|to|value|of|page|size))*[\s:=(\"'`~≈]*({FIGURE})(?![\d.]*%)|"
    rf"\b({FIGURE}) (?:\w+ )?by default\b",
    re.I,
)
_MOST = re.compile(
    r"(?:\bmax(?:imum)?\b|\bup to\b|\bat most\b|\bno more than\b|≤|<=)(?:(?!default)[^\d.;]){0,24}"
    rf"(?<![\d,])({FIGURE})(?!\s*(?:-|–|to|\.\.)\s*\d)(?! and \d)",
    re.I,
)
_SPAN = re.compile(
    rf"\b(?:[01]\s*(?:-|–|to|and|\.\.)|between \d+ (?:and|to)|from \d+ to)\s*({FIGURE})\b", re.IGNORECASE
)
_NEWEST = re.compile(
    r"\b(?:newest|latest)[- ](?:\w+ )?first|\bmost[- ]recent(?:ly)?(?:[- ](?P<word>\w+))?(?: \w+)?[- ]first|"
    r"\breverse[- ]chronological|\bnewest to oldest|\bmost recent to (?:the )?(?:oldest|least)|"
    r"\bdescending (?:order )?(?:by|of) (?:date|time|creat)",
    re.I,
)
_OLDEST = re.compile(
    r"\boldest[- ](?:\w+ )?first|\boldest to (?:newest|youngest|latest|most recent)|\bin chronological order|"
    r"\b(?:ordered|sorted|listed) chronologically",
    re.I,
)
_LISTS = re.compile(
    r"\b(?:gets?|retrieves?|shows?|returns?) (?:or|and|/) ?lists?\b|\blists? or (?:gets?|retrieves?)\b|"
    r"\botherwise,? (?:it |this )?(?:lists|(?:returns )?(?:all|every)\b)|\b(?:or|else) (?:lists?|returns?) all\b|"
    r"\b(?:if|when) (?:not|no) [^.]{0,60}\b(?:lists|all)\b|"
    r"\bomit\w* [^.]{0,40}\b(?:to )?(?:list|get|return|for) all\b|^lists?\b",
    re.IGNORECASE,
)
_AFTER_ROW = re.compile(r"\b(?:after|following) (?:the|this) (?:specified |given )?(?:\w+ )?ids?\b", re.IGNORECASE)
_ROW = re.compile(
    r"\b(?:index|number|position) of (?:the )?first (?:result|item|row|record)|\b(?:result )?offset\b|"
    r"\bstart(?:ing)? (?:index|position)|\b(?:zero|one|0|1)-based (?:\w+ )?(?:index|position)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"'`]([^\"'`\s]+)[\"'`]")
_MEDIA = re.compile(r"\b((?:application|text|image)/[\w.+-]+)")
_ZERO = re.compile(r"0[- ](?:based|indexed)|zero[- ](?:based|indexed)|start(?:s|ing)? (?:at|from) (?:0|zero)", re.I)


def about(schema: Mapping[str, Any]) -> str:
    """The description of a parameter."""
    return str(schema.get("description") or "")


def default_size(schema: Mapping[str, Any]) -> int:
    """Size of a page by default: of the schema, else of the words; 0 when neither says."""
    value = schema.get("default")
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    return size if 0 < (size := _default(schema)) <= 100_000 else 0


def _default(schema: Mapping[str, Any]) -> int:
    """The number that is the default by the words; -1 where they name none."""
    found = _DEFAULT.search(about(schema))
    return whole(found[1] or found[2]) if found else -1


_EACH = re.compile(r"\b(\d{1,4}) (?:\w+ )?(?:per|a|on each) page\b", re.IGNORECASE)


def size_said(said: str) -> int:
    """The size of a page where no parameter gives it: "Page number (100 per page)"; 0 where nothing says it."""
    found = _EACH.search(said)
    return int(found[1]) if found else 0


def largest_size(schema: Mapping[str, Any]) -> int:
    """The largest page that the words allow; 0 when they do not say."""
    found = _MOST.search(about(schema)) or _SPAN.search(about(schema))
    return whole(found[1]) if found and 0 < whole(found[1]) <= 100_000 else 0


def first_page(schema: Mapping[str, Any]) -> int:
    """0 when pages are counted from zero, by the schema or the words (a default of 0 too), else 1."""
    said = _ZERO.search(about(schema)) is not None or _default(schema) == 0
    return 0 if said or schema.get("default") == 0 or schema.get("minimum") == 0 else 1


def after_row(schema: Mapping[str, Any]) -> bool:
    """Whether a cursor is the id of the last row seen: "return entities after the specified ID"."""
    return _AFTER_ROW.search(about(schema)) is not None


def is_row_number(name: str, schema: Mapping[str, Any]) -> bool:
    """Whether a whole number says at which row of a list to start, whatever its name."""
    if name == "start" and not about(schema) and schema.get("type") == "integer":
        return True
    return name in ("start", "from", "startIndex") and _ROW.search(about(schema)) is not None


def says_list(description: str) -> bool:
    """Whether a tool that may read one record is said to list them where none is named."""
    return _LISTS.search(description) is not None


_COMMAS = re.compile(r"\bcomma[- ]?(?:separated|delimited)|\bseparated by commas?\b", re.IGNORECASE)


def takes_commas(schema: Mapping[str, Any]) -> bool:
    """Whether a parameter takes several values in one text, with commas between them."""
    return "string" in types_of(schema) and _COMMAS.search(about(schema)) is not None


def by_time(description: str) -> tuple[str, str] | None:
    """asc or desc, and the word of the time ("modified"), where a list is said to lie in the order of time.

    None where it is not said, or both ways are: then somebody chooses.
    """
    newest, oldest = _NEWEST.search(description), _OLDEST.search(description)
    if (newest is None) == (oldest is None):
        return None
    return ("desc", (newest["word"] or "").lower()) if newest else ("asc", "")


def accepted_values(schema: Mapping[str, Any], *, media: bool) -> tuple[str, ...]:
    """Values that a header may have, by the schema and the words; for media types JSON when neither says."""
    values = [schema["const"]] if "const" in schema else list(schema.get("enum") or ())
    if not values:
        values = [value for value in (schema.get("default"),) if value]
        said = about(schema)
        values += media_types(schema) if media else _fixed(said)
    texts = [str(value) for value in values if isinstance(value, str)]
    return tuple(dict.fromkeys(texts)) or (("application/json",) if media else ())


def media_types(schema: Mapping[str, Any]) -> list[str]:
    """The media types, with their parameters, that the default and the words of a header name."""
    said = f"{schema.get('default') or ''} {about(schema)}"
    return [found.rstrip(".,;") for found in _MEDIA.findall(said)]


def _fixed(said: str) -> list[str]:
    """What a header must be set to, as quoted behind "must be" and the like."""
    place = re.search(r"must be|set to|set this to|required value|always|value of|only", said, re.I)
    return _QUOTED.findall(said[place.start() :])[:1] if place else []
