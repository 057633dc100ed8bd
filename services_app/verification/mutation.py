"""The mutation check: plant faults in a verified tool and see whether the suite notices.

A check that passed is made again from its own evidence: the calls that showed a parameter to be live, the write that
a sibling saw. Mutants never decide a tool's status; they measure the suite.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from services_app.specs.vocabulary import READS
from services_app.verification import checks, facts, identity, siblings
from services_app.verification.arguments import kind_of
from services_app.verification.bench import Bench
from services_app.verification.liveness import Finding, replay
from services_app.verification.mutants import (
    Fault,
    accept_bad_enum,
    drop_write,
    duplicate_write,
    error_to_success,
    ignore,
    one_more,
    planted,
    stale_read,
    swap,
)
from services_app.verification.paging import pages_hold
from services_app.verification.parameters import part_of, value_at
from services_app.verification.report import Check, Survivor
from services_app.verification.subject import Subject

Json = Any
MOST = 6


class Mutation(NamedTuple):
    """How many faults were planted and noticed, and those that were not."""

    planted: int
    killed: int
    survivors: tuple[Survivor, ...]


def mutate(bench: Bench, subject: Subject, findings: list[Finding], found: list[Check]) -> Mutation:
    """Plant the faults that apply to a tool, one after the other."""
    passed = frozenset(check.name for check in found if check.outcome == "pass")
    faults = list(itertools.islice(_faults(bench, subject, findings), MOST))
    survivors = []
    for fault in faults:
        mutated = bench.mutated(lambda state, fault=fault: planted(state, bench.slug, subject.info.name, fault))  # type: ignore[misc]
        if not _noticed(mutated, subject, fault, findings):
            told = (
                "no check that passed before is about this"
                if not _about(fault, passed)
                else "the checks pass as before"
            )
            survivors.append(Survivor(kind=fault.kind, parameter=fault.parameter, note=told))
        bench.calls = mutated.calls
    return Mutation(len(faults), len(faults) - len(survivors), tuple(survivors))


def _about(fault: Fault, passed: frozenset[str]) -> bool:
    return any(name.split(":")[0] in _CHECKS_OF[fault.kind] for name in passed)


def _faults(bench: Bench, subject: Subject, findings: list[Finding]) -> Iterator[Fault]:
    """The faults that apply, one of each kind, those about the state first."""
    live = [finding for finding in findings if finding.verdict == "live"]
    if subject.writes:
        yield drop_write()
        if subject.reading.action == "create" and not subject.reading.plural and _repeats(bench, subject):
            yield duplicate_write()
    elif subject.seen_from is not None:
        yield stale_read()
    yield from itertools.islice(_swaps(subject, live), 1)
    yield from itertools.islice(_pages(subject, live), 1)
    optional = [f.parameter for f in live if not f.parameter.required]
    if optional:
        chosen = optional[len(subject.info.name) % len(optional)]
        yield ignore(chosen.name, chosen.path)
    for finding in findings:
        choices = [value for value in finding.parameter.schema.get("enum") or () if value is not None]
        if choices:
            yield accept_bad_enum(finding.parameter.name, finding.parameter.path, choices)
            break
    if any(finding.parameter.required for finding in findings):
        yield error_to_success()


def _repeats(bench: Bench, subject: Subject) -> bool:
    """Whether the same creation can be made twice; where names are taken once, writing twice is no fault."""
    trial = bench.fork(subject)
    calls = [bench.call(trial, subject.info.name, (subject.writes or [{}])[0]) for _ in range(2)]
    trial.close()
    return all(call["success"] for call in calls) and calls[0] != calls[1]


def _swaps(subject: Subject, live: list[Finding]) -> Iterator[Fault]:
    """Two values of a parameter that names a record, for which the tool was seen to do different things."""
    keys = {parameter.name for parameter in identity.keys_of(subject)}
    for finding in live:
        if finding.parameter.name not in keys or finding.witness is None or not finding.both_succeed:
            continue
        one, other = (value_at(arguments, finding.parameter.path) for arguments in finding.witness)
        if one is not None and other is not None:
            kind = "wrong_entity_deleted" if subject.reading.action == "delete" else "swap_ids"
            yield swap(finding.parameter.name, finding.parameter.path, one, other, kind)


def _pages(subject: Subject, live: list[Finding]) -> Iterator[Fault]:
    for finding in live:
        part = part_of(finding.parameter, subject.reading.noun)
        numbered = part in ("limit", "offset", "page") and kind_of(finding.parameter.schema) in ("integer", "number")
        if numbered and subject.reading.action in READS and not subject.writes:
            yield one_more(finding.parameter.name, finding.parameter.path)


def _noticed(bench: Bench, subject: Subject, fault: Fault, findings: list[Finding]) -> bool:
    """Whether a check fails now: the tool passed them all."""
    faulty = replace(subject, showed=list(subject.showed))
    assert faulty.working is not None
    outcome = bench.probe(faulty, faulty.working)
    if not outcome.success:
        return True
    faulty.observation, faulty.changed = outcome.observation, bool(outcome.changes)
    bench.subjects = {**bench.subjects, subject.info.name: faulty}
    about = [finding for finding in findings if finding.parameter.name == fault.parameter]
    return any(check.outcome == "fail" for run in _RUNS[fault.kind] for check in run(bench, faulty, about))


Run = Callable[[Bench, Subject, list[Finding]], Iterator[Check]]


def _live(bench: Bench, subject: Subject, about: list[Finding]) -> Iterator[Check]:
    return (replay(bench, subject, finding) for finding in about)


def _refuses(bench: Bench, subject: Subject, about: list[Finding]) -> Iterator[Check]:
    return checks.refuses_bad_arguments(bench, subject, about[0].parameter.name)


def _of(check: Callable[[Bench, Subject], Iterator[Check]]) -> Run:
    return lambda bench, subject, about: check(bench, subject)


_WRITES: tuple[Run, ...] = (
    _of(siblings.writes_show), _of(siblings.seen_by_sibling), _of(checks.round_trip), _of(facts.writes_stick),
)  # fmt: skip
_NAMED: tuple[Run, ...] = (
    identity.answers_about, identity.hits_named, _of(facts.filters_hold), _of(checks.round_trip),
    _of(facts.writes_stick),
)  # fmt: skip
_RUNS: dict[str, tuple[Run, ...]] = {
    "drop_write": _WRITES,
    "duplicate_write": (_of(identity.creates_one),),
    "stale_read": (_of(siblings.fresh),),
    "swap_ids": _NAMED,
    "wrong_entity_deleted": (_of(checks.round_trip), identity.hits_named),
    "off_by_one": (_of(pages_hold),),
    "ignore_parameter": (_live, _of(facts.filters_hold)),
    "accept_bad_enum": (_refuses,),
    "error_to_success": (_of(checks.refuses_bad_arguments), _of(checks.refuses_unknown_ids)),
}
_CHECKS_OF: dict[str, frozenset[str]] = {
    "drop_write": frozenset(("writes", "seen_by_sibling", "created_is_found", "deleted_is_gone", "sticks")),
    "duplicate_write": frozenset(("creates_one",)),
    "stale_read": frozenset(("fresh",)),
    "swap_ids": frozenset(("answers_about", "hits_named", "filter", "created_is_found", "sticks")),
    "wrong_entity_deleted": frozenset(("deleted_is_gone", "hits_named")),
    "off_by_one": frozenset(("page",)),
    "ignore_parameter": frozenset(("live", "filter")),
    "accept_bad_enum": frozenset(("refuses",)),
    "error_to_success": frozenset(("refuses", "unknown_id")),
}
