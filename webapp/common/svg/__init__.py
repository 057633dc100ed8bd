"""Server-drawn pictures: line charts, sparklines, dependency graphs, heat maps.

Pure functions from values to safe markup; no framework, no clock, no randomness.
"""

from webapp.common.svg.chart import MAX_SERIES, Marker, Series, chart_table, line_chart, sparkline
from webapp.common.svg.graph import dependency_graph, graph_list
from webapp.common.svg.group import CriterionRow, RolloutColumn, group_matrix
from webapp.common.svg.heat import HeatCell, heat_map
from webapp.common.svg.layout import Edge, Node
from webapp.common.svg.scrubber import Step, scrubber

__all__ = [
    "MAX_SERIES",
    "CriterionRow",
    "Edge",
    "HeatCell",
    "Marker",
    "Node",
    "RolloutColumn",
    "Series",
    "Step",
    "chart_table",
    "dependency_graph",
    "graph_list",
    "group_matrix",
    "heat_map",
    "line_chart",
    "scrubber",
    "sparkline",
]
