"""The type of a field, and the kind of value that seeds give it, by its name and by what is said about it."""

from __future__ import annotations

import re
from typing import Any

from services_app.builders.roles import key_of
from services_app.builders.world import NAMED_VALUES, VALUES, held_by
from services_app.specs.vocabulary import singular, words_of

Typed = tuple[dict[str, Any], str]
"""(schema, kind of seed value) of a field."""

COUNTED = frozenset(
    (
        "count likes views followers followees forks stars downloads votes shares replies size duration rank year "
        "level quantity stock age population upvotes downvotes plays wins losses goals points citations seats bytes "
        "days pages minutes seconds width height line port xp experience length visits clicks impressions retweets "
        "subscribers watchers favorites favourites rejected score_count "
        "installs attempts retries decimals used remaining stargazers ttl offset"
    ).split()
)
MEASURED = frozenset(
    (
        "amount price total subtotal cost balance rate score percentage percent latitude longitude temperature "
        "humidity volume fee tax discount rating distance weight confidence credit margin revenue profit budget change "
        "open high low close market_cap cap tvl apr apy liquidity speed salary value ratio accuracy progress "
        "altitude elevation magnitude pressure precipitation visibility yield dividend float growth flow debt income "
        "earnings ebitda eps spread dominance supply capitalization capacity space memory usage load depth probability "
        "area density intensity power energy voltage gb mb kb tb km celsius fahrenheit unemployment inflation average "
        "qty usd popularity commission compensation gdp debit bid ask spent estimate"
    ).split()
)
NAMED = frozenset(
    (
        "id ids name title description status state type kind category author owner creator email phone url link "
        "address city country location currency date time timestamp created updated modified published language "
        "version license hash path size summary abstract body content text message comment subject label priority "
        "assignee symbol ticker slug key code username domain avatar thumbnail image color format role timezone "
        "severity reason note notes notes source destination sender recipient company organization position genre "
        "artist album publisher journal doi isbn sku brand model species venue platform protocol region zone host "
        "hostname branch commit repository channel team player winner opponent league season gender birthday bio "
        "biography nationality website homepage readme expiry expiration deadline start end level conclusion "
        "method environment visibility currency_code unit metadata details conditions condition wind instructions "
        "difficulty topic question answer snippet excerpt caption transcript reference number"
    ).split()
)
LISTS = frozenset(
    (
        "authors tags labels categories keywords topics artists genres languages permissions roles scopes ingredients "
        "members participants attendees assignees attachments images links emails aliases dependencies maintainers "
        "owners skills actors versions symptoms recipients steps references companies actions amenities platforms"
    ).split()
)
# What a record lists with its particulars: rows of their own kind, where words alone would say nothing.
_ROWS_OF = frozenset(
    (
        "event document product task project comment image photo file attachment order transaction episode track song "
        "meal recipe match game player team article post message review reply issue ticket alert incident job run "
        "build invoice payment subscription price quote holding trade candle service device sensor course lesson "
        "section chapter dataset video movie book paper package release commit branch repository flight restaurant "
        "hotel definition translation vulnerability discussion announcement submission change activity notification"
    ).split()
)
_WHOLE = frozenset("duration quantity volume rank points wins losses downloads stars width height".split())
FLAGS = frozenset(("enabled", "active", "verified", "private", "archived", "public", "pinned", "read", "unread"))
_SPENT = frozenset("total actual estimated worked billable logged remaining tracked regular overtime".split())
_DATES = frozenset("date created updated modified published expiry expiration deadline birthday due".split())
_TIMES = frozenset("time timestamp start end at".split())
_BY_WORDS: tuple[tuple[dict[str, Any], str, re.Pattern[str]], ...] = (
    ({"type": "boolean"}, "", re.compile(r"(?:bool(?:ean)?\b|true\b|if\b|flag\b|(?:\w+ )?whether\b)", re.I)),
    (
        {"type": "integer"},
        "",
        re.compile(r"(?:int(?:eger)?\b|(?:the |total |maximum |max )*(?:number|count) of\b)", re.I),
    ),
    ({"type": "number"}, "", re.compile(r"(?:float|number)\b(?! of)|(?:the )?(?:average|percentage|ratio)\b", re.I)),
    (
        {"type": "array", "items": {"type": "string"}},
        "",
        re.compile(r"(?:a |the )?(?:lists?|arrays?) (?:of|with)\b|(?:list|array)\b|ids of\b", re.I),
    ),
    (
        {"type": "string", "format": "date-time"},
        "timestamp",
        re.compile(
            r"(?:the )?(?:timestamp\b|date\b|(?:time|when) .{0,30}\b(?:was|were)\b|iso[- ]?8601|utc time)", re.I
        ),
    ),
)


def typed(name: str) -> Typed:
    """The schema and the kind of seed value of a field by its name."""
    key = key_of(name)
    words = words_of(name) or [name]
    last = words[-1]
    if (words[0] in ("is", "has", "can") and len(words) > 1) or last in FLAGS:
        return {"type": "boolean"}, ""
    if last == "ids":
        return {"type": "array", "items": {"type": "string"}}, ""
    if last in COUNTED or words[:2] == ["number", "of"]:
        return {"type": "integer"}, "size" if last in ("size", "bytes") else ""
    spent = last == "hours" and words[0] in _SPENT
    if last in MEASURED or spent or ("per" in words[1:-1] and words[words.index("per") - 1] in MEASURED):
        return {"type": "number"}, VALUES.get(last, "")
    if last in _DATES or last in _TIMES or words[:2] == ["date", "of"]:
        if last in ("expiry", "birthday", "due", "deadline", "date") or words[:2] == ["date", "of"]:
            return {"type": "string", "format": "date"}, "date"
        return {"type": "string", "format": "date-time"}, "timestamp"
    if last in LISTS or (singular(last) != last and last not in VALUES):
        return {"type": "array", "items": _each_of(singular(last))}, ""
    return {"type": "string"}, _reached(words) or NAMED_VALUES.get(key) or VALUES.get(last, "")


def _reached(words: list[str]) -> str:
    """The kind of a name for where somebody is reached: a phone number, an email address; "" for any other."""
    if words[0] in ("mobile", "phone", "fax") and words[-1] in ("no", "number"):
        return "phone"
    return "email" if words[-2:] == ["email", "address"] else ""


def _each_of(word: str) -> dict[str, Any]:
    """The schema of each thing of a list: an object with what such a thing holds, else a text."""
    rows = held_by(word) if word in _ROWS_OF else []
    parts = {part: {"type": "integer" if part in _WHOLE else "string"} for part in rows}
    return {"type": "object", "properties": parts} if parts else {"type": "string"}


def typed_by_words(said: str) -> Typed | None:
    """The schema and the kind of value of a field by what is said about it: "Whether it depends on past runs"."""
    for schema, kind, words in _BY_WORDS:
        if words.match(said):
            return dict(schema), kind
    return None
