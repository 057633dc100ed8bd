"""What the names in a CEL expression mean, read from the state models of the mounted services.

CEL itself finds an unknown field only when an evaluation gets there. This reader follows every path of an expression
through the variables, the macros that bind a name, and the schemas of the records, without evaluating anything: it
names what does not exist, with what was probably meant, and what cannot be compared.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from services_app.engine.catalogue import ServiceInfo

Kind = Literal["choice", "record", "list", "text", "whole", "decimal", "flag", "any"]
Names = Mapping[str, ServiceInfo]
"""Services by their name in expressions."""

CHOICE_WORDS = "name a service and one of its tables, such as {}"
MACROS = ("exists", "all", "exists_one", "filter", "map")
FUNCTIONS: dict[str, tuple[Kind, str]] = {
    "size": ("whole", "size(list or text)"),
    "has": ("flag", "has(record.field)"),
    "has_text": ("flag", "has_text(text, part)"),
    "has_number": ("flag", "has_number(text, number)"),
    "norm": ("text", "norm(text)"),
    "near": ("flag", "near(a, b, tolerance)"),
    "string": ("text", "string(value)"),
    "int": ("whole", "int(value)"),
    "double": ("decimal", "double(value)"),
}
TEXT_METHODS: dict[str, tuple[Kind, str]] = {
    "contains": ("flag", "contains(part)"),
    "startsWith": ("flag", "startsWith(part)"),
    "endsWith": ("flag", "endsWith(part)"),
    "matches": ("flag", "matches(pattern)"),
    "size": ("whole", "size()"),
}
_SIMPLE: dict[str, Kind] = {"string": "text", "integer": "whole", "number": "decimal", "boolean": "flag"}
_GROUP = {"text": "text", "whole": "a number", "decimal": "a number", "flag": "yes or no"}
_COMPARING = frozenset({"==", "!=", "<", "<=", ">", ">="})
_REACHING = frozenset({"+", "-", "*", "/", "%"})
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*)"
    r"|(?P<text>[rRbB]{0,2}(?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'))"
    r"|(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[uU]?)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>==|!=|<=|>=|&&|\|\||[\s\S])"
)


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Thing:
    """What a path leads to. A `choice` is no value yet: it has to go on to a table."""

    kind: Kind
    where: str = ""
    members: Callable[[], dict[str, Thing]] | None = None
    item: Thing | None = None
    choices: tuple[str, ...] = ()
    absent: str = ""
    """What is said of a member that does not exist; {} is its name."""
    literal: bool = False


ANY = Thing("any")
FLAG = Thing("flag")


def roots(names: Names) -> dict[str, Thing]:
    """The variables of an expression."""
    call = Thing(
        "record",
        "a call",
        lambda: {"service": Thing("text", "a call's service"), "tool": Thing("text", "a call's tool"),
                 "arguments": ANY, "success": Thing("flag", "a call's success")},
        absent="a call has no {}",
    )  # fmt: skip
    states = {root: _state(root, names) for root in ("before", "after", "added", "removed", "changed")}
    return {**states, "calls": Thing("list", "calls", item=call), "answer": Thing("text", "answer")}


def _state(root: str, names: Names) -> Thing:
    def services() -> dict[str, Thing]:
        return {name: _service(root, name, info) for name, info in names.items()}

    return Thing("choice", root, services, absent=f"{root}.{{}}: no such service is mounted")


def _service(root: str, name: str, info: ServiceInfo) -> Thing:
    where = f"{root}.{name}"

    def tables() -> dict[str, Thing]:
        return {
            table: Thing("list", f"{where}.{table}", item=_row(root, f"{where}.{table}", one.schema))
            for table, one in info.tables.items()
        }

    return Thing("choice", where, tables, absent=f"{where}.{{}}: {info.slug} has no table {{}}")


def _row(root: str, where: str, schema: Mapping[str, Any]) -> Thing:
    record = of_schema(schema, schema, where)
    if root != "changed":
        return record
    parts = {"id": Thing("text", f"{where}.id"), "before": record, "after": record}
    return Thing("record", where, lambda: parts, absent=f"{where} has no field {{}}; a change has id, before and after")


def of_schema(schema: Mapping[str, Any], root: Mapping[str, Any], where: str) -> Thing:
    """What a JSON Schema describes, as far as it is one simple thing; ANY where it is not."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return of_schema(root.get("$defs", {}).get(reference.rsplit("/", 1)[-1], {}), root, where)
    for word in ("anyOf", "oneOf"):
        branches = [branch for branch in schema.get(word, ()) if branch.get("type") != "null"]
        if branches:
            return of_schema(branches[0], root, where) if len(branches) == 1 else ANY
    kinds = schema.get("type")
    found = [kind for kind in kinds if kind != "null"] if isinstance(kinds, list) else [kinds]
    choices = tuple(str(one) for one in schema.get("enum", ()) if one is not None)
    match found:
        case ["string" | "integer" | "number" | "boolean" as simple]:
            return Thing(_SIMPLE[simple], where, choices=choices if simple == "string" else ())
        case ["array"]:
            items = schema.get("items")
            return Thing("list", where, item=of_schema(items, root, where) if isinstance(items, Mapping) else ANY)
        case ["object"] if schema.get("properties"):
            return _object(schema["properties"], root, where)
    return ANY


