"""Rows of outside sources: the same key gives the same rows, and a key that the source does not know gives none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from services_app.engine.errors import ToolError
from services_app.engine.plain import canonical, digest
from services_app.engine.state import Table
from services_app.recipes.records import Arguments, SpecRecord, equal
from services_app.recipes.values import Chance, value_for

R = TypeVar("R", bound=SpecRecord)
_BY_TIME = ("date", "timestamp", "epoch", "past_date", "past_timestamp")


def derived(
    table: Table[R],
    arguments: Arguments,
    names: Mapping[str, str],
    kinds: Mapping[str, Any],
    *,
    variants: Mapping[str, str] | None = None,
    known: Mapping[str, Sequence[str]] | None = None,
    count: int = 12,
) -> list[R]:
    """Rows under the required values; where none are stored, rows that follow from these values alone.

    The same key gives the same rows, always, and another key gives others. `known` are the keys (symbols, places,
    addresses) that there are for a parameter, letter case aside: 404 for any other. `kinds` says what each field
    holds: a kind of value, or choices. `variants` are parameters (with their fields) that choose another series under
    the same key: another interval or currency.
    """
    sent = {name: field for name, field in (variants or {}).items() if arguments.get(name) not in (None, "", [])}
    chosen = {field: arguments[name] for name, field in sent.items()}
    found = equal(table, arguments, names)
    if found and not chosen and not known:
        return found
    keys = {name: _known(table, names[name], name, arguments.get(name), words) for name, words in (known or {}).items()}
    sought = {**arguments, **keys}
    given = {field: sought[name] for name, field in names.items() if sought.get(name) is not None}
    sample = next(iter(table), None)  # another seed, another source
    start = int(digest(canonical({**given, **chosen, "": sample and sample.plain()}))[:6], 16)
    made = [
        table.record_type.model_validate(
            {
                "id": f"{table.record_type.about.prefix}{start:06X}{number:02d}",
                **{field: _value(kind, start, number) for field, kind in kinds.items()},
                **{field: _as_text(value, table, field) for field, value in {**given, **chosen}.items()},
            }
        )
        for number in range(count)
    ]
    return made if chosen else [*found, *made][: max(count, len(found))]


def derived_each(
    table: Table[R],
    arguments: Arguments,
    names: Mapping[str, str],
    kinds: Mapping[str, Any],
    *,
    each: str,
    one: bool = False,
    **more: Any,
) -> list[R]:
    """The rows of each key that the parameter `each` holds with commas between them; of each the first if `one`."""
    parts = dict.fromkeys(part.strip() for part in str(arguments.get(each) or "").split(","))
    found = [derived(table, {**arguments, each: part}, names, kinds, **more) for part in parts]
    return [row for rows in found for row in (rows[:1] if one else rows)]


def _known(table: Table[Any], field: str, name: str, value: Any, listed: Sequence[str]) -> str:
    """A key, or several with commas, as the source spells it; 404 for one neither listed nor held by a stored row."""
    spelled = {str(getattr(row, field)).casefold(): str(getattr(row, field)) for row in table}
    spelled |= {key.casefold(): key for key in listed}
    word = str(value).strip()
    parts = [word] if word.casefold() in spelled else [part.strip() for part in word.split(",")]
    if missing := [part for part in parts if part.casefold() not in spelled]:
        noun = table.record_type.about.noun
        there = ", ".join(listed[:6])
        raise ToolError(404, "not_found", f"There is no {noun} under {name} {missing[0]!r}; there are {there}.")
    return ",".join(spelled[part.casefold()] for part in parts)


def _value(kind: Any, start: int, number: int) -> Any:
    if isinstance(kind, tuple):
        return kind[(start + number) % len(kind)]
    return value_for(kind, number if kind in _BY_TIME else (start + number) % 89, Chance(start + number))


def _as_text(value: Any, table: Table[Any], field: str) -> Any:
    wanted = str(table.record_type.model_fields[field].annotation)
    return str(value) if "str" in wanted and not isinstance(value, str) else value
