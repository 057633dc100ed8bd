"""Tools for what is around a booking: guests, messages, reviews, credit, spending."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.hotels.bookings import BookingId
from services_app.library.hotels.properties import PropertyId
from services_app.library.hotels.rates import booking_shown, due, phase_of, score_of
from services_app.library.hotels.state import (
    Booking,
    Guest,
    HotelsState,
    Message,
    Review,
    Sender,
    TravelCredit,
    service,
)
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Offset,
    Query,
    check_range,
    check_text,
    cursor_page,
    days_between,
    newest_first,
    offset_page,
    same,
    search,
    some_changes,
    total,
    with_fields,
)

Points = Annotated[int, f.count("points"), Field(ge=1, le=10)]
CreditState = Annotated[Literal["available", "used", "expired"], LABEL]
GroupBy = Annotated[Literal["city", "property", "guest", "reference"], LABEL]
REVIEW_DAYS = 60  # after departure


@service.tool()
def list_guests(
    state: HotelsState, ctx: CallContext, query: Query | None = None, limit: Limit = 25, offset: Offset = 0
) -> Json:
    """Find the guests of the account by words in the name, address or preferences, by name.

    Args:
        query: Words that must all occur.
        limit: At most so many guests.
        offset: Skip so many guests.
    """
    found = search(state.guests, query, lambda row: (row.name, row.email, row.preferences))
    found.sort(key=lambda row: (row.name, row.id))
    page = offset_page("guests", found, limit, offset)
    page["guests"] = [with_fields(row, upcoming_stays=_upcoming_stays(state, row, ctx.today)) for row in page["guests"]]
    return page


def _upcoming_stays(state: HotelsState, guest: Guest, today: str) -> int:
    return sum(1 for row in state.bookings.find(guest_id=guest.id) if phase_of(row, today) == "upcoming")


@service.tool(phrase="add {name} as a hotel guest")
def add_guest(
    state: HotelsState,
    ctx: CallContext,
    name: Annotated[str, f.Semantic("person"), Field(min_length=1, max_length=120)],
    email: f.Email,
    phone: Annotated[str, f.Semantic("phone"), Field(max_length=40)] = "",
    preferences: f.Text = "",
) -> Guest:
    """Add someone for whom rooms can be booked.

    Errors: `blank_text`, `guest_exists`.

    Args:
        name: Full name, as in the passport.
        email: Address of the guest.
        phone: Phone number.
        preferences: What they like, for the hotel.
    """
    if any(same(row.email, email) for row in state.guests):
        raise conflict(f"{email} is a guest already; use update_guest.", type="guest_exists")
    return state.guests.create(name=check_text(name, "name"), email=email, phone=phone, preferences=preferences)


@service.tool(phrase="update the hotel guest {guest_id}")
def update_guest(
    state: HotelsState,
    ctx: CallContext,
    guest_id: Annotated[str, f.ref("guests")],
    phone: Annotated[str, f.Semantic("phone"), Field(max_length=40)] | Unset = UNSET,
    preferences: f.Text | Unset = UNSET,
) -> Guest:
    """Change the phone number or the preferences of a guest.

    Errors: `not_found`, `nothing_to_change`.

    Args:
        guest_id: Id of the guest.
        phone: New phone number.
        preferences: What they like, for the hotel.
    """
    return state.guests.patch(guest_id, **some_changes(given(phone=phone, preferences=preferences)))


@service.tool()
def list_messages(
    state: HotelsState,
    ctx: CallContext,
    query: Query | None = None,
    booking_id: BookingId | None = None,
    sender: Sender | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List messages between guests and hotels over all bookings, newest first.

    Errors: `not_found`.

    Args:
        query: Words in the text.
        booking_id: Only messages about this booking.
        sender: Only messages of the guest side, or of the hotels.
        limit: At most so many messages.
        cursor: next_cursor of the previous page.
    """
    if booking_id is not None:
        state.bookings.get(booking_id)
    found = [
        row
        for row in search(state.messages, query, lambda row: (row.text,))
        if booking_id in (None, row.booking_id) and sender in (None, row.sender)
    ]
    found = newest_first(found, "sent_at")
    page = cursor_page("messages", found, limit, cursor)
    page["messages"] = [_message_shown(state, row) for row in page["messages"]]
    return page


