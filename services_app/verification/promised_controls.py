"""Parameters that say what is done, and not what a thing is: they are no values of records or answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from services_app.specs.vocabulary import READS, types_of
from services_app.verification.answers import answers_of
from services_app.verification.bench import Bench
from services_app.verification.checks import make_check
from services_app.verification.parameters import Parameter, key_of, parameters_of, put, without_paging
from services_app.verification.report import Check
from services_app.verification.results import opened, rows_in
from services_app.verification.subject import Outcome, Subject

Json = Any
_LEAD = (
    r"^\W*(?:\(?optional\)?[.,:]?\s*|a?\s*bool(?:ean)?[,:]?\s*|a?\s*flag\s*)?(?:\(default\W*\w+\)\s*)?"
    r"(?:(?:if|when) (?:true|set|enabled|specified|provided|set to true)[,:]?\s*|true to\s*|"
    r"set (?:this )?to true (?:to|if you want to)\s*|"
    r"whether (?:or not )?(?:to|the (?:response|result|output|request|call|api|search|query|operation|tool) should)\s*|"
    r"(?:indicates|specifies|determines|controls) whether (?:or not )?to\s*|to\s+)?"
)
# What is done to the answer: of any tool.
_ANSWER = re.compile(
    _LEAD + r"(?:(?:also )?(?:include|return|show|fetch|expand|embed|hide|omit|exclude)s?\b(?! (?:only )?(?:items|rows|"
    r"records) (?:with|where))|highlight|pretty[- ]?print|the (?:response|result|output) (?:will |should )?includes?\b|"
    r"enable query highlight|restrict the results)|"
    r"\bthe response (?:will |should )?includes?\b|^\W*(?:output|response) format\b|"
    r"\bformat of the (?:output|response)\b",
    re.IGNORECASE,
)
# What a write does or leaves out while it works.
_WORK = re.compile(
    _LEAD + r"(?:skip\b|force\b|overwrite\b|ignore\b|replace (?:all|the|existing|every)\b|validate only|only validate|"
    r"simulate\b|perform a dry run|dry[- ]run|(?:just )?preview\b|delete (?:the )?(?:source|original|all|existing)\b|"
    r"remove\b|transfer\b|merge\b|append\b|acknowledge\b|bypass\b|fail if\b|create missing|overrid|wait\b|"
    r"only (?:create|update|change|write)\b|move the\b|use the uploaded\b|enforce\b)",
    re.IGNORECASE,
)
_ADDS = re.compile(_LEAD + r"(?:also )?(?:include|show|fetch|return)s?\b(?!.{0,40}\bonly\b)", re.IGNORECASE)
_KINDS = frozenset(("boolean", "null"))
_STATES = frozenset(
    (
        "archived closed completed deleted disabled inactive hidden expired resolved draft private suspended trashed "
        "active enabled open major unread starred"
    ).split()
)
_FORMATS = frozenset("output_format response_format format_output".split())


def controls_stay_out(bench: Bench, subject: Subject) -> Iterator[Check]:
    """No answer and no record has a field for a parameter that says what is done, unless the output schema has it."""
    if subject.working is None:
        return
    controls = [p for p in parameters_of(subject.schema) if is_control(p, reads=subject.reading.action in READS)]
    if not controls:
        return
    shown = {key for data in answers_of(bench, subject) for key in _keys(opened(data))}
    for call in (subject.writes or [])[:2]:
        shown |= {key for change in bench.probe(subject, call).changes for key in _keys(change.get("after"))}
    schema = json.dumps(subject.info.output_schema or {})
    for parameter in controls:
        kept = parameter.key in shown and f'"{parameter.last}"' not in schema
        said = str(parameter.schema.get("description", ""))[:160]
        note = f"{parameter.last} says what is done ({said}), and is kept as a value" if kept else ""
        expected = f"no field {parameter.last}"
        yield make_check(subject, f"control:{parameter.name}", not kept, None, expected, sorted(shown)[:40], note)


def is_control(parameter: Parameter, *, reads: bool) -> bool:
    """Whether a parameter, by its description, says what is done: a flag, or the format of the answer."""
    said = str(parameter.schema.get("description") or "")
    if parameter.key in _FORMATS:
        return True
    if parameter.key in _STATES and re.search(rf"\b(?:only|includ\w+)\s+(?:\w+ )?{parameter.key}\b", said, re.I):
        return False  # it says which rows are meant, and these are so
    if not types_of(parameter.schema) or types_of(parameter.schema) - _KINDS:
        return False
    if reads or re.search(r"\bthe response (?:will |should )?includes?\b", said, re.IGNORECASE):
        return _ANSWER.search(said) is not None
    return _WORK.search(said) is not None


def _keys(data: Json) -> Iterator[str]:
    if isinstance(data, dict):
        yield from (key_of(str(name)) for name in data)
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _keys(part)


def flags_add(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A flag of a list that adds something takes no row away: the rows without it are among those with it."""
    if subject.working is None or subject.changed or subject.reading.action not in ("list", "search"):
        return
    calls = [subject.working, *(call for _, call in sorted(subject.showed, key=lambda pair: -pair[0])[:1])]
    for parameter in parameters_of(subject.schema):
        said = str(parameter.schema.get("description") or "")
        flag = types_of(parameter.schema) and not types_of(parameter.schema) - _KINDS
        if not flag or not _ADDS.search(said) or re.search(r"\bonly\b|\bexclud|\binstead\b", said, re.IGNORECASE):
            continue
        for call in calls:
            pair = [
                put(without_paging(parameters_of(subject.schema), call), parameter.path, on) for on in (False, True)
            ]
            if not all(subject.validator.is_valid(one) for one in pair):
                continue
            off, on = (_ids(bench.probe(subject, one)) for one in pair)
            # A page may be cut: then some rows go, not all of them, and the page is as full as before.
            gone = off - on if len(on) < len(off) or not off & on else set()
            note = f"{parameter.last} adds something by its words, and takes rows away" if gone else ""
            expected = "the same rows, or more of them"
            if off:
                yield make_check(subject, f"adds:{parameter.name}", not gone, pair[1], expected, sorted(gone)[:4], note)
                break


def _ids(outcome: Outcome) -> set[str]:
    """The ids of the rows of an answer, as text; none where it is refused."""
    rows = rows_in(outcome.observation["data"]) if outcome.success else []
    return {str(row["id"]) for row in rows if row.get("id") is not None}
