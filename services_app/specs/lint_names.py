"""Remarks on names: tools that clash once exposed, and ids that do not match between siblings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from services_app.engine.naming import SEPARATOR, exposed_names
from services_app.specs.keywords import escape, places
from services_app.specs.model import Note, Notebook, Specification, ToolSpec
from services_app.specs.vocabulary import READS, id_target, read_name, shared_prefix, singular, types_of, words_of

_WRITES = frozenset({"create", "update", "delete"})
_ID_TYPES = frozenset({"string", "integer", "number"})


class _Use(NamedTuple):
    """One id parameter of one tool."""

    tool: str
    parameter: str
    entity: str


def check_case(tool: ToolSpec, book: Notebook) -> None:
    """Parameters that differ only in upper and lower case."""
    groups = defaultdict(list)
    for name in tool.properties:
        groups[name.casefold()].append(name)
    for names in groups.values():
        if len(names) > 1:
            pointer = f"/inputSchema/properties/{escape(names[1])}"
            book.warning(
                pointer, "names:case", f"The parameters {' and '.join(names)} differ only in case; all are kept."
            )


def check_annotations(spec: Specification) -> Iterator[Note]:
    """Tools whose name says that they write and whose annotation says that they only read, or the reverse."""
    prefix = shared_prefix(tool.name for tool in spec.tools)
    for tool in spec.tools:
        action = read_name(tool.name, prefix, tool.description).action
        hint, destroys = tool.annotations.get("readOnlyHint"), tool.annotations.get("destructiveHint")
        text = ""
        if action in _WRITES and hint is True:
            text = f"The name says “{action}”, the annotation says that the tool only reads."
        elif action in READS and destroys is True and hint is not True:
            text = f"The name says “{action}”, the annotation says that the tool destroys something."
        if text:
            yield _note(tool.name, "annotations:contradiction", text, "/annotations")


def check_collisions(spec: Specification) -> Iterator[Note]:
    """Tools whose exposed name needed a mark, because plain forms clash or are too long for model providers."""
    exposed = exposed_names(spec.slug, (tool.name for tool in spec.tools))
    for name, full in exposed.items():
        plain = f"{spec.slug}{SEPARATOR}{name}"
        if full != plain:
            book = Notebook(name)
            book.info("/name", "names:exposed", f"Agents see this tool as “{full}”, since “{plain}” cannot be used.")
            yield from book.notes
    for names in _clashing(spec):
        book = Notebook(names[0])
        book.warning(
            "/name",
            "names:collision",
            f"The names {', '.join(map(repr, names))} differ only in characters that cannot be used.",
        )
        yield from book.notes


def _clashing(spec: Specification) -> list[list[str]]:
    groups = defaultdict(list)
    for tool in spec.tools:
        words = "_".join(words_of(tool.name))
        if words:
            groups[words].append(tool.name)
    return [names for names in groups.values() if len(names) > 1]


def check_id_spelling(spec: Specification) -> Iterator[Note]:
    """One id under several spellings: `user_id` here, `userId` there."""
    spellings: dict[str, list[str]] = defaultdict(list)
    for use in _uses(spec):
        key = "_".join(words_of(use.parameter))
        if use.parameter not in spellings[key]:
            spellings[key].append(use.parameter)
    for key, names in spellings.items():
        if len(names) > 1:
            yield _note(None, "ids:spelling", f"One id is spelled {' and '.join(names)} by different tools ({key}).")


def check_id_types(spec: Specification) -> Iterator[Note]:
    """One id that is text in one tool and a number in another."""
    kinds: dict[str, dict[str, str]] = defaultdict(dict)
    for tool in spec.tools:
        for name, schema in tool.properties.items():
            found = types_of(schema) & _ID_TYPES if isinstance(schema, dict) else set()
            if len(found) == 1 and id_target(name, "") is not None and words_of(name) != ["id"]:
                kinds[name].setdefault("number" if found & {"integer", "number"} else "string", tool.name)
    for name, users in kinds.items():
        if len(users) > 1:
            text = f"“{name}” is text in {users['string']} and a number in {users['number']}."
            yield _note(users["number"], "ids:type", text, f"/inputSchema/properties/{escape(name)}")


def check_id_sources(spec: Specification) -> Iterator[Note]:
    """Required ids that no sibling gives: no tool lists, finds, reads or makes such a thing."""
    prefix = shared_prefix(tool.name for tool in spec.tools)
    known = _named_entities(spec, prefix)
    users: dict[str, list[_Use]] = defaultdict(list)
    for use in _uses(spec, prefix):
        if use.entity and use.parameter in spec.tool(use.tool).required and not _is_known(use.entity, known):
            users[use.entity].append(use)
    for entity, uses in users.items():
        first = uses[0]
        more = f" and {len(uses) - 1} more" if len(uses) > 1 else ""
        text = (
            f"“{first.parameter}” is required here{more}, but no sibling gives the id of a {entity.replace('_', ' ')}."
        )
        yield _note(first.tool, "ids:no-source", text, f"/inputSchema/properties/{escape(first.parameter)}")


def _is_known(entity: str, known: set[str]) -> bool:
    return entity in known or entity.rpartition("_")[2] in known or any(word.endswith(f"_{entity}") for word in known)


def _named_entities(spec: Specification, prefix: str) -> set[str]:
    """Nouns of tools that return something, and everything that results are said to hold."""
    known = {prefix} if prefix else set()
    for tool in spec.tools:
        reading = read_name(tool.name, prefix)
        needs_own_id = any(id_target(name, reading.noun) == reading.noun for name in tool.required)
        if reading.noun and (reading.action in ("list", "search", "create") or not needs_own_id):
            known.add(reading.noun)
        for _, schema in places(tool.output_schema or {}):
            if isinstance(schema, dict):
                for name in schema.get("properties", ()):
                    target = id_target(name, reading.noun)
                    known.add(target or "_".join(map(singular, words_of(name))))
    return known


def _uses(spec: Specification, prefix: str = "") -> Iterator[_Use]:
    for tool in spec.tools:
        noun = read_name(tool.name, prefix).noun
        for name in tool.properties:
            entity = id_target(name, noun)
            if entity is not None:
                yield _Use(tool.name, name, entity)


def _note(tool: str | None, code: str, message: str, pointer: str = "") -> Note:
    return Note(tool=tool, pointer=pointer, code=code, severity="warning", message=message)
