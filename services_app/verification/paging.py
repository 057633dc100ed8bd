"""Pages of a list: limits, offsets, page numbers and cursors cut the same rows in the same order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from services_app.specs.documented import counts_from_one
from services_app.specs.vocabulary import READS
from services_app.verification.bench import Bench
from services_app.verification.checks import make_check
from services_app.verification.parameters import PAGING, Parameter, parameters_of, part_of, put, without_paging
from services_app.verification.report import Check
from services_app.verification.results import next_tokens, rows_in
from services_app.verification.subject import Subject

Json = Any
_CALLS_ASKED = 6


def pages_hold(bench: Bench, subject: Subject) -> Iterator[Check]:
    """Where a tool shows two rows or more, each way of asking for fewer gives the right ones of them."""
    paging = [p for p in parameters_of(subject.schema) if part_of(p, subject.reading.noun) in PAGING]
    if subject.working is None or subject.reading.action not in READS or not paging:
        return
    found = _longest(bench, subject, paging)
    if found is None:
        return
    bare, rows = found
    limit = next((p for p in paging if part_of(p, subject.reading.noun) == "limit"), None)
    if limit is not None:
        some = 2 if len(rows) > 2 else 1
        yield from _cut(
            bench, subject, limit, put(bare, limit.path, some), [rows[:some]], f"the first rows, {some} of them"
        )
    for parameter in paging:
        part = part_of(parameter, subject.reading.noun)
        one = put(bare, limit.path, 1) if limit is not None else bare
        if part == "offset":
            second = 2 if counts_from_one(parameter.schema) else 1
            wanted = [rows[1:2]] if limit is not None else [rows[1:]]
            yield from _cut(
                bench, subject, parameter, put(one, parameter.path, second), wanted, "the rows after the first"
            )
        elif part == "page" and limit is not None:
            yield from _numbered(bench, subject, parameter, one, rows)
        elif part == "cursor" and limit is not None:
            yield from _followed(bench, subject, parameter, one, rows)


def _longest(
    bench: Bench, subject: Subject, paging: list[Parameter]
) -> tuple[dict[str, Json], list[dict[str, Json]]] | None:
    """A call without paging that shows two different rows or more, and the rows."""
    for _, arguments in sorted(subject.showed, key=lambda pair: -pair[0])[:_CALLS_ASKED]:
        bare = without_paging(paging, arguments)
        outcome = bench.probe(subject, bare) if subject.validator.is_valid(bare) else None
        rows = rows_in(outcome.observation["data"]) if outcome is not None and outcome.success else []
        if len(rows) > 1 and rows[0] != rows[1]:
            return bare, rows
    return None


def _cut(
    bench: Bench,
    subject: Subject,
    parameter: Parameter,
    arguments: dict[str, Json],
    wanted: list[list[dict[str, Json]]],
    words: str,
) -> Iterator[Check]:
    """One call gives one of the wanted pages; nothing is told where it is refused."""
    outcome = bench.probe(subject, arguments) if subject.validator.is_valid(arguments) else None
    if outcome is not None and outcome.success:
        shown = rows_in(outcome.observation["data"])
        name = f"page:{parameter.name}"
        yield make_check(subject, name, shown in wanted, arguments, words, f"{len(shown)} rows: {shown[:2]}")


def _numbered(
    bench: Bench, subject: Subject, parameter: Parameter, one: dict[str, Json], rows: list[dict[str, Json]]
) -> Iterator[Check]:
    """Pages of one row, counted from one or from nought."""
    calls = [put(one, parameter.path, number) for number in (1, 2)]
    if not all(subject.validator.is_valid(call) for call in calls):
        return
    outcomes = [bench.probe(subject, call) for call in calls]
    if all(outcome.success for outcome in outcomes):
        shown = [rows_in(outcome.observation["data"]) for outcome in outcomes]
        counted_from_nought = len(rows) > 2 and shown == [rows[1:2], rows[2:3]]
        right = shown == [rows[:1], rows[1:2]] or counted_from_nought
        yield make_check(subject, f"page:{parameter.name}", right, calls, "two rows that follow each other", shown)


def _followed(
    bench: Bench, subject: Subject, parameter: Parameter, one: dict[str, Json], rows: list[dict[str, Json]]
) -> Iterator[Check]:
    """The token of a first page leads to the row after it."""
    first = bench.probe(subject, one)
    token = next(next_tokens(first.observation.get("data")), None) if first.success else None
    if token is not None:
        arguments = put(one, parameter.path, token)
        yield from _cut(bench, subject, parameter, arguments, [rows[1:2]], "the row after the first")
