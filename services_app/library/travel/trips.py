"""Tools for trips: planning, approving, ticketing, cancelling."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_range,
    check_text,
    cursor_page,
    newest_first,
    same,
    search,
    some_changes,
    with_fields,
)
from services_app.library.travel.costs import (
    airport_of,
    approvers_of,
    booking_shown,
    breaches,
    cost_of,
    missing_approvals,
    open_trip,
    phase_of,
    stay_shown,
    traveler_by_email,
)
from services_app.library.travel.flights import refund_of
from services_app.library.travel.hotels import late_fee
from services_app.library.travel.state import TravelState, Trip, TripNote, service
from services_app.library.travel.travelers import Place

TripId = Annotated[str, f.ref("trips")]
Phase = Annotated[Literal["planned", "travelling", "completed", "rejected", "cancelled"], LABEL]


def _shown(state: TravelState, ctx: CallContext, trip: Trip) -> Json:
    traveler = state.travelers.get(trip.traveler_id)
    return with_fields(
        trip,
        phase=phase_of(trip, ctx.today),
        traveler_name=traveler.name,
        traveler_email=traveler.email,
        cost=cost_of(state, trip.id),
        approvals_missing=[email for _, email in missing_approvals(state, trip)] if trip.status == "open" else [],
    )


@service.tool()
def list_trips(
    state: TravelState,
    ctx: CallContext,
    query: Query | None = None,
    traveler_email: f.Email | None = None,
    phase: Phase | None = None,
    waiting_for: f.Email | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List trips with cost and missing approvals, latest start first.

    Errors: `unknown_traveler`.

    Args:
        query: Words in the purpose, destination or order number.
        traveler_email: Only trips of this traveler.
        phase: Only trips that are planned, under way, completed, rejected or cancelled.
        waiting_for: Only trips that wait for the approval of this address.
        limit: At most so many trips.
        cursor: next_cursor of the previous page.
    """
    traveler = traveler_by_email(state, traveler_email).id if traveler_email else None
    found = [
        row
        for row in search(state.trips, query, lambda row: (row.purpose, row.destination_city, row.project_code))
        if (traveler is None or row.traveler_id == traveler) and (phase is None or phase_of(row, ctx.today) == phase)
    ]
    found = newest_first(found, "starts_on")
    if waiting_for is not None:
        found = [
            row
            for row in found
            if row.status == "open" and any(same(waiting_for, email) for _, email in missing_approvals(state, row))
        ]
    page = cursor_page("trips", found, limit, cursor)
    page["trips"] = [_shown(state, ctx, row) for row in page["trips"]]
    return page


@service.tool()
def get_trip(state: TravelState, ctx: CallContext, trip_id: TripId) -> Json:
    """Show a trip with flights (by departure), hotels, approvals, notes, cost and what is outside the policy.

    Errors: `not_found`.

    Args:
        trip_id: Id of the trip.
    """
    trip = state.trips.get(trip_id)
    flights = [booking_shown(state, row) for row in state.flight_bookings.find(trip_id=trip_id)]
    notes = sorted(state.trip_notes.find(trip_id=trip_id), key=lambda row: (row.written_at, row.id))
    return {
        **_shown(state, ctx, trip),
        "flights": sorted(flights, key=lambda row: (str(row["departs_at"]), str(row["id"]))),
        "hotels": [stay_shown(state, row) for row in state.hotel_bookings.find(trip_id=trip_id)],
        "approvals": state.approvals.find(trip_id=trip_id),
        "outside_policy": breaches(state, trip),
        "notes": notes,
    }


