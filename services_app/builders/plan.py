"""Reading a specification as an application: entities with fields, and what each tool does to them.

The plan is data; `source` writes it down as Python. A tool that no rule covers is left out with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

ToolKind = Literal[
    "get", "get_many", "get_or_list", "find", "list", "count", "graph",
    "create", "create_many", "append_many", "update", "update_many", "status", "copy", "link", "unlink",
    "delete", "delete_many", "delete_equal", "strip_many", "written",
    "clear", "restore", "flag", "status_all", "update_each", "actions",
]  # fmt: skip
FilterKind = Literal[
    "equal", "text", "from", "until", "least", "most", "parts", "spoken", "past", "coming", "holds", "begins", "ends",
    "unlike"]  # fmt: skip
PageKind = Literal["limit", "offset", "page", "cursor"]
EVERY = ("all", "any", "ALL", "ANY", "*", "All", "Any", "")
"""Choices of a filter that no record has."""
ROWS = "rows = ..."
"""A line in the body of a "written" tool that stands for the rows of its entity under its lookups and filters."""


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
    linked: bool = False
    """It holds the other ends of pairs: empty until a tool makes some."""
    filtered: bool = False
    """A reading tool filters by it: seeds hold at least two values."""
    scope: bool = False
    """Lists are asked under one of its values: seeds hold few of them, each with several records."""
    kind: str = ""
    """Kind of seed value, where the name does not say it."""
    sparse: bool = False  # every other seeded record has none
    invented: bool = False  # no words say that records have it: those of its noun usually do
    usual: str | bool | int | float | None = None
    """What a new record has where nothing is sent, so that lists show it that hide other values by default."""
    samples: tuple[str, ...] = ()
    """Values that a description gives as examples."""
    shape: Any = None
    """Of an object or a list of objects: what it looks like (`shapes.shape_of`), where the schema says so."""


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
    initial: str = ""
    """Status of a new record, where a verb says it: what is finalised starts as a draft."""
    timed: bool = False  # `created_at` was made for want of another time
    implied: bool = False
    """No tool is about it; it is only referred to."""
    written: bool = False
    """Some tool of the specification writes it; what is only read may be looked up by any key."""
    promised: bool = False
    """A description says what its records hold."""
    described: bool = False
    """An output schema says so."""
    stem: str | None = None
    """What ids begin with, where the usual letters do not fit."""
    single: bool = False
    """There is one record: settings, the current user."""
    runs: tuple[str, ...] = ()
    """Phases that records go through as time passes, for work that was set going; () for any other."""
    serial: str = ""
    """Original name of the number that new records get, counted under what they lie in."""
    serial_under: tuple[str, ...] = ()
    """Fields under whose values that number counts."""
    barred: tuple[str, ...] = ()
    """Fields by which a record that was removed for good is known again."""
    lock: str = ""
    """Original name of the flag under which nothing may be changed or removed."""
    version: str = ""
    """Original name of the number that each change raises."""

    @property
    def prefix(self) -> str:
        letters = "".join(word[0] for word in self.noun.split("_")) if "_" in self.noun else self.noun[:3]
        if self.stem is not None:
            return self.stem
        return "" if self.integer_id else f"{letters.upper()}-"


@dataclass
class Filter:
    """A parameter that narrows a list."""

    parameter: str
    kind: FilterKind
    field: str = ""
    """Original name of the field; of a "spoken" filter the query language; of a "text" filter names with | between."""
    strict: bool = False
    """The bound itself lies outside; of "unlike", a part of a text is enough."""
    size: int = 0
    """Of "past" and "coming": seconds of one unit."""
    usual: int = 0
    """Of "past" and "coming": the number of units when none is sent; 0 for all rows."""


@dataclass
class Block:
    """A part of a record that a parameter shows or hides."""

    parameter: str  # "" for a part that is always there
    choice: str
    """Value of the parameter that means this part; "" when it is a flag."""
    name: str
    """Name of the part in the result."""
    kind: Literal["rows", "record", "field", "without"]
    noun: str = ""
    """For rows and records: their entity."""
    field: str = ""
    """Field that refers (of the other entity for rows, of the own one for a record)."""
    usual: bool = False
    """A flag that is on unless it is sent."""


@dataclass
class Read:
    """How a tool reads, beyond its filters."""

    shows: dict[str, str] = field(default_factory=dict)
    """Flag (field) under which rows are hidden -> parameter that shows them."""
    flags: dict[str, str] = field(default_factory=dict)
    """Flag (field) -> parameter that asks for rows with it only."""
    fixed: dict[str, str | bool] = field(default_factory=dict)  # field -> the value that all rows have
    same: dict[str, str] = field(default_factory=dict)
    """Parameter -> field that the one record must have."""
    moments: tuple[str, ...] = ()
    """Parameters that must name a moment and narrow nothing."""
    variants: dict[str, str] = field(default_factory=dict)
    """Parameters that choose another series of a source under the same key -> fields that repeat them."""
    known: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Parameters of a look-up -> the keys that the source knows."""
    each: str = ""
    """Parameter of a look-up that takes several keys with commas: each of them has rows of its own."""
    blocks: list[Block] = field(default_factory=list)
    part: str = ""  # noun of the part of the record that is asked for: `document_content`; "" for all of it
    only: tuple[str, ...] = ()
    """Fields of which that part is made."""
    newest: str = ""
    rising: bool = False
    """Field by which rows are sorted where nobody says how: latest first, or `rising` from the least on."""
    sorts: dict[str, str] = field(default_factory=dict)  # `newest` -> -created_at: words that sort by a field
    coming: str = ""  # the field with the moment that upcoming rows have ahead of them
    usual: int = 0
    """Size of a page where none is asked for; 0 for the default of the recipe."""
    most: int = 0  # the largest page, 0 for the default of the recipe
    first: int = 1  # the number of the first page
    first_row: int = 0  # and that of the first row, for offsets
    after: str = ""
    """Parameter with the id of the last row seen."""
    everything: str = ""  # flag that asks for all pages at once
    most_pages: str = ""  # parameter with the number of pages that are read at once
    most_pages_usual: int = 0
    ascending: bool = False
    """The parameter of direction is a flag for ascending order."""
    omit: str = ""  # parameter that names fields to leave out
    cut: str = ""
    """Parameter with the number of characters after which texts are cut."""
    cut_usual: int = 0
    following: str = ""  # name in the result of what asks for the next page
    totals: str = ""  # flag without which the total is left out
    repeats: tuple[str, ...] = ()  # parameters that stand in the result as they were sent
    zone: str = ""
    language: str = ""
    units: str = ""
    verbose: str = ""
    """Flag without which only the first fields are shown."""
    verbose_usual: bool = False
    compact: str = ""
    compact_usual: bool = False
    ids: str = ""
    """Flag under which only the ids of records are shown."""
    markdown: str = ""
    formats: tuple[str, ...] = ()
    """Words that the format may be by the specification."""
    blanks: dict[str, Any] = field(default_factory=dict)
    """Parameter -> its default, which stands for nothing: a call that sends it is a call without it."""
    usually: dict[str, Any] = field(default_factory=dict)
    """Parameter -> value that it has when it is not sent."""


