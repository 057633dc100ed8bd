"""Tools for service level objectives and what is excused from them."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.monitoring.evaluate import Span, clipped, minutes_down
from services_app.library.monitoring.state import (
    Category,
    Correction,
    MonitoringState,
    Objective,
    ServiceName,
    Timeframe,
    service,
)
from services_app.library.shared import (
    Body,
    Json,
    Query,
    check_text,
    check_time,
    keep,
    minutes_between,
    plus_minutes,
    search,
    with_fields,
)

SloId = Annotated[str, f.ref("slos")]
DAYS = {"7d": 7, "30d": 30, "90d": 90}
LONGEST_CORRECTION_HOURS = 24


def slo_row(state: MonitoringState, ctx: CallContext, slo: Objective, timeframe: str | None = None) -> Json:
    """An objective with what the episodes of its monitors leave of the error budget."""
    days = DAYS[timeframe or slo.timeframe]
    start = plus_minutes(ctx.now, -days * 1440)
    down: list[Span] = [
        (row.started_at, row.ended_at) for one in slo.monitor_ids for row in state.episodes.find(monitor_id=one)
    ]
    excused: list[Span] = [(row.start, row.end) for row in state.corrections.find(slo_id=slo.id)]
    lost = minutes_down(down, excused, start, ctx.now)
    budget = round(days * 1440 * (100 - slo.target) / 100)
    uptime = round(100 - 100 * lost / (days * 1440), 3)
    return with_fields(
        slo,
        uptime_percent=uptime,
        minutes_down=lost,
        budget_minutes=budget,
        budget_left_minutes=budget - lost,
        status="breached" if lost > budget else "at_risk" if 2 * lost > budget else "ok",
    )


@service.tool()
def list_slos(
    state: MonitoringState,
    ctx: CallContext,
    query: Query | None = None,
    service: ServiceName | None = None,
    breached: bool | None = None,
) -> Json:
    """List service level objectives with uptime and error budget, the least budget left first.

    Errors: `not_found`.

    Args:
        query: Words in the name or description.
        service: Only objectives of this service.
        breached: true for objectives whose budget is spent, false for the others.
    """
    if service is not None:
        state.services.get(service)
    found = keep(search(state.slos, query, lambda row: (row.name, row.description)), service=service)
    rows = [slo_row(state, ctx, row) for row in found]
    rows = [row for row in rows if breached in (None, row["status"] == "breached")]
    rows.sort(key=lambda row: (row["budget_left_minutes"], row["id"]))
    return {"slos": rows, "total": len(rows)}


@service.tool()
def get_slo(state: MonitoringState, ctx: CallContext, slo_id: SloId, timeframe: Timeframe | None = None) -> Json:
    """Show an objective with the episodes that count against it and its status corrections.

    Errors: `not_found`.

    Args:
        slo_id: Id of the objective.
        timeframe: Period to look at instead of its own.
    """
    slo = state.slos.get(slo_id)
    start = plus_minutes(ctx.now, -DAYS[timeframe or slo.timeframe] * 1440)
    episodes = [
        with_fields(row, minutes=minutes_between(row.started_at, row.ended_at))
        for row in sorted(state.episodes, key=lambda row: (row.started_at, row.id))
        if row.monitor_id in slo.monitor_ids and clipped((row.started_at, row.ended_at), start, ctx.now)
    ]
    corrections = state.corrections.find(slo_id=slo_id)
    return {**slo_row(state, ctx, slo, timeframe), "episodes": episodes, "corrections": corrections}


@service.tool(phrase="excuse the time from {start} to {end} from {slo_id}")
def create_slo_correction(
    state: MonitoringState,
    ctx: CallContext,
    slo_id: SloId,
    category: Category,
    start: f.Timestamp,
    end: f.Timestamp,
    description: Body,
) -> Json:
    """Take a past time of at most 24 hours out of an objective, so that it does not count as down.

    Errors: `not_found`, `invalid_time`, `invalid_range`, `in_the_future`, `overlapping_correction`, `no_downtime`
    (scheduled_maintenance needs a downtime of the service in that time), `blank_text`.

    Args:
        slo_id: Id of the objective.
        category: Why the time does not count.
        start: First instant.
        end: Last instant.
        description: What was done in that time.
    """
    slo = state.slos.get(slo_id)
    first, last = check_time(start), check_time(end)
    text = check_text(description, "description")
    if first >= last or minutes_between(first, last) > 60 * LONGEST_CORRECTION_HOURS:
        raise invalid("A correction ends after its start, at most 24 hours later.", type="invalid_range")
    if last > ctx.now:
        raise invalid(f"{last} is still to come; correct it afterwards.", type="in_the_future")
    for other in state.corrections.find(slo_id=slo_id):
        if other.start < last and first < other.end:
            raise conflict(f"{other.id} covers some of this time; delete it first.", type="overlapping_correction")
    planned = [row for row in state.downtimes.find(service=slo.service, cancelled=False) if row.start < last]
    if category == "scheduled_maintenance" and not any(row.end > first for row in planned):
        raise conflict(f"{slo.service} had no downtime then; choose another category.", type="no_downtime")
    row = state.corrections.create(
        slo_id=slo_id, category=category, start=first, end=last, description=text, created_by=ME.email
    )
    return with_fields(row, slo=slo_row(state, ctx, slo))


@service.tool(phrase="delete the status correction {correction_id}")
def delete_slo_correction(
    state: MonitoringState, ctx: CallContext, correction_id: Annotated[str, f.ref("corrections")]
) -> Json:
    """Let a time count again that you had taken out of an objective.

    Errors: `not_found`, `not_yours`.

    Args:
        correction_id: Id of the correction.
    """
    row: Correction = state.corrections.get(correction_id)
    if row.created_by != ME.email:
        raise forbidden(f"{row.created_by} made {correction_id}; ask there.", type="not_yours")
    state.corrections.delete(correction_id)
    return {"deleted": correction_id, "slo": slo_row(state, ctx, state.slos.get(row.slo_id))}
