"""Where the current work comes from (browser, token, job or command), for the activity log."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Origin:
    source: str = "command"
    request_id: str = ""
    token_id: UUID | None = None


_current: ContextVar[Origin | None] = ContextVar("origin", default=None)


def current() -> Origin:
    return _current.get() or Origin()


def set_token(token_id: UUID) -> None:
    """The request proved a token; its entries in the log name it."""
    _current.set(replace(current(), source="token", token_id=token_id))


@contextmanager
def origin(value: Origin) -> Iterator[None]:
    reset = _current.set(value)
    try:
        yield
    finally:
        _current.reset(reset)