def _object(properties: Mapping[str, Any], root: Mapping[str, Any], where: str) -> Thing:
    def fields() -> dict[str, Thing]:
        return {name: of_schema(inner, root, f"{where}.{name}") for name, inner in properties.items()}

    return Thing("record", where, fields, absent=f"{where} has no field {{}}")


def tokens_of(text: str) -> list[Token]:
    """The tokens of an expression, less blanks and comments. A quote that is never closed is a sign of its own."""
    found = (Token(str(match.lastgroup), match[0]) for match in _TOKEN.finditer(text))
    return [token for token in found if token.kind != "space"]


@dataclass
class Reader:
    """Follows the paths of an expression. `problems` and what stood at the end of the text are what it leaves."""

    tokens: list[Token]
    problems: list[str] = field(default_factory=list)
    hanging: Thing | None = None
    """What the last dot of the text follows."""
    scope: dict[str, Thing] | None = None
    """The names that could stand at the end of the text."""
    compared: Thing | None = None
    """What is compared with whatever comes at the end of the text."""
    _whole: bool = False
    """The text is a whole expression, not one that is being typed."""
    _at: int = 0

    def _peek(self, ahead: int = 0) -> str:
        place = self._at + ahead
        return self.tokens[place].text if place < len(self.tokens) else ""

    def _kind(self, ahead: int = 0) -> str:
        place = self._at + ahead
        return self.tokens[place].kind if place < len(self.tokens) else ""

    def _say(self, words: str) -> None:
        if words not in self.problems:
            self.problems.append(words)

    def read(self, scope: dict[str, Thing], closers: frozenset[str] = frozenset()) -> Thing:
        """Read up to a closer; what is returned is the value of a lone operand, ANY of anything longer."""
        left: Thing | None = None
        operator = ""
        alone = True
        while self._peek() and self._peek() not in closers:
            operand = self._operand(scope)
            if operand is None:
                operator = self._peek()
                self._at += 1
                alone = False
                if operator not in _COMPARING and operator not in _REACHING:
                    left = None
                continue
            if left is not None:
                self._meet(left, operator, operand)
            left = operand if operator not in _REACHING else _sum(left, operand)
        if not self._peek() and self.scope is None:
            self.scope = scope
            self.compared = left if operator in _COMPARING else None
        return left if alone and left is not None else ANY

    def _operand(self, scope: dict[str, Thing]) -> Thing | None:
        """The operand that stands here; None for an operator."""
        kind, text = self._kind(), self._peek()
        if kind == "name":
            return None if text == "in" else self._path(scope)
        if kind == "text":
            self._at += 1
            return self._rest(scope, Thing("text", "a text", literal=True))
        if kind == "number":
            self._at += 1
            return Thing("whole" if text.rstrip("uU").isdecimal() else "decimal", text, literal=True)
        if text in _CLOSING:
            return self._rest(scope, self._bracket(scope, text))
        return None

    def _bracket(self, scope: dict[str, Thing], opening: str) -> Thing:
        self._at += 1
        found = self._arguments(scope, _CLOSING[opening])
        return found[0] if opening == "(" and len(found) == 1 else ANY

    def _arguments(self, scope: dict[str, Thing], closer: str) -> list[Thing]:
        """Values up to `closer`, which is taken as well."""
        found = []
        while self._peek() and self._peek() != closer:
            found.append(self.read(scope, frozenset({",", ":", closer})))
            if self._peek() in (",", ":"):
                self._at += 1
        if not self._peek() and self.scope is None:
            self.scope = scope
        self._at += 1
        return found

    def _path(self, scope: dict[str, Thing]) -> Thing:
        name = self._peek()
        self._at += 1
        if name in scope:
            return self._rest(scope, scope[name])
        if self._peek() == "(":
            self._at += 1
            self._arguments(scope, ")")
            return self._rest(scope, Thing(FUNCTIONS[name][0]) if name in FUNCTIONS else ANY)
        return self._rest(scope, FLAG if name in ("true", "false") else ANY)

    def _rest(self, scope: dict[str, Thing], thing: Thing) -> Thing:
        """What follows a value: members, methods, indices."""
        while self._peek() in (".", "["):
            if self._peek() == "[":
                thing = self._index(scope, thing)
                continue
            self._at += 1
            if not self._peek():
                self.hanging = thing
                return ANY
            name = self._peek()
            self._at += 1
            if self._peek() == "(":
                self._at += 1
                thing = self._method(scope, thing, name)
            else:
                thing = self._member(thing, name)
        if thing.kind == "choice" and (self._peek() or self._whole):
            self._unfinished(thing)
            return ANY
        return thing

    def finish(self, names: Names) -> list[str]:
        """Read the whole expression; what is wrong with it."""
        self._whole = True
        self.read(roots(names))
        return self.problems

    def _unfinished(self, thing: Thing) -> None:
        some = next(iter((thing.members or dict)().values()), None)
        example = some.where if some is not None else thing.where
        if some is not None and some.kind == "choice":
            table = next(iter((some.members or dict)().values()), None)
            example = table.where if table is not None else example
        self._say(f"{thing.where} is the whole state: {CHOICE_WORDS.format(example)}")

    def _index(self, scope: dict[str, Thing], thing: Thing) -> Thing:
        self._at += 1
        self._arguments(scope, "]")
        if thing.kind == "choice":
            self._say(f"{thing.where}[...]: write services and tables with dots, such as after.mail.messages")
            return ANY
        return thing.item or ANY if thing.kind == "list" else ANY

    def _member(self, thing: Thing, name: str) -> Thing:
        if thing.kind == "any":
            return ANY
        if thing.members is None:
            self._say(_no_parts(thing, name))
            return ANY
        found = thing.members()
        if name in found:
            return found[name]
        near = difflib.get_close_matches(name, found, n=1, cutoff=0.5)
        self._say(thing.absent.format(name, name) + (f". Did you mean {near[0]}?" if near else ""))
        return ANY

    def _method(self, scope: dict[str, Thing], thing: Thing, name: str) -> Thing:
        if thing.kind == "choice":
            self._unfinished(thing)
        if name in MACROS:
            inner = dict(scope)
            if self._kind() == "name" and self._peek(1) in (",", ""):
                inner[self._peek()] = thing.item or ANY
                self._at += 2
            self._arguments(inner, ")")
            return {"filter": thing, "map": Thing("list", item=ANY)}.get(name, FLAG)
        self._arguments(scope, ")")
        if thing.kind == "text" and name not in TEXT_METHODS:
            return ANY
        return Thing(TEXT_METHODS[name][0]) if name in TEXT_METHODS else ANY

    def _meet(self, left: Thing, operator: str, right: Thing) -> None:
        a, b = _GROUP.get(left.kind), _GROUP.get(right.kind)
        if operator in ("/", "%") and right.literal and right.kind in ("whole", "decimal") and float(right.where) == 0:
            self._say("it divides by zero")
        elif operator in _COMPARING and a and b and a != b:
            self._say(f"{left.where or 'one side'} is {a}, and it is compared with {b}")
        elif operator in _REACHING and {left.kind, right.kind} == {"whole", "decimal"}:
            whole = left if left.kind == "whole" else right
            fix = f"{whole.where}.0" if whole.literal else f"double({whole.where or '...'})"
            self._say(f"a whole number and a decimal number do not go together in {operator}: write {fix}")


