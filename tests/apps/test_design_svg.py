"""Drawings: well-formed, honest about gaps, and graphs without overlaps at every size we promise."""

import json
import math
import re
import xml.etree.ElementTree as ET
from html import unescape
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webapp.common.svg import (
    CriterionRow,
    Edge,
    HeatCell,
    Marker,
    Node,
    RolloutColumn,
    Series,
    Step,
    chart_table,
    dependency_graph,
    graph_list,
    group_matrix,
    heat_map,
    line_chart,
    scrubber,
    sparkline,
)
from webapp.common.svg.chart import DASHES, x_ticks
from webapp.common.svg.layout import CARD_H, CARD_W, LABEL_H, Layout, layout
from webapp.common.svg.scale import debiased_ema, nice_ticks, thin

NS = "{http://www.w3.org/2000/svg}"
value = st.none() | st.floats(allow_nan=True, allow_infinity=True)


def paths(svg: str, name: str) -> list[str]:
    return [e.get("d", "") for e in ET.fromstring(svg).iter(f"{NS}path") if name in (e.get("class") or "").split()]


@given(
    st.lists(st.tuples(st.text(max_size=6), st.lists(value, max_size=12)), max_size=6),
    st.floats(0, 0.99),
    st.booleans(),
)
def test_a_chart_is_well_formed_whatever_the_values(
    data: list[tuple[str, list[float | None]]], w: float, log: bool
) -> None:
    series = [Series(name, [(float(i), y) for i, y in enumerate(ys)]) for name, ys in data]
    svg = line_chart(series, smoothing=w, log_y=log, x_label="step", markers=[Marker(1, "<eval>")])
    root = ET.fromstring(svg)
    assert root.get("role") == "img"
    assert {e.get("id") for e in root.iter()} >= set(root.get("aria-labelledby", "").split())
    assert not re.search(r"nan|inf", " ".join(e.get("d", "") for e in root.iter(f"{NS}path")))


def test_gaps_stay_gaps_and_a_lone_point_is_still_seen() -> None:
    svg = line_chart([Series("r", [(0, 1), (1, 2), (2, None), (3, 2), (4, None), (5, 1), (6, 1)])])
    (trace,) = paths(svg, "line")
    assert trace.count("M") == 3
    assert "h0" in trace


def test_smoothing_draws_the_raw_line_behind() -> None:
    svg = line_chart([Series("r", [(i, i % 2) for i in range(9)])], smoothing=0.6)
    assert len(paths(svg, "raw")) == 1
    assert len(paths(svg, "line")) == 2
    assert len(paths(line_chart([Series("r", [(0, 1), (1, 2)])]), "line")) == 1


def test_series_differ_by_dashes_and_carry_direct_labels() -> None:
    svg = line_chart([Series(f"s{i}", [(0, i), (1, i)]) for i in range(6)])
    root = ET.fromstring(svg)
    lines = [e for e in root.iter(f"{NS}path") if "line" in (e.get("class") or "").split()]
    assert [e.get("stroke-dasharray", "") for e in lines] == list(DASHES)
    labels = [e for e in root.iter(f"{NS}text") if e.get("class") == "end-label"]
    assert sorted(e.text or "" for e in labels) == [f"s{i}" for i in range(6)]
    ys = sorted(float(e.get("y", "0")) for e in labels)
    assert all(b - a >= 14 for a, b in pairwise(ys))
    with pytest.raises(ValueError, match="at most 6"):
        line_chart([Series(str(i), []) for i in range(7)])


def test_points_ride_along_for_the_crosshair() -> None:
    svg = line_chart([Series('a"<b>', [(0, 0.123456789), (1, None)])])
    found = re.search(r'data-points="([^"]*)"', svg)
    assert found
    assert json.loads(unescape(found[1])) == [{"name": 'a"<b>', "points": [[0.0, 0.123457], [1.0, None]]}]


