"""Line charts and sparklines drawn on the server; `static/js/chart.js` adds the crosshair and zoom."""

import json
import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webapp.common.rendering.text import Markup, cut, esc
from webapp.common.svg.heat import safe_href
from webapp.common.svg.scale import Point, debiased_ema, nice_ticks, number, thin

MAX_SERIES = 6
LARGEST = 1e100
# Solid first; each further series also differs in its dashes, since colour alone is not enough.
DASHES = ("", "7 4", "2 3", "10 3 2 3", "5 2", "1 4")
_CHAR = 6.9  # mean advance of the 12.5 px label type, in px


@dataclass(frozen=True)
class Series:
    """One line: `points` are (x, y) in ascending x; y None is a gap."""

    name: str
    points: Sequence[Point]


@dataclass(frozen=True)
class Marker:
    """A vertical line at `x`, such as an evaluation; `short` stands at its top, `label` is its title."""

    x: float
    label: str
    short: str = ""


class _Frame(NamedTuple):
    left: float
    top: float
    width: float
    height: float
    x_low: float
    x_high: float
    y_low: float
    y_high: float
    log_y: bool

    def x(self, value: float) -> float:
        return round(self.left + self.width * (value - self.x_low) / (self.x_high - self.x_low), 2)

    def y(self, value: float) -> float:
        level = math.log10(value) if self.log_y else value
        return round(self.top + self.height * (self.y_high - level) / (self.y_high - self.y_low), 2)


def line_chart(  # noqa: PLR0913 - each argument is one property of the picture
    series: Sequence[Series],
    *,
    title: str = "",
    width: int = 480,
    height: int = 210,
    x_label: str = "",
    y_label: str = "",
    markers: Sequence[Marker] = (),
    smoothing: float = 0.0,
    log_y: bool = False,
    href: str = "",
) -> Markup:
    """An SVG line chart of at most six series; raises ValueError for more.

    `smoothing` in [0, 0.99] draws a debiased average over the raw line at quarter strength. Values that are
    not finite (or beyond 1e100), or not positive with `log_y`, are gaps. Points ride along as JSON for the crosshair.
    A click on a point opens `href` followed by its x; `chart_table` takes the same and has real links.
    """
    if len(series) > MAX_SERIES:
        raise ValueError(f"a chart holds at most {MAX_SERIES} series, not {len(series)}")
    lines = [_clean(one, log_y) for one in series]
    name = title or ", ".join(one.name for one in lines)
    frame = _frame(lines, width, height, log_y)
    key = f"c{zlib.crc32(repr((name, lines)).encode(errors='replace')):08x}"
    opening = (
        f'<svg class="line-chart{" wide" if width > 640 else ""}" viewBox="0 0 {width} {height}"'
        f' role="img" aria-labelledby="{key}t {key}d"'
        f' data-chart="" data-plot="{frame.left} {frame.top} {frame.width} {frame.height}"'
        f' data-x="{frame.x_low!r} {frame.x_high!r}" data-x-label="{esc(x_label)}"'
        f"{_opens(href)}"
        f' data-points="{esc(_points_json(lines))}" xmlns="http://www.w3.org/2000/svg">'
    )
    clip = f'<rect x="{frame.left}" y="{frame.top - 3}" width="{frame.width}" height="{frame.height + 6}"/>'
    parts = [
        opening,
        f'<desc id="{key}d">{esc(_describe(lines, x_label, y_label))}</desc>',
        f'<text id="{key}t" class="chart-title" x="{frame.left}" y="16">{esc(cut(name, int(width / 8)))}</text>',
        _axes(frame, x_label, y_label, width),
        f'<clipPath id="{key}c">{clip}</clipPath><g clip-path="url(#{key}c)">',
        f'<g data-lines="">{_lines(lines, frame, smoothing)}{_markers(markers, frame)}</g></g>',
        _marker_labels(markers, frame),
        _end_labels(lines, frame, smoothing),
        "</svg>",
    ]
    return Markup("".join(parts))


