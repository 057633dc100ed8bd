"""What descriptions promise of writes: where they are seen, what they leave alone, which ids have to exist."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from services_app.specs.vocabulary import READS, WRITES, id_target, singular, types_of
from services_app.verification.bench import Bench
from services_app.verification.checks import UNKNOWN_ID, make_check
from services_app.verification.parameters import Parameter, key_of, parameters_of, put
from services_app.verification.report import Check
from services_app.verification.results import scalars_in
from services_app.verification.siblings import first_to_see, readers_of, writing_calls
from services_app.verification.subject import Subject

Json = Any
_MANY = 5  # so many rows of a table do not all belong to one record
_ADDED_TO = re.compile(
    r"\b(?:add|append|attach|insert)s?\b[^.]{0,40}?\b(?:to|on)\s+(?:the|an?|this|your)\s+"
    r"(?:current |existing |specified |given |active )?([a-z]+)",
    re.IGNORECASE,
)
_WRAPPER = re.compile(r"(?:^|_)(?:updates|changes|patch|update)$|_(?:data|fields|attributes|updates|changes)$")
_IDENTIFIES = re.compile(
    r"^\W*(?:the |a )?(?:unique |numeric |internal |exact )*(?:identifier|id)s?(?: number)? (?:of|for) "
    r"(?:the |an? |your )?([a-z]+)(?: ([a-z]+))?",
    re.IGNORECASE,
)


def writes_keep_promises(bench: Bench, subject: Subject) -> Iterator[Check]:
    """The checks of a tool that writes, over one call that changes something."""
    if subject.working is None or subject.reading.action not in WRITES:
        return
    calls = list(itertools.islice(writing_calls(bench, subject), 1))
    if calls:
        yield from _seen_where_said(bench, subject, calls[0])
        yield from _opens_wrappers(bench, subject, calls[0])
        yield from _removes_no_strays(bench, subject, calls[0])
    yield from _knows_described_ids(bench, subject)


def _seen_where_said(bench: Bench, subject: Subject, call: dict[str, Json]) -> Iterator[Check]:
    """What is added "to the task" is seen by what gets the task, where no tool reads the added thing itself."""
    said = _ADDED_TO.search(subject.info.description.partition(".")[0])
    if said is None or subject.reading.action != "create":
        return
    last, whole = subject.reading.noun.rsplit("_", 1)[-1], singular(said[1].lower())
    readers = [reader for reader in readers_of(bench, subject) if reader.reading.action in READS]
    if any(last in reader.reading.noun.split("_") for reader in readers):
        return
    told = {id_target(parameter.last, "") for parameter in parameters_of(subject.schema)}
    places = [reader for reader in readers if whole in reader.reading.noun.split("_") and whole not in told]
    if places:
        seen = first_to_see(bench, subject, call, places) is not None
        names = ", ".join(reader.info.name for reader in places[:4])
        note = "" if seen else f"it adds to the {whole} by its description, and {names} shows nothing of it"
        yield make_check(subject, "seen_where_said", seen, call, f"another answer of {names}", "the same answer", note)


def _opens_wrappers(bench: Bench, subject: Subject, call: dict[str, Json]) -> Iterator[Check]:
    """An object with the changes of a record is no field of the record: what is in it is."""
    if subject.reading.action != "update":
        return
    changes = bench.probe(subject, call).changes
    kept = {key_of(name) for change in changes for name in change.get("after") or {}}
    for parameter in parameters_of(subject.schema):
        plain = types_of(parameter.schema) - {"null"} == {"object"} and not parameter.schema.get("properties")
        if plain and _WRAPPER.search(parameter.key):
            stored = parameter.key in kept
            note = f"{parameter.last} holds the changes, and is kept as one of the fields" if stored else ""
            expected = f"no field {parameter.last}"
            yield make_check(subject, f"wrapper:{parameter.name}", not stored, call, expected, sorted(kept)[:40], note)


def _removes_no_strays(bench: Bench, subject: Subject, call: dict[str, Json]) -> Iterator[Check]:
    """A deletion removes what is named and what belongs to it, not what merely points at it under another name."""
    if subject.reading.action != "delete":
        return
    gone = [change for change in bench.probe(subject, call).changes if change.get("after") is None]
    sent = set(scalars_in(call))
    named = next((change for change in gone if str(change["id"]) in sent), None)
    if named is None:
        return
    own, identity = bench.noun_of(str(named["table"])), named["id"]
    others = [change for change in gone if change["table"] != named["table"]]
    strays = {str(change["table"]) for change in others if not _belongs(change["before"] or {}, identity, own)}
    lost = Counter(str(change["table"]) for change in others)
    emptied = {name for name, number in lost.items() if number >= _MANY and number == len(bench.tables.get(name, ()))}
    tables = sorted(strays | emptied)
    note = f"deleting a {own} removes records of {', '.join(tables)}" if tables else ""
    yield make_check(subject, "strays", not tables, call, "what is named is gone, and its parts", tables, note)


def _belongs(row: dict[str, Json], identity: Json, noun: str) -> bool:
    """Whether a removed row named the deleted record by what it is; also when it did not name it itself."""
    keys = [name for name, value in row.items() if name != "id" and value == identity]
    if not keys:
        return True  # a part of a part
    words = set(noun.split("_")) | {"parent"}
    return any(set((id_target(name, "") or key_of(name)).split("_")) & words for name in keys)


def _knows_described_ids(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A required parameter that is the identifier of a thing, by its words, is refused when there is no such thing."""
    assert subject.working is not None
    nouns = {other.reading.noun for other in bench.subjects.values() if other.reading.action in ("get", "create")}
    for parameter in parameters_of(subject.schema):
        if not parameter.required or not _names_other(parameter, subject, nouns):
            continue
        unknown = next((UNKNOWN_ID[kind] for kind in UNKNOWN_ID if kind in types_of(parameter.schema)), None)
        arguments = put(subject.working, parameter.path, unknown)
        if unknown is not None and subject.validator.is_valid(arguments):
            outcome = bench.probe(subject, arguments)
            refused = not outcome.success
            note = "" if refused else f"{parameter.last} names something that does not exist, and is accepted"
            yield make_check(
                subject, f"described_id:{parameter.name}", refused, arguments, "an error such as 404", None, note
            )


def _names_other(parameter: Parameter, subject: Subject, nouns: set[str]) -> bool:
    said = _IDENTIFIES.search(str(parameter.schema.get("description") or ""))
    if said is None:
        return False
    words = [singular(word.lower()) for word in said.groups() if word]
    noun = next((name for name in ("_".join(words), *words) if name in nouns), "")
    return bool(noun) and not (noun == subject.reading.noun and subject.reading.action == "create")
