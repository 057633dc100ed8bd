"""What descriptions promise of finding: by documented values, by part of a name, by an id or a name; and the order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from services_app.specs.vocabulary import id_target, types_of
from services_app.verification.bench import Bench
from services_app.verification.checks import make_check
from services_app.verification.documented import named_by_schema
from services_app.verification.parameters import Parameter, drop, key_of, parameters_of, part_of, put, without_paging
from services_app.verification.promised_controls import is_control
from services_app.verification.report import Check
from services_app.verification.results import holds, rows_in
from services_app.verification.subject import Subject

Json = Any
Rows = list[dict[str, Json]]
_LISTS = frozenset(("list", "search"))
_EXAMPLES = re.compile(
    r"\b(?:e\.g\.?|for example|such as|like)[,:]?\s*"
    r"((?:[\"'`]?[\w-]+[\"'`]?\s*,\s*(?:or |and )?)+[\"'`]?[\w-]+[\"'`]?)\s*\)?"
)
_EVERY = frozenset(("all", "any", "*", "everything"))
_QUALITIES = frozenset("status state type kind category level priority severity role visibility".split())
_PART = re.compile(
    r"\b(?:partial|substring|contain(?:s|ing)|keywords?|fuzzy|part of (?:the|a|its)|first or last name|full[- ]text|"
    r"starts? with|prefix)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\bexact(?:ly)?\b|\bsyntax\b|\boperators?\b|\bregex|\bfilter (?:expression|string)|=|\bids?\b", re.IGNORECASE
)
_EITHER = re.compile(
    r"\b(?:id|identifier|uuid|key|number)s?\b[\s)\"'`/,]*\bor\b[\s\"'`(]*(?:the |its |an? |\w+ )?"
    r"(name|slug|key|number|code|email|title|username|login|symbol|path|identifier)\b|"
    r"\b(name|slug|key|title|username|login|email|symbol)\b[\s)\"'`/,]*\bor\b[\s\"'`(]*(?:the |its |an? |\w+ )?ids?\b",
    re.IGNORECASE,
)
_BY_ITS_ID = re.compile(r"\b(?:by|par|per|via) (?:its|their|the|son|leur|seine)?\s*(?:unique )?ids?\b", re.IGNORECASE)
_NEWEST = re.compile(
    r"\b(?:newest|latest|most[- ]recent(?:ly \w+)?)[- ]first\b|\breverse[- ]chronological", re.IGNORECASE
)
_OLDEST = re.compile(r"\boldest[- ]first\b", re.IGNORECASE)
_DAY = re.compile(r"^\d{4}-\d{2}-\d{2}")
_NAMES = ("name", "title", "label", "full_name", "display_name", "subject", "username")


def finds_documented(bench: Bench, subject: Subject) -> Iterator[Check]:
    """Of the values that are documented for a filter, at least one finds rows where there are rows."""
    base, rows = _fullest(bench, subject)
    if base is None or len(rows) < 3:
        return
    for parameter in _optional(subject):
        values = named_by_schema(parameter) or _examples(parameter)
        if len(values) < 2 or part_of(parameter, "") not in ("", "text") or is_control(parameter, reads=True):
            continue
        calls = [put(base, parameter.path, value) for value in values]
        outcomes = [bench.probe(subject, call) for call in calls if subject.validator.is_valid(call)]
        answered = [outcome for outcome in outcomes if outcome.success]
        found = any(rows_in(outcome.observation["data"]) for outcome in answered)
        if answered:
            note = "" if found else f"none of the documented values of {parameter.name} finds anything"
            expected = "rows for one of the documented values"
            yield make_check(subject, f"finds:{parameter.name}", found, calls, expected, "no rows", note)


def all_means_all(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A filter that is set to `all` shows no fewer rows than any other of its values."""
    base, _ = _fullest(bench, subject)
    for parameter in _optional(subject) if base is not None else ():
        values = [value for value in named_by_schema(parameter) if isinstance(value, str)]
        every = next((value for value in values if value.casefold() in _EVERY), None)
        if base is None or every is None or len(values) < 2 or is_control(parameter, reads=True):
            continue
        calls = {value: put(base, parameter.path, value) for value in [every, *values]}
        valid = {value: call for value, call in calls.items() if subject.validator.is_valid(call)}
        seen = {value: bench.probe(subject, call) for value, call in valid.items()}
        found = {value: len(rows_in(one.observation["data"])) for value, one in seen.items() if one.success}
        more = [value for value, count in found.items() if count > found.get(every, 0)]
        if found:
            note = f"{parameter.name} shows more rows for {more[0]!r} than for {every!r}" if more else ""
            expected = f"no fewer rows for {every!r} than for another value"
            yield make_check(subject, f"all:{parameter.name}", not more, calls[every], expected, found, note)


