"""That a tool works on what it was asked for: the record that is named, and no other."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

from services_app.specs.vocabulary import READS, id_target
from services_app.verification.arguments import kind_of
from services_app.verification.bench import Bench
from services_app.verification.checks import make_check
from services_app.verification.liveness import Finding
from services_app.verification.parameters import Parameter, parameters_of, put, value_at
from services_app.verification.report import Check
from services_app.verification.results import holds, opened, rows_in
from services_app.verification.siblings import writing_calls
from services_app.verification.subject import Outcome, Subject

Json = Any
_VALUES_ASKED = 6


def named_values(bench: Bench, subject: Subject, parameter: Parameter, findings: list[Finding]) -> list[Json]:
    """Known values of a parameter that the tool takes, with everything else as in its working call."""
    assert subject.working is not None
    told = [
        witness for finding in findings if finding.parameter.name == parameter.name for witness in finding.witness or ()
    ]
    known = [value_at(call, parameter.path) for call in (subject.working, *told)]
    known += bench.known.candidates(parameter.last, subject.reading.noun)[:_VALUES_ASKED]
    taken: list[Json] = []
    for value in known:
        arguments = put(subject.working, parameter.path, value)
        fits = isinstance(value, str | int) and value not in taken and subject.validator.is_valid(arguments)
        if fits and bench.probe(subject, arguments).success:
            taken.append(value)
    return taken


def keys_of(subject: Subject) -> list[Parameter]:
    """Parameters that name a record: ids, and the one required parameter of a tool that gets or changes one."""
    parameters = parameters_of(subject.schema)
    ids = [p for p in parameters if id_target(p.last, subject.reading.noun) is not None]
    required = [p for p in parameters if p.required]
    lone = required if len(required) == 1 and subject.reading.action in ("get", "delete", "status") else []
    plain = ("string", "integer", "number")
    return [p for p in {p.name: p for p in (*ids, *lone)}.values() if kind_of(p.schema) in plain]


def answers_about(bench: Bench, subject: Subject, findings: list[Finding]) -> Iterator[Check]:
    """A read that shows the value it was asked for shows it for every value, each in its own answer."""
    if subject.working is None or subject.reading.action not in READS or subject.changed:
        return
    for parameter in keys_of(subject):
        values = named_values(bench, subject, parameter, findings)
        outcomes = [bench.probe(subject, put(subject.working, parameter.path, value)) for value in values]
        answers = [outcome.observation.get("data") for outcome in outcomes]
        if len(values) < 2:
            continue
        shows = [holds(answer, value) for value, answer in zip(values, answers, strict=True)]
        told = [at for at, shown in enumerate(shows) if shown or not _bare(outcomes[at])]
        crossed = _crossed(values, answers)
        if not crossed and not shows[0] and sum(shows) * 2 < len(told):
            continue  # it does not repeat what it is asked for: lists of what belongs to something
        wrong = 0 if crossed else next((at for at in told if not shows[at]), None)
        yield make_check(
            subject,
            f"answers_about:{parameter.name}",
            wrong is None,
            None if wrong is None else put(subject.working, parameter.path, values[wrong]),
            "an answer about what was asked for",
            None if wrong is None else outcomes[wrong].observation,
        )


def _crossed(values: list[Json], answers: list[Json]) -> bool:
    """Whether two questions got each other's answers: each shows the other's value and not its own."""
    return any(
        not holds(answers[one], values[one])
        and holds(answers[one], values[other])
        and not holds(answers[other], values[other])
        and holds(answers[other], values[one])
        for one, other in itertools.combinations(range(len(values)), 2)
    )


def _bare(outcome: Outcome) -> bool:
    """An answer without rows: nothing belongs to what was asked for."""
    data = opened(outcome.observation.get("data"))
    return not rows_in(data) and (isinstance(data, list) or any(isinstance(v, list) for v in _parts(data)))


def _parts(data: Json) -> list[Json]:
    return list(data.values()) if isinstance(data, dict) else []


def _shows(outcome: Outcome, value: Json) -> bool:
    return holds(outcome.observation.get("data"), value)


def hits_named(bench: Bench, subject: Subject, findings: list[Finding]) -> Iterator[Check]:
    """A write touches the record it names: every id that was sent stands in what changed."""
    calls = list(itertools.islice(writing_calls(bench, subject), 1))
    if not calls:
        return
    named = subject.reading.action in ("update", "delete", "status")
    for parameter in keys_of(subject):
        witness = next((f.witness for f in findings if f.parameter.name == parameter.name and f.both_succeed), None)
        asked = [
            (value_at(call, parameter.path), bench.probe(subject, call).changes) for call in (*calls, *(witness or ()))
        ]
        told = [(value, changes) for value, changes in asked if changes and isinstance(value, str | int)]
        values, changed = [value for value, _ in told], [changes for _, changes in told]
        touched = [holds(changes, value) for value, changes in told]
        own = named and id_target(parameter.last, subject.reading.noun) == subject.reading.noun
        name, expected = f"hits_named:{parameter.name}", "a change of what is named"
        crossed = _crossed(values, changed)
        if any(touched) or crossed or (touched and own):
            wrong = 0 if crossed else next((at for at, right in enumerate(touched) if not right), None)
            sent, got = (None, None) if wrong is None else (values[wrong], json.dumps(changed[wrong]))
            yield make_check(subject, name, wrong is None, sent, expected, got)
        elif touched:
            yield make_check(subject, name, None, calls[0], expected, note="the records do not keep it")


def creates_one(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A creation of one thing adds one record of its kind."""
    if subject.working is None or subject.reading.action not in ("create", "copy") or subject.reading.plural:
        return
    arguments = next(writing_calls(bench, subject), None)
    if arguments is None or any(isinstance(value, list) and len(value) > 1 for value in arguments.values()):
        return  # several at once, perhaps
    outcome = bench.probe(subject, arguments)
    added = [change for change in outcome.changes if change.get("before") is None]
    named = [str(change["table"]) for change in added if holds(outcome.observation.get("data"), change["id"])]
    if named:
        count = sum(str(change["table"]) == named[0] for change in added)
        yield make_check(
            subject, "creates_one", count == 1, arguments, f"one new record in {named[0]}", f"{count} new records"
        )
