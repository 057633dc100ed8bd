"""Tools that find, open and move incidents on."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.incidents.oncall import on_call, responder
from services_app.library.incidents.state import (
    MINUTES_TO_ACKNOWLEDGE,
    OPEN,
    EntryKind,
    Incident,
    IncidentId,
    IncidentRole,
    IncidentsState,
    Note,
    ServiceName,
    Severity,
    Status,
    TimelineEntry,
    service,
)
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_date,
    check_text,
    cursor_page,
    keep,
    minutes_between,
    newest_first,
    same,
    search,
    some_changes,
    with_fields,
)

IssueKey = Annotated[str, f.Semantic("code"), Field(pattern=r"^([A-Z]{2,5}-\d{1,5})?$")]


def write(state: IncidentsState, ctx: CallContext, incident_id: str, kind: str, text: str) -> TimelineEntry:
    """Add to the timeline, which is never edited."""
    return state.timeline.create(incident_id=incident_id, kind=kind, text=text, by_email=ME.email, at=ctx.now)


def open_incident(state: IncidentsState, incident_id: str) -> Incident:
    """The incident if it is not resolved; 409 `incident_resolved`."""
    incident = state.incidents.get(incident_id)
    if incident.status not in OPEN:
        raise conflict(f"{incident_id} is resolved; reopen it first.", type="incident_resolved")
    return incident


def holder(state: IncidentsState, incident_id: str, role: str) -> str | None:
    found = state.assignments.first(incident_id=incident_id, role=role)
    return found.email if found else None


def described(state: IncidentsState, ctx: CallContext, incident: Incident) -> Json:
    """An incident with its times in minutes, its commander and its customers."""
    end = incident.resolved_at or ctx.now
    waited = minutes_between(incident.triggered_at, incident.acknowledged_at or end)
    return with_fields(
        incident,
        minutes_to_acknowledge=waited if incident.acknowledged_at else None,
        acknowledged_late=waited > MINUTES_TO_ACKNOWLEDGE[incident.severity],
        minutes_open=minutes_between(incident.triggered_at, end),
        commander_email=holder(state, incident.id, "commander"),
        affected_customers=state.impacts.count(incident_id=incident.id),
        alerts=state.alerts.count(incident_id=incident.id),
    )


@service.tool()
def list_incidents(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: IncidentsState,
    ctx: CallContext,
    query: Query | None = None,
    service: ServiceName | None = None,
    severity: Severity | None = None,
    status: Status | None = None,
    commander_email: f.Email | None = None,
    company: f.Organisation | None = None,
    since: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List incidents, newest first.

    Errors: `not_found`, `invalid_date`.

    Args:
        query: Words in the title, summary, cause or issue.
        service: Only incidents of this service.
        severity: Only incidents of this severity.
        status: Only incidents with this status.
        commander_email: Only incidents led by this person.
        company: Only incidents that affected this customer.
        since: Only incidents from this day on.
        limit: At most so many incidents.
        cursor: next_cursor of the previous page.
    """
    if service is not None:
        state.services.get(service)
    first = check_date(since) if since else ""
    found = search(state.incidents, query, lambda row: (row.title, row.summary, row.cause, row.related_issue))
    found = keep(found, service=service, severity=severity, status=status)
    hit = {row.incident_id for row in state.impacts if company is None or same(row.company, company)}
    rows = [
        described(state, ctx, row)
        for row in newest_first(found, "triggered_at")
        if row.triggered_at >= first and (company is None or row.id in hit)
    ]
    rows = [row for row in rows if commander_email is None or same(row["commander_email"] or "", commander_email)]
    return cursor_page("incidents", rows, limit, cursor)


@service.tool()
def get_incident(state: IncidentsState, ctx: CallContext, incident_id: IncidentId) -> Json:
    """Show an incident with its roles, customers, alerts, and what to do first.

    Errors: `not_found`.

    Args:
        incident_id: Id of the incident.
    """
    incident = state.incidents.get(incident_id)
    where = state.services.get(incident.service)
    return {
        **described(state, ctx, incident),
        "runbook": where.runbook,
        "on_call_email": on_call(state, state.schedules.get(where.schedule_id), ctx.today),
        "roles": state.assignments.find(incident_id=incident_id),
        "customers": state.impacts.find(incident_id=incident_id),
        "open_alerts": [row.id for row in state.alerts.find(incident_id=incident_id) if row.status != "closed"],
    }


