"""Query languages over records: JQL and CQL, OData filters, `field:value` searches, SELECT statements.

A query is read into a condition over named fields. Unknown fields and bad syntax are refused with 400.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from services_app.engine.state import Record, Table
from services_app.recipes.query_terms import bad, column, compare, moment_text, words_in

Row = Mapping[str, Any]
Test = Callable[[Row], bool]
R = TypeVar("R", bound=Record)
_LONGEST = 4000


@dataclass
class Query:
    """What a text asks for: a condition, and an order of (field, descending)."""

    test: Test
    order: list[tuple[str, bool]] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)
    source: str = ""
    start: int = 0
    limit: int | None = None


# --- reading a text ---

_TOKEN = re.compile(
    r"\s*(?:(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|''|\\.)*')|(<=|>=|!=|!~|<>|[=<>~(),])|([^\s\"'=<>~!(),]+))", re.DOTALL
)


@dataclass
class Reader:
    """A cursor over the tokens of a query: (kind, text), kind being "text", "sign" or "word"."""

    tokens: list[tuple[str, str]]
    columns: Sequence[str]
    now: str
    at: int = 0

    @classmethod
    def of(cls, text: str, columns: Sequence[str], now: str) -> Reader:
        found, at = [], 0
        text = text.strip()
        if len(text) > _LONGEST:
            raise bad(f"A query has at most {_LONGEST} characters.")
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise bad(f"The query cannot be read from {text[at : at + 20]!r} on.")
            kind = "text" if match[1] else "sign" if match[2] else "word"
            body = re.sub(r"\\(.)", r"\1", match[1][1:-1]).replace("''", "'") if match[1] else match[2] or match[3]
            found.append((kind, body))
            at = match.end()
        return cls(found, columns, now)

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self) -> tuple[str, str]:
        token = self.peek()
        self.at += 1
        return token

    def word(self, *words: str) -> bool:
        """Whether the next token is one of these words or signs; it is taken then."""
        kind, text = self.peek()
        if kind in ("word", "sign") and text.lower() in words:
            self.at += 1
            return True
        return False

    def expect(self, word: str) -> None:
        if not self.word(word):
            raise bad(f"Expected {word!r}, not {self.peek()[1] or 'the end of the query'!r}.")

    def either(self, part: Callable[[], Test]) -> Test:
        """`part` joined by and, or and not, with brackets."""
        tests = [self._all(part)]
        while self.word("or"):
            tests.append(self._all(part))
        return tests[0] if len(tests) == 1 else lambda row: any(test(row) for test in tests)

    def _all(self, part: Callable[[], Test]) -> Test:
        tests = [self._one(part)]
        while self.word("and"):
            tests.append(self._one(part))
        return tests[0] if len(tests) == 1 else lambda row: all(test(row) for test in tests)

    def _one(self, part: Callable[[], Test]) -> Test:
        if self.word("not"):
            inner = self._one(part)
            return lambda row: not inner(row)
        if self.peek() == ("sign", "("):
            self.at += 1
            inner = self.either(part)
            self.expect(")")
            return inner
        return part()

    def order(self) -> list[tuple[str, bool]]:
        """Fields after ORDER BY."""
        found = []
        while True:
            kind, name = self.take()
            if kind not in ("word", "text"):
                raise bad("Say by which field to order.")
            descending = self.word("desc")
            if not descending:
                self.word("asc")
            found.append((column(name, self.columns), descending))
            if not self.word(","):
                return found

    def end(self) -> None:
        if self.peek()[0] != "end":
            raise bad(f"The query cannot be read from {self.peek()[1]!r} on.")


_SPAN = re.compile(r"([+-]?)(\d+)(mo|[mhdwMy])")
_SIZES = {"m": 60, "h": 3600, "d": 86400, "w": 604800, "M": 2592000, "mo": 2592000, "y": 31536000}


def _atlassian_value(reader: Reader) -> Any:
    kind, text = reader.take()
    if kind == "text":
        return text
    if kind != "word":
        raise bad(f"Expected a value, not {text or 'the end of the query'!r}.")
    if reader.peek() == ("sign", "("):
        return _called(reader, text)
    span = _SPAN.fullmatch(text)
    if span and span[1]:
        seconds = int(span[2]) * _SIZES[span[3]] * (-1 if span[1] == "-" else 1)
        return _shifted(reader.now, seconds)
    return None if text.lower() in ("empty", "null") else text


def _shifted(now: str, seconds: float) -> str:
    try:
        moment = dt.datetime.fromisoformat(now) + dt.timedelta(seconds=seconds)
    except OverflowError as error:
        raise bad("That date lies outside the calendar.") from error
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _called(reader: Reader, name: str) -> Any:
    """A function without a record of its own: now() and the beginnings and ends of day, week, month and year."""
    reader.expect("(")
    if reader.peek() != ("sign", ")"):
        _atlassian_value(reader)
    reader.expect(")")
    today = dt.datetime.fromisoformat(reader.now[:10] + "T00:00:00+00:00")
    starts = {
        "day": today,
        "week": today - dt.timedelta(days=today.weekday()),
        "month": today.replace(day=1),
        "year": today.replace(month=1, day=1),
    }
    if name.lower() == "now":
        return reader.now
    part = name.lower().removeprefix("startof")
    if part in starts:
        return starts[part].strftime("%Y-%m-%dT%H:%M:%SZ")
    raise bad(f"The function {name}() is not supported here.")


def _atlassian(reader: Reader) -> Test:
    """One clause of JQL or CQL."""
    kind, name = reader.take()
    if kind not in ("word", "text"):
        raise bad(f"Expected a field, not {name or 'the end of the query'!r}.")
    everywhere = name.lower() in ("text", "sitesearch")
    own = "" if everywhere else column(name, reader.columns)
    if reader.word("is"):
        negated = reader.word("not")
        if not reader.word("empty", "null"):
            raise bad("After IS stands EMPTY or NULL.")
        return lambda row: (row.get(own) in (None, "", [], ())) != negated
    negated = reader.word("not")
    if reader.word("in"):
        values = _listed(reader, _atlassian_value)
        return lambda row: any(compare(row.get(own), "=", value) for value in values) != negated
    sign = reader.take()[1]
    if sign not in ("=", "!=", "~", "!~", "<", "<=", ">", ">=") or negated:
        raise bad(f"{sign or 'The end of the query'!r} is no operator of this language.")
    value = _atlassian_value(reader)
    if sign in ("~", "!~"):
        parts = [part.strip("*").casefold() for part in str(value).split()]

        def holds(row: Row) -> bool:
            text = " ".join(words_in(row if everywhere else row.get(own)))
            return all(part in text for part in parts)

        return holds if sign == "~" else lambda row: not holds(row)
    if everywhere:
        raise bad("The field text takes the operators ~ and !~.")
    return lambda row: compare(row.get(own), sign, value)


def _listed(reader: Reader, value: Callable[[Reader], Any]) -> list[Any]:
    reader.expect("(")
    found = [value(reader)]
    while reader.word(","):
        found.append(value(reader))
    reader.expect(")")
    return found


def _everything(row: Row) -> bool:
    return True


def atlassian(text: str, columns: Sequence[str], now: str) -> Query:
    """JQL and CQL: `project = A AND status in (Open, Done) ORDER BY created DESC`."""
    reader = Reader.of(text, columns, now)
    ordered = reader.peek()[1].lower() == "order"
    test = _everything if ordered or reader.peek()[0] == "end" else reader.either(lambda: _atlassian(reader))
    order = []
    if reader.word("order"):
        reader.expect("by")
        order = reader.order()
    reader.end()
    return Query(test, order)


_WORDS = {
    "eq": "=", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "co": "contains", "sw": "startswith",
    "ew": "endswith",
}  # fmt: skip


def _literal(reader: Reader) -> Any:
    kind, text = reader.take()
    if kind == "text":
        return text
    if kind != "word":
        raise bad(f"Expected a value, not {text or 'the end of the query'!r}.")
    if text.lower() in ("null", "true", "false"):
        return {"null": None, "true": True, "false": False}[text.lower()]
    try:
        return float(text)
    except ValueError:
        if moment_text(text) or re.fullmatch(r"[\w.:+-]+", text):
            return text
        raise bad(f"{text!r} is no value; texts stand in quotes.") from None


def _odata(reader: Reader) -> Test:
    kind, name = reader.take()
    if kind != "word":
        raise bad(f"Expected a field or a function, not {name or 'the end of the filter'!r}.")
    if name.lower() in ("contains", "startswith", "endswith", "substringof") and reader.word("("):
        first = reader.take()[1]
        reader.expect(",")
        second = reader.take()[1]
        reader.expect(")")
        if name.lower() == "substringof":
            first, second, name = second, first, "contains"
        own = column(first.replace("/", "."), reader.columns)
        wanted = not (reader.word("eq") and reader.word("false"))
        return lambda row: compare(row.get(own), name.lower(), second) == wanted
    own = column(name.replace("/", "."), reader.columns)
    if reader.word("in"):
        values = _listed(reader, _literal)
        return lambda row: any(compare(row.get(own), "=", value) for value in values)
    word = reader.take()[1].lower()
    if word == "pr":
        return lambda row: row.get(own) not in (None, "", [], ())
    if word not in _WORDS:
        raise bad(f"{word or 'The end of the filter'!r} is no operator of OData. Use eq, ne, gt, ge, lt or le.")
    value = _literal(reader)
    return lambda row: compare(row.get(own), _WORDS[word], value)


def odata(text: str, columns: Sequence[str], now: str) -> Query:
    """An OData filter: `startswith(subject,'A') and isRead eq false`."""
    reader = Reader.of(text, columns, now)
    test = reader.either(lambda: _odata(reader))
    reader.end()
    return Query(test)


_KEYED = re.compile(r"(-?)(?:(\w+):)?(?:\"([^\"]*)\"|\[([^\]]*?)\.\.([^\]]*)\]|\{([^}]*)\}|([^\s,]+))")


def keyed(text: str, columns: Sequence[str], now: str) -> Query:
    """A search of words and `field:value`, each of them with `-` before it to exclude.

    A value in brackets is a range (`price:[10..50]`, open on either side), one in braces a choice (`state:{A|B}`).
    """
    tests = [_keyed(part, column(part[1], columns) if part[1] else "") for part in _KEYED.findall(text)]
    return Query(lambda row: all(test(row) for test in tests))


def _keyed(part: tuple[str, ...], own: str) -> Test:
    sign, _, quoted, low, high, choice, word = part
    options = [one.strip() for one in choice.split("|")] if choice else []

    def test(row: Row) -> bool:
        value = row.get(own) if own else row
        if own and (low or high):
            found = all(not end or compare(value, way, end) for way, end in ((">=", low), ("<=", high)))
        elif own and options:
            found = any(compare(value, "=", one) for one in options)
        else:
            found = (quoted or word).casefold() in " ".join(words_in(value))
        return found != (sign == "-")

    return test


def cql_or_words(text: str, columns: Sequence[str], now: str) -> Query:
    """CQL where an operator stands in the text, else its words anywhere."""
    spoken_ = re.search(r"[=~<>]|\b(in|is)\b\s*[(ne]|\border\s+by\b", text, re.IGNORECASE)
    return atlassian(text, columns, now) if spoken_ else keyed(text.replace(":", " "), columns, now)


def among(name: str) -> Callable[[str, Sequence[str], str], Query]:
    """Rows whose field is one of the values between commas."""

    def query(text: str, columns: Sequence[str], now: str) -> Query:
        own, values = column(name, columns), [value.strip() for value in text.split(",") if value.strip()]
        return Query(lambda row: any(compare(row.get(own), "=", value) for value in values))

    return query


_LANGUAGES: dict[str, Callable[[str, Sequence[str], str], Query]] = {
    "jql": atlassian, "cql": atlassian, "cql or words": cql_or_words, "odata": odata, "keyed": keyed,
    "project": among("project"), "space": among("space"),
}  # fmt: skip


def spoken(rows: Sequence[R], table: Table[R], text: Any, language: str, now: str) -> list[R]:
    """The records that a query finds, in its order where it names one; all of them without a query."""
    if text is None or not str(text).strip():
        return list(rows)
    columns = [known.alias or name for name, known in table.record_type.model_fields.items()]
    query = _LANGUAGES[language](str(text), columns, now)
    found = [(row, shown) for row in rows if query.test(shown := row.plain())]
    for name, descending in reversed(query.order):
        found.sort(key=partial(_place, name), reverse=descending)
    return [row for row, _ in found]


def _place(name: str, pair: tuple[Any, Row]) -> tuple[int, float, str]:
    return _sortable(pair[1].get(name))


def _sortable(value: Any) -> tuple[int, float, str]:
    if value is None:
        return 2, 0.0, ""
    if isinstance(value, int | float):
        return 0, float(value), ""
    return 1, 0.0, moment_text(value) or str(value).casefold()
