"""The adversarial suite in order: what is asked of every tool before and after its live parameters are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from services_app.engine.protocol import Environment
from services_app.verification import answers, boundaries, checks, facts, identity, inventions, promises, siblings
from services_app.verification.bench import Bench
from services_app.verification.between_siblings import siblings_agree
from services_app.verification.checks import make_check
from services_app.verification.cues import contradictions
from services_app.verification.documented import accepts_documented
from services_app.verification.liveness import Finding, find_live, live_checks
from services_app.verification.paging import pages_hold
from services_app.verification.report import Check
from services_app.verification.subject import Subject


def run_suite(
    bench: Bench,
    subject: Subject,
    twin: Environment | None,
    annotations: Mapping[str, Any],
    findings: list[Finding],
) -> Iterator[Check]:
    """Every check of one tool; fills `findings`. Raises what a bound or the sandbox raises."""
    read_only = annotations.get("readOnlyHint") is True
    yield from checks.works(bench, subject)
    yield from checks.refuses_bad_arguments(bench, subject)
    yield from checks.refuses_unknown_ids(bench, subject)
    yield from checks.is_deterministic(bench, subject, twin)
    yield from checks.reads_do_not_write(bench, subject, read_only)
    yield from checks.keeps_shape(bench, subject)
    yield from checks.no_defects(bench, subject)
    yield from checks.round_trip(bench, subject)
    yield from facts.writes_stick(bench, subject)
    yield from facts.created_is_listed(bench, subject)
    yield from facts.refuses_unknown_parents(bench, subject)
    yield from boundaries.survives_edges(bench, subject)
    yield from accepts_documented(bench, subject)
    yield from answers.random_calls(bench, subject)
    findings.extend(find_live(bench, subject))
    yield from live_checks(subject, findings)
    # What follows uses the calls that the search for live parameters found.
    if not read_only:
        yield from siblings.writes_show(bench, subject)
    yield from pages_hold(bench, subject)
    yield from facts.filters_hold(bench, subject)
    yield from identity.answers_about(bench, subject, findings)
    yield from identity.hits_named(bench, subject, findings)
    yield from identity.creates_one(bench, subject)
    yield from siblings.seen_by_sibling(bench, subject)
    yield from siblings_agree(bench, subject)
    yield from siblings.fresh(bench, subject)
    yield from siblings.depends_on_state(bench, subject, findings)
    yield from answers.result_fields(bench, subject)
    yield from answers.says_more_than_arguments(bench, subject)
    yield from answers.no_stand_ins(bench, subject)
    yield from answers.totals_hold(bench, subject)
    yield from answers.answers_apart(bench, subject)
    yield from inventions.knows_its_keys(bench, subject)
    yield from promises.promises_kept(bench, subject)
    yield from answers.never_breaks(bench, subject)
    yield from cues_agree(bench, subject, annotations)


def cues_agree(bench: Bench, subject: Subject, annotations: Mapping[str, Any]) -> Iterator[Check]:
    """Name, description and annotations say the same about what the tool does."""
    info, changes = subject.info, bool(subject.changed or subject.writes)
    found = contradictions(subject.reading, info.name, info.description, annotations, changes=changes)
    yield make_check(subject, "agrees", not found, None, "cues that agree", None, "; ".join(found))