def _message_shown(state: HotelsState, row: Message) -> Json:
    booking = state.bookings.get(row.booking_id)
    hotel = state.properties.get(booking.property_id)
    return with_fields(row, confirmation_number=booking.confirmation_number, property_name=hotel.name)


@service.tool(phrase="write to the hotel of the booking {booking_id}")
def send_message(state: HotelsState, ctx: CallContext, booking_id: BookingId, text: Body) -> Message:
    """Write to the hotel about a booking that is confirmed and not over.

    Errors: `not_found`, `booking_closed`, `stay_over`, `blank_text`.

    Args:
        booking_id: Id of the booking.
        text: The message.
    """
    booking = state.bookings.get(booking_id)
    if booking.status != "confirmed":
        raise conflict(f"{booking.confirmation_number} is {booking.status}; there is no chat.", type="booking_closed")
    if booking.check_out < ctx.today:
        raise conflict(f"The stay ended on {booking.check_out}; write a review instead.", type="stay_over")
    return state.messages.create(booking_id=booking_id, sender="guest", text=check_text(text, "text"), sent_at=ctx.now)


@service.tool()
def list_reviews(
    state: HotelsState,
    ctx: CallContext,
    property_id: PropertyId | None = None,
    query: Query | None = None,
    max_score: Points = 10,
    limit: Limit = 10,
    offset: Offset = 0,
) -> Json:
    """List reviews of a hotel, or of all, newest first.

    Errors: `not_found`.

    Args:
        property_id: Only reviews of this hotel.
        query: Words in the title or text.
        max_score: Only reviews with at most so many points, to see what went wrong.
        limit: At most so many reviews.
        offset: Skip so many reviews.
    """
    if property_id is not None:
        state.properties.get(property_id)
    found = [
        row
        for row in search(state.reviews, query, lambda row: (row.title, row.text))
        if property_id in (None, row.property_id) and row.score <= max_score
    ]
    found = newest_first(found, "posted_on")
    return offset_page("reviews", found, limit, offset)


@service.tool(phrase="review the stay {booking_id} with {score} points")
def write_review(
    state: HotelsState, ctx: CallContext, booking_id: BookingId, score: Points, title: Name, text: Body
) -> Json:
    """Review a stay that is over, once, up to 60 days after departure.

    Errors: `not_found`, `booking_closed`, `not_over`, `too_late`, `already_reviewed`, `blank_text`.

    Args:
        booking_id: Id of the booking.
        score: Points from 1 to 10.
        title: Headline.
        text: What was good and what was not.
    """
    booking = _reviewable(state, ctx, booking_id)
    review: Review = state.reviews.create(
        property_id=booking.property_id,
        booking_id=booking.id,
        author=state.guests.get(booking.guest_id).name,
        score=score,
        title=check_text(title, "title"),
        text=check_text(text, "text"),
        posted_on=ctx.today,
    )
    return with_fields(review, property_score=score_of(state, state.properties.get(booking.property_id)))


def _reviewable(state: HotelsState, ctx: CallContext, booking_id: str) -> Booking:
    booking = state.bookings.get(booking_id)
    if booking.status != "confirmed":
        raise conflict(f"{booking.confirmation_number} is {booking.status}; nobody stayed.", type="booking_closed")
    if booking.check_out > ctx.today:
        raise conflict(f"The stay ends on {booking.check_out}; review it afterwards.", type="not_over")
    if days_between(booking.check_out, ctx.today) > REVIEW_DAYS:
        raise conflict(
            f"The stay ended more than {REVIEW_DAYS} days ago; it can no longer be reviewed.", type="too_late"
        )
    if state.reviews.first(booking_id=booking.id):
        raise conflict(f"{booking.confirmation_number} has a review already.", type="already_reviewed")
    return booking


