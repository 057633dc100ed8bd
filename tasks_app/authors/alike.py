"""Names of planted records: of their own where the seeded ones have names of their own, in their spelling.

A copy that keeps a name makes two records answer to it: what is then written by name lands in the other one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tasks_app.engine.columns import Column

NAMING = frozenset({"label", "place", "url"})
_JOINTS = (".", "-", "_", "")
_SHORTEST = 3


def names_records(column: Column) -> bool:
    """Whether a column tells its records apart by a word of the service's own, as the handle of a user does."""
    return column.unique and column.kind in NAMING and not column.many and not column.choices


def respelled(column: Column, like: Mapping[str, Any], record: Mapping[str, Any], beside: Iterable[Column]) -> str:
    """The cell of a record that spells another of its cells, as in `like`: the domain of a firm; "" when none does."""
    cell = like[column.field]
    for other in beside:
        source = like.get(other.field)
        if other.field == column.field or not isinstance(source, str) or not isinstance(record.get(other.field), str):
            continue
        for joint in _JOINTS:
            stem = _spelling(source, joint)
            if len(stem) >= _SHORTEST and cell.startswith(stem) and record[other.field] != source:
                return f"{_spelling(record[other.field], joint)}{cell[len(stem) :]}"
    return ""


def _spelling(text: str, joint: str) -> str:
    """The words of a name, or of the part of an address before the @, in small letters around a joint."""
    return joint.join(re.findall(r"\w+", text.partition("@")[0].lower()))


def of_one_person(columns: Sequence[Column]) -> Iterator[tuple[Column, Column]]:
    """(address, name) of the columns that speak of one person: `sender` and `sender_name`, `email` and `name`."""
    for address in columns:
        stem = address.field.replace("_email", "").replace("email", "")
        for name in columns if address.kind == "email" and not address.many else ():
            own = name.field.replace("_name", "").replace("name", "").replace("full", "").strip("_")
            if name.kind == "person" and own == stem:
                yield address, name


def address_of(name: str, like: str) -> str:
    """The address of a person at the company of another one."""
    return f"{name.lower().replace(' ', '.')}@{like.partition('@')[2]}"


def name_in(address: str) -> str:
    """The name that an address spells; "" for one that spells none."""
    local = address.partition("@")[0]
    return " ".join(part.capitalize() for part in local.split(".")) if re.fullmatch(r"[a-z]+\.[a-z]+", local) else ""