def sparkline(values: Sequence[float | None], *, label: str = "") -> Markup:
    """An 80 by 20 line with a dot on the last value; the text alternative says where it went."""
    marks = [(i, v) for i, v in enumerate(values) if v is not None and abs(v) <= LARGEST]
    if not marks:
        text = f"{label}: no values" if label else "no values"
        return Markup(f'<span class="muted" role="img" aria-label="{esc(text)}">–</span>')
    low, high = min(v for _, v in marks), max(v for _, v in marks)
    span = (high - low) or 1.0

    def place(i: int, v: float) -> tuple[float, float]:
        return round(2 + 74 * i / max(1, len(values) - 1), 1), round(17 - 14 * ((v - low) / span), 1)

    first, last = marks[0][1], marks[-1][1]
    trend = "flat" if last == first else "up" if last > first else "down"
    text = f"{number(first)} to {number(last)}, {trend}"
    x, y = place(*marks[-1])
    path = _path([(place(i, v) if v is not None and abs(v) <= LARGEST else None) for i, v in enumerate(values)])
    alternative = esc(f"{label}: {text}" if label else text)
    return Markup(
        f'<svg class="sparkline" viewBox="0 0 80 20" role="img" aria-label="{alternative}"'
        f' xmlns="http://www.w3.org/2000/svg"><title>{alternative}</title>'
        f'<path d="{path}"/><circle cx="{x}" cy="{y}" r="2.2"/></svg>'
    )


