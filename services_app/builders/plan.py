"""Reading a specification as an application: entities with fields, and what each tool does to them.

The plan is data; `source` writes it down as Python. A tool that no rule covers is left out with the reason.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from services_app.specs.vocabulary import words_of

ToolKind = Literal[
    "get", "get_many", "list", "create", "create_many", "update", "delete", "delete_many", "status", "count"
]
FilterKind = Literal["equal", "text", "from", "until", "least", "most"]
PageKind = Literal["limit", "offset", "page", "cursor"]


@dataclass
class Field:
    """One field of an entity. `name` is the original, `python` what the source calls it."""

    name: str
    python: str
    type: str
    """Python type in the source: str, int, float, bool, tuple[str, ...] or Json."""
    meaning: str = ""
    """Expression of its meaning in the source, such as `f.Email`; "" for none."""
    choices: tuple[Any, ...] = ()
    target: str = ""
    """Table that it refers to."""
    filtered: bool = False
    """A reading tool filters by it: seeds hold at least two values."""


@dataclass
class Entity:
    """One table."""

    noun: str
    table: str
    class_name: str
    fields: dict[str, Field] = field(default_factory=dict)
    natural_key: str = ""
    """Original name of the field that identifies a record; "" when ids are generated."""
    integer_id: bool = False
    status: str = ""
    """Original name of the field that status verbs set."""
    statuses: tuple[str, ...] = ()
    implied: bool = False
    """No tool is about it; it is only referred to."""

    @property
    def prefix(self) -> str:
        letters = "".join(word[0] for word in self.noun.split("_")) if "_" in self.noun else self.noun[:3]
        return "" if self.integer_id else f"{letters.upper()}-"


@dataclass
class Filter:
    """A parameter that narrows a list."""

    parameter: str
    kind: FilterKind
    field: str = ""


@dataclass
class ToolPlan:
    """What one tool does."""

    name: str
    kind: ToolKind
    entity: str
    key: str = ""
    """Parameter that selects the record (or records)."""
    parents: dict[str, str] = field(default_factory=dict)
    """Parameter -> entity that must exist."""
    fields: dict[str, str] = field(default_factory=dict)
    """Parameter -> field that it sets."""
    filters: list[Filter] = field(default_factory=list)
    pages: dict[PageKind, str] = field(default_factory=dict)
    sort: str = ""
    order: str = ""
    items: str = ""
    """Parameter that holds the list of objects to create."""
    value: str = ""
    """Status that is set."""
    wrap: str = ""
    """How the result is wrapped to fit the output schema: "", "result", "text"."""
    result_key: str = ""
    """For lists: name of the array."""


@dataclass
class Plan:
    """The application as understood."""

    slug: str
    entities: dict[str, Entity]
    tools: list[ToolPlan]
    left_out: dict[str, str]
    """Tool -> why no rule covers it."""

    def entity_of(self, tool: ToolPlan) -> Entity:
        return self.entities[tool.entity]


_TAKEN = frozenset({"id", "about", "plain", "changed", "semantics", "model_config", "copy", "json", "dict", "schema"})


def python_name(name: str) -> str:
    """A field name that Python and Pydantic take, close to the original."""
    base = "_".join(words_of(name)) or "field"
    if not re.match(r"^[a-z]", base):
        base = f"field_{base}"
    if keyword.iskeyword(base) or keyword.issoftkeyword(base) or base in _TAKEN or base.startswith("model_"):
        base += "_"
    return base if base.isidentifier() else f"field_{abs(hash_of(base))}"


def hash_of(text: str) -> int:
    """A small stable number for names without any usable letter."""
    return sum((index + 1) * ord(letter) for index, letter in enumerate(text))


def class_name(noun: str) -> str:
    name = "".join(word.capitalize() for word in noun.split("_"))
    return (
        f"{name}Record"
        if name in ("Record", "State", "Table", "Service", "About", "Any") or not name.isidentifier()
        else name
    )


# What a parameter is for

_PAGES: dict[PageKind, frozenset[str]] = {
    "limit": frozenset(
        "limit per_page page_size pagesize size max_results max_count count top first take num_results n".split()
    ),
    "offset": frozenset("offset skip start_index from_index".split()),
    "page": frozenset("page page_number page_num".split()),
    "cursor": frozenset("cursor page_token next_token after starting_after continuation_token next_cursor".split()),
}
_TEXT = frozenset("q query search keyword keywords term search_term search_query text pattern filter_text".split())
_SORT = frozenset("sort sort_by order_by orderby sort_field sortby".split())
_ORDER = frozenset("order direction sort_order sort_direction desc descending".split())
_FROM = ("since", "from", "start", "after", "begin")
_UNTIL = ("until", "to", "end", "before")


def page_kind(name: str) -> PageKind | None:
    key = "_".join(words_of(name))
    return next((kind for kind, names in _PAGES.items() if key in names), None)


def is_text_query(name: str) -> bool:
    return "_".join(words_of(name)) in _TEXT


def is_sort(name: str) -> bool:
    return "_".join(words_of(name)) in _SORT


def is_order(name: str) -> bool:
    return "_".join(words_of(name)) in _ORDER


def range_kind(name: str, kinds: set[str]) -> tuple[FilterKind, str] | None:
    """(kind, field name or "") of a parameter that bounds a range: `min_price`, `created_after`, `since`."""
    words = words_of(name)
    if words and words[0] in ("min", "minimum") and len(words) > 1:
        return "least", "_".join(words[1:])
    if words and words[0] in ("max", "maximum") and len(words) > 1:
        return "most", "_".join(words[1:])
    rest = [word for word in words if word not in ("date", "time", "at", "timestamp")]
    if "string" not in kinds or not rest:
        return None
    for kind, marks in (("from", _FROM), ("until", _UNTIL)):
        if rest[-1] in marks or (rest[0] in marks and len(words) > len(rest)):
            stem = "_".join(word for word in words if word not in marks and word not in ("date", "time"))
            return kind, stem  # type: ignore[return-value]
    return None


def scalar_choices(schema: Mapping[str, Any]) -> tuple[Any, ...]:
    """The enum of a schema when all its values are texts or numbers."""
    values = [value for value in schema.get("enum") or () if value is not None]
    return tuple(dict.fromkeys(values)) if all(isinstance(value, str | int) for value in values) else ()
