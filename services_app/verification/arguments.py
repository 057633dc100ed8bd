"""Arguments for a tool from its schema alone, of several kinds. The validator has the last word on what is valid."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from services_app.specs.vocabulary import id_target, words_of

_DEPTH = 6

Json = Any


def resolve(schema: Any, root: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    """The schema with a local `$ref` followed and the first usable branch of anyOf/oneOf/allOf taken."""
    if not isinstance(schema, Mapping) or depth > _DEPTH:
        return {}
    reference = schema.get("$ref")
    if isinstance(reference, str):
        target: Any = root
        for part in reference.removeprefix("#/").split("/") if reference.startswith("#/") else ():
            target = target[int(part)] if isinstance(target, list) else target.get(_unescape(part), {})
        return resolve(
            {**(target if isinstance(target, Mapping) else {}), **{k: v for k, v in schema.items() if k != "$ref"}},
            root,
            depth + 1,
        )
    for word in ("anyOf", "oneOf", "allOf"):
        branches = [
            branch for branch in schema.get(word) or () if isinstance(branch, Mapping) and branch.get("type") != "null"
        ]
        if branches:
            rest = {key: value for key, value in schema.items() if key != word}
            return resolve({**rest, **branches[0]}, root, depth + 1)
    return dict(schema)


def _unescape(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")


def kind_of(schema: Mapping[str, Any]) -> str:
    """The one JSON type to generate for: the first that is not null, guessed from keywords where none is given."""
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((item for item in kind if item != "null"), "string")
    if isinstance(kind, str):
        return kind
    for keyword, guess in (("properties", "object"), ("items", "array"), ("minimum", "number")):
        if keyword in schema:
            return guess
    return "string"


def example(schema: Any, root: Mapping[str, Any], *, full: bool = False, name: str = "", depth: int = 0) -> Json:
    """A value that fits: minimal, or with every optional part when `full`."""
    plain = resolve(schema, root)
    for keyword in ("const", "default"):
        if keyword in plain and plain[keyword] is not None:
            return plain[keyword]
    values = plain.get("enum")
    if values:
        return values[-1 if full else 0]
    kind = kind_of(plain)
    if kind == "object":
        return _object(plain, root, full, depth)
    if kind == "array":
        count = max(int(plain.get("minItems", 0)), 1)
        return [
            example(plain.get("items", {}), root, full=full, name=name, depth=depth + 1) for _ in range(min(count, 5))
        ]
    if kind in ("integer", "number"):
        return _number(plain, full)
    return kind == "boolean" and full if kind == "boolean" else None if kind == "null" else _text(plain, name, full)


def _object(schema: Mapping[str, Any], root: Mapping[str, Any], full: bool, depth: int) -> dict[str, Json]:
    properties = schema.get("properties") or {}
    wanted = set(schema.get("required") or ())
    if full and depth < _DEPTH:
        wanted |= set(properties)
    return {
        name: example(properties.get(name, {}), root, full=full and depth < 2, name=name, depth=depth + 1)
        for name in sorted(wanted)
        if depth < _DEPTH
    }


def _number(schema: Mapping[str, Any], full: bool) -> int | float:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    value: int | float = 3 if full else 1
    if isinstance(low, int | float) and value <= low:
        value = low + 1
    if isinstance(high, int | float) and value >= high:
        value = high - 1 if not isinstance(low, int | float) or high - 1 >= low else high
    step = schema.get("multipleOf")
    if isinstance(step, int | float) and step > 0:
        value = step * max(1, round(value / step))
    return int(value) if kind_of(schema) == "integer" else value


_BY_NAME = {
    "email": "ana.berg@north.example",
    "mail": "ana.berg@north.example",
    "date": "2026-03-09",
    "time": "2026-03-09T10:00:00Z",
    "start": "2026-03-09T10:00:00Z",
    "end": "2026-03-09T11:00:00Z",
    "url": "https://north.example/page",
    "phone": "+4915112345",
    "currency": "EUR",
    "color": "#336699",
    "path": "/notes/plan.txt",
    "timezone": "Europe/Berlin",
    "language": "en",
}
_BY_FORMAT = {
    "date": "2026-03-09",
    "date-time": "2026-03-09T10:00:00Z",
    "email": "ana.berg@north.example",
    "uri": "https://north.example/page",
    "uuid": "6f1c1a52-6a3c-4d0e-9b52-0a4f2f6f1b11",
    "time": "10:00",
}


# What the description of a header says that it has to be: a media type, or for others the word after "set to".
_MEDIA = re.compile(r"((?:application|text|multipart|image)/[\w.+*-]+(?:;[\w.=-]+)?)", re.I)
_DAY = re.compile(r"\byyyy-mm-dd\b(?![t \w]*hh)", re.I)
_SET_TO = re.compile(r"set to [`'\"]?([\w./=-]*[\w=])", re.I)


def _text(schema: Mapping[str, Any], name: str, full: bool) -> str:
    about = str(schema.get("description", ""))
    if name.lower().replace("-", "_") in ("accept", "content_type"):
        said = _MEDIA.search(about)
        return said[1].rstrip(".,") if said else "application/json"
    if name.lower().startswith("x-") and (said := _SET_TO.search(about)):
        return said[1]
    text = _bound_of_range(schema, name) or _BY_FORMAT.get(str(schema.get("format")), "")
    if not text and _DAY.search(about):
        text = _BY_FORMAT["date"]
    if not text:
        lowered = name.lower().replace("_", "")
        words = sorted((word for word in _BY_NAME if word in lowered), key=len)
        text = _BY_NAME[words[-1]] if words else "Northern plan" if full else "Plan"
    if "pattern" in schema and not _matches(schema["pattern"], text):
        known = (*_BY_FORMAT.values(), *_BY_NAME.values(), "ABC-123", "12", "EUR", "a", "A1")
        text = next((value for value in known if _matches(schema["pattern"], value)), text)
    shortest, longest = schema.get("minLength"), schema.get("maxLength")
    if isinstance(shortest, int) and len(text) < shortest <= 10_000:
        text = (text + " plan" * shortest)[:shortest]
    return text[:longest] if isinstance(longest, int) and longest >= 0 else text


_EARLY = frozenset(("from", "since", "start", "after", "begin"))
_LATE = frozenset(("to", "until", "end", "before"))


def _bound_of_range(schema: Mapping[str, Any], name: str) -> str:
    """A date early or late enough for a range to hold something; "" when the parameter bounds no dates."""
    words = words_of(name)
    said = f"{schema.get('format', '')} {name} {schema.get('description', '')}".lower()
    if "date" not in said and "yyyy" not in said:
        return ""
    ends = {words[0], words[-1], *words[-2:-1]} if words else set()
    day = "2026-01-05" if ends & _EARLY else "2026-12-18" if ends & _LATE else ""
    return f"{day}T00:00:00Z" if day and ("date-time" in said or "time" in words) else day


_DAYS = ("2026-02-23", "2026-03-02", "2026-03-04", "2026-03-09", "2026-03-16", "2026-04-20")


def variants(schema: Mapping[str, Any], root: Mapping[str, Any], name: str) -> list[Json]:
    """Several valid values of one parameter, different enough to get past rules between parameters."""
    if schema.get("enum"):
        return list(schema["enum"])
    kind = kind_of(schema)
    basic = [example(schema, root, name=name), example(schema, root, full=True, name=name)]
    if kind == "boolean":
        return [True, False]
    if kind in ("integer", "number"):
        low, high = schema.get("minimum", 0), schema.get("maximum", 10**6)
        return [value for value in (1, 2, 5, 10, 30, 60, 120, 250) if low <= value <= high] or basic
    if kind == "string" and isinstance(basic[0], str):
        if basic[0].startswith("2026-") and "T" in basic[0]:
            return [f"{day}T{hour}:00:00Z" for day in _DAYS for hour in ("09", "11", "15")]
        return list(_DAYS) if basic[0].startswith("2026-") else basic
    return [*basic, _flat(schema, root, basic[0])] if kind == "object" and schema.get("properties") else basic


def _flat(schema: Mapping[str, Any], root: Mapping[str, Any], least: dict[str, Json]) -> dict[str, Json]:
    """The minimal object with its plain texts: a new record that refers to nothing."""
    parts = {name: resolve(part, root) for name, part in schema["properties"].items()}
    texts = {n: p for n, p in parts.items() if kind_of(p) == "string" and id_target(n, "") is None and n != "id"}
    return {**least, **{name: example(part, root, name=name) for name, part in texts.items()}}


def _matches(pattern: object, text: str) -> bool:
    try:
        return re.search(str(pattern), text) is not None
    except re.error:
        return False
