"""A key-value store in the manner of Redis: strings, hashes, lists, sets, sorted sets, expiry by the session clock.

A key that has expired is gone for every reader; the next write to it takes the record away.
"""

from __future__ import annotations

import datetime as dt
import fnmatch
from collections.abc import Sequence
from typing import Any, Protocol

from services_app.engine.context import CallContext, SeedContext
from services_app.engine.errors import ToolError, conflict, invalid
from services_app.engine.fields import format_timestamp
from services_app.engine.state import About, Record, Table
from services_app.recipes.records import Json

NAMES = {"string": "string", "hash": "hash", "list": "list", "set": "set", "zset": "sorted set", "stream": "stream"}


class Entry(Record):
    """A key and its value; `id` is the key."""

    about = About("key", plural="keys", key="id")

    kind: str
    value: Json
    expires: str = ""
    """Instant from which on the key is gone; "" for never."""


class KeyValueState(Protocol):
    entries: Table[Entry]


def seed_entries(table: Table[Entry], ctx: SeedContext) -> None:
    values: tuple[tuple[str, str, Any], ...] = (
        ("page:views", "string", "128"),
        ("user:1", "hash", {"name": "Ida Holm", "city": "Bergen", "plan": "pro"}),
        ("user:2", "hash", {"name": "Tom Reyes", "city": "Lisbon", "plan": "free"}),
        ("queue:mail", "list", ["welcome", "invoice", "reminder"]),
        ("tags:post:7", "set", ["garden", "spring", "tools"]),
        ("board:march", "zset", {"ida": 42.0, "tom": 17.5, "ana": 30.0}),
        ("doc:1", "hash", {"title": "Pruning roses", "vector": [0.9, 0.1, 0.0]}),
        ("doc:2", "hash", {"title": "Sharpening shears", "vector": [0.2, 0.9, 0.1]}),
        ("doc:3", "hash", {"title": "Composting", "vector": [0.7, 0.2, 0.4]}),
        ("settings", "json", {"theme": "dark", "limits": {"mail": 20, "files": 3}, "admins": ["ida", "tom"]}),
        ("events", "stream", [[f"{number}-0", {"kind": kind}] for number, kind in enumerate(("login", "logout"), 1)]),
    )
    for key, kind, value in values:
        table.add(Entry(id=key, kind=kind, value=value))
    table.add(Entry(id="session:44", kind="string", value="ida", expires=ctx.moment(30)))


def plain(entry: Entry) -> Any:
    """A fresh copy of the value of a key."""
    return entry.plain()["value"]


def alive(state: KeyValueState, ctx: CallContext) -> list[Entry]:
    """The entries that have not expired."""
    return [entry for entry in state.entries if not entry.expires or entry.expires > ctx.now]


def found(state: KeyValueState, ctx: CallContext, key: str, kind: str = "") -> Entry | None:
    """The entry of a key; None when there is none or it has expired; 409 when it holds another kind of value."""
    entry = state.entries.first(id=key)
    if entry is None or (entry.expires and entry.expires <= ctx.now):
        return None
    if kind and entry.kind != kind:
        raise conflict(f"The key {key!r} holds a {NAMES.get(entry.kind, entry.kind)}.", type="wrong_type")
    return entry


def need(state: KeyValueState, ctx: CallContext, key: str, kind: str = "") -> Entry:
    entry = found(state, ctx, key, kind)
    if entry is None:
        raise ToolError(404, "no_such_key", f"There is no key {key!r}.")
    return entry


def put(state: KeyValueState, ctx: CallContext, key: str, kind: str, value: Any, seconds: float | None = None) -> None:
    """Store a value; an empty collection takes its key away. Without `seconds` the expiry stays as it is."""
    if not key:
        raise invalid("A key has at least one character.")
    before = found(state, ctx, key)
    if key in state.entries:
        state.entries.delete(key)
    if value in ({}, []) and kind != "json":
        return
    expires = _expiry(ctx, seconds) if seconds is not None else before.expires if before else ""
    state.entries.add(Entry(id=key, kind=kind, value=value, expires=expires))


def _expiry(ctx: CallContext, seconds: float) -> str:
    if not 0 < seconds <= 10**9:
        raise invalid("The expiry is a positive number of seconds.", type="bad_expiry")
    return format_timestamp(dt.datetime.fromisoformat(ctx.now) + dt.timedelta(seconds=int(seconds)))


# --- keys ---


def delete(state: KeyValueState, ctx: CallContext, key: str) -> dict[str, Any]:
    need(state, ctx, key)
    state.entries.delete(key)
    return {"deleted": 1, "key": key}


