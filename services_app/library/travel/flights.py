"""Tools for flights: finding, holding, changing, seats, check-in."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import Cursor, Json, Limit, check_date, cursor_page, minutes_between, plus_days
from services_app.library.travel.costs import (
    LONG_FLIGHT,
    airport_of,
    booking_shown,
    flight_shown,
    open_trip,
    taken_seats,
)
from services_app.library.travel.state import Cabin, Flight, FlightBooking, TravelState, Trip, service
from services_app.library.travel.travelers import Place

FlightId = Annotated[str, f.ref("flights")]
BookingId = Annotated[str, f.ref("flight_bookings")]
CHANGE_FEE, CANCEL_FEE = 45.0, 60.0  # of an economy ticket
DAY = 24 * 60
ROWS, BUSINESS_ROWS = 30, 4


@service.tool()
def search_flights(
    state: TravelState,
    ctx: CallContext,
    origin: Place | None = None,
    destination: Place | None = None,
    date: f.Date | None = None,
    max_fare: Annotated[float, f.Semantic("money"), Field(gt=0, le=50_000)] | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Search flights that have not left, with fares and free seats, by departure.

    Errors: `not_found` for an unknown airport or city, `invalid_date`.

    Args:
        origin: Code or city of the airport of departure.
        destination: Code or city of the airport of arrival.
        date: Day of departure (UTC).
        max_fare: Only flights whose economy fare is at most so much.
        limit: At most so many flights.
        cursor: next_cursor of the previous page.
    """
    start = airport_of(state, origin).code if origin else None
    end = airport_of(state, destination).code if destination else None
    day = check_date(date) if date else None
    found = [
        row
        for row in state.flights
        if row.departs_at > ctx.now
        and (start is None or row.origin == start)
        and (end is None or row.destination == end)
        and (day is None or row.departs_at[:10] == day)
        and (max_fare is None or row.economy_fare <= max_fare)
    ]
    found.sort(key=lambda row: (row.departs_at, row.id))
    page = cursor_page("flights", found, limit, cursor)
    page["flights"] = [flight_shown(state, row) for row in page["flights"]]
    return page


@service.tool()
def get_flight_status(state: TravelState, ctx: CallContext, flight_id: FlightId) -> Json:
    """Show a flight: times, whether it is delayed or cancelled, free seats and the seats taken by our people.

    Errors: `not_found`.

    Args:
        flight_id: Id of the flight.
    """
    flight = state.flights.get(flight_id)
    seats = [row.seat for row in state.flight_bookings.find(flight_id=flight_id) if row.seat]
    return {**flight_shown(state, flight), "departed": flight.departs_at <= ctx.now, "seats_taken": sorted(seats)}


@service.tool(phrase="hold the flight {flight_id} for the trip {trip_id}")
def create_flight_booking(
    state: TravelState,
    ctx: CallContext,
    trip_id: Annotated[str, f.ref("trips")],
    flight_id: FlightId,
    cabin: Cabin = "economy",
    justification: f.Text = "",
) -> Json:
    """Hold a flight for a trip; confirm_trip makes a ticket of it once the trip is approved.

    Business class needs a justification when the flight takes less than six hours.
    Errors: `not_found`, `trip_closed`, `already_departed`, `flight_cancelled`, `outside_trip` (more than a day before
    or after it), `sold_out`, `flight_overlaps` (another flight of the traveler), `justification_needed`,
    `passport_expires` (before the end of the trip).

    Args:
        trip_id: Id of the trip.
        flight_id: Id of the flight.
        cabin: economy or business.
        justification: Why it is outside the policy.
    """
    trip, flight = open_trip(state, trip_id), state.flights.get(flight_id)
    _must_fly(state, ctx, trip, flight, cabin)
    short = minutes_between(flight.departs_at, flight.arrives_at) < LONG_FLIGHT
    if cabin == "business" and short and not justification.strip():
        raise conflict("Business class on a short flight needs a justification.", type="justification_needed")
    traveler = state.travelers.get(trip.traveler_id)
    if traveler.passport_expires_on < trip.ends_on:
        raise conflict(f"The passport ends on {traveler.passport_expires_on}; renew it.", type="passport_expires")
    booking = state.flight_bookings.create(
        locator=locator_of(state),
        trip_id=trip_id,
        flight_id=flight_id,
        route=flight.route,
        cabin=cabin,
        price=flight.economy_fare if cabin == "economy" else flight.business_fare,
        status="held",
        justification=justification,
    )
    return booking_shown(state, booking)


