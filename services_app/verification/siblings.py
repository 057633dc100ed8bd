"""What tools tell about each other: a write is seen by a tool that reads, a read shows the state that there is."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

from services_app.engine.observation import Observation
from services_app.engine.protocol import Environment
from services_app.specs.vocabulary import READS, WRITES, id_target
from services_app.verification.arguments import example
from services_app.verification.attempts import mixes
from services_app.verification.bench import Bench
from services_app.verification.checks import make_check
from services_app.verification.liveness import Finding
from services_app.verification.parameters import LIMITS, key_of, parameters_of, part_of
from services_app.verification.report import Check
from services_app.verification.results import scalars_in
from services_app.verification.states import OtherStates
from services_app.verification.subject import Outcome, Subject, related, repeats

Json = Any
_OTHER_READERS = 16
_LARGE_PAGE = 100
_CALLS_ASKED = 4
_ROWS_ASKED = 12
_WRITES_TRIED = 3
_TEXTS_ASKED = 4
_WRITERS_ASKED = 5


def writing_calls(bench: Bench, subject: Subject) -> Iterator[dict[str, Json]]:
    """A few calls that change the state: with other contents first where a record is changed, then as it works."""
    if not subject.writes:
        subject.writes = list(_writes(bench, subject)) or None  # later probes may still find one
    for arguments in subject.writes or ():
        if _changes(bench, subject, arguments):
            yield arguments


def _changes(bench: Bench, subject: Subject, arguments: dict[str, Json]) -> bool:
    outcome = bench.probe(subject, arguments)
    return outcome.success and any(change.get("before") != change.get("after") for change in outcome.changes)


def _writes(bench: Bench, subject: Subject) -> Iterator[dict[str, Json]]:
    if subject.working is None or not (subject.changed or subject.reading.action in WRITES):
        return
    contents, mixed = list(other_contents(subject)), itertools.islice(mixes(bench.pool, subject), 40)
    first = [subject.working, *contents] if subject.reading.action == "create" else [*contents, subject.working]
    found: list[dict[str, Json]] = []
    probed = [arguments for _, arguments in subject.showed]
    for arguments in itertools.chain(first, probed, mixed):
        if arguments in found or not subject.validator.is_valid(arguments):
            continue
        if _changes(bench, subject, arguments):
            found.append(arguments)
            yield arguments
        if len(found) == _WRITES_TRIED:
            return


def other_contents(subject: Subject) -> Iterator[dict[str, Json]]:
    """The working call with made-up values for everything that is no id: all of it, then what is required."""
    for full in (True, False):
        made = example(subject.schema, subject.schema, full=full)
        fresh = {name: value for name, value in made.items() if id_target(name, subject.reading.noun) is None}
        yield {**(subject.working or {}), **fresh}


def writes_show(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A writing tool changes something, at least for one set of arguments."""
    if subject.working is None or subject.reading.action not in WRITES:
        return
    changed = next(writing_calls(bench, subject), None) is not None
    yield make_check(subject, "writes", changed, subject.working, "a change of state", "no call changed anything")


def readers_of(bench: Bench, subject: Subject) -> list[Subject]:
    """Tools that read, those of the same noun first, then related ones, then a few others."""
    readers = [
        other
        for other in bench.subjects.values()
        if other is not subject and other.working is not None and not other.changed
        if other.reading.action not in WRITES
    ]
    own = [other for other in readers if _same_noun(other, subject)]
    near = [other for other in readers if other not in own and related(other, subject)]
    rest = [other for other in readers if other not in own and other not in near]
    return [*own, *near, *rest[:_OTHER_READERS]]


def _same_noun(reader: Subject, writer: Subject) -> bool:
    reads = reader.reading.action in READS
    return reads and bool(writer.reading.noun) and reader.reading.noun == writer.reading.noun


