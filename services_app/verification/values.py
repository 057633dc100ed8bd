"""Values worth trying for one parameter: what the records hold, what the specification names, and boundaries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from services_app.specs.documented import documented_values
from services_app.specs.vocabulary import types_of
from services_app.verification.arguments import example, kind_of, resolve, variants
from services_app.verification.bench import Bench
from services_app.verification.parameters import Parameter, key_of, part_of
from services_app.verification.subject import Subject, fits

Json = Any
MOST = 28
_QUOTED = re.compile(r"[\"'`“‘]([A-Za-z0-9][\w.:/+-]{0,39})[\"'`”’]")
_LISTED = re.compile(r"\(([\w-]+(?:\s*[,|/]\s*[\w-]+)+)\)|\b([\w-]+(?:\|[\w-]+)+)\b")
_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2})?")
_ODATA = re.compile(r"\bOData\b.*\bfilter|\bfilter\b.*\bOData\b", re.IGNORECASE)
_PLAIN = ("no-such-value", "Northern plan 7")
_BY_WORD: dict[str, tuple[str, ...]] = {
    "lang": ("de", "fr", "en"), "language": ("de", "fr", "en"), "locale": ("de-DE", "fr-FR", "en-US"),
    "timezone": ("America/New_York", "Asia/Tokyo", "UTC"), "tz": ("America/New_York", "Asia/Tokyo", "UTC"),
    "currency": ("USD", "EUR", "JPY", "GBP"), "units": ("metric", "imperial", "standard"),
    "unit": ("metric", "imperial", "celsius", "fahrenheit"), "country": ("US", "DE", "FR"),
    "format": ("json", "markdown", "csv", "text", "xml", "html"), "response": ("json", "markdown"),
    "detail": ("concise", "detailed", "full", "summary"), "verbosity": ("concise", "detailed"),
    "accept": ("application/json", "text/html"), "period": ("day", "week", "month", "year", "1d", "1mo", "1y"),
    "interval": ("1d", "1h", "1wk", "daily", "hourly"), "color": ("red", "#336699"), "mode": ("fast", "full"),
}  # fmt: skip


def values_for(bench: Bench, subject: Subject, parameter: Parameter, rows: list[dict[str, Json]]) -> list[Json]:
    """Different values of the right type, those likeliest to matter first. `rows` are records the tool may show."""
    found: list[Json] = []
    for value in _candidates(bench, subject, parameter, rows):
        if value is not None and not any(type(value) is type(other) and value == other for other in found):
            found.append(value)
        if len(found) >= MOST:
            break
    return found


def _candidates(bench: Bench, subject: Subject, parameter: Parameter, rows: list[dict[str, Json]]) -> Iterator[Json]:
    schema = parameter.schema
    if schema.get("enum"):
        yield from schema["enum"]
        return
    kinds = types_of(schema) or {kind_of(schema)}
    if "boolean" in kinds:
        yield from (True, False)
    scalars = list(_scalars(bench, subject, parameter, rows))
    if kinds & {"string", "integer", "number"}:
        yield from (value for value in scalars if fits(value, schema))
        yield from (str(value) for value in scalars if kinds == {"string"} and isinstance(value, int | float))
    if "array" in kinds:
        yield from _lists(bench, subject, parameter, rows)
    if "object" in kinds:
        yield from _objects(subject, parameter, rows)
    if kinds & {"integer", "number"}:
        yield from _numbers(schema, whole="number" not in kinds)
    if "string" in kinds:
        yield from variants(schema, subject.schema, parameter.last)
        yield from _PLAIN
    else:
        yield from variants(schema, subject.schema, parameter.last)


def _scalars(bench: Bench, subject: Subject, parameter: Parameter, rows: list[dict[str, Json]]) -> Iterator[Json]:
    """Words, numbers and names that the application knows, for a parameter of this name."""
    part = part_of(parameter, subject.reading.noun)
    description = str(parameter.schema.get("description", ""))
    yield from {"limit": (1, 2), "page": (2, 1, 3), "offset": (1, 2)}.get(part, ())
    named = [*documented_values(parameter.last, parameter.schema), *_QUOTED.findall(description), *_listed(description)]
    keys = list(dict.fromkeys(key for row in rows[:3] for key, value in row.items() if not isinstance(value, dict)))
    if part == "sort":
        yield from _sorts([*named[:6], *keys[:8]])
    elif part == "order":
        yield from ("asc", "desc", "ascending", "descending", "ASC", "DESC")
    elif part == "select":
        yield from (*keys[:3], ",".join(keys[:2]), *named[:6])
    elif _ODATA.search(description):
        yield from _conditions(rows)
    elif part == "text":
        said = f"{parameter.last} {description} {subject.info.name}".lower()
        yield from _queries(bench) if "sql" in said else _words(rows)
    elif part in ("from", "until"):
        yield from _bounds(parameter, rows)
    yield from (value for row in rows for key, value in row.items() if key_of(key) == parameter.key)
    yield from named[:10]
    yield from bench.pool.ids(subject.reading.noun)[:_IDS] if parameter.key in _ROWS_SEEN else ()
    yield from bench.known.told(parameter.last, subject.reading.noun, description)[:_IDS]
    yield from bench.pool.candidates(parameter.last, subject.reading.noun)[:14]
    yield from bench.known.candidates(parameter.last, subject.reading.noun)[:14]
    yield from (value for word in parameter.key.split("_") for value in _BY_WORD.get(word, ()))
    if part == "":
        yield from (value for row in rows for value in _endings(row, parameter.key))
        yield from _bounds(parameter, rows)


# What such a parameter takes is the id of one of the rows.
_ROWS_SEEN = frozenset("since_id after_id last_id before_id min_id max_id last_seen_id starting_after".split())
_IDS = 8


def _listed(description: str) -> list[str]:
    """Words of a list in brackets or with bars between: (asc, desc), open|closed."""
    lists = (one or other for one, other in _LISTED.findall(description))
    return [word.strip() for words in lists for word in re.split(r"[,|/]", words)][:8]


def _sorts(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield name
        if re.match(r"^\w+$", name):
            yield from (f"-{name}", f"{name} desc", f"{name}:desc")


def _conditions(rows: list[dict[str, Json]]) -> Iterator[str]:
    """OData filters over plain fields of the records."""
    for row in rows[:2]:
        plain = [(name, value) for name, value in row.items() if isinstance(value, str | bool) and name.isidentifier()]
        for name, value in plain[:4]:
            text = str(value).lower() if isinstance(value, bool) else "'" + str(value).replace("'", "''") + "'"
            yield from (f"{name} eq {text}", f"{name} ne {text}")


def _words(rows: list[dict[str, Json]]) -> Iterator[str]:
    """Words that many records hold or one holds often, then words and whole texts of records."""
    texts = [value for row in rows[:12] for value in row.values() if isinstance(value, str) and len(value) > 2]
    split: list[list[str]] = [re.findall(r"[^\W\d_]{3,}", text) for text in texts]
    yield from (word for word, _ in Counter(word for words in split for word in set(words)).most_common(3))
    for words in split[:24]:
        yield from (word for word, times in Counter(words).most_common(1) if times > 1)
    for text, words in zip(texts[:6], split, strict=False):
        yield from words[:2]
        yield text


def _queries(bench: Bench) -> Iterator[str]:
    """Queries over tables that the application names, else over those of its state."""
    named = [value for key in ("table", "table_name") for value in bench.known.candidates(key, "")]
    for name in [*dict.fromkeys(map(str, named)), *bench.tables][:3]:
        yield f"SELECT * FROM {name}"  # noqa: S608 - text for a simulated tool


def _endings(row: dict[str, Json], key: str) -> Iterator[Json]:
    """Values of fields whose name ends like the parameter's, or the other way round."""
    for name, value in row.items():
        other = key_of(name)
        if isinstance(value, str | int | float) and (other.endswith(f"_{key}") or key.endswith(f"_{other}")):
            yield value


