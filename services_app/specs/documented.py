"""Values that a parameter may have, as its description lists them in words, and where it starts to count."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from services_app.specs.vocabulary import id_target, types_of, words_of

_LISTS = re.compile(
    r"(?:(?<!exactly )(?<!least )(?<!only )\bone of|\b(?:supported|valid|allowed|accepted|possible|available|common) "
    r"(?:values|options|fields)(?: are| include)?|\bchoose from|\bmust be either|"
    r"\boptions(?: are|(?=:))|^values(?=:))\s*:?\s*",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"([\"'`])([\w*+-][\w:.\[\]-]*(?: [\w:.-]+){0,2})\1(?:\s*\([^()]{0,160}\))?")
_BARE = re.compile(r"()([A-Za-z0-9](?:[\w.-]*\w)?)(?:\s*\([^()]{0,160}\))?")
_BETWEEN = re.compile(r"\s*(?:,\s*(?:and\s+|or\s+)?|\|\s*|\s(?:and|or)\s+)")
_END = re.compile(r"\s*(?:$|[.;)\n])")
_EXAMPLES = re.compile(r"\b(?:e\.?g|ex|examples?|exemple|eg)\b[^\"'`]{0,24}$|[^\x00-\x7f]\s*$(?<![—–])", re.IGNORECASE)
_INSIDE = re.compile(r"\((?=[^()]+\))")
_SHAPES = re.compile(
    r"yyyy|\bdates?\b|\btimestamp|\bids?\b|\biso\b|\burls?\b|\bnames?\b|\bpath\b|\bowner\b|\bnamespace\b|\bnotation\b|"
    r"\bversion\b|\bselector\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(r"sort|order", re.IGNORECASE)
_LEADS = re.compile(r"(?:^|[:(—–-]|\b(?:by|either|accepts?)(?: the)?)\s*$", re.IGNORECASE)
# Last words of parameters that take one of a few words.
_CHOSEN = frozenset(
    (
        "status state type kind mode role side priority severity visibility access level importance action category "
        "presence method scope style layout unit period frequency interval gender direction network platform "
        "permission verb duplicate everyone orientation alignment theme effect purity color language timeframe "
        "granularity"
    ).split()
)
_CHOOSES = re.compile(r"^\W*(?:optional )?(?:filter|limit|restrict)\w*(?: by\b|\s*[-–—:])", re.IGNORECASE)
_ITEM = r"(?:[A-Z][\w-]*(?: [A-Z][\w-]*){1,2}|[A-Za-z][\w-]*|\d{1,3}[a-zA-Z]+)"  # In Process, done, 15min
_ROW = rf"{_ITEM}(?:\s*(?:[,|/]|,?\s(?:or|and)\s)\s*(?:or\s+|and\s+)?{_ITEM})+(?:,? etc\.?)?"
_ROWS = (
    re.compile(rf"\((?P<row>{_ROW})\)"),
    re.compile(rf":\s*(?P<row>{_ROW})\.?$"),
    re.compile(rf"^(?P<row>{_ROW})\.?$"),
    re.compile(rf"\s[-–—]\s+(?P<row>{_ROW})\.?$"),
)
_BEFORE = re.compile(
    r"\b(?:exactly|least|only|e\.?g|i\.e|ex|examples?|such as|like|format|iso)\b[^()]{0,12}$", re.IGNORECASE
)
_SAMPLES = re.compile(r"\b(?:e\.?g\.?|for example|examples?:|such as)[,:]?\s*(?P<said>[^\n)]{2,120})", re.IGNORECASE)
_SAMPLE = re.compile(r"([\"'`])([A-Za-z][\w +&.-]{1,30}?)\1")
_OPEN = frozenset("q query search keyword keywords term text search_query fields select columns".split())
_FROM_ONE = re.compile(r"\b(?:one|1)[- ](?:based|indexed)|\bstart(?:s|ing)? (?:at|from|with) (?:1|one)\b", re.I)
_ADDS = re.compile(r"(?!.*\b(?:only|filter)\b)[^.;]{0,60}\binclud(?:e|es|ing)\b", re.IGNORECASE)
_KINDS = frozenset(("string", "array", "null"))


def documented_values(name: str, schema: Mapping[str, Any]) -> tuple[str, ...]:
    """The texts that the description of a parameter lists as its values; () where it lists none, or the schema does.

    Listed behind words such as "one of" and "valid values", or quoted side by side and not as examples.
    """
    said = str(schema.get("description") or "")
    if not _takes_words(name, schema) or "json" in said.casefold():
        return ()
    for place in _LISTS.finditer(said):
        found = _items(_QUOTED, said, place.end()) or _ended(said, place.end())
        if found and ("fields" not in place[0].casefold() or _ORDERS.search(name)):
            return tuple(dict.fromkeys(found))
    for place in _INSIDE.finditer(said):
        found = _ended(said, place.end())
        if len(found) > 1 and said[place.start() :].partition(")")[0].count(" or ") == 1:
            return () if _EXAMPLES.search(said[: place.end()]) or _SHAPES.search(said) else tuple(dict.fromkeys(found))
    for quoted in _QUOTED.finditer(said):
        found = _items(_QUOTED, said, quoted.start())
        if len(found) > 1:
            before = said[: quoted.start()]
            return tuple(dict.fromkeys(found)) if _LEADS.search(before) and not _EXAMPLES.search(before) else ()
    return _row(name, said)


def _row(name: str, said: str) -> tuple[str, ...]:
    """Bare words side by side, in parentheses, behind a colon or alone: "Severity (ERROR, WARNING, INFO)"."""
    if not chooses_word(name) and not _CHOOSES.match(said):
        return ()
    for form in _ROWS:
        found = form.search(said)
        if found and not _BEFORE.search(said[: found.start("row")]):
            words = [word for word in re.findall(_ITEM, found["row"]) if word not in ("or", "and", "etc")]
            return tuple(dict.fromkeys(words)) if len(words) > 1 else ()
    return ()


def chooses_word(name: str) -> bool:
    """Whether a parameter takes one of a few words by its name: a status, a role, a mode."""
    return (words_of(name) or [""])[-1] in _CHOSEN


def exampled_values(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """The quoted texts that the description of a parameter gives as examples of its values."""
    said = str(schema.get("description") or "")
    found = _SAMPLES.search(said)
    return tuple(dict.fromkeys(text for _, text in _SAMPLE.findall(found["said"]))) if found else ()


def _takes_words(name: str, schema: Mapping[str, Any]) -> bool:
    """Whether a parameter takes texts, or lists of them, that the schema does not narrow and that name no record."""
    kinds, items = types_of(schema), schema.get("items") or {}
    if any(word in part for part in (schema, items) for word in ("enum", "const", "format", "pattern")):
        return False
    if id_target(name, "own") is not None or "_".join(words_of(name)) in _OPEN:
        return False
    return bool(kinds) and kinds <= _KINDS and not ("array" in kinds and types_of(items) - {"string"})


def _items(item: re.Pattern[str], said: str, at: int) -> list[str]:
    return [value for value, _ in _walk(item, said, at)]


def _ended(said: str, at: int) -> list[str]:
    """Bare words are a list when there are several and the sentence ends behind them."""
    walked = _walk(_BARE, said, at)
    found = [value for value, _ in walked if value != "etc"]
    return found if len(found) > 1 and _END.match(said, walked[-1][1]) else []


def _walk(item: re.Pattern[str], said: str, at: int) -> list[tuple[str, int]]:
    """Items one behind the other from a place on, each with the place where it ends."""
    found: list[tuple[str, int]] = []
    here = item.match(said, at)
    while here is not None:
        found.append((here[2], here.end()))
        between = _BETWEEN.match(said, here.end())
        here = item.match(said, between.end()) if between else None
    return found


def adds_rows(schema: Mapping[str, Any]) -> bool:
    """Whether a flag adds something to a result, by its words: it is no value that rows must have."""
    said = str(schema.get("description") or "")
    return types_of(schema) - {"null"} == {"boolean"} and _ADDS.match(said) is not None


def counts_from_one(schema: Mapping[str, Any]) -> bool:
    """Whether the first row of a list has the number one, by the bounds of the schema or its words."""
    said = str(schema.get("description") or "")
    return 1 in (schema.get("minimum"), schema.get("default")) or _FROM_ONE.search(said) is not None
