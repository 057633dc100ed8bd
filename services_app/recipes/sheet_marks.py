"""What lies on the cells of a sheet: formats, merged blocks, tables, charts, pivots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, conflict, invalid
from services_app.recipes.sheet import (
    Cell,
    NamedRange,
    Seen,
    Sheet,
    SheetState,
    Span,
    cells_of,
    free_name,
    name_of,
    place_of,
    sheet_at,
    sheets_of,
    span_of,
    touched,
)
from services_app.recipes.sheet_formulas import worked_out
from services_app.recipes.sheet_writes import canonical_value, checked_size, create_sheet, set_style, write_range


def format_range(
    state: SheetState,
    ctx: CallContext,
    *,
    filepath: Any,
    sheet: Any,
    start: Any,
    end: Any = None,
    merge: Any = None,
    style: dict[str, Any],
) -> Seen:
    """Set the format of a range: what is named changes, the rest stays. It can be merged as well."""
    place = sheet_at(state, filepath, sheet)
    span = checked_size(span_of(start, end))
    given = {name: canonical_value(value) for name, value in style.items() if value not in (None, False, "")}
    if not given and not merge:
        raise invalid("Name at least one part of the format, such as bold.")
    for row in range(span.top, span.bottom + 1):
        for column in range(span.left, span.right + 1):
            set_style(state, place, row, column, {name: str(value) for name, value in given.items()})
    if merge:
        merge_cells(state, ctx, filepath=filepath, sheet=sheet, start=span.text())
    touched(state, ctx, place)
    return {"sheet_name": place.sheet_name, "range": span.text(), "style": given, "merged": bool(merge)}


def merge_cells(state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, start: Any, end: Any = None) -> Seen:
    """Make one block of a range: only its first cell keeps its value. 409 when it meets another block."""
    place = sheet_at(state, filepath, sheet)
    span = checked_size(span_of(start, end))
    if (span.top, span.left) == (span.bottom, span.right):
        raise invalid("A block has at least two cells.", type="too_small")
    if any(one.kind == "merged" and _meet(span_of(one.range), span) for one in place.ranges):
        raise conflict(f"{span.text()} meets a merged block.", type="already_merged")
    for (row, column), cell in cells_of(state, place).items():
        if span.holds(row, column) and (row, column) != (span.top, span.left):
            state.grid_cells.delete(cell.id)
    return _mark(state, ctx, place, NamedRange(kind="merged", range=span.text()))


def _meet(one: Span, other: Span) -> bool:
    across = one.left <= other.right and other.left <= one.right
    return across and one.top <= other.bottom and other.top <= one.bottom


def _mark(state: SheetState, ctx: CallContext, sheet: Sheet, mark: NamedRange) -> Seen:
    state.grid_sheets.patch(sheet.id, ranges=(*sheet.ranges, mark))
    touched(state, ctx, sheet)
    return {
        "sheet_name": sheet.sheet_name,
        "kind": mark.kind,
        "range": mark.range,
        "name": mark.name,
        **dict(mark.details),
    }


def unmerge_cells(
    state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, start: Any, end: Any = None
) -> Seen:
    """Take a merged block apart; 404 when the range is none."""
    place = sheet_at(state, filepath, sheet)
    text = span_of(start, end).text()
    left = tuple(one for one in place.ranges if not (one.kind == "merged" and one.range == text))
    if len(left) == len(place.ranges):
        raise ToolError(404, "not_found", f"{text} is no merged block of {place.sheet_name!r}.")
    state.grid_sheets.patch(place.id, ranges=left)
    touched(state, ctx, place)
    return {"sheet_name": place.sheet_name, "unmerged": text}


def create_table(
    state: SheetState,
    ctx: CallContext,
    *,
    filepath: Any,
    sheet: Any,
    range_: Any = None,
    name: Any = None,
    style: Any = None,
) -> Seen:
    """Make a table of a range under a name; 409 when the name is taken or the range meets another table."""
    place = sheet_at(state, filepath, sheet)
    span = span_of("A1:B2" if range_ in (None, "") else range_)
    tables = [one for other in sheets_of(state, filepath) for one in other.ranges if one.kind == "table"]
    title = str(name or f"Table{len(tables) + 1}")
    if any(one.name.casefold() == title.casefold() for one in tables):
        raise conflict(f"There is a table {title!r} already.", type="already_exists")
    if any(one.kind == "table" and _meet(span_of(one.range), span) for one in place.ranges):
        raise conflict(f"{span.text()} meets another table.", type="overlap")
    details = (("style", str(style)),) if style else ()
    return _mark(state, ctx, place, NamedRange(kind="table", range=span.text(), name=title, details=details))


CHARTS = ("line", "bar", "column", "pie", "scatter", "area")


def create_chart(  # noqa: PLR0913 - a chart has that many parts
    state: SheetState,
    ctx: CallContext,
    *,
    filepath: Any,
    sheet: Any,
    range_: Any,
    kind: Any,
    target: Any,
    title: Any = None,
    x_axis: Any = None,
    y_axis: Any = None,
) -> Seen:
    """Put a chart of a range at a cell; 422 for a kind that there is not."""
    place = sheet_at(state, filepath, sheet)
    if str(kind).casefold() not in CHARTS:
        raise invalid(f"{kind!r} is no kind of chart; use one of {', '.join(CHARTS)}.", type="invalid_kind")
    parts = {"type": str(kind).casefold(), "at": name_of(*place_of(target)), "title": title}
    parts |= {"x_axis": x_axis, "y_axis": y_axis}
    details = tuple((name, str(value)) for name, value in parts.items() if value)
    return _mark(state, ctx, place, NamedRange(kind="chart", range=span_of(range_).text(), details=details))


_MEASURES: dict[str, Callable[[list[float]], float]] = {
    "sum": sum,
    "mean": lambda values: sum(values) / len(values),
    "average": lambda values: sum(values) / len(values),
    "count": lambda values: float(len(values)),
    "max": max,
    "min": min,
}


def create_pivot(  # noqa: PLR0913 - a pivot has that many parts
    state: SheetState,
    ctx: CallContext,
    *,
    filepath: Any,
    sheet: Any,
    range_: Any,
    rows: Sequence[Any],
    values: Sequence[Any],
    columns: Any = None,
    measure: Any = None,
) -> Seen:
    """Group the rows of a range by some of its columns and put the measures on a new sheet."""
    place = sheet_at(state, filepath, sheet)
    how = _MEASURES.get(str(measure or "mean").casefold())
    if how is None:
        raise invalid(f"{measure!r} is no measure; use one of {', '.join(_MEASURES)}.", type="invalid_measure")
    records = _records(state, place, span_of(range_))
    keys, named = [str(one) for one in (*rows, *(columns or ()))], [str(one) for one in values]
    for name in (*keys, *named):
        if not records or name not in records[0]:
            raise ToolError(404, "not_found", f"No column {name!r} in {range_}.")
    if not keys or not named:
        raise invalid("Name at least one column to group by and one to measure.")
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for record in records:
        groups.setdefault(tuple(str(record[key]) for key in keys), []).append(record)
    table: list[list[Any]] = [[*keys, *named]]
    for group, members in sorted(groups.items()):
        table.append([*group, *(_measured(how, members, name) for name in named)])
    name = free_name(state, filepath, f"{place.sheet_name[:20]}_pivot")
    made = create_sheet(state, ctx, filepath=filepath, sheet=name)
    write_range(state, ctx, filepath=filepath, sheet=name, values=table)
    return {**made, "rows": table}


def _measured(how: Callable[[list[float]], float], members: Sequence[dict[str, Any]], name: str) -> float | None:
    numbers = [float(one[name]) for one in members if isinstance(one[name], int | float)]
    return round(how(numbers), 10) if numbers else None


def _records(state: SheetState, sheet: Sheet, span: Span) -> list[dict[str, Any]]:
    cells: dict[tuple[int, int], Cell] = cells_of(state, sheet)
    rows = [
        [
            worked_out(cells[(row, column)], cells) if (row, column) in cells else None
            for column in range(span.left, span.right + 1)
        ]
        for row in range(span.top, span.bottom + 1)
    ]
    names = [str(name) for name in rows[0]]
    return [dict(zip(names, row, strict=True)) for row in rows[1:]]
