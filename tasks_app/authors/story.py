"""What a story consists of while it is being planned: places, carried values, goals. Meaning first, words later."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

from tasks_app.authors.phrasebook import Act, Both
from tasks_app.engine.columns import Column
from tasks_app.engine.program import Expression
from tasks_app.engine.task import StateEdit

How = Literal["field", "text", "note", "ranked", "total", "derived", "generated", "policy"]


class Rejection(Exception):  # noqa: N818 - an expected outcome of an attempt, not an error
    """This attempt leads nowhere; `reason` is counted."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unfed(Rejection):
    """One service of the walk has nothing for the next, however its visit is planned."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """No attempt gave a proven task; `reasons` says how often each thing stopped one."""

    attempts: int
    reasons: Counter[str]


@dataclass(frozen=True, slots=True)
class Need:
    """What the next visit has to be fed with."""

    kind: str
    unit: str = ""
    choices: tuple[str, ...] = ()
    like: Any = None
    names_record: bool = False
    """The value is the name or number of a record, so notes speak of the record."""
    noun: str = ""
    """Noun of that record, or of the value."""
    short: str = ""
    """The field alone, for "the agreed priority"."""
    known: bool = True
    """The value has to be known while planning."""
    numbers: tuple[float, ...] = ()
    """Numbers that the write which takes it was seen to accept."""
    when: str = ""
    """For dates: "past" or "future" when only one side of today is taken."""
    any_kind: bool = False
    """Goes into free text, so other kinds do as well."""
    own: bool = False
    """Replaces the address or name of the record itself: another one of the same person, not somebody else's."""
    ruled: bool = False
    """Is compared with the bounds of a rule."""
    meanings: tuple[str, ...] = ()
    """Classes of facts that are taken; () for any that is of the kind, or of any kind where `kind` is ""."""
    facts: frozenset[str] | None = None
    """The facts that are taken, as `issues/issues.due_date`; None: all of these classes."""


@dataclass(slots=True)
class Carried:
    """A value that one visit shows and the next one needs: an edge of the graph."""

    register_name: str
    kind: str
    how: How
    visit: int
    noun: str
    source: Place | None
    unit: str = ""
    value: Any = None
    """None when it is only known at run time."""
    alternative: Any = None
    choices: tuple[str, ...] = ()
    ablation: list[StateEdit] = field(default_factory=list)
    detail: dict[str, Any] = field(default_factory=dict)
    """What the words need: column, child table, rank, the number a policy looks at."""
    stale: bool = False
    names_record: bool = False
    own: bool = False
    """Another address or name of somebody, not somebody else."""
    used: bool = False
    alias: Both = ("", "")
    """What the text that states it calls it."""
    called: Both | None = None
    """What a phrase book calls it, with {} for the record that shows it."""
    fact: str = ""
    """Which fact of a phrase book it is, as `issues/issues.due_date`."""


@dataclass(slots=True)
class Place:
    """A record that the story leads to."""

    service: str
    table: str
    id: str
    decoy: str
    visit: int
    key: str
    """Column by which it is found; "" when reached over a reference."""
    key_expression: Expression
    key_value: Any
    found_by: Carried | None = None
    reached_from: Place | None = None
    over: Column | None = None
    """Reference that leads here from `reached_from`."""
    registers: dict[str, str] = field(default_factory=dict)
    """Column -> register that holds it."""
    made: dict[tuple[str, str], int] = field(default_factory=dict)
    """(tool, parameter) -> number of the read call already made for this record."""
    children_read: set[str] = field(default_factory=set)
    """Child tables from which a value was read: writes must not add to them."""
    depth: int = 1
    shown: bool = False
    """Some value has been taken from it."""
    start: str = ""
    """The read by which it is found; "" for any."""
    via: str = ""
    """A read that shows its values where it can; "" for the shortest way."""
    label: tuple[Column | None, Any] | None = None
    """For a part of `reached_from`: the column and value by which it is told from its siblings, if it has any."""
    gone: bool = False
    """A write of the story removes it: nothing is read there any more."""


@dataclass(slots=True)
class Stated:
    """A literal that the instruction states. `kind` and `unit` decide how."""

    value: Any
    kind: str
    unit: str = ""


@dataclass(slots=True)
class Goal:
    """One thing to be done: a write."""

    visit: int
    service: str
    tool: str
    call: int
    slots: dict[str, Place | Carried | Stated]
    """Parameter -> what fills it."""
    texts: dict[str, Carried]
    """Free text parameter -> the value it has to state."""
    act: Act | None = None
    """What a phrase book calls it, and which arguments it is given."""
    also: list[Carried] = field(default_factory=list)
    """What the text in which its act tells something has to state as well."""
    present: str = ""
    """Name of a record like the one it adds that is there already."""

    def reasons(self, value: Carried) -> tuple[Both, ...]:
        """Why people would tell a value where the act tells something."""
        return self.act.reasons(self.act.tells, value.fact) if self.act is not None else ()
