"""Tools for bookings: making, finding, changing, cancelling."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given
from services_app.engine import fields as f
from services_app.library.hotels.properties import Heads, PropertyId, Rooms
from services_app.library.hotels.rates import (
    booking_by_number,
    booking_shown,
    cancellation_fee,
    check_nights,
    credits_of,
    free_until,
    guest_by_email,
    nights_of,
    phase_of,
    plan_of,
    room_of,
    rooms_left,
    stay_price,
    upcoming,
)
from services_app.library.hotels.state import Booking, HotelsState, RatePlan, RoomType, service
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    cursor_page,
    newest_first,
    next_number,
    search,
    some_changes,
    within,
)

BookingId = Annotated[str, f.ref("bookings")]
PartName = Annotated[str, f.Semantic("title"), Field(min_length=1, max_length=200)]
Reference = Annotated[str, f.Semantic("code"), Field(max_length=40)]
Phase = Annotated[Literal["upcoming", "in_house", "completed", "cancelled", "no_show"], LABEL]


def confirmation(state: HotelsState) -> str:
    """The next confirmation number."""
    return next_number((row.confirmation_number for row in state.bookings), "HB-", first=52001, width=5)


@service.tool()
def list_bookings(  # noqa: PLR0913, PLR0917 - one per filter
    state: HotelsState,
    ctx: CallContext,
    query: Query | None = None,
    guest_email: f.Email | None = None,
    phase: Phase | None = None,
    arriving_from: f.Date | None = None,
    arriving_to: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List the bookings of the account, latest arrival first.

    Errors: `unknown_guest`, `invalid_date`, `invalid_range`.

    Args:
        query: Words in the hotel, city, confirmation number, order number or request.
        guest_email: Only bookings for this guest.
        phase: Only bookings that are upcoming, in house, completed, cancelled or where nobody came.
        arriving_from: Only arrivals on this day or later.
        arriving_to: Only arrivals up to this day.
        limit: At most so many bookings.
        cursor: next_cursor of the previous page.
    """
    guest = guest_by_email(state, guest_email) if guest_email else None
    found = [
        row
        for row in within(
            search(state.bookings, query, lambda row: _words(state, row)), "check_in", arriving_from, arriving_to
        )
        if (guest is None or row.guest_id == guest) and (phase is None or phase_of(row, ctx.today) == phase)
    ]
    found = newest_first(found, "check_in")
    page = cursor_page("bookings", found, limit, cursor)
    page["bookings"] = [booking_shown(state, row, ctx.today) for row in page["bookings"]]
    return page


def _words(state: HotelsState, row: Booking) -> tuple[str, ...]:
    hotel = state.properties.get(row.property_id)
    return hotel.name, hotel.city, row.confirmation_number, row.reference, row.special_request


@service.tool()
def get_booking(
    state: HotelsState,
    ctx: CallContext,
    booking: Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=40)],
) -> Json:
    """Show a booking with the hotel's address, messages, credit used and what cancelling costs today.

    Errors: `not_found`.

    Args:
        booking: Id or confirmation number.
    """
    row = booking_by_number(state, booking)
    hotel = state.properties.get(row.property_id)
    return {
        **booking_shown(state, row, ctx.today),
        "address": hotel.address,
        "check_in_from": hotel.check_in_from,
        "cancellation_fee_today": cancellation_fee(state, row, ctx.today) if row.status == "confirmed" else None,
        "credits": credits_of(state, row),
        "messages": sorted(state.messages.find(booking_id=row.id), key=lambda note: (note.sent_at, note.id)),
    }


def _must_fit(state: HotelsState, room: RoomType, plan: RatePlan, stay: tuple[list[str], int, int], but: str) -> None:
    """409 when plan, nights, people or free rooms do not go together; `stay` is nights, rooms and guests."""
    nights, rooms, guests = stay
    if len(nights) < plan.min_nights:
        raise conflict(f"{plan.name} needs {plan.min_nights} nights; choose another plan.", type="stay_too_short")
    if room.sleeps * rooms < guests:
        raise conflict(f"{room.name} sleeps {room.sleeps}; take more rooms.", type="too_many_guests")
    left = rooms_left(state, room, nights, but)
    if left < rooms:
        raise conflict(f"{room.name} has {left} rooms left for these nights; choose another.", type="sold_out")


