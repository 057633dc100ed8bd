"""How a CEL expression that is being typed can go on: paths of the state models, macros, functions, choices."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tasks_app.engine.expressions import FUNCTIONS, MACROS, TEXT_METHODS, Names, Reader, Thing, roots, tokens_of


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One way to go on. `text` stands in the place of the `replaces` characters before the caret."""

    text: str
    label: str
    detail: str
    replaces: int


MOST = 50
_DETAIL = {
    "choice": "service", "record": "record", "list": "list", "text": "text", "whole": "whole number",
    "decimal": "number", "flag": "yes or no", "any": "value",
}  # fmt: skip


def complete(expression: str, caret: int, names: Names) -> list[Suggestion]:
    """How the path before the caret can go on: names that begin as typed first, then names that hold it."""
    head = expression[: max(0, caret)]
    typed = re.search(r"[A-Za-z_]\w*$", head)
    part = typed[0] if typed else ""
    before = tokens_of(head[: len(head) - len(part)])
    quote = next((place for place, one in enumerate(before) if one.text in ('"', "'")), None)
    reader = Reader(before if quote is None else before[:quote])
    reader.read(roots(names))
    if quote is not None:
        known = reader.compared.choices if reader.compared is not None else ()
        open_text = re.search(r"[\"']([^\"']*)$", head)
        part = open_text[1] if open_text else part
        options = [(choice, choice, "value") for choice in known]
    elif reader.hanging is not None:
        options = list(_after_dot(reader.hanging))
    else:
        options = list(_from_scratch(reader.scope or {}))
    return _fitting(options, part)


def _fitting(options: Iterable[tuple[str, str, str]], part: str) -> list[Suggestion]:
    wanted = part.casefold()
    held = [option for option in options if wanted in option[1].casefold() and option[0] != part]
    held.sort(key=lambda option: not option[1].casefold().startswith(wanted))
    return [Suggestion(text, label, detail, len(part)) for text, label, detail in held[:MOST]]


def _after_dot(thing: Thing) -> Iterator[tuple[str, str, str]]:
    if thing.members is not None:
        for name, member in thing.members().items():
            yield name, name, "table" if thing.kind == "choice" and member.kind == "list" else _DETAIL[member.kind]
    if thing.kind == "list":
        yield from ((f"{name}(r, ", f"{name}(r, ...)", "for its records") for name in MACROS)
        yield "size()", "size()", "whole number"
    if thing.kind == "text":
        yield from ((f"{name}(", label, _DETAIL[kind]) for name, (kind, label) in TEXT_METHODS.items())


def _from_scratch(scope: Mapping[str, Thing]) -> Iterator[tuple[str, str, str]]:
    for name, thing in reversed(list(scope.items())):  # the names that macros bind stand last, and are meant most often
        yield name, name, "state" if thing.kind == "choice" else _DETAIL[thing.kind]
    yield from ((f"{name}(", label, _DETAIL[kind]) for name, (kind, label) in FUNCTIONS.items())
