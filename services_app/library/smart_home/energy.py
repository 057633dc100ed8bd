"""Tools for electricity: what was used, and what it cost."""

from __future__ import annotations

from collections import defaultdict
from typing import Annotated, Literal

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.shared import LABEL, Json, check_range, same, total, within
from services_app.library.smart_home.state import SmartHomeState, service

Grouping = Annotated[Literal["circuit", "day", "month"], LABEL]


def price_on(state: SmartHomeState, day: str) -> float:
    """Price of a kilowatt-hour on a day: of the last tariff that had begun."""
    begun = [row for row in state.tariffs if row.valid_from <= day]
    return max(begun, key=lambda row: row.valid_from).price_per_kwh if begun else 0.0


@service.tool()
def get_energy_report(
    state: SmartHomeState,
    ctx: CallContext,
    from_day: f.Date | None = None,
    to_day: f.Date | None = None,
    circuit: f.Label | None = None,
    group_by: Grouping = "circuit",
) -> Json:
    """Sum up kilowatt-hours and cost by circuit, day or month, at the tariff of each day.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        from_day: First day; the beginning, if left out.
        to_day: Last day; today, if left out.
        circuit: Only this circuit, by name.
        group_by: What each line stands for.
    """
    check_range(from_day, to_day)
    names = {row.id: row.name for row in state.circuits}
    readings = within(state.readings, "day", from_day, to_day)
    readings = [row for row in readings if circuit is None or same(names[row.circuit_id], circuit)]
    kwh: dict[str, float] = defaultdict(float)
    cost: dict[str, float] = defaultdict(float)
    for row in readings:
        key = {"circuit": names[row.circuit_id], "day": row.day, "month": row.day[:7]}[group_by]
        kwh[key] += row.kwh
        cost[key] += row.kwh * price_on(state, row.day)
    lines = [{group_by: key, "kwh": round(kwh[key], 2), "cost": round(cost[key], 2)} for key in sorted(kwh)]
    return {
        "lines": lines[:62],
        "total_kwh": round(sum(row.kwh for row in readings), 2),
        "total_cost": total(row.kwh * price_on(state, row.day) for row in readings),
        "tariffs": list(state.tariffs),
    }
