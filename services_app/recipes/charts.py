"""Charts as SVG text: the same data give the same picture, to the hundredth of a pixel."""

from __future__ import annotations

import html
import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from services_app.engine.errors import invalid

_PALETTES = {
    "default": ("#1783ff", "#00c9c9", "#f0884d", "#d580ff", "#7863ff", "#60c42d"),
    "academy": ("#4e79a7", "#f28e2c", "#e15759", "#76b7b2", "#59a14f", "#edc949"),
    "dark": ("#5cc8ff", "#ffb55a", "#7eb0d5", "#bd7ebe", "#b2e061", "#fd7f6f"),
}
_MOST = 2000
Row = dict[str, Any]


def _short(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


@dataclass
class Canvas:
    """A drawing area with its margins taken off; y grows downward."""

    width: float
    height: float
    palette: Sequence[str]
    left: float = 20.0
    top: float = 20.0
    right: float = 20.0
    bottom: float = 20.0
    parts: list[str] = field(default_factory=list)

    @property
    def inner(self) -> tuple[float, float]:
        return max(self.width - self.left - self.right, 1.0), max(self.height - self.top - self.bottom, 1.0)

    def colour(self, number: int) -> str:
        return self.palette[number % len(self.palette)]

    def x(self, share: float) -> float:
        return self.left + share * self.inner[0]

    def y(self, share: float) -> float:
        """The height of a share of the plot, counted from its bottom."""
        return self.top + (1 - share) * self.inner[1]

    def shape(self, name: str, **attributes: float | str) -> None:
        said = (f'{key.rstrip("_").replace("_", "-")}="{_shown(value)}"' for key, value in attributes.items())
        self.parts.append(f"<{name} {' '.join(said)}/>")

    def text(self, x: float, y: float, text: object, size: float = 12, turn: float = 0) -> None:
        words = str(text)
        room = f' textLength="{_short(len(words) * size * 0.6)}"' if words else ""
        turned = f' transform="rotate({_short(turn)} {_short(x)} {_short(y)})"' if turn else ""
        place = f'x="{_short(x)}" y="{_short(y)}" font-size="{_short(size)}"'
        self.parts.append(f"<text {place}{room}{turned}>{html.escape(words)}</text>")

    def line(self, points: Iterable[tuple[float, float]], stroke: str, *, closed: bool = False) -> None:
        path = " ".join(f"{_short(x)},{_short(y)}" for x, y in points)
        self.shape("polygon" if closed else "polyline", points=path, fill=stroke if closed else "none", stroke=stroke)

    def svg(self) -> str:
        size = f'width="{_short(self.width)}" height="{_short(self.height)}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(self.parts)}</svg>'


def _shown(value: float | str) -> str:
    return _short(value) if isinstance(value, int | float) else html.escape(value)


def chart(
    kind: str,
    data: Any,
    width: float | None = None,
    height: float | None = None,
    theme: str | None = None,
    title: str | None = None,
    x_title: str | None = None,
    y_title: str | None = None,
    **options: Any,
) -> dict[str, Any]:
    """An SVG of `kind` with its size; 422 for data that cannot be drawn. `options` are those of the kind."""
    size = (600.0 if width is None else float(width)), (400.0 if height is None else float(height))
    if not all(40 <= side <= 10_000 for side in size):
        raise invalid("Width and height lie between 40 and 10000 pixels.", type="out_of_range")
    if (theme or "default") not in _PALETTES:
        raise invalid(f"Unknown theme {theme!r}. Use one of {', '.join(_PALETTES)}.")
    canvas = Canvas(*size, _PALETTES[theme or "default"])
    if title:
        canvas.top += 28
        canvas.text(size[0] / 2, 24, title, 18)
    if x_title:
        canvas.bottom += 20
        canvas.text(size[0] / 2, size[1] - 8, x_title)
    if y_title:
        canvas.left += 20
        canvas.text(14, size[1] / 2, y_title, turn=-90)
    DRAWERS[kind](canvas, data, **{name: value for name, value in options.items() if value is not None})
    return {"type": kind, "width": tidy(size[0]), "height": tidy(size[1]), "svg": canvas.svg()}


def tidy(value: float) -> float:
    return int(value) if value.is_integer() else value


def rows_of(data: Any, *names: str) -> list[Row]:
    if not isinstance(data, list) or not data or len(data) > _MOST:
        raise invalid(f"A chart is drawn from a list of 1 to {_MOST} items.", type="bad_data")
    for row in data:
        if not isinstance(row, dict) or any(name not in row for name in names):
            raise invalid(f"Each item needs {', '.join(names)}.", type="bad_data")
    return data


def number_of(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or abs(value) > 1e15:
        raise invalid(f"{value!r} is no number that can be drawn.", type="bad_data")
    return float(value)


def label_of(row: Row) -> str:
    return str(next((row[name] for name in ("category", "time", "name", "label", "text") if name in row), ""))


def _scale(values: Sequence[float], *, zero: bool = True) -> Callable[[float], float]:
    """The share of the plot's height for a value."""
    low, high = min(values), max(values)
    low = min(low, 0.0) if zero else low
    span = (high - low) or 1.0
    return lambda value: (value - low) / span


def _axis(canvas: Canvas, labels: Sequence[str]) -> None:
    canvas.shape("line", x1=canvas.left, y1=canvas.y(0), x2=canvas.x(1), y2=canvas.y(0), stroke="#888888")
    for number, label in enumerate(labels):
        canvas.text(canvas.x((number + 0.5) / len(labels)), canvas.y(0) + 14, label, 10)


def _table(rows: Sequence[Row]) -> tuple[list[str], list[str], dict[tuple[str, str], float]]:
    """(categories, groups, values): in the order of first appearance; values of one cell are added."""
    labels = list(dict.fromkeys(label_of(row) for row in rows))
    groups = list(dict.fromkeys(str(row.get("group", "")) for row in rows))
    cells: dict[tuple[str, str], float] = {}
    for row in rows:
        key = label_of(row), str(row.get("group", ""))
        cells[key] = cells.get(key, 0.0) + number_of(row["value"])
    return labels, groups, cells


def _columns(canvas: Canvas, data: Any, *, group: bool = False, stack: bool = False, flat: bool = False) -> None:
    """Bars upright, or lying when `flat`: stacked, beside each other when grouped, else before each other."""
    labels, groups, cells = _table(rows_of(data, "value"))
    tops = [sum(max(cells.get((label, g), 0), 0) for g in groups) if stack else 0 for label in labels]
    share = _scale([*cells.values(), *tops])
    lanes = len(groups) if group and not stack else 1
    _axis(canvas, labels)
    for at, label in enumerate(labels):
        base = 0.0
        for number, name in enumerate(groups):
            value = cells.get((label, name), 0.0)
            lane = number if lanes > 1 else 0
            start, size = (at + 0.1 + 0.8 * lane / lanes) / len(labels), 0.8 / lanes / len(labels)
            low, high = sorted((share(base), share(base + value)))
            _bar(canvas, start, size, low, high, canvas.colour(number), flat)
            base += value if stack else 0.0
    _legend(canvas, groups)


def _bar(canvas: Canvas, start: float, size: float, low: float, high: float, colour: str, flat: bool) -> None:
    wide, tall = canvas.inner
    if flat:
        place = {"x": canvas.x(low), "y": canvas.top + start * tall}
        canvas.shape("rect", **place, width=(high - low) * wide, height=size * tall, fill=colour)
    else:
        canvas.shape(
            "rect", x=canvas.x(start), y=canvas.y(high), width=size * wide, height=(high - low) * tall, fill=colour
        )


def _legend(canvas: Canvas, groups: Sequence[str]) -> None:
    for number, name in enumerate(groups):
        if name:
            y = canvas.top + 14 * number
            canvas.shape("rect", x=canvas.x(1) - 60, y=y, width=8, height=8, fill=canvas.colour(number))
            canvas.text(canvas.x(1) - 48, y + 8, name, 10)


def _lines(canvas: Canvas, data: Any, *, stack: bool = False, filled: bool = False) -> None:
    labels, groups, cells = _table(rows_of(data, "time", "value"))
    base = dict.fromkeys(labels, 0.0)
    curves = []
    for name in groups:
        values = [cells.get((label, name), 0.0) + base[label] for label in labels]
        base = dict(zip(labels, values, strict=True)) if stack else base
        curves.append(values)
    share = _scale([value for values in curves for value in values])
    _axis(canvas, labels)
    for number, values in enumerate(curves):
        points = [(canvas.x((at + 0.5) / len(labels)), canvas.y(share(value))) for at, value in enumerate(values)]
        if filled:
            points = [(points[0][0], canvas.y(0)), *points, (points[-1][0], canvas.y(0))]
        canvas.line(points, canvas.colour(number), closed=filled)
    _legend(canvas, groups)


def _scatter(canvas: Canvas, data: Any) -> None:
    rows = rows_of(data, "x", "y")
    across = _scale([number_of(row["x"]) for row in rows], zero=False)
    up = _scale([number_of(row["y"]) for row in rows], zero=False)
    for row in rows:
        canvas.shape("circle", cx=canvas.x(across(row["x"])), cy=canvas.y(up(row["y"])), r=4, fill=canvas.colour(0))


def _histogram(canvas: Canvas, data: Any, *, bins: float = 0) -> None:
    """Equal intervals; after Sturges when no number of them is given."""
    values = sorted(number_of(value) for value in data)
    count = int(bins) if bins >= 1 else math.ceil(math.log2(len(values)) + 1)
    if not 1 <= count <= _MOST:
        raise invalid("The number of intervals is between 1 and 2000.")
    low, step = values[0], (values[-1] - values[0]) / count or 1.0
    heights = [0] * count
    for value in values:
        heights[min(int((value - low) / step), count - 1)] += 1
    _axis(canvas, [_short(low + step * at) for at in range(count)])
    for at, number in enumerate(heights):
        _bar(canvas, at / count, 1 / count, 0, number / max(heights), canvas.colour(0), False)


def _samples(rows: Sequence[Row]) -> list[tuple[str, list[float]]]:
    found: dict[str, list[float]] = {}
    for row in rows:
        name = f"{label_of(row)} {row['group']}" if row.get("group") else label_of(row)
        found.setdefault(name, []).append(number_of(row["value"]))
    return [(name, sorted(values)) for name, values in found.items()]


def _boxes(canvas: Canvas, data: Any) -> None:
    """Quartiles, median, least and greatest value of each category."""
    samples = _samples(rows_of(data, "category", "value"))
    share = _scale([value for _, values in samples for value in values], zero=False)
    _axis(canvas, [name for name, _ in samples])
    for at, (_, values) in enumerate(samples):
        low, middle, high = statistics.quantiles(values, method="inclusive") if len(values) > 1 else values * 3
        start, size = (at + 0.25) / len(samples), 0.5 / len(samples)
        _bar(canvas, start, size, share(low), share(high), canvas.colour(at), False)
        for value in (values[0], middle, values[-1]):
            y = canvas.y(share(value))
            canvas.line([(canvas.x(start), y), (canvas.x(start + size), y)], "#333333")


def _violins(canvas: Canvas, data: Any) -> None:
    """The density of each category by a Gaussian kernel, mirrored."""
    samples = _samples(rows_of(data, "category", "value"))
    everything = [value for _, values in samples for value in values]
    share, low = _scale(everything, zero=False), min(everything)
    step = (max(everything) - low) / 20 or 1.0
    _axis(canvas, [name for name, _ in samples])
    for at, (_, values) in enumerate(samples):
        wide = max((statistics.pstdev(values) or step) * len(values) ** -0.2, step / 10)
        heights = [low + step * number for number in range(21)]
        density = [sum(math.exp(-(((h - v) / wide) ** 2) / 2) for v in values) for h in heights]
        half = [0.4 * d / max(density) / len(samples) for d in density]
        middle = (at + 0.5) / len(samples)
        right = [(canvas.x(middle + w), canvas.y(share(h))) for h, w in zip(heights, half, strict=True)]
        left = [(canvas.x(middle - w), canvas.y(share(h))) for h, w in zip(heights, half, strict=True)]
        canvas.line([*right, *reversed(left)], canvas.colour(at), closed=True)


def _dual(canvas: Canvas, data: Any, *, series: Sequence[Row] = ()) -> None:
    """Columns and lines over the same categories, each series on a scale of its own."""
    if not isinstance(data, list) or not data:
        raise invalid("A chart needs at least one category.", type="bad_data")
    _axis(canvas, [str(name) for name in data])
    for number, one in enumerate(rows_of(list(series), "type", "data")):
        values = [number_of(value) for value in one["data"]][: len(data)]
        if not values:
            raise invalid("Each series holds at least one number.", type="bad_data")
        share = _scale(values)
        if one["type"] == "line":
            points = [(canvas.x((at + 0.5) / len(data)), canvas.y(share(v))) for at, v in enumerate(values)]
            canvas.line(points, canvas.colour(number))
        else:
            size = 0.8 / len(data)
            for at, value in enumerate(values):
                _bar(canvas, (at + 0.1) / len(data), size, share(0), share(value), canvas.colour(number), False)
        canvas.text(14 + 20 * number, canvas.height / 2, one.get("axisYTitle", ""), turn=-90)


DRAWERS: dict[str, Callable[..., None]] = {
    "area": lambda canvas, data, **how: _lines(canvas, data, filled=True, **how),
    "line": _lines,
    "column": _columns,
    "bar": lambda canvas, data, **how: _columns(canvas, data, flat=True, **how),
    "scatter": _scatter,
    "histogram": _histogram,
    "boxplot": _boxes,
    "violin": _violins,
    "dual_axes": _dual,
}
