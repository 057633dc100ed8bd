"""The state of one environment: shared frozen records, copy on first write, one journal.

Rows of every table live in `rows[(service, table)]`, a dict id -> record. A fork shares all of them; the
first write to a table after a fork copies that one dict (records are never copied). Every change goes into
`changes`, from which rollback, rewind, diff and the incremental hash are made, so that the cost of a step
does not depend on the size of the state.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from services_app.engine.fields import format_timestamp
from services_app.engine.plain import JsonValue, dumps

if TYPE_CHECKING:
    from services_app.engine.state import Record

TableKey = tuple[str, str]
Rows = dict[str, "Record"]
_MODULUS = 1 << 128

CLOCK_START = "2026-03-02T09:00:00Z"
CLOCK_STEP = dt.timedelta(minutes=1)


class Change(NamedTuple):
    """One change of one record: `before` is None for a new record, `after` for a deleted one."""

    call: int
    service: str
    table: str
    id: str
    before: Record | None
    after: Record | None
    position: int  # where a deleted record stood, so that undo restores the order

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "call": self.call,
            "service": self.service,
            "table": self.table,
            "id": self.id,
            "before": None if self.before is None else self.before.plain(),
            "after": None if self.after is None else self.after.plain(),
        }


def record_digest(record: Record) -> int:
    """A record's contribution to the set hash of its table (128 bit)."""
    return int.from_bytes(hashlib.blake2b(dumps(record.plain()), digest_size=16).digest(), "big")


class Store:
    """Mutable state of one environment. Not thread-safe: one environment, one caller."""

    __slots__ = (
        "_folded",
        "_hashes",
        "_owned",
        "call",
        "changes",
        "clock",
        "counters",
        "rows",
        "seed",
        "writes",
    )

    def __init__(self, rows: dict[TableKey, Rows], *, seed: int, clock: str = CLOCK_START) -> None:
        self.rows = rows
        self.seed = seed
        self.clock = clock
        self.call = 0
        self.writes = 0  # committed calls that changed something: the clock and the random stream follow it
        self.counters: dict[TableKey, int] = {}
        self.changes: list[Change] = []
        self._owned: set[TableKey] = set()
        self._hashes: dict[TableKey, int] = {}
        self._folded = 0

    def fork(self) -> Store:
        """An independent copy that shares every record and every table until one of the two writes."""
        twin = Store.__new__(Store)
        twin.rows = dict(self.rows)
        twin.seed, twin.clock, twin.call, twin.writes = self.seed, self.clock, self.call, self.writes
        twin.counters = dict(self.counters)
        twin.changes = list(self.changes)
        twin._owned = set()
        twin._hashes, twin._folded = dict(self._hashes), self._folded
        self._owned.clear()  # both sides copy before their next write
        return twin

    def writable(self, key: TableKey) -> Rows:
        rows = self.rows[key]
        if key not in self._owned:
            rows = self.rows[key] = dict(rows)
            self._owned.add(key)
        return rows

    def put(self, key: TableKey, record: Record) -> None:
        """Add or replace `record`, journalled."""
        rows = self.writable(key)
        identity = record.id
        self.changes.append(Change(self.call, *key, identity, rows.get(identity), record, -1))
        rows[identity] = record

    def remove(self, key: TableKey, identity: str) -> None:
        """Delete a record that exists, journalled with its position."""
        rows = self.writable(key)
        position = list(rows).index(identity)
        self.changes.append(Change(self.call, *key, identity, rows.pop(identity), None, position))

    def undo_to(self, mark: int) -> None:
        """Take back every change from the newest down to position `mark` of the journal."""
        if mark < self._folded:
            self._unfold(mark)
        while len(self.changes) > mark:
            change = self.changes.pop()
            key = (change.service, change.table)
            rows = self.writable(key)
            if change.before is None:
                del rows[change.id]
            elif change.after is None:
                items = list(rows.items())
                items.insert(change.position, (change.id, change.before))
                self.rows[key] = dict(items)
            else:
                rows[change.id] = change.before

    def _fold(self, change: Change, sign: int) -> None:
        key = (change.service, change.table)
        delta = (record_digest(change.after) if change.after else 0) - (
            record_digest(change.before) if change.before else 0
        )
        self._hashes[key] = (self._hashes[key] + sign * delta) % _MODULUS

    def _unfold(self, mark: int) -> None:
        for change in reversed(self.changes[mark : self._folded]):
            self._fold(change, -1)
        self._folded = mark

    def table_hash(self, key: TableKey) -> int:
        """Order-free hash of a table's records, kept up to date from the journal."""
        if not self._hashes:
            self._start_hashes()
        for change in self.changes[self._folded :]:
            self._fold(change, 1)
        self._folded = len(self.changes)
        return self._hashes[key]

    def _start_hashes(self) -> None:
        for key, rows in self.rows.items():
            self._hashes[key] = sum(map(record_digest, rows.values())) % _MODULUS
        self._folded = len(self.changes)

    def now(self) -> dt.datetime:
        """The session clock: its start, one minute later for each committed write."""
        return dt.datetime.fromisoformat(self.clock) + self.writes * CLOCK_STEP

    def now_text(self) -> str:
        return format_timestamp(self.now())

    def next_number(self, key: TableKey) -> int:
        """The next sequential number of a table: one above the highest ever used."""
        number = self.counters.get(key)
        if number is None:
            number = max((_trailing_number(identity) for identity in self.rows[key]), default=0)
        self.counters[key] = number + 1
        return number + 1


def _trailing_number(identity: str) -> int:
    digits = identity[len(identity.rstrip("0123456789")) :]
    return int(digits) if digits else 0


def plain_rows(rows: Mapping[TableKey, Rows]) -> dict[str, dict[str, list[JsonValue]]]:
    """JSON of all tables: service -> table -> list of records in order."""
    state: dict[str, dict[str, list[JsonValue]]] = {}
    for (service, table), records in rows.items():
        state.setdefault(service, {})[table] = [record.plain() for record in records.values()]
    return state
