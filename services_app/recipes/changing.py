"""What tools that create, change and remove records share: whose record it is, what is changed, what hangs on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from services_app.engine.errors import ToolError, conflict
from services_app.engine.state import State, Table
from services_app.recipes.records import Arguments, SpecRecord, equal, key

R = TypeVar("R", bound=SpecRecord)


def owned(record: R, arguments: Arguments, names: Mapping[str, str]) -> R:
    """The record, when it lies where the arguments say (in that project, of that owner); else 404.

    `names` maps parameters to fields. A record that was never placed anywhere is found everywhere.
    """
    placed = {name: field for name, field in names.items() if getattr(record, field) is not None}
    if not equal([record], arguments, placed):
        where = " and ".join(f"{name} {arguments[name]!r}" for name in placed if name in arguments)
        raise ToolError(404, "not_found", f"No {record.about.noun} with id {record.id!r} under {where}.")
    return record


def needed(arguments: Arguments, names: Sequence[str]) -> None:
    """400 unless each of these arguments was sent."""
    missing = [name for name in names if arguments.get(name) in (None, "")]
    if missing:
        raise ToolError(400, "missing_argument", f"Give {', '.join(missing)}: this action needs it.")


def unknown_action(name: str, value: object, known: Sequence[str]) -> ToolError:
    """400 for an action that a tool does not have."""
    return ToolError(400, "unknown_action", f"{name} must be one of {', '.join(known)}, not {value!r}.")


def pick_within(table: Table[R], arguments: Arguments, names: Mapping[str, str]) -> R:
    """The record with all the values sent, such as a number within a project; 404 when there is none."""
    found = equal(table, arguments, names)
    named, *rest = names
    identity = key(arguments.get(named))
    if not found and identity in table and not identity.isdigit():  # "ID or number": digits are the number
        found = equal([table.get(identity)], arguments, {name: names[name] for name in rest})
    if not found:
        said = ", ".join(f"{name} {arguments[name]!r}" for name in names if name in arguments)
        raise ToolError(404, "not_found", f"No {table.record_type.about.noun} with {said}.")
    return found[0]


def count_up(table: Table[R], values: dict[str, Any], field: str, under: Sequence[str]) -> None:
    """Give a new record the next number among those with the same values in the fields `under`."""
    if values.get(field) is None:
        placed = {name: name for name in under if values.get(name) is not None}
        taken = [int(getattr(row, field) or 0) for row in equal(table, values, placed)]
        number = max(taken, default=0) + 1
        text = "str" in str(table.record_type.model_fields[field].annotation)
        values[field] = str(number) if text else number


def something(changes: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The changes; 400 when there are none."""
    if not changes:
        raise ToolError(400, "nothing_to_change", f"Say what to change: give at least one of {', '.join(names)}.")
    return dict(changes)


def spread(sent: object, held: str, names: Mapping[str, str], record: SpecRecord | None = None) -> dict[str, Any]:
    """The fields that an object names (`names`: as the caller spells them -> fields), and the rest under `held`.

    What a record holds there already stays, apart from what the object says anew.
    """
    if not isinstance(sent, Mapping):
        return {}
    known = {names[name]: value for name, value in sent.items() if name in names}
    rest = {name: value for name, value in sent.items() if name not in names}
    before = record.plain().get(type(record).model_fields[held].alias or held) if record is not None else None
    return {**known, held: {**before, **rest} if isinstance(before, Mapping) else rest}


def grown(record: R, arguments: Arguments, adds: Mapping[str, str], strips: Mapping[str, str]) -> dict[str, Any]:
    """Fields with several values, with those that the arguments add and without those that they take away."""
    changes: dict[str, Any] = {}
    for name, field in (*adds.items(), *strips.items()):
        if name not in arguments:
            continue
        sent = arguments[name] if isinstance(arguments[name], list) else [arguments[name]]
        values = list(changes.get(field, getattr(record, field)) or ())
        if name in adds:
            changes[field] = tuple(dict.fromkeys([*values, *sent]))
        else:
            changes[field] = tuple(value for value in values if value not in sent)
    return changes


def named(table: Table[R], value: object) -> str:
    """The id for a new record: the one that the caller chose, 409 when it is taken; else the next one."""
    if value is None or value == "":
        return table.new_id()
    if key(value) in table:
        raise conflict(f"A {table.record_type.about.noun} {key(value)!r} exists already.", type="already_exists")
    return key(value)


