"""The kinds of run and who carries them out. Each app registers its own in `<app>/jobs.py`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest

if TYPE_CHECKING:
    from webapp.common.run_context import RunContext
    from webapp.common.run_models import Run

Handler = Callable[["RunContext"], dict[str, Any] | None]
DetailContext = Callable[["Run", HttpRequest], dict[str, Any]]

DEFAULT_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    handler: Handler
    queue: str
    lease: timedelta
    resumable: bool
    max_attempts: int
    detail_template: str | None
    detail_context: DetailContext | None


_kinds: dict[str, Kind] = {}


def register(
    kind: str,
    *,
    queue: str,
    lease_seconds: float = 60,
    resumable: bool = True,
    max_attempts: int = DEFAULT_ATTEMPTS,
    detail_template: str | None = None,
    detail_context: DetailContext | None = None,
) -> Callable[[Handler], Handler]:
    """Decorator: the function carries out runs of this kind.

    A resumable handler is executed again after its worker was lost and must skip what is already done.
    `detail_template` is included in the job page, with `run` and what `detail_context(run, request)` returns.
    """

    def keep(handler: Handler) -> Handler:
        known = _kinds.get(kind)
        if known and known.handler.__qualname__ != handler.__qualname__:
            raise ValueError(f"Run kind '{kind}' is registered twice.")
        _kinds[kind] = Kind(
            name=kind,
            handler=handler,
            queue=queue,
            lease=timedelta(seconds=lease_seconds),
            resumable=resumable,
            max_attempts=max_attempts if resumable else 1,
            detail_template=detail_template,
            detail_context=detail_context,
        )
        return handler

    return keep


def find(kind: str) -> Kind | None:
    return _kinds.get(kind)


def get(kind: str) -> Kind:
    """Raises LookupError for a kind that no app registered."""
    try:
        return _kinds[kind]
    except KeyError:
        raise LookupError(f"No app registered run kind '{kind}'.") from None


def names() -> list[str]:
    return sorted(_kinds)
