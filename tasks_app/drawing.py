"""The dependency graph of a task as nodes and edges for the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from django.urls import reverse

from tasks_app.engine.task import Graph
from webapp.common.svg import Edge, Node, dependency_graph, graph_list


def draw(
    graph: Graph,
    titles: Mapping[str, str],
    distractors: Sequence[str] = (),
    *,
    selected: int | None = None,
    necessary: Mapping[int, bool] | None = None,
    tools: Mapping[str, Mapping[str, int]] | None = None,
) -> dict[str, Any]:
    """SVG and parallel list of a graph.

    `necessary` says for each edge position whether its ablation failed, `tools` how many tools of each status a
    service brings.
    """
    counts = tools or {}
    nodes = [_node(slug, titles, counts, _visits(graph.walk, slug)) for slug in dict.fromkeys(graph.walk)]
    edges = [
        Edge(
            edge.source,
            edge.target,
            values=(edge.name,),
            revisit=edge.revisit,
            verdict=_verdict(necessary, edge.position),
            href=f"?edge={edge.position}#edge",
            selected=edge.position == selected,
        )
        for edge in graph.edges
    ]
    beside = [_node(slug, titles, counts) for slug in distractors]
    svg = dependency_graph(nodes, edges, distractors=beside, title="Dependency graph")
    return {"svg": svg, "list": graph_list(nodes, edges)}


def _node(
    slug: str, titles: Mapping[str, str], counts: Mapping[str, Mapping[str, int]], visits: tuple[int, ...] = ()
) -> Node:
    own = counts.get(slug, {})
    return Node(
        slug,
        titles.get(slug, slug),
        href=reverse("service", args=[slug]),
        visits=visits,
        verified=own.get("verified", 0),
        simulated=own.get("simulated", 0),
        quarantined=own.get("quarantined", 0),
    )


def _visits(walk: Sequence[str], slug: str) -> tuple[int, ...]:
    return tuple(number for number, service in enumerate(walk, 1) if service == slug)


def _verdict(necessary: Mapping[int, bool] | None, position: int) -> Literal["", "yes", "no"]:
    if necessary is None or position not in necessary:
        return ""
    return "yes" if necessary[position] else "no"