@service.tool(phrase="declare the incident {title} for {service}")
def create_incident(
    state: IncidentsState,
    ctx: CallContext,
    title: Name,
    service: ServiceName,
    severity: Severity,
    summary: Note = "",
) -> Json:
    """Open an incident; whoever is on call for the service is paged as responder.

    Errors: `not_found`, `duplicate_incident` (the service has an open one with this title), `blank_text`.

    Args:
        title: One line.
        service: Name of the service.
        severity: sev1 for everybody being down, to sev4 for an annoyance.
        summary: What is known.
    """
    where = state.services.get(service)
    clean = check_text(title, "title")
    for other in state.incidents.find(service=service):
        if other.status in OPEN and same(other.title, clean):
            raise conflict(f"{other.id} is open with this title; add to it instead.", type="duplicate_incident")
    incident = state.incidents.create(
        title=clean,
        service=service,
        severity=severity,
        status="triggered",
        summary=summary,
        reported_by=ME.email,
        triggered_at=ctx.now,
    )
    email = on_call(state, state.schedules.get(where.schedule_id), ctx.today)
    state.assignments.create(incident_id=incident.id, role="responder", email=email)
    write(state, ctx, incident.id, "page", f"Paged {email}, on call for {service}.")
    return described(state, ctx, incident)


@service.tool(phrase="acknowledge {incident_id}")
def acknowledge_incident(state: IncidentsState, ctx: CallContext, incident_id: IncidentId) -> Json:
    """Say that you are on it; without a commander you become one, and its alerts stop paging.

    Errors: `not_found`, `not_triggered`.

    Args:
        incident_id: Id of the incident.
    """
    incident = state.incidents.get(incident_id)
    if incident.status != "triggered":
        raise conflict(f"{incident_id} is {incident.status} already.", type="not_triggered")
    if holder(state, incident_id, "commander") is None:
        state.assignments.create(incident_id=incident_id, role="commander", email=ME.email)
    for alert in state.alerts.find(incident_id=incident_id, status="firing"):
        state.alerts.patch(alert.id, status="acknowledged")
    write(state, ctx, incident_id, "status", "Acknowledged.")
    return described(state, ctx, state.incidents.patch(incident_id, status="acknowledged", acknowledged_at=ctx.now))


@service.tool(phrase="mark {incident_id} as mitigated")
def mitigate_incident(state: IncidentsState, ctx: CallContext, incident_id: IncidentId, what_was_done: Body) -> Json:
    """Say that customers no longer suffer, though the cause may still be there.

    Errors: `not_found`, `not_acknowledged`, `blank_text`.

    Args:
        incident_id: Id of the incident.
        what_was_done: What has helped.
    """
    incident = state.incidents.get(incident_id)
    text = check_text(what_was_done, "text")
    if incident.status != "acknowledged":
        raise conflict(f"{incident_id} is {incident.status}; acknowledge it first.", type="not_acknowledged")
    write(state, ctx, incident_id, "status", text)
    return described(state, ctx, state.incidents.patch(incident_id, status="mitigated", mitigated_at=ctx.now))


@service.tool(phrase="resolve {incident_id}")
def resolve_incident(
    state: IncidentsState, ctx: CallContext, incident_id: IncidentId, cause: Body, related_issue: IssueKey = ""
) -> Json:
    """Close a mitigated incident with its cause; its alerts have to be closed.

    Errors: `not_found`, `not_mitigated`, `open_alerts`, `issue_missing` (sev1 and sev2 name the issue that repairs
    the cause), `blank_text`.

    Args:
        incident_id: Id of the incident.
        cause: Why it happened.
        related_issue: Key of the issue under which the cause is repaired.
    """
    incident = state.incidents.get(incident_id)
    text = check_text(cause, "cause")
    if incident.status != "mitigated":
        raise conflict(f"{incident_id} is {incident.status}; mitigate it first.", type="not_mitigated")
    alerts = [row.id for row in state.alerts.find(incident_id=incident_id) if row.status != "closed"]
    if alerts:
        raise conflict(f"{', '.join(alerts)} is not closed; close it first.", type="open_alerts")
    if incident.severity in ("sev1", "sev2") and not related_issue:
        raise invalid(f"A {incident.severity} needs the key of an issue.", type="issue_missing")
    write(state, ctx, incident_id, "status", f"Resolved: {text}")
    changed = state.incidents.patch(
        incident_id, status="resolved", cause=text, related_issue=related_issue, resolved_at=ctx.now
    )
    return described(state, ctx, changed)