def unique(table: Table[R], values: Mapping[str, Any], fields: Sequence[str]) -> None:
    """409 when a record has the same values in all of these fields already."""
    wanted = {field: values[field] for field in fields if values.get(field) is not None}
    exact = {field: [value] for field, value in wanted.items()}
    if len(wanted) == len(fields) and equal(table, exact, {field: field for field in fields}):
        named_by = ", ".join(f"{field} {value!r}" for field, value in wanted.items())
        raise conflict(f"A {table.record_type.about.noun} with {named_by} exists already.", type="already_exists")


def once(table: Table[R], value: object, field: str) -> R | None:
    """The record that an earlier call with the same idempotency key made; None when there was none."""
    return None if value is None else table.first(**{field: value})


def referring(state: State, table: Table[Any], identity: str) -> Iterator[tuple[Table[Any], Any, str]]:
    """(table, record, field) of every record that refers to this one by its id."""
    mine = table.record_type
    name = next(name for name, other in vars(state).items() if other.record_type is mine)
    for other in vars(state).values():
        fields = [field for field, meaning in other.record_type.semantics().items() if meaning.target == name]
        for row in other:
            for field in fields:
                value = getattr(row, field)
                held = value if isinstance(value, tuple) else (value,)
                if identity in map(key, held) and not (other is table and row.id == identity):
                    yield other, row, field


def refuse_used(state: State, table: Table[Any], record: SpecRecord, forced: object) -> None:
    """409 when other records refer to this one, unless the caller insists."""
    if forced:
        return
    users = [f"{other.record_type.about.noun} {row.id}" for other, row, _ in referring(state, table, record.id)]
    if users:
        more = f" and {len(users) - 3} more" if len(users) > 3 else ""
        raise conflict(f"{record.id} is in use by {', '.join(users[:3])}{more}.", type="in_use")


def repoint(state: State, table: Table[Any], old: str, new: str | None) -> int:
    """Let what refers to one record refer to another (to none when it is None); how many fields that changed."""
    found = list(referring(state, table, old))
    for other, row, field in found:
        value = getattr(other.get(row.id), field)
        if isinstance(value, tuple):
            swapped = [new if key(item) == old else item for item in value]
            changed: Any = tuple(dict.fromkeys(item for item in swapped if item is not None))
        else:
            changed = int(new) if isinstance(value, int) and new is not None else new
        other.patch(row.id, **{field: changed})
    return len(found)


def remove_with_parts(state: State, table: Table[Any], identity: str, *, deep: bool = False) -> list[str]:
    """Remove a record and its parts, further down too; the ids that are gone.

    A part names the record by what it is (`board_id` of a card on a board); what points at it in another way stays,
    without it. Further down (`deep`), what also belongs to something else stays as well.
    """
    gone = [table.delete(identity).id]
    for other, row, field in list(referring(state, table, identity)):
        if row.id not in other:
            continue
        if isinstance(getattr(row, field), tuple):
            kept = tuple(item for item in getattr(other.get(row.id), field) if key(item) != identity)
            other.patch(row.id, **{field: kept})
        elif _is_part(row, field, table, deep=deep):
            gone += remove_with_parts(state, other, row.id, deep=True)
        else:
            other.patch(row.id, **{field: None})
    return gone


def _is_part(row: Any, field: str, table: Table[Any], *, deep: bool) -> bool:
    """Whether a record goes with the one that its field names."""
    if type(row).model_fields[field].is_required():
        return True
    words = {*table.record_type.about.noun.replace(" ", "_").split("_"), "parent"}
    others = [name for name, meaning in row.semantics().items() if meaning.target and name != field]
    elsewhere = deep and any(isinstance(getattr(row, name), str) for name in others)
    return bool(words & set(field.split("_"))) and not elsewhere


def renamed(state: State, table: Table[R], record: R, name: object, field: str) -> R:
    """The record under another natural key; what refers to it follows. 409 when the name is taken."""
    identity = key(name)
    if identity == record.id:
        return record
    if identity in table:
        raise conflict(f"A {record.about.noun} {identity!r} exists already.", type="already_exists")
    moved = table.record_type.model_validate({**record.__dict__, "id": identity, field: name})
    repoint_after = [(other, row, held) for other, row, held in referring(state, table, record.id)]
    table.delete(record.id)
    added = table.add(moved)
    for other, row, held in repoint_after:
        value = getattr(other.get(row.id), held)
        new = tuple(identity if item == record.id else item for item in value) if isinstance(value, tuple) else identity
        other.patch(row.id, **{held: new})
    return added
