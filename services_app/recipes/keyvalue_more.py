"""Parts of a key-value store beyond plain collections: JSON documents, vectors, streams, channels, server facts."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from collections.abc import Sequence
from typing import Any, Protocol

from services_app.engine.context import CallContext, SeedContext
from services_app.engine.errors import ToolError, conflict, invalid
from services_app.engine.state import About, Record, Table
from services_app.recipes.keyvalue import Entry, KeyValueState, alive, found, need, plain, put
from services_app.recipes.texts import json_path


class VectorIndex(Record):
    """An index over the vectors of hashes; `id` is its name."""

    about = About("index", plural="indexes", key="id")

    prefix: str
    field: str
    dimensions: int
    metric: str


class Subscription(Record):
    """A channel that this client listens to; `id` is the channel."""

    about = About("subscription", plural="subscriptions", key="id")


class ChannelMessage(Record):
    """A message that was published."""

    about = About("message", plural="messages", prefix="MSG-")

    channel: str
    text: str
    receivers: int


class SearchState(KeyValueState, Protocol):
    vector_indexes: Table[VectorIndex]
    subscriptions: Table[Subscription]
    channel_messages: Table[ChannelMessage]


def seed_indexes(table: Table[VectorIndex], ctx: SeedContext) -> None:
    table.add(VectorIndex(id="vector_index", prefix="doc:", field="vector", dimensions=3, metric="COSINE"))


def seed_subscriptions(table: Table[Subscription], ctx: SeedContext) -> None:
    table.add(Subscription(id="news"))


# --- JSON documents ---

_STEPS = re.compile(r"\.?([^.\[\]'\"*$]+)|\[(-?\d+)\]|\[['\"]([^'\"]+)['\"]\]")


def _steps(path: str) -> list[str | int]:
    """Names and positions of a path that leads to one place; 400 for any other."""
    rest, found_ = path.strip().removeprefix("$"), []
    if rest == ".":
        rest = ""
    while rest:
        step = _STEPS.match(rest)
        if step is None:
            raise ToolError(400, "bad_path", f"{path!r} does not lead to one place. Use a path such as $.a.b[0].")
        found_.append(int(step[2]) if step[2] is not None else step[1] or step[3])
        rest = rest[step.end() :]
    return found_


def _parent(document: Any, steps: Sequence[str | int], path: str) -> Any:
    for step in steps:
        try:
            document = document[step]
        except (LookupError, TypeError) as error:
            raise ToolError(404, "no_such_path", f"The document has nothing at {path!r}.") from error
    return document


def json_set(
    state: SearchState, ctx: CallContext, key: str, path: str, value: Any, seconds: float | None = None
) -> dict[str, Any]:
    """Store a value at a place of a document; a new document is made at its root."""
    steps, entry = _steps(path), found(state, ctx, key, "json")
    if entry is None and steps:
        raise ToolError(404, "no_such_key", f"A new document is made at its root: set {key!r} at '$' first.")
    document = plain(entry) if entry else None
    if not steps:
        document = value
    else:
        place = _parent(document, steps[:-1], path)
        try:
            if isinstance(place, dict) != isinstance(steps[-1], str):
                raise TypeError
            place[steps[-1]] = value
        except (LookupError, TypeError) as error:
            raise ToolError(404, "no_such_path", f"The document has no place {path!r}.") from error
    put(state, ctx, key, "json", document, seconds)
    return {"key": key, "path": path, "status": "OK"}


def json_get(state: SearchState, ctx: CallContext, key: str, path: str | None = None) -> Any:
    """The values at a path: a list of all when it begins with `$`, else the first; 404 when there is none."""
    values = json_path(plain(need(state, ctx, key, "json")), path or "$")
    if not values:
        raise ToolError(404, "no_such_path", f"The document has nothing at {path!r}.")
    return values if (path or "$").startswith("$") else values[0]


def json_delete(state: SearchState, ctx: CallContext, key: str, path: str | None = None) -> dict[str, Any]:
    """Remove what a path leads to; the whole document at its root."""
    steps, document = _steps(path or "$"), plain(need(state, ctx, key, "json"))
    if not steps:
        state.entries.delete(key)
        return {"key": key, "deleted": 1}
    place = _parent(document, steps, path or "$")
    place = _parent(document, steps[:-1], path or "$")
    del place[steps[-1]]
    put(state, ctx, key, "json", document)
    return {"key": key, "deleted": 1}


# --- vectors ---


def _numbers(values: Sequence[Any]) -> list[float]:
    if not values or not all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
        raise invalid("A vector is a list of at least one number.", type="bad_vector")
    return [float(value) for value in values]


def vector_set(
    state: SearchState, ctx: CallContext, key: str, vector: Sequence[Any], field: str | None = None
) -> dict[str, Any]:
    entry = found(state, ctx, key, "hash")
    put(state, ctx, key, "hash", {**(plain(entry) if entry else {}), field or "vector": _numbers(vector)})
    return {"key": key, "field": field or "vector", "dimensions": len(vector)}


def vector_get(state: SearchState, ctx: CallContext, key: str, field: str | None = None) -> list[float]:
    value = plain(need(state, ctx, key, "hash")).get(field or "vector")
    if not isinstance(value, list):
        raise ToolError(404, "no_such_field", f"The hash {key!r} has no vector under {field or 'vector'!r}.")
    return value


_METRICS = ("COSINE", "L2", "IP")


def index_create(
    state: SearchState,
    ctx: CallContext,
    name: str | None = None,
    prefix: str | None = None,
    field: str | None = None,
    dimensions: float | None = None,
    metric: str | None = None,
) -> dict[str, Any]:
    """A new index over the hashes whose keys begin with the prefix."""
    kind, size = (metric or "COSINE").upper(), int(dimensions or 1536)
    if kind not in _METRICS:
        raise invalid(f"Unknown metric {metric!r}. Use one of {', '.join(_METRICS)}.")
    if not 1 <= size <= 32768:
        raise invalid("An index has between 1 and 32768 dimensions.")
    if (name or "vector_index") in state.vector_indexes:
        raise conflict(f"There is an index {name or 'vector_index'!r} already.", type="index_exists")
    record = VectorIndex(
        id=name or "vector_index", prefix=prefix or "doc:", field=field or "vector", dimensions=size, metric=kind
    )
    return index_facts(state, ctx, state.vector_indexes.add(record).id)


def _index(state: SearchState, name: str | None) -> VectorIndex:
    record = state.vector_indexes.first(id=name or "vector_index")
    if record is None:
        raise ToolError(404, "no_such_index", f"There is no index {name or 'vector_index'!r}.")
    return record


def _indexed(state: SearchState, ctx: CallContext, index: VectorIndex) -> list[tuple[Entry, list[float]]]:
    pairs = [
        (entry, plain(entry).get(index.field))
        for entry in alive(state, ctx)
        if entry.kind == "hash" and entry.id.startswith(index.prefix)
    ]
    return [(e, vector) for e, vector in pairs if isinstance(vector, list) and len(vector) == index.dimensions]


def indexes(state: SearchState, ctx: CallContext) -> dict[str, Any]:
    return {"indexes": [record.id for record in state.vector_indexes]}


def index_facts(state: SearchState, ctx: CallContext, name: str) -> dict[str, Any]:
    index = _index(state, name)
    return {
        "index_name": index.id,
        "prefixes": [index.prefix],
        "attributes": [{"name": index.field, "dim": index.dimensions, "distance_metric": index.metric}],
        "num_docs": len(_indexed(state, ctx, index)),
    }


def index_size(state: SearchState, ctx: CallContext, name: str) -> int:
    return len(_indexed(state, ctx, _index(state, name)))


def _distance(metric: str, a: Sequence[float], b: Sequence[float]) -> float:
    dot = math.fsum(x * y for x, y in zip(a, b, strict=True))
    if metric == "L2":
        return math.fsum((x - y) ** 2 for x, y in zip(a, b, strict=True))
    length = math.hypot(*a) * math.hypot(*b)
    return 1 - dot if metric == "IP" else 1 - dot / length if length else 1.0


def vector_search(
    state: SearchState,
    ctx: CallContext,
    vector: Sequence[Any],
    name: str | None = None,
    field: str | None = None,
    count: float | None = None,
    fields: Sequence[str] | None = None,
) -> dict[str, Any]:
    """The nearest documents of an index, nearest first."""
    index, wanted = _index(state, name), _numbers(vector)
    if field and field != index.field:
        raise ToolError(404, "no_such_field", f"The index {index.id!r} is over {index.field!r}, not {field!r}.")
    if len(wanted) != index.dimensions:
        raise invalid(f"The index {index.id!r} takes {index.dimensions} numbers, not {len(wanted)}.", type="bad_vector")
    rows = sorted(
        (round(_distance(index.metric, wanted, known), 9), e.id, e) for e, known in _indexed(state, ctx, index)
    )
    most = int(5 if count is None else count)
    if most < 1:
        raise invalid("k is at least 1.")
    return {
        "documents": [
            {"id": key, "score": score, **{f: plain(e).get(f) for f in fields or ()}} for score, key, e in rows[:most]
        ]
    }


# --- streams and channels ---


def stream_add(
    state: SearchState, ctx: CallContext, key: str, fields: dict[str, Any], seconds: float | None = None
) -> str:
    """The id of a new entry: milliseconds of the session clock and a number."""
    if not fields:
        raise invalid("An entry has at least one field.")
    entry = found(state, ctx, key, "stream")
    rows = plain(entry) if entry else []
    stamp = int(dt.datetime.fromisoformat(ctx.now).timestamp() * 1000)
    taken = [int(row[0].partition("-")[2]) for row in rows if row[0].startswith(f"{stamp}-")]
    identity = f"{stamp}-{max(taken, default=-1) + 1}"
    row = [identity, {name: value if isinstance(value, str) else str(value) for name, value in fields.items()}]
    put(state, ctx, key, "stream", [*rows, row], seconds)
    return identity


def stream_range(state: SearchState, ctx: CallContext, key: str, count: float | None = None) -> dict[str, Any]:
    """The oldest entries of a stream."""
    rows = plain(need(state, ctx, key, "stream"))
    most = int(1 if count is None else count)
    if most < 1:
        raise invalid("The count is at least 1.")
    return {"entries": [{"id": row[0], "fields": row[1]} for row in rows[:most]], "length": len(rows)}


def stream_delete(state: SearchState, ctx: CallContext, key: str, entry_id: str) -> dict[str, Any]:
    rows = plain(need(state, ctx, key, "stream"))
    left = [row for row in rows if row[0] != entry_id]
    if len(left) == len(rows):
        raise ToolError(404, "no_such_entry", f"The stream {key!r} has no entry {entry_id!r}.")
    put(state, ctx, key, "stream", left)
    return {"key": key, "deleted": 1, "length": len(left)}


def publish(state: SearchState, ctx: CallContext, channel: str, message: str) -> dict[str, Any]:
    receivers = int(channel in state.subscriptions)
    record = state.channel_messages.create(channel=channel, text=message, receivers=receivers)
    return {"id": record.id, "channel": channel, "receivers": receivers}


def subscribe(state: SearchState, ctx: CallContext, channel: str) -> dict[str, Any]:
    """Listen to a channel; once is enough."""
    if channel not in state.subscriptions:
        state.subscriptions.add(Subscription(id=channel))
    return {"subscribed": sorted(record.id for record in state.subscriptions)}


def unsubscribe(state: SearchState, ctx: CallContext, channel: str) -> dict[str, Any]:
    if channel not in state.subscriptions:
        raise ToolError(404, "not_subscribed", f"There is no subscription to {channel!r}.")
    state.subscriptions.delete(channel)
    return {"subscribed": sorted(record.id for record in state.subscriptions)}


# --- the server itself ---


def clients(state: SearchState, ctx: CallContext) -> dict[str, Any]:
    return {"clients": [{"id": "1", "addr": "127.0.0.1:50412", "db": "0", "sub": len(state.subscriptions)}]}


def info(state: SearchState, ctx: CallContext, section: str | None = None) -> dict[str, Any]:
    """Facts about the server: one section, or all of them."""
    known = alive(state, ctx)
    sections: dict[str, dict[str, Any]] = {
        "server": {"redis_version": "8.0.0", "redis_mode": "standalone", "tcp_port": 6379},
        "clients": {"connected_clients": 1, "pubsub_clients": int(len(state.subscriptions) > 0)},
        "memory": {"used_memory": sum(len(entry.id) + len(json.dumps(plain(entry))) for entry in known)},
        "stats": {"pubsub_channels": len(state.subscriptions), "messages_published": len(state.channel_messages)},
        "keyspace": {"keys": len(known), "expires": sum(bool(entry.expires) for entry in known)},
    }
    name = (section or "default").lower()
    if name in ("default", "all", "everything"):
        return sections
    if name not in sections:
        raise invalid(f"Unknown section {section!r}. Use one of default, {', '.join(sections)}.")
    return {name: sections[name]}
