"""Tools for subscriptions and data alerts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.bi_dashboards.figures import alert_row, live_chart
from services_app.library.bi_dashboards.state import (
    BiState,
    ChartId,
    Condition,
    Dashboard,
    DashboardId,
    Frequency,
    Note,
    Recipients,
    Subscription,
    service,
)
from services_app.library.cast import DOMAIN, ME, outside
from services_app.library.shared import Cursor, Json, Limit, cursor_page, keep, same, some_changes, with_fields

SubscriptionId = Annotated[str, f.ref("subscriptions")]
AlertId = Annotated[str, f.ref("alerts")]
Threshold = Annotated[float, f.Semantic("money"), Field(ge=0, le=100_000_000)]


def subscription_row(state: BiState, row: Subscription) -> Json:
    dashboard = state.dashboards.get(row.dashboard_id)
    strangers = [email for email in row.recipient_emails if outside(email)]
    return with_fields(row, dashboard=dashboard.title, external_recipients=len(strangers))


def check_recipients(state: BiState, dashboard: Dashboard, emails: tuple[str, ...]) -> tuple[str, ...]:
    """Each address once; 403 `external_recipient` for people outside who must not see the dashboard."""
    clean = tuple({email.lower(): email for email in emails}.values())
    strangers = [email for email in clean if outside(email)]
    closed = state.collections.get(dashboard.collection_id).restricted
    if strangers and (closed or dashboard.certified_by is None):
        raise forbidden(
            f"{strangers[0]} is outside of {DOMAIN}: only certified dashboards of open collections are sent there.",
            type="external_recipient",
        )
    return clean


@service.tool()
def list_subscriptions(
    state: BiState,
    ctx: CallContext,
    dashboard_id: DashboardId | None = None,
    recipient_email: f.Email | None = None,
    frequency: Frequency | None = None,
    paused: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List which dashboards are sent to whom and when.

    Errors: `not_found`.

    Args:
        dashboard_id: Only subscriptions of this dashboard.
        recipient_email: Only subscriptions that this person gets.
        frequency: Only subscriptions of this frequency.
        paused: true for paused subscriptions, false for the others.
        limit: At most so many subscriptions.
        cursor: next_cursor of the previous page.
    """
    if dashboard_id is not None:
        state.dashboards.get(dashboard_id)
    found = keep(state.subscriptions, dashboard_id=dashboard_id, frequency=frequency, paused=paused)
    rows = [
        subscription_row(state, row)
        for row in found
        if recipient_email is None or any(same(email, recipient_email) for email in row.recipient_emails)
    ]
    return cursor_page("subscriptions", rows, limit, cursor)


@service.tool(phrase="send the dashboard {dashboard_id} {frequency} to {recipient_emails}")
def create_subscription(
    state: BiState,
    ctx: CallContext,
    dashboard_id: DashboardId,
    frequency: Frequency,
    recipient_emails: Recipients,
    send_at: f.Time = "07:00",
    message: Note = "",
) -> Json:
    """Have a dashboard sent by mail; one subscription for each dashboard and frequency.

    Errors: `not_found`, `archived`, `duplicate_subscription`, `external_recipient` (people outside get certified
    dashboards of open collections only).

    Args:
        dashboard_id: Id of the dashboard.
        frequency: daily, weekly on Mondays, or monthly on the first.
        recipient_emails: Who gets it.
        send_at: Time of the day, in UTC.
        message: What stands above it.
    """
    dashboard = state.dashboards.get(dashboard_id)
    if dashboard.archived:
        raise conflict(f"{dashboard_id} is archived; restore it first.", type="archived")
    present = state.subscriptions.first(dashboard_id=dashboard_id, frequency=frequency)
    if present is not None:
        raise conflict(f"{present.id} sends it {frequency}; add recipients there.", type="duplicate_subscription")
    row = state.subscriptions.create(
        dashboard_id=dashboard_id,
        frequency=frequency,
        send_at=send_at,
        recipient_emails=check_recipients(state, dashboard, recipient_emails),
        message=message,
        owner_email=ME.email,
    )
    return subscription_row(state, row)


