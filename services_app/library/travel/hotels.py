"""Tools for hotels: finding, booking, cancelling."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import Json, check_range, days_between, search, with_fields
from services_app.library.travel.costs import HOTEL_LIMIT, airport_of, open_trip, rooms_left, stay_shown
from services_app.library.travel.state import HotelBooking, TravelState, service
from services_app.library.travel.travelers import Place

FREE_UNTIL = 2  # days before the first night


@service.tool()
def search_hotels(
    state: TravelState,
    ctx: CallContext,
    city: Place,
    check_in: f.Date,
    check_out: f.Date,
    max_rate: Annotated[float, f.Semantic("money"), Field(gt=0, le=5000)] | None = None,
    near: Annotated[str, f.Semantic("place"), Field(min_length=1, max_length=80)] | None = None,
) -> Json:
    """Search hotels in a city with a free room for all nights of a stay, the cheapest first.

    Errors: `not_found` for a city that we do not travel to, `invalid_date`, `invalid_range`, `no_night`.

    Args:
        city: City, or code of its airport.
        check_in: First night.
        check_out: Day of departure.
        max_rate: Only hotels that cost at most so much a night.
        near: Only hotels with these words in the name, address or description.
    """
    place = airport_of(state, city).city
    _check_nights(check_in, check_out)
    found = [
        with_fields(
            row,
            rooms_left=rooms_left(state, row, check_in, check_out),
            cost=round(row.nightly_rate * days_between(check_in, check_out), 2),
            within_policy=row.nightly_rate <= HOTEL_LIMIT,
        )
        for row in search(state.hotels, near, lambda hotel: (hotel.name, hotel.address, hotel.notes))
        if row.city == place and (max_rate is None or row.nightly_rate <= max_rate)
    ]
    found = [row for row in found if row["rooms_left"] > 0]
    found.sort(key=lambda row: (row["nightly_rate"], row["id"]))
    return {"city": place, "hotels": found}


def _check_nights(check_in: str, check_out: str) -> None:
    check_range(check_in, check_out)
    if check_in == check_out:
        raise invalid("The stay has no night; check out a day later.", type="no_night")


@service.tool(phrase="book the hotel {hotel_id} for the trip {trip_id}")
def create_hotel_booking(
    state: TravelState,
    ctx: CallContext,
    trip_id: Annotated[str, f.ref("trips")],
    hotel_id: Annotated[str, f.ref("hotels")],
    check_in: f.Date | None = None,
    check_out: f.Date | None = None,
    justification: f.Text = "",
) -> Json:
    """Book a room for nights of a trip. A rate above 160 a night needs a justification.

    Errors: `not_found`, `trip_closed`, `invalid_date`, `invalid_range`, `no_night`, `outside_trip`, `in_the_past`,
    `other_city`, `fully_booked`, `stay_overlaps` (the trip has a room then), `justification_needed`.

    Args:
        trip_id: Id of the trip.
        hotel_id: Id of the hotel.
        check_in: First night; the first day of the trip when left out.
        check_out: Day of departure; the last day of the trip when left out.
        justification: Why it is outside the policy.
    """
    trip, hotel = open_trip(state, trip_id), state.hotels.get(hotel_id)
    check_in, check_out = check_in or trip.starts_on, check_out or trip.ends_on
    _check_nights(check_in, check_out)
    if check_in < trip.starts_on or check_out > trip.ends_on:
        raise conflict(f"The trip is from {trip.starts_on} to {trip.ends_on}.", type="outside_trip")
    if check_in < ctx.today:
        raise conflict(f"The night of {check_in} is over.", type="in_the_past")
    if hotel.city != trip.destination_city:
        raise conflict(f"The trip goes to {trip.destination_city}, not to {hotel.city}.", type="other_city")
    if rooms_left(state, hotel, check_in, check_out) < 1:
        raise conflict(f"{hotel.name} has no room left for these nights.", type="fully_booked")
    for row in state.hotel_bookings.find(trip_id=trip_id, status="confirmed"):
        if row.check_in < check_out and check_in < row.check_out:
            raise conflict(f"{row.id} is from {row.check_in} to {row.check_out}.", type="stay_overlaps")
    if hotel.nightly_rate > HOTEL_LIMIT and not justification.strip():
        raise conflict(f"More than {HOTEL_LIMIT:.2f} a night needs a justification.", type="justification_needed")
    booking = state.hotel_bookings.create(
        trip_id=trip_id,
        hotel_id=hotel_id,
        check_in=check_in,
        check_out=check_out,
        nightly_rate=hotel.nightly_rate,
        status="confirmed",
        justification=justification,
    )
    return stay_shown(state, booking)


def late_fee(ctx: CallContext, booking: HotelBooking) -> float:
    """One night when a room is cancelled less than two days before the first one, otherwise nothing."""
    return booking.nightly_rate if days_between(ctx.today, booking.check_in) < FREE_UNTIL else 0.0


@service.tool(phrase="cancel the hotel booking {hotel_booking_id}")
def cancel_hotel_booking(
    state: TravelState, ctx: CallContext, hotel_booking_id: Annotated[str, f.ref("hotel_bookings")]
) -> Json:
    """Cancel a hotel booking; free until two days before the first night, then one night is charged.

    Errors: `not_found`, `booking_cancelled`, `already_begun`.

    Args:
        hotel_booking_id: Id of the booking.
    """
    booking = state.hotel_bookings.get(hotel_booking_id)
    if booking.status == "cancelled":
        raise conflict(f"{hotel_booking_id} is cancelled already.", type="booking_cancelled")
    if booking.check_in < ctx.today:
        raise conflict(f"The stay began on {booking.check_in}; talk to the hotel.", type="already_begun")
    fee = late_fee(ctx, booking)
    return stay_shown(state, state.hotel_bookings.patch(booking.id, status="cancelled", fee=fee))