def exists(state: KeyValueState, ctx: CallContext, key: str) -> bool:
    return found(state, ctx, key) is not None


def kind_of(state: KeyValueState, ctx: CallContext, key: str) -> dict[str, Any]:
    """The kind of a key's value, and the seconds that it has left (-1 for no expiry)."""
    entry = found(state, ctx, key)
    return {"key": key, "type": entry.kind if entry else "none", "ttl": _left(ctx, entry)}


def time_to_live(state: KeyValueState, ctx: CallContext, key: str) -> int:
    return _left(ctx, need(state, ctx, key))


def _left(ctx: CallContext, entry: Entry | None) -> int:
    if entry is None or not entry.expires:
        return -2 if entry is None else -1
    moments = [dt.datetime.fromisoformat(text) for text in (entry.expires, ctx.now)]
    return int((moments[0] - moments[1]).total_seconds())


def expire(state: KeyValueState, ctx: CallContext, key: str, seconds: float) -> dict[str, Any]:
    need(state, ctx, key)
    return {"key": key, "expires": state.entries.patch(key, expires=_expiry(ctx, seconds)).expires}


def persist(state: KeyValueState, ctx: CallContext, key: str) -> dict[str, Any]:
    need(state, ctx, key)
    state.entries.patch(key, expires="")
    return {"key": key, "ttl": -1}


def rename(state: KeyValueState, ctx: CallContext, key: str, new: str) -> dict[str, Any]:
    entry = need(state, ctx, key)
    if not new:
        raise invalid("A key has at least one character.")
    state.entries.delete(key)
    if new in state.entries:
        state.entries.delete(new)
    state.entries.add(Entry(id=new, kind=entry.kind, value=plain(entry), expires=entry.expires))
    return {"status": "success", "old_key": key, "new_key": new}


def keys(state: KeyValueState, ctx: CallContext, pattern: str | None = None) -> dict[str, Any]:
    """All keys that match a glob pattern, in order."""
    names = sorted(entry.id for entry in alive(state, ctx) if fnmatch.fnmatchcase(entry.id, pattern or "*"))
    return {"keys": names, "total": len(names)}


def scan(
    state: KeyValueState,
    ctx: CallContext,
    cursor: float | None = None,
    pattern: str | None = None,
    count: float | None = None,
) -> dict[str, Any]:
    """A part of the keys: `count` of them from a cursor on, of these the ones that match; cursor 0 ends it."""
    names = sorted(entry.id for entry in alive(state, ctx))
    start, size = int(cursor or 0), int(100 if count is None else count)
    if start < 0 or size < 1:
        raise invalid("The cursor is not negative and the count is at least 1.")
    part = names[start : start + size]
    matching = [name for name in part if fnmatch.fnmatchcase(name, pattern or "*")]
    return {"cursor": start + size if start + size < len(names) else 0, "keys": matching}


def size(state: KeyValueState, ctx: CallContext) -> int:
    return len(alive(state, ctx))


# --- strings ---


def set_text(
    state: KeyValueState, ctx: CallContext, key: str, value: Any, seconds: float | None = None
) -> dict[str, Any]:
    """Store a text under a key, whatever it held; an expiry it had is dropped."""
    if key in state.entries:
        state.entries.delete(key)
    put(state, ctx, key, "string", str(value), seconds)
    return {"key": key, "value": str(value)}


def get_text(state: KeyValueState, ctx: CallContext, key: str) -> Any:
    return plain(need(state, ctx, key, "string"))


def increment(state: KeyValueState, ctx: CallContext, key: str, by: float | None = None) -> int:
    entry = found(state, ctx, key, "string")
    try:
        total = int(plain(entry) if entry else 0) + int(1 if by is None else by)
    except ValueError as error:
        raise conflict(f"The value of {key!r} is no whole number.", type="not_an_integer") from error
    put(state, ctx, key, "string", str(total))
    return total


# --- hashes ---


def _of(state: KeyValueState, ctx: CallContext, key: str, kind: str, empty: Any) -> Any:
    entry = found(state, ctx, key, kind)
    return empty if entry is None else plain(entry)


def hash_set(
    state: KeyValueState, ctx: CallContext, key: str, field: str, value: Any, seconds: float | None = None
) -> dict[str, Any]:
    fields = _of(state, ctx, key, "hash", {})
    added = field not in fields
    put(state, ctx, key, "hash", {**fields, field: str(value)}, seconds)
    return {"key": key, "added": int(added), "fields": len(fields) + added}


