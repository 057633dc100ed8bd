"""Tools for digests: the forecast of a saved place by mail."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given
from services_app.engine import fields as f
from services_app.library.shared import Json, brief, keep, plus_days, same, some_changes, with_fields
from services_app.library.weather.figures import daily, points_of, rule_shown
from services_app.library.weather.state import Days, Digest, WeatherState, service
from services_app.library.weather.watching import PlaceId

DigestId = Annotated[str, f.ref("digests")]
ForecastDays = Annotated[int, f.duration("days"), Field(ge=1, le=7)]


def _digest_shown(state: WeatherState, row: Digest) -> Json:
    return with_fields(row, label=state.saved_places.get(row.saved_place_id).label)


@service.tool()
def list_digests(
    state: WeatherState,
    ctx: CallContext,
    recipient_email: f.Email | None = None,
    saved_place_id: PlaceId | None = None,
    active: bool | None = None,
) -> Json:
    """List the digests that are sent by mail, by time of day.

    Errors: `not_found`.

    Args:
        recipient_email: Only digests to this address.
        saved_place_id: Only digests about this place.
        active: Only digests that are sent, or paused ones.
    """
    if saved_place_id is not None:
        state.saved_places.get(saved_place_id)
    found = keep(state.digests, recipient_email=recipient_email, saved_place_id=saved_place_id, active=active)
    found.sort(key=lambda row: (row.send_at, row.id))
    return {"digests": [_digest_shown(state, row) for row in found[:100]], "total": len(found)}


@service.tool(phrase="send {recipient_email} a weather digest of {saved_place_id} at {send_at}")
def create_digest(
    state: WeatherState,
    ctx: CallContext,
    saved_place_id: PlaceId,
    recipient_email: f.Email,
    send_at: f.Time,
    days: Days = "weekdays",
    forecast_days: ForecastDays = 3,
) -> Json:
    """Send somebody the forecast of a place by mail; one digest per place and person.

    Errors: `not_found`, `digest_exists` (update it instead).

    Args:
        saved_place_id: Id of the saved place.
        recipient_email: Who gets it.
        send_at: Time of day (UTC), such as 06:30.
        days: daily, weekdays or mondays.
        forecast_days: How many days it shows.
    """
    place = state.saved_places.get(saved_place_id)
    for row in state.digests.find(saved_place_id=place.id):
        if same(row.recipient_email, recipient_email):
            raise conflict(f"{row.id} goes to {recipient_email} already; update it.", type="digest_exists")
    digest = state.digests.create(
        saved_place_id=place.id,
        recipient_email=recipient_email,
        days=days,
        send_at=send_at,
        forecast_days=forecast_days,
        active=True,
    )
    return _digest_shown(state, digest)


@service.tool(phrase="change the weather digest {digest_id}")
def update_digest(
    state: WeatherState,
    ctx: CallContext,
    digest_id: DigestId,
    days: Days | Unset = UNSET,
    send_at: f.Time | Unset = UNSET,
    forecast_days: ForecastDays | Unset = UNSET,
    active: bool | Unset = UNSET,
) -> Json:
    """Change when a digest is sent and how far it looks, or pause it.

    Errors: `not_found`, `nothing_to_change`.

    Args:
        digest_id: Id of the digest.
        days: daily, weekdays or mondays.
        send_at: Time of day (UTC).
        forecast_days: How many days it shows.
        active: Whether it is sent.
    """
    changes = some_changes(given(days=days, send_at=send_at, forecast_days=forecast_days, active=active))
    return _digest_shown(state, state.digests.patch(digest_id, **changes))


@service.tool()
def preview_digest(state: WeatherState, ctx: CallContext, digest_id: DigestId) -> Json:
    """Show what a digest would say now: days, warnings and the rules of its place that are met.

    Errors: `not_found`.

    Args:
        digest_id: Id of the digest.
    """
    row = state.digests.get(digest_id)
    place = state.saved_places.get(row.saved_place_id)
    end = f"{plus_days(ctx.today, row.forecast_days)}T00:00:00Z"
    rules = [rule_shown(state, rule, ctx.now) for rule in state.alert_rules.find(saved_place_id=place.id)]
    return {
        "digest_id": row.id,
        **_digest_shown(state, row),
        "days_shown": daily(points_of(state, place.location_id, f"{ctx.today}T00:00:00Z", end)),
        "warnings": [
            brief(warning, "id", "severity", "headline", "ends_at")
            for warning in state.warnings.find(location_id=place.location_id, status="in_force")
            if warning.ends_at > ctx.now and warning.starts_at < end
        ],
        "rules_met": [rule["id"] for rule in rules if rule["triggered"] and not rule["muted"]],
    }


@service.tool(phrase="delete the weather digest {digest_id}")
def delete_digest(state: WeatherState, ctx: CallContext, digest_id: DigestId) -> Digest:
    """Delete a digest.

    Errors: `not_found`.

    Args:
        digest_id: Id of the digest.
    """
    return state.digests.delete(digest_id)
