"""Values that a specification names: none of them may be refused as an unknown one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from services_app.specs.documented import documented_values
from services_app.specs.vocabulary import READS, types_of
from services_app.verification.bench import Bench
from services_app.verification.checks import make_check
from services_app.verification.parameters import Parameter, parameters_of, put
from services_app.verification.report import Check
from services_app.verification.subject import Outcome, Subject

Json = Any
_PARAMETERS = 24
_VALUES = 8


def named_by_schema(parameter: Parameter) -> list[Json]:
    """The values of an enum or of a list in words, each as the parameter takes it; at most eight."""
    schema = parameter.schema
    items = schema.get("items") if isinstance(schema.get("items"), dict) else {}
    inner = [value for value in items.get("enum") or () if value is not None]  # type: ignore[union-attr]
    values = [value for value in schema.get("enum") or () if value is not None] or inner
    values = (values or list(documented_values(parameter.last, schema)))[:_VALUES]
    return [[value] for value in values] if "array" in types_of(schema) and not schema.get("enum") else values


def accepts_documented(bench: Bench, subject: Subject) -> Iterator[Check]:
    """Every value that the schema or the description of a reading parameter names is accepted in a call that works."""
    if subject.working is None or subject.reading.action not in READS:
        return
    for parameter in parameters_of(subject.schema)[:_PARAMETERS]:
        values = named_by_schema(parameter)
        if not values:
            continue
        name, expected = f"documented:{parameter.name}", "an answer, or a refusal for another reason than this value"
        for value in values:
            arguments = put(subject.working, parameter.path, value)
            if not subject.validator.is_valid(arguments):
                continue
            outcome = bench.probe(subject, arguments)
            if _refuses(outcome, value):
                yield make_check(subject, name, False, arguments, expected, outcome.observation["error"]["message"])
                break
        else:
            yield make_check(subject, name, True)


def _refuses(outcome: Outcome, value: Json) -> bool:
    """Whether a call is refused because of the value: 400 as for an unknown one, with the value in the message."""
    if outcome.success:
        return False
    error = outcome.observation["error"]
    word = str(value[0] if isinstance(value, list) else value).casefold()
    unknown = str(error["type"]).startswith(("unknown_", "invalid_", "not_acceptable", "unsupported_"))
    return bool(error["code"] == 400 and unknown and word in str(error["message"]).casefold())
