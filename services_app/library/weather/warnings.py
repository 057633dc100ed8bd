"""Tools for official warnings and for the protocols that say what is to be done."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    Json,
    Limit,
    Offset,
    Query,
    check_time,
    guide_pages,
    keep,
    newest_first,
    offset_page,
    search,
    with_fields,
)
from services_app.library.weather.forecasts import LocationId
from services_app.library.weather.state import Hazard, ProtocolStatus, Severity, WarningStatus, WeatherState, service

WarningId = Annotated[str, f.ref("warnings")]


@service.tool()
def list_warnings(  # noqa: PLR0913, PLR0917 - one per filter
    state: WeatherState,
    ctx: CallContext,
    query: Query | None = None,
    location_id: LocationId | None = None,
    hazard: Hazard | None = None,
    severity: Severity | None = None,
    status: WarningStatus | None = None,
    at: f.Timestamp | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """List official warnings, the latest issued first; older versions are superseded.

    Errors: `not_found`, `invalid_time`.

    Args:
        query: Words in the headline or text.
        location_id: Only warnings for this location.
        hazard: Only warnings of this hazard.
        severity: Only yellow, orange or red warnings.
        status: Only warnings in force, superseded or withdrawn.
        at: Only warnings that hold at this time (UTC).
        limit: At most so many warnings.
        offset: Skip so many warnings.
    """
    if location_id is not None:
        state.locations.get(location_id)
    moment = check_time(at) if at else None
    found = search(state.warnings, query, lambda row: (row.headline, row.text))
    found = keep(found, location_id=location_id, hazard=hazard, severity=severity, status=status)
    found = [row for row in found if moment is None or row.starts_at <= moment < row.ends_at]
    found = newest_first(found, "issued_at")
    page = offset_page("warnings", found, limit, offset)
    page["warnings"] = [
        with_fields(
            row,
            location=state.locations.get(row.location_id).name,
            acknowledged=state.acknowledgements.count(warning_id=row.id) > 0,
        )
        for row in page["warnings"]
    ]
    return page


@service.tool()
def get_warning(state: WeatherState, ctx: CallContext, warning_id: WarningId) -> Json:
    """Read a warning with who acknowledged it and which of your saved places it concerns.

    Errors: `not_found`.

    Args:
        warning_id: Id of the warning.
    """
    row = state.warnings.get(warning_id)
    return with_fields(
        row,
        location=state.locations.get(row.location_id).name,
        acknowledgements=state.acknowledgements.find(warning_id=warning_id),
        saved_places=[place.label for place in state.saved_places.find(location_id=row.location_id)],
    )


@service.tool(phrase="acknowledge the warning {warning_id}")
def acknowledge_warning(state: WeatherState, ctx: CallContext, warning_id: WarningId, text: f.Text = "") -> Json:
    """Acknowledge a warning that is in force, once; a red one only with what is being done.

    Errors: `not_found`, `not_in_force`, `over` (it ended), `already_acknowledged`, `action_needed` (for red warnings).

    Args:
        warning_id: Id of the warning.
        text: What is being done.
    """
    row = state.warnings.get(warning_id)
    if row.status != "in_force":
        raise conflict(f"{row.headline!r} is {row.status}; see the newer warning.", type="not_in_force")
    if row.ends_at <= ctx.now:
        raise conflict(f"{row.headline!r} ended at {row.ends_at}.", type="over")
    if state.acknowledgements.first(warning_id=warning_id, author_email=ME.email):
        raise conflict("You have acknowledged this warning already.", type="already_acknowledged")
    if row.severity == "red" and not text.strip():
        raise invalid("Say what is being done about a red warning.", type="action_needed")
    state.acknowledgements.create(warning_id=warning_id, author_email=ME.email, text=text, given_at=ctx.now)
    return with_fields(row, acknowledgements=state.acknowledgements.find(warning_id=warning_id))


@service.tool()
def search_protocols(
    state: WeatherState, ctx: CallContext, query: Query | None = None, status: ProtocolStatus | None = None
) -> Json:
    """Read what is to be done in which weather, the newest protocol first.

    Args:
        query: Words in the title or text.
        status: Only protocols that are current, or superseded.
    """
    found = guide_pages(state.protocols, query, status=status)
    return {"protocols": found, "total": len(found)}
