"""Whether a phrase book fits its service: each name in it is one of a table, a column, a read or a write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tasks_app.authors.access import Payload, Reach, payloads_of
from tasks_app.authors.meanings import kinds_of
from tasks_app.authors.phrasebook import SLOT, Act, Both, Fact, PhraseBook, RecordWords
from tasks_app.engine.areas import AREAS
from tasks_app.engine.profile import ToolProfile


def faults(book: PhraseBook, reach: Reach, keys: frozenset[str]) -> list[str]:
    """What in a book does not fit its service; empty when all does. `keys`: columns by which records can be found."""
    found = [] if book.area in AREAS else [f"area {book.area!r} is none of {', '.join(AREAS)}"]
    found += [line for table, words in book.records.items() for line in _record_faults(book, table, words, reach, keys)]
    found += [line for fact in book.facts for line in _fact_faults(book, fact, reach)]
    return found + [line for act in book.acts for line in _act_faults(book, act, reach)]


def unknown_facts(books: Mapping[str, PhraseBook]) -> Iterator[str]:
    """Facts that acts of these books refer to and that none of the books knows, or that cannot go there."""
    kinds = {f"{slug}/{fact.name}": kinds_of(fact.meaning) for slug, book in books.items() for fact in book.facts}
    for slug, book in books.items():
        for act in book.acts:
            for source in act.sources:
                parameter, facts = source.into, source.facts
                where = f"{slug}: act {act.tool} ({act.say[0]!r}): from {parameter}"
                taken = {kind for one in act.takes.get(parameter, ()) for kind in kinds_of(one)}
                if parameter not in act.open:
                    yield f"{where}: no parameter that takes facts, and no text that tells"
                yield from (f"{where}: there is no fact {one}" for one in facts if one not in kinds)
                if parameter != act.tells:
                    odd = [one for one in facts if one in kinds and not kinds[one] & taken]
                    yield from (f"{where}: {one} is of another kind" for one in odd)
                own = [one for one in facts if one.startswith(f"{slug}/")]
                yield from (f"{where}: {one} is a fact of its own service" for one in own)


def _pairs(where: str, words: Both | None, slots: frozenset[str]) -> Iterator[str]:
    for text in words or ():
        if sorted(SLOT.findall(text)) != sorted(slots):
            yield f"{where}: {text!r} has the slots {sorted(SLOT.findall(text))}, not {sorted(slots)}"


def _record_faults(
    book: PhraseBook, table: str, words: RecordWords, reach: Reach, keys: frozenset[str]
) -> Iterator[str]:
    where = f"records.{table}"
    if not reach.table_columns(table):
        yield f"{where}: no such table"
        return
    yield from (f"{where}: no record is found by {key}" for key in words.keys if f"{table}.{key}" not in keys)
    slots = frozenset(SLOT.findall((words.called or ("{}",))[0]))
    yield from _pairs(where, words.called, slots)
    if not slots <= {"", "whole"}:
        yield f"{where}: only {{}} and {{whole}} are known"
    columns = [reach.columns[f"{table}.{key}"] for key in words.keys if f"{table}.{key}" in reach.columns]
    named = [column.field for column in columns if column.kind in ("title", "product", "label")]
    yield from (f"{where}: {text!r}: only {{topic}} and {{company}} are known" for text in _unfilled(words.names))
    if named and len(words.names) < 6:
        yield f"{where}: give at least 6 names, records are named by {named[0]}"
    if words.news:
        column = reach.columns.get(words.news if "." in words.news else f"{table}.{words.news}")
        if column is None or column.kind != "text":
            yield f"{where}: news {words.news} is no text"
        if words.news_called is None:
            yield f"{where}: news_called is missing"
    yield from _pairs(f"{where}.news_called", words.news_called, frozenset({""}))


def _fact_faults(book: PhraseBook, fact: Fact, reach: Reach) -> Iterator[str]:
    where = f"fact {fact.called[0]!r}"
    if fact.of not in book.records:
        yield f"{where}: records.{fact.of} is missing"
        return
    for called in (fact.called, *fact.also, fact.least):
        yield from _pairs(where, called, frozenset({""}))
    kinds = kinds_of(fact.meaning)
    if not kinds:
        yield f"{where}: the class {fact.meaning!r} is unknown"
    if fact.figure:
        tool, _, path = fact.figure.partition(" ")
        if not any(t.tool == tool and figure.path == path for t, _, _, figure in reach.figures(fact.of)):
            yield f"{where}: {fact.figure} is no figure about {fact.of}"
        return
    table = fact.among or fact.of
    column = reach.columns.get(f"{table}.{fact.show}")
    shown = {key for tool in reach.readers for key in tool.returns}
    if column is None or column.key not in shown:
        yield f"{where}: no read shows {table}.{fact.show}"
        return
    if kinds and column.kind not in kinds:
        yield f"{where}: {column.key} is of kind {column.kind}, the class {fact.meaning!r} of {sorted(kinds)}"
    if column.key in reach.system_columns():
        yield f"{where}: {column.key} is filled by the service itself and cannot be planted"
    if fact.among and fact.among not in [child for child, _ in reach.children(fact.of)]:
        yield f"{where}: {fact.among} is no child table of {fact.of}"
    if fact.by and f"{table}.{fact.by}" not in reach.columns:
        yield f"{where}: no column {table}.{fact.by}"


def _act_faults(book: PhraseBook, act: Act, reach: Reach) -> Iterator[str]:
    where = f"act {act.tool} ({act.say[0]!r})"
    tool = next((writer for writer in reach.writers if writer.tool == act.tool), None)
    if tool is None:
        yield f"{where}: no such write that stories can use"
        return
    for words in (act.say, *act.also, *act.told):
        yield from _pairs(where, words, act.slots)
    ended = [text for both in act.told for text in both if text[-1] in ".。"]
    yield from (f"{where}: {text!r}: leave the full stop at the end away" for text in ended)
    yield from (f"{where}: {name} is no parameter" for name in act.slots if name not in tool.parameters)
    payloads = {payload.name: payload for payload in payloads_of(reach, tool)}
    for name, detail in tool.parameters.items():
        if detail.required and name not in act.slots and name not in act.says:
            yield f"{where}: {name} is required: speak of it, or give it a value in says"
        if detail.target and name in act.slots and detail.target.partition(".")[0] not in book.records:
            yield f"{where}: records.{detail.target.partition('.')[0]} is missing"
        text = name in payloads and payloads[name].kind in ("text", "label") and not payloads[name].choices
        if name in act.slots and text and name not in (act.tells, *act.says, *act.takes):
            yield f"{where}: {name} is free: let it tell a fact (tells), or give values in says"
    if act.tells and (act.tells not in act.slots or act.tells not in payloads or payloads[act.tells].kind != "text"):
        yield f"{where}: tells {act.tells}: no text that the words speak of"
    yield from (f"{where}: fits {one!r}: no such class" for one in act.fits if not kinds_of(one))
    if act.single and (act.single not in act.slots or len(act.says.get(act.single, ())) < 2):
        yield f"{where}: single {act.single}: give it at least two values in says, and speak of it"
    for name, classes in act.takes.items():
        if name not in act.slots or name not in payloads:
            yield f"{where}: takes {name}: no value that the words speak of"
            continue
        if payloads[name].detail.closed:
            yield f"{where}: takes {name}: only what exists is accepted there"
        kind = payloads[name].kind
        yield from (
            f"{where}: takes {name}: {one!r} is not of kind {kind}" for one in classes if kind not in kinds_of(one)
        )
    yield from _said_faults(act, where, tool, payloads)


def _said_faults(act: Act, where: str, tool: ToolProfile, payloads: Mapping[str, Payload]) -> Iterator[str]:
    for name, values in act.says.items():
        detail = tool.parameters.get(name)
        if detail is None or not values:
            yield f"{where}: says {name}: {'no parameter' if detail is None else 'no value'}"
            continue
        yield from (f"{where}: {text!r}: only {{topic}} and {{company}} are known" for text in _unfilled(values))
        choices = payloads[name].choices if name in payloads else detail.choices
        yield from (f"{where}: says {name}: {one!r} is no choice" for one in values if choices and one not in choices)
        text = name in payloads and payloads[name].kind == "text"
        if name not in act.slots and not text and len(values) > 1:
            yield f"{where}: says {name}: the words can stand for one value only"


def _unfilled(texts: Iterable[object]) -> Iterator[str]:
    """Templates that cannot be filled in."""
    for text in texts:
        try:
            str(text).format(topic="", company="")
        except (KeyError, ValueError, IndexError):
            yield str(text)