@service.tool(phrase="plan a trip of {traveler_email} to {destination_city}")
def create_trip(
    state: TravelState,
    ctx: CallContext,
    traveler_email: f.Email,
    purpose: Name,
    destination_city: Place,
    starts_on: f.Date,
    ends_on: f.Date,
    project_code: Annotated[str, f.Semantic("code"), Field(max_length=40)] = "",
) -> Json:
    """Plan a trip; flights and hotels are booked on it afterwards.

    Errors: `unknown_traveler`, `not_found` (no airport serves the city), `invalid_date`, `invalid_range`,
    `in_the_past`, `trip_overlaps` (the traveler has another trip then), `blank_text`.

    Args:
        traveler_email: Address of the traveler.
        purpose: What it is for.
        destination_city: City.
        starts_on: First day.
        ends_on: Last day.
        project_code: Order number that pays for it.
    """
    traveler, airport = traveler_by_email(state, traveler_email), airport_of(state, destination_city)
    check_range(starts_on, ends_on)
    if starts_on < ctx.today:
        raise invalid(f"{starts_on} is over; a trip starts today or later.", type="in_the_past")
    _must_be_free(state, traveler.id, starts_on, ends_on)
    trip = state.trips.create(
        traveler_id=traveler.id,
        purpose=check_text(purpose, "purpose"),
        destination_city=airport.city,
        starts_on=starts_on,
        ends_on=ends_on,
        project_code=project_code,
        status="open",
    )
    return _shown(state, ctx, trip)


def _must_be_free(state: TravelState, traveler_id: str, first: str, last: str, but: str = "") -> None:
    for row in state.trips.find(traveler_id=traveler_id, status="open"):
        if row.id != but and row.starts_on <= last and first <= row.ends_on:
            raise conflict(f"{row.id} is from {row.starts_on} to {row.ends_on}.", type="trip_overlaps")


@service.tool(phrase="change the trip {trip_id}")
def update_trip(
    state: TravelState,
    ctx: CallContext,
    trip_id: TripId,
    purpose: Name | Unset = UNSET,
    starts_on: f.Date | Unset = UNSET,
    ends_on: f.Date | Unset = UNSET,
    project_code: Annotated[str, f.Semantic("code"), Field(max_length=40)] | Unset = UNSET,
) -> Json:
    """Change the purpose, days or order number of a trip; its hotel nights must stay inside the days.

    Errors: `not_found`, `nothing_to_change`, `trip_closed`, `invalid_date`, `invalid_range`, `trip_overlaps`,
    `bookings_outside` (move or cancel the hotel first), `blank_text`.

    Args:
        trip_id: Id of the trip.
        purpose: What it is for.
        starts_on: New first day.
        ends_on: New last day.
        project_code: Order number that pays for it.
    """
    trip = open_trip(state, trip_id)
    changes = some_changes(given(purpose=purpose, starts_on=starts_on, ends_on=ends_on, project_code=project_code))
    if "purpose" in changes:
        changes["purpose"] = check_text(changes["purpose"], "purpose")
    first, last = changes.get("starts_on", trip.starts_on), changes.get("ends_on", trip.ends_on)
    check_range(first, last)
    if (first, last) != (trip.starts_on, trip.ends_on):
        _must_be_free(state, trip.traveler_id, first, last, trip_id)
        for stay in state.hotel_bookings.find(trip_id=trip_id, status="confirmed"):
            if stay.check_in < first or stay.check_out > last:
                raise conflict(f"{stay.id} is from {stay.check_in} to {stay.check_out}.", type="bookings_outside")
    return _shown(state, ctx, state.trips.patch(trip_id, **changes))


@service.tool(phrase="record that {approver_email} approves the trip {trip_id}")
def approve_trip(state: TravelState, ctx: CallContext, trip_id: TripId, approver_email: f.Email) -> Json:
    """Record an approval of a trip at its present cost. It holds until the trip costs a tenth more.

    Up to 500 nobody has to agree, up to 2,000 the manager, above that also the head of finance.
    Errors: `not_found`, `trip_closed`, `not_an_approver`, `already_approved`.

    Args:
        trip_id: Id of the trip.
        approver_email: Address of the one who agrees.
    """
    trip = open_trip(state, trip_id)
    needed = [(role, email) for role, email in approvers_of(state, trip) if same(email, approver_email)]
    if not needed:
        raise forbidden("This approval is not needed; see approvals_missing of the trip.", type="not_an_approver")
    missing = [pair for pair in needed if pair in missing_approvals(state, trip)]
    if not missing:
        raise conflict(f"{approver_email} has approved the trip already.", type="already_approved")
    cost = cost_of(state, trip_id)
    for role, email in missing:
        state.approvals.create(trip_id=trip_id, approver_email=email, role=role, amount=cost, given_at=ctx.now)
    return _shown(state, ctx, trip)


