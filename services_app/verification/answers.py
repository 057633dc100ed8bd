"""What answers hold: the fields that were promised, more than the question, totals that are right, no stand-ins."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from services_app.specs.vocabulary import READS, WRITES
from services_app.verification.arguments import resolve
from services_app.verification.attempts import mixes
from services_app.verification.bench import Bench
from services_app.verification.checks import make_check
from services_app.verification.parameters import key_of
from services_app.verification.report import Check
from services_app.verification.results import opened, scalars_in
from services_app.verification.subject import Subject, repeats

Json = Any
_ANSWERS_READ = 12
_RANDOM_CALLS = 6
_DEPTH = 3
_STAND_IN = re.compile(
    r"\b(?:TODO|FIXME|lorem ipsum|not[ _]implemented|placeholder|dummy|foo ?bar|mock(?:ed)? (?:data|result|response)"
    r")\b",
    re.IGNORECASE,
)
_STAND_IN_VALUES = frozenset(("string", "example", "sample", "test data", "n/a", "tbd", "value", "todo"))
_TOTALS = frozenset("total count total_count num_results total_results result_count total_items item_count".split())


def result_fields(bench: Bench, subject: Subject) -> Iterator[Check]:
    """Required fields of the output schema, and half of all that it names, stand in some answer."""
    schema = subject.info.output_schema
    if subject.working is None or not schema:
        return
    required, named = _promised(schema, schema, 0)
    if not named:
        return
    shown: set[str] = set()
    for data in answers_of(bench, subject):
        shown |= set(_keys_in(data))
    missing = sorted(required - shown)
    enough = not missing and 2 * len(named & shown) >= len(named)
    expected = "the required fields of the output schema and half of those it names, over all answers"
    got = f"never shown: {', '.join(missing or sorted(named - shown))}"
    yield make_check(subject, "result_fields", enough, None, expected, got)


def answers_of(bench: Bench, subject: Subject) -> list[Json]:
    """Different results that were seen, the fullest first."""
    calls = [call for _, call in sorted(subject.showed, key=lambda pair: -pair[0])[:_ANSWERS_READ]]
    outcomes = (bench.probe(subject, call) for call in (*calls, subject.working or {}))
    return [outcome.observation["data"] for outcome in outcomes if outcome.success]


def _promised(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> tuple[set[str], set[str]]:
    """(required at the top, all names) of a result schema; inside lists and objects nothing is required for sure."""
    plain = resolve(schema, root)
    properties = plain.get("properties") or {}
    named = set(properties)
    for part in [*properties.values(), *([plain["items"]] if isinstance(plain.get("items"), Mapping) else [])]:
        if depth < _DEPTH:
            named |= _promised(part, root, depth + 1)[1]
    return set(plain.get("required") or ()) & set(properties), named


def _keys_in(data: Json) -> Iterator[str]:
    if isinstance(data, dict):
        yield from data
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _keys_in(part)


def says_more_than_arguments(bench: Bench, subject: Subject) -> Iterator[Check]:
    """An answer of a tool that writes nothing holds something that the question did not."""
    if subject.working is None or subject.writes or subject.changed or subject.reading.action in WRITES:
        return
    if repeats(subject):
        return
    asked = set(scalars_in(subject.working)) | {str(value) for value in (True, False, None)}
    answers = answers_of(bench, subject)
    sent = [set(scalars_in(call)) for _, call in sorted(subject.showed, key=lambda p: -p[0])[:_ANSWERS_READ]]
    more = any(_leaves(data) - said for data, said in zip(answers, [*sent, asked], strict=False))
    expected = "an answer that holds more than the arguments"
    yield make_check(subject, "says_more_than_arguments", more, subject.working, expected, answers[-1:])


def _leaves(data: Json) -> set[str]:
    """What an answer says: its values as text, how long its lists are where they hold nothing else."""
    data = opened(data)
    return set(scalars_in(data)) | ({"true or false"} if isinstance(data, bool) else set())


def no_stand_ins(bench: Bench, subject: Subject) -> Iterator[Check]:
    """No answer holds words that stand in for a result: lorem ipsum, "not implemented", the name of a type."""
    if subject.working is None:
        return
    for data in answers_of(bench, subject)[:4]:
        texts = [text for text in scalars_in(data) if text not in set(scalars_in(subject.working))]
        found = next((t for t in texts if _STAND_IN.search(t) or t.strip().lower() in _STAND_IN_VALUES), None)
        if found is not None and not _said_by_specification(subject, found):
            expected = "a result, not a stand-in for one"
            yield make_check(subject, "no_stand_in", False, subject.working, expected, found)
            return
    yield make_check(subject, "no_stand_in", True)


def _said_by_specification(subject: Subject, text: str) -> bool:
    """Whether the specification itself names the word: a state may be called TODO."""
    said = json.dumps([subject.schema, subject.info.output_schema, subject.info.description], ensure_ascii=False)
    return text.strip().lower() in said.lower()


def totals_hold(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A number called total or count beside a list is not smaller than the list, and equal where nothing was cut."""
    if subject.working is None or subject.reading.action not in READS:
        return
    for data in answers_of(bench, subject)[:4]:
        inner = opened(data)
        for name, number, rows in _totals(inner):
            right = number >= len(rows)
            expected = f"{name} that counts the {len(rows)} rows beside it, or more"
            yield make_check(subject, f"total:{name}", right, subject.working, expected, number)
            return


