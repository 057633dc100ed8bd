"""Tools for what you watch: saved places and alert rules with thresholds."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.shared import (
    Json,
    Limit,
    Name,
    Offset,
    Query,
    check_future,
    check_text,
    days_between,
    keep,
    offset_page,
    same,
    search,
    some_changes,
    with_fields,
)
from services_app.library.weather.figures import (
    check_value,
    current,
    rule_shown,
    warnings_at,
)
from services_app.library.weather.forecasts import LocationId
from services_app.library.weather.state import (
    AlertRule,
    Comparison,
    Metric,
    SavedPlace,
    WeatherState,
    service,
)

PlaceId = Annotated[str, f.ref("saved_places")]
RuleId = Annotated[str, f.ref("alert_rules")]
Threshold = Annotated[float, f.Semantic("count"), Field(ge=-1000, le=1000)]
HoursAhead = Annotated[int, f.duration("hours"), Field(ge=3, le=168)]
MOST_PLACES, MOST_RULES, LONGEST_MUTE = 15, 6, 14


# Saved places


@service.tool()
def list_saved_places(
    state: WeatherState, ctx: CallContext, query: Query | None = None, limit: Limit = 20, offset: Offset = 0
) -> Json:
    """List your saved places with the weather of now, by label.

    Args:
        query: Words in the label, note, location or the contact's address.
        limit: At most so many places.
        offset: Skip so many places.
    """

    def texts(row: SavedPlace) -> tuple[str, ...]:
        return row.label, row.note, row.contact_email, state.locations.get(row.location_id).name

    found = sorted(search(state.saved_places, query, texts), key=lambda row: (row.label, row.id))
    page = offset_page("places", found, limit, offset)
    page["places"] = [_place_shown(state, ctx, row) for row in page["places"]]
    return page


def _place_shown(state: WeatherState, ctx: CallContext, row: SavedPlace) -> Json:
    point = current(state, row.location_id, ctx.now)
    return with_fields(
        row,
        location=state.locations.get(row.location_id).name,
        temperature=point.temperature,
        condition=point.condition,
        warnings=len(warnings_at(state, row.location_id, ctx.now)),
        rules=state.alert_rules.count(saved_place_id=row.id),
        digests=state.digests.count(saved_place_id=row.id),
    )


def _check_label(state: WeatherState, label: str, but: str = "") -> str:
    text = check_text(label, "label")
    if any(same(row.label, text) and row.id != but for row in state.saved_places):
        raise conflict(f"There is a saved place {text!r} already; choose another label.", type="label_taken")
    return text


@service.tool(phrase="watch the weather of the location {location_id} as {label}")
def save_place(
    state: WeatherState,
    ctx: CallContext,
    location_id: LocationId,
    label: Name,
    contact_email: f.Email,
    note: f.Text = "",
) -> Json:
    """Save a location under a label of your own; up to fifteen places, several may share a location.

    Errors: `not_found`, `blank_text`, `label_taken`, `too_many_places`.

    Args:
        location_id: Id of the location.
        label: Name of the site.
        contact_email: Address of the one who looks after the site.
        note: What to remember.
    """
    state.locations.get(location_id)
    if len(state.saved_places) >= MOST_PLACES:
        raise conflict(f"You have {MOST_PLACES} saved places; remove one first.", type="too_many_places")
    row = state.saved_places.create(
        location_id=location_id, label=_check_label(state, label), contact_email=contact_email, note=note
    )
    return _place_shown(state, ctx, row)


@service.tool(phrase="update the saved place {saved_place_id}")
def update_saved_place(
    state: WeatherState,
    ctx: CallContext,
    saved_place_id: PlaceId,
    label: Name | Unset = UNSET,
    contact_email: f.Email | Unset = UNSET,
    note: f.Text | Unset = UNSET,
) -> Json:
    """Change the label, contact or note of a saved place.

    Errors: `not_found`, `nothing_to_change`, `blank_text`, `label_taken`.

    Args:
        saved_place_id: Id of the saved place.
        label: New label.
        contact_email: Address of the one who looks after the site.
        note: What to remember.
    """
    state.saved_places.get(saved_place_id)
    changes = some_changes(given(label=label, contact_email=contact_email, note=note))
    if "label" in changes:
        changes["label"] = _check_label(state, changes["label"], saved_place_id)
    return _place_shown(state, ctx, state.saved_places.patch(saved_place_id, **changes))


@service.tool(phrase="remove the saved place {saved_place_id}")
def remove_saved_place(state: WeatherState, ctx: CallContext, saved_place_id: PlaceId) -> SavedPlace:
    """Remove a saved place that no rule and no digest needs any more.

    Errors: `not_found`, `in_use` (delete its rules and digests first).

    Args:
        saved_place_id: Id of the saved place.
    """
    row = state.saved_places.get(saved_place_id)
    rules, digests = (table.count(saved_place_id=row.id) for table in (state.alert_rules, state.digests))
    if rules or digests:
        raise conflict(f"{row.label} has {rules} rules and {digests} digests; delete them first.", type="in_use")
    return state.saved_places.delete(saved_place_id)


# Alert rules


@service.tool()
def list_alert_rules(
    state: WeatherState,
    ctx: CallContext,
    saved_place_id: PlaceId | None = None,
    metric: Metric | None = None,
    triggered_only: bool = False,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """List alert rules and whether the forecast meets them: when first, and the peak.

    Errors: `not_found`.

    Args:
        saved_place_id: Only rules of this place.
        metric: Only rules about this.
        triggered_only: Only rules that are met.
        limit: At most so many rules.
        offset: Skip so many rules.
    """
    if saved_place_id is not None:
        state.saved_places.get(saved_place_id)
    rows = keep(state.alert_rules, saved_place_id=saved_place_id, metric=metric)
    shown = [rule_shown(state, row, ctx.now) for row in rows]
    return offset_page("rules", [row for row in shown if row["triggered"] or not triggered_only], limit, offset)


def _must_differ(state: WeatherState, wanted: Json, but: str = "") -> None:
    """409 `rule_exists` when another rule of the place says the same to the same person."""
    for row in state.alert_rules.find(saved_place_id=wanted["saved_place_id"], metric=wanted["metric"]):
        alike = row.comparison == wanted["comparison"] and row.value == wanted["value"]
        if row.id != but and alike and same(row.recipient_email, wanted["recipient_email"]):
            raise conflict(f"{row.id} is this rule already.", type="rule_exists")


@service.tool(phrase="alert {recipient_email} when {metric} is {comparison} {value} at {saved_place_id}")
def create_alert_rule(
    state: WeatherState,
    ctx: CallContext,
    saved_place_id: PlaceId,
    metric: Metric,
    comparison: Comparison,
    value: Threshold,
    recipient_email: f.Email,
    hours_ahead: HoursAhead = 24,
) -> Json:
    """Alert somebody when the forecast of a place crosses a threshold; up to six rules a place.

    Temperature is in degrees Celsius, wind_gust in km/h, rain in mm in three hours.
    Errors: `not_found`, `value_out_of_range`, `rule_exists`, `too_many_rules`.

    Args:
        saved_place_id: Id of the saved place.
        metric: temperature, wind_gust or rain.
        comparison: above or below.
        value: The threshold.
        recipient_email: Who is told.
        hours_ahead: How far the forecast is watched.
    """
    place = state.saved_places.get(saved_place_id)
    fields = {
        "saved_place_id": place.id,
        "metric": metric,
        "comparison": comparison,
        "value": check_value(metric, value),
        "recipient_email": recipient_email,
    }
    _must_differ(state, fields)
    if state.alert_rules.count(saved_place_id=place.id) >= MOST_RULES:
        raise conflict(f"{place.label} has {MOST_RULES} rules; delete one first.", type="too_many_rules")
    return rule_shown(state, state.alert_rules.create(**fields, hours_ahead=hours_ahead), ctx.now)


@service.tool(phrase="change the alert rule {rule_id}")
def update_alert_rule(
    state: WeatherState,
    ctx: CallContext,
    rule_id: RuleId,
    value: Threshold | Unset = UNSET,
    recipient_email: f.Email | Unset = UNSET,
    hours_ahead: HoursAhead | Unset = UNSET,
) -> Json:
    """Change the threshold, the recipient or the hours of a rule.

    Errors: `not_found`, `nothing_to_change`, `value_out_of_range`, `rule_exists`.

    Args:
        rule_id: Id of the rule.
        value: New threshold.
        recipient_email: Who is told.
        hours_ahead: How far the forecast is watched.
    """
    rule = state.alert_rules.get(rule_id)
    changes = some_changes(given(value=value, recipient_email=recipient_email, hours_ahead=hours_ahead))
    if "value" in changes:
        changes["value"] = check_value(rule.metric, changes["value"])
    _must_differ(state, {**rule.plain(), **changes}, rule.id)
    return rule_shown(state, state.alert_rules.patch(rule_id, **changes), ctx.now)


@service.tool(phrase="mute the alert rule {rule_id} until {until}")
def mute_alert_rule(state: WeatherState, ctx: CallContext, rule_id: RuleId, until: f.Timestamp) -> Json:
    """Send nothing for a rule until a time, at most two weeks ahead.

    Errors: `not_found`, `invalid_time`, `in_the_past`, `too_long`.

    Args:
        rule_id: Id of the rule.
        until: End of the silence (UTC).
    """
    rule = state.alert_rules.get(rule_id)
    moment = check_future(ctx, until, "end")
    if days_between(ctx.today, moment[:10]) > LONGEST_MUTE:
        raise invalid(f"A rule is muted for at most {LONGEST_MUTE} days; delete it instead.", type="too_long")
    return rule_shown(state, state.alert_rules.patch(rule.id, muted_until=moment), ctx.now)


@service.tool(phrase="delete the alert rule {rule_id}")
def delete_alert_rule(state: WeatherState, ctx: CallContext, rule_id: RuleId) -> AlertRule:
    """Delete a rule.

    Errors: `not_found`.

    Args:
        rule_id: Id of the rule.
    """
    return state.alert_rules.delete(rule_id)
