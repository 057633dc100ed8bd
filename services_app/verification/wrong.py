"""Arguments that must be refused: one change of a valid call per rule of the schema that it breaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from services_app.engine.schema import SchemaValidator
from services_app.verification.arguments import kind_of
from services_app.verification.parameters import parameters_of, put

Json = Any


@dataclass(frozen=True, slots=True)
class Wrong:
    """Arguments that must be refused, and the rule they break."""

    rule: str
    path: str
    arguments: dict[str, Json]


def wrong_arguments(schema: Mapping[str, Any], valid: Mapping[str, Json], validator: SchemaValidator) -> list[Wrong]:
    """One change of `valid` per rule of the schema that it breaks; only those that the validator does refuse."""
    found = [Wrong("required", name, _without(valid, name)) for name in schema.get("required") or () if name in valid]
    for parameter in parameters_of(schema):
        for rule, value in _wrong_values(parameter.schema):
            found.append(Wrong(rule, parameter.name, put(valid, parameter.path, value)))
    if schema.get("additionalProperties") is False:
        found.append(Wrong("additional", "no_such_parameter", {**valid, "no_such_parameter": 1}))
    return [wrong for wrong in found if not validator.is_valid(wrong.arguments)]


def _without(arguments: Mapping[str, Json], name: str) -> dict[str, Json]:
    return {key: value for key, value in arguments.items() if key != name}


def _wrong_values(schema: Mapping[str, Any]) -> list[tuple[str, Json]]:
    kind = kind_of(schema)
    wrong: list[tuple[str, Json]] = [
        ("null", None),
        ("type", {"a": [1]} if kind in ("string", "integer", "number", "boolean", "array") else "text"),
    ]
    if kind in ("string", "boolean"):
        wrong.append(("type", 17))
    if schema.get("enum"):
        wrong.append(("enum", "no-such-value"))
    for keyword, step in (("minimum", -1), ("maximum", 1)):
        bound = schema.get(keyword)
        if isinstance(bound, int | float) and not isinstance(bound, bool):
            wrong.append((keyword, bound + step))
    if isinstance(schema.get("maxLength"), int) and schema["maxLength"] < 5000:
        wrong.append(("maxLength", "x" * (schema["maxLength"] + 1)))
    if isinstance(schema.get("minLength"), int) and schema["minLength"] > 0:
        wrong.append(("minLength", ""))
    if "pattern" in schema:
        wrong.append(("pattern", "\u0001 no match \u0001"))
    return wrong
