"""Key-value servers in the manner of Redis: one command per tool, over one store of typed keys."""

from __future__ import annotations

import re
from typing import Any

from services_app.builders.entities import Reader
from services_app.builders.plan import Fixture, ToolPlan
from services_app.builders.special.formula import Formula, Slot, plan_formula
from services_app.specs.model import ToolSpec

_MODULE = "services_app.recipes.keyvalue"
_MORE = "services_app.recipes.keyvalue_more"
_ENTRIES = Fixture("entries", "Entry", _MODULE, "seed_entries")
_ALL = (
    _ENTRIES,
    Fixture("vector_indexes", "VectorIndex", _MORE, "seed_indexes"),
    Fixture("subscriptions", "Subscription", _MORE, "seed_subscriptions"),
    Fixture("channel_messages", "ChannelMessage", _MORE),
)
_SERVERS = re.compile(r"\b(redis|valkey|keydb)\b", re.IGNORECASE)
_BOTH = {"state": "state", "ctx": "ctx"}
_KEY = Slot("key", "key|name|(hash|list|set|redis)_?(key|name)|queue")
_HASH = Slot("key", "name|hash(_key|_name)?")
_FIELD = Slot("field", "key|field")
_VALUE = Slot("value", "value|element|member|item", "any")
_SECONDS = Slot("seconds", "ex|ttl|seconds|expire|expiration|expire_seconds|expiry", "number", optional=True)
_START = Slot("start", "start|start_index|from", "number")
_END = Slot("end", "stop|end|end_index|to", "number")
_CHANNEL = Slot("channel", "channel|topic")
_INDEX = Slot("name", "index(_name)?")
_VECTOR_FIELD = Slot("field", "vector_field|field", optional=True)


def _command(
    names: str,
    function: str,
    about: str,
    *slots: Slot,
    whole: bool = True,
    examples: tuple[dict[str, Any], ...] = (),
    golden: tuple[tuple[dict[str, Any], Any], ...] = (),
    fixed: dict[str, Any] | None = None,
) -> Formula:
    return Formula(
        rf"(redis_|valkey_)?({names})", function, slots, about, whole=whole,
        context=_BOTH, examples=examples, golden=golden, fixed=fixed or {}, fixtures=_ALL,
    )  # fmt: skip