def chart_table(series: Sequence[Series], *, x_label: str = "x", limit: int = 200, href: str = "") -> Markup:
    """The same points as an HTML table (at most `limit` rows, the cut is stated); with `href` each x is a link."""
    names = "".join(f'<th scope="col" class="num">{esc(one.name)}</th>' for one in series)
    columns = [dict(one.points) for one in series]
    xs = sorted({x for column in columns for x in column})
    rows = [
        f'<tr><th scope="row" class="num">{_x_cell(x, href)}</th>'
        + "".join(f'<td class="num">{_cell(column.get(x))}</td>' for column in columns)
        + "</tr>"
        for x in xs[:limit]
    ]
    more = f"<caption>First {limit} of {len(xs)} rows</caption>" if len(xs) > limit else ""
    return Markup(
        f'<table class="table">{more}<thead><tr><th scope="col" class="num">{esc(x_label)}</th>{names}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _opens(href: str) -> str:
    return f' data-href="{esc(href)}"' if safe_href(href) else ""


def _x_cell(x: float, href: str) -> str:
    return f'<a href="{esc(f"{href}{x:g}")}">{number(x)}</a>' if safe_href(href) else number(x)


def _cell(value: float | None) -> str:
    return "–" if value is None else number(value)


def _clean(series: Series, log_y: bool) -> Series:
    def keep(value: float | None) -> float | None:
        if value is None or not abs(value) <= LARGEST or (log_y and value < 1 / LARGEST):
            return None
        return float(value)

    points = [(float(x), keep(y)) for x, y in series.points if abs(x) <= LARGEST]
    return Series(series.name, thin(points))


def _frame(lines: Sequence[Series], width: int, height: int, log_y: bool) -> _Frame:
    xs = [x for one in lines for x, _ in one.points] or [0.0, 1.0]
    ys = [y for one in lines for _, y in one.points if y is not None] or [1.0 if log_y else 0.0]
    levels = [math.log10(y) for y in ys] if log_y else ys
    low, high = min(levels), max(levels)
    pad = (high - low) * 0.06 or abs(high) * 0.1 or 0.5
    x_low, x_high = min(xs), max(xs)
    right = min(150.0, 16 + _CHAR * max((len(cut(one.name, 18)) for one in lines), default=0))
    left, top = 52.0, 30.0
    return _Frame(
        left,
        top,
        max(40.0, round(width - left - right, 1)),
        max(40.0, float(height - top - 40)),
        x_low,
        x_high if x_high > x_low else x_low + 1,
        # A share or rate that never goes negative is not drawn as if it could.
        0.0 if not log_y and low >= 0 and low - pad < 0 else low - pad,
        high + pad,
        log_y,
    )


def _points_json(lines: Sequence[Series]) -> str:
    def short(value: float | None) -> float | None:
        return None if value is None else float(f"{value:.6g}")

    return json.dumps(
        [{"name": one.name, "points": [[short(x), short(y)] for x, y in one.points]} for one in lines],
        separators=(",", ":"),
    )


def _describe(lines: Sequence[Series], x_label: str, y_label: str) -> str:
    words = []
    for one in lines:
        ys = [y for _, y in one.points if y is not None]
        if not ys:
            words.append(f"{one.name}: no values")
            continue
        words.append(
            f"{one.name}: {len(ys)} points, first {number(ys[0])}, last {number(ys[-1])}, "
            f"lowest {number(min(ys))}, highest {number(max(ys))}"
        )
    axes = " by ".join(part for part in (y_label, x_label) if part)
    return ". ".join([*([axes] if axes else []), *words]) or "No values"


def _axes(frame: _Frame, x_label: str, y_label: str, width: int) -> str:
    bottom, right = frame.top + frame.height, frame.left + frame.width
    parts = ["<g>"]
    for tick in nice_ticks(frame.y_low, frame.y_high, 4):
        value = 10**tick if frame.log_y else tick
        y = frame.y(value)
        parts.append(f'<path class="gridline" d="M{frame.left} {y}H{right}"/>')
        parts.append(f'<text x="{frame.left - 8}" y="{y + 4}" text-anchor="end">{number(value)}</text>')
    parts.append(f'<path class="axis" d="M{frame.left} {bottom}H{right}"/></g><g data-x-ticks="">')
    for tick in x_ticks(frame.x_low, frame.x_high, frame.width):
        parts.append(f'<text x="{frame.x(tick)}" y="{bottom + 16}" text-anchor="middle">{number(tick)}</text>')
    parts.append("</g>")
    if x_label:
        parts.append(f'<text x="{right}" y="{bottom + 32}" text-anchor="end">{esc(x_label)}</text>')
    if y_label:
        parts.append(f'<text x="{width - 4}" y="16" text-anchor="end">{esc(y_label)}</text>')
    return "".join(parts)


def x_ticks(low: float, high: float, width: float) -> list[float]:
    """The smallest and largest x always, and round values between them that leave room for their text."""
    gap = 46 * (high - low) / width
    inner = [t for t in nice_ticks(low, high, max(2, int(width / 90))) if low + gap < t < high - gap]
    return [low, *inner, high]


def _lines(lines: Sequence[Series], frame: _Frame, smoothing: float) -> str:
    parts = []
    for index, one in enumerate(lines):
        ys = [y for _, y in one.points]
        if smoothing:
            parts.append(f'<path class="line raw s{index + 1}" d="{_trace(one.points, ys, frame)}"/>')
        dash = f' stroke-dasharray="{DASHES[index]}"' if DASHES[index] else ""
        smooth = debiased_ema(ys, smoothing)
        parts.append(f'<path class="line s{index + 1}"{dash} d="{_trace(one.points, smooth, frame)}"/>')
    return "".join(parts)


def _trace(points: Sequence[Point], ys: Sequence[float | None], frame: _Frame) -> str:
    return _path([None if y is None else (frame.x(x), frame.y(y)) for (x, _), y in zip(points, ys, strict=True)])


def _path(places: Sequence[tuple[float, float] | None]) -> str:
    """A path that lifts the pen at gaps; a point alone between gaps becomes a dot (a zero-length line)."""
    parts: list[str] = []
    down = False
    for index, place in enumerate(places):
        if place is None:
            down = False
            continue
        alone = not down and (index + 1 == len(places) or places[index + 1] is None)
        parts.append(f"{'L' if down else 'M'}{place[0]:g} {place[1]:g}{'h0' if alone else ''}")
        down = True
    return "".join(parts)


def _markers(markers: Sequence[Marker], frame: _Frame) -> str:
    bottom = frame.top + frame.height
    return "".join(
        f'<g class="marker"><path d="M{frame.x(m.x)} {frame.top}V{bottom}"/><title>{esc(m.label)}</title></g>'
        for m in markers
        if frame.x_low <= m.x <= frame.x_high
    )


def _marker_labels(markers: Sequence[Marker], frame: _Frame) -> str:
    """Outside the part that zooming stretches; the script moves them with their lines."""
    return "".join(
        f'<text class="marker-label" data-at="{m.x!r}" x="{frame.x(m.x)}" y="{frame.top + 9:g}" text-anchor="middle">'
        f"{esc(cut(m.short, 8))}<title>{esc(m.label)}</title></text>"
        for m in markers
        if m.short and frame.x_low <= m.x <= frame.x_high
    )


def _end_labels(lines: Sequence[Series], frame: _Frame, smoothing: float) -> str:
    ends: list[tuple[float, int]] = []
    for index, one in enumerate(lines):
        present = [y for y in debiased_ema([y for _, y in one.points], smoothing) if y is not None]
        if present:
            ends.append((frame.y(present[-1]), index))
    parts, last = [], -math.inf
    spread = sorted(ends)
    # Push the stack up when it would run below the plot.
    floor = frame.top + frame.height - 15 * (len(spread) - 1)
    for rank, (y, index) in enumerate(spread):
        last = max(last + 15, min(y, floor + 15 * rank))
        x = frame.left + frame.width + 6
        parts.append(f'<circle class="f{index + 1}" cx="{x}" cy="{last:g}" r="3"/>')
        name = esc(cut(lines[index].name, 18))
        parts.append(f'<text class="end-label" x="{x + 7}" y="{last + 4:g}">{name}</text>')
    return "".join(parts)