def seen_by_sibling(bench: Bench, subject: Subject) -> Iterator[Check]:
    """After a write, some tool that reads answers differently; where none reads, the answer tells what was written."""
    readers = readers_of(bench, subject)
    expected = "a tool that reads answers differently after the write"
    arguments: dict[str, Json] | None = None
    for arguments in subject.writes or writing_calls(bench, subject):
        reader = first_to_see(bench, subject, arguments, readers)
        if reader is not None:
            note = f"seen by {reader.info.name}"
            yield make_check(subject, "seen_by_sibling", True, arguments, expected, note=note)
            return
    own = [reader.info.name for reader in readers if _same_noun(reader, subject)]
    if arguments is not None and not _changes(bench, subject, arguments):
        yield make_check(subject, "seen_by_sibling", False, arguments, expected, "the call that wrote writes no more")
    elif arguments is not None and own:
        yield make_check(subject, "seen_by_sibling", False, arguments, expected, f"no change in {', '.join(own[:6])}")
    elif arguments is not None:
        note = "no tool reads what this one writes"
        yield make_check(subject, "seen_by_sibling", None, arguments, expected, note=note)
        written = bench.probe(subject, arguments)
        expected = "a result that names what was written"
        yield make_check(subject, "shows_effect", _shows_effect(written), arguments, expected, written.observation)


def first_to_see(bench: Bench, subject: Subject, arguments: dict[str, Json], readers: list[Subject]) -> Subject | None:
    """The first of some reading tools that answers differently after a write."""
    written = bench.probe(subject, arguments)
    after = bench.fork(subject)
    bench.call(after, subject.info.name, arguments)
    for reader in readers:
        for question in questions(bench, reader, arguments, written):
            before = bench.probe(reader, question, bench.origin(subject))
            later = bench.call(after, reader.info.name, question)
            if _timeless(later, after.now) != _timeless(before.observation, before.now):
                reader.seen_from = reader.seen_from or (subject.info.name, arguments)
                return reader
    return None