@dataclass
class Write:
    """How a tool writes, beyond the fields that it sets."""

    adds: dict[str, str] = field(default_factory=dict)
    """Parameter -> field with several values that it adds to."""
    strips: dict[str, str] = field(default_factory=dict)
    """Parameter -> field with several values that it takes from."""
    whole: bool = False
    """What is sent takes the place of the whole record: fields that are not sent are cleared."""
    atomic: bool = False
    """Of several records all are made or none: one that is there already is refused, not passed over."""
    rename: str = ""
    """Parameter that holds a new natural key."""
    own_id: str = ""
    """Parameter by which the caller may choose the id of a new record."""
    upserts: bool = False
    """A record that exists already is changed."""
    unique: tuple[str, ...] = ()
    """Fields that no two records have in common."""
    moments: dict[str, str] = field(default_factory=dict)
    """Field of a new record -> today or now, which it is when it is not sent."""
    keyed: tuple[str, ...] = ()
    """Fields that name a new record and get its id when they are not sent."""
    once: str = ""
    """Parameter with an idempotency key; kept in the field of the same name."""
    version: str = ""  # parameter with the version that the caller knows
    only: tuple[str, ...] = ()
    """States from which a status may be set; () for any."""
    never: tuple[str, ...] = ()
    """States from which it may not."""
    deferred: tuple[str, str] = ("", "")
    """(parameter, value) without which the status is only scheduled, in the field `scheduled_change`."""
    flag: str = ""
    """For kind "flag": the field; `value` of the plan is "True", "False", or "" to change it over."""
    marks_locked: bool = False
    """Sets the flag that locks, so it works on locked records too."""
    force: str = ""
    """Parameter without which a record in use is not removed."""
    heir: str = ""
    """Parameter that names the record to which what refers to a removed one goes over."""
    cascade: bool = False
    """What refers to a removed record goes with it."""
    trash: bool = False
    """A removed record may come back."""
    permanent: str = ""
    """Parameter that removes for good what would otherwise go to the trash."""
    final: bool = False
    """A removed record may not be added again."""
    notes: tuple[str, ...] = ()
    """Parameters that are noted with a removal."""
    ties: tuple[tuple[str, str, str, str], ...] = ()
    """For pairs: (parameter, its entity, field with several values, parameter of the other end)."""
    constants: dict[str, Any] = field(default_factory=dict)
    """Field -> value that the tool always sets."""
    makes: dict[str, str] = field(default_factory=dict)  # field that the service makes -> recipe of `recipes.made`
    opens: str = ""  # parameter whose object holds values of fields, by their names
    derives: tuple[str, str, dict[str, str], str] | None = None
    """(field, parameter, its value -> value of the field, value where it is not sent) of a new record."""
    reason: tuple[str, str, tuple[str, ...]] | None = None
    """(field, field of the state, states that end): the first is kept only where the state comes to an end."""
    token: str = ""
    """Parameter with the token of a preview, without which nothing is removed."""
    expects: dict[str, str] = field(default_factory=dict)
    """Parameter -> field that must be so before a record is removed."""
    guards: tuple[tuple[Any, ...], ...] = ()
    """(recipe of `recipes.provisos`, original name of a field, what else it takes) for the record that is found."""
    empty: bool = False
    """A record is not removed while others refer to it."""


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
    position: int | None = None
    """The key is a position in the list, counted from this number; None when it is a value."""
    lookups: dict[str, str] = field(default_factory=dict)
    """Parameter -> field: required values that records must have."""
    derived: bool = False
    """Records under a key that nothing is stored for follow from that key."""
    unwraps: tuple[str, ...] = ()
    """Parameters whose object holds the real parameters."""
    headers: tuple[str, ...] = ()
    """Parameters that are headers with fixed values."""
    accepted: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Header -> values that are accepted."""
    waits: tuple[str, ...] = ()
    """Parameters with a waiting time or a number of tries."""
    versions: tuple[str, ...] = ()
    """Parameters with a version of the interface."""
    lists: dict[str, str] = field(default_factory=dict)
    """For a read of several entities at once: name in the result -> entity."""
    text: str = ""
    select: str = ""  # parameter that names the fields to show
    format: str = ""
    """Parameter that says how the result is rendered."""
    brief: str = ""
    """Flag that leaves only word of success from the result."""
    headers_shown: str = ""
    """Flag that adds headers to the result."""
    dry_run: str = ""
    confirm: str = ""
    defaults: dict[str, Any] = field(default_factory=dict)
    """Parameter -> value used when it is not sent."""
    parents: dict[str, str] = field(default_factory=dict)
    """Parameter -> entity that must exist."""
    called: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Parameter that names such an entity -> the fields that may name it beside the id."""
    aliases: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    """Parameter that names a record by its id -> (its entity, words such as `me` that stand for one of them)."""
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
    read: Read = field(default_factory=Read)
    """What only tools that read need."""
    write: Write = field(default_factory=Write)
    """What only tools that write need."""
    needs: tuple[str, ...] = ()
    """Parameters that must be sent though the schema does not ask for them."""
    checks: tuple[tuple[Any, ...], ...] = ()
    """(recipe of `recipes.provisos`, what it takes besides the arguments): they hold before anything is done."""
    switch: str = ""
    """For kind "actions": the parameter that chooses one of `parts`."""
    parts: dict[str, ToolPlan] = field(default_factory=dict)
    origin: str = ""
    """For one of these parts: the tool that it is a part of."""
    inert: dict[str, str] = field(default_factory=dict)
    """Parameter -> why no value of it can change a result: the gate takes this for an answer, and shows it."""
    examples: tuple[dict[str, Any], ...] = ()
    """Arguments that work on the seeded state: verification tries them where its own guesses fail."""
    prepared: tuple[tuple[dict[str, Any], tuple[tuple[str, dict[str, Any]], ...]], ...] = ()
    """(arguments, calls before them) that work on the seeded state: an open dialog before it is answered."""
    golden: tuple[tuple[dict[str, Any], Any], ...] = ()
    """(arguments, a value that stands in the result), worked out apart from the code: they become own tests."""
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

    def every(self) -> list[ToolPlan]:
        """The plans of all tools, with those of the actions of a tool in its place."""
        return [part for tool in self.tools for part in (tool.parts.values() if tool.parts else (tool,))]

    def entity_of(self, tool: ToolPlan) -> Entity:
        return self.entities[tool.entity]