def locator_of(state: TravelState) -> str:
    """The next booking code. Bookings are never deleted, so their number serves."""
    return f"LK{2000 + len(state.flight_bookings)}"


def _must_fly(state: TravelState, ctx: CallContext, trip: Trip, flight: Flight, cabin: str, but: str = "") -> None:
    """Whether someone on this trip can take this flight; 409 otherwise."""
    if flight.departs_at <= ctx.now:
        raise conflict(f"{flight.number} left at {flight.departs_at}.", type="already_departed")
    if flight.status == "cancelled":
        raise conflict(f"{flight.number} is cancelled; choose another flight.", type="flight_cancelled")
    if not plus_days(trip.starts_on, -1) <= flight.departs_at[:10] <= plus_days(trip.ends_on, 1):
        raise conflict(f"The trip is from {trip.starts_on} to {trip.ends_on}.", type="outside_trip")
    seats = flight.economy_seats if cabin == "economy" else flight.business_seats
    if taken_seats(state, flight.id, cabin) >= seats:
        raise conflict(f"There is no {cabin} seat left on {flight.number}.", type="sold_out")
    mine = {row.id for row in state.trips.find(traveler_id=trip.traveler_id)}
    for row in state.flight_bookings:
        if row.trip_id in mine and row.status != "cancelled" and row.id != but:
            other = state.flights.get(row.flight_id)
            if other.departs_at < flight.arrives_at and flight.departs_at < other.arrives_at:
                raise conflict(f"{row.id} is on {other.number} at that time.", type="flight_overlaps")


def _live(state: TravelState, ctx: CallContext, booking_id: str) -> FlightBooking:
    """A booking that can still be changed; 409 `booking_cancelled`, `checked_in` or `already_departed` otherwise."""
    booking = state.flight_bookings.get(booking_id)
    if booking.status == "cancelled":
        raise conflict(f"{booking_id} is cancelled; book again.", type="booking_cancelled")
    if booking.status == "checked_in":
        raise conflict(f"{booking_id} is checked in; ask at the airport.", type="checked_in")
    if state.flights.get(booking.flight_id).departs_at <= ctx.now:
        raise conflict(f"The flight of {booking_id} has left.", type="already_departed")
    return booking


@service.tool(phrase="change the flight booking {flight_booking_id} to the flight {flight_id}")
def change_flight(state: TravelState, ctx: CallContext, flight_booking_id: BookingId, flight_id: FlightId) -> Json:
    """Move a booking to another flight of the same route; the seat is given up.

    An economy ticket costs a fee of 45 and the difference in fare, if it is dearer. Held bookings, business tickets
    and flights that were cancelled change without a fee.
    Errors: `not_found`, `booking_cancelled`, `checked_in`, `already_departed`, `same_flight`, `other_route`,
    `flight_cancelled`, `outside_trip`, `sold_out`, `flight_overlaps`.

    Args:
        flight_booking_id: Id of the booking.
        flight_id: Id of the new flight.
    """
    booking, flight = _live(state, ctx, flight_booking_id), state.flights.get(flight_id)
    before = state.flights.get(booking.flight_id)
    if flight.id == before.id:
        raise invalid("The booking is on this flight already.", type="same_flight")
    if flight.route != booking.route:
        raise conflict(f"The booking is for {booking.route}; search_flights shows others.", type="other_route")
    _must_fly(state, ctx, state.trips.get(booking.trip_id), flight, booking.cabin, booking.id)
    fare = flight.economy_fare if booking.cabin == "economy" else flight.business_fare
    charged = booking.status == "ticketed" and booking.cabin == "economy" and before.status != "cancelled"
    price = round(max(fare, booking.price) + CHANGE_FEE, 2) if charged else fare
    changed = state.flight_bookings.patch(booking.id, flight_id=flight.id, price=price, seat="")
    return {**booking_shown(state, changed), "fee": CHANGE_FEE if charged else 0.0}


