"""Reads formulas: addresses, the tree of a formula, and formulas whose addresses move. Nothing is worked out here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from services_app.engine import invalid

MAX_ROWS, MAX_COLUMNS = 400, 52
_DEEPEST = 30  # brackets and calls within each other
LOST = "#REF!"
_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"]|"")*")
    |(?P<lost>\#REF!)
    |(?P<ref>(?:(?:'[^'!]+'|[A-Za-z_][\w.]*)!)?\$?[A-Za-z]{1,2}\$?[1-9]\d{0,3}
        (?::\$?[A-Za-z]{1,2}\$?[1-9]\d{0,3})?)(?![\w(.!])
    |(?P<call>[A-Za-z][A-Za-z0-9.]*)\(
    |(?P<name>[A-Za-z_][\w.]*)
    |(?P<number>\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+)
    |(?P<sign><=|>=|<>|[-+*/^&%=<>(),;])
    |(?P<space>\s+)""",
    re.VERBOSE,
)
_CORNER = re.compile(r"(\$?)([A-Za-z]{1,2})(\$?)(\d+)")


class FormulaError(ValueError):
    """A formula that cannot be read."""


class Span(NamedTuple):
    """A block of cells, both ends included, counted from 1."""

    top: int
    left: int
    bottom: int
    right: int

    def text(self) -> str:
        start, end = f"{letters(self.left)}{self.top}", f"{letters(self.right)}{self.bottom}"
        return start if start == end else f"{start}:{end}"

    def meets(self, other: Span) -> bool:
        return (
            self.top <= other.bottom
            and other.top <= self.bottom
            and self.left <= other.right
            and other.left <= self.right
        )

    def rows(self) -> list[int]:
        return list(range(self.top, self.bottom + 1))

    def columns(self) -> list[int]:
        return list(range(self.left, self.right + 1))

    def places(self) -> Iterator[tuple[int, int]]:
        for row in self.rows():
            for column in self.columns():
                yield row, column


class Ref(NamedTuple):
    """An address in a formula. `sheet` is "" for the sheet of the formula; `fixed` tells which of top, left, bottom
    and right have a dollar sign."""

    sheet: str
    span: Span
    fixed: tuple[bool, bool, bool, bool]
    single: bool

    def text(self) -> str:
        marks = ["$" if fixed else "" for fixed in self.fixed]
        text = f"{marks[1]}{letters(self.span.left)}{marks[0]}{self.span.top}"
        if not self.single:
            text += f":{marks[3]}{letters(self.span.right)}{marks[2]}{self.span.bottom}"
        return f"{quoted(self.sheet)}!{text}" if self.sheet else text


def letters(column: int) -> str:
    """Letters of a column counted from 1: 28 is AB."""
    high, low = divmod(column - 1, 26)
    return (chr(64 + high) if high else "") + chr(65 + low)


def _number(text: str) -> int:
    value = 0
    for letter in text.upper():
        value = value * 26 + ord(letter) - 64
    return value


def quoted(title: str) -> str:
    """A sheet title as it stands in formulas."""
    return title if re.fullmatch(r"[A-Za-z_]\w*", title) else f"'{title}'"


def span_of(text: str) -> Span:
    """The block of an address such as B3 or B2:D9; 422 `outside_sheet` beyond the last row or column."""
    span = _ref(text).span
    if span.bottom > MAX_ROWS or span.right > MAX_COLUMNS:
        last = f"{letters(MAX_COLUMNS)}{MAX_ROWS}"
        raise invalid(f"{text} lies outside the sheet; its last cell is {last}.", type="outside_sheet")
    return span


@lru_cache(maxsize=4096)
def _ref(text: str) -> Ref:
    sheet, _, address = text.rpartition("!")
    corners = [(_number(m[2]), int(m[4]), m[1] == "$", m[3] == "$") for m in _CORNER.finditer(address)]
    (left, top, fixed_left, fixed_top), (right, bottom, fixed_right, fixed_bottom) = corners[0], corners[-1]
    if left > right:
        left, right, fixed_left, fixed_right = right, left, fixed_right, fixed_left
    if top > bottom:
        top, bottom, fixed_top, fixed_bottom = bottom, top, fixed_bottom, fixed_top
    fixed = (fixed_top, fixed_left, fixed_bottom, fixed_right)
    return Ref(sheet.strip("'"), Span(top, left, bottom, right), fixed, len(corners) == 1)


# The tree of a formula: tuples whose first part says what they are

Node = tuple[Any, ...]