def _optional(subject: Subject) -> list[Parameter]:
    """Optional texts, and lists of them, that narrow a list."""
    kinds = frozenset(("string", "array", "null"))
    found = [p for p in parameters_of(subject.schema) if not p.required and types_of(p.schema)]
    return [p for p in found if types_of(p.schema) <= kinds]


def _examples(parameter: Parameter) -> list[Json]:
    """The values that a description gives as examples of a quality: `status (e.g. open, closed)`."""
    said = _EXAMPLES.search(str(parameter.schema.get("description") or ""))
    if said is None or not set(parameter.key.split("_")) & _QUALITIES:
        return []
    values = re.findall(r"(?!(?:or|and)\b)[\w-]+", said[1])
    return [[value] for value in values] if "array" in types_of(parameter.schema) else list(values)


def _fullest(bench: Bench, subject: Subject) -> tuple[dict[str, Json] | None, Rows]:
    """The call of a list, without paging and without its optional filters, that shows most rows, and these rows."""
    if subject.working is None or subject.changed or subject.reading.action not in _LISTS:
        return None, []
    parameters = parameters_of(subject.schema)
    best: tuple[dict[str, Json] | None, Rows] = (None, [])
    for call in (subject.working, *(call for _, call in sorted(subject.showed, key=lambda pair: -pair[0])[:3])):
        bare = without_paging(parameters, call)
        for parameter in parameters:
            bare = bare if parameter.required else drop(bare, parameter.path)
        outcome = bench.probe(subject, bare) if subject.validator.is_valid(bare) else None
        rows = rows_in(outcome.observation["data"]) if outcome is not None and outcome.success else []
        best = (bare, rows) if len(rows) > len(best[1]) else best
    return best