def _credit_state(row: TravelCredit, today: str) -> str:
    if row.booking_id is not None:
        return "used"
    return "expired" if row.valid_until < today else "available"


@service.tool()
def list_travel_credits(state: HotelsState, ctx: CallContext, status: CreditState | None = None) -> Json:
    """Show the travel credit of the account: what is available, used and expired, the first to expire first.

    Args:
        status: Only credit that is available, used or expired.
    """
    rows = sorted(state.travel_credits, key=lambda row: (row.valid_until, row.id))
    shown = [with_fields(row, status=_credit_state(row, ctx.today)) for row in rows]
    return {
        "credits": [row for row in shown if status in (None, row["status"])],
        "available": total(row["amount"] for row in shown if row["status"] == "available"),
    }


@service.tool(phrase="use the travel credit {credit_code} on the hotel booking {booking_id}")
def apply_travel_credit(
    state: HotelsState,
    ctx: CallContext,
    booking_id: BookingId,
    credit_code: Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=40)],
) -> Json:
    """Use a credit on an upcoming booking. It is used whole, so no more than what is due can be applied.

    Errors: `not_found`, `booking_closed`, `already_begun`, `unknown_credit`, `credit_used`, `credit_expired`,
    `more_than_due`.

    Args:
        booking_id: Id of the booking.
        credit_code: Code of the credit.
    """
    booking = state.bookings.get(booking_id)
    if booking.status != "confirmed":
        raise conflict(f"{booking.confirmation_number} is {booking.status}.", type="booking_closed")
    if booking.check_in <= ctx.today:
        raise conflict(f"The stay began on {booking.check_in}; it is paid at the hotel.", type="already_begun")
    credit = next((row for row in state.travel_credits if same(row.code, credit_code)), None)
    if credit is None:
        raise invalid(f"There is no credit {credit_code!r}; see list_travel_credits.", type="unknown_credit")
    if credit.booking_id is not None:
        raise conflict(f"{credit.code} is used on {credit.booking_id}.", type="credit_used")
    if credit.valid_until < ctx.today:
        raise conflict(f"{credit.code} expired on {credit.valid_until}.", type="credit_expired")
    if credit.amount > due(state, booking):
        raise conflict(f"Only {due(state, booking):.2f} is due; {credit.amount:.2f} is more.", type="more_than_due")
    state.travel_credits.patch(credit.id, booking_id=booking.id)
    return booking_shown(state, booking, ctx.today)


@service.tool()
def get_spending_report(
    state: HotelsState, ctx: CallContext, from_date: f.Date, to_date: f.Date, group_by: GroupBy = "city"
) -> Json:
    """Sum up nights and cost of the stays that begin in a range of days, the dearest group first.

    Cost is the price of stays, and the fee of those that were cancelled or where nobody came.
    Errors: `invalid_date`, `invalid_range`.

    Args:
        from_date: First day of arrival.
        to_date: Last day of arrival.
        group_by: What the rows are.
    """
    check_range(from_date, to_date)
    groups: dict[str, list[tuple[int, float]]] = {}
    for row in state.bookings:
        if from_date <= row.check_in <= to_date:
            stayed = row.status == "confirmed"
            nights = days_between(row.check_in, row.check_out) * row.rooms if stayed else 0
            groups.setdefault(_group(state, row, group_by), []).append((nights, row.price if stayed else row.fee))
    rows: list[Json] = [
        {
            group_by: name,
            "bookings": len(parts),
            "room_nights": sum(nights for nights, _ in parts),
            "cost": total(cost for _, cost in parts),
        }
        for name, parts in groups.items()
    ]
    rows.sort(key=lambda row: (-row["cost"], row[group_by]))
    return {"rows": rows[:100], "total_cost": total(row["cost"] for row in rows)}


def _group(state: HotelsState, row: Booking, group_by: str) -> str:
    hotel = state.properties.get(row.property_id)
    names = {"city": hotel.city, "property": hotel.name, "guest": state.guests.get(row.guest_id).email}
    return names.get(group_by, row.reference or "none")
