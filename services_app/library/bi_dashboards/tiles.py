"""Tools that arrange the tiles of a dashboard. Each change withdraws its certificate."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.bi_dashboards.dashboards import dashboard_row, tiles_of
from services_app.library.bi_dashboards.figures import live_chart, own_dashboard
from services_app.library.bi_dashboards.state import BiState, ChartId, DashboardId, service
from services_app.library.shared import Json

MOST_TILES = 12
TileId = Annotated[str, f.ref("tiles")]
Position = Annotated[int, f.count("position"), Field(ge=1, le=MOST_TILES)]


def _arrange(state: BiState, ctx: CallContext, dashboard_id: str, tile_ids: list[str]) -> Json:
    """Number the tiles in this order and take the certificate away."""
    for position, tile_id in enumerate(tile_ids, start=1):
        if state.tiles.get(tile_id).position != position:
            state.tiles.patch(tile_id, position=position)
    changed = state.dashboards.patch(dashboard_id, certified_by=None, certified_note="", updated_at=ctx.now)
    return dashboard_row(state, changed)


@service.tool(phrase="put the chart {chart_id} on the dashboard {dashboard_id}")
def add_tile(
    state: BiState, ctx: CallContext, dashboard_id: DashboardId, chart_id: ChartId, position: Position | None = None
) -> Json:
    """Put a chart on a dashboard, at the end or at a position.

    Errors: `not_found`, `no_permission`, `archived`, `on_dashboard` (shown there already), `too_many_tiles` (12),
    `restricted` (the chart must not leave its collection).

    Args:
        dashboard_id: Id of the dashboard.
        chart_id: Id of the chart.
        position: Where it stands; the others move on.
    """
    dashboard = own_dashboard(state, dashboard_id)
    chart = live_chart(state, chart_id)
    tiles = tiles_of(state, dashboard_id)
    if chart_id in [row.chart_id for row in tiles]:
        raise conflict(f"{dashboard_id} shows {chart_id} already.", type="on_dashboard")
    if len(tiles) >= MOST_TILES:
        raise conflict(f"{dashboard_id} has {MOST_TILES} tiles; remove one first.", type="too_many_tiles")
    if state.collections.get(chart.collection_id).restricted and chart.collection_id != dashboard.collection_id:
        raise forbidden(f"{chart_id} must not leave its restricted collection.", type="restricted")
    tile = state.tiles.create(dashboard_id=dashboard_id, chart_id=chart_id, position=len(tiles) + 1)
    order = [row.id for row in tiles]
    order.insert((position or len(tiles) + 1) - 1, tile.id)
    return _arrange(state, ctx, dashboard_id, order)


@service.tool(phrase="move the tile {tile_id} to position {position}")
def move_tile(state: BiState, ctx: CallContext, tile_id: TileId, position: Position) -> Json:
    """Move a tile to another position of its dashboard.

    Errors: `not_found`, `no_permission`, `archived`, `same_position`.

    Args:
        tile_id: Id of the tile, from get_dashboard.
        position: Where it is to stand; the last one, if there are fewer.
    """
    tile = state.tiles.get(tile_id)
    own_dashboard(state, tile.dashboard_id)
    order = [row.id for row in tiles_of(state, tile.dashboard_id)]
    if min(position, len(order)) == tile.position:
        raise conflict(f"{tile_id} stands at {tile.position} already.", type="same_position")
    order.remove(tile_id)
    order.insert(position - 1, tile_id)
    return _arrange(state, ctx, tile.dashboard_id, order)


@service.tool(phrase="take the tile {tile_id} off its dashboard")
def remove_tile(state: BiState, ctx: CallContext, tile_id: TileId) -> Json:
    """Take a tile off its dashboard; the chart stays in its collection.

    Errors: `not_found`, `no_permission`, `archived`.

    Args:
        tile_id: Id of the tile, from get_dashboard.
    """
    tile = state.tiles.get(tile_id)
    own_dashboard(state, tile.dashboard_id)
    state.tiles.delete(tile_id)
    return _arrange(state, ctx, tile.dashboard_id, [row.id for row in tiles_of(state, tile.dashboard_id)])
