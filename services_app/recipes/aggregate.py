"""Figures over rows of a table: counts, sums, averages, groups, time buckets, two periods side by side.

Everything is worked out from the records when it is asked for; nothing is stored, so figures follow each write.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from services_app.engine.errors import ToolError
from services_app.engine.state import Record, State, Table
from services_app.recipes.records import key

Rows = Sequence[Record]
_LABELS = (
    "status", "state", "type", "priority", "category", "stage", "kind", "severity", "currency", "country", "role",
    "owner", "assignee", "source", "level", "plan", "urgency", "channel", "department", "region", "method", "group",
)  # fmt: skip
_DAYS = {"day": 1, "daily": 1, "week": 7, "weekly": 7, "month": 30, "monthly": 30, "quarter": 90, "year": 365}
_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}")
_MOST_ROWS = 50
_MOST_IDS = 20


def plain(rows: Iterable[Record]) -> list[dict[str, Any]]:
    """Rows as agents see them."""
    return [row.plain() for row in rows]


def summary(rows: Rows) -> dict[str, Any]:
    """How many there are, which, how they spread over each label, and sum, average, minimum, maximum of each number."""
    shown = plain(rows)
    covered = [row["id"] for row in shown[:_MOST_IDS]]
    return {"total": len(shown), **_spreads(shown), **_numbers(shown), "covers": covered}


def scope(arguments: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """What a report is about: the ids that were sent."""
    return {name: arguments[name] for name in names if arguments.get(name) is not None}


def _spreads(shown: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    return {f"by_{name}": _spread(shown, name) for name in _labels(shown)}


def _spread(shown: list[dict[str, Any]], name: str) -> dict[str, int]:
    values = [_text(row.get(name)) for row in shown if row.get(name) is not None]
    return {value: values.count(value) for value in sorted(set(values))}


def _labels(shown: list[dict[str, Any]]) -> list[str]:
    """Fields that sort rows into few kinds: statuses, types, flags."""
    found = []
    for name in shown[0] if shown else ():
        words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
        flag = all(isinstance(row.get(name), bool | None) for row in shown)
        label = bool(words) and words[-1] in _LABELS and all(isinstance(row.get(name), str | None) for row in shown)
        if (flag or label) and any(row.get(name) is not None for row in shown):
            found.append(name)
    return found


def _numbers(shown: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    found = {}
    for name in shown[0] if shown else ():
        values = _values(shown, name)
        if values and name != "id" and not name.lower().endswith("id"):
            found[name] = {
                "sum": _rounded(sum(values)),
                "average": _rounded(sum(values) / len(values)),
                "minimum": min(values),
                "maximum": max(values),
            }
    return found


def _values(shown: Iterable[Mapping[str, Any]], name: str) -> list[float]:
    values = [row.get(name) for row in shown]
    return [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]


def _rounded(value: float) -> float:
    return round(value, 2) if isinstance(value, float) else value


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def grouped(rows: Rows, by: object) -> list[dict[str, Any]]:
    """One entry per value of the field that `by` names (or per day, week, month, quarter, year), largest first.

    400 for a field that no row has. Time buckets come in order of time.
    """
    names = [str(name) for name in by] if isinstance(by, list) else list(re.split(r"[,\s]+", str(by)))
    shown = plain(rows)
    fields = [_field(shown, name) for name in names if name]
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in shown:
        groups.setdefault(tuple(_bucket(row, field) for field in fields), []).append(row)
    found = []
    for values, members in groups.items():
        sums = {f"{name}_sum": figures["sum"] for name, figures in _numbers(members).items()}
        found.append({**dict(zip(names, values, strict=False)), "count": len(members), **sums})
    timed = any(name.lower() in _DAYS for name in names)
    return sorted(found, key=lambda entry: tuple(str(entry[name]) for name in names) if timed else (-entry["count"],))


def _field(shown: list[dict[str, Any]], name: str) -> str:
    """The field that a name for a group means: itself, the same words, a field that ends with it, or a time bucket."""
    word = _plain_word(name)
    if name.lower() in _DAYS:
        return f"@{name.lower()}"
    names = {_plain_word(field): field for row in shown for field in row}
    stem = _stem(word)
    close = [field for known, field in names.items() if _stem(known).endswith(stem)]
    found = names.get(word) or next(iter(close), None)
    if found is None and shown:
        choices = ", ".join(sorted(shown[0]))
        raise ToolError(400, "unknown_group", f"Cannot group by {name!r}; use one of {choices}, day, week, month.")
    return found or name


def _plain_word(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _stem(word: str) -> str:
    return re.sub(r"(ids?|names?|s)$", "", word) or word


def _bucket(row: Mapping[str, Any], field: str) -> str:
    if not field.startswith("@"):
        return _text(row.get(field))
    day = main_time(row)[:10]
    if not day:
        return "unknown"
    date = dt.date.fromisoformat(day)
    if field in ("@week", "@weekly"):
        return (date - dt.timedelta(days=date.weekday())).isoformat()
    if field == "@quarter":
        return f"{date.year}-Q{(date.month + 2) // 3}"
    return day[:7] if field in ("@month", "@monthly") else day[:4] if field == "@year" else day


def main_time(row: Mapping[str, Any]) -> str:
    """The first date or instant of a row in ISO text; "" when it has none."""
    return next((v for v in row.values() if isinstance(v, str) and _DATE.match(v) and _is_date(v[:10])), "")


def _is_date(text: str) -> bool:
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def within(rows: Rows, start: str, end: str) -> list[Record]:
    """Rows whose main time lies between two dates, both included."""
    return [row for row in rows if start <= main_time(row.plain())[:10] <= end]


def recent(rows: Rows, today: str, wanted: object, unit: int = 1) -> list[Record]:
    """Rows of the last `wanted` times `unit` days, or of a period in words ("7d", "last_month", "week"); all for None.

    400 for words that name no period.
    """
    days = _span(wanted, unit)
    if days is None:
        return list(rows)
    first = (dt.date.fromisoformat(today) - dt.timedelta(days=days)).isoformat()
    return [row for row in rows if not main_time(row.plain()) or first <= main_time(row.plain())[:10] <= today]


def _span(wanted: object, unit: int) -> int | None:
    if wanted is None or str(wanted).lower() in ("all", "lifetime", "all_time", "maximum", "max", ""):
        return None
    if isinstance(wanted, int | float):
        return max(0, min(int(wanted) * unit, 36_500))
    text = str(wanted).lower()
    number = int(found[0][:4]) if (found := re.findall(r"\d+", text)) else 1
    letters = re.findall(r"[a-z]+", text)
    for word, days in {**_DAYS, "today": 1, "yesterday": 2}.items():
        if any(part in (word, f"{word}s") for part in letters):
            return number * days
    short = {"d": 1, "w": 7, "m": 30, "mo": 30, "y": 365, "h": 1}
    if letters and letters[-1] in short:
        return number * short[letters[-1]]
    raise ToolError(400, "unknown_period", f"{wanted!r} is no period; use day, week, month, year or a form such as 7d.")


def measured(rows: Rows, measures: object) -> dict[str, Any]:
    """Sum, or the kind of figure that a word asks for (count, avg_price, max(total)), for each measure.

    400 for a measure that no field carries.
    """
    names = measures if isinstance(measures, list) else str(measures).split(",")
    shown = plain(rows)
    return {str(name): _measure(shown, str(name).strip()) for name in names if str(name).strip()}


def _measure(shown: list[dict[str, Any]], name: str) -> float:
    found = figure(shown, name)
    if found is None:
        known = ", ".join(sorted(_numbers(shown))) or "none"
        raise ToolError(400, "unknown_measure", f"No figure named {name!r}; use count or a number field: {known}.")
    return found


def figures_for(rows: Rows, names: Iterable[str]) -> dict[str, Any]:
    """The figures that names ask for, as far as the rows hold them: total_tickets, open_count, average_price."""
    shown = plain(rows)
    found = {name: figure(shown, name) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def figure(shown: list[dict[str, Any]], name: str) -> float | None:
    """The figure that a name asks for; None when no field carries it."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower())
    numbers = {_plain_word(field): field for row in shown for field in row if _values([row], field) and field != "id"}
    rest = [word for word in words if word not in _FUNCTIONS]
    function = next((word for word in words if word in _FUNCTIONS), "sum")
    field = numbers.get("".join(rest)) or numbers.get(_plain_word(name))
    if field is not None:
        return _applied(function, _values(shown, field))
    if function == "sum" and "sum" not in words and words[-1:] != ["amount"]:
        function = "count"
    if function not in ("count", "total", "num", "number"):
        return None
    labels = {_text(row.get(label)).lower() for label in _labels(shown) for row in shown}
    label = next((word for word in rest if word in labels), None)
    if label is None:
        return len(shown) if not rest or set(words) & set(_FUNCTIONS) else None
    return sum(any(_text(row.get(name)).lower() == label for name in _labels(shown)) for row in shown)


