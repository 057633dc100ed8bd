"""What follows from the bookings: cost of a trip, missing approvals, free seats and rooms, breaches of policy."""

from __future__ import annotations

from services_app.engine import conflict, invalid, not_found
from services_app.library.shared import Json, days_between, minutes_between, same, total, with_fields
from services_app.library.travel.state import (
    Airport,
    Flight,
    FlightBooking,
    Hotel,
    HotelBooking,
    Traveler,
    TravelState,
    Trip,
)

FREE_BELOW, MANAGER_BELOW = 500.0, 2000.0  # cost of a trip up to which nobody, or only the manager, approves
TOLERANCE = 1.1  # an approval holds until the trip costs a tenth more
HOTEL_LIMIT = 160.0  # a night
LONG_FLIGHT = 360  # minutes from which business class is within policy


def traveler_by_email(state: TravelState, email: str) -> Traveler:
    """The traveler with this address; 422 `unknown_traveler` otherwise."""
    for row in state.travelers:
        if same(row.email, email):
            return row
    raise invalid(f"{email} has no travel profile; see list_travelers.", type="unknown_traveler")


def airport_of(state: TravelState, place: str) -> Airport:
    """The airport with this code or in this city; 404 otherwise."""
    for row in state.airports:
        if same(row.code, place) or same(row.city, place):
            return row
    raise not_found("airport", place)


def open_trip(state: TravelState, trip_id: str) -> Trip:
    """A trip that is neither rejected nor cancelled; 409 `trip_closed` otherwise."""
    trip = state.trips.get(trip_id)
    if trip.status != "open":
        raise conflict(f"The trip is {trip.status}; create a new one.", type="trip_closed")
    return trip


def nights(booking: HotelBooking) -> int:
    return days_between(booking.check_in, booking.check_out)


def hotel_cost(booking: HotelBooking) -> float:
    return booking.fee if booking.status == "cancelled" else round(nights(booking) * booking.nightly_rate, 2)


def cost_of(state: TravelState, trip_id: str) -> float:
    """What a trip costs by its bookings, with what is not refunded of cancelled ones."""
    flights = [row.price for row in state.flight_bookings.find(trip_id=trip_id)]
    return total([*flights, *(hotel_cost(row) for row in state.hotel_bookings.find(trip_id=trip_id))])


def finance_approver(state: TravelState) -> str:
    """Address of the head of finance, who approves dear trips."""
    return next(row.email for row in state.travelers if row.cost_center == "CC-300" and row.manager_email is None)


def approvers_of(state: TravelState, trip: Trip) -> list[tuple[str, str]]:
    """Role and address of those who have to agree to a trip at its present cost."""
    traveler, cost = state.travelers.get(trip.traveler_id), cost_of(state, trip.id)
    needed = [("manager", traveler.manager_email)] if cost > FREE_BELOW and traveler.manager_email else []
    finance = finance_approver(state)
    heads = cost > FREE_BELOW and traveler.manager_email is None
    if (cost > MANAGER_BELOW or heads) and not same(finance, traveler.email):
        needed.append(("finance", finance))
    return [(role, email) for role, email in needed if email is not None]


def missing_approvals(state: TravelState, trip: Trip) -> list[tuple[str, str]]:
    """Those of the approvers who have not agreed, or agreed to a trip that cost a tenth less."""
    cost, given = cost_of(state, trip.id), state.approvals.find(trip_id=trip.id)
    return [
        (role, email)
        for role, email in approvers_of(state, trip)
        if not any(row.role == role and row.amount * TOLERANCE >= cost for row in given)
    ]


def taken_seats(state: TravelState, flight_id: str, cabin: str) -> int:
    rows = state.flight_bookings.find(flight_id=flight_id, cabin=cabin)
    return sum(1 for row in rows if row.status != "cancelled")


def flight_shown(state: TravelState, flight: Flight) -> Json:
    """A flight with its length and the seats that are free."""
    return with_fields(
        flight,
        minutes=minutes_between(flight.departs_at, flight.arrives_at),
        economy_left=flight.economy_seats - taken_seats(state, flight.id, "economy"),
        business_left=flight.business_seats - taken_seats(state, flight.id, "business"),
    )


def booking_shown(state: TravelState, booking: FlightBooking) -> Json:
    """A flight booking with the facts of its flight."""
    flight = state.flights.get(booking.flight_id)
    return with_fields(
        booking,
        flight_number=flight.number,
        origin=flight.origin,
        destination=flight.destination,
        departs_at=flight.departs_at,
        arrives_at=flight.arrives_at,
        flight_status=flight.status,
    )


def stay_shown(state: TravelState, booking: HotelBooking) -> Json:
    hotel = state.hotels.get(booking.hotel_id)
    return with_fields(booking, hotel=hotel.name, city=hotel.city, nights=nights(booking), cost=hotel_cost(booking))


def rooms_left(state: TravelState, hotel: Hotel, check_in: str, check_out: str) -> int:
    """Rooms of our contingent that are free on every night of a stay."""
    stays = [
        row
        for row in state.hotel_bookings.find(hotel_id=hotel.id, status="confirmed")
        if row.check_in < check_out and check_in < row.check_out
    ]
    return hotel.rooms - len(stays)


def breaches(state: TravelState, trip: Trip) -> list[str]:
    """What in a trip is outside the policy, in words."""
    found = []
    for row in state.flight_bookings.find(trip_id=trip.id):
        flight = state.flights.get(row.flight_id)
        if row.status == "cancelled":
            continue
        if row.cabin == "business" and minutes_between(flight.departs_at, flight.arrives_at) < LONG_FLIGHT:
            found.append(f"{row.id}: business class on a flight of less than six hours")
        if flight.status == "cancelled":
            found.append(f"{row.id}: the flight {flight.number} is cancelled")
    for stay in state.hotel_bookings.find(trip_id=trip.id, status="confirmed"):
        if stay.nightly_rate > HOTEL_LIMIT:
            found.append(f"{stay.id}: {stay.nightly_rate:.2f} a night, the limit is {HOTEL_LIMIT:.2f}")
    return found


def phase_of(trip: Trip, today: str) -> str:
    """`planned`, `travelling` or `completed` by the dates; `rejected` or `cancelled` as it is."""
    if trip.status != "open":
        return trip.status
    if trip.ends_on < today:
        return "completed"
    return "travelling" if trip.starts_on <= today else "planned"
