"""The dependency graph as SVG with real links, and the same graph as an ordered list."""

from collections.abc import Sequence

from webapp.common.rendering.text import Markup, cut, esc
from webapp.common.svg.heat import safe_href
from webapp.common.svg.layout import CARD_H, CARD_W, LABEL_H, Card, Edge, Label, Layout, Node, Route, layout

GLYPHS = {"yes": "✓", "no": "✗", "unclear": "?"}
_WORDS = {"yes": "needed", "no": "not needed", "unclear": "unclear"}
_ARROW = 7.0


def dependency_graph(
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    distractors: Sequence[Node] = (),
    *,
    columns: int = 4,
    title: str = "Dependency graph",
) -> Markup:
    """Draw services in order of first visit and what each hands to the next.

    Distractors stand at the right in a group of their own. Raises KeyError when an edge names an unknown
    service. Show `graph_list` beside it: that is the version for readers who cannot see the drawing.
    """
    plan = layout(nodes, edges, distractors, columns=columns)
    size = f'width="{plan.width:g}" height="{plan.height:g}" viewBox="0 0 {plan.width:g} {plan.height:g}"'
    parts = [
        f'<svg class="dep-graph" {size} role="group" aria-label="{esc(title)}" xmlns="http://www.w3.org/2000/svg">',
        f"<desc>{esc(_summary(nodes, edges, distractors))}</desc>",
        *(_edge(route) for route in plan.routes),
        *(_card(card) for card in plan.cards),
        _distractors(plan),
        "</svg>",
    ]
    return Markup("".join(parts))


def graph_list(nodes: Sequence[Node], edges: Sequence[Edge], distractors: Sequence[Node] = ()) -> Markup:
    """The edges in walk order as an `<ol>`, then the distractors in one line."""
    names = {node.key: node for node in nodes}
    rows = "".join(f"<li>{_sentence(edge, names)}</li>" for edge in edges)
    extra = ""
    if distractors:
        extra = f"<p>Distractors, not needed: {', '.join(_link(n.name, n.href) for n in distractors)}</p>"
    return Markup(f"<ol>{rows}</ol>{extra}")


def _summary(nodes: Sequence[Node], edges: Sequence[Edge], distractors: Sequence[Node]) -> str:
    revisits = sum(edge.revisit for edge in edges)
    return (
        f"{len(nodes)} services, {len(edges)} dependencies, {revisits} of them into a revisited service, "
        f"{len(distractors)} distractors"
    )


def _sentence(edge: Edge, names: dict[str, Node]) -> str:
    source, target = names[edge.source], names[edge.target]
    values = ", ".join(edge.values) or "no named value"
    text = f"{_link(source.name, source.href)} gives <code>{esc(values)}</code> to {_link(target.name, target.href)}"
    if edge.revisit:
        text += " (revisit, the value may be stale)"
    if edge.verdict:
        text += f"; judged {_WORDS[edge.verdict]}"
    if safe_href(edge.href):
        text += f' <a href="{esc(edge.href)}">evidence</a>'
    return text


def _link(text: str, href: str) -> str:
    return f'<a href="{esc(href)}">{esc(text)}</a>' if safe_href(href) else esc(text)


def _edge(route: Route) -> str:
    edge = route.edge
    names = " ".join(("dep-edge", *(("revisit",) if edge.revisit else ()), *(("selected",) if edge.selected else ())))
    values = ", ".join(edge.values) or "dependency"
    title = f"{edge.source} gives {values} to {edge.target}" + (", a revisit: may be stale" if edge.revisit else "")
    path = _rounded(_short_of_arrow(route.points))
    inner = (
        f'<title>{esc(title)}</title><path class="hit" d="{path}"/><path class="edge" d="{path}"/>'
        f"{_arrow(route.points)}{_label(route.label, edge) if route.label else ''}"
    )
    if safe_href(edge.href):
        inner = f'<a href="{esc(edge.href)}" aria-label="{esc(title)}">{inner}</a>'
    return f'<g class="{names}">{inner}</g>'


