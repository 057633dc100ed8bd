"""Tools for reservations: making, finding, changing, cancelling."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given
from services_app.engine import fields as f
from services_app.library.restaurants.finding import Party, RestaurantId
from services_app.library.restaurants.seating import (
    cancellation_fee,
    check_diner_free,
    check_slot,
    deposit_for,
    diner_by_email,
    minimum_missing,
    phase_of,
    reservation_by_code,
    reservation_shown,
    table_for,
    upcoming,
)
from services_app.library.restaurants.state import (
    Area,
    Occasion,
    Reservation,
    RestaurantsState,
    service,
)
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    check_time,
    cursor_page,
    keep,
    newest_first,
    next_number,
    search,
    some_changes,
    with_fields,
    within,
)

ReservationId = Annotated[str, f.ref("reservations")]
Reference = Annotated[str, f.Semantic("code"), Field(max_length=40)]
Phase = Annotated[Literal["upcoming", "seated", "completed", "cancelled", "no_show"], LABEL]


def next_code(state: RestaurantsState) -> str:
    """The next reservation code."""
    return next_number((row.code for row in state.reservations), "TB-", first=7001, width=4)


@service.tool()
def list_reservations(  # noqa: PLR0913, PLR0917 - one per filter
    state: RestaurantsState,
    ctx: CallContext,
    query: Query | None = None,
    diner_email: f.Email | None = None,
    phase: Phase | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List reservations, the latest first.

    Errors: `unknown_diner`, `invalid_date`, `invalid_range`.

    Args:
        query: Words in the restaurant, city, code, order number or request.
        diner_email: Only reservations of this diner.
        phase: Only reservations that are upcoming, seated, completed, cancelled or where nobody came.
        from_date: Only on this day or later.
        to_date: Only up to this day.
        limit: At most so many reservations.
        cursor: next_cursor of the previous page.
    """
    diner = diner_by_email(state, diner_email) if diner_email else None

    def texts(row: Reservation) -> tuple[str, ...]:
        place = state.restaurants.get(row.restaurant_id)
        return place.name, place.city, row.code, row.reference, row.special_request

    found = keep(within(search(state.reservations, query, texts), "starts_at", from_date, to_date), diner_id=diner)
    found = [row for row in found if phase is None or phase_of(state, row, ctx.now) == phase]
    found = newest_first(found, "starts_at")
    page = cursor_page("reservations", found, limit, cursor)
    page["reservations"] = [reservation_shown(state, row, ctx.now) for row in page["reservations"]]
    return page


@service.tool()
def get_reservation(
    state: RestaurantsState,
    ctx: CallContext,
    reservation: Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=40)],
) -> Json:
    """Show a reservation with guests, preordered dishes, messages, what cancelling costs now and what is still missing.

    Errors: `not_found`.

    Args:
        reservation: Id or code.
    """
    row = reservation_by_code(state, reservation)
    place = state.restaurants.get(row.restaurant_id)
    dishes = state.preorder_items.find(reservation_id=row.id)
    messages = state.messages.find(reservation_id=row.id)
    return {
        **reservation_shown(state, row, ctx.now),
        "address": place.address,
        "phone": place.phone,
        "cancellation_fee_now": cancellation_fee(state, row, ctx.now) if row.status == "booked" else None,
        "guests": state.invitations.find(reservation_id=row.id),
        "preorder": [with_fields(item, dish=state.menu_items.get(item.menu_item_id).name) for item in dishes],
        "minimum_missing": minimum_missing(state, row),
        "messages": sorted(messages, key=lambda note: (note.sent_at, note.id)),
    }


@service.tool(phrase="reserve a table at {restaurant_id} for {diner_email} at {starts_at}")
def create_reservation(  # noqa: PLR0913, PLR0917 - what the form asks
    state: RestaurantsState,
    ctx: CallContext,
    restaurant_id: RestaurantId,
    diner_email: f.Email,
    starts_at: f.Timestamp,
    party_size: Party = 2,
    area: Area | None = None,
    occasion: Occasion = "none",
    special_request: f.Text = "",
    reference: Reference = "",
) -> Json:
    """Reserve the smallest table that is free; large parties pay a deposit per guest.

    Errors: `not_found`, `unknown_diner`, `invalid_time`, `in_the_past` (at least an hour ahead), `too_far_ahead`,
    `closed` on that day, `not_a_slot`, `diner_busy` (another table then), `no_table`.

    Args:
        restaurant_id: Id of the restaurant.
        diner_email: Address of the diner in whose name it is.
        starts_at: When they come (UTC), one of get_available_times.
        party_size: How many people.
        area: Where they sit; anywhere but the private room when left out.
        occasion: What it is for.
        special_request: What the restaurant should know.
        reference: Order number of the project that pays.
    """
    place, diner = state.restaurants.get(restaurant_id), diner_by_email(state, diner_email)
    moment = check_slot(state, place, check_time(starts_at), ctx.now)
    check_diner_free(state, diner, moment, place.sitting)
    row = state.reservations.create(
        code=next_code(state),
        restaurant_id=place.id,
        table_id=table_for(state, place, moment, party_size, area),
        diner_id=diner,
        starts_at=moment,
        party_size=party_size,
        status="booked",
        occasion=occasion,
        special_request=special_request,
        reference=reference,
        deposit=deposit_for(place, party_size),
        booked_at=ctx.now,
    )
    return reservation_shown(state, row, ctx.now)