@service.tool(phrase="change the subscription {subscription_id}")
def update_subscription(
    state: BiState,
    ctx: CallContext,
    subscription_id: SubscriptionId,
    recipient_emails: Recipients | Unset = UNSET,
    send_at: f.Time | Unset = UNSET,
    message: Note | Unset = UNSET,
    paused: bool | Unset = UNSET,
) -> Json:
    """Change who gets a subscription and when, or pause it; one of an archived dashboard stays paused.

    Errors: `not_found`, `nothing_to_change`, `external_recipient`, `archived`.

    Args:
        subscription_id: Id of the subscription.
        recipient_emails: Who gets it, instead of those before.
        send_at: New time of the day, in UTC.
        message: New message.
        paused: Whether nothing is sent.
    """
    row = state.subscriptions.get(subscription_id)
    changes = some_changes(given(recipient_emails=recipient_emails, send_at=send_at, message=message, paused=paused))
    dashboard = state.dashboards.get(row.dashboard_id)
    if "recipient_emails" in changes:
        changes["recipient_emails"] = check_recipients(state, dashboard, changes["recipient_emails"])
    if changes.get("paused") is False and dashboard.archived:
        raise conflict(f"{dashboard.id} is archived; restore it first.", type="archived")
    return subscription_row(state, state.subscriptions.patch(subscription_id, **changes))


@service.tool(phrase="end the subscription {subscription_id}")
def delete_subscription(state: BiState, ctx: CallContext, subscription_id: SubscriptionId) -> Json:
    """End a subscription of yours, or of a dashboard of yours.

    Errors: `not_found`, `not_yours`.

    Args:
        subscription_id: Id of the subscription.
    """
    row = state.subscriptions.get(subscription_id)
    if ME.email not in (row.owner_email, state.dashboards.get(row.dashboard_id).owner_email):
        raise forbidden(f"{row.owner_email} owns {subscription_id}; ask there.", type="not_yours")
    state.subscriptions.delete(subscription_id)
    return {"deleted": subscription_id, "no_longer_sent_to": row.recipient_emails}


@service.tool()
def list_data_alerts(
    state: BiState,
    ctx: CallContext,
    chart_id: ChartId | None = None,
    triggered: bool | None = None,
    owner_email: f.Email | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List data alerts with the present value of their charts.

    Errors: `not_found`.

    Args:
        chart_id: Only alerts on this chart.
        triggered: true for alerts whose condition holds now, false for the others.
        owner_email: Only alerts of this person.
        limit: At most so many alerts.
        cursor: next_cursor of the previous page.
    """
    if chart_id is not None:
        state.charts.get(chart_id)
    rows = [alert_row(state, row) for row in keep(state.alerts, chart_id=chart_id, owner_email=owner_email)]
    return cursor_page("alerts", [row for row in rows if triggered in (None, row["triggered"])], limit, cursor)


@service.tool(phrase="have people told when {chart_id} is {condition} {threshold}")
def create_data_alert(
    state: BiState,
    ctx: CallContext,
    chart_id: ChartId,
    condition: Condition,
    threshold: Threshold,
    notify_emails: Recipients,
) -> Json:
    """Tell people when a chart of type number goes above or below a value.

    Errors: `not_found`, `archived`, `not_a_number`, `duplicate_alert`, `external_recipient`.

    Args:
        chart_id: Id of the chart.
        condition: above or below.
        threshold: The value.
        notify_emails: Who is told.
    """
    chart = live_chart(state, chart_id)
    if chart.chart_type != "number":
        raise invalid(f"{chart_id} is a {chart.chart_type}; alerts are for numbers.", type="not_a_number")
    if state.alerts.first(chart_id=chart_id, condition=condition, threshold=round(threshold, 2)):
        raise conflict(f"There is an alert on {chart_id} for that.", type="duplicate_alert")
    strangers = [email for email in notify_emails if outside(email)]
    if strangers:
        raise forbidden(f"{strangers[0]} is outside of {DOMAIN}; alerts stay inside.", type="external_recipient")
    row = state.alerts.create(
        chart_id=chart_id, condition=condition, threshold=threshold, notify_emails=notify_emails, owner_email=ME.email
    )
    return alert_row(state, row)


@service.tool(phrase="remove the data alert {alert_id}")
def delete_data_alert(state: BiState, ctx: CallContext, alert_id: AlertId) -> Json:
    """Remove a data alert of yours.

    Errors: `not_found`, `not_yours`.

    Args:
        alert_id: Id of the alert.
    """
    row = state.alerts.get(alert_id)
    if row.owner_email != ME.email:
        raise forbidden(f"{row.owner_email} owns {alert_id}; ask there.", type="not_yours")
    state.alerts.delete(alert_id)
    return {"deleted": alert_id, "alerts_left": state.alerts.count(chart_id=row.chart_id)}