_FUNCTIONS = ("count", "total", "num", "number", "sum", "avg", "average", "mean", "min", "minimum", "max", "maximum")


def _applied(function: str, values: list[float]) -> float:
    if not values:
        return 0
    if function in ("avg", "average", "mean"):
        return _rounded(sum(values) / len(values))
    if function in ("min", "minimum", "max", "maximum"):
        return min(values) if function.startswith("min") else max(values)
    return len(values) if function == "count" else _rounded(sum(values))


def around(state: State, record: Record) -> dict[str, Any]:
    """A record with a summary of the rows of each table that refer to it."""
    found = {}
    for name, table in tables_of(state).items():
        refs = [field for field, meaning in table.record_type.semantics().items() if meaning.kind == "ref"]
        mine = [row for row in table if any(key(getattr(row, field)) == record.id for field in refs)]
        if mine:
            found[name] = summary(mine)
    return {**record.plain(), **found}


def tables_of(state: State) -> dict[str, Table[Any]]:
    """The tables of a state by name."""
    return {name: table for name, table in vars(state).items() if isinstance(table, Table)}


def whole(state: State) -> dict[str, Any]:
    """How many records each table holds and how these spread over their labels."""
    return {name: {"total": len(table), **_spreads(plain(table))} for name, table in tables_of(state).items()}


