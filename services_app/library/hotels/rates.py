"""What follows from the records: rates of nights, free rooms, cancellation fees, what is due, scores."""

from __future__ import annotations

from services_app.engine import conflict, invalid, not_found
from services_app.library.hotels.state import Booking, HotelsState, Property, RatePlan, RoomType, TravelCredit
from services_app.library.shared import Json, check_range, days_between, mean, plus_days, same, total, with_fields


def check_nights(check_in: str, check_out: str, today: str) -> None:
    """Nights that can still be booked; 422 `invalid_date`, `invalid_range`, `no_night` or `in_the_past` otherwise."""
    check_range(check_in, check_out)
    if check_in == check_out:
        raise invalid("The stay has no night; check out a day later.", type="no_night")
    if days_between(check_in, check_out) > 30:
        raise invalid("A stay is at most 30 nights; make two bookings.", type="too_long")
    if check_in < today:
        raise invalid(f"The night of {check_in} is over; today is {today}.", type="in_the_past")


def nights_of(check_in: str, check_out: str) -> list[str]:
    """The dates of the nights between arrival and departure."""
    return [plus_days(check_in, number) for number in range(days_between(check_in, check_out))]


def night_rate(state: HotelsState, room: RoomType, night: str, plan: RatePlan | None = None) -> float:
    """What one room costs in one night: base rate, season of the property, then the plan."""
    rate = room.base_rate
    for season in state.seasons.find(property_id=room.property_id):
        if season.first_night <= night <= season.last_night:
            rate *= 1 + season.adjustment / 100
    return round(rate * (1 + plan.adjustment / 100) if plan else rate, 2)


def stay_price(state: HotelsState, room: RoomType, plan: RatePlan, nights: list[str], rooms: int) -> float:
    return round(total(night_rate(state, room, night, plan) for night in nights) * rooms, 2)


def rooms_left(state: HotelsState, room: RoomType, nights: list[str], but: str = "") -> int:
    """Rooms of the type that are free in every one of the nights, leaving one booking out of account."""
    taken = [row for row in state.bookings.find(room_type_id=room.id) if row.status == "confirmed" and row.id != but]
    used = [sum(row.rooms for row in taken if row.check_in <= night < row.check_out) for night in nights]
    return max(room.rooms - max(used, default=0), 0)


def free_until(plan: RatePlan, check_in: str) -> str | None:
    """Last day on which cancelling is free; None when it never is."""
    return plus_days(check_in, -plan.free_until_days) if plan.refundable else None


def cancellation_fee(state: HotelsState, booking: Booking, today: str) -> float:
    """What cancelling costs today: nothing in time, then the first night or the whole stay."""
    plan = state.rate_plans.get(booking.rate_plan_id)
    last_day = free_until(plan, booking.check_in)
    if last_day is not None and today <= last_day:
        return 0.0
    if plan.late_fee == "full_stay" or not plan.refundable:
        return booking.price
    return round(booking.price / days_between(booking.check_in, booking.check_out), 2)


def phase_of(booking: Booking, today: str) -> str:
    """`upcoming`, `in_house` or `completed` by the dates; `cancelled` or `no_show` as it is."""
    if booking.status != "confirmed":
        return booking.status
    if booking.check_out <= today:
        return "completed"
    return "in_house" if booking.check_in <= today else "upcoming"


def credits_of(state: HotelsState, booking: Booking) -> list[TravelCredit]:
    return state.travel_credits.find(booking_id=booking.id)


def due(state: HotelsState, booking: Booking) -> float:
    """What is still to be paid: the price, or the fee of a booking that ended, less the credit used on it."""
    owed = booking.price if booking.status == "confirmed" else booking.fee
    return max(round(owed - total(row.amount for row in credits_of(state, booking)), 2), 0.0)


def booking_shown(state: HotelsState, booking: Booking, today: str) -> Json:
    """A booking with the names of what it points to and what follows from it."""
    guest = state.guests.get(booking.guest_id)
    plan = state.rate_plans.get(booking.rate_plan_id)
    return with_fields(
        booking,
        phase=phase_of(booking, today),
        property_name=state.properties.get(booking.property_id).name,
        room_name=state.room_types.get(booking.room_type_id).name,
        rate_plan_name=plan.name,
        guest_name=guest.name,
        guest_email=guest.email,
        free_cancellation_until=free_until(plan, booking.check_in),
        due=due(state, booking),
    )


def score_of(state: HotelsState, hotel: Property) -> float | None:
    """Mean of the scores, to one decimal; None without reviews."""
    return mean([row.score for row in state.reviews.find(property_id=hotel.id)])


def property_shown(state: HotelsState, hotel: Property) -> Json:
    """A property as lists show it."""
    return {
        "id": hotel.id,
        "name": hotel.name,
        "chain": hotel.chain,
        "city": hotel.city,
        "address": hotel.address,
        "stars": hotel.stars,
        "amenities": hotel.amenities,
        "score": score_of(state, hotel),
        "from_rate": min(row.base_rate for row in state.room_types.find(property_id=hotel.id)),
    }


def guest_by_email(state: HotelsState, email: str) -> str:
    """Id of the guest with this address; 422 `unknown_guest` otherwise."""
    for row in state.guests:
        if same(row.email, email):
            return row.id
    raise invalid(f"{email} is no guest of this account; add_guest adds people.", type="unknown_guest")


def room_of(state: HotelsState, property_id: str, name: str) -> RoomType:
    """The room type of a hotel with this name or id; 422 `unknown_room` otherwise."""
    for row in state.room_types.find(property_id=property_id):
        if same(row.name, name) or row.id == name:
            return row
    raise invalid(f"The hotel has no room type {name!r}; see get_property.", type="unknown_room")


def plan_of(state: HotelsState, property_id: str, name: str) -> RatePlan:
    """The rate plan of a hotel with this name or id; 422 `unknown_rate_plan` otherwise."""
    for row in state.rate_plans.find(property_id=property_id):
        if same(row.name, name) or row.id == name:
            return row
    raise invalid(f"The hotel has no rate plan {name!r}; see get_room_offers.", type="unknown_rate_plan")


def booking_by_number(state: HotelsState, number: str) -> Booking:
    """The booking with this id or confirmation number; 404 otherwise."""
    for row in state.bookings:
        if same(row.confirmation_number, number) or row.id == number:
            return row
    raise not_found("booking", number)


def upcoming(state: HotelsState, booking_id: str, today: str) -> Booking:
    """A confirmed booking before its first night; 409 `booking_closed` or `already_begun` otherwise."""
    booking = state.bookings.get(booking_id)
    if booking.status != "confirmed":
        raise conflict(f"{booking.confirmation_number} is {booking.status}; book again.", type="booking_closed")
    if booking.check_in <= today:
        raise conflict(f"The stay began on {booking.check_in}; ask the property.", type="already_begun")
    return booking
