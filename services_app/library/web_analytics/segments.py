"""Tools for segments: saved conditions on traffic."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import Json, Name, Query, check_text, keep, same, search, with_fields
from services_app.library.web_analytics.figures import counted, in_period, in_segment
from services_app.library.web_analytics.state import Device, Medium, Segment, SegmentId, Source, WebState, service

Path = Annotated[str, f.Semantic("code"), Field(pattern=r"^/", max_length=120)]


def segment_row(state: WebState, ctx: CallContext, segment: Segment) -> Json:
    """A segment with its sessions of the last 28 days, over all sites."""
    recent = in_period(counted(state, None), ctx.in_days(-28), None)
    return with_fields(segment, sessions=sum(row.sessions for row in in_segment(state, recent, segment)))


@service.tool()
def list_segments(
    state: WebState, ctx: CallContext, query: Query | None = None, owner_email: f.Email | None = None
) -> Json:
    """List segments with their conditions and the sessions of the last 28 days.

    Args:
        query: Words in the name.
        owner_email: Only segments of this person.
    """
    found = keep(search(state.segments, query, lambda row: (row.name,)), owner_email=owner_email)
    rows = [segment_row(state, ctx, row) for row in found]
    return {"segments": rows, "total": len(rows)}


@service.tool(phrase="save the segment {name}")
def create_segment(
    state: WebState,
    ctx: CallContext,
    name: Name,
    source: Source | None = None,
    medium: Medium | None = None,
    country: f.Place | None = None,
    device: Device | None = None,
    path_prefix: Path | None = None,
) -> Json:
    """Save conditions that reports can be narrowed to; all of them have to hold.

    Errors: `duplicate_name`, `no_condition`, `same_conditions` (another segment has them), `blank_text`.

    Args:
        name: Name of the segment.
        source: Traffic from this source.
        medium: Traffic of this medium.
        country: Traffic from this country.
        device: Traffic of this kind of device.
        path_prefix: Traffic on pages whose path begins so, such as /products.
    """
    clean = check_text(name, "name")
    conditions = {
        "source": source,
        "medium": medium,
        "country": country,
        "device": device,
        "path_prefix": path_prefix,
    }
    if not any(conditions.values()):
        raise invalid("A segment needs a condition: send a source, medium or the like.", type="no_condition")
    for other in state.segments:
        if same(other.name, clean):
            raise conflict(f"{other.id} has this name; choose another.", type="duplicate_name")
        if all(getattr(other, key) == value for key, value in conditions.items()):
            raise conflict(f"{other.id} ({other.name}) has these conditions.", type="same_conditions")
    return segment_row(state, ctx, state.segments.create(name=clean, **conditions, owner_email=ME.email))


@service.tool(phrase="delete the segment {segment_id}")
def delete_segment(state: WebState, ctx: CallContext, segment_id: SegmentId) -> Json:
    """Delete a segment of yours.

    Errors: `not_found`, `not_yours`.

    Args:
        segment_id: Id of the segment.
    """
    segment = state.segments.get(segment_id)
    if segment.owner_email != ME.email:
        raise forbidden(f"{segment.owner_email} owns {segment_id}; ask there.", type="not_yours")
    state.segments.delete(segment_id)
    return {"deleted": segment_id, "name": segment.name}