def _totals(data: Json) -> Iterator[tuple[str, int, list[Json]]]:
    if not isinstance(data, dict):
        return
    lists = [value for value in data.values() if isinstance(value, list)]
    for name, value in data.items():
        whole = isinstance(value, int) and not isinstance(value, bool)
        if whole and key_of(name) in _TOTALS and len(lists) == 1:
            yield name, value, lists[0]


def random_calls(bench: Bench, subject: Subject) -> Iterator[Check]:
    """Seeded random valid arguments: no defect, the same twice, and nothing changed by what is refused."""
    if subject.working is None:
        return
    reads = subject.reading.action in READS
    for arguments in itertools.islice(_valid(bench, subject), _RANDOM_CALLS):
        trial = bench.fork(subject)
        first = bench.call(trial, subject.info.name, arguments)
        written = len(trial.changes) > len(bench.origin(subject).changes)
        again = bench.call(trial, subject.info.name, arguments) if reads else first
        trial.close()
        if first != bench.probe(subject, arguments).observation:
            problem = "another answer to the same call"
        elif first != again:
            problem = "another answer when asked again"
        elif not first["success"] and written:
            problem = "a refused call left a change"
        else:
            continue
        yield make_check(subject, "random_calls", False, arguments, "the same answer, nothing left behind", problem)
        return
    yield make_check(subject, "random_calls", True)


def _valid(bench: Bench, subject: Subject) -> Iterator[dict[str, Json]]:
    return (arguments for arguments in mixes(bench.pool, subject) if subject.validator.is_valid(arguments))


def never_breaks(bench: Bench, subject: Subject) -> Iterator[Check]:
    """No valid call of the whole verification was answered with an internal error."""
    if subject.working is None:
        return
    sent, how = subject.crash or (None, "")
    yield make_check(subject, "never_breaks", subject.crash is None, sent, "no internal error", how)


def answers_apart(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A read without parameters does not answer just like two others that are about other things."""
    if subject.observation is None or subject.working or subject.reading.action not in READS:
        return
    if subject.reading.action == "count":  # there may be as many of one thing as of another
        return
    same = [
        other.info.name
        for other in bench.subjects.values()
        if other.observation == subject.observation and other.reading.action in READS
        if not set(other.reading.noun.split("_")) & set(subject.reading.noun.split("_"))
    ]
    says = bool(_leaves(subject.observation["data"]))
    got = f"the same as {', '.join(same[:4])}"
    yield make_check(subject, "answers_apart", not says or len(same) < 2, {}, "an answer of its own", got)
