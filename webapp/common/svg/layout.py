"""Places for a dependency graph: cards on a grid in order of first visit, edges in the channels between.

Rows and columns of cards leave channels free of cards. An edge to the next card in a row is a straight
line; every other edge leaves through the top or bottom of its card, runs along a track of its own in the
channel beside the row, and enters its target from there. So no edge crosses a card, no two edges share a
track, and no two labels meet. Units are px.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

CARD_W, CARD_H = 168.0, 52.0
TRACK = 24.0  # between tracks: a 12 px label and air
LABEL_H = 18.0
Side = Literal["top", "bottom"]


@dataclass(frozen=True)
class Node:
    """A service on the canvas. `visits` are its places in the walk, from 1."""

    key: str
    name: str
    href: str = ""
    visits: tuple[int, ...] = ()
    verified: int = 0
    simulated: int = 0
    quarantined: int = 0
    sub: str = ""


@dataclass(frozen=True)
class Edge:
    """An information dependency: the target's call needs `values` that the source's observation gave."""

    source: str
    target: str
    values: tuple[str, ...] = ()
    revisit: bool = False
    verdict: Literal["", "yes", "no", "unclear"] = ""
    href: str = ""
    selected: bool = False


class Card(NamedTuple):
    node: Node
    x: float
    y: float
    row: int
    col: int


class Label(NamedTuple):
    """`x`, `y` are the middle of the box."""

    text: str
    x: float
    y: float
    width: float


class Route(NamedTuple):
    edge: Edge
    points: tuple[tuple[float, float], ...]
    label: Label | None


class Layout(NamedTuple):
    cards: tuple[Card, ...]
    routes: tuple[Route, ...]
    distractors: tuple[Card, ...]
    width: float
    height: float
    zone_x: float


class Plan(NamedTuple):
    """How one edge travels: sides it leaves and enters by, and the channels it uses."""

    edge: Edge
    straight: bool
    out: Side
    into: Side
    first: int
    last: int


@dataclass
class Tracks:
    """First-fit tracks of one channel; intervals on a track keep 12 px apart."""

    lanes: list[list[tuple[float, float]]] = field(default_factory=list)

    def take(self, low: float, high: float) -> int:
        for index, lane in enumerate(self.lanes):
            if all(high + 12 < a or b + 12 < low for a, b in lane):
                lane.append((low, high))
                return index
        self.lanes.append([(low, high)])
        return len(self.lanes) - 1


def edge_text(edge: Edge, limit: int = 16) -> str:
    """The carried values as they fit on the edge: all of them, or the first and how many more."""
    joined = ", ".join(edge.values)
    if len(joined) <= limit:
        return joined
    first = edge.values[0]
    more = f" +{len(edge.values) - 1}" if len(edge.values) > 1 else ""
    room = limit - len(more)
    return (first if len(first) <= room else first[: room - 1] + "…") + more


def label_width(edge: Edge) -> float:
    """Room for the text in 12 px mono, the clock of a revisit and the glyph of a verdict; 0 if none."""
    marks = 16 * edge.revisit + 14 * bool(edge.verdict)
    text = edge_text(edge)
    return 7.4 * len(text) + marks + 10 if text or marks else 0.0


def layout(
    nodes: Sequence[Node], edges: Sequence[Edge], distractors: Sequence[Node] = (), *, columns: int = 4
) -> Layout:
    """Place everything. Edges whose ends are not among `nodes` raise KeyError."""
    ordered = sorted(nodes, key=lambda n: min(n.visits, default=len(nodes) * 100))
    rows = max(1, math.ceil(len(ordered) / columns))
    per_row = max(1, math.ceil(len(ordered) / rows))
    grid = {node.key: divmod(index, per_row) for index, node in enumerate(ordered)}
    plans = _plans(edges, grid)
    gaps, xs = _columns(plans, grid, per_row)
    ports = _ports(plans, grid, xs)
    lanes_v = _vertical_lanes(plans, grid, per_row)
    tracks, lanes_h = _horizontal_lanes(plans, grid, xs, ports, lanes_v, rows)
    ys, channel_top, bottom = _rows(tracks, rows)
    place = _Place(grid, xs, ys, channel_top, ports, lanes_v, lanes_h, _far_edges(plans, grid, per_row))
    cards = tuple(Card(n, xs[grid[n.key][1]], ys[grid[n.key][0]], *grid[n.key]) for n in ordered)
    routes = tuple(place.route(index, plan) for index, plan in enumerate(plans))
    # A long label on a short edge may reach beyond the last card.
    labels = (route.label.x + route.label.width / 2 + 8 for route in routes if route.label)
    right = max(xs[per_row - 1] + CARD_W + gaps[per_row], *labels, 0.0)
    return _with_distractors(cards, routes, distractors, right, bottom)


def _plans(edges: Sequence[Edge], grid: dict[str, tuple[int, int]]) -> list[Plan]:
    taken: set[tuple[str, str]] = set()
    plans = []
    for edge in edges:
        (row_s, col_s), (row_t, col_t) = grid[edge.source], grid[edge.target]
        pair = (edge.source, edge.target)
        straight = row_s == row_t and col_t == col_s + 1 and pair not in taken
        taken.add(pair)
        if row_s == row_t:
            above = col_t > col_s
            channel = row_s if above else row_s + 1
            side: Side = "top" if above else "bottom"
            plans.append(Plan(edge, straight, side, side, channel, channel))
        elif row_t > row_s:
            plans.append(Plan(edge, False, "bottom", "top", row_s + 1, row_t))
        else:
            plans.append(Plan(edge, False, "top", "bottom", row_s, row_t + 1))
    return plans


def _columns(plans: list[Plan], grid: dict[str, tuple[int, int]], per_row: int) -> tuple[list[float], list[float]]:
    """Widths of the vertical channels and left edges of the columns."""
    gaps = [12.0] + [52.0] * (per_row - 1) + [12.0]
    for plan in plans:
        if plan.straight:
            col = grid[plan.edge.target][1]
            gaps[col] = max(gaps[col], label_width(plan.edge) + 34)
    gaps = [gap + 10 * far for gap, far in zip(gaps, [*_far_edges(plans, grid, per_row), 0], strict=True)]
    xs, x = [], 0.0
    for col in range(per_row):
        x += gaps[col]
        xs.append(x)
        x += CARD_W
    return gaps, xs


def _far_edges(plans: list[Plan], grid: dict[str, tuple[int, int]], per_row: int) -> list[int]:
    """For each column, how many edges need a vertical lane beside it."""
    counts = [0] * per_row
    for plan in plans:
        if plan.first != plan.last:
            counts[grid[plan.edge.target][1]] += 1
    return counts


def _ports(
    plans: list[Plan], grid: dict[str, tuple[int, int]], xs: list[float]
) -> dict[tuple[int, Literal["out", "into"]], float]:
    """An x for each end of each edge that leaves or enters by the top or bottom of a card."""
    sides: dict[tuple[str, Side], list[tuple[float, int, Literal["out", "into"]]]] = defaultdict(list)
    for index, plan in enumerate(plans):
        if plan.straight:
            continue
        source, target = plan.edge.source, plan.edge.target
        sides[source, plan.out].append((xs[grid[target][1]], index, "out"))
        sides[target, plan.into].append((xs[grid[source][1]], index, "into"))
    ports: dict[tuple[int, Literal["out", "into"]], float] = {}
    used: dict[int, list[float]] = defaultdict(list)
    for (key, side), ends in sorted(sides.items()):
        row, col = grid[key]
        channel = used[row if side == "top" else row + 1]
        step = min(22.0, (CARD_W - 32) / max(1, len(ends)))
        for rank, (_, index, end) in enumerate(sorted(ends)):
            x = xs[col] + CARD_W / 2 + step * (rank - (len(ends) - 1) / 2)
            while any(abs(x - other) < 4 for other in channel):
                x += 4.5
            channel.append(x)
            ports[index, end] = x
    return ports


def _vertical_lanes(plans: list[Plan], grid: dict[str, tuple[int, int]], per_row: int) -> dict[int, int]:
    tracks = [Tracks() for _ in range(per_row + 1)]
    lanes = {}
    for index, plan in enumerate(plans):
        if plan.first != plan.last:
            low, high = sorted((plan.first, plan.last))
            # Rows are far apart compared with the 12 px that tracks keep.
            lanes[index] = tracks[grid[plan.edge.target][1]].take(low * 1000.0, high * 1000.0)
    return lanes


class _Piece(NamedTuple):
    edge: int
    channel: int
    low: float
    high: float
    middle: float


def _pieces(
    plans: list[Plan],
    grid: dict[str, tuple[int, int]],
    xs: list[float],
    ports: dict[tuple[int, Literal["out", "into"]], float],
    lanes_v: dict[int, int],
) -> list[_Piece]:
    def crossings(index: int, channel: int) -> list[float]:
        """Where lines of other edges run through the channel."""
        ends = [(i, "out" if p.first == channel else "into") for i, p in enumerate(plans) if i != index]
        both = [(i, "into") for i, p in enumerate(plans) if i != index and p.first == p.last == channel]
        return [
            ports[key]
            for key in (*ends, *both)
            if key in ports and channel in (plans[key[0]].first, plans[key[0]].last)
        ]

    pieces = []
    for index, plan in enumerate(plans):
        if plan.straight:
            continue
        start, end = ports[index, "out"], ports[index, "into"]
        half = label_width(plan.edge) / 2
        if plan.first == plan.last:
            pieces.append(_piece(index, plan.first, start, end, half, crossings(index, plan.first)))
            continue
        turn = lane_x(xs[grid[plan.edge.target][1]], lanes_v[index])
        pieces.append(_piece(index, plan.first, start, turn, half, crossings(index, plan.first)))
        pieces.append(_piece(index, plan.last, turn, end, 0, []))
    return pieces


def _piece(index: int, channel: int, a: float, b: float, half: float, avoid: list[float]) -> _Piece:
    low, high = min(a, b) + half + 8, max(a, b) - half - 8
    # A label at the left margin must not leave the canvas.
    middle = max((a + b) / 2, half + 2)
    # Beside the lines that cross this track, as near to the middle as there is room.
    steps = [s * side for s in range(0, 400, 8) for side in (1, -1)]
    free = (middle + s for s in steps if low <= middle + s <= high)
    middle = next((x for x in free if all(abs(x - other) > half + 5 for other in avoid)), middle)
    return _Piece(index, channel, min(a, b, middle - half), max(a, b, middle + half), middle)


def lane_x(column_x: float, lane: int) -> float:
    """The x of a vertical lane, counted leftwards from the cards it serves."""
    return column_x - 10 - 10 * lane


def _horizontal_lanes(
    plans: list[Plan],
    grid: dict[str, tuple[int, int]],
    xs: list[float],
    ports: dict[tuple[int, Literal["out", "into"]], float],
    lanes_v: dict[int, int],
    rows: int,
) -> tuple[list[Tracks], dict[tuple[int, int], tuple[int, float]]]:
    """A track for every horizontal piece; short pieces first, so that they stay near their cards."""
    tracks = [Tracks() for _ in range(rows + 1)]
    lanes = {}
    for piece in sorted(_pieces(plans, grid, xs, ports, lanes_v), key=lambda p: (p.high - p.low, p.edge)):
        lane = tracks[piece.channel].take(piece.low, piece.high)
        lanes[piece.edge, piece.channel] = (lane, piece.middle)
    return tracks, lanes


def _rows(tracks: list[Tracks], rows: int) -> tuple[list[float], list[float], float]:
    """Tops of the rows, tops of the channels, and the lower end of the canvas."""
    ys, tops, y = [], [], 0.0
    for channel in range(rows + 1):
        tops.append(y)
        lanes = len(tracks[channel].lanes)
        inner = 0 < channel < rows
        y += 16 + TRACK * lanes if lanes else (36.0 if inner else 12.0)
        if channel < rows:
            ys.append(y)
            y += CARD_H
    return ys, tops, y


class _Place(NamedTuple):
    grid: dict[str, tuple[int, int]]
    xs: list[float]
    ys: list[float]
    tops: list[float]
    ports: dict[tuple[int, Literal["out", "into"]], float]
    lanes_v: dict[int, int]
    lanes_h: dict[tuple[int, int], tuple[int, float]]
    lane_counts: list[int]

    def route(self, index: int, plan: Plan) -> Route:
        if plan.straight:
            return self._straight(plan)
        start, end = self.ports[index, "out"], self.ports[index, "into"]
        row_s, row_t = self.grid[plan.edge.source][0], self.grid[plan.edge.target][0]
        y_out = self.ys[row_s] + (0 if plan.out == "top" else CARD_H)
        y_in = self.ys[row_t] + (0 if plan.into == "top" else CARD_H)
        y_first = self._track_y(index, plan.first)
        middle = self.lanes_h[index, plan.first][1]
        points = [(start, y_out), (start, y_first)]
        if plan.first != plan.last:
            turn = lane_x(self.xs[self.grid[plan.edge.target][1]], self.lanes_v[index])
            y_last = self._track_y(index, plan.last)
            points += [(turn, y_first), (turn, y_last), (end, y_last)]
        else:
            points.append((end, y_first))
        points.append((end, y_in))
        return Route(plan.edge, tuple(points), self._label(plan.edge, middle, y_first))

    def _straight(self, plan: Plan) -> Route:
        row, col = self.grid[plan.edge.source]
        y = self.ys[row] + CARD_H / 2
        start, end = self.xs[col] + CARD_W, self.xs[col + 1]
        # The lanes beside the target and the arrow head keep the right end of the gap.
        middle = start + (end - start - 10 - 10 * self.lane_counts[col + 1]) / 2
        return Route(plan.edge, ((start, y), (end, y)), self._label(plan.edge, middle, y))

    def _track_y(self, index: int, channel: int) -> float:
        lane = self.lanes_h[index, channel][0]
        if channel == 0:
            # Above the first row the nearest track is the lowest one.
            return self.ys[0] - 20 - TRACK * lane
        return self.tops[channel] + 20 + TRACK * lane

    def _label(self, edge: Edge, x: float, y: float) -> Label | None:
        width = label_width(edge)
        return Label(edge_text(edge), round(x, 1), round(y, 1), width) if width else None


def _with_distractors(
    cards: tuple[Card, ...], routes: tuple[Route, ...], distractors: Sequence[Node], right: float, bottom: float
) -> Layout:
    if not distractors:
        return Layout(cards, routes, (), right, bottom, right)
    zone = right + 24
    column = max(2, math.ceil((bottom - 40) / (CARD_H + 16)))
    extra = tuple(
        Card(node, zone + (index // column) * (CARD_W + 16), 30 + (index % column) * (CARD_H + 16), index % column, -1)
        for index, node in enumerate(distractors)
    )
    width = max(card.x for card in extra) + CARD_W + 12
    height = max(bottom, max(card.y for card in extra) + CARD_H + 12)
    return Layout(cards, routes, extra, width, height, zone)