def test_the_description_says_what_the_line_does() -> None:
    root = ET.fromstring(line_chart([Series("loss", [(0, 3), (1, 1), (2, 2)])], x_label="step", y_label="nats"))
    text = root.findtext(f"{NS}desc") or ""
    assert "loss: 3 points, first 3, last 2, lowest 1, highest 3" in text
    assert "nats by step" in text


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.floats(0, 0.99))
def test_the_average_starts_at_the_first_value_and_stays_inside(values: list[float], weight: float) -> None:
    smooth = debiased_ema(values, weight)
    assert smooth[0] == pytest.approx(values[0], rel=1e-6, abs=1e-6)
    low, high = min(values), max(values)
    room = 1e-6 * max(1.0, abs(low), abs(high))
    assert all(y is not None and low - room <= y <= high + room for y in smooth)


def test_the_average_leaves_constants_and_gaps_alone() -> None:
    assert debiased_ema([0.1, 0.1, None, 0.1], 0.99) == [0.1, 0.1, None, 0.1]
    # By hand with weight 1/2: 2; (0.5*2 + 0.5*4*... ) / (1 - 1/4) = (0.5 + 2) / 0.75.
    assert debiased_ema([2, None, 4], 0.5) == [2, None, pytest.approx(2.5 / 0.75)]
    with pytest.raises(ValueError, match="smoothing"):
        debiased_ema([1], 1.0)


def test_thinning_keeps_peaks() -> None:
    points = [(float(i), math.sin(i / 500)) for i in range(50_000)]
    points[33_333] = (33_333.0, 99.0)
    kept = thin(points)
    assert len(kept) <= 1500
    assert (33_333.0, 99.0) in kept
    assert [x for x, _ in kept] == sorted(x for x, _ in kept)


def test_ticks_are_round_and_name_both_ends() -> None:
    assert nice_ticks(0, 1, 4) == [0, 0.5, 1]
    assert nice_ticks(3, 97, 5) == [20, 40, 60, 80]
    marks = x_ticks(3, 147, 400)
    assert (marks[0], marks[-1]) == (3, 147)
    assert len(marks) > 3
    assert marks == sorted(marks)


@given(st.lists(value, max_size=30))
def test_a_sparkline_is_well_formed_and_says_where_it_went(values: list[float | None]) -> None:
    root = ET.fromstring(sparkline(values, label="p"))
    assert (root.get("aria-label") or "").startswith("p: ")


def test_sparkline_words() -> None:
    assert "0.55 to 0.79, up" in sparkline([0.55, None, 0.79])
    assert "no values" in sparkline([])


def test_the_table_holds_the_same_points_and_states_its_cut() -> None:
    page = chart_table([Series("a", [(0, 1), (1, None)]), Series("b", [(1, 2.5)])], x_label="step")
    assert page.count("<tr>") == 3
    assert ">2.5<" in page
    assert "First 2 of 5 rows" in chart_table([Series("a", [(i, i) for i in range(5)])], limit=2)


# Graphs


@st.composite
def compositions(draw: st.DrawFn) -> tuple[list[Node], list[Edge], list[Node], int]:
    """Up to 10 services and 12 edges, as a walk may make them, any pair and any direction."""
    count = draw(st.integers(1, 10))
    names = [f"s{i}" for i in range(count)]
    nodes = [Node(n, n * 5, visits=(i + 1,), verified=3, simulated=i % 2) for i, n in enumerate(names)]
    pair = st.tuples(st.sampled_from(names), st.sampled_from(names))
    words = st.lists(st.text("abc_", min_size=1, max_size=24), max_size=3).map(tuple)
    edges = [
        Edge(a, b, draw(words), revisit=draw(st.booleans()), verdict=draw(st.sampled_from(["", "yes", "no"])))
        for a, b in draw(st.lists(pair, max_size=12))
    ]
    others = [Node(f"d{i}", f"d{i}") for i in range(draw(st.integers(0, 6)))]
    return nodes, edges, others, draw(st.integers(2, 5))


Box = tuple[float, float, float, float]


def boxes(plan: Layout) -> list[Box]:
    cards = [(c.x, c.y, c.x + CARD_W, c.y + CARD_H) for c in (*plan.cards, *plan.distractors)]
    labels = [
        (r.label.x - r.label.width / 2, r.label.y - LABEL_H / 2, r.label.x + r.label.width / 2, r.label.y + LABEL_H / 2)
        for r in plan.routes
        if r.label
    ]
    return cards + labels


def overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] - 0.2 and b[0] < a[2] - 0.2 and a[1] < b[3] - 0.2 and b[1] < a[3] - 0.2


@settings(max_examples=150)
@given(compositions())
def test_no_card_label_or_line_lies_over_another(case: tuple[list[Node], list[Edge], list[Node], int]) -> None:
    nodes, edges, others, columns = case
    plan = layout(nodes, edges, others, columns=columns)
    for a, b in combinations(boxes(plan), 2):
        assert not overlap(a, b), (a, b)
    cards = [(c.x, c.y, c.x + CARD_W, c.y + CARD_H) for c in plan.cards]
    for route in plan.routes:
        for (x0, y0), (x1, y1) in zip(route.points, route.points[1:], strict=False):
            straight = x0 == x1 or y0 == y1
            assert straight
            line = (min(x0, x1) - 0.1, min(y0, y1) - 0.1, max(x0, x1) + 0.1, max(y0, y1) + 0.1)
            for card in cards:
                inside = (card[0] + 1, card[1] + 1, card[2] - 1, card[3] - 1)
                assert not overlap(line, inside), (route, card)
    for box in boxes(plan):
        assert min(box) >= -0.5
        assert box[2] <= plan.width + 0.5
        assert box[3] <= plan.height + 0.5


def runs(plan: Layout) -> list[tuple[int, Box]]:
    """Each straight piece of each edge, with the edge's number."""
    found = []
    for index, route in enumerate(plan.routes):
        for (x0, y0), (x1, y1) in zip(route.points, route.points[1:], strict=False):
            found.append((index, (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))))
    return found


@settings(max_examples=100)
@given(compositions())
def test_no_two_edges_run_on_top_of_each_other(case: tuple[list[Node], list[Edge], list[Node], int]) -> None:
    nodes, edges, _, columns = case
    for (i, a), (j, b) in combinations(runs(layout(nodes, edges, columns=columns)), 2):
        if i == j:
            continue
        flat = a[1] == a[3] == b[1] == b[3] and min(a[2], b[2]) - max(a[0], b[0]) > 1
        upright = a[0] == a[2] == b[0] == b[2] and min(a[3], b[3]) - max(a[1], b[1]) > 1
        assert not flat, (a, b)
        assert not upright, (a, b)


@given(compositions())
def test_a_graph_is_well_formed(case: tuple[list[Node], list[Edge], list[Node], int]) -> None:
    nodes, edges, others, columns = case
    root = ET.fromstring(dependency_graph(nodes, edges, others, columns=columns))
    groups = [e.get("class") or "" for e in root.iter(f"{NS}g")]
    assert sum("dep-edge" in g for g in groups) == len(edges)
    assert sum("revisit" in g for g in groups) == sum(e.revisit for e in edges)
    assert groups.count("dep-node") == len(nodes) + len(others)


def test_services_stand_in_order_of_first_visit() -> None:
    nodes = [Node("late", "Late", visits=(3,)), Node("first", "First", visits=(1, 4)), Node("mid", "Mid", visits=(2,))]
    plan = layout(nodes, [], columns=4)
    assert [card.node.key for card in plan.cards] == ["first", "mid", "late"]
    assert len({card.y for card in plan.cards}) == 1
    assert ">1, 4<" in dependency_graph(nodes, [])


def test_links_are_real_and_stay_on_this_site() -> None:
    nodes = [Node("a", "A", href="/services/a/"), Node("b", "B", href="javascript:alert(1)")]
    svg = dependency_graph(nodes, [Edge("a", "b", ("id",), href="?edge=1"), Edge("b", "a", href="//evil.example/")])
    assert re.findall(r'href="([^"]*)"', svg) == ["?edge=1", "/services/a/"]


def test_the_list_says_the_same_in_words() -> None:
    nodes = [Node("a", "Mail", href="/a/"), Node("b", "Bank")]
    page = graph_list(
        nodes, [Edge("a", "b", ("iban",), verdict="yes"), Edge("b", "a", revisit=True)], [Node("d", "Maps")]
    )
    assert page.count("<li>") == 2
    for text in ("iban", "judged needed", "may be stale", "Distractors, not needed: Maps"):
        assert text in page


