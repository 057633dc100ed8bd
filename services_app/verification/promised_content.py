"""That an answer holds what the description of its tool promises: of each list half or more, and something at all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from services_app.specs.vocabulary import READS, words_of
from services_app.verification.answers import answers_of
from services_app.verification.bench import Bench
from services_app.verification.checks import make_check
from services_app.verification.parameters import key_of, parameters_of
from services_app.verification.promised_words import VAGUE, promised_lists, returned_lists, stem, stems_of
from services_app.verification.report import Check
from services_app.verification.results import opened
from services_app.verification.subject import Subject

Json = Any
_LABEL = re.compile(r"([\w][\w \-/()]{1,40}?)\**\s*[:|=]")
_RESOLVES = re.compile(
    r"\b(?:resolv|convert|translat|look(?:s|ing)? ?up|check|verif|validat|exist|count|whether|"
    r"ids?\b.{0,20}\b(?:of|for|by))",
    re.IGNORECASE,
)
# Around a record, and of every record: no answer consists of it.
_BARE = frozenset(
    (
        "id created_at updated_at success ok total count total_count has_more limit page per_page offset next_cursor "
        "next_page_token cursor next_page total_pages created updated"
    ).split()
)
# What a record is asked for by, and consists of.
_CONTENT = frozenset("title name text content body value price description message url status state path".split())
_NAMED = frozenset(
    (
        "totals total count counts balance balances price prices token quota key password secret rate rates fee fees "
        "url link score address size"
    ).split()
)
_TEXT = 40  # a longer text may be a report: its labels say what it holds
_ALIKE = tuple(
    frozenset(stem(word) for word in words.split())
    for words in (
        "price cost fee rate amount value quote close last",
        "date time timestamp at created updated published day when",
        "url link href uri website permalink homepage web download html", "author owner creator user by login writer",
        "description body content text summary abstract comment note message caption snippet excerpt definition bio",
        "id identifier number code key reference no slug symbol", "title name label subject headline display",
        "location address city country place region area venue coordinate latitude longitude lat lon lng street",
        "image photo picture thumbnail avatar logo icon media", "score rating rank stars grade",
        "status state phase condition stage active enabled", "type kind category class genre",
        "size bytes length duration", "contact email phone mail", "member user person people participant",
        "count number total quantity volume amount num", "permission role access scope policy capability",
        "version revision release", "usage used use", "percentage percent pct ratio share", "sender from author",
        "recipient to receiver", "file attachment document path", "parent folder directory", "tag label topic keyword",
        "credential secret token key", "limit quota maximum max", "error problem issue failure reason",
        "expiry expiration expires until", "schedule cron interval frequency", "start begin from since", "end until",
        "statistic stats count total metric", "stock quantity inventory available availability", "config option",
        "transaction trade payment", "company business organization firm issuer", "hour time opening", "reply response",
        "temperature temp", "wind speed", "dimension width height", "engagement like comment share view",
        "dependency requirement require", "language lang locale", "parent child relation relationship",
    )
)  # fmt: skip


def keeps_content(bench: Bench, subject: Subject) -> Iterator[Check]:
    """Of each list of things that the description promises, half or more stand in some answer."""
    if subject.working is None:
        return
    reads = subject.reading.action in READS and not subject.changed
    lists = list((promised_lists if reads else returned_lists)(subject.info.description))
    answers = answers_of(bench, subject) if lists else []
    shown, text = stems_shown(answers), json.dumps(answers, ensure_ascii=False).casefold()
    for items in lists:
        missed = [said for said, stems in items if not is_shown(stems, shown) and said.casefold() not in text]
        short = 2 * len(missed) > len(items) or len(missed) == len(items)
        expected = f"an answer that holds {', '.join(said for said, _ in items)}"
        note = f"the description promises {', '.join(missed)}, and no answer holds it" if short else ""
        yield make_check(subject, "promised_content", not short, None, expected, sorted(shown)[:40], note)


def says_something(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A read shows more of a record than its id and what may be asked for by a parameter."""
    if subject.working is None or subject.changed or subject.reading.action not in ("get", "list", "search"):
        return
    if _RESOLVES.search(subject.info.description.partition(".")[0]):
        return
    shown = {key for data in answers_of(bench, subject) for key in _plain_keys(opened(data))}
    asked = {parameter.key for parameter in parameters_of(subject.schema)} - _CONTENT
    hollow = bool(shown) and shown <= asked | _BARE
    expected = "an answer that holds more than an id and the parameters"
    note = f"the answers hold nothing but {', '.join(sorted(shown))}" if hollow else ""
    yield make_check(subject, "says_something", not hollow, None, expected, sorted(shown), note)


def shows_its_name(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A read whose name ends with a quantity or a key, such as `get_account_balance`, has a field for it."""
    if subject.working is None or subject.changed or subject.reading.action != "get":
        return
    words = [word for word in words_of(subject.info.name) if word not in ("tool", "api")]
    if len(words) < 2 or words[-1] not in _NAMED:
        return
    shown = stems_shown(answers_of(bench, subject))
    wanted = stems_of(words[-1]) | stems_of(words[-2]) - stems_of(subject.reading.verb)
    kept = bool(stems_of(words[-1]) & shown) or is_shown(wanted, shown)
    note = "" if kept else f"the name speaks of a {words[-1]}, and no answer holds one"
    yield make_check(subject, "shows_its_name", kept, None, f"a field for {words[-1]}", sorted(shown)[:40], note)


def _plain_keys(data: Json) -> Iterator[str]:
    """Keys of plain values, and "" for a plain value in a list or alone."""
    if isinstance(data, dict):
        for name, part in data.items():
            yield from _plain_keys(part) if isinstance(part, dict | list) else (key_of(str(name)),)
    elif isinstance(data, list):
        for part in data:
            yield from _plain_keys(part)
    else:
        yield ""


def stems_shown(answers: list[Json]) -> frozenset[str]:
    """The stems of all keys of some answers, and of the labels in their longer texts."""
    found: set[str] = set()
    for data in answers:
        for word in _words(opened(data)):
            found |= stems_of(word)
    return frozenset(found)


def _words(data: Json) -> Iterator[str]:
    if isinstance(data, dict):
        for name, part in data.items():
            if part is not None:
                yield str(name)
                yield from _words(part)
    elif isinstance(data, list):
        for part in data:
            yield from _words(part)
    elif isinstance(data, str) and len(data) > _TEXT:
        yield from _LABEL.findall(data)


def is_shown(stems: frozenset[str], shown: frozenset[str]) -> bool:
    """Whether one of the words that mean something stands in an answer, or one that is used for the same."""
    telling = stems - VAGUE
    if telling & shown:
        return True
    near = {other for group in _ALIKE if group & telling for other in group}
    return bool(near & shown)