def _bounds(parameter: Parameter, rows: list[dict[str, Json]]) -> Iterator[Json]:
    """Values inside the range that the records span: dates as text and as seconds, numbers."""
    dates = sorted({v for row in rows for v in row.values() if isinstance(v, str) and _DATE.match(v)})
    kinds = types_of(parameter.schema)
    if dates and "string" in kinds:
        middle = dates[len(dates) // 2]
        later = _next_day(dates[-1])
        yield from (middle, middle[:10], dates[0], later, dates[0][:10], later[:10])
    if kinds & {"integer", "number"}:
        key = [word for word in parameter.key.split("_") if word not in ("min", "max", "from", "to", "gte", "lte")]
        numbers = _numbers_of(rows, key) or _numbers_of(rows, [])
        if numbers:
            yield from (numbers[len(numbers) // 2], numbers[0], numbers[-1] + 1)
        for text in (dates[len(dates) // 2], _next_day(dates[-1])) if dates else ():
            seconds = _seconds(text)
            yield from (seconds, seconds * 1000)


def _numbers_of(rows: list[dict[str, Json]], words: list[str]) -> list[Json]:
    return sorted(
        {
            value
            for row in rows
            for name, value in row.items()
            if isinstance(value, int | float) and not isinstance(value, bool)
            if not words or set(words) & set(key_of(name).split("_"))
        }
    )


def _next_day(text: str) -> str:
    try:
        return (datetime.fromisoformat(text[:10]) + timedelta(days=1)).strftime("%Y-%m-%d") + text[10:]
    except ValueError:
        return text


def _seconds(text: str) -> int:
    try:
        return int((datetime.fromisoformat(text[:10]) - datetime(1970, 1, 1)).total_seconds())  # noqa: DTZ001
    except ValueError:
        return 0


def _numbers(schema: dict[str, Any], *, whole: bool) -> Iterator[Json]:
    low, high, default = schema.get("minimum"), schema.get("maximum"), schema.get("default")
    yield from (value for value in (low, high) if isinstance(value, int | float))
    if isinstance(default, int | float) and not isinstance(default, bool):
        yield from (default + 1, default - 1)
    yield from (1, 2, 3, 5, 10, 50, 100, 0, 1000, -1)
    if not whole:
        yield from (0.5, 2.5)


def _lists(bench: Bench, subject: Subject, parameter: Parameter, rows: list[dict[str, Json]]) -> Iterator[Json]:
    items = resolve(parameter.schema.get("items", {}), subject.schema)
    if kind_of(items) == "object" and items.get("properties"):
        inner = Parameter(parameter.name, parameter.path, items, required=True)
        made = list(_objects(subject, inner, rows))[:10]
    else:
        inner = Parameter(parameter.name, parameter.path, items, required=True)
        made = list(_candidates(bench, subject, inner, rows))[:12]
    yield from ([value] for value in made)
    if len(made) > 1:
        yield made[:2]
    yield []


def _objects(subject: Subject, parameter: Parameter, rows: list[dict[str, Json]]) -> Iterator[Json]:
    """An object with each of its own parts varied; one that names no parts takes those of the records."""
    schema, root = parameter.schema, subject.schema
    least, full = example(schema, root), example(schema, root, full=True)
    yield full
    for name, part in list((schema.get("properties") or {}).items())[:10]:
        for value in variants(resolve(part, root), root, name)[:3]:
            yield {**(least if isinstance(least, dict) else {}), name: value}
    if not schema.get("properties"):
        for row in rows[:2]:
            for name, value in list(row.items())[:8]:
                if isinstance(value, str | int | float):
                    yield {name: value}
        yield from ({"name": "Northern plan 7"}, {"title": "Northern plan 7"}, {})
