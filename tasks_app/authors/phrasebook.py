"""How colleagues speak of a service: what they call its records, which facts they pass on, what they ask for.

A phrase book is written by hand, one file for each service, in English and Chinese. It decides which values may go
where: a fact goes only into what takes facts of its class (a due date, a contract number), or into a text that
tells it. Services without a book are spoken of by their descriptions.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

FOLDER = Path(__file__).parent / "phrases"
SLOT = re.compile(r"\{(\w*)\}")

Words = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Both = tuple[Words, Words]
"""The same in English and in Chinese."""


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class RecordWords(_Entry):
    """What records of one table are called."""

    noun: Both
    called: Both | None = None
    """With the name in place of {}; for a part, of {whole} as well. None: the noun, then the name."""
    keys: tuple[str, ...] = ()
    """Fields by which people name such a record, the usual one first."""
    names: tuple[Words, ...] = ()
    """Names such records bear; {topic} is the subject of the story."""
    news: str = ""
    """Where people write down what was agreed about it: a text of its own, or `table.field` of its remarks."""
    news_called: Both | None = None


class Fact(_Entry):
    """Something that reads show about a record and that people pass on."""

    of: str
    show: str = ""
    """A field of the record; with `among`, of its child records."""
    figure: str = ""
    """`tool $.path` of a number that the service works out."""
    among: str = ""
    by: str = ""
    """With `among`: the field by which one child stands out; without it, the sum over all children is meant."""
    meaning: str = Field(alias="is")
    called: Both
    also: tuple[Both, ...] = ()
    """Other words for it: "the day that {} is due"."""
    least: Both | None = None
    """With `by`: what the other end is called; `called` is the most or the latest."""

    @property
    def name(self) -> str:
        """How acts refer to it: `issues.due_date`, `sprints.issues.due_date` for a child, the figure's own name."""
        if self.figure:
            return f"{self.of}.{self.figure.rpartition('.')[2]}"
        return ".".join(part for part in (self.of, self.among, self.show) if part)


class Source(_Entry):
    """Facts of other services that people put into a parameter of an act, and why they do."""

    into: str
    """The parameter, or the text that tells."""
    facts: tuple[str, ...]
    """As `issues/issues.due_date`: service and `Fact.name`."""
    why: tuple[Both, ...] = ()


class Act(_Entry):
    """Something that people ask for: a write, with just the arguments that its words speak of."""

    tool: str
    say: Both
    also: tuple[Both, ...] = ()
    """Other ways to ask for it, verb phrases like `say`."""
    told: tuple[Both, ...] = ()
    """Ways to ask for it in whole sentences, without the last full stop."""
    tells: str = ""
    """The text in which a fact is passed on."""
    fits: tuple[str, ...] = ()
    """With `tells`: the classes of facts that people would pass on there; () for those that anybody may be told."""
    takes: dict[str, tuple[str, ...]] = {}
    """Parameter -> classes of facts that it may be given."""
    sources: tuple[Source, ...] = Field(default=(), alias="from")
    """The facts of other services that go into it. A parameter left out takes every fact of its classes."""
    says: dict[str, tuple[str | int | float, ...]] = {}
    """Parameter -> what may be stated there; {topic} as in names."""
    single: str = ""
    """Parameter that names what is added where people do not want it twice: another one may be there already."""
    why: tuple[Both, ...] = ()

    @property
    def open(self) -> tuple[str, ...]:
        """What takes a fact: the parameters named in `takes`, and the text that tells."""
        return (*self.takes, *([self.tells] if self.tells else ()))

    @property
    def fed(self) -> tuple[str, ...]:
        """Those of them by which a value may come in: where a text has to tell something, it comes in there."""
        return (self.tells,) if self.tells and self.tells not in self.says else self.open

    def listed(self, parameter: str) -> frozenset[str] | None:
        """The facts that go into a parameter; None where each of its classes does."""
        found = [source for source in self.sources if source.into == parameter]
        return frozenset(fact for source in found for fact in source.facts) if found else None

    def reasons(self, parameter: str, fact: str) -> tuple[Both, ...]:
        """Why people put a fact into a parameter."""
        return next((one.why for one in self.sources if one.into == parameter and fact in one.facts), ())

    @property
    def slots(self) -> frozenset[str]:
        return frozenset(SLOT.findall(self.say[0]))


class PhraseBook(_Entry):
    """All that is said about one service."""

    area: str
    records: dict[str, RecordWords]
    facts: tuple[Fact, ...]
    acts: tuple[Act, ...]
    labels: dict[str, Words] = {}
    """Value of a set -> its Chinese."""


@cache
def book_of(slug: str) -> PhraseBook | None:
    """The phrase book of a service; None where there is none. Raises ValueError for a file that is no book."""
    path = FOLDER / f"{slug}.toml"
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", slug) or not path.exists():
        return None
    return PhraseBook.model_validate(tomllib.loads(path.read_text("utf-8")))