@service.tool(phrase="reopen {incident_id}")
def reopen_incident(state: IncidentsState, ctx: CallContext, incident_id: IncidentId, reason: Body) -> Json:
    """Take a resolved incident back into acknowledged; one with a published postmortem stays closed.

    Errors: `not_found`, `not_resolved`, `postmortem_published`, `blank_text`.

    Args:
        incident_id: Id of the incident.
        reason: What has come back.
    """
    incident = state.incidents.get(incident_id)
    text = check_text(reason, "reason")
    if incident.status != "resolved":
        raise conflict(f"{incident_id} is {incident.status}, not resolved.", type="not_resolved")
    if state.postmortems.first(incident_id=incident_id, status="published"):
        raise conflict(f"{incident_id} has a postmortem; declare a new one.", type="postmortem_published")
    write(state, ctx, incident_id, "status", f"Reopened: {text}")
    changed = state.incidents.patch(incident_id, status="acknowledged", mitigated_at=None, resolved_at=None)
    return described(state, ctx, changed)


@service.tool(phrase="update the incident {incident_id}")
def update_incident(
    state: IncidentsState,
    ctx: CallContext,
    incident_id: IncidentId,
    title: Name | Unset = UNSET,
    severity: Severity | Unset = UNSET,
    summary: Note | Unset = UNSET,
    reason: Note = "",
) -> Json:
    """Change title, severity or summary of an open incident; lowering the severity needs a reason.

    Errors: `not_found`, `incident_resolved`, `nothing_to_change`, `reason_missing`, `blank_text`.

    Args:
        incident_id: Id of the incident.
        title: New title.
        severity: New severity.
        summary: What is known now.
        reason: Why the severity changes; kept in the timeline.
    """
    incident = open_incident(state, incident_id)
    changes = some_changes(given(title=title, severity=severity, summary=summary))
    if "title" in changes:
        changes["title"] = check_text(changes["title"], "title")
    if changes.get("severity", "") > incident.severity and not reason.strip():
        raise invalid("Say why the severity is lowered.", type="reason_missing")
    kind = "severity" if "severity" in changes else "note"
    text = f"Changed {', '.join(f'{name} to {value}' for name, value in changes.items())}. {reason}".strip()
    write(state, ctx, incident_id, kind, text)
    return described(state, ctx, state.incidents.patch(incident_id, **changes))


@service.tool(phrase="make {email} the {role} of {incident_id}")
def assign_role(
    state: IncidentsState, ctx: CallContext, incident_id: IncidentId, role: IncidentRole, email: f.Email
) -> Json:
    """Give somebody a role in an open incident; there is one of each, but many responders.

    Errors: `not_found`, `incident_resolved`, `unknown_responder`, `has_role`, `commands_another` (nobody leads two
    open incidents).

    Args:
        incident_id: Id of the incident.
        role: The role.
        email: Who gets it.
    """
    incident = open_incident(state, incident_id)
    person = responder(state, email)
    present = state.assignments.find(incident_id=incident_id, role=role)
    if any(same(row.email, person.email) for row in present):
        raise conflict(f"{person.name} is {role} of {incident_id} already.", type="has_role")
    if role == "commander":
        for row in state.assignments.find(role="commander", email=person.email):
            if state.incidents.get(row.incident_id).status in OPEN:
                raise conflict(f"{person.name} leads {row.incident_id}; choose another.", type="commands_another")
    for row in present if role != "responder" else []:
        state.assignments.delete(row.id)
    state.assignments.create(incident_id=incident_id, role=role, email=person.email)
    write(state, ctx, incident_id, "role", f"{person.name} is {role}.")
    return {**described(state, ctx, incident), "roles": state.assignments.find(incident_id=incident_id)}


@service.tool()
def get_timeline(
    state: IncidentsState,
    ctx: CallContext,
    incident_id: IncidentId | None = None,
    kind: EntryKind | None = None,
    query: Query | None = None,
    limit: Limit = 40,
    cursor: Cursor = "",
) -> Json:
    """Read what happened in incidents, oldest first.

    Errors: `not_found`.

    Args:
        incident_id: Only this incident.
        kind: Only entries of this kind.
        query: Words in the text.
        limit: At most so many entries.
        cursor: next_cursor of the previous page.
    """
    if incident_id is not None:
        state.incidents.get(incident_id)
    found = keep(search(state.timeline, query, lambda row: (row.text,)), incident_id=incident_id, kind=kind)
    found.sort(key=lambda row: (row.at, row.id))
    return cursor_page("entries", found, limit, cursor)