FORMULAS: tuple[Formula, ...] = (
    _command("dbsize", "keyvalue.size", "The number of keys.", whole=False, golden=(({}, 12),)),
    _command(
        "info", "keyvalue_more.info", "Facts about the server.", Slot("section", "section", optional=True),
        examples=({"section": "memory"}, {"section": "keyspace"}), golden=(({"section": "keyspace"}, 12),),
    ),
    _command("client_list", "keyvalue_more.clients", "The connected clients."),
    _command(
        "del(ete)?(_key)?", "keyvalue.delete", "Removes a key.", _KEY, examples=({"key": "user:1"},
            {"key": "settings"}),
    ),
    _command("exists", "keyvalue.exists", "Whether a key exists.", _KEY, whole=False, golden=(({"key": "user:1"},
        True),)),
    _command(
        "(key_)?type", "keyvalue.kind_of", "The kind of a key's value.", _KEY,
        golden=(({"key": "user:1"}, "hash"), ({"key": "queue:mail"}, "list"), ({"key": "nothing"}, "none")),
    ),
    _command("ttl", "keyvalue.time_to_live", "The seconds that a key has left.", _KEY, whole=False,
             examples=({"key": "session:44"}, {"key": "user:1"})),
    _command(
        "expire", "keyvalue.expire", "Sets the expiry of a key.", _KEY,
        Slot("seconds", "ttl|(expire_)?seconds", "number"), examples=({"key": "user:1", "seconds": 600},),
    ),
    _command("persist", "keyvalue.persist", "Takes the expiry of a key away.", _KEY, examples=({"key": "session:44"},)),
    _command(
        "rename", "keyvalue.rename", "Gives a key another name.", Slot("key", "(old_)?(key|name)"),
        Slot("new", "new_?(key|name)"), examples=({"key": "user:1", "new": "user:9"},),
    ),
    _command("keys|scan_all_keys|list_keys", "keyvalue.keys", "All keys that match a pattern.",
             Slot("pattern", "pattern|match", optional=True),
             Slot("batch", "batch_size|count", "number", optional=True,
                  inert="how many keys are read at a time: the answer holds them all"),
             examples=({"pattern": "user:*"},), golden=(({"pattern": "user:*"}, 2),)),
    _command(
        "scan(_keys)?", "keyvalue.scan", "A part of the keys.", Slot("cursor", "cursor", "number", optional=True),
        Slot("pattern", "pattern|match", optional=True), Slot("count", "count", "number", optional=True),
        examples=({"count": 3, "cursor": 3}, {"pattern": "doc:*"}), golden=(({"count": 5}, 5),),
    ),
    _command(
        "set", "keyvalue.set_text", "Stores a text under a key.", _KEY, _VALUE, _SECONDS,
        examples=({"key": "page:views", "value": "9", "seconds": 60},), golden=(({"key": "a", "value": "b"}, "b"),),
    ),
    _command("get", "keyvalue.get_text", "The text under a key.", _KEY, whole=False,
             golden=(({"key": "page:views"}, "128"),), examples=({"key": "session:44"},)),
    _command("incr(by)?|increment", "keyvalue.increment", "Adds to the number under a key.", _KEY,
             Slot("by", "by|amount|increment", "number", optional=True), whole=False,
             golden=(({"key": "page:views"}, 129),)),
    _command(
        "hset", "keyvalue.hash_set", "Sets a field of a hash.", _HASH, _FIELD, _VALUE, _SECONDS,
        examples=({"key": "user:1", "field": "city", "value": "Oslo", "seconds": 60},),
        golden=(({"key": "user:1", "field": "age", "value": "40"}, 4),),
    ),
    _command("hget", "keyvalue.hash_get", "The value of a field.", _HASH, _FIELD, whole=False,
             golden=(({"key": "user:1", "field": "city"}, "Bergen"),), examples=({"key": "user:2", "field": "plan"},)),
    _command("hdel", "keyvalue.hash_delete", "Removes a field.", _HASH, _FIELD,
             examples=({"key": "user:1", "field": "city"}, {"key": "user:1", "field": "plan"})),
    _command("hgetall", "keyvalue.hash_all", "All fields of a hash.", _HASH, golden=(({"key": "user:2"}, "Lisbon"),)),
    _command("hexists", "keyvalue.hash_has", "Whether a hash has a field.", _HASH, _FIELD, whole=False,
             golden=(({"key": "user:1", "field": "city"}, True), ({"key": "user:1", "field": "age"}, False))),
    *(
        _command(f"{letter}push", "keyvalue.push", f"Adds a value at the {side} end of a list.", _KEY, _VALUE, _SECONDS,
                 whole=False, fixed={"left": letter == "l"},
                 examples=({"key": "queue:mail", "value": "digest", "seconds": 60},),
                 golden=(({"key": "queue:mail", "value": "digest"}, 4),))
        for letter, side in (("l", "left"), ("r", "right"))
    ),
    *(
        _command(f"{letter}pop", "keyvalue.pop", f"Takes a value from the {side} end of a list.", _KEY, whole=False,
                 fixed={"left": letter == "l"}, golden=(({"key": "queue:mail"}, value),))
        for letter, side, value in (("l", "left", "welcome"), ("r", "right", "reminder"))
    ),
    _command("lrange", "keyvalue.list_range", "A part of a list.", _KEY, _START, _END,
             golden=(({"key": "queue:mail", "start": 1, "end": -1}, "invoice"),),
             examples=({"key": "queue:mail", "start": 0, "end": 0},)),
    _command("llen", "keyvalue.list_length", "The length of a list.", _KEY, whole=False,
             golden=(({"key": "queue:mail"}, 3), ({"key": "nothing"}, 0))),
    _command("sadd", "keyvalue.set_add", "Adds a member to a set.", _KEY, _VALUE, _SECONDS,
             examples=({"key": "tags:post:7", "value": "rain", "seconds": 60},),
             golden=(({"key": "tags:post:7", "value": "rain"}, 4),)),
    _command("srem", "keyvalue.set_remove", "Removes a member of a set.", _KEY, _VALUE,
             examples=({"key": "tags:post:7", "value": "spring"}, {"key": "tags:post:7", "value": "tools"})),
    _command("smembers", "keyvalue.set_members", "The members of a set.", _KEY, golden=(({"key": "tags:post:7"},
        "spring"),)),
    _command(
        "zadd", "keyvalue.sorted_add", "Stores the score of a member.", _KEY, Slot("member", "member|value"),
        Slot("score", "score", "number"), _SECONDS,
        examples=({"key": "board:march", "member": "eva", "score": 25, "seconds": 60},
                  {"key": "board:march", "member": "tom", "score": 50}),
        golden=(({"key": "board:march", "member": "eva", "score": 25}, 4),),
    ),
    _command(
        "zrange", "keyvalue.sorted_range", "Members by ascending score.", _KEY, _START, _END,
        Slot("scores", "with_?scores", "flag", optional=True),
        golden=(({"key": "board:march", "start": 0, "end": 0}, "tom"),
                ({"key": "board:march", "start": 0, "end": 0, "scores": True}, 17.5)),
        examples=({"key": "board:march", "start": 0, "end": -1},),
    ),
    _command("zrem", "keyvalue.sorted_remove", "Removes a member of a sorted set.", _KEY, Slot("member",
        "member|value"),
             examples=({"key": "board:march", "member": "tom"}, {"key": "board:march", "member": "ida"})),
    _command(
        "json_set", "keyvalue_more.json_set", "Stores a value at a place of a document.", _KEY, Slot("path", "path"),
        Slot("value", "value|json", "any"), _SECONDS,
        examples=({"key": "settings", "path": "$.theme", "value": "light", "seconds": 60},
                  {"key": "settings", "path": "$.limits.mail", "value": 5}),
    ),
    _command("json_get", "keyvalue_more.json_get", "The values at a path of a document.", _KEY,
             Slot("path", "path", optional=True), whole=False,
             golden=(({"key": "settings", "path": "$.limits.mail"}, 20), ({"key": "settings", "path": "$..files"}, 3)),
             examples=({"key": "settings"},)),
    _command("json_del(ete)?", "keyvalue_more.json_delete", "Removes what a path leads to.", _KEY,
             Slot("path", "path", optional=True),
             examples=({"key": "settings", "path": "$.theme"}, {"key": "settings", "path": "$.limits.mail"})),
    _command("set_vector_in_hash", "keyvalue_more.vector_set", "Stores a vector as a field of a hash.", _KEY,
             Slot("vector", "vector", "list"), _VECTOR_FIELD,
             examples=({"key": "doc:1", "vector": [0.1, 0.2, 0.7]}, {"key": "doc:9", "vector": [1, 0, 0],
                 "field": "v"})),
    _command("get_vector_from_hash", "keyvalue_more.vector_get", "The vector in a field of a hash.", _KEY,
        _VECTOR_FIELD,
             whole=False, golden=(({"key": "doc:1", "field": "vector"}, 0.9),), examples=({"key": "doc:2"},)),
    _command(
        "create_vector_index(_hash)?", "keyvalue_more.index_create", "Makes an index over the vectors of hashes.",
        Slot("name", "index(_name)?", optional=True), Slot("prefix", "prefix", optional=True), _VECTOR_FIELD,
        Slot("dimensions", "dim(ension)?s?", "number", optional=True),
        Slot("metric", "(distance_)?metric", optional=True),
        examples=({"name": "films", "prefix": "film:", "field": "plot", "dimensions": 2, "metric": "L2"},),
    ),
    _command("get_indexes|list_indexes", "keyvalue_more.indexes", "The names of the indexes.", golden=(({},
        "vector_index"),)),
    _command("get_index_info", "keyvalue_more.index_facts", "What an index is over.", _INDEX,
             golden=(({"name": "vector_index"}, 3),)),
    _command("get_indexed_keys_number", "keyvalue_more.index_size", "How many documents an index holds.", _INDEX,
             whole=False, golden=(({"name": "vector_index"}, 3),)),
    _command(
        "vector_search(_hash)?", "keyvalue_more.vector_search", "The nearest documents of an index.",
        Slot("vector", "(query_)?vector", "list"), Slot("name", "index(_name)?", optional=True), _VECTOR_FIELD,
        Slot("count", "k|count|top_k|limit", "number", optional=True), Slot("fields", "(return_)?fields", "list", True),
        golden=(({"vector": [0.2, 0.9, 0.1], "count": 1}, "doc:2"),),
        examples=({"vector": [1, 0, 0], "count": 2, "fields": ["title"]}, {"vector": [0, 0, 1]}),
    ),
    _command("xadd", "keyvalue_more.stream_add", "Adds an entry to a stream.", _KEY, Slot("fields", "fields", "object"),
             _SECONDS, whole=False, examples=({"key": "events", "fields": {"kind": "upload"}, "seconds": 60},)),
    _command("xrange", "keyvalue_more.stream_range", "The oldest entries of a stream.", _KEY,
             Slot("count", "count|limit", "number", optional=True), golden=(({"key": "events", "count": 2}, "logout"),),
             examples=({"key": "events", "count": 1},)),
    _command("xdel", "keyvalue_more.stream_delete", "Removes an entry of a stream.", _KEY,
             Slot("entry_id", "(entry_)?id"), examples=({"key": "events", "entry_id": "1-0"},)),
    _command("publish", "keyvalue_more.publish", "Publishes a message to a channel.", _CHANNEL, Slot("message",
        "message"),
             golden=(({"channel": "news", "message": "hello"}, 1), ({"channel": "other", "message": "hello"}, 0))),
    _command("subscribe", "keyvalue_more.subscribe", "Listens to a channel.", _CHANNEL, golden=(({"channel": "sport"},
        "sport"),)),
    _command("unsubscribe", "keyvalue_more.unsubscribe", "Stops listening to a channel.", _CHANNEL,
             examples=({"channel": "news"},)),
)  # fmt: skip


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | None:
    """A command of a key-value server: one that most descriptions, or the title, call so."""
    said = [f"{reader.spec.title} {other.description}" for other in reader.spec.tools]
    if 2 * sum(bool(_SERVERS.search(text)) for text in said) < len(said):
        return None
    return plan_formula(reader, tool, FORMULAS)
