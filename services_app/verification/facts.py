"""Checks that what tools say agrees: filters, limits, and what a write sent with what a read shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from services_app.specs.vocabulary import READS, id_target, types_of, words_of
from services_app.verification.arguments import resolve
from services_app.verification.bench import Bench, Subject
from services_app.verification.checks import UNKNOWN_ID, make_check, other_contents
from services_app.verification.report import Check

Json = Any
_LIMITS = frozenset(("limit", "per_page", "page_size", "max_results", "count", "top"))
_NOT_FILTERS = frozenset(("fields", "select", "columns", "include", "expand", "sort", "order", "format", "view"))
_ROWS_TRIED = 12


def rows_in(data: Json) -> list[dict[str, Json]]:
    """The one list of objects in a result, at most two levels down; [] when there is none or more than one."""
    if isinstance(data, list):
        return [row for row in data if isinstance(row, dict)]
    if not isinstance(data, dict):
        return []
    lists = [value for value in data.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
    if len(lists) == 1:
        return [row for row in lists[0] if isinstance(row, dict)]
    inner = [value for value in data.values() if isinstance(value, dict)]
    return rows_in(inner[0]) if not lists and len(inner) == 1 else []


def filters_hold(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A parameter named like a field of the rows gives only rows that have the value."""
    if subject.working is None or subject.observation is None or subject.reading.action not in READS:
        return
    rows = rows_in(subject.observation["data"])
    for name, schema in (subject.schema.get("properties") or {}).items():
        values = _values_of(rows, name)
        kinds = types_of(resolve(schema, subject.schema))
        if (
            len(values) < 2
            or name in subject.working
            or name.lower() in _NOT_FILTERS
            or not kinds & {"string", "integer", "number", "boolean"}
        ):
            continue
        arguments = {**subject.working, name: values[0]}
        if not subject.validator.is_valid(arguments):
            continue
        trial = bench.fork(subject)
        observation = bench.call(trial, subject.info.name, arguments)
        trial.close()
        if observation["success"]:
            found = rows_in(observation["data"]) or _itself(observation["data"], name)
            wrong = [row[name] for row in found if name in row and not _fits(row[name], values[0])]
            yield make_check(
                subject,
                f"filter:{name}",
                bool(found) and not wrong,
                arguments,
                f"rows whose {name} is {values[0]!r}, and no others",
                wrong[:3] or f"{len(found)} rows",
            )


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


def limit_holds(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A limit of one gives at most one row."""
    if subject.working is None or subject.observation is None or subject.reading.action not in READS:
        return
    name = next((n for n in subject.schema.get("properties") or {} if "_".join(words_of(n)) in _LIMITS), None)
    if name is None or len(rows_in(subject.observation["data"])) < 2:
        return
    arguments = {**subject.working, name: 1}
    if not subject.validator.is_valid(arguments):
        return
    trial = bench.fork(subject)
    observation = bench.call(trial, subject.info.name, arguments)
    trial.close()
    if observation["success"]:
        count = len(rows_in(observation["data"]))
        yield make_check(subject, f"limit:{name}", count <= 1, arguments, "at most one row", f"{count} rows")


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
        if not written["success"] or identity is None:
            trial.close()
            continue
        shown = bench.call(trial, getter.info.name, {**(getter.working or {}), key: identity})
        trial.close()
        if shown["success"] and isinstance(shown["data"], dict):
            wrong = _differences(arguments, shown["data"])
            expected = "the values that were sent are shown afterwards"
            yield make_check(subject, "sticks", not wrong, arguments, expected, wrong)
        return


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