@service.tool(phrase="change the time, size or area of the reservation {reservation_id}")
def modify_reservation(
    state: RestaurantsState,
    ctx: CallContext,
    reservation_id: ReservationId,
    starts_at: f.Timestamp | Unset = UNSET,
    party_size: Party | Unset = UNSET,
    area: Area | Unset = UNSET,
) -> Json:
    """Move a reservation to another time, number of people or area; it gets the smallest table that is free.

    The deposit follows the size. Not possible when cancelling would cost a fee.
    Errors: `not_found`, `reservation_closed`, `already_begun`, `nothing_to_change`, `too_late`, `invalid_time`,
    `in_the_past`, `too_far_ahead`, `closed`, `not_a_slot`, `diner_busy`, `no_table`, `too_many_accepted` (guests).

    Args:
        reservation_id: Id of the reservation.
        starts_at: New time (UTC).
        party_size: New number of people.
        area: New area.
    """
    row = upcoming(state, reservation_id, ctx.now)
    changes = some_changes(given(starts_at=starts_at, party_size=party_size, area=area))
    if cancellation_fee(state, row, ctx.now):
        raise conflict(f"{row.code} can no longer be changed; call the restaurant.", type="too_late")
    place, party = state.restaurants.get(row.restaurant_id), changes.get("party_size", row.party_size)
    accepted = state.invitations.count(reservation_id=row.id, answer="accepted")
    if accepted + 1 > party:
        raise conflict(f"{accepted} guests have accepted; {party} seats are too few.", type="too_many_accepted")
    moment = row.starts_at
    if "starts_at" in changes:
        moment = check_slot(state, place, check_time(changes["starts_at"]), ctx.now)
        check_diner_free(state, row.diner_id, moment, place.sitting, row.id)
    where = changes.get("area", state.tables.get(row.table_id).area)
    changed = state.reservations.patch(
        row.id,
        starts_at=moment,
        party_size=party,
        table_id=table_for(state, place, moment, party, where, row.id),
        deposit=deposit_for(place, party),
    )
    return reservation_shown(state, changed, ctx.now)


@service.tool(phrase="update the details of the reservation {reservation_id}")
def update_reservation_details(
    state: RestaurantsState,
    ctx: CallContext,
    reservation_id: ReservationId,
    occasion: Occasion | Unset = UNSET,
    special_request: f.Text | Unset = UNSET,
    reference: Reference | Unset = UNSET,
) -> Json:
    """Change what the restaurant knows about an upcoming reservation, or the order number.

    Errors: `not_found`, `reservation_closed`, `already_begun`, `nothing_to_change`.

    Args:
        reservation_id: Id of the reservation.
        occasion: What it is for.
        special_request: What the restaurant should know.
        reference: Order number of the project that pays.
    """
    row = upcoming(state, reservation_id, ctx.now)
    changes = some_changes(given(occasion=occasion, special_request=special_request, reference=reference))
    return reservation_shown(state, state.reservations.patch(row.id, **changes), ctx.now)


@service.tool(phrase="cancel the reservation {reservation_id}")
def cancel_reservation(state: RestaurantsState, ctx: CallContext, reservation_id: ReservationId) -> Json:
    """Cancel a reservation for the fee that get_reservation shows; the rest of a deposit is refunded.

    Errors: `not_found`, `reservation_closed`, `already_begun`.

    Args:
        reservation_id: Id of the reservation.
    """
    row = upcoming(state, reservation_id, ctx.now)
    fee = cancellation_fee(state, row, ctx.now)
    changed = state.reservations.patch(row.id, status="cancelled", fee=fee)
    return {**reservation_shown(state, changed, ctx.now), "refunded": max(round(row.deposit - fee, 2), 0.0)}
