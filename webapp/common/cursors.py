"""Keyset paging for pages and API alike: a cursor names the last row seen, so that new rows shift nothing."""

import base64
import binascii
import json
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _

M = TypeVar("M", bound=Model)

DEFAULT_LIMIT = 50
MAX_LIMIT = 500


class CursorError(ValueError):
    """The cursor or the limit cannot be used (400)."""


@dataclass(frozen=True, slots=True)
class Page(Generic[M]):
    """Rows and the cursors of their neighbours; `next` or `prev` is None at an end."""

    rows: list[M]
    next: str | None
    prev: str | None
    limit: int
    shown: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shown", len(self.rows))


@dataclass(frozen=True, slots=True)
class _Cursor:
    values: list[Any]
    backwards: bool


def read_limit(text: str | None) -> int:
    """The page size in `text`, 1 to MAX_LIMIT. Raises CursorError."""
    if not text:
        return DEFAULT_LIMIT
    if not text.isdecimal() or not 1 <= int(text) <= MAX_LIMIT:
        raise CursorError(_("limit must be a whole number from 1 to %(most)d.") % {"most": MAX_LIMIT})
    return int(text)


def paginate(
    rows: QuerySet[M], *, cursor: str | None, limit: int = DEFAULT_LIMIT, order: tuple[str, ...] = ("-id",)
) -> Page[M]:
    """One page of `rows`. `order` names non-null columns, `-` for descending; id is added as tie-break.

    Raises CursorError for a cursor that is damaged or was made for another order.
    """
    order = order if order[-1].lstrip("-") == "id" else (*order, "-id")
    place = _decode(cursor, len(order)) if cursor else None
    backwards = place is not None and place.backwards
    steps = tuple(_flip(name) for name in order) if backwards else order
    found = _fetch(rows, place, steps, limit)
    more, found = len(found) > limit, found[:limit]
    if backwards:
        found.reverse()
    has_next = bool(found) and (backwards or more)
    has_prev = bool(found) and (more if backwards else place is not None)
    return Page(
        rows=found,
        next=_encode(found[-1], order, backwards=False) if has_next else None,
        prev=_encode(found[0], order, backwards=True) if has_prev else None,
        limit=limit,
    )


def _fetch(rows: QuerySet[M], place: _Cursor | None, order: tuple[str, ...], limit: int) -> list[M]:
    ordered = rows.order_by(*order)
    if place is None:
        return list(ordered[: limit + 1])
    try:
        return list(ordered.filter(_after(place.values, order))[: limit + 1])
    except (ValueError, TypeError, ValidationError) as error:
        raise CursorError(_("The cursor belongs to another list.")) from error


def _after(values: list[Any], order: tuple[str, ...]) -> Q:
    """Rows behind the place: (a > x) or (a = x and b > y) or ..."""
    wanted, equal = Q(), Q()
    for name, value in zip(order, values, strict=True):
        column, sign = name.lstrip("-"), "lt" if name.startswith("-") else "gt"
        wanted |= equal & Q(**{f"{column}__{sign}": value})
        equal &= Q(**{column: value})
    return wanted


def _flip(name: str) -> str:
    return name[1:] if name.startswith("-") else f"-{name}"


def _encode(row: Model, order: tuple[str, ...], *, backwards: bool) -> str:
    values = [getattr(row, name.lstrip("-")) for name in order]
    plain = [value if isinstance(value, int | float | bool) else str(value) for value in values]
    text = json.dumps(["p" if backwards else "n", *plain], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _decode(cursor: str, columns: int) -> _Cursor:
    try:
        body = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        direction, *values = json.loads(body)
    except (binascii.Error, ValueError, TypeError) as error:
        raise CursorError(_("The cursor is damaged.")) from error
    if direction not in ("n", "p") or len(values) != columns:
        raise CursorError(_("The cursor belongs to another list."))
    return _Cursor(values, backwards=direction == "p")
