"""Rows of outside sources: under keys without end, the same key gives the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from services_app.engine.plain import canonical, digest
from services_app.engine.state import Table
from services_app.recipes.records import Arguments, SpecRecord, equal
from services_app.recipes.values import Chance, value_for

R = TypeVar("R", bound=SpecRecord)
_BY_TIME = ("date", "timestamp", "epoch")


def derived(
    table: Table[R],
    arguments: Arguments,
    names: Mapping[str, str],
    kinds: Mapping[str, Any],
    *,
    variants: Mapping[str, str] | None = None,
    count: int = 12,
) -> list[R]:
    """Rows under the required values; where none are stored, rows that follow from these values alone.

    What outside sources hold has no end of keys (symbols, places, addresses): the same key gives the same rows,
    always, and another key gives others. `kinds` says what each field holds: a kind of value, or choices. `variants`
    are parameters (with their fields) that choose another series under the same key: another interval or currency.
    """
    sent = {name: field for name, field in (variants or {}).items() if arguments.get(name) not in (None, "", [])}
    chosen = {field: arguments[name] for name, field in sent.items()}
    found = equal(table, arguments, names)
    if found and not chosen:
        return found
    given = {field: arguments[name] for name, field in names.items() if arguments.get(name) is not None}
    sample = next(iter(table), None)  # another seed, another source
    start = int(digest(canonical({**given, **chosen, "": sample and sample.plain()}))[:6], 16)
    return [
        table.record_type.model_validate(
            {
                "id": f"{table.record_type.about.prefix}{start:06X}{number:02d}",
                **{field: _value(kind, start, number) for field, kind in kinds.items()},
                **{field: _as_text(value, table, field) for field, value in {**given, **chosen}.items()},
            }
        )
        for number in range(count)
    ]


def _value(kind: Any, start: int, number: int) -> Any:
    if isinstance(kind, tuple):
        return kind[(start + number) % len(kind)]
    return value_for(kind, number if kind in _BY_TIME else (start + number) % 89, Chance(start + number))


def _as_text(value: Any, table: Table[Any], field: str) -> Any:
    wanted = str(table.record_type.model_fields[field].annotation)
    return str(value) if "str" in wanted and not isinstance(value, str) else value
