"""Identifiers: time-ordered UUIDs (version 7), shown outside with the prefix of their kind.

`job_0198f3...` names the kind to a reader, selects with one double click and sorts by creation time.
"""

import secrets
import threading
import time
import uuid

_VERSION_7 = 0x7 << 76
_VARIANT = 0x2 << 62


class IdError(ValueError):
    """The text is not an identifier of the wanted kind."""


def make_uuid7(tick: int, entropy: int) -> uuid.UUID:
    """UUIDv7 from a tick (Unix milliseconds times 4096, 60 bits: RFC 9562, method 3) and 62 bits of entropy."""
    high, middle = tick >> 12 & (1 << 48) - 1, tick & 0xFFF
    return uuid.UUID(int=high << 80 | _VERSION_7 | middle << 64 | _VARIANT | entropy & (1 << 62) - 1)


def uuid7() -> uuid.UUID:
    """A new id; ids made by one process sort in the order they were made."""
    return make_uuid7(_next_tick(), secrets.randbits(62))


_last_tick = 0
_tick_lock = threading.Lock()


def _next_tick() -> int:
    global _last_tick
    with _tick_lock:
        _last_tick = max(_last_tick + 1, time.time_ns() * 4096 // 1_000_000)
        return _last_tick


def show(prefix: str, value: uuid.UUID) -> str:
    return f"{prefix}_{value.hex}"


def parse(prefix: str, text: str) -> uuid.UUID:
    """The UUID in `text`, written as `<prefix>_<32 hex>`; a bare UUID is accepted too.

    Raises IdError for anything else, also for an id of another kind.
    """
    body = text.removeprefix(f"{prefix}_")
    try:
        return uuid.UUID(body)
    except ValueError as error:
        raise IdError(f"'{text[:80]}' is not an id of the form {prefix}_<32 hex digits>") from error


class PrefixedIdConverter:
    """Path converter base; `converter("job")` makes the class for one kind."""

    prefix = ""
    regex = "[^/]+"

    def to_python(self, value: str) -> uuid.UUID:
        return parse(self.prefix, value)  # IdError is a ValueError, which the resolver reads as "no match"

    def to_url(self, value: uuid.UUID | str) -> str:
        return show(self.prefix, value) if isinstance(value, uuid.UUID) else value


def converter(prefix: str) -> type[PrefixedIdConverter]:
    """Converter class for `<job_id:pk>` paths: register with `django.urls.register_converter`."""
    return type(
        f"{prefix.title()}IdConverter",
        (PrefixedIdConverter,),
        {"prefix": prefix, "regex": rf"(?:{prefix}_[0-9a-f]{{32}}|[0-9a-f-]{{32,36}})"},
    )
