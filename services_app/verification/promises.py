"""Every check of what a description promises in words, in the order in which they are made."""

from __future__ import annotations

from collections.abc import Iterator

from services_app.verification.bench import Bench
from services_app.verification.promised_content import keeps_content, says_something, shows_its_name
from services_app.verification.promised_controls import controls_stay_out, flags_add
from services_app.verification.promised_defaults import defaults_hold
from services_app.verification.promised_finds import (
    all_means_all,
    finds_by_part,
    finds_documented,
    finds_itself,
    keeps_order,
    takes_either,
)
from services_app.verification.promised_writes import writes_keep_promises
from services_app.verification.report import Check
from services_app.verification.subject import Subject


def promises_kept(bench: Bench, subject: Subject) -> Iterator[Check]:
    """Content, control parameters, defaults, filters, names and order, each as the description says it."""
    yield from keeps_content(bench, subject)
    yield from says_something(bench, subject)
    yield from shows_its_name(bench, subject)
    yield from controls_stay_out(bench, subject)
    yield from flags_add(bench, subject)
    yield from defaults_hold(bench, subject)
    yield from finds_documented(bench, subject)
    yield from all_means_all(bench, subject)
    yield from finds_by_part(bench, subject)
    yield from takes_either(bench, subject)
    yield from finds_itself(bench, subject)
    yield from keeps_order(bench, subject)
    yield from writes_keep_promises(bench, subject)
