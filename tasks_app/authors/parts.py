"""Records inside others: the line of an invoice, the poll of a meeting. People name them with what holds them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from tasks_app.authors.access import Reach
from tasks_app.authors.story import Place, Rejection
from tasks_app.engine.columns import Column
from tasks_app.engine.program import Constant, Register, Where

if TYPE_CHECKING:
    from tasks_app.authors.plan import Plan

_NAMING = frozenset({"title", "label", "product", "code", "email", "person", "organisation"})


class Inside(NamedTuple):
    """How a record is found in the answer about the one that holds it."""

    reference: Column
    """Leads from the part to its whole."""
    label: Column | None
    """What the parts of a whole are called by; None where nothing tells them apart, so that there must be one only."""


def ways_in(reach: Reach, table: str, wholes: Collection[str]) -> list[Inside]:
    """Ways to find a record of `table` inside one of the tables `wholes`, which can be found themselves."""
    references = [
        column
        for column in reach.table_columns(table)
        if column.target in wholes and column.target != table and not column.many
    ]
    labelled = [
        Inside(reference, label)
        for reference in references
        for label in _labels(reach, table)
        if any(listed(reach, key, label) for key in _keys(reach, reference.target))
    ]
    return labelled or [
        Inside(reference, None)
        for reference in references
        if any(_shown(reach, key, table) for key in _keys(reach, reference.target))
    ]


def listed(reach: Reach, key: Column, label: Column, start: str = "") -> bool:
    """Whether the reads from `key` show id and label of the parts side by side."""
    identity = f"{label.table}.id"
    chain = reach.chain(key.key, (f"{key.table}.id", identity, label.key), start)
    if chain is None:
        return False
    (step, path), (other, label_path) = chain.outputs[identity], chain.outputs[label.key]
    return step == other and "[*]" in path and path.rsplit("[*]", 1)[0] == label_path.rsplit("[*]", 1)[0]


def _shown(reach: Reach, key: Column, table: str) -> bool:
    return reach.chain(key.key, (f"{key.table}.id", f"{table}.id")) is not None


def _labels(reach: Reach, table: str) -> Iterator[Column]:
    for column in reach.table_columns(table):
        if column.kind in _NAMING and not column.choices and not column.many and not column.system:
            yield column


def _keys(reach: Reach, table: str) -> list[Column]:
    return [column for column in reach.key_columns() if column.table == table]


def plant_part(plan: Plan, whole: Place, inside: Inside, visit: int, models: frozenset[str]) -> Place:
    """A record inside `whole`, planted beside one that is easily taken for it; `models`: what it resembles."""
    service, label, table = whole.service, inside.label, inside.reference.table
    identity = f"{table}.id"
    reach = plan.reaches[service]
    if label is not None and not listed(reach, reach.columns[whole.key], label, whole.start):
        raise Rejection("the parts of a record are not shown")
    plan.draft.copy_only(service, table, models)
    value, planted = _plant_parts(plan, whole, inside)
    chain, calls = plan.ensure(whole, (identity,) if label is None else (identity, label.key), visit)
    step, path = chain.outputs[identity]
    register = f"{table}_{len(plan.places) + 1}_id"
    where = plan.where(whole, chain, step, path)
    if label is not None:
        where = (*where, Where(path=chain.outputs[label.key][1], value=Constant(value=value)))
    plan.get(register, calls[step], path, where=where)
    whole.children_read.add(table)
    found = Place(
        service=service,
        table=table,
        id=planted[0],
        decoy=planted[1],
        visit=visit,
        key=identity,
        key_expression=Register(name=register),
        key_value=planted[0],
        reached_from=whole,
        over=inside.reference,
        registers={identity: register},
        depth=whole.depth + 1,
        label=(label, value),
    )
    plan.places.append(found)
    return found


def _plant_parts(plan: Plan, whole: Place, inside: Inside) -> tuple[Any, list[str]]:
    """The value that names the part ("" for an only one), and the ids of the part and of its double."""
    service, label, reference = whole.service, inside.label, inside.reference
    if label is None:
        plan.draft.clear_family(service, reference, (whole.id, whole.decoy))
        holders = (whole.id, whole.decoy)
        return "", [plan.draft.plant(service, reference.table, {reference.field: holder}) for holder in holders]
    value, near = plan.names(service, label)
    cells = [(whole.id, value), (whole.id, near), (whole.decoy, value)]
    return value, [
        plan.draft.plant(service, reference.table, {reference.field: holder, label.field: name})
        for holder, name in cells
    ]
