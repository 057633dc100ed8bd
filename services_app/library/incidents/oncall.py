"""Tools for who is on call, and what follows from the rotation."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.incidents.state import (
    IncidentsState,
    Note,
    Override,
    Responder,
    Schedule,
    ScheduleId,
    service,
)
from services_app.library.shared import (
    Json,
    Query,
    check_date,
    check_range,
    days_between,
    plus_days,
    same,
    search,
    with_fields,
)


def responder(state: IncidentsState, email: str) -> Responder:
    """A responder by address; 422 `unknown_responder` otherwise."""
    found = next((row for row in state.responders if same(row.email, email)), None)
    if found is None:
        raise invalid(f"{email} is not a responder; list_responders shows who is.", type="unknown_responder")
    return found


def on_call(state: IncidentsState, schedule: Schedule, day: str) -> str:
    """Address of the one on call that day: an override, else whose week it is."""
    for override in state.overrides.find(schedule_id=schedule.id):
        if override.first_day <= day <= override.last_day:
            return override.email
    weeks = days_between(schedule.rotation_start, day) // 7
    return schedule.member_emails[weeks % len(schedule.member_emails)]


@service.tool()
def list_responders(state: IncidentsState, ctx: CallContext, query: Query | None = None) -> Json:
    """List people who answer incidents, with the open incidents in which they have a role.

    Args:
        query: Words in the name or address.
    """
    rows = []
    for person in search(state.responders, query, lambda row: (row.name, row.email)):
        roles = [row for row in state.assignments if same(row.email, person.email)]
        busy = [row.incident_id for row in roles if state.incidents.get(row.incident_id).status != "resolved"]
        rows.append(with_fields(person, open_incidents=sorted(set(busy))))
    return {"responders": rows, "total": len(rows)}


@service.tool()
def list_schedules(state: IncidentsState, ctx: CallContext, on: f.Date | None = None) -> Json:
    """List on-call schedules with who is on call and what they cover.

    Errors: `invalid_date`.

    Args:
        on: The day; today, if left out.
    """
    day = check_date(on) if on else ctx.today
    rows = [
        with_fields(
            row,
            on_call_email=on_call(state, row, day),
            services=[one.id for one in state.services.find(schedule_id=row.id)],
        )
        for row in state.schedules
    ]
    return {"day": day, "schedules": rows, "total": len(rows)}


@service.tool()
def get_schedule(
    state: IncidentsState, ctx: CallContext, schedule_id: ScheduleId, first_day: f.Date, last_day: f.Date
) -> Json:
    """Show who is on call on each day of a period of at most 31 days, overrides included.

    Errors: `not_found`, `invalid_range`, `invalid_date`.

    Args:
        schedule_id: Id of the schedule.
        first_day: First day.
        last_day: Last day.
    """
    schedule = state.schedules.get(schedule_id)
    check_range(first_day, last_day)
    length = days_between(first_day, last_day)
    if length > 30:
        raise invalid("Ask for at most 31 days at a time.", type="invalid_range")
    days = [plus_days(first_day, offset) for offset in range(length + 1)]
    shifts = [{"day": day, "email": on_call(state, schedule, day)} for day in days]
    overrides = [
        row
        for row in state.overrides.find(schedule_id=schedule_id)
        if row.first_day <= last_day and row.last_day >= first_day
    ]
    return {"schedule_id": schedule_id, "name": schedule.name, "days": shifts, "overrides": overrides}


@service.tool(phrase="let {email} take over {schedule_id} from {first_day} to {last_day}")
def create_override(
    state: IncidentsState,
    ctx: CallContext,
    schedule_id: ScheduleId,
    email: f.Email,
    first_day: f.Date,
    last_day: f.Date,
    reason: Note = "",
) -> Override:
    """Let a responder take over the on-call duty for some days.

    Errors: `not_found`, `unknown_responder`, `invalid_range` (at most 14 days), `in_the_past`, `overlapping_override`,
    `on_call_elsewhere` (the person has an override on another schedule then), `invalid_date`.

    Args:
        schedule_id: Id of the schedule.
        email: Who takes over.
        first_day: First day.
        last_day: Last day.
        reason: Why.
    """
    state.schedules.get(schedule_id)
    person = responder(state, email)
    check_range(first_day, last_day)
    if days_between(first_day, last_day) > 13:
        raise invalid("An override lasts 14 days at most; choose an earlier end.", type="invalid_range")
    if first_day < ctx.today:
        raise invalid(f"{first_day} is over; today is {ctx.today}.", type="in_the_past")
    for row in state.overrides:
        if row.first_day <= last_day and first_day <= row.last_day:
            if row.schedule_id == schedule_id:
                raise conflict(f"{row.id} ({row.email}) covers some of these days.", type="overlapping_override")
            if same(row.email, person.email):
                raise conflict(f"{person.name} has {row.schedule_id} in these days.", type="on_call_elsewhere")
    return state.overrides.create(
        schedule_id=schedule_id, email=person.email, first_day=first_day, last_day=last_day, reason=reason
    )


@service.tool(phrase="withdraw the on-call override {override_id}")
def delete_override(state: IncidentsState, ctx: CallContext, override_id: Annotated[str, f.ref("overrides")]) -> Json:
    """Withdraw an override that is not over; the rotation holds again.

    Errors: `not_found`, `already_over`.

    Args:
        override_id: Id of the override, from get_schedule.
    """
    override = state.overrides.get(override_id)
    if override.last_day < ctx.today:
        raise forbidden(f"{override_id} ended on {override.last_day}; it stays for the record.", type="already_over")
    state.overrides.delete(override_id)
    schedule = state.schedules.get(override.schedule_id)
    return {"deleted": override_id, "on_call_email": on_call(state, schedule, max(ctx.today, override.first_day))}
