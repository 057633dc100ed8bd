"""Conditions on fields as callers write them: objects, lists of triples, JSON text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from services_app.engine.errors import ToolError
from services_app.recipes.records import SpecRecord
from services_app.recipes.rows import matching

R = TypeVar("R", bound=SpecRecord)
Shown = Mapping[str, Any]
_FIELD_WORDS = ("property", "field", "column", "attribute", "fieldname", "name", "key")
_VALUE_WORDS = ("value", "values")
_OPERATOR_WORDS = ("operator", "op", "comparator", "condition", "comparison")


def fitting(rows: Iterable[R], wanted: object) -> list[R]:
    """Rows that fit every condition; 400 for a field that records do not have and for an operator that there is not.

    Conditions are `{"status": "open"}`, `{"price": {"gt": 5}}`, `["price", ">", 5]`, `{"property": "price",
    "operator": "gt", "value": 5}`, lists of these, `{"and": [...]}`, `{"or": [...]}`, or any of it as JSON text;
    other text is words that rows must hold.
    """
    found = list(rows)
    if isinstance(wanted, str):
        if wanted.strip()[:1] not in ("{", "["):
            return matching(found, wanted)
        wanted = _read(wanted)
    if not wanted:
        return found
    return [row for row in found if _holds(row.plain(), wanted, depth=0)]


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ToolError(400, "invalid_filter", f"The conditions are not JSON: {error}.") from error


def _holds(row: Shown, wanted: Any, *, depth: int) -> bool:
    if depth > 8:
        raise ToolError(400, "invalid_filter", "The conditions are nested too deep.")
    if isinstance(wanted, list):
        if len(wanted) in (3, 4) and all(isinstance(part, str) for part in wanted[-3:-1]):
            return _test(row, wanted[-3], wanted[-2], wanted[-1])
        return all(_holds(row, part, depth=depth + 1) for part in wanted)
    if not isinstance(wanted, Mapping):
        raise ToolError(400, "invalid_filter", f"{wanted!r} is no condition; give an object of fields and values.")
    named = {str(name).casefold().lstrip("$"): value for name, value in wanted.items()}
    field = next((named[word] for word in _FIELD_WORDS if isinstance(named.get(word), str)), None)
    if field is not None and len(named) > 1:
        return _about(row, field, named)
    return all(_part(row, name, value, depth) for name, value in wanted.items())


def _about(row: Shown, field: str, named: Mapping[str, Any]) -> bool:
    operator = next((str(named[word]) for word in _OPERATOR_WORDS if word in named), "=")
    for word in _VALUE_WORDS:
        if word in named:
            return _test(row, field, operator, named[word])
    rest = {name: value for name, value in named.items() if name not in (*_FIELD_WORDS, *_OPERATOR_WORDS)}
    inner = next(iter(rest.values()), None)  # {"property": "Status", "select": {"equals": "Done"}}
    tests = inner if isinstance(inner, Mapping) else rest
    return all(_test(row, field, name, value) for name, value in tests.items())


def _part(row: Shown, name: str, value: Any, depth: int) -> bool:
    word = name.casefold().lstrip("$")
    if word in ("and", "or", "all", "any") and isinstance(value, list):
        results = [_holds(row, part, depth=depth + 1) for part in value]
        return all(results) if word in ("and", "all") else any(results)
    if word == "not":
        return not _holds(row, value, depth=depth + 1)
    if isinstance(value, Mapping):
        return all(_test(row, name, operator, inner) for operator, inner in value.items())
    return _test(row, name, "in" if isinstance(value, list) else "=", value)


def _test(row: Shown, field: str, operator: str, value: Any) -> bool:
    plain = field.casefold().replace("_", "").replace(" ", "").rpartition(".")[2]
    known = next((name for name in row if name.casefold().replace("_", "") == plain), None)
    if known is None:
        raise ToolError(400, "unknown_field", f"There is no field {field!r}; there are {', '.join(row)}.")
    word = operator.casefold().strip().lstrip("$").replace("_", "").replace(" ", "")
    test = next((test for words, test in _TESTS if word in words), None)
    if test is None:
        raise ToolError(400, "unknown_operator", f"There is no operator {operator!r}; use =, !=, <, >, in or like.")
    return test(row[known], value)


def _text(value: Any) -> str:
    return (str(value) if not isinstance(value, dict | list) else json.dumps(value, ensure_ascii=False)).casefold()


def _equal(one: Any, other: Any) -> bool:
    return any(_equal(part, other) for part in one) if isinstance(one, list) else _text(one) == _text(other)


def _less(one: Any, other: Any, *, same: bool) -> bool:
    if one is None or other is None:
        return False
    numbers = isinstance(one, int | float) and isinstance(other, int | float)
    low, high = (one, other) if numbers else (str(one), str(other))
    return bool(low < high or (same and low == high))


def _among(one: Any, other: Any) -> bool:
    options = other if isinstance(other, list) else [part.strip() for part in str(other).split(",")]
    return any(_equal(one, option) for option in options)


def _like(one: Any, other: Any) -> bool:
    return all(part in _text(one) for part in str(other).casefold().replace("*", "%").split("%"))


_TESTS: tuple[tuple[tuple[str, ...], Callable[[Any, Any], bool]], ...] = (
    (("=", "==", "eq", "equals", "is", "equal", "equalto"), _equal),
    (("!=", "<>", "ne", "neq", "doesnotequal", "notequals", "isnot", "not"), lambda one, other: not _equal(one, other)),
    (("<", "lt", "lessthan", "before"), lambda one, other: _less(one, other, same=False)),
    (("<=", "lte", "le", "onorbefore", "lessthanorequalto"), lambda one, other: _less(one, other, same=True)),
    ((">", "gt", "greaterthan", "after"), lambda one, other: _less(other, one, same=False)),
    ((">=", "gte", "ge", "onorafter", "greaterthanorequalto"), lambda one, other: _less(other, one, same=True)),
    (("in", "anyof", "isanyof"), _among),
    (("notin", "nin", "isnoneof"), lambda one, other: not _among(one, other)),
    (("like", "ilike", "contains", "matches", "startswith", "endswith", "regex", "search"), _like),
    (("notlike", "doesnotcontain", "notcontains"), lambda one, other: not _like(one, other)),
    (("isempty", "isnull", "null", "isblank"), lambda one, other: (one in (None, "", [])) == (other is not False)),
    (("isnotempty", "isnotnull", "exists"), lambda one, other: (one not in (None, "", [])) == (other is not False)),
)
