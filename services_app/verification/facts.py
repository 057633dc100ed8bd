"""Checks that what tools say agrees: filters, limits, and what a write sent with what a read shows."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from services_app.specs.documented import adds_rows
from services_app.specs.vocabulary import READS, id_target, types_of
from services_app.verification.arguments import resolve
from services_app.verification.bench import Bench
from services_app.verification.checks import UNKNOWN_ID, make_check
from services_app.verification.parameters import HEADERS, key_of, parameters_of, put, value_at, without_paging
from services_app.verification.report import Check
from services_app.verification.results import opened, rows_in
from services_app.verification.siblings import other_contents
from services_app.verification.subject import Subject

Json = Any
_NOT_FILTERS = frozenset(("fields", "select", "columns", "include", "expand", "sort", "order", "format", "view"))
_FLAGS = ("include_", "with_", "show_", "return_", "expand_")
_EVERY = frozenset(("all", "any", "*"))
_ROWS_TRIED = 12
_PREVIEW = re.compile(
    r"\bpreview\b.*(?:default[^.]{0,12}true|true \(default\))|true \(default\).*\bpreview\b", re.I | re.S
)


def filters_hold(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A parameter named like a field of the rows gives only rows that have the value."""
    if subject.working is None or subject.reading.action not in READS:
        return
    calls = [subject.working, *(call for _, call in sorted(subject.showed, key=lambda pair: -pair[0])[:1])]
    parameters = parameters_of(subject.schema)
    calls = [call for call in (without_paging(parameters, call) for call in calls) if subject.validator.is_valid(call)]
    told: set[str] = set()
    for base, parameter in itertools.product(calls, parameters):
        if parameter.name in told or parameter.key in _NOT_FILTERS or parameter.key.startswith(_FLAGS):
            continue
        if adds_rows(parameter.schema) or _is_parent(subject, parameter.key):
            continue
        rows = rows_in(bench.probe(subject, base).observation.get("data"))
        sent = value_at(base, parameter.path)
        values = _values_of(rows, parameter.last) if sent is None else [sent]
        kinds = types_of(parameter.schema)
        if (sent is None and len(values) < 2) or not kinds & {"string", "integer", "number", "boolean"}:
            continue
        if str(values[0]).casefold() in _EVERY:
            continue
        arguments = put(base, parameter.path, values[0])
        outcome = bench.probe(subject, arguments) if subject.validator.is_valid(arguments) else None
        if outcome is None or not outcome.success:
            continue
        data = outcome.observation["data"]
        found = rows_in(data) or _itself(opened(data), parameter.last)
        if sent is not None and not any(parameter.last in row and _fits(row[parameter.last], sent) for row in found):
            continue  # the rows do not say it, or in other words: `channel` may be an id here and a name there
        told.add(parameter.name)
        wrong = [
            row[parameter.last] for row in found if parameter.last in row and not _fits(row[parameter.last], values[0])
        ]
        expected = f"rows whose {parameter.last} is {values[0]!r}, and no others"
        got = wrong[:3] or f"{len(found)} rows"
        yield make_check(subject, f"filter:{parameter.name}", bool(found) and not wrong, arguments, expected, got)


def _is_parent(subject: Subject, key: str) -> bool:
    """Whether a bare `id` that a list requires says where the rows lie: `list_team_members(id)` takes a team's."""
    required = subject.schema.get("required") or ()
    return key == "id" and "id" in required and subject.reading.action in ("list", "search")


def _itself(data: Json, name: str) -> list[dict[str, Json]]:
    """A single record that was found instead of a list."""
    return [data] if isinstance(data, dict) and name in data else []


def _values_of(rows: list[dict[str, Json]], name: str) -> list[Json]:
    """Different plain values that rows have under a name."""
    found: list[Json] = []
    for row in rows[:_ROWS_TRIED]:
        value = row.get(name)
        if isinstance(value, str | int | float) and value != "" and value not in found:
            found.append(value)
    return found


def _fits(value: Json, wanted: Json) -> bool:
    if isinstance(value, str) and isinstance(wanted, str):
        return wanted.casefold() in value.casefold()
    return isinstance(value, list) or bool(value == wanted)


def writes_stick(bench: Bench, subject: Subject) -> Iterator[Check]:
    """After a creation or a change, the tool that gets the record shows the values that were sent."""
    getter = _getter(bench, subject)
    if subject.working is None or getter is None or subject.reading.action not in ("create", "update"):
        return
    key = next(name for name in getter.schema["required"] if id_target(name, getter.reading.noun) is not None)
    for arguments in (*other_contents(subject), subject.working):
        trial = bench.fork(subject)
        valid = subject.validator.is_valid(arguments)
        written = bench.call(trial, subject.info.name, arguments) if valid else {"success": False}
        identity = _identity(subject, written.get("data"))
        if not written["success"] or identity is None or _only_tried(subject, arguments):
            trial.close()
            continue
        shown = bench.call(trial, getter.info.name, {**(getter.working or {}), key: identity})
        trial.close()
        if shown["success"] and isinstance(shown["data"], dict):
            wrong = _differences(arguments, shown["data"])
            expected = "the values that were sent are shown afterwards"
            yield make_check(subject, "sticks", not wrong, arguments, expected, wrong)
        return