def hash_get(state: KeyValueState, ctx: CallContext, key: str, field: str) -> Any:
    fields = plain(need(state, ctx, key, "hash"))
    if field not in fields:
        raise ToolError(404, "no_such_field", f"The hash {key!r} has no field {field!r}.")
    return fields[field]


def hash_delete(state: KeyValueState, ctx: CallContext, key: str, field: str) -> dict[str, Any]:
    hash_get(state, ctx, key, field)
    fields = plain(need(state, ctx, key, "hash"))
    del fields[field]
    put(state, ctx, key, "hash", fields)
    return {"key": key, "deleted": 1, "fields": len(fields)}


def hash_all(state: KeyValueState, ctx: CallContext, key: str) -> dict[str, Any]:
    return {"key": key, "fields": plain(need(state, ctx, key, "hash"))}


def hash_has(state: KeyValueState, ctx: CallContext, key: str, field: str) -> bool:
    return field in _of(state, ctx, key, "hash", {})


# --- lists ---


def push(state: KeyValueState, ctx: CallContext, key: str, value: Any, left: bool, seconds: float | None = None) -> int:
    """Add a value at one end; the new length."""
    values = _of(state, ctx, key, "list", [])
    values = [str(value), *values] if left else [*values, str(value)]
    put(state, ctx, key, "list", values, seconds)
    return len(values)


def pop(state: KeyValueState, ctx: CallContext, key: str, left: bool) -> Any:
    """Take a value away from one end."""
    values = plain(need(state, ctx, key, "list"))
    value = values.pop(0 if left else -1)
    put(state, ctx, key, "list", values)
    return value


def between(values: Sequence[Any], start: float, end: float) -> list[Any]:
    """Positions from start to end, both included; negative ones count from the end."""
    first, last = (int(at) + len(values) if at < 0 else int(at) for at in (start, end))
    return list(values[max(first, 0) : max(last + 1, 0)])


def list_range(state: KeyValueState, ctx: CallContext, key: str, start: float, end: float) -> dict[str, Any]:
    values = plain(need(state, ctx, key, "list"))
    return {"values": between(values, start, end), "length": len(values)}


def list_length(state: KeyValueState, ctx: CallContext, key: str) -> int:
    return len(_of(state, ctx, key, "list", []))


# --- sets and sorted sets ---


def set_add(
    state: KeyValueState, ctx: CallContext, key: str, value: Any, seconds: float | None = None
) -> dict[str, Any]:
    members = _of(state, ctx, key, "set", [])
    added = str(value) not in members
    if added or seconds is not None:
        put(state, ctx, key, "set", sorted({*members, str(value)}), seconds)
    return {"key": key, "added": int(added), "size": len(members) + added}


def set_remove(state: KeyValueState, ctx: CallContext, key: str, value: Any) -> dict[str, Any]:
    members = plain(need(state, ctx, key, "set"))
    if str(value) not in members:
        raise ToolError(404, "no_such_member", f"The set {key!r} has no member {value!r}.")
    members.remove(str(value))
    put(state, ctx, key, "set", members)
    return {"key": key, "removed": 1, "size": len(members)}


def set_members(state: KeyValueState, ctx: CallContext, key: str) -> dict[str, Any]:
    members = plain(need(state, ctx, key, "set"))
    return {"key": key, "members": members, "size": len(members)}


def sorted_add(
    state: KeyValueState, ctx: CallContext, key: str, member: str, score: float, seconds: float | None = None
) -> dict[str, Any]:
    """Store the score of a member: a new one, or another score of one that is there."""
    scores = _of(state, ctx, key, "zset", {})
    added = member not in scores
    put(state, ctx, key, "zset", {**scores, member: float(score)}, seconds)
    return {"key": key, "added": int(added), "size": len(scores) + added}


def sorted_range(
    state: KeyValueState, ctx: CallContext, key: str, start: float, end: float, scores: bool | None = None
) -> dict[str, Any]:
    """Members by ascending score, equal ones by name."""
    known = plain(need(state, ctx, key, "zset"))
    names = between(sorted(known, key=lambda name: (known[name], name)), start, end)
    shown = [{"member": name, "score": known[name]} for name in names] if scores else names
    return {"members": shown, "size": len(known)}


def sorted_remove(state: KeyValueState, ctx: CallContext, key: str, member: str) -> dict[str, Any]:
    scores = plain(need(state, ctx, key, "zset"))
    if member not in scores:
        raise ToolError(404, "no_such_member", f"The sorted set {key!r} has no member {member!r}.")
    del scores[member]
    put(state, ctx, key, "zset", scores)
    return {"key": key, "removed": 1, "size": len(scores)}