@lru_cache(maxsize=8192)
def parse(formula: str) -> Node:
    """The tree of a formula that begins with `=`; raises FormulaError for anything else."""
    reader = _Reader(list(_tokens(formula[1:])))
    node = reader.comparison(0)
    if reader.at != len(reader.tokens):
        raise FormulaError(f"{reader.tokens[reader.at][1]!r} is not expected here")
    return node


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise FormulaError(f"{text[at : at + 12]!r} cannot be read")
        if match.lastgroup != "space":
            yield match.lastgroup, match[match.lastgroup]
        at = match.end()


class _Reader:
    """Recursive descent: comparison, &, + -, * /, ^, sign, percent, then single values."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens = tokens
        self.at = 0

    def take(self, *signs: str) -> str:
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        if kind == "sign" and text in signs:
            self.at += 1
            return text
        return ""

    def comparison(self, depth: int) -> Node:
        if depth > _DEEPEST:
            raise FormulaError(f"brackets go deeper than {_DEEPEST}")
        return self._chain(("=", "<>", "<=", ">=", "<", ">"), self.joined, depth)

    def joined(self, depth: int) -> Node:
        return self._chain(("&",), self.terms, depth)

    def terms(self, depth: int) -> Node:
        return self._chain(("+", "-"), self.factors, depth)

    def factors(self, depth: int) -> Node:
        return self._chain(("*", "/"), self.power, depth)

    def power(self, depth: int) -> Node:
        return self._chain(("^",), self.signed, depth)

    def _chain(self, signs: tuple[str, ...], part: Callable[[int], Node], depth: int) -> Node:
        node = part(depth)
        while sign := self.take(*signs):
            node = ("op", sign, node, part(depth))
        return node

    def signed(self, depth: int) -> Node:
        minus = False
        while sign := self.take("-", "+"):
            minus ^= sign == "-"
        node = self.value(depth)
        while self.take("%"):
            node = ("op", "/", node, ("value", 100.0))
        return ("op", "-", ("value", 0.0), node) if minus else node

    def value(self, depth: int) -> Node:
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        self.at += 1
        if kind == "number":
            return ("value", float(text))
        if kind == "string":
            return ("value", text[1:-1].replace('""', '"'))
        if kind == "ref":
            return ("ref", _ref(text))
        if kind == "lost":
            return ("lost",)
        if kind == "name":
            return ("value", text.upper() == "TRUE") if text.upper() in ("TRUE", "FALSE") else ("name", text)
        if kind == "call":
            return ("call", text.upper(), self.arguments(depth))
        if (kind, text) == ("sign", "("):
            node = self.comparison(depth + 1)
            self.close()
            return node
        raise FormulaError(f"{text!r} is not expected here" if text else "it ends too early")

    def arguments(self, depth: int) -> tuple[Node, ...]:
        found: list[Node] = []
        if self.take(")"):
            return ()
        while True:
            found.append(self.comparison(depth + 1))
            if not self.take(",", ";"):
                self.close()
                return tuple(found)

    def close(self) -> None:
        if not self.take(")"):
            raise FormulaError("a bracket is not closed")


def uses(node: Node) -> Iterator[Node]:
    """The addresses and names in a tree."""
    if node[0] in ("ref", "name"):
        yield node
    for part in node[1:]:
        if isinstance(part, tuple) and not isinstance(part, Ref):
            for inner in part if node[0] == "call" else (part,):
                yield from uses(inner)


# Formulas whose addresses change


def rewritten(formula: str, change: Callable[[Ref], Ref | None]) -> str:
    """The formula with each address changed; None makes it `#REF!`."""

    def replaced(match: re.Match[str]) -> str:
        if match.lastgroup != "ref":
            return match[0]
        new = change(_ref(match["ref"]))
        return LOST if new is None else new.text()

    return "=" + _TOKEN.sub(replaced, formula[1:])


def shifted(formula: str, rows: int, columns: int) -> str:
    """The formula as it reads when copied so many rows down and columns to the right; `$` keeps its place."""

    def change(ref: Ref) -> Ref | None:
        by = (rows, columns, rows, columns)
        moved = Span(*(end if held else end + add for end, held, add in zip(ref.span, ref.fixed, by, strict=True)))
        if moved.top < 1 or moved.left < 1 or moved.bottom > MAX_ROWS or moved.right > MAX_COLUMNS:
            return None
        return ref._replace(span=moved)

    return rewritten(formula, change)


def moved_span(span: Span, rows: bool, start: int, count: int) -> Span | None:
    """Where a block lies after `count` rows (or columns) are inserted at `start`; deleted for a negative count."""
    first, last = (span.top, span.bottom) if rows else (span.left, span.right)
    if count >= 0:
        first, last = (value + count if value >= start else value for value in (first, last))
    else:
        end = start - count - 1  # the last one deleted
        if start <= first and last <= end:
            return None
        first = first + count if first > end else min(first, start)
        last = last + count if last > end else min(last, start - 1)
    return span._replace(top=first, bottom=last) if rows else span._replace(left=first, right=last)
