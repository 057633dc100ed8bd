"""Tools for telling people: notes, pages, customers, updates."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.incidents.handling import described, holder, open_incident, write
from services_app.library.incidents.oncall import responder
from services_app.library.incidents.state import IncidentId, IncidentsState, Note, service
from services_app.library.shared import Body, Json, check_text, same, with_fields

Company = Annotated[str, f.Semantic("organisation"), Field(min_length=1, max_length=200)]


@service.tool(phrase="note on the timeline of {incident_id}")
def add_timeline_note(state: IncidentsState, ctx: CallContext, incident_id: IncidentId, text: Body) -> Json:
    """Add a note to the timeline of an incident, open or not.

    Errors: `not_found`, `blank_text`.

    Args:
        incident_id: Id of the incident.
        text: The note.
    """
    state.incidents.get(incident_id)
    entry = write(state, ctx, incident_id, "note", check_text(text, "note"))
    return with_fields(entry, entries=state.timeline.count(incident_id=incident_id))


@service.tool(phrase="page {email} for {incident_id}")
def page_responder(
    state: IncidentsState, ctx: CallContext, incident_id: IncidentId, email: f.Email | None = None, message: Note = ""
) -> Json:
    """Call somebody into an open incident as a responder, or escalate it along the on-call schedule.

    Errors: `not_found`, `incident_resolved`, `unknown_responder`, `already_responding`.

    Args:
        incident_id: Id of the incident.
        email: Whom to page; the escalation contact of the service, if left out.
        message: What they should know.
    """
    incident = open_incident(state, incident_id)
    schedule = state.schedules.get(state.services.get(incident.service).schedule_id)
    person = responder(state, email or schedule.escalate_to)
    if any(same(row.email, person.email) for row in state.assignments.find(incident_id=incident_id)):
        raise conflict(f"{person.name} has a role in {incident_id} already.", type="already_responding")
    state.assignments.create(incident_id=incident_id, role="responder", email=person.email)
    word = "Paged" if email else "Escalated to"
    write(state, ctx, incident_id, "page", f"{word} {person.email}. {message}".strip())
    return {**described(state, ctx, incident), "paged": person}


@service.tool(phrase="note that {company} is affected by {incident_id}")
def add_affected_customer(
    state: IncidentsState,
    ctx: CallContext,
    incident_id: IncidentId,
    company: Company,
    contact_email: f.Email,
    note: Note = "",
) -> Json:
    """Note that an open incident affects a customer, or correct what is noted.

    Errors: `not_found`, `incident_resolved`, `already_noted`, `blank_text`.

    Args:
        incident_id: Id of the incident.
        company: Name of the customer.
        contact_email: Who is told there.
        note: How they are affected.
    """
    open_incident(state, incident_id)
    name = check_text(company, "company")
    rows = state.impacts.find(incident_id=incident_id)
    present = next((row for row in rows if same(row.company, name)), None)
    if present is not None and (present.contact_email, present.note) == (contact_email, note):
        raise conflict(f"{name} is noted so already.", type="already_noted")
    values = {"contact_email": contact_email, "note": note}
    if present is not None:
        impact = state.impacts.patch(present.id, **values)
    else:
        impact = state.impacts.create(incident_id=incident_id, company=name, **values)
    return with_fields(impact, affected_customers=state.impacts.count(incident_id=incident_id))


@service.tool(phrase="tell the affected customers about {incident_id}")
def post_update(state: IncidentsState, ctx: CallContext, incident_id: IncidentId, message: Body) -> Json:
    """Send an update to the contacts of all affected customers.

    Only the commander or the one for communications writes to customers. Errors: `not_found`, `no_permission`,
    `nobody_affected`, `same_update` (the last one said the same), `blank_text`.

    Args:
        incident_id: Id of the incident.
        message: What customers read.
    """
    incident = state.incidents.get(incident_id)
    text = check_text(message, "message")
    allowed = [holder(state, incident_id, role) for role in ("commander", "communications")]
    if not any(same(email or "", ME.email) for email in allowed):
        names = ", ".join(email for email in allowed if email) or "nobody yet"
        raise forbidden(f"Customers are told by {names}; take the role of communications.", type="no_permission")
    contacts = [row.contact_email for row in state.impacts.find(incident_id=incident_id)]
    if not contacts:
        raise conflict("No affected customer is noted; add one first.", type="nobody_affected")
    earlier = state.timeline.find(incident_id=incident_id, kind="update")
    if earlier and earlier[-1].text == text:
        raise conflict("The last update said the same; say what is new.", type="same_update")
    write(state, ctx, incident_id, "update", text)
    return {**described(state, ctx, incident), "sent_to": contacts, "updates": len(earlier) + 1}
