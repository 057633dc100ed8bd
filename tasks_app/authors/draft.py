"""The initial state while it is being planned: planted and changed records over the seeded ones, as plain JSON."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from services_app.engine.protocol import Environment
from tasks_app.authors.access import Reach
from tasks_app.authors.alike import address_of, name_in, names_records, of_one_person, respelled
from tasks_app.authors.story import Rejection
from tasks_app.engine.columns import Column
from tasks_app.engine.task import StateEdit
from tasks_app.engine.values import NoFreshValueError, Values

FAMILY_SIZE = 3
FAMILY_DEPTH = 2
SPELT = 4  # records that are looked at for whether ids spell names
_REFRESHED = frozenset({"code", "email", "organisation", "person", "title", "phone", "product"})


class Draft:
    """Rows are read from the environment when needed; every change ends up in `edits`."""

    def __init__(
        self, environment: Environment, reaches: Mapping[str, Reach], rng: random.Random, values: Values
    ) -> None:
        self._environment = environment
        self._reaches = reaches
        self._rng = rng
        self._values = values
        self._models: dict[tuple[str, str], frozenset[str]] = {}
        self._rows: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
        self._family: set[tuple[str, str, str]] = set()
        self._planted: dict[tuple[str, str, str], dict[str, Any]] = {}
        self._patches: dict[tuple[str, str, str], dict[str, Any]] = {}
        self._fixed: set[tuple[str, str, str, str]] = set()
        self._kept: set[tuple[str, str, str, str]] = set()

    def copy_only(self, service: str, table: str, identities: frozenset[str]) -> None:
        """Records planted from now on are like these: rows that reads can see."""
        if identities:
            self._models[(service, table)] = identities

    def rows(self, service: str, table: str) -> dict[str, dict[str, Any]]:
        key = (service, table)
        if key not in self._rows:
            self._rows[key] = {row["id"]: row for row in self._environment.rows(service, table)}
        return self._rows[key]

    def row(self, service: str, table: str, identity: str) -> dict[str, Any]:
        return self.rows(service, table)[identity]

    def edits(self) -> tuple[StateEdit, ...]:
        planted = [StateEdit(service=s, table=t, id=i, record=row) for (s, t, i), row in self._planted.items()]
        patched = [StateEdit(service=s, table=t, id=i, patch=patch) for (s, t, i), patch in self._patches.items()]
        return (*planted, *patched)

    def plant(
        self,
        service: str,
        table: str,
        overlay: Mapping[str, Any],
        *,
        kept: Mapping[str, Any] | None = None,
        family: bool = True,
    ) -> str:
        """Add a record like the seeded ones, with the cells of `overlay`, which are then settled.

        `kept` are cells that must stay at the start and that a write of the story may change: a default filter.

        With `family` it gets records beside it like its model has: lines, shares, remarks.
        """
        rows = self.rows(service, table)
        if not rows:
            raise Rejection("a table without seeded records")
        models = self._models.get((service, table))
        like = self._rng.choice([row for row in rows.values() if models is None or row["id"] in models])
        identity = self._new_id(rows)
        columns = self._reaches[service].table_columns(table)
        overlay = {**(kept or {}), **overlay}
        record = {**like, "id": identity, **self._refreshed(columns, like, overlay), **overlay}
        self._pair_people(columns, record, overlay)
        self._name(columns, like, record, overlay)
        identity = record["id"] = self._spelt_id(columns, record, rows) or identity
        rows[identity] = record
        self._planted[(service, table, identity)] = record
        self._kept |= {(service, table, identity, name) for name in kept or {}}
        self._fixed |= {(service, table, identity, name) for name in overlay if name not in (kept or {})}
        if family:
            self._adopt(service, table, like["id"], identity)
        return identity

    def _adopt(self, service: str, table: str, model: str, identity: str, depth: int = FAMILY_DEPTH) -> None:
        """Plant records beside a planted one like its model has them, and beside these: a secret has a version."""
        for reference, child in family_of(self._reaches[service], lambda t: self.rows(service, t), table, model):
            rows = self.rows(service, reference.table)
            columns = self._reaches[service].table_columns(reference.table)
            own = self._new_id(rows)
            record = {**child, "id": own, **self._refreshed(columns, child, {}), reference.field: identity}
            self._name(columns, child, record, {reference.field: identity})
            rows[own] = record
            self._planted[(service, reference.table, own)] = record
            self._family.add((service, reference.table, own))
            if depth > 1:
                self._adopt(service, reference.table, child["id"], own, depth - 1)

    def clear_family(self, service: str, reference: Column, parents: Sequence[str]) -> None:
        """Take back the records planted beside `parents`. Raises Rejection when the story uses others there."""
        rows = self.rows(service, reference.table)
        for identity in [i for i, row in rows.items() if row.get(reference.field) in parents]:
            key = (service, reference.table, identity)
            if key not in self._family:
                raise Rejection("records beside a record are in use")
            for column in self._reaches[service].columns.values():
                if column.target == reference.table and column.table != reference.table and not column.many:
                    self.clear_family(service, column, (identity,))
            self._family.remove(key)
            del rows[identity], self._planted[key]

    def _refreshed(self, columns: list[Column], like: Mapping[str, Any], overlay: Mapping[str, Any]) -> dict[str, Any]:
        """Columns that are unique in the seeded rows stay unique."""
        found: dict[str, Any] = {}
        for column in columns:
            if column.field in overlay or column.many or not column.unique or column.kind not in _REFRESHED:
                continue
            if like[column.field] not in (None, ""):
                found[column.field] = self.fresh(column, like[column.field])
        return found

    def _name(
        self, columns: list[Column], like: Mapping[str, Any], record: dict[str, Any], overlay: Mapping[str, Any]
    ) -> None:
        """Give the record names of its own. Raises Rejection where none can be made up."""
        for column in columns:
            name = like[column.field]
            if column.field in overlay or not names_records(column) or not isinstance(name, str) or not name:
                continue
            try:
                record[column.field] = respelled(column, like, record, columns) or self._values.alike(name)
            except NoFreshValueError as error:
                raise Rejection("no fresh value") from error

    @staticmethod
    def _spelt_id(columns: list[Column], record: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]]) -> str:
        """An id that spells the name of its record, where those of others do; "" elsewhere."""
        column = Column("", "id", "id")
        spelt = (respelled(column, like, record, columns) for like in islice(rows.values(), SPELT))
        return next((own for own in spelt if own and own not in rows), "")

    def fresh(self, column: Column, like: Any = None) -> Any:
        try:
            return self._values.fresh(column.kind, like, column.choices)
        except NoFreshValueError as error:
            raise Rejection("no fresh value") from error

    @staticmethod
    def _pair_people(columns: list[Column], record: dict[str, Any], overlay: Mapping[str, Any]) -> None:
        """`sender` and `sender_name`, `name` and `email` speak of one person: the name follows the address."""
        for address, name in of_one_person(columns):
            if not isinstance(record.get(address.field), str):
                continue
            if name.field in overlay and address.field not in overlay:
                record[address.field] = address_of(record[name.field], record[address.field])
            elif name.field not in overlay:
                record[name.field] = name_in(record[address.field]) or record[name.field]

    def of_the_person(self, service: str, table: str, identity: str, field: str, value: Any) -> Any:
        """A name or address for a cell, as the person has it whose other cell the story has settled."""
        row = self.row(service, table, identity)
        for address, name in of_one_person(self._reaches[service].table_columns(table)):
            if field == address.field and (service, table, identity, name.field) in self._fixed and row[name.field]:
                return address_of(row[name.field], value)
            if field == name.field and (service, table, identity, address.field) in self._fixed and row[address.field]:
                return name_in(row[address.field]) or value
        return value

    def free(self, service: str, table: str, identity: str, field: str) -> bool:
        """Whether the story has not settled this cell yet."""
        cell = (service, table, identity, field)
        return cell not in self._fixed and cell not in self._kept

    def writable(self, service: str, table: str, identity: str, field: str) -> bool:
        """Whether a write of the story may replace this cell."""
        return (service, table, identity, field) not in self._fixed

    def claim(self, service: str, table: str, identity: str, field: str) -> None:
        """Settle a cell that a write of the story will replace. Raises Rejection when it is settled already."""
        if not self.writable(service, table, identity, field):
            raise Rejection("a cell would be written twice")
        self._fixed.add((service, table, identity, field))

    def set(self, service: str, table: str, identity: str, cells: Mapping[str, Any]) -> None:
        """Settle cells of a record. Raises Rejection when one is settled already."""
        for name in cells:
            if not self.free(service, table, identity, name):
                raise Rejection("a cell would be written twice")
        self._fixed |= {(service, table, identity, name) for name in cells}
        self.adjust(service, table, identity, cells)

    def adjust(self, service: str, table: str, identity: str, cells: Mapping[str, Any]) -> None:
        """Change cells without settling them (states that a write needs)."""
        row = self.row(service, table, identity)
        row.update(cells)
        key = (service, table, identity)
        if key not in self._planted:
            self._patches.setdefault(key, {}).update(cells)

    def _new_id(self, rows: Mapping[str, Any]) -> str:
        """An unused id of the same pattern, inside the range of ids where there is room."""
        numbered = [parts for identity in rows if (parts := _numbered(identity))]
        stems = dict.fromkeys(stem for stem, _, _ in numbered)
        if len(numbered) < len(rows) or len(stems) > max(1, len(rows) // 3):
            return self._random_id(rows, next(iter(rows)))
        stem, _, width = numbered[0] if len(stems) == 1 else self._rng.choice(numbered)
        high = max(number for other, number, _ in numbered if other == stem)
        for _ in range(200):
            identity = f"{stem}{self._rng.randint(high // 2 + 1, high + 40):0{width}d}"
            if identity not in rows:
                return identity
        raise Rejection("no free id")

    def _random_id(self, rows: Mapping[str, Any], sample: str) -> str:
        for _ in range(200):
            letters = [self._same_class(letter) for letter in sample]
            identity = "".join(letters)
            if identity not in rows:
                return identity
        raise Rejection("no free id")

    def _same_class(self, letter: str) -> str:
        if letter.isdigit():
            return self._rng.choice("0123456789")
        if letter in "abcdef":
            return self._rng.choice("abcdef")
        return self._rng.choice("ghjkmnpqrstuvwxyz") if letter.islower() else letter


@lru_cache(maxsize=1 << 16)  # the ids of seeded records are taken apart for each record that is planted beside them
def _numbered(identity: str) -> tuple[str, int, int] | None:
    """(stem, number, digits) of an id that ends with a number."""
    match = re.fullmatch(r"(.*?)(\d+)", identity)
    return None if match is None else (match[1], int(match[2]), len(match[2]))


def family_of(
    reach: Reach, rows: Callable[[str], Mapping[str, dict[str, Any]]], table: str, model: str
) -> list[tuple[Column, dict[str, Any]]]:
    """(reference column, record) of the records that cannot be without `model`, a few of each table."""
    found = []
    for column in reach.columns.values():
        if column.target != table or column.table == table or column.many or column.nullable:
            continue
        beside = [row for row in rows(column.table).values() if row.get(column.field) == model]
        found += [(column, row) for row in beside[:FAMILY_SIZE]]
    return found
