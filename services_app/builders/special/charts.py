"""Servers that draw charts from the data of the call: one kind of picture per tool."""

from __future__ import annotations

import re
from typing import Any

from services_app.builders.entities import Reader
from services_app.builders.plan import ToolPlan
from services_app.builders.special.formula import Formula, Slot, plan_formula
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import words_of

_SIZE = (Slot("width", "width", "number", True), Slot("height", "height", "number", True))
_LOOK = (Slot("theme", "theme", optional=True), Slot("title", "title", optional=True))
_AXES = (
    Slot("x_title", "(axis_?x|x_?axis)_(title|label)", optional=True),
    Slot("y_title", "(axis_?y|y_?axis)_(title|label)", optional=True),
)
_STACK, _GROUP = Slot("stack", "stack(ed)?", "flag", True), Slot("group", "group(ed)?", "flag", True)
_PARTS = [{"category": name, "value": value} for name, value in (("visits", 500), ("baskets", 300), ("orders", 120))]
_GROUPED = [
    {"category": kind, "time": year, "group": group, "value": value}
    for kind, year, group, value in (
        ("apples", "2024", "north", 30), ("apples", "2024", "south", 12),
        ("pears", "2025", "north", 9), ("pears", "2025", "south", 21),
    )
]  # fmt: skip
_SAMPLES = [{"category": name, "value": value} for name in ("a", "b") for value in (1, 2, 4, 8, len(name) * 9)]
_TREE = {
    "name": "garden", "description": "all of it",
    "children": [{"name": "beds", "children": [{"name": "roses"}, {"name": "herbs"}]}, {"name": "paths"}],
}  # fmt: skip
_GRAPH = {
    "nodes": [{"name": "seed"}, {"name": "plant"}, {"name": "fruit"}],
    "edges": [{"source": "seed", "target": "plant", "name": "grows"}, {"source": "plant", "target": "fruit"}],
}
_FLOWS = [{"source": "shop", "target": "cart", "value": 80}, {"source": "cart", "target": "paid", "value": 30},
          {"source": "shop", "target": "left", "value": 20}]  # fmt: skip
_VENN = [{"label": "A", "value": 10, "sets": ["A"]}, {"label": "B", "value": 6, "sets": ["B"]},
         {"label": "AB", "value": 2, "sets": ["A", "B"]}]  # fmt: skip
_FULL = {"width": 640, "height": 480, "theme": "academy", "title": "Yield", "x_title": "Kind", "y_title": "Tons"}


def _chart(kind: str, data: Any, *slots: Slot, module: str = "diagrams", **options: Any) -> Formula:
    """A picture of one kind; `options` are further values of its worked example."""
    data_slot = Slot("data", "data|percent|categories|values", "any")
    common = {name: value for name, value in _FULL.items() if any(name == s.name for s in (*slots, *_SIZE, *_LOOK))}
    values = {"data": data, **common, **options}
    least = {"data": data, **{name: value for name, value in options.items() if name == "series"}}
    bare = {name: value for name, value in values.items() if name != "title"}
    return Formula(
        rf"(generate_|create_|draw_|render_|make_)?{kind}(_(chart|plot|diagram|graph|map))?", f"{module}.chart",
        (data_slot, *slots, *_LOOK, *_SIZE), f"A {kind.replace('_', ' ')} chart as SVG.", whole=True, raw=True,
        fixed={"kind": kind}, examples=(values, bare), golden=((least, kind),), cue="chart|diagram|graph|plot|map",
    )  # fmt: skip


def _axes(kind: str, data: Any, *slots: Slot, **options: Any) -> Formula:
    return _chart(kind, data, *slots, *_AXES, module="charts", **options)


FORMULAS: tuple[Formula, ...] = (
    _axes("area", _GROUPED, _STACK, stack=True),
    _axes("line", _GROUPED, _STACK, stack=True),
    _axes("column", _GROUPED, _STACK, _GROUP, stack=False, group=True),
    _axes("bar", _GROUPED, _STACK, _GROUP, stack=False, group=True),
    _axes("scatter", [{"x": 1, "y": 2}, {"x": 3, "y": 8}, {"x": 6, "y": 5}]),
    _axes("histogram", [78, 88, 60, 100, 95, 61], Slot("bins", "bin_?(number|s|count)", "number", True), bins=3),
    _axes("boxplot", _SAMPLES),
    _axes("violin", _SAMPLES),
    _axes(
        "dual_axes", ["2024", "2025"], Slot("series", "series", "list"),
        series=[{"type": "column", "data": [9, 12]}, {"type": "line", "data": [0.2, 0.1], "axisYTitle": "Share"}],
    ),
    _chart("pie", _PARTS, Slot("inner", "inner_?radius", "number", True), inner=0.4),
    _chart("funnel", _PARTS),
    _chart("radar", [{"name": "reach", "value": 7}, {"name": "speed", "value": 4}, {"name": "cost", "value": 9}]),
    _chart("treemap", [{"name": "a", "value": 7, "children": [{"name": "b", "value": 2}]}, {"name": "c", "value": 3}]),
    _chart("word_cloud", [{"text": "garden", "value": 9}, {"text": "rain", "value": 4}, {"text": "tools", "value": 2}]),
    _chart("liquid", 0.4, Slot("shape", "shape", optional=True), shape="rect"),
    _chart("venn", _VENN),
    _chart("network", _GRAPH),
    _chart("flow", _GRAPH),
    _chart("sankey", _FLOWS, Slot("align", "node_?align", optional=True), align="right"),
    _chart("organization", _TREE, Slot("orient", "orient(ation)?", optional=True), orient="horizontal"),
    _chart("mind_map", _TREE),
    _chart("fishbone", _TREE),
)  # fmt: skip


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """A tool that draws a chart."""
    planned = plan_formula(reader, tool, FORMULAS)
    if planned is None and re.fullmatch(
        r"(generate|create|draw)_(district|path|pin|route|heat)_map", "_".join(words_of(tool.name))
    ):
        return "it draws places whose position nobody here knows"
    return planned
