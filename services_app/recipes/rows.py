"""Narrowing, sorting and paging rows, as the parameters of tools that list ask for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from services_app.engine.errors import ToolError
from services_app.engine.state import Table
from services_app.recipes.records import Arguments, SpecRecord, equal, key

R = TypeVar("R", bound=SpecRecord)
_UP = frozenset(("asc", "ascending", "ascend", "1", "up", "a", "asc_nulls_last", "oldest", "false"))
_DOWN = frozenset(("desc", "descending", "descend", "-1", "down", "d", "desc_nulls_last", "newest", "true", "reverse"))
_AS_FOUND = frozenset("relevance best_match bestmatch best-match default random natural score rank none".split())
_DIRECTED = re.compile(
    r"(?P<name>.*?)(?:\s*[:\s.\[(]|[-_]{1,2})(?P<way>asc|desc|ascending|descending)[\])]?$", re.IGNORECASE
)
_EVERYTHING = frozenset(("*", "all", "default", "full"))


def scoped(table: Table[R], arguments: Arguments, names: Mapping[str, str], rows: Iterable[R] | None = None) -> list[R]:
    """Rows under the values that say where to look (owner and repository, project); 404 when nothing lies there."""
    found = equal(table if rows is None else rows, arguments, names)
    if not found and not equal(table, arguments, names):
        where = " and ".join(f"{name} {arguments[name]!r}" for name in names if arguments.get(name) is not None)
        raise ToolError(404, "not_found", f"There is nothing under {where}.")
    return found


def between(rows: Iterable[R], field: str, *, least: Any = None, most: Any = None, strict: bool = False) -> list[R]:
    """Rows whose field lies in a closed range (open when `strict`); 400 for a bound of numbers that is none."""
    if least is None and most is None:
        return list(rows)
    return [row for row in rows if _within(getattr(row, field), least, most, strict)]


def _within(value: Any, least: Any, most: Any, strict: bool) -> bool:
    if value is None:
        return False
    if isinstance(value, str):
        bounds = [None if bound is None else str(bound) for bound in (least, most)]
    else:
        bounds = [None if bound is None else _number(bound) for bound in (least, most)]  # type: ignore[misc]
    low, high = bounds
    if strict:
        return (low is None or value > low) and (high is None or value < high)
    return (low is None or value >= low) and (high is None or value <= high)


def _number(bound: Any) -> float:
    try:
        return float(bound)
    except (TypeError, ValueError) as error:
        raise ToolError(400, "invalid_bound", f"{bound!r} is not a number.") from error


def matching(rows: Iterable[R], text: object, names: Sequence[str] = ()) -> list[R]:
    """Rows that hold every word of `text` somewhere, or in the fields `names`, without regard to case."""
    sent = " ".join(map(str, text)) if isinstance(text, list) else str(text or "")
    words = sent.casefold().replace('"', " ").split()

    def held(row: R) -> str:
        known = [getattr(row, name) for name in names] if names else row.plain()
        return json.dumps(known, ensure_ascii=False).casefold()

    return [row for row in rows if all(word in held(row) for word in words)]


def visible(rows: Iterable[R], arguments: Arguments, names: Mapping[str, str]) -> list[R]:
    """Rows without those whose flag is set, unless the parameter that shows them is true.

    `names`: flag -> parameter; "" for rows that no parameter shows.
    """
    return [
        row
        for row in rows
        if all(not getattr(row, flag) or truth(arguments.get(name)) is True for flag, name in names.items())
    ]


def flagged(rows: Iterable[R], arguments: Arguments, names: Mapping[str, str]) -> list[R]:
    """Only rows whose flag is set, for every parameter that is true. `names`: flag -> parameter."""
    wanted = [flag for flag, name in names.items() if truth(arguments.get(name)) is True]
    return [row for row in rows if all(getattr(row, flag) for flag in wanted)]


def unflagged(rows: Iterable[R], flag: str, wanted: object) -> list[R]:
    """Rows without those whose flag is set, when that is wanted."""
    return [row for row in rows if truth(wanted) is not True or not getattr(row, flag)]


def truth(value: object) -> object:
    """True and False also from their words; anything else as it is. A list that holds something is true."""
    if isinstance(value, list):
        return bool(value)
    return {"true": True, "false": False, "yes": True, "no": False}.get(str(value).casefold(), value)


def ordered(
    rows: Sequence[R], field: object, direction: object, names: Mapping[str, str], default: str = ""
) -> list[R]:
    """Rows sorted by the fields that `field` names (`-name`, `name desc`, `id[ASC]` too); 400 for an unknown one.

    Without one, by `default`; where there is none either, a descending `direction` turns the rows round. A name of
    `names` may stand for a column the other way round (`newest`: -created_at).
    """
    down = _descends(direction)
    wanted = field if isinstance(field, list) else [part for part in str(field or "").split(",") if part.strip()]
    found = list(rows)
    if not wanted:
        column = default.removeprefix("-")
        if not column:
            return found[::-1] if down else found
        return _by(found, column, default.startswith("-") if direction in (None, "") else down)
    for part in reversed([_spoken(part) for part in wanted]):
        name, word = _way(str(part).strip(), names)
        turned = _descends(word) if word else down
        plain = name.casefold()
        if plain in _UP | _DOWN and name not in names:
            found = found[::-1] if _descends(name) else found
        elif plain not in _AS_FOUND or name in names:
            column = _column(name.strip("-+"), names)
            turned = turned ^ name.startswith("-") ^ column.startswith("-")
            found = _by(found, column.removeprefix("-"), turned)
    return found


def _way(part: str, names: Mapping[str, str]) -> tuple[str, str]:
    """The field and the direction in `name:desc`, `name desc`, `name__desc`, `name.desc`, `name[DESC]`, `name_desc`."""
    said = _DIRECTED.match(part)
    if said is None or part in names:
        name, _, word = part.replace(":", " ").replace("__", " ").partition(" ")
        return name, word.strip()
    return said["name"], said["way"]


def _spoken(part: object) -> object:
    """`{"field": name, "direction": desc}` as `name:desc`."""
    if not isinstance(part, Mapping):
        return part
    named = {str(name).casefold(): value for name, value in part.items()}
    name = next(
        (named[word] for word in ("field", "property", "column", "key", "attribute", "timestamp") if word in named), ""
    )
    way = next((named[word] for word in ("direction", "order", "dir", "sort") if word in named), "")
    return f"{name}:{way}" if way else name


def _by(rows: list[R], column: str, down: bool) -> list[R]:
    if column == "id":
        return sorted(rows, key=lambda row: _id_rank(row.id), reverse=down)
    known = [row for row in rows if getattr(row, column) is not None]
    missing = [row for row in rows if getattr(row, column) is None]
    return [*sorted(known, key=lambda row: _rank(getattr(row, column)), reverse=down), *missing]


def _id_rank(identity: str) -> tuple[str, int, str]:
    """Ids in the order they are given: numbers as numbers, also behind letters."""
    stem = identity.rstrip("0123456789")
    return stem, int(identity[len(stem) :] or 0), identity


def _rank(value: Any) -> tuple[int, Any]:
    return (1, str(value).casefold()) if isinstance(value, str | tuple) else (0, value)


def _column(name: str, names: Mapping[str, str]) -> str:
    plain = name.casefold().replace("_", "").replace("-", "").rpartition(".")[2]
    for known, column in {"id": "id", **names}.items():
        if known.casefold().replace("_", "").replace("-", "") == plain:
            return column
    for known, column in names.items():  # `created` is created_at
        if plain and known.casefold().replace("_", "").startswith(plain):
            return column
    raise ToolError(400, "unknown_sort", f"Cannot sort by {name!r}; use one of {', '.join(['id', *names])}.")


def _descends(direction: object) -> bool:
    word = str(direction if direction is not None else "asc").casefold().strip() or "asc"
    if word in _UP or word in _DOWN:
        return word in _DOWN
    raise ToolError(400, "unknown_direction", f"{direction!r} is no direction; use asc or desc.")


class Part(NamedTuple):
    """The rows of one page, and what asks for the next ("" on the last one)."""

    rows: list[Any]
    following: str


def page(  # noqa: PLR0913 - one per way to page
    rows: Sequence[Any],
    *,
    limit: Any = None,
    offset: Any = None,
    number: Any = None,
    cursor: Any = None,
    after: Any = None,
    usual: int = 25,
    most: int = 1000,
    first: int = 1,
    first_row: int = 0,
    pages: Any = None,
    everything: object = None,
) -> Part:
    """The part of the rows that the arguments ask for: by offset, page number, cursor, or the id of the last row seen.

    `usual` is the size of a page where none is asked for, `most` the largest, `first` the number of the first page and
    `first_row` that of the first row. `pages` is the number of pages that are read at once, 0 for all of them.
    """
    size = usual if limit in (None, "") else _whole(limit)
    if size < 0:
        raise ToolError(400, "invalid_page", f"{limit!r} is no size of a page.")
    size = min(size, most)
    start = 0 if offset in (None, "") else _whole(offset) - first_row
    if number not in (None, ""):
        start = (_whole(number) - first) * size
        if start < 0:
            raise ToolError(400, "invalid_page", f"Pages are counted from {first}.")
    if cursor:
        start = _whole(cursor, "a cursor of this list")
    if after:
        start = _after(rows, after)
    if start < 0:
        raise ToolError(400, "invalid_page", f"{offset!r} lies before the first row.")
    if truth(everything) is True or pages == 0:
        return Part(list(rows[start:]), "")
    size *= 1 if pages is None else max(_whole(pages), 1)
    shown = list(rows[start : start + size])
    more = bool(shown) and start + size < len(rows)
    return Part(shown, "" if not more else shown[-1].id if after is not None else str(start + size))


def _after(rows: Sequence[Any], identity: Any) -> int:
    place = next((place for place, row in enumerate(rows) if row.id == key(identity)), None)
    if place is not None:
        return place + 1
    last = _whole(identity, "the id of a row of this list")
    if not all(row.id.isdecimal() for row in rows):
        raise ToolError(400, "invalid_page", f"{identity!r} is not the id of a row of this list.")
    return next((place for place, row in enumerate(rows) if int(row.id) > last), len(rows))


def _whole(value: Any, what: str = "a whole number") -> int:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ToolError(400, "invalid_page", f"{value!r} is not {what}.") from error


def selected(shown: list[dict[str, Any]], wanted: object) -> list[dict[str, Any]]:
    """The records with only the fields that `wanted` lists (an array, or text with commas); all when it is empty.

    400 when the records have none of them.
    """
    parts = wanted if isinstance(wanted, list) else str(wanted or "").replace(" ", "").split(",")
    asked = [str(part).rpartition("/")[2].split("(")[0].lstrip("+") for part in parts if str(part).strip()]
    if not asked or not shown or set(asked) & _EVERYTHING:
        return shown
    may_have = dict.fromkeys(name for record in shown for name in record)
    tops = {part.split(".")[0] for part in asked} | {part.split(".")[-1] for part in asked}
    known = [name for name in may_have if name in tops]
    if not known and "id" not in tops:
        there = ", ".join(may_have)
        raise ToolError(400, "unknown_field", f"There are no fields {', '.join(asked)}; there are {there}.")
    return [{name: value for name, value in record.items() if name in known or name == "id"} for record in shown]