def finds_by_part(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A search that says it takes a part of a name, or keywords, finds a row by a word of its name."""
    base, rows = _fullest(bench, subject)
    rows = rows if base is not None else _known_rows(bench, subject)
    if subject.working is None or subject.changed or subject.reading.action not in _LISTS:
        return
    for parameter in parameters_of(subject.schema):
        said = str(parameter.schema.get("description") or "")
        text = "string" in types_of(parameter.schema) and not parameter.schema.get("enum")
        if not text or not _PART.search(said) or _WHOLE.search(said) or id_target(parameter.last, "") is not None:
            continue
        named = [(row, name) for row in rows if (name := _name_of(row, parameter)) is not None][:3]
        calls = [put(base or subject.working, parameter.path, _part(name)) for _, name in named]
        told = [bench.probe(subject, call) for call in calls if subject.validator.is_valid(call)]
        if not told:
            continue
        right = any(o.success and holds(o.observation["data"], n) for o, (_, n) in zip(told, named, strict=False))
        note = "" if right else f"a part of a name is not enough for {parameter.name}, though the description says so"
        yield make_check(
            subject, f"part:{parameter.name}", right, calls[0], f"{named[0][1]}", told[0].observation, note
        )


def _known_rows(bench: Bench, subject: Subject) -> Rows:
    """Records of the very noun of a tool."""
    return [row for name, rows in bench.tables.items() if bench.noun_of(name) == subject.reading.noun for row in rows]


def _name_of(row: dict[str, Json], parameter: Parameter) -> str | None:
    """The text that a part of may be sent: the field of the parameter's name, else the row's name."""
    for key in (parameter.last, *_NAMES):
        value = row.get(key)
        if isinstance(value, str) and len(value) > 4 and not _DAY.match(value):
            return value
    return None


def _part(name: str) -> str:
    """The first word of a name; of a single word all but the last two letters."""
    first, _, rest = name.partition(" ")
    return first if rest and len(first) > 2 else name[:-2]


def finds_itself(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A read that is asked for a record "by its ID" answers with this record, not with what lies under it."""
    said = subject.info.description.partition(". ")[0]
    if subject.working is None or subject.changed or not _BY_ITS_ID.search(said):
        return
    sent, noun = subject.working.get("id"), subject.reading.noun
    known = [row for name, rows in bench.tables.items() if bench.noun_of(name) == noun for row in rows]
    if sent is None or str(sent) not in {str(row["id"]) for row in known}:
        return
    outcome = bench.probe(subject, subject.working)
    rows = rows_in(outcome.observation.get("data"))
    if rows:
        itself = any(str(row.get("id")) == str(sent) for row in rows)
        note = "" if itself else f"it is asked for a {noun} by its id, and answers with others"
        yield make_check(subject, "finds_itself", itself, subject.working, f"the {noun} {sent}", rows[:1], note)


def takes_either(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A parameter that says it takes an id or a name (slug, number) finds the record by both."""
    if subject.working is None:
        return
    for parameter in parameters_of(subject.schema):
        said = _EITHER.search(str(parameter.schema.get("description") or ""))
        if said is None or not parameter.required or "string" not in types_of(parameter.schema):
            continue
        other = (said[1] or said[2]).lower()
        pair = _known_pair(bench, subject, parameter, other)
        if pair is None:
            continue
        calls = [put(subject.working, parameter.path, value) for value in pair]
        outcomes = [bench.probe(subject, call) for call in calls if subject.validator.is_valid(call)]
        if len(outcomes) == 2 and (outcomes[0].success or outcomes[1].success):
            right = outcomes[0].success and outcomes[1].success
            note = "" if right else f"{parameter.name} does not take both an id and a {other}"
            got = next((o.observation for o in outcomes if not o.success), None)
            yield make_check(subject, f"either:{parameter.name}", right, calls, "both find it", got, note)


def _known_pair(bench: Bench, subject: Subject, parameter: Parameter, other: str) -> tuple[Json, Json] | None:
    """The id and the other key of the record that the working call names."""
    sent = subject.working
    for part in parameter.path:
        sent = sent.get(part) if isinstance(sent, dict) else None
    for rows in bench.tables.values():
        for row in rows:
            keys = {key_of(name): value for name, value in row.items()}
            value = keys.get(other)
            if sent is not None and sent in (row.get("id"), value) and isinstance(value, str) and value:
                return row["id"], value
    return None


def keeps_order(bench: Bench, subject: Subject) -> Iterator[Check]:
    """Where the description says newest (or oldest) first, no date of the rows rises (or falls) from row to row."""
    said = subject.info.description
    newest, oldest = _NEWEST.search(said), _OLDEST.search(said)
    if bool(newest) == bool(oldest):
        return
    _, rows = _fullest(bench, subject)
    dates = {key for row in rows for key, value in row.items() if isinstance(value, str) and _DAY.match(value)}
    if len(rows) < 3 or not dates:
        return
    columns = [[str(row.get(key) or "") for row in rows] for key in sorted(dates)]
    # Rows may be sorted by a date that they do not show: only the opposite order is a lie.
    right = any(column == sorted(column, reverse=bool(newest)) for column in columns) or not any(
        len(set(column)) > 2 and column == sorted(column, reverse=bool(oldest)) for column in columns
    )
    words = (newest or oldest or [""])[0]
    note = "" if right else f"the description says {words}, and the rows are in the opposite order"
    yield make_check(subject, "order", right, None, words, [column[:4] for column in columns], note)
