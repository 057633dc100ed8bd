"""What services built from a specification share: records, their keys, and how arguments name and fill them.

Tools of such services get their arguments as one mapping under the original names, already validated.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import ConfigDict, PlainSerializer, PlainValidator

from services_app.engine.errors import ToolError, conflict, not_found
from services_app.engine.plain import canonical, to_plain
from services_app.engine.state import Record, Table

R = TypeVar("R", bound="SpecRecord")
Arguments = Mapping[str, Any]


def _freeze(value: Any) -> str:
    return value if isinstance(value, _JsonText) else _JsonText(json.dumps(to_plain(value), ensure_ascii=False))


class _JsonText(str):
    """JSON kept as text, so that a frozen record stays frozen all the way down."""

    __slots__ = ()


def _thaw(value: str | None) -> Any:
    return None if value is None else json.loads(value)


Json = Annotated[Any, PlainValidator(_freeze), PlainSerializer(_thaw)]
"""A field that holds any JSON."""


class SpecRecord(Record):
    """A record whose fields show under their original names, whatever Python thinks of these."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)
    unset: ClassVar[tuple[str, ...]] = ()
    """Original names of fields that nobody can send: what writes a record shows them once they hold something."""
    unsaid: ClassVar[tuple[str, ...]] = ()
    """Those of them that no words promise: no tool shows them empty."""


def show(record: SpecRecord, *, integer_id: bool = False) -> dict[str, Any]:
    """A record as agents see it."""
    return _shown(record, record.unsaid, integer_id=integer_id)


def show_written(record: SpecRecord, *, integer_id: bool = False) -> dict[str, Any]:
    """A record as the tool shows it that wrote it just now: without what the service has yet to fill."""
    return _shown(record, record.unset, integer_id=integer_id)


def _shown(record: SpecRecord, unset: Sequence[str], *, integer_id: bool) -> dict[str, Any]:
    plain = {name: value for name, value in record.plain().items() if value is not None or name not in unset}
    if integer_id:
        plain["id"] = int(plain["id"])
    return plain


def key(value: object) -> str:
    """The id under which a table keeps a record that the agent names by `value`."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def pick(table: Table[R], value: object, by: str = "") -> R:
    """The record whose id (or field `by`) is `value`, or 404; 400 when nothing was named."""
    if value is None:
        noun = table.record_type.about.noun
        raise ToolError(400, "missing_argument", f"Say which {noun} is meant: give what names it.")
    if not by or key(value) in table:
        return table.get(key(value))
    found = equal(table, {by: value}, {by: by})
    return found[0] if found else table.get(key(value))


def only(table: Table[R]) -> R:
    """The one record of a table of settings; made when it is missing."""
    return next(iter(table), None) or table.create()


def first_of(rows: Sequence[Any], table: Table[Any]) -> Any:
    """The first of the rows found, or 404."""
    if not rows:
        raise ToolError(404, "not_found", f"No {table.record_type.about.noun} fits the arguments.")
    return rows[0]


def unwrapped(arguments: Arguments, name: str) -> Arguments:
    """The arguments with those inside the object `name` beside the others, which count where both are sent."""
    inner = arguments.get(name)
    rest = {other: value for other, value in arguments.items() if other != name}
    return {**inner, **rest} if isinstance(inner, Mapping) else rest


def without_blanks(arguments: Arguments, blanks: Mapping[str, Any]) -> Arguments:
    """The arguments without those that are the value by which a caller says nothing: an empty id, a 0 for none."""
    return {name: value for name, value in arguments.items() if name not in blanks or value != blanks[name]}


def confirmed(arguments: Arguments, name: str) -> None:
    """400 unless the caller confirmed."""
    if arguments.get(name) is not True:
        raise ToolError(400, "confirmation_required", f"Nothing was changed. Call again with {name} set to true.")


def added(values: Sequence[Any] | None, more: Iterable[Any]) -> tuple[Any, ...]:
    """The values with those of `more` that are not there yet."""
    return tuple(dict.fromkeys([*(values or ()), *more]))


def without(values: Sequence[Any] | None, fewer: Iterable[Any]) -> tuple[Any, ...]:
    """The values without those of `fewer`."""
    gone = list(fewer)
    return tuple(value for value in values or () if value not in gone)


def copied(table: Table[R], source: R, changes: Mapping[str, Any]) -> R:
    """A new record with the fields of another, apart from `changes`."""
    fields = {name: getattr(source, name) for name in type(source).model_fields if name != "id"}
    return table.create(**{**fields, **changes})


def keys_in(value: Any) -> list[Any]:
    """The keys of a list, or those that stand in one text with commas between them."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else list(value)


def require(table: Table[Any], value: object) -> None:
    """404 unless every id in `value` (one, a list, or null) exists."""
    for one in value if isinstance(value, list) else [value]:
        if one is not None and key(one) not in table:
            raise not_found(table.record_type.about.noun, one)


def take(arguments: Arguments, names: Mapping[str, str]) -> dict[str, Any]:
    """The arguments that were sent, under the field names of the record."""
    return {field: arguments[name] for name, field in names.items() if name in arguments}


def refuse_duplicate(table: Table[Any], value: object) -> str:
    """The id for a new record with a natural key; 409 when it is taken."""
    identity = key(value)
    if identity in table:
        raise conflict(f"A {table.record_type.about.noun} named {identity!r} exists already.", type="already_exists")
    return identity


def refuse_there(record: SpecRecord | None) -> None:
    """409 for a record that is there already."""
    if record is not None:
        raise conflict(f"Nothing was made: this {record.about.noun} is there already.", type="already_exists")


def move(table: Table[R], record: R, field: str, status: str) -> R:
    """Set a status; 409 when the record has it already."""
    if getattr(record, field) == status:
        raise conflict(f"The {table.record_type.about.noun} {record.id} is {status} already.", type="no_change")
    return table.patch(record.id, **{field: status})


def equal(rows: Iterable[R], arguments: Arguments, names: Mapping[str, str]) -> list[R]:
    """Rows whose fields equal the arguments sent; for a field with several values, that hold the argument."""
    found = list(rows)
    for name, field in names.items():
        wanted = arguments.get(name)
        if wanted is None or (isinstance(wanted, str) and wanted.casefold() in ("", "all", "any", "*")):
            continue
        options = wanted if isinstance(wanted, list) else [wanted]
        if isinstance(wanted, str) and "," in wanted:  # several values in one text
            options = [wanted, *(part.strip() for part in wanted.split(",") if part.strip())]
        found = [row for row in found if any(_same(getattr(row, field), option) for option in options)]
    return found


def _same(value: object, wanted: object) -> bool:
    if isinstance(value, _JsonText):
        value = _thaw(value)
    if isinstance(value, list):
        value = tuple(value)
    if isinstance(value, tuple):
        return any(_same(item, wanted) for item in value)
    if isinstance(value, str) and isinstance(wanted, str):
        return value.casefold() == wanted.casefold()
    if isinstance(value, str) != isinstance(wanted, str):  # 7 and "7" name the same thing
        return key(value).casefold() == key(wanted).casefold()
    return bool(canonical(value) == canonical(wanted))
