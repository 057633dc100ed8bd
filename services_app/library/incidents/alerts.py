"""Tools for alerts of the monitoring."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.incidents.handling import open_incident, write
from services_app.library.incidents.state import AlertStatus, IncidentId, IncidentsState, Note, ServiceName, service
from services_app.library.shared import Cursor, Json, Limit, Query, cursor_page, keep, newest_first, search, with_fields

AlertId = Annotated[str, f.ref("alerts")]


@service.tool()
def list_alerts(
    state: IncidentsState,
    ctx: CallContext,
    service: ServiceName | None = None,
    status: AlertStatus | None = None,
    query: Query | None = None,
    unassigned_only: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List alerts, newest first.

    Errors: `not_found`.

    Args:
        service: Only alerts of this service.
        status: Only alerts with this status.
        query: Words in the summary or details.
        unassigned_only: Only alerts that belong to no incident.
        limit: At most so many alerts.
        cursor: next_cursor of the previous page.
    """
    if service is not None:
        state.services.get(service)
    found = search(state.alerts, query, lambda row: (row.summary, row.details))
    found = keep(found, service=service, status=status)
    found = [row for row in found if row.incident_id is None or not unassigned_only]
    found = newest_first(found, "fired_at")
    return cursor_page("alerts", found, limit, cursor)


@service.tool(phrase="put the alert {alert_id} under {incident_id}")
def attach_alert(state: IncidentsState, ctx: CallContext, alert_id: AlertId, incident_id: IncidentId) -> Json:
    """Put an alert that is not closed under an open incident; it stops paging.

    Errors: `not_found`, `incident_resolved`, `already_attached`, `alert_closed`.

    Args:
        alert_id: Id of the alert.
        incident_id: Id of the incident.
    """
    alert = state.alerts.get(alert_id)
    open_incident(state, incident_id)
    if alert.incident_id == incident_id:
        raise conflict(f"{alert_id} belongs to {incident_id} already.", type="already_attached")
    if alert.status == "closed":
        raise conflict(f"{alert_id} is closed; it needs no incident.", type="alert_closed")
    write(state, ctx, incident_id, "note", f"{alert_id} added: {alert.summary}")
    changed = state.alerts.patch(alert_id, incident_id=incident_id, status="acknowledged")
    return with_fields(changed, alerts_of_incident=state.alerts.count(incident_id=incident_id))


@service.tool(phrase="close the alert {alert_id}")
def close_alert(state: IncidentsState, ctx: CallContext, alert_id: AlertId, note: Note = "") -> Json:
    """Close an alert; one that is still firing and belongs to no incident needs a note that says why.

    Errors: `not_found`, `alert_closed`, `note_missing`.

    Args:
        alert_id: Id of the alert.
        note: Why it can be closed.
    """
    alert = state.alerts.get(alert_id)
    if alert.status == "closed":
        raise conflict(f"{alert_id} is closed already.", type="alert_closed")
    if alert.status == "firing" and alert.incident_id is None and not note.strip():
        raise conflict(f"{alert_id} is firing; say in a note why it can be closed.", type="note_missing")
    if alert.incident_id is not None:
        write(state, ctx, alert.incident_id, "note", f"{alert_id} closed. {note}".strip())
    details = f"{alert.details}\n\n{note}" if note.strip() else alert.details
    return with_fields(state.alerts.patch(alert_id, status="closed", details=details))
