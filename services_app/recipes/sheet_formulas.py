"""Working out the simple formulas of a sheet; all others are kept and shown as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from services_app.engine.errors import ToolError, invalid
from services_app.recipes.sheet import Cell, Span, Value, span_of

_FUNCTIONS = ("SUM", "AVERAGE", "COUNT", "MIN", "MAX", "PRODUCT")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<call>[A-Za-z]+)\(|(?P<range>\$?[A-Za-z]{1,3}\$?\d+:\$?[A-Za-z]{1,3}\$?\d+)"
    r"|(?P<cell>\$?[A-Za-z]{1,3}\$?\d+)|(?P<sign>[-+*/^(),]))"
)


class FormulaError(ValueError):
    """A formula that cannot be read, or that is not among the simple ones."""


class _Work(NamedTuple):
    """Cells worked out so far, and those being worked out."""

    known: dict[tuple[int, int], Value]
    busy: set[tuple[int, int]]


class _Sum:
    """Works one formula out: numbers, cells, ranges, + - * / ^, brackets and the functions of `_FUNCTIONS`."""

    def __init__(self, text: str, cells: dict[tuple[int, int], Cell], work: _Work) -> None:
        self.tokens = list(_tokens(text))
        self.at = 0
        self.cells = cells
        self.work = work

    def value(self) -> float:
        result = float(self.terms())
        if self.at != len(self.tokens):
            raise FormulaError("something follows the formula's end")
        return result

    def take(self, *signs: str) -> str:
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        if kind == "sign" and text in signs:
            self.at += 1
            return text
        return ""

    def terms(self) -> float:
        result = self.factors()
        while sign := self.take("+", "-"):
            other = self.factors()
            result = result + other if sign == "+" else result - other
        return result

    def factors(self) -> float:
        result = self.power()
        while sign := self.take("*", "/"):
            other = self.power()
            if sign == "/" and other == 0:
                raise FormulaError("#DIV/0!")
            result = result * other if sign == "*" else result / other
        return result

    def power(self) -> float:
        base = self.atom()
        if not self.take("^"):
            return base
        exponent = self.power()
        if abs(exponent) > 64 or abs(base) > 1e6:
            raise FormulaError("#NUM!")
        result = base**exponent
        if isinstance(result, complex):
            raise FormulaError("#NUM!")
        return float(result)

    def atom(self) -> float:
        if self.take("-"):
            return -self.atom()
        if self.take("("):
            result = self.terms()
            self.close()
            return result
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        self.at += 1
        if kind == "number":
            return float(text)
        if kind == "cell":
            return sum(self.numbers(span_of(text.replace("$", ""))), 0.0)
        if kind == "call" and text.upper() in _FUNCTIONS:
            return self.function(text.upper())
        raise FormulaError(f"{text or 'the end'} is not among the simple formulas")

    def close(self) -> None:
        if not self.take(")"):
            raise FormulaError("a bracket is not closed")

    def function(self, name: str) -> float:
        values: list[float] = []
        while not self.take(")"):
            kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
            if kind == "range":
                self.at += 1
                values += self.numbers(span_of(text.replace("$", "")))
            else:
                values.append(self.terms())
            if not self.take(","):
                self.close()
                break
        return _combined(name, values)

    def numbers(self, span: Span) -> list[float]:
        found = []
        for (row, column), cell in sorted(self.cells.items()):
            if span.holds(row, column):
                value = worked_out(cell, self.cells, self.work)
                if isinstance(value, int | float) and not isinstance(value, bool):
                    found.append(float(value))
        return found


def _combined(name: str, values: list[float]) -> float:
    if name == "COUNT":
        return float(len(values))
    if name == "SUM" or not values:
        if name == "AVERAGE":
            raise FormulaError("#DIV/0!")
        return sum(values, 0.0)
    if name == "PRODUCT":
        result = 1.0
        for value in values:
            result *= value
        return result
    return {"AVERAGE": sum(values) / len(values), "MIN": min(values), "MAX": max(values)}[name]


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise FormulaError(f"{text[at : at + 12]!r} cannot be read")
        yield match.lastgroup, match[match.lastgroup]
        at = match.end()


def worked_out(cell: Cell, cells: dict[tuple[int, int], Cell], work: _Work | None = None) -> Value:
    """What a cell shows: its value, the result of a simple formula, else the formula as it stands."""
    if not isinstance(cell.value, str) or not cell.value.startswith("=") or len(cell.value) < 2:
        return cell.value
    work = work or _Work({}, set())
    at = (cell.row, cell.column)
    if at in work.known:
        return work.known[at]
    if at in work.busy or len(work.busy) > 60:  # a formula that needs itself
        return "#REF!"
    work.busy.add(at)
    work.known[at] = _result(cell.value, cells, work)
    work.busy.discard(at)
    return work.known[at]


def _result(formula: str, cells: dict[tuple[int, int], Cell], work: _Work) -> Value:
    try:
        result = _Sum(formula[1:], cells, work).value()
    except FormulaError as error:
        return str(error) if str(error).startswith("#") else formula
    except ToolError:
        return "#REF!"
    return int(result) if result.is_integer() else round(result, 10)


def check_formula(text: object) -> str:
    """The formula with its `=`; 422 when its brackets or quotes are not closed."""
    formula = str(text).strip()
    formula = formula if formula.startswith("=") else f"={formula}"
    depth = 0
    for sign in re.sub(r'"[^"]*"', "", formula):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth < 0:
            break
    if depth or formula == "=" or formula.count('"') % 2 or re.search(r"[-+*/^,(]$", formula):
        raise invalid(f"{text!r} is no complete formula; close its brackets and quotes.", type="invalid_formula")
    return formula