def _only_tried(subject: Subject, arguments: dict[str, Json]) -> bool:
    """Whether a call leaves a preview on that is so by default: nothing is kept then."""
    return any(
        _PREVIEW.search(str(parameter.schema.get("description") or ""))
        and value_at(arguments, parameter.path) in (None, True)
        for parameter in parameters_of(subject.schema)
        if "boolean" in types_of(parameter.schema)
    )


def _getter(bench: Bench, subject: Subject) -> Subject | None:
    for other in bench.subjects.values():
        required = other.schema.get("required") or ()
        own = [name for name in required if id_target(name, other.reading.noun) == other.reading.noun]
        if other.reading.action == "get" and other.reading.noun == subject.reading.noun and own and len(required) == 1:
            return other
    return None


def _identity(subject: Subject, data: Json) -> Json:
    result = data if isinstance(data, dict) else {}
    for source in (result,) if subject.reading.action == "create" else (subject.working or {}, result):
        for name, value in source.items():
            if id_target(name, subject.reading.noun) == subject.reading.noun and isinstance(value, str | int):
                return value
    return None


def _differences(sent: dict[str, Json], shown: dict[str, Json]) -> dict[str, Json]:
    """Plain values shown under the name they were sent under that are gone, or differ by more than letter case."""
    wrong: dict[str, Json] = {}
    for name, value in sent.items():
        other = shown.get(name)
        if name == "id" or name not in shown or value == "" or not isinstance(value, str | int):
            continue
        if isinstance(value, str) and isinstance(other, str):
            same = value.casefold() == other.casefold()
        else:
            same = other is not None and (type(value) is not type(other) or value == other)
        if not same:
            wrong[name] = other
    return wrong


def created_is_listed(bench: Bench, subject: Subject) -> Iterator[Check]:
    """After a creation, the list of such things is not empty, and getting several by id finds it."""
    maker = next(
        (s for s in bench.subjects.values() if s.reading.action == "create" and s.reading.noun == subject.reading.noun),
        None,
    )
    if subject.working is None or subject.reading.action != "list" or maker is None or maker.working is None:
        return
    required = list(subject.schema.get("required") or ())
    trial = bench.fork(maker)
    made = bench.call(trial, maker.info.name, maker.working)
    identity = _identity(maker, made.get("data"))
    arguments: dict[str, Json] = {}
    for name in required:
        own = id_target(name, subject.reading.noun) == subject.reading.noun
        if own and "array" in types_of(resolve(subject.schema["properties"][name], subject.schema)):
            arguments[name] = [identity]
        elif key_of(name) in HEADERS and name in subject.working:
            arguments[name] = subject.working[name]
        elif name in maker.working:
            arguments[name] = maker.working[name]
    known = made["success"] and identity is not None and set(arguments) == set(required)
    if known and subject.validator.is_valid(arguments):
        shown = bench.call(trial, subject.info.name, arguments)
        empty = not shown["success"] or not _says_something(shown["data"])
        yield make_check(subject, "created_is_listed", not empty, arguments, "a list that holds something", shown)
    trial.close()


def _says_something(data: Json) -> bool:
    """Whether the first list of a result holds anything; a result without a list says something anyway."""
    parts = list(data.values()) if isinstance(data, dict) else [data]
    first = next((part for part in parts if isinstance(part, list)), None)
    return first is None or bool(first)


def refuses_unknown_parents(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A creation that names another thing of the application by its id needs that thing to exist."""
    if subject.working is None or subject.reading.action not in ("create", "link"):
        return
    nouns = {other.reading.noun for other in bench.subjects.values() if other.reading.action in ("get", "create")}
    for name in subject.schema.get("required") or ():
        target = id_target(name, "")
        if not target or target not in nouns or target == subject.reading.noun:
            continue
        kinds = types_of(resolve((subject.schema.get("properties") or {}).get(name, {}), subject.schema))
        unknown = next((UNKNOWN_ID[kind] for kind in UNKNOWN_ID if kind in kinds), None)
        arguments = {**subject.working, name: unknown}
        if unknown is None or not subject.validator.is_valid(arguments):
            continue
        trial = bench.fork(subject)
        observation = bench.call(trial, subject.info.name, arguments)
        trial.close()
        refused = not observation["success"] and observation["error"]["code"] != 500
        yield make_check(subject, f"unknown_parent:{name}", refused, arguments, "an error such as 404", "it succeeded")