def _cheapest(state: HotelsState, property_id: str, nights: list[str], rooms: int, guests: int) -> RoomType:
    """The cheapest room type that is free and large enough; 409 `sold_out` when there is none."""
    free = [
        row
        for row in state.room_types.find(property_id=property_id)
        if row.sleeps * rooms >= guests and rooms_left(state, row, nights) >= rooms
    ]
    if not free:
        raise conflict("No room of that size is free for these nights; see search_availability.", type="sold_out")
    return min(free, key=lambda row: (row.base_rate, row.id))


@service.tool(phrase="book the hotel {property_id} for {guest_email} from {check_in} to {check_out}")
def create_booking(  # noqa: PLR0913, PLR0917 - what the booking form asks
    state: HotelsState,
    ctx: CallContext,
    property_id: PropertyId,
    guest_email: f.Email,
    check_in: f.Date,
    check_out: f.Date,
    room_type: PartName | None = None,
    rate_plan: PartName = "Flexible",
    rooms: Rooms = 1,
    guests: Heads = 1,
    reference: Reference = "",
    special_request: f.Text = "",
) -> Json:
    """Book rooms under a rate plan; the price is that of get_room_offers and is fixed by this.

    Errors: `not_found`, `unknown_guest`, `unknown_room`, `unknown_rate_plan`, `invalid_date`, `invalid_range`,
    `no_night`, `too_long`, `in_the_past`, `stay_too_short` for the plan, `too_many_guests`, `sold_out`.

    Args:
        property_id: Id of the hotel.
        guest_email: Address of the guest in whose name it is.
        check_in: First night.
        check_out: Day of departure.
        room_type: Name or id of a room type of the hotel; the cheapest that is free when left out.
        rate_plan: Name or id of a rate plan of the hotel.
        rooms: How many rooms.
        guests: People in all rooms together.
        reference: Order number of the project that pays.
        special_request: What the hotel should know.
    """
    hotel, guest = state.properties.get(property_id), guest_by_email(state, guest_email)
    check_nights(check_in, check_out, ctx.today)
    nights, plan = nights_of(check_in, check_out), plan_of(state, hotel.id, rate_plan)
    wanted = room_of(state, hotel.id, room_type) if room_type else None
    room = wanted or _cheapest(state, hotel.id, nights, rooms, guests)
    _must_fit(state, room, plan, (nights, rooms, guests), "")
    booking = state.bookings.create(
        confirmation_number=confirmation(state),
        guest_id=guest,
        property_id=room.property_id,
        room_type_id=room.id,
        rate_plan_id=plan.id,
        check_in=check_in,
        check_out=check_out,
        rooms=rooms,
        guests=guests,
        status="confirmed",
        price=stay_price(state, room, plan, nights, rooms),
        reference=reference,
        special_request=special_request,
        booked_at=ctx.now,
    )
    return booking_shown(state, booking, ctx.today)


def _changeable(state: HotelsState, ctx: CallContext, booking_id: str) -> Booking:
    """An upcoming booking whose free days are not over; 409 otherwise."""
    booking = upcoming(state, booking_id, ctx.today)
    plan = state.rate_plans.get(booking.rate_plan_id)
    last_day = free_until(plan, booking.check_in)
    if last_day is None:
        raise conflict(f"The plan {plan.name} cannot be changed; cancel and book again.", type="not_refundable")
    if ctx.today > last_day:
        raise conflict(f"Changes were free until {last_day}; ask the hotel in a message.", type="too_late")
    return booking


@service.tool(phrase="move the hotel booking {booking_id} to the nights from {check_in} to {check_out}")
def change_dates(
    state: HotelsState, ctx: CallContext, booking_id: BookingId, check_in: f.Date, check_out: f.Date
) -> Json:
    """Move a booking to other nights at the rates of those nights, while cancelling it is free.

    Errors: `not_found`, `booking_closed`, `already_begun`, `not_refundable`, `too_late`, `invalid_date`,
    `invalid_range`, `no_night`, `too_long`, `in_the_past`, `same_dates`, `stay_too_short`, `sold_out`.

    Args:
        booking_id: Id of the booking.
        check_in: New first night.
        check_out: New day of departure.
    """
    booking = _changeable(state, ctx, booking_id)
    check_nights(check_in, check_out, ctx.today)
    if (check_in, check_out) == (booking.check_in, booking.check_out):
        raise conflict("The booking is for these nights already.", type="same_dates")
    room, plan = state.room_types.get(booking.room_type_id), state.rate_plans.get(booking.rate_plan_id)
    nights = nights_of(check_in, check_out)
    _must_fit(state, room, plan, (nights, booking.rooms, booking.guests), booking.id)
    price = stay_price(state, room, plan, nights, booking.rooms)
    changed = state.bookings.patch(booking.id, check_in=check_in, check_out=check_out, price=price)
    return {**booking_shown(state, changed, ctx.today), "price_difference": round(price - booking.price, 2)}


