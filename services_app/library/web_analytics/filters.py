"""Tools for filters: traffic that is left out of every report."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict
from services_app.engine import fields as f
from services_app.library.shared import Body, Json, check_text, keep, same, with_fields
from services_app.library.web_analytics.figures import counted, need
from services_app.library.web_analytics.state import FilterField, PropertyId, TrafficFilter, WebState, service

MOST_FILTERS = 10
Excluded = Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=80)]


def filter_row(state: WebState, row: TrafficFilter) -> Json:
    """A filter with the sessions that match it, whether or not it is active."""
    hit = [one for one in state.traffic.find(property_id=row.property_id) if same(getattr(one, row.field), row.value)]
    return with_fields(row, matching_sessions=sum(one.sessions for one in hit))


@service.tool()
def list_filters(
    state: WebState, ctx: CallContext, property_id: PropertyId | None = None, active: bool | None = None
) -> Json:
    """List filters with their reason and the sessions that they leave out.

    Errors: `not_found`.

    Args:
        property_id: Only filters of this property.
        active: true for filters in force, false for the others.
    """
    if property_id is not None:
        state.properties.get(property_id)
    rows = [filter_row(state, row) for row in keep(state.filters, property_id=property_id, active=active)]
    return {"filters": rows, "total": len(rows)}


_LYON = {"property_id": "PROP-01", "field": "country", "value": "France", "reason": "Tests from our office in Lyon."}


@service.tool(phrase="leave {value} out of the reports of {property_id}", examples=(Example({**_LYON}),))
def create_filter(
    state: WebState, ctx: CallContext, property_id: PropertyId, field: FilterField, value: Excluded, reason: Body
) -> Json:
    """Leave a source, country or campaign out of every report of a site, past days included.

    Errors: `not_found`, `no_permission` (editors), `duplicate_filter`, `nothing_matches` (no traffic has this value),
    `leaves_nothing` (there would be no traffic any more), `too_many_filters` (10), `blank_text`.

    Args:
        property_id: Id of the property.
        field: source, country or campaign.
        value: What is left out.
        reason: Why.
    """
    need(state, property_id, "editor")
    text = check_text(reason, "reason")
    present = state.filters.find(property_id=property_id)
    for other in present:
        if other.field == field and same(other.value, value):
            raise conflict(f"{other.id} does that; set it active.", type="duplicate_filter")
    if len(present) >= MOST_FILTERS:
        raise conflict(f"There are {MOST_FILTERS} filters; change one of them.", type="too_many_filters")
    left = [same(getattr(row, field), value) for row in counted(state, property_id)]
    if not any(left):
        raise conflict(f"No traffic has the {field} {value}; run_report shows what there is.", type="nothing_matches")
    if all(left):
        raise conflict(f"All traffic has the {field} {value}; reports would be empty.", type="leaves_nothing")
    return filter_row(state, state.filters.create(property_id=property_id, field=field, value=value, reason=text))


@service.tool(phrase="switch the filter {filter_id}")
def set_filter_active(
    state: WebState, ctx: CallContext, filter_id: Annotated[str, f.ref("filters")], active: bool
) -> Json:
    """Switch a filter on or off; reports of all days change at once.

    Errors: `not_found`, `no_permission`, `no_change`.

    Args:
        filter_id: Id of the filter.
        active: Whether it is in force.
    """
    row = state.filters.get(filter_id)
    need(state, row.property_id, "editor")
    if row.active == active:
        raise conflict(f"{filter_id} is {'on' if active else 'off'} already.", type="no_change")
    return filter_row(state, state.filters.patch(filter_id, active=active))