def _short_of_arrow(points: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    y0, (x1, y1) = points[-2][1], points[-1]
    back = (x1 - _ARROW, y1) if y0 == y1 else (x1, y1 - _ARROW if y1 > y0 else y1 + _ARROW)
    return [*points[:-1], back]


def _rounded(points: list[tuple[float, float]], radius: float = 8.0) -> str:
    """An orthogonal path with quarter-round corners no larger than half the shorter arm."""
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        r = min(radius, _length(before, corner) / 2, _length(corner, after) / 2)
        ax, ay = _towards(corner, before, r)
        bx, by = _towards(corner, after, r)
        parts.append(f"L{ax:.1f} {ay:.1f}Q{corner[0]:.1f} {corner[1]:.1f} {bx:.1f} {by:.1f}")
    parts.append(f"L{points[-1][0]:.1f} {points[-1][1]:.1f}")
    return "".join(parts)


def _length(a: tuple[float, float], b: tuple[float, float]) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _towards(start: tuple[float, float], end: tuple[float, float], by: float) -> tuple[float, float]:
    total = _length(start, end) or 1.0
    return start[0] + (end[0] - start[0]) * by / total, start[1] + (end[1] - start[1]) * by / total


def _arrow(points: tuple[tuple[float, float], ...]) -> str:
    y0, (x, y) = points[-2][1], points[-1]
    if y0 == y:
        corners = f"{x:.1f},{y:.1f} {x - _ARROW:.1f},{y - 4:.1f} {x - _ARROW:.1f},{y + 4:.1f}"
    else:
        back = y - _ARROW if y > y0 else y + _ARROW
        corners = f"{x:.1f},{y:.1f} {x - 4:.1f},{back:.1f} {x + 4:.1f},{back:.1f}"
    return f'<polygon class="arrow" points="{corners}"/>'


def _label(label: Label, edge: Edge) -> str:
    left = label.x - label.width / 2
    top = label.y - LABEL_H / 2
    size = f'width="{label.width:.1f}" height="{LABEL_H:g}"'
    parts = [f'<rect class="label-box" x="{left:.1f}" y="{top:.1f}" {size} rx="4"/>']
    text_x = label.x
    if edge.revisit:
        cx = left + 11
        parts.append(f'<circle class="clock" cx="{cx:.1f}" cy="{label.y:.1f}" r="5"/>')
        parts.append(f'<path class="clock" d="M{cx:.1f} {label.y - 3:.1f}v3l2.2 1.4"/>')
        text_x += 8
    if edge.verdict:
        glyph_x = label.x + label.width / 2 - 10
        place = f'x="{glyph_x:.1f}" y="{label.y + 4:.1f}"'
        parts.append(f'<text class="label verdict-{edge.verdict}" {place}>{GLYPHS[edge.verdict]}</text>')
        text_x -= 7
    if label.text:
        parts.append(f'<text class="label" x="{text_x:.1f}" y="{label.y + 4:.1f}">{esc(label.text)}</text>')
    return "".join(parts)


def _card(card: Card) -> str:
    node, x, y = card.node, card.x, card.y
    badge = ", ".join(str(v) for v in node.visits)
    badge_w = 7.4 * len(badge) + 12 if badge else 0.0
    room = int((CARD_W - 58 - badge_w) / 6.8)
    sub = node.sub or f"{node.verified + node.simulated + node.quarantined} tools"
    parts = [
        f"<title>{esc(_card_title(node))}</title>",
        _rect("card-box", x + 0.5, y + 0.5, CARD_W - 1, CARD_H - 1, 6),
        _rect("tile", x + 9, y + 10, 32, 32, 4),
        f'<text class="initials" x="{x + 25:g}" y="{y + 30:g}">{esc(_initials(node.name))}</text>',
        f'<text class="name" x="{x + 50:g}" y="{y + 23:g}">{esc(cut(node.name, 14))}</text>',
        f'<text class="sub" x="{x + 50:g}" y="{y + 39:g}">{esc(cut(sub, max(3, room)))}</text>',
        _provenance(node, x + 7, y + CARD_H - 5, CARD_W - 14),
    ]
    if badge:
        left = x + CARD_W - 8 - badge_w
        parts.append(_rect("badge", left, y + 27, badge_w, 16, 8))
        parts.append(f'<text class="badge-text" x="{left + badge_w / 2:.1f}" y="{y + 39:g}">{esc(badge)}</text>')
    inner = "".join(parts)
    if safe_href(node.href):
        inner = f'<a href="{esc(node.href)}" aria-label="{esc(_card_title(node))}">{inner}</a>'
    return f'<g class="dep-node" data-node="{esc(node.key)}">{inner}</g>'


def _rect(name: str, x: float, y: float, width: float, height: float, radius: float) -> str:
    return f'<rect class="{name}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}"/>'


def _card_title(node: Node) -> str:
    visits = f", visited {' and '.join(str(v) for v in node.visits)}" if node.visits else ""
    tools = [
        f"{count} {word}"
        for count, word in (
            (node.verified, "verified"),
            (node.simulated, "simulated"),
            (node.quarantined, "quarantined"),
        )
        if count
    ]
    return f"{node.name}{visits}" + (f"; tools: {', '.join(tools)}" if tools else "")


def _initials(name: str) -> str:
    words = name.replace("_", " ").replace("-", " ").split()
    return ("".join(word[0] for word in words[:2]) if len(words) > 1 else name[:2]).upper()


def _provenance(node: Node, x: float, y: float, width: float) -> str:
    total = node.verified + node.simulated + node.quarantined
    parts = []
    for count, name in ((node.verified, "ok"), (node.simulated, "sim"), (node.quarantined, "quar")):
        if count:
            share = width * count / total
            parts.append(
                f'<rect class="prov-{name}" x="{x:.1f}" y="{y:g}" width="{max(1.0, share - 1):.1f}" height="2.5"/>'
            )
            x += share
    return "".join(parts)


def _distractors(plan: Layout) -> str:
    if not plan.distractors:
        return ""
    cards = "".join(_card(card) for card in plan.distractors)
    return f'<g class="distractors"><text class="zone" x="{plan.zone_x:g}" y="18">Distractors</text>{cards}</g>'