@service.tool(phrase="reject the trip {trip_id}")
def reject_trip(state: TravelState, ctx: CallContext, trip_id: TripId, approver_email: f.Email, reason: Body) -> Json:
    """Record that an approver rejects a trip; held flights are released and hotels cancelled without a fee.

    Errors: `not_found`, `trip_closed`, `not_an_approver`, `already_ticketed` (cancel the trip instead), `blank_text`.

    Args:
        trip_id: Id of the trip.
        approver_email: Address of the one who rejects it.
        reason: Why.
    """
    trip = open_trip(state, trip_id)
    if not any(same(email, approver_email) for _, email in approvers_of(state, trip)):
        raise forbidden("Only someone who has to agree can reject the trip.", type="not_an_approver")
    held = state.flight_bookings.find(trip_id=trip_id)
    if any(row.status in ("ticketed", "checked_in") for row in held):
        raise conflict("Flights are ticketed already; use cancel_trip.", type="already_ticketed")
    text = check_text(reason, "reason")
    for row in held:
        if row.status == "held":
            state.flight_bookings.patch(row.id, status="cancelled", price=0.0)
    for stay in state.hotel_bookings.find(trip_id=trip_id, status="confirmed"):
        state.hotel_bookings.patch(stay.id, status="cancelled")
    return _shown(state, ctx, state.trips.patch(trip_id, status="rejected", rejection_reason=text))


@service.tool(phrase="issue the tickets of the trip {trip_id}")
def confirm_trip(state: TravelState, ctx: CallContext, trip_id: TripId) -> Json:
    """Turn the held flights of a trip into tickets, once everybody has agreed to its cost.

    Errors: `not_found`, `trip_closed`, `nothing_held`, `approval_missing`, `flight_cancelled`.

    Args:
        trip_id: Id of the trip.
    """
    trip = open_trip(state, trip_id)
    held = state.flight_bookings.find(trip_id=trip_id, status="held")
    if not held:
        raise conflict("No flight of the trip is on hold; book one first.", type="nothing_held")
    missing = [email for _, email in missing_approvals(state, trip)]
    if missing:
        raise conflict(f"The approval of {' and '.join(missing)} is missing.", type="approval_missing")
    for row in held:
        flight = state.flights.get(row.flight_id)
        if flight.status == "cancelled":
            raise conflict(f"{flight.number} is cancelled; change {row.id} first.", type="flight_cancelled")
    tickets = [booking_shown(state, state.flight_bookings.patch(row.id, status="ticketed")) for row in held]
    return {**_shown(state, ctx, trip), "ticketed": tickets}


@service.tool(phrase="cancel the trip {trip_id}")
def cancel_trip(state: TravelState, ctx: CallContext, trip_id: TripId) -> Json:
    """Cancel a trip that has not begun with all its bookings, and say what is not refunded.

    Errors: `not_found`, `trip_closed`, `already_begun`.

    Args:
        trip_id: Id of the trip.
    """
    trip = open_trip(state, trip_id)
    if trip.starts_on <= ctx.today:
        raise conflict(f"The trip began on {trip.starts_on}; cancel single bookings.", type="already_begun")
    before = cost_of(state, trip_id)
    for row in state.flight_bookings.find(trip_id=trip_id):
        if row.status != "cancelled":
            kept = round(row.price - refund_of(state, ctx, row), 2)
            state.flight_bookings.patch(row.id, status="cancelled", price=kept)
    for stay in state.hotel_bookings.find(trip_id=trip_id, status="confirmed"):
        state.hotel_bookings.patch(stay.id, status="cancelled", fee=late_fee(ctx, stay))
    cancelled = _shown(state, ctx, state.trips.patch(trip_id, status="cancelled"))
    return {**cancelled, "refunded": round(before - cost_of(state, trip_id), 2)}


@service.tool(phrase="add a note to the trip {trip_id}")
def add_trip_note(state: TravelState, ctx: CallContext, trip_id: TripId, text: Body) -> TripNote:
    """Add a note to a trip for the traveler and those who book.

    Errors: `not_found`, `blank_text`.

    Args:
        trip_id: Id of the trip.
        text: What they should know.
    """
    state.trips.get(trip_id)
    return state.trip_notes.create(
        trip_id=trip_id, author_email=ME.email, text=check_text(text, "text"), written_at=ctx.now
    )
