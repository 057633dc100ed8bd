"""Arguments at the edge of what the schema allows: they must be taken or refused, never break anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from services_app.specs.vocabulary import types_of
from services_app.verification.bench import Bench
from services_app.verification.checks import make_check
from services_app.verification.parameters import Parameter, parameters_of, put
from services_app.verification.report import Check
from services_app.verification.subject import Subject

Json = Any
_PARAMETERS = 8
_LONG = 2000


def edge_values(parameter: Parameter) -> list[Json]:
    """The smallest and largest values that a schema allows, empty ones, and long or odd text."""
    schema, kinds = parameter.schema, types_of(parameter.schema)
    if schema.get("enum"):
        return []
    found: list[Json] = []
    if kinds & {"integer", "number"}:
        found += [value for value in (schema.get("minimum"), schema.get("maximum")) if isinstance(value, int | float)]
        found += [0, -1, 2**53]
    if "number" in kinds:
        found.append(0.5)
    if "string" in kinds:
        longest = schema.get("maxLength")
        found += ["", " ", "x" * min(longest if isinstance(longest, int) else _LONG, _LONG), "0", "null"]
    if "array" in kinds:
        found.append([])
    if "object" in kinds:
        found.append({})
    return found


def survives_edges(bench: Bench, subject: Subject) -> Iterator[Check]:
    """Edge values of each parameter: no internal error, and nothing changed where one is refused."""
    if subject.working is None:
        return
    for parameter in parameters_of(subject.schema)[:_PARAMETERS]:
        for value in edge_values(parameter):
            arguments = put(subject.working, parameter.path, value)
            if not subject.validator.is_valid(arguments):
                continue
            outcome = bench.probe(subject, arguments)
            if outcome.broke or (not outcome.success and outcome.changes):
                expected = "an answer or a refusal that changes nothing"
                yield make_check(subject, f"edge:{parameter.name}", False, arguments, expected, outcome.broke)
                break
        else:
            yield make_check(subject, f"edge:{parameter.name}", True)
