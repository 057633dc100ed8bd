"""That a read knows what it is asked about: two keys that nobody knows do not both get an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from services_app.specs.vocabulary import READS, id_target, types_of, words_of
from services_app.verification.bench import Bench
from services_app.verification.checks import make_check
from services_app.verification.parameters import Parameter, parameters_of, part_of, put, value_at
from services_app.verification.report import Check
from services_app.verification.results import masked, opened
from services_app.verification.subject import Outcome, Subject, repeats

Json = Any
UNHEARD = ("zzq-nobody-4711", "wvx-nowhere-0815")
# What a tool works on, how it answers, and what is read as text: no key of anything that could be unknown.
_NO_KEYS = frozenset(
    (
        "text content code html css script expression formula equation input data body json xml yaml markdown csv "
        "value values number numbers prompt sql command selector image instructions message title description comment "
        "question subject phrase sentence word words string password secret token key_material template schema diff "
        "query q search term terms keyword keywords topic filter where pattern regex jql goal task intent context "
        "thought reasoning reason explanation url uri link href website path file filename filepath directory folder "
        "dir glob date time day month year period range since until start end from to before after timestamp datetime "
        "timezone tz zone lang language locale format unit units version interval frequency timeframe resolution "
        "granularity api passphrase credentials "
        "latitude longitude lat lon lng coordinates location hash signature payload header headers cursor "
        "sort order fields color colour size amount quantity seed cron duration mode type kind"
    ).split()
)
_VERDICTS = frozenset("check verify validate test is has can".split())
_NOTHING = re.compile(r"\b(no|not|none|nothing|unknown|empty|never|without)\b", re.IGNORECASE)
_FORMS = frozenset(("date", "date-time", "time", "duration", "uri", "url", "email"))


def knows_its_keys(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A read that names something by a required key answers for what exists, not for whatever it is sent."""
    if subject.working is None or subject.changed or not _is_told(subject):
        return
    for parameter in parameters_of(subject.schema):
        calls = [put(subject.working, parameter.path, word) for word in UNHEARD]
        if parameter.name in subject.info.inert:  # a credential, with the reason: every caller is known
            continue
        if not _is_key(subject, parameter) or not all(subject.validator.is_valid(call) for call in calls):
            continue
        if value_at(subject.working, parameter.path) is None:
            continue
        outcomes = [bench.probe(subject, call) for call in calls]
        invents = all(_answers(outcome, parameter, word) for outcome, word in zip(outcomes, UNHEARD, strict=True))
        yield make_check(
            subject,
            f"invents:{parameter.name}",
            not invents,
            calls[0],
            "an error such as 404, or nothing found, for a key that nobody knows",
            outcomes[0].observation,
            "two keys that nobody knows both got an answer" if invents else "",
        )


def _is_told(subject: Subject) -> bool:
    """Whether a tool reads something that is named; one that repeats, or searches, or computes, does not."""
    if repeats(subject) or subject.reading.action == "search":
        return False
    return subject.reading.action in READS or subject.reading.verb in _VERDICTS


def _is_key(subject: Subject, parameter: Parameter) -> bool:
    """Whether a parameter names something: required text without listed values, no query, material, address, time."""
    schema = parameter.schema
    listed = schema.get("enum") or "const" in schema or schema.get("pattern") or schema.get("format") in _FORMS
    if not parameter.required or listed or types_of(schema) != {"string"}:
        return False
    if id_target(parameter.last, subject.reading.noun) is not None:
        return True
    if subject.reading.action not in READS and words_of(parameter.last)[-1:] not in (["symbol"], ["name"]):
        return False  # what a verdict is about may be judged by its form alone
    return not set(words_of(parameter.last)) & _NO_KEYS and part_of(parameter, subject.reading.noun) == ""


def _answers(outcome: Outcome, parameter: Parameter, word: str) -> bool:
    """Whether a call succeeded with something more than the word that was sent."""
    return outcome.success and _says(masked(opened(outcome.observation["data"]), parameter.key, [word]))


def _says(data: Json) -> bool:
    """Whether an answer holds something: a row, else a value that is neither false, zero nor words for nothing."""
    if isinstance(data, list):
        return any(_says(item) for item in data)
    if isinstance(data, Mapping):
        parts = list(data.values())
        lists = [part for part in parts if isinstance(part, list)]
        if lists and not any(lists) and not any(_says(part) for part in parts if isinstance(part, Mapping)):
            return False
        return any(_says(part) for part in parts)
    if isinstance(data, str):
        return bool(data) and not _NOTHING.search(data)
    return data not in (None, False, 0)
