"""Records, tables and the state of a service, as its tools see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError

from services_app.engine.errors import ServiceDefect, ToolError, not_found
from services_app.engine.fields import Semantic, semantic_of
from services_app.engine.plain import JsonValue
from services_app.engine.store import Store, TableKey


@dataclass(frozen=True, slots=True)
class About:
    """What people call the records of a table.

    noun, plural  "support ticket", "support tickets"
    prefix        of generated ids: "TKT-" gives TKT-0001
    width         of the number in generated ids
    key           the field people use to name a record (a subject, an email, a number); "" if none
    carrier       "note" for short remarks on a parent, "document" for long text of its own, "" for neither
    """

    noun: str
    plural: str = ""
    prefix: str = ""
    width: int = 4
    key: str = ""
    carrier: str = ""


class Record(BaseModel):
    """A frozen row. Subclasses give fields and, if wanted, `about`. Nested sequences are tuples."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)
    about: ClassVar[About] = About("record")

    id: str

    def plain(self) -> dict[str, JsonValue]:
        """A fresh JSON dict of this record."""
        return self.__pydantic_serializer__.to_python(self, mode="json")  # type: ignore[no-any-return]

    def changed(self, **changes: object) -> Self:
        """A validated copy with `changes` applied."""
        validated: Self = type(self).__pydantic_validator__.validate_python({**self.__dict__, **changes})
        return validated

    @classmethod
    def semantics(cls) -> dict[str, Semantic]:
        """Meaning of each field that has one."""
        found = {name: semantic_of(field.annotation, field.metadata) for name, field in cls.model_fields.items()}
        found["id"] = Semantic("id")
        return {name: meaning for name, meaning in found.items() if meaning is not None}


R = TypeVar("R", bound=Record)


class Table(Generic[R]):
    """One collection of a service's state. Iterates in insertion order."""

    __slots__ = ("_about", "_key", "_store", "record_type")

    def __init__(self, store: Store, key: TableKey, record_type: type[R]) -> None:
        self._store = store
        self._key = key
        self._about = record_type.about
        self.record_type = record_type

    def _rows(self) -> dict[str, R]:
        return self._store.rows[self._key]  # type: ignore[return-value]

    def __iter__(self) -> Iterator[R]:
        return iter(tuple(self._rows().values()))

    def __len__(self) -> int:
        return len(self._rows())

    def __contains__(self, identity: object) -> bool:
        return identity in self._rows()

    def get(self, identity: str) -> R:
        """The record with this id, or the tool error `not_found`."""
        record = self._rows().get(identity)
        if record is None:
            raise not_found(self._about.noun, identity)
        return record

    def find(self, **equal: object) -> list[R]:
        """All records whose fields equal the given values, in order."""
        if len(equal) == 1:  # by far the most common, and three times as fast without the inner loop
            ((only, wanted_value),) = equal.items()
            return [row for row in self._rows().values() if row.__dict__[only] == wanted_value]
        wanted = tuple(equal.items())
        return [row for row in self._rows().values() if all(row.__dict__[name] == value for name, value in wanted)]

    def first(self, **equal: object) -> R | None:
        """The first record whose fields equal the given values."""
        wanted = tuple(equal.items())
        for row in self._rows().values():
            if all(row.__dict__[name] == value for name, value in wanted):
                return row
        return None

    def where(self, predicate: Callable[[R], bool]) -> list[R]:
        """All records for which `predicate` holds, in order."""
        return [row for row in self._rows().values() if predicate(row)]

    def count(self, **equal: object) -> int:
        return len(self.find(**equal)) if equal else len(self._rows())

    def new_id(self) -> str:
        """The next id of this table, readable and sequential."""
        return f"{self._about.prefix}{self._store.next_number(self._key):0{self._about.width}d}"

    def create(self, **fields: object) -> R:
        """Validate and add a record with the next id."""
        return self.add(self.record_type.model_validate({"id": self.new_id(), **fields}))

    def add(self, record: R) -> R:
        """Add a record whose id is not taken yet."""
        if record.id in self._rows():
            raise ToolError(409, "duplicate_id", f"A {self._about.noun} with id {record.id!r} exists already.")
        self._store.put(self._key, record)
        return record

    def patch(self, identity: str, **changes: object) -> R:
        """Replace fields of a record; the whole record is validated again. The id cannot change."""
        if "id" in changes:
            raise ServiceDefect("patch cannot change an id")
        record = self.get(identity).changed(**changes)
        self._store.put(self._key, record)
        return record

    def delete(self, identity: str) -> R:
        """Remove a record and return it."""
        record = self.get(identity)
        self._store.remove(self._key, identity)
        return record


class State:
    """Base of a service's state: annotate each collection, `tickets: Table[Ticket]`."""

    def __init__(self, store: Store, service: str) -> None:
        for name, record_type in table_types(type(self)).items():
            setattr(self, name, Table(store, (service, name), record_type))


_TABLE_TYPES: dict[type[State], dict[str, type[Record]]] = {}


def table_types(state_type: type[State]) -> dict[str, type[Record]]:
    """Table name -> record type of a state class, in the order written."""
    known = _TABLE_TYPES.get(state_type)
    if known is None:
        known = {}
        for name, annotation in get_type_hints(state_type).items():
            arguments = get_args(annotation)
            if not arguments or not issubclass(arguments[0], Record):
                raise ServiceDefect(f"{state_type.__name__}.{name} must be annotated Table[SomeRecord]")
            known[name] = arguments[0]
        _TABLE_TYPES[state_type] = known
    return known


def parse_rows(record_type: type[R], rows: list[Any]) -> dict[str, R]:
    """Validated records by id; raises ServiceDefect naming the first bad row."""
    parsed: dict[str, R] = {}
    for index, row in enumerate(rows):
        try:
            record = record_type.model_validate(row)
        except ValidationError as error:
            raise ServiceDefect(f"{record_type.__name__} {index} is not valid: {summary(error)}") from error
        if record.id in parsed:
            raise ServiceDefect(f"{record_type.__name__} id {record.id!r} occurs twice")
        parsed[record.id] = record
    return parsed


def summary(error: ValidationError) -> str:
    """One line for a validation error: `path: message; ...`."""
    parts = [
        f"{'.'.join(map(str, item['loc'])) or 'record'}: {item['msg']}" for item in error.errors(include_url=False)[:5]
    ]
    return "; ".join(parts)