def _no_parts(thing: Thing, name: str) -> str:
    where = thing.where or "it"
    if thing.kind == "list":
        return f"{where}.{name}: {where} is a list; look into it with .exists(r, r.{name} ...)"
    return f"{where}.{name}: {where} is {_GROUP.get(thing.kind, thing.kind)} and has no parts"


def _sum(left: Thing | None, right: Thing) -> Thing:
    return Thing(right.kind) if left is not None and left.kind == right.kind else ANY


def problems_of(expression: str, names: Names) -> list[str]:
    """Paths that lead nowhere, with a suggestion, and operations that cannot work. The syntax is CEL's to check."""
    return Reader(tokens_of(expression)).finish(names)


_PLACE = re.compile(r"<input>:(\d+):(\d+): (.*)")
_PLAIN = (
    (re.compile(r"(?:divide|modulus) by zero"), "it divides by zero"),
    (
        re.compile(r"Iteration budget exceeded"),
        "it takes too many steps (about 10,000 are allowed): look at fewer records, with filter or a shorter list",
    ),
    (re.compile(r"recursion limit exceeded"), "it is nested more than 32 deep"),
    (re.compile(r"mismatched input '<EOF>'|extraneous input '<EOF>'"), "it ends too early"),
    (re.compile(r"(?:mismatched|extraneous) input ('.*?') expecting"), r"\1 is not expected here"),
    (re.compile(r"undeclared reference to '(\w+)'.*"), r"there is no variable or function \1"),
    (re.compile(r"found no matching overload for '(.*?)' applied to '(.*?)'"), r"\1 does not work on \2"),
    (re.compile(r"Key not found in map : (.*)"), r"it reads \1, which is not there"),
    (re.compile(r"[Nn]o such key: (.*)"), r"it reads \1, which is not there"),
    (re.compile(r"No matching overloads found : (.*)"), r"values of these kinds do not go together: \1"),
)


def plain_words(message: str) -> str:
    """What CEL says about a fault, for people: the place first, without its codes."""
    line = message.strip().split("\n", 1)[0]
    place = _PLACE.search(line)
    text = place[3] if place else re.sub(r"^(?:[A-Z_]+: )+", "", line)
    for pattern, words in _PLAIN:
        found = pattern.search(text)
        if found:
            text = found.expand(words)
            break
    text = re.sub(r" \[[A-Z_]+\]$", "", text) or message.strip()
    return (f"line {place[1]}, column {place[2]}: {text}" if place else text)[:300]
