"""That siblings speak of the same records: ids that one shows work in another, and what is made is shown by both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from services_app.specs.vocabulary import id_target
from services_app.verification.bench import Bench
from services_app.verification.checks import make_check
from services_app.verification.parameters import parameters_of, part_of, without_paging
from services_app.verification.report import Check
from services_app.verification.results import holds, opened, rows_in
from services_app.verification.siblings import writing_calls
from services_app.verification.subject import Subject

Json = Any
_TAKES = frozenset(("get", "update", "delete", "status"))
_NOT_FOUND = 404
_LARGE = 100
_EVERY = frozenset(("", "-", "*", "all", "any"))
_AT_MOST = re.compile(
    r"\b(?:returns?|shows?|lists?|fetch(?:es)?|gets?)\b[^.;\n]{0,40}?\b"
    r"(?:up to|at most|the (?:last|latest|top|first)|a maximum of)"
    r" (\d{1,3}) [^.;\n]{0,40}?\bby default\b|\bdefaults? to (?:the )?(?:last|latest|top|first) (\d{1,3})\b",
    re.IGNORECASE,
)


def siblings_agree(bench: Bench, subject: Subject) -> Iterator[Check]:
    """The checks of one tool against what others about the same thing show."""
    yield from takes_listed_ids(bench, subject)
    yield from created_shows(bench, subject)
    yield from shows_no_more(bench, subject)


def takes_listed_ids(bench: Bench, subject: Subject) -> Iterator[Check]:
    """An id that the list of such things shows is no unknown one to the tool that takes one of them."""
    required = list(subject.schema.get("required") or ())
    own = [name for name in required if id_target(name, subject.reading.noun) == subject.reading.noun]
    if subject.working is None or subject.reading.action not in _TAKES or len(own) != 1:
        return
    for lister in _listing(bench, subject):
        row = next((row for row in rows_in((lister.observation or {}).get("data")) if row.get("id") is not None), None)
        places = [name for name in required if name != own[0] and name not in (lister.working or {})]
        if row is None or own[0] in (lister.working or {}) or any(id_target(name, "") for name in places):
            continue
        shared = {name: value for name, value in (lister.working or {}).items() if name in subject.working}
        filters = set(lister.schema.get("properties") or {}) - set(lister.working or {}) - set(required)
        kept = {name: value for name, value in subject.working.items() if name not in filters}
        arguments = {**kept, **shared, own[0]: row["id"]}
        if not subject.validator.is_valid(arguments):
            continue
        outcome = bench.probe(subject, arguments, bench.origin(lister))
        error = {} if outcome.success else outcome.observation["error"]
        known = error.get("code") != _NOT_FOUND or str(row["id"]) not in error["message"]
        note = "" if known else f"{lister.info.name} shows the id {row['id']!r}, and it is refused as unknown"
        yield make_check(subject, f"listed_id:{own[0]}", known, arguments, "a record that is listed", None, note)
        return


def _listing(bench: Bench, subject: Subject) -> list[Subject]:
    """Tools that work, list such things and write nothing."""
    return [
        other
        for other in bench.subjects.values()
        if other.working is not None and not other.changed and other.observation is not None
        if other.reading.action in ("list", "search") and other.reading.noun == subject.reading.noun
    ]


def created_shows(bench: Bench, subject: Subject) -> Iterator[Check]:
    """What is made stands in the list of such things, asked with what it was made with, and can be got by its id."""
    if subject.working is None or subject.reading.action != "create" or subject.reading.plural:
        return
    call = next(writing_calls(bench, subject), None)
    made = [change for change in bench.probe(subject, call).changes if change.get("before") is None] if call else []
    own = [change for change in made if bench.noun_of(str(change["table"])) == subject.reading.noun]
    if call is None or len(own) != 1:
        return
    after = bench.fork(subject)
    bench.call(after, subject.info.name, call)
    for reader in bench.subjects.values():
        question = _question(reader, subject, call, own[0]["id"])
        if question is None:
            continue
        answer = bench.call(after, reader.info.name, question)
        refused = not answer["success"] and (reader.reading.action == "list" or answer["error"]["code"] != _NOT_FOUND)
        if refused or _has_more(answer) or (answer["success"] and holds(answer["data"], own[0]["id"])):
            continue
        note = f"{reader.info.name} does not show what was made"
        yield make_check(subject, "created_shows", False, call, f"the new record in {reader.info.name}", question, note)
        break
    else:
        yield make_check(subject, "created_shows", True, call)
    after.close()


def _question(reader: Subject, maker: Subject, call: dict[str, Json], identity: str) -> dict[str, Json] | None:
    """The call of a tool that lists or gets such things which has to show the new one; None where none can be said."""
    if reader.working is None or reader.changed or reader.reading.noun != maker.reading.noun:
        return None
    required = list(reader.schema.get("required") or ())
    if reader.reading.action == "list" and reader.reading.plural and not _chooses_by_default(reader):
        known = {name: call.get(name) for name in required}
        sizes = [p.last for p in parameters_of(reader.schema) if len(p.path) == 1 and part_of(p, "") == "limit"]
        asked = {**known, sizes[0]: _LARGE} if sizes else known
        asked = asked if reader.validator.is_valid(asked) else known
    elif reader.reading.action == "get":
        own = [name for name in required if id_target(name, reader.reading.noun) == reader.reading.noun]
        if len(own) != 1:
            return None
        known = asked = {**{name: call.get(name) for name in required}, own[0]: identity}
    else:
        return None
    return asked if None not in known.values() and reader.validator.is_valid(asked) else None


def _chooses_by_default(reader: Subject) -> bool:
    """Whether a list shows only some rows unless it is told otherwise: the unread ones."""
    plain = [p.schema.get("default") for p in parameters_of(reader.schema) if part_of(p, "") == ""]
    return any(isinstance(value, str) and value.casefold() not in _EVERY for value in plain)


def _has_more(answer: Json) -> bool:
    """Whether an answer is only one page of what there is."""
    data = opened(answer.get("data"))
    total = data.get("total") if isinstance(data, dict) else None
    rows = rows_in(data) if answer["success"] else []
    return isinstance(total, int) and total > len(rows)


def shows_no_more(bench: Bench, subject: Subject) -> Iterator[Check]:
    """ "Returns up to 5 by default": a call that asks for no number gets no more rows."""
    said = _AT_MOST.search(subject.info.description)
    if said is None or subject.working is None or subject.changed or subject.reading.action not in ("list", "search"):
        return
    most = int(said[1] or said[2])
    arguments = without_paging(parameters_of(subject.schema), subject.working)
    if subject.validator.is_valid(arguments):
        outcome = bench.probe(subject, arguments)
        rows = rows_in(outcome.observation.get("data"))
        note = f"{len(rows)} rows where the description says {most}" if len(rows) > most else ""
        yield make_check(subject, "default_size", len(rows) <= most, arguments, f"at most {most} rows", len(rows), note)