def ranked(groups: list[dict[str, Any]], limit: object = None, order: object = None) -> list[dict[str, Any]]:
    """The first groups; ascending by count when `order` says so."""
    if str(order).lower().startswith("asc") and groups and "count" in groups[0]:
        groups = sorted(groups, key=lambda entry: entry["count"])
    return groups[: max(0, int(limit))] if isinstance(limit, int | float) else groups


def first_rows(rows: Rows) -> list[dict[str, Any]]:
    """The rows themselves, for a report that includes details."""
    return plain(rows[:_MOST_ROWS])


def compared(state: State, first: tuple[str, str], second: tuple[str, str]) -> dict[str, Any]:
    """Averages of every number in two periods (date, date), the first being the baseline: change, percent, verdict."""
    found: dict[str, Any] = {}
    for name, table in tables_of(state).items():
        one, two = (within(list(table), *period) for period in (first, second))
        if not any(main_time(row.plain()) for row in table):
            continue
        found[f"{name}_count"] = _change(len(one), len(two))
        before, after = _numbers(plain(one)), _numbers(plain(two))
        for field in sorted({*before, *after}):
            pair = [numbers[field]["average"] if field in numbers else None for numbers in (before, after)]
            found[f"{name}_{field}"] = _change(*pair)
    periods = [{"start": start, "end": end} for start, end in (first, second)]
    return {"period_a": periods[0], "period_b": periods[1], "metrics": found}


def _change(before: float | None, after: float | None) -> dict[str, Any]:
    known = {"period_a": before, "period_b": after}
    if before is None or after is None:
        return {**known, "change": None, "percent_change": None, "assessment": "unknown"}
    change = _rounded(after - before)
    percent = _rounded(100 * (after - before) / before) if before else None
    return {
        **known,
        "change": change,
        "percent_change": percent,
        "assessment": "unchanged" if not change else "increased" if change > 0 else "decreased",
    }


def day_of(text: object, today: str, *, end: bool = False) -> str:
    """The date that words name: a date, an instant, today, yesterday, `N days ago`, last week, this month.

    A week or month gives its first day, with `end` its last. 400 for anything else.
    """
    words = str(text).strip().lower()
    now = dt.date.fromisoformat(today)
    if _DATE.match(words) and _is_date(words[:10]):
        return words[:10]
    if found := re.match(r"^(\d{1,5}) days? ago$", words):
        return (now - dt.timedelta(days=int(found[1]))).isoformat()
    if words in ("today", "now", "yesterday"):
        return (now - dt.timedelta(days=words == "yesterday")).isoformat()
    if words in ("this week", "last week"):
        first = now - dt.timedelta(days=now.weekday() + 7 * (words == "last week"))
        return (first + dt.timedelta(days=6 if end else 0)).isoformat()
    if words in ("this month", "last month"):
        first = (now.replace(day=1) - dt.timedelta(days=words == "last month")).replace(day=1)
        last = (first + dt.timedelta(days=31)).replace(day=1) - dt.timedelta(days=1)
        return (last if end else first).isoformat()
    raise ToolError(400, "invalid_date", f"{text!r} is no date; use YYYY-MM-DD, today, yesterday or `N days ago`.")
