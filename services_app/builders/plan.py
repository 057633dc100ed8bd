"""Reading a specification as an application: entities with fields, and what each tool does to them.

The plan is data; `source` writes it down as Python. A tool that no rule covers is left out with the reason.
"""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass, field
from typing import Any, Literal

from services_app.specs.vocabulary import words_of

ToolKind = Literal[
    "get", "get_many", "get_or_list", "find", "list", "count", "graph",
    "create", "create_many", "append_many", "update", "status", "copy", "link", "unlink",
    "delete", "delete_many", "delete_equal", "strip_many", "written",
]  # fmt: skip
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
    format: str = ""
    """Format that the schema names: date, date-time, uri."""
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
    written: bool = False
    """Some tool of the specification writes it; what is only read may be looked up by any key."""
    single: bool = False
    """There is one record: settings, the current user."""

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
    key_field: str = ""
    """Original name of the field that the key is compared with; "" for the id."""
    lookups: dict[str, str] = field(default_factory=dict)
    """Parameter -> field: required values that records must have."""
    derived: bool = False
    """Records under a key that nothing is stored for follow from that key."""
    unwraps: tuple[str, ...] = ()
    """Parameters whose object holds the real parameters."""
    headers: tuple[str, ...] = ()
    """Parameters that name a media type."""
    lists: dict[str, str] = field(default_factory=dict)
    """For a read of several entities at once: name in the result -> entity."""
    text: str = ""
    select: str = ""
    """Parameter that names the fields to show."""
    format: str = ""
    """Parameter that says how the result is rendered."""
    dry_run: str = ""
    confirm: str = ""
    defaults: dict[str, Any] = field(default_factory=dict)
    """Parameter -> value used when it is not sent."""
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
    """How the result is wrapped to fit the output schema: "", "result", "text", or "fit" for any other."""
    result_key: str = ""
    """For lists: name of the array."""
    inert: dict[str, str] = field(default_factory=dict)
    """Parameter -> why no value of it can change a result: the gate takes this for an answer, and shows it."""
    about: str = ""
    """For kind "written": the docstring."""
    body: tuple[str, ...] = ()
    """For kind "written": the lines of the function, which may use `state`, `ctx` and `args`."""
    imports: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For kind "written": module -> names that the body uses."""


@dataclass(frozen=True)
class Fixture:
    """A table of fixed shape that a recipe brings along: pages of a browser, cells of a sheet."""

    table: str
    class_name: str
    module: str
    """Module of `services_app.recipes` that defines the record class and the seeder."""
    seeder: str = ""
    """Function `seeder(state.<table>, ctx)` that fills it; "" when it starts empty."""


@dataclass
class Plan:
    """The application as understood."""

    slug: str
    entities: dict[str, Entity]
    tools: list[ToolPlan]
    left_out: dict[str, str]
    """Tool -> why no rule covers it."""
    fixtures: list[Fixture] = field(default_factory=list)

    def entity_of(self, tool: ToolPlan) -> Entity:
        return self.entities[tool.entity]


_TAKEN = frozenset(
    {
        "id",
        "about",
        "plain",
        "changed",
        "semantics",
        "model_config",
        "copy",
        "json",
        "dict",
        "schema",
        "self",
        "identity",
    }
)


_TAKEN_CLASSES = frozenset(
    {"Record", "State", "Table", "Service", "About", "Any", "Annotated", "Field", "Json", "SpecRecord"}
)


def python_name(name: str) -> str:
    """A field name that Python and Pydantic take, close to the original."""
    base = "_".join(words_of(name)) or "field"
    if not re.match(r"^[a-z]", base):
        base = f"field_{base}"
    if keyword.iskeyword(base) or keyword.issoftkeyword(base) or base in _TAKEN or base.startswith("model_"):
        base += "_"
    return base if base.isidentifier() else f"field_{hash_of(base)}"


def hash_of(text: str) -> int:
    """A small stable number for names without any usable letter."""
    return sum((index + 1) * ord(letter) for index, letter in enumerate(text))


def class_name(noun: str) -> str:
    name = "".join(word.capitalize() for word in noun.split("_"))
    if not name.isidentifier():
        name = f"Item{name}" if f"Item{name}".isidentifier() else f"Item{hash_of(noun)}"
    return f"{name}Record" if name in _TAKEN_CLASSES or keyword.iskeyword(name) else name
