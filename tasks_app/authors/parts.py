"""Records inside others: the line of an invoice, the poll of a meeting. People name them with what holds them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from tasks_app.authors.access import Reach
from tasks_app.engine.columns import Column

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