def test_an_edge_to_nowhere_is_refused() -> None:
    with pytest.raises(KeyError):
        dependency_graph([Node("a", "A")], [Edge("a", "zzz")])


# Trajectories and groups


def test_the_scrubber_shows_where_tool_and_service_come_again() -> None:
    steps = [
        Step(1, "mail", "search", "#s-1"),
        Step(2, "crm", "get", "#s-2", failed=True),
        Step(3, "mail", "send", "#s-3", changed=True),
        Step(4, "mail", "search", "javascript:x", weight=50),
    ]
    root = ET.fromstring(scrubber(steps, 1))
    lanes = [e.get("y") for e in root.iter(f"{NS}rect") if e.get("class") == "peer"]
    assert (lanes.count("23"), lanes.count("41")) == (2, 3)
    assert [e.get("href") for e in root.iter(f"{NS}a")] == ["#s-1", "#s-2", "#s-3"]
    assert [e.get("class") for e in root.iter(f"{NS}rect") if e.get("y") == "5"] == [
        "bar here",
        "bar failed",
        "bar",
        "bar",
    ]
    assert len(list(root.iter(f"{NS}circle"))) == 1
    widths = [float(e.get("width", "0")) for e in root.iter(f"{NS}rect") if e.get("y") == "5"]
    assert widths[3] > 10 * widths[0]


@given(st.lists(st.floats(0, 1e6), max_size=500))
def test_every_step_has_a_bar_inside_the_picture(weights: list[float]) -> None:
    root = ET.fromstring(scrubber([Step(i, weight=w, href=f"#{i}") for i, w in enumerate(weights)], 3))
    bars = [(float(e.get("x", "0")), float(e.get("width", "0"))) for e in root.iter(f"{NS}rect") if e.get("y") == "5"]
    assert len(bars) == len(weights)
    assert all(width > 0 and x + width <= 992.6 for x, width in bars)


def test_the_group_table_shows_the_arithmetic_and_what_cannot_teach() -> None:
    page = group_matrix(
        [CriterionRow("<one>", 0.5, 0.51, "/c/1/"), CriterionRow("all", 1.0, 0.01)],
        [RolloutColumn("1", 0.9, 0.25, "/r/1/"), RolloutColumn("2", 0.4, -0.25)],
        [[True, False], [True, None]],
    )
    ET.fromstring(page)
    assert page.count(">✓<") == 2
    assert page.count(">✗<") == 1
    assert page.count('class="missing"') == 1
    assert page.count("∅") == 1
    assert page.count('class="bar-below"') == 1
    for text in ("&lt;one&gt;", "+0.25", "-0.25", "0.90", 'href="/r/1/"'):
        assert text in page
    assert "-0.00" not in group_matrix([], [RolloutColumn("1", 0.5, -1e-17)], [])
    with pytest.raises(ValueError, match="cells"):
        group_matrix([CriterionRow("a")], [], [[True]])


# Heat maps


def test_heat_map_marks_what_cannot_teach_and_what_is_missing() -> None:
    page = heat_map(["c1", "c2"], ["1", "2"], [[0.0, HeatCell(0.5, "/g/1/", "4 of 8")], [None, 1.0]])
    assert page.count('class="nosignal"') == 2
    assert page.count('class="missing"') == 1
    assert '<a href="/g/1/" title="4 of 8">0.5</a>' in page
    assert page.count('scope="row"') == 2
    ET.fromstring(page)


@given(st.floats(0, 1))
def test_heat_steps_cover_the_whole_range(rate: float) -> None:
    page = heat_map(["r"], ["c"], [[rate]], legend=False)
    assert re.search(r'class="h[0-5]"', page)


def test_heat_map_refuses_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match="rows"):
        heat_map(["a"], ["1"], [[0.5, 0.5]])
    with pytest.raises(ValueError, match="rate"):
        heat_map(["a"], ["1"], [[1.5]])
