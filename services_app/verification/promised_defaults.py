"""Defaults that a specification states: a call without the parameter answers like a call with its default."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from services_app.specs.figures import FIGURE, whole
from services_app.specs.vocabulary import READS, types_of
from services_app.verification.bench import Bench
from services_app.verification.checks import make_check
from services_app.verification.documented import named_by_schema
from services_app.verification.parameters import Parameter, drop, parameters_of, put
from services_app.verification.report import Check
from services_app.verification.results import masked
from services_app.verification.subject import Subject

Json = Any
_SAID = re.compile(
    r"\bdefaults?(?: value)?(?: is| to|=|:)*\s*[:=]?\s*(?P<quote>[\"'`]?)"
    rf"(?P<value>-?{FIGURE}(?=\s*(?:[);\]\s]|[.,](?!\d)|$))|-?[\w.+-]*\w)(?P=quote)"
    r"(?!,\d)(?=\s*(?:[).,;\]]|$|\n|(?:if|when) (?:not|omitted)\b))",
    re.IGNORECASE,
)
_NOTHING = frozenset("none null nil undefined empty unlimited now today current unset off on no yes auto".split())
_CALLS = 2
_PARAMETERS = 40


def stated_default(parameter: Parameter) -> Json:
    """The default that the schema or the description states, as the parameter takes it; None where none is clear."""
    schema, kinds = parameter.schema, types_of(parameter.schema)
    if schema.get("default") is not None and not isinstance(schema["default"], dict | list):
        return schema["default"]
    said = _SAID.search(str(schema.get("description") or ""))
    if said is None:
        return None
    value = said["value"]
    if "boolean" in kinds:
        return {"true": True, "false": False}.get(value.lower())
    if kinds & {"integer", "number"}:
        return whole(value) if re.fullmatch(r"-?[\d,]{1,11}", value) else None
    listed = [str(item) for item in named_by_schema(parameter)]
    told = value in listed if listed else bool(said["quote"]) and value.lower() not in _NOTHING
    return value if kinds - {"null"} == {"string"} and told else None


def defaults_hold(bench: Bench, subject: Subject) -> Iterator[Check]:
    """For each stated default of a read: left out and sent, two calls that show most of the tool give the same."""
    if subject.working is None or subject.changed or subject.reading.action not in READS:
        return
    calls = [subject.working, *(call for _, call in sorted(subject.showed, key=lambda pair: -pair[0])[:_CALLS])]
    for parameter in parameters_of(subject.schema)[:_PARAMETERS]:
        value = stated_default(parameter)
        if parameter.required or value is None:
            continue
        wrong = _differs(bench, subject, parameter, value, calls)
        note = f"without {parameter.name} the answer is not that of its default {value!r}" if wrong else ""
        name, expected = f"default:{parameter.name}", f"the same answer as with {value!r}"
        yield make_check(subject, name, wrong is None, wrong and wrong[0], expected, wrong and wrong[1], note)


def _differs(
    bench: Bench, subject: Subject, parameter: Parameter, value: Json, calls: list[dict[str, Json]]
) -> tuple[dict[str, Json], Json] | None:
    """A call that answers otherwise once the default is sent, and the answer to it; None where none was found."""
    for call in calls:
        bare = drop(call, parameter.path)
        sent = put(bare, parameter.path, value)
        if not subject.validator.is_valid(bare) or not subject.validator.is_valid(sent):
            continue
        without, with_it = bench.probe(subject, bare), bench.probe(subject, sent)
        if not without.success:
            continue
        if not with_it.success:
            return sent, with_it.observation["error"]
        plain, said = (masked(o.observation["data"], parameter.key, [value]) for o in (without, with_it))
        if plain != said:
            return sent, with_it.observation["data"]
    return None
