"""What the words of a list's parameter say it does to the rows, where its name alone says too little or too much."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from services_app.builders.prose import about
from services_app.builders.roles import key_of
from services_app.specs.vocabulary import singular, types_of, words_of

Schema = Mapping[str, Any]
SaidKind = Literal[
    "from", "until", "least", "most", "past", "coming", "holds", "begins", "ends", "unlike", "spoken", "size", "up",
    "down", "cut", "pages",
]  # fmt: skip
_FROM = frozenset("from since start starting begin beginning after oldest earliest min newer".split())
_UNTIL = frozenset("until till to end ending before latest max older through newest".split())
_SIGNS = frozenset(("gt", "gte", "lt", "lte"))
_JOINED = re.compile(r"^(from|since|start|end|to|until|min|max|before|after)(date|time|day|month|timestamp)s?$")
_TURNED = re.compile(r"^(date|time|day|month|timestamp|range|daterange)(from|start|end|to|until|min|max)$")
_MOMENT_WORDS = frozenset(
    (
        "date time datetime day month year timestamp at on in ts utc iso rfc 3339 rfc3339 8601 seconds second ms "
        "millis milliseconds unix epoch inclusive exclusive range filter period q"
    ).split()
)
_MOMENT = re.compile(
    r"\bdates?\b|\bdate-?time|\btime ?stamp|\bunix|\bepoch|\biso[- ]?8601|\brfc ?-?3339|yyyy|\bmilliseconds\b|"
    r"\b(?:start|end|earliest|latest) time\b|\btime (?:range|window)|\bmonth of the range|\bdatum\b|\bin (?:utc|ms)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\bnumber of\b|\bhow many\b|\bcount of\b", re.IGNORECASE)
_SIZE = re.compile(
    r"^\W*(?:optional\W+|the )?(?:(?:max(?:imum)?|total|desired|target)\s+)?(?:number|amount|count|no\.?) of (?:the )?"
    r"(?P<what>(?:[\w'’-]+\s+){0,4}?[\w'’-]+?)\s*"
    r"(?:(?:to|that should|to be) (?:return|fetch|get|show|list|retrieve|include|display|scan|load)\w*|returned|"
    r"per page|in (?:the|a) (?:response|page|result)|\(|,|\.|$|;)",
    re.IGNORECASE,
)
_MAXIMUM = re.compile(
    r"^\W*(?:optional\W+)?(?:the )?max(?:imum)?\s+(?P<what>(?:[\w-]+\s+){0,3}?[\w-]+)\s+"
    r"(?:to|that should be) (?:return|fetch|get|show|list|retrieve|include|display|scan|load)",
    re.IGNORECASE,
)
_ROWS = frozenset("result item record entry row story element object hit match recommendation suggestion".split())
_QUALIFYING = frozenset(
    "search matching total recent most top individual latest maximum returned single individual log the of own".split()
)
_SPAN = re.compile(
    r"\b(?:number of|how many|last|past|this many|the|n|x|\d+)\s+(?:n\s+|x\s+|most recent\s+)?"
    r"(second|minute|hour|day|week|month|year)s?\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"look(?:ing|s)?[- ]?back|lookback|\bback\b|\bprior to\b|\bin the past\b|\bof history\b|\bnewer than\b|"
    r"\bwithin (?:this|the last)|"
    r"\b(?:the )?last (?:n|x|\d+|this many) (?:second|minute|hour|day|week|month)s|\bpast (?:n|x|\d+) |\bhours old\b",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"\blook(?:ing)?[- ]?ahead|\bahead\b|\bfrom now\b|\binto the future|\bnext (?:n|x|\d+) |\bforward\b", re.I
)
_UNITS = {
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": 86_400,
    "week": 604_800,
    "month": 2_592_000,
    "year": 31_536_000,
}
_HOLDS = re.compile(
    r"\bsub-?string\b|\bpartial (?:\w+ )?(?:match|name|title|text|path|word|string|value|filter|matches)|"
    r"\bpartially match|\bcontains?[- ]match|\bfuzzy (?:search|match)|"
    r"\b(?:title|name|subject|text|value|field|label|description)s? (?:that )?contain(?:s|ing)?\b|"
    r"\bcontain(?:s|ing)? (?:this|the (?:given|specified)) (?:text|string|value|word|term)|"
    r"\b(?:by|match(?:es|ing)?) (?:\w+ ){0,2}keywords?\b|\bkeywords? (?:to filter|that match)|\bname contains\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"\bexact(?:ly)? match|\bmatch(?:es)? exactly|\bnot fuzzy|\bexact (?:name|value)", re.IGNORECASE)
_BEGINS = re.compile(
    r"\bprefix\b|\b(?:names?|keys?|paths?|titles?) (?:that )?(?:start|begin)(?:s|ing)? with\b", re.IGNORECASE
)
_UNLIKE = re.compile(
    r"\bto (?:exclude|omit|skip|leave out)\b|^\W*(?:exclude|omit|skip)s?\b|\bexclude(?:s|d)? (?:from|people|comp|em)",
    re.I,
)
_UNLIKE_WORDS = frozenset("exclude excluded excluding exclusions exclusion not without skip omit ignore".split())
_PART_WORDS = frozenset(
    (
        "filter query pattern contains containing search keyword keywords term text prefix q by match like substring"
    ).split()
)
_LANGUAGES = frozenset(
    "sql jql cql soql sosl kql dax mdx graphql gql cypher sparql promql logql odata json search filter url http".split()
)
_LOOKUPS: dict[str, SaidKind] = {
    "icontains": "holds", "contains": "holds", "istartswith": "begins", "startswith": "begins",
    "iendswith": "ends", "endswith": "ends",
}  # fmt: skip
_ODATA = re.compile(r"\bodata\b|\beq\b.*\b(?:ne|co|gt)\b|\b(?:displayName|\w+Id) eq\b", re.IGNORECASE)
_UP = frozenset(("ascending", "asc", "sort_ascending", "sort_asc", "is_ascending", "order_asc", "oldest_first"))
_DOWN = frozenset(
    (
        "descending", "desc", "reverse", "reversed", "sort_descending", "sort_desc", "sort_reverse", "newest_first",
        "is_descending", "reverse_order", "reverse_sort",
    )
)  # fmt: skip
_CUT = frozenset(
    "max_chars max_length max_characters max_content_length preview_chars snippet_length max_body_length".split()
)
_CHARACTERS = re.compile(r"\bcharacters?\b|\bchars?\b", re.IGNORECASE)


@dataclass(frozen=True)
class Said:
    """What a parameter does: `stem` names the field (or "" for the usual one), `seconds` are those of one unit."""

    kind: SaidKind
    stem: str = ""
    strict: bool = False
    seconds: int = 0


def said_of(name: str, schema: Schema, noun: str = "") -> Said | None:
    """What the words of a parameter say; None where they say no more than its name."""
    kinds, text = types_of(schema) - {"null"}, about(schema)
    if schema.get("enum") or "const" in schema:
        return None
    if kinds == {"boolean"}:
        return _turned(name)
    if "object" in kinds or (schema.get("items") or {}).get("enum"):
        return None
    if kinds == {"string"} and key_of(name) in ("filter", "filters", "where") and "json" not in text.lower():
        return Said("spoken", "odata" if _ODATA.search(text) else "keyed")
    found = _unlike(name, text)
    if found or "array" in kinds:
        return found
    found = _moment(name, kinds, schema)
    if found is None and kinds & {"integer", "number"}:
        found = _counted(name, text, noun) or _bound(name, text)
    if found is None and kinds == {"string"}:
        found = _part(name, text)
    return found


def _turned(name: str) -> Said | None:
    key = key_of(name)
    return Said("up") if key in _UP else Said("down") if key in _DOWN else None


def _unlike(name: str, text: str) -> Said | None:
    """Values that rows must not have: `exclude_domains`, `not_campaign_ids`, "IDs to exclude"."""
    words = key_of(name).split("_")
    if not _UNLIKE.search(text) and not (text == "" and words[0] == "exclude" and len(words) > 1):
        return None
    stem = [word for word in words if word not in _UNLIKE_WORDS]
    if (
        not stem
        or words[0] in ("include", "max", "min", "max_id")
        or (len(stem) == len(words) and "to exclude" not in text.lower())
    ):
        return None
    if stem[-1] in ("contains", "contain"):
        return Said("unlike", "_".join(stem[:-1]), strict=True)
    return Said("unlike", "_".join(stem))


def _moment(name: str, kinds: set[str], schema: Schema) -> Said | None:
    """A bound of time whose name is joined (`fromdate`), turned (`dateMax`), of the past (`oldest`) or a number."""
    text = about(schema)
    words = _apart(name)
    if not kinds & {"string", "integer", "number"} or not words or _COUNTED.search(text):
        return None
    if words[-1] in _SIGNS and not (
        _MOMENT.search(text) or words[-2:-1] in (["date"], ["time"], ["timestamp"], ["at"])
    ):
        return _lettered(words) if "string" in kinds else None
    if words[-1] == "id" or not (
        _MOMENT.search(text) or schema.get("format") in ("date", "date-time") or _dated(words)
    ):
        return None
    marks = [word for word in words if word in _FROM | _UNTIL | _SIGNS]
    if not marks:
        return None
    mark = words[-1] if words[-1] in marks else marks[0]
    stem = "_".join(word for word in words if word not in _FROM | _UNTIL | _MOMENT_WORDS | _SIGNS)
    strict = mark in ("gt", "lt") or re.search(r"\bexclusive\b|\bstrictly\b", text, re.I) is not None
    return Said("until" if mark in _UNTIL or mark in ("lt", "lte") else "from", stem, strict)


def _lettered(words: list[str]) -> Said | None:
    """`author.gt`: texts that come later in the alphabet."""
    return Said("least" if words[-1].startswith("g") else "most", "_".join(words[:-1]), words[-1] in ("gt", "lt"))


def _apart(name: str) -> list[str]:
    """The words of a name, those that are written as one too: `fromdate`, `rangemin`."""
    found: list[str] = []
    for word in words_of(name):
        joined = _JOINED.match(word) or _TURNED.match(word)
        found += [joined[1], joined[2]] if joined else [word]
    return found


def _dated(words: list[str]) -> bool:
    return bool(set(words) & {"date", "datetime", "timestamp", "rfc", "rfc3339"}) and len(words) > 1


def _counted(name: str, text: str, noun: str) -> Said | None:
    """A number that counts: rows to show, units of time to look back or ahead, characters to keep, pages to read."""
    key = key_of(name)
    if key in _CUT and (_CHARACTERS.search(text) or "char" in key):
        return Said("cut")
    unit = next((u for u in _UNITS if re.search(rf"(?:^|_){u}s?(?:_|$)", key)), "") or _unit(text)
    ahead = bool(_AHEAD.search(text)) or bool({"ahead", "forward"} & set(key.split("_")))
    back = bool(_BACK.search(text)) or bool({"back", "lookback", "old"} & set(key.split("_")))
    if unit and ahead != back:
        return Said("coming" if ahead else "past", seconds=_UNITS[unit])
    if key in ("max_pages", "page_limit", "num_pages", "pages") and "page" in text.lower():
        return Said("pages")
    if "max" in key.split("_")[:1] and "_".join(map(singular, key.split("_")[1:])) in (noun, noun.rsplit("_", 1)[-1]):
        return Said("size")  # max_tracks of a list of tracks
    if (counted := _SIZE.match(text) or _MAXIMUM.match(text)) is None or key.endswith("number"):
        return None  # "the number of the alert" names it
    what = [singular(word) for word in re.findall(r"[a-z]+", counted["what"].lower())]
    if what and what[0] in _UNITS and len(what) > 1:
        return Said("past", seconds=_UNITS[what[0]])
    mine = set(noun.split("_")) | _ROWS
    return Said("size") if what and what[-1] in mine and set(what[:-1]) <= mine | _QUALIFYING else None


def _unit(text: str) -> str:
    found = _SPAN.search(text)
    return found[1].lower() if found else ""


_LEAST = re.compile(
    r"\bmin(?:imum)?\b|\bat least\b|\b(?:greater|more|larger|higher|bigger) than\b|\babove\b|>=", re.IGNORECASE
)
_MOST = re.compile(
    r"\bmax(?:imum)?\b|\bat most\b|\b(?:less|lower|smaller|fewer) than\b|\bbelow\b|<=|\bno more than\b", re.IGNORECASE
)
_BOUND_NAMES = (
    (
        "least",
        re.compile(
            r"^min(?P<stem>[a-z]{3,})$|^(?P<first>\w+?)_?(?:more|greater|larger|higher)_?than$|^(?P<last>\w+?)min$"
        ),
    ),
    (
        "most",
        re.compile(
            r"^max(?P<stem>[a-z]{3,})$|^(?P<first>\w+?)_?(?:less|lower|smaller|fewer)_?than$|^(?P<last>\w+?)max$"
        ),
    ),
)


def _bound(name: str, text: str) -> Said | None:
    """A bound whose name is written as one word or in words: `minrating`, `priceLowerThan`, `larger_than`."""
    key = key_of(name)
    if key.startswith(("min_", "max_", "minimum_", "maximum_")) or key.endswith(("_min", "_max")):
        return None
    for kind, names in _BOUND_NAMES:
        match = names.match(key)
        if match and (_LEAST if kind == "least" else _MOST).search(text):
            stem = match["stem"] or match["first"] or match["last"] or ""
            return Said(kind, stem.strip("_"), "than" in key)  # type: ignore[arg-type]
    if key in ("larger_than", "bigger_than", "smaller_than"):
        return Said("most" if key == "smaller_than" else "least", "size", strict=True)
    return None


def _part(name: str, text: str) -> Said | None:
    """A text that a field must hold, or begin with, rather than be."""
    words = key_of(name).split("_")
    if (
        words[-1] in ("id", "ids", "uid", "uuid", "type", "field", "mode", "fields", "path", "dir", "url")
        or len(words) > 4
    ):
        return None
    if words[-1] in _LOOKUPS and len(words) > 1:  # name__istartswith
        return Said(_LOOKUPS[words[-1]], "_".join(words[:-1]))
    stem = "_".join(word for word in words if word not in _PART_WORDS)
    if "prefix" in words and stem:
        return Said("begins", stem)
    asks = words[-1] == "query" and not set(words[:-1]) & _LANGUAGES  # app_name_query, of names
    if stem and (asks or _HOLDS.search(text)) and not _WHOLE.search(text):
        return Said("holds", stem)
    return None