def refund_of(state: TravelState, ctx: CallContext, booking: FlightBooking) -> float:
    """What comes back when a booking is cancelled now.

    All of it for holds, business class and cancelled flights; economy tickets lose 60, and everything on the last day.
    """
    flight = state.flights.get(booking.flight_id)
    if booking.status == "held" or booking.cabin == "business" or flight.status == "cancelled":
        return booking.price
    if minutes_between(ctx.now, flight.departs_at) < DAY:
        return 0.0
    return max(round(booking.price - CANCEL_FEE, 2), 0.0)


@service.tool(phrase="cancel the flight booking {flight_booking_id}")
def cancel_flight_booking(state: TravelState, ctx: CallContext, flight_booking_id: BookingId) -> Json:
    """Cancel a flight booking and say what is refunded.

    Errors: `not_found`, `booking_cancelled`, `checked_in`, `already_departed`.

    Args:
        flight_booking_id: Id of the booking.
    """
    booking = _live(state, ctx, flight_booking_id)
    refund = refund_of(state, ctx, booking)
    kept = round(booking.price - refund, 2)
    changed = state.flight_bookings.patch(booking.id, status="cancelled", price=kept, seat="")
    return {**booking_shown(state, changed), "refunded": refund}


@service.tool(phrase="take the seat {seat} for the flight booking {flight_booking_id}")
def select_seat(
    state: TravelState,
    ctx: CallContext,
    flight_booking_id: BookingId,
    seat: Annotated[str, f.Semantic("code"), Field(pattern=r"^[1-9]\d?[A-F]$")],
) -> Json:
    """Choose a seat for a booking: rows 1 to 4 are business, 5 to 30 economy, seats A to F.

    Errors: `not_found`, `booking_cancelled`, `checked_in`, `already_departed`, `wrong_cabin`, `seat_taken`.

    Args:
        flight_booking_id: Id of the booking.
        seat: Row and letter, such as 12C.
    """
    booking, row = _live(state, ctx, flight_booking_id), int(seat[:-1])
    low, high = (1, BUSINESS_ROWS) if booking.cabin == "business" else (BUSINESS_ROWS + 1, ROWS)
    if not low <= row <= high:
        raise invalid(f"Rows {low} to {high} are {booking.cabin} class.", type="wrong_cabin")
    if state.flight_bookings.first(flight_id=booking.flight_id, seat=seat):
        raise conflict(f"The seat {seat} is taken; get_flight_status shows which are.", type="seat_taken")
    return booking_shown(state, state.flight_bookings.patch(booking.id, seat=seat))


@service.tool(phrase="check in the flight booking {flight_booking_id}")
def check_in(state: TravelState, ctx: CallContext, flight_booking_id: BookingId) -> Json:
    """Check in for a ticketed flight, from 48 hours to one hour before it leaves.

    Errors: `not_found`, `booking_cancelled`, `checked_in`, `already_departed`, `not_ticketed`, `flight_cancelled`,
    `no_seat` (select one first), `too_early`, `too_late`.

    Args:
        flight_booking_id: Id of the booking.
    """
    booking = _live(state, ctx, flight_booking_id)
    flight = state.flights.get(booking.flight_id)
    if booking.status != "ticketed":
        raise conflict("The flight is only on hold; issue the tickets first.", type="not_ticketed")
    if flight.status == "cancelled":
        raise conflict(f"{flight.number} is cancelled; change the flight.", type="flight_cancelled")
    left = minutes_between(ctx.now, flight.departs_at)
    if left > 2 * DAY:
        raise conflict(f"Check-in opens 48 hours before {flight.departs_at}.", type="too_early")
    if left < 60:
        raise conflict(f"Check-in closed an hour before {flight.departs_at}.", type="too_late")
    if not booking.seat:
        raise conflict("Choose a seat with select_seat first.", type="no_seat")
    return booking_shown(state, state.flight_bookings.patch(booking.id, status="checked_in"))
