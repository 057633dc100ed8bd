"""Pictures of parts and of connections as SVG text: pies, funnels, trees, networks, flows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from services_app.engine.errors import invalid
from services_app.recipes.charts import DRAWERS, Canvas, Row, chart, label_of, number_of, rows_of

__all__ = ["chart"]
_DEEPEST = 12


def _shares(rows: Sequence[Row]) -> list[float]:
    values = [number_of(row["value"]) for row in rows]
    if min(values) < 0 or not sum(values):
        raise invalid("Parts of a whole are not negative, and not all zero.", type="bad_data")
    return [value / sum(values) for value in values]


def _disc(canvas: Canvas) -> tuple[float, float, float]:
    wide, tall = canvas.inner
    return canvas.left + wide / 2, canvas.top + tall / 2, min(wide, tall) / 2


def _at(centre: tuple[float, float], radius: float, share: float) -> tuple[float, float]:
    """A point on a circle, clockwise from the top."""
    angle = 2 * math.pi * share
    return centre[0] + radius * math.sin(angle), centre[1] - radius * math.cos(angle)


def _pie(canvas: Canvas, data: Any, *, inner: float = 0) -> None:
    if not 0 <= inner < 1:
        raise invalid("The inner radius lies between 0 and 1.", type="out_of_range")
    rows = rows_of(data, "category", "value")
    x, y, radius = _disc(canvas)
    start = 0.0
    for number, (row, share) in enumerate(zip(rows, _shares(rows), strict=True)):
        steps = [start + share * part / 24 for part in range(25)]
        outside = [_at((x, y), radius, step) for step in steps]
        inside = [_at((x, y), radius * inner, step) for step in reversed(steps)] if inner else [(x, y)]
        canvas.line([*outside, *inside], canvas.colour(number), closed=True)
        canvas.text(*_at((x, y), radius * 0.7, start + share / 2), f"{label_of(row)} {share:.1%}", 10)
        start += share


def _funnel(canvas: Canvas, data: Any) -> None:
    rows = rows_of(data, "category", "value")
    _shares(rows)
    most, step = max(row["value"] for row in rows), 1 / len(rows)
    for number, row in enumerate(rows):
        after = rows[number + 1]["value"] if number + 1 < len(rows) else row["value"]
        top, low = 0.5 * row["value"] / most, 0.5 * after / most
        y1, y2 = canvas.y(1 - number * step), canvas.y(1 - (number + 1) * step)
        corners = [(0.5 - top, y1), (0.5 + top, y1), (0.5 + low, y2), (0.5 - low, y2)]
        canvas.line([(canvas.x(x), y) for x, y in corners], canvas.colour(number), closed=True)
        kept = f" {row['value'] / rows[0]['value']:.1%}" if rows[0]["value"] else ""
        canvas.text(canvas.x(0.5), (y1 + y2) / 2, label_of(row) + kept, 10)


def _radar(canvas: Canvas, data: Any) -> None:
    rows = rows_of(data, "name", "value")
    names = list(dict.fromkeys(str(row["name"]) for row in rows))
    groups = list(dict.fromkeys(str(row.get("group", "")) for row in rows))
    x, y, radius = _disc(canvas)
    most = max(abs(number_of(row["value"])) for row in rows) or 1.0
    for number, name in enumerate(names):
        canvas.text(*_at((x, y), radius, number / len(names)), name, 10)
    for number, group in enumerate(groups):
        known = {str(row["name"]): abs(number_of(row["value"])) for row in rows if str(row.get("group", "")) == group}
        points = [_at((x, y), radius * known.get(name, 0.0) / most, at / len(names)) for at, name in enumerate(names)]
        canvas.line(points, canvas.colour(number), closed=True)


def _treemap(canvas: Canvas, data: Any) -> None:
    """Each level divides its rectangle the other way."""

    def divide(rows: Sequence[Row], x: float, y: float, wide: float, tall: float, depth: int) -> None:
        if depth > _DEEPEST:
            raise invalid(f"At most {_DEEPEST} levels.", type="bad_data")
        for number, (row, share) in enumerate(zip(rows, _shares(rows), strict=True)):
            size = (wide * share, tall) if depth % 2 == 0 else (wide, tall * share)
            canvas.shape("rect", x=x, y=y, width=size[0], height=size[1], fill=canvas.colour(number + depth))
            canvas.text(x + 4, y + 14, label_of(row), 10)
            if row.get("children"):
                divide(rows_of(row["children"], "name", "value"), x, y + 18, size[0], max(size[1] - 18, 1.0), depth + 1)
            x, y = (x + size[0], y) if depth % 2 == 0 else (x, y + size[1])

    divide(rows_of(data, "name", "value"), canvas.left, canvas.top, *canvas.inner, 0)


def _words(canvas: Canvas, data: Any) -> None:
    """The heaviest words first, line after line, in sizes from 12 to 48."""
    rows = sorted(rows_of(data, "text", "value"), key=lambda row: (-number_of(row["value"]), str(row["text"])))
    values = [row["value"] for row in rows]
    span = (values[0] - values[-1]) or 1
    x, y = canvas.left, canvas.top + 48
    for number, row in enumerate(rows):
        size = 12 + 36 * (row["value"] - values[-1]) / span
        if x > canvas.left and x + len(str(row["text"])) * size * 0.6 > canvas.x(1):
            x, y = canvas.left, y + 50
        canvas.shape("circle", cx=x, cy=y, r=2, fill=canvas.colour(number))
        canvas.text(x, y, row["text"], size)
        x += len(str(row["text"])) * size * 0.6 + 10


def _liquid(canvas: Canvas, data: Any, *, shape: str = "circle") -> None:
    share = number_of(data)
    if not 0 <= share <= 1:
        raise invalid("The share lies between 0 and 1.", type="out_of_range")
    corners = {"rect": 4, "triangle": 3, "pin": 5, "circle": 36}
    if shape not in corners:
        raise invalid(f"Unknown shape {shape!r}. Use one of {', '.join(corners)}.")
    x, y, radius = _disc(canvas)
    outline = [_at((x, y), radius, at / corners[shape]) for at in range(corners[shape])]
    canvas.line(outline, canvas.colour(0), closed=True)
    tall = 2 * radius * share
    canvas.shape("rect", x=x - radius, y=y + radius - tall, width=2 * radius, height=tall, fill=canvas.colour(1))
    canvas.text(x, y, f"{share:.1%}", 24)


def _venn(canvas: Canvas, data: Any) -> None:
    """A circle per set, its area after the value, around the middle; what sets share is written between them."""
    rows = rows_of(data, "value", "sets")
    names = list(dict.fromkeys(str(name) for row in rows for name in row["sets"]))
    x, y, radius = _disc(canvas)
    most = max(number_of(row["value"]) for row in rows)
    if most <= 0 or not names:
        raise invalid("At least one set has a positive value.", type="bad_data")
    places = {name: _at((x, y), radius * 0.3, at / len(names)) for at, name in enumerate(names)}
    for number, row in enumerate(rows):
        spots = [places[str(name)] for name in row["sets"]] or [(x, y)]
        middle = tuple(sum(values) / len(spots) for values in zip(*spots, strict=True))
        if len(spots) == 1:
            size = radius * 0.6 * math.sqrt(max(row["value"], 0) / most)
            canvas.shape("circle", cx=middle[0], cy=middle[1], r=size, fill=canvas.colour(number), fill_opacity=0.5)
        name = row.get("label") or " & ".join(map(str, row["sets"]))
        canvas.text(middle[0], middle[1], f"{name}: {row['value']}", 10)


def _graph_of(data: Any) -> tuple[list[str], list[Row]]:
    """(names of the nodes, edges); an edge to a node that is not there is refused."""
    if not isinstance(data, dict):
        raise invalid("A graph is an object of nodes and edges.", type="bad_data")
    names = [str(row["name"]) for row in rows_of(data.get("nodes"), "name")]
    edges = data.get("edges") or []
    if edges:
        rows_of(edges, "source", "target")
    for edge in edges:
        for end in ("source", "target"):
            if str(edge[end]) not in names:
                raise invalid(f"The edge names a node {edge[end]!r} that is not there.", type="bad_data")
    return names, edges


def _draw_graph(canvas: Canvas, places: dict[str, tuple[float, float]], edges: Sequence[Row]) -> None:
    for edge in edges:
        start, end = places[str(edge["source"])], places[str(edge["target"])]
        canvas.line([start, end], "#888888")
        if edge.get("name"):
            canvas.text((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, edge["name"], 10)
    for number, (name, (x, y)) in enumerate(places.items()):
        canvas.shape("circle", cx=x, cy=y, r=14, fill=canvas.colour(number))
        canvas.text(x, y, name)


def _network(canvas: Canvas, data: Any) -> None:
    names, edges = _graph_of(data)
    x, y, radius = _disc(canvas)
    places = {name: _at((x, y), radius * 0.8, at / len(names)) for at, name in enumerate(names)}
    _draw_graph(canvas, places, edges)


def _ranks(names: Sequence[str], edges: Sequence[Row]) -> dict[str, int]:
    """How many steps lie before each node; a circle ends after as many rounds as there are nodes."""
    ranks = dict.fromkeys(names, 0)
    for _ in names:
        for edge in edges:
            after = min(ranks[str(edge["source"])] + 1, len(names) - 1)
            ranks[str(edge["target"])] = max(ranks[str(edge["target"])], after)
    return ranks


def _flow(canvas: Canvas, data: Any) -> None:
    names, edges = _graph_of(data)
    ranks = _ranks(names, edges)
    rows = [[name for name in names if ranks[name] == rank] for rank in range(max(ranks.values()) + 1)]
    places = {
        name: (canvas.x((at + 0.5) / len(row)), canvas.y(1 - (rank + 0.5) / len(rows)))
        for rank, row in enumerate(rows)
        for at, name in enumerate(row)
    }
    _draw_graph(canvas, places, edges)


def _sankey(canvas: Canvas, data: Any, *, align: str = "center") -> None:
    """Nodes in columns by their distance from a source; the height of a node is what flows through it."""
    rows = rows_of(data, "source", "target", "value")
    _shares(rows)
    names = list(dict.fromkeys(str(row[end]) for row in rows for end in ("source", "target")))
    ranks = _ranks(names, rows)
    last = max(ranks.values()) or 1
    leaves = {name for name in names if all(str(row["source"]) != name for row in rows)}
    if align in ("right", "justify"):
        ranks = {name: last if name in leaves else rank for name, rank in ranks.items()}
    gap = {"left": 0.0, "right": 0.2, "justify": 0.1, "center": 0.1}.get(align, 0.1)
    through = {
        name: max(sum(row["value"] for row in rows if str(row[end]) == name) for end in ("source", "target"))
        for name in names
    }
    most = max(sum(through[n] for n in names if ranks[n] == rank) for rank in range(last + 1))
    fill = dict.fromkeys(range(last + 1), 0.0)
    for number, name in enumerate(names):
        rank = ranks[name]
        tall = 0.9 * through[name] / most
        x = canvas.x(gap + (1 - 2 * gap) * rank / last if gap < 0.2 else gap + (1 - gap) * rank / last)
        canvas.shape(
            "rect", x=x, y=canvas.y(1 - fill[rank]), width=10, height=tall * canvas.inner[1], fill=canvas.colour(number)
        )
        canvas.text(x + 12, canvas.y(1 - fill[rank] - tall / 2), f"{name} {through[name]:g}", 10)
        fill[rank] += tall + 0.02


Level = list[tuple[str, int, str]]


def _levels(data: Any) -> list[Level]:
    """(name, position of the parent, description) of the nodes of a tree, level by level."""
    levels: list[Level] = []

    def walk(node: Any, depth: int, parent: int) -> None:
        if not isinstance(node, dict) or "name" not in node or depth > _DEEPEST:
            raise invalid(f"Each node of a tree has a name; at most {_DEEPEST} levels.", type="bad_data")
        if len(levels) <= depth:
            levels.append([])
        levels[depth].append((str(node["name"]), parent, str(node.get("description") or "")))
        own = len(levels[depth]) - 1
        for child in node.get("children") or ():
            walk(child, depth + 1, own)

    walk(data, 0, -1)
    return levels


def _spot(canvas: Canvas, style: str, along: float, across: float, side: int) -> tuple[float, float]:
    """Where a node stands: `along` is the share of its level, `across` its share within the level."""
    if style == "mind_map":
        return canvas.x(0.5 + side * along * 0.45), canvas.y(across)
    if style == "fishbone":
        return canvas.x(1 - along * across), canvas.y(0.5 + side * along * 0.4)
    if style == "horizontal":
        return canvas.x(along), canvas.y(across)
    return canvas.x(across), canvas.y(1 - along)


def _tree(canvas: Canvas, data: Any, *, orient: str = "vertical") -> None:
    """A tree by levels: downward or to the right, to both sides for a mind map, slanting for a fishbone."""
    if orient not in ("vertical", "horizontal", "mind_map", "fishbone"):
        raise invalid("The orientation is vertical or horizontal.")
    levels = _levels(data)
    places: list[list[tuple[float, float]]] = []
    for depth, level in enumerate(levels):
        along = (depth + 0.5) / len(levels)
        places.append(
            [
                _spot(canvas, orient, along, (at + 0.5) / len(level), 1 if at % 2 == 0 else -1)
                for at in range(len(level))
            ]
        )
        for (name, parent, about), (x, y) in zip(level, places[depth], strict=True):
            if parent >= 0:
                canvas.line([places[depth - 1][parent], (x, y)], "#888888")
            canvas.shape("circle", cx=x, cy=y, r=6, fill=canvas.colour(depth))
            canvas.text(x + 8, y, f"{name}: {about}" if about else name)


DRAWERS.update(
    {
        "pie": _pie,
        "funnel": _funnel,
        "radar": _radar,
        "treemap": _treemap,
        "word_cloud": _words,
        "liquid": _liquid,
        "venn": _venn,
        "network": _network,
        "flow": _flow,
        "sankey": _sankey,
        "organization": _tree,
        "mind_map": lambda canvas, data: _tree(canvas, data, orient="mind_map"),
        "fishbone": lambda canvas, data: _tree(canvas, data, orient="fishbone"),
    }
)