@service.tool(phrase="change the room of the hotel booking {booking_id} to a {room_type}")
def change_room(
    state: HotelsState, ctx: CallContext, booking_id: BookingId, room_type: PartName, rooms: Rooms | None = None
) -> Json:
    """Change the room type or the number of rooms of a booking, at the rates of its nights, while that is free.

    Errors: `not_found`, `booking_closed`, `already_begun`, `not_refundable`, `too_late`, `same_room`,
    `unknown_room`, `too_many_guests`, `sold_out`.

    Args:
        booking_id: Id of the booking.
        room_type: Name or id of a room type of the same hotel.
        rooms: How many rooms; as many as before when left out.
    """
    booking = _changeable(state, ctx, booking_id)
    room = room_of(state, booking.property_id, room_type)
    count = rooms or booking.rooms
    if room.id == booking.room_type_id and count == booking.rooms:
        raise conflict(f"The booking is for {count} of {room.name} already.", type="same_room")
    plan = state.rate_plans.get(booking.rate_plan_id)
    nights = nights_of(booking.check_in, booking.check_out)
    _must_fit(state, room, plan, (nights, count, booking.guests), booking.id)
    price = stay_price(state, room, plan, nights, count)
    changed = state.bookings.patch(booking.id, room_type_id=room.id, rooms=count, price=price)
    return {**booking_shown(state, changed, ctx.today), "price_difference": round(price - booking.price, 2)}


@service.tool(phrase="update the details of the hotel booking {booking_id}")
def update_booking_details(
    state: HotelsState,
    ctx: CallContext,
    booking_id: BookingId,
    arrival_time: f.Time | Unset | None = UNSET,
    special_request: Body | Unset = UNSET,
    reference: Reference | Unset = UNSET,
) -> Json:
    """Tell the hotel when the guest arrives or what they need, or change the order number. Costs nothing.

    Errors: `not_found`, `booking_closed`, `already_begun`, `nothing_to_change`, `early_arrival` (before check-in).

    Args:
        booking_id: Id of the booking.
        arrival_time: Local time of arrival; null when unknown.
        special_request: What the hotel should know.
        reference: Order number of the project that pays.
    """
    booking = upcoming(state, booking_id, ctx.today)
    changes = some_changes(given(arrival_time=arrival_time, special_request=special_request, reference=reference))
    opens = state.properties.get(booking.property_id).check_in_from
    if changes.get("arrival_time") is not None and changes["arrival_time"] < opens:
        raise conflict(f"Check-in starts at {opens}; ask for early check-in in a message.", type="early_arrival")
    return booking_shown(state, state.bookings.patch(booking.id, **changes), ctx.today)


@service.tool(phrase="transfer the hotel booking {booking_id} to {guest_email}")
def change_guest(state: HotelsState, ctx: CallContext, booking_id: BookingId, guest_email: f.Email) -> Json:
    """Put a booking in the name of another guest, while it can be changed.

    Errors: `not_found`, `booking_closed`, `already_begun`, `not_refundable`, `too_late`, `unknown_guest`, `same_guest`.

    Args:
        booking_id: Id of the booking.
        guest_email: Address of the new guest.
    """
    booking = _changeable(state, ctx, booking_id)
    guest = guest_by_email(state, guest_email)
    if guest == booking.guest_id:
        raise conflict(f"The booking is in the name of {guest_email} already.", type="same_guest")
    return booking_shown(state, state.bookings.patch(booking.id, guest_id=guest), ctx.today)


@service.tool(phrase="cancel the hotel booking {booking_id}")
def cancel_booking(state: HotelsState, ctx: CallContext, booking_id: BookingId, reason: f.Text = "") -> Json:
    """Cancel a booking for the fee that get_booking shows; in time it is free, and credit used can be used again.

    Errors: `not_found`, `booking_closed`, `already_begun`.

    Args:
        booking_id: Id of the booking.
        reason: Why; the hotel gets it as a message.
    """
    booking = upcoming(state, booking_id, ctx.today)
    fee = cancellation_fee(state, booking, ctx.today)
    for credit in credits_of(state, booking):
        if not fee:
            state.travel_credits.patch(credit.id, booking_id=None)
    if reason.strip():
        state.messages.create(booking_id=booking.id, sender="guest", text=reason, sent_at=ctx.now)
    return booking_shown(state, state.bookings.patch(booking.id, status="cancelled", fee=fee), ctx.today)