def fresh(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A read shows what was written a moment before; nothing is told where no other tool writes what it shows."""
    if subject.working is None or subject.changed or subject.reading.action in WRITES:
        return
    expected = "another answer after a write of another tool"
    if subject.seen_from is not None:
        writer, arguments = subject.seen_from
        seen = first_to_see(bench, bench.subjects[writer], arguments, [subject]) is not None
        yield make_check(subject, "fresh", seen, subject.working, expected, note=f"after {writer}")
        return
    writers = [other for other in bench.subjects.values() if other is not subject and related(other, subject)]
    for writer_ in sorted(writers, key=lambda other: other.reading.noun != subject.reading.noun)[:_WRITERS_ASKED]:
        for arguments in itertools.islice(writing_calls(bench, writer_), 1):
            if first_to_see(bench, writer_, arguments, [subject]) is not None:
                yield make_check(subject, "fresh", True, subject.working, expected, note=f"after {writer_.info.name}")
                return


def questions(bench: Bench, reader: Subject, arguments: dict[str, Json], written: Outcome) -> Iterator[dict[str, Json]]:
    """Calls of a reading tool: for the record that was written, then as it is known to work, with a large page."""
    assert reader.working is not None
    required = [name for name in reader.schema.get("required") or () if name in (reader.schema.get("properties") or {})]
    made: list[dict[str, Json]] = []
    for change in written.changes[:4]:
        record = {**(change.get("before") or {}), **(change.get("after") or {})}
        known = {key_of(name): value for name, value in record.items()}
        sent = {key_of(name): value for name, value in arguments.items()}
        call: dict[str, Json] = {}
        for name in required:
            target = id_target(name, reader.reading.noun)
            own = (
                target is not None
                and target.rsplit("_", 1)[-1] == bench.noun_of(str(change["table"])).rsplit("_", 1)[-1]
            )
            key = key_of(name)
            value = change["id"] if own and key not in sent else sent.get(key, known.get(key))
            call[name] = reader.working.get(name) if value is None else value
        made.append(call)
    made += _searches(reader, made or [reader.working], written)
    bare = {name: value for name, value in reader.working.items() if name in required}
    seen: list[dict[str, Json]] = []
    for call in (*made, reader.working, bare):
        for candidate in (_large(reader, call), call):
            if candidate not in seen and reader.validator.is_valid(candidate):
                seen.append(candidate)
                yield candidate


def _searches(reader: Subject, calls: list[dict[str, Json]], written: Outcome) -> list[dict[str, Json]]:
    """Calls that search for a text which was written, where the reading tool takes a text to search for."""
    names = [p.last for p in parameters_of(reader.schema) if len(p.path) == 1 and part_of(p, "") == "text"]
    records = [change.get("after") or {} for change in written.changes[:2]]
    texts = [value for record in records for value in record.values() if isinstance(value, str) and len(value) > 2]
    return [{**calls[0], name: text} for name in names[:1] for text in dict.fromkeys(texts[:_TEXTS_ASKED])]


def _large(reader: Subject, call: dict[str, Json]) -> dict[str, Json]:
    """The call with room for every row: what was added last may stand on a later page."""
    names = [name for name in reader.schema.get("properties") or {} if key_of(name) in LIMITS]
    return {**call, names[0]: _LARGE_PAGE} if names else call


def _shows_effect(written: Outcome) -> bool:
    """Whether a result holds an id or a value that the write touched."""
    touched = set()
    for change in written.changes:
        touched.add(str(change["id"]))
        for side in ("before", "after"):
            touched |= set(scalars_in(change.get(side)))
    if touched & set(scalars_in(written.observation.get("data"))):
        return True
    text = json.dumps(written.observation.get("data"), ensure_ascii=False)
    return any(len(value) > 2 and value in text for value in touched)


def depends_on_state(bench: Bench, subject: Subject, findings: list[Finding]) -> Iterator[Check]:
    """A read answers differently when there are no records, and when records hold what others held.

    A computation has no records to show: when every parameter is live and no table is related, nothing is told.
    """
    if subject.working is None or subject.changed or subject.reading.action in WRITES or repeats(subject):
        return
    expected = "another answer in another state"
    here = bench.probe(subject, subject.working, bench.base).success
    states = bench.states(bench.base if here else bench.origin(subject))
    shown_most = sorted(subject.showed, key=lambda pair: -pair[0])
    calls = [subject.working, *(arguments for _, arguments in shown_most[:_CALLS_ASKED])]
    calls += [call for call in _stored_calls(bench, subject) if call not in calls]
    if _differs(bench, subject, calls, states, states.emptied):
        # That a record is missed when it is gone says little: its contents must be shown, too.
        missed = not bench.probe(subject, subject.working, states.emptied).success
        others = states.exchanged if missed else ()
        shown = not others or any(_differs(bench, subject, calls, states, state) for state in others)
        note = "" if shown else "the answer is the same whatever the records hold"
        yield make_check(subject, "depends_on_state", shown, subject.working, expected, subject.observation, note=note)
        return
    told = [finding for finding in findings if finding.verdict != "untold"]
    live = bool(told) and all(finding.verdict in ("live", "inert") for finding in told)
    if live and not (subject.reading.action in READS and _has_table(bench, subject)):
        note = "the answer follows from the arguments alone"
        yield make_check(subject, "depends_on_state", None, subject.working, expected, note=note)
        return
    note = "the answer is the same whatever the state holds"
    yield make_check(subject, "depends_on_state", False, subject.working, expected, subject.observation, note=note)


def _differs(
    bench: Bench, subject: Subject, calls: list[dict[str, Json]], states: OtherStates, other: Environment
) -> bool:
    for arguments in calls:
        here, there = bench.probe(subject, arguments, states.origin), bench.probe(subject, arguments, other)
        if _timeless(here.observation, here.now) != _timeless(there.observation, there.now):
            return True
    return False


def _timeless(observation: Observation, now: str) -> str:
    """An observation as text, without the time: a tool that shows the clock shows no state."""
    return json.dumps(observation, sort_keys=True).replace(now, "now")


def _stored_calls(bench: Bench, subject: Subject) -> Iterator[dict[str, Json]]:
    """The working call for what records hold: their values for every parameter of the call that names a field."""
    assert subject.working is not None
    for row in bench.records_of(subject)[:_ROWS_ASKED]:
        by_key = {key_of(name): value for name, value in row.items() if isinstance(value, str | int | float)}
        call = {name: by_key.get(key_of(name), value) for name, value in subject.working.items()}
        if subject.validator.is_valid(call):
            yield call


def _has_table(bench: Bench, subject: Subject) -> bool:
    """Whether the application keeps records of just what the tool is about."""
    return any(rows and bench.noun_of(name) == subject.reading.noun for name, rows in bench.tables.items())
