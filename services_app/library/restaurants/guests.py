"""Tools for who eats and what: diners, invited guests, preordered dishes, messages to the restaurant."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.restaurants.reservations import ReservationId
from services_app.library.restaurants.seating import minimum_missing, preorder_total, upcoming
from services_app.library.restaurants.state import (
    Diet,
    Diner,
    Invitation,
    MenuItem,
    Message,
    PreorderItem,
    Reservation,
    RestaurantsState,
    service,
)
from services_app.library.shared import (
    LABEL,
    Body,
    Json,
    Limit,
    Offset,
    Query,
    check_text,
    minutes_between,
    offset_page,
    same,
    search,
    with_fields,
)

Diets = Annotated[list[Diet], Field(max_length=5)]
Reply = Annotated[Literal["accepted", "declined"], LABEL]
PREORDER_HOURS = 24  # before the meal, until which dishes can be ordered


@service.tool()
def list_diners(
    state: RestaurantsState,
    ctx: CallContext,
    query: Query | None = None,
    diet: Diet | None = None,
    limit: Limit = 25,
    offset: Offset = 0,
) -> Json:
    """Find the diners of the account by words in the name or address, by name.

    Args:
        query: Words that must all occur.
        diet: Only diners with this diet.
        limit: At most so many diners.
        offset: Skip so many diners.
    """
    found = [
        row
        for row in search(state.diners, query, lambda row: (row.name, row.email))
        if diet is None or diet in row.diets
    ]
    found.sort(key=lambda row: (row.name, row.id))
    return offset_page("diners", found, limit, offset)


@service.tool(phrase="set the diets of the diner {diner_id}")
def set_diner_diets(
    state: RestaurantsState, ctx: CallContext, diner_id: Annotated[str, f.ref("diners")], diets: Diets
) -> Diner:
    """Set what a diner eats; an empty list means everything.

    Errors: `not_found`.

    Args:
        diner_id: Id of the diner.
        diets: All diets of the diner.
    """
    return state.diners.patch(diner_id, diets=tuple(sorted(set(diets))))


@service.tool(phrase="invite {name} to the meal {reservation_id}")
def invite_guest(
    state: RestaurantsState,
    ctx: CallContext,
    reservation_id: ReservationId,
    name: Annotated[str, f.Semantic("person"), Field(min_length=1, max_length=120)],
    email: f.Email,
    diets: Diets | None = None,
) -> Invitation:
    """Invite somebody to an upcoming meal.

    Errors: `not_found`, `reservation_closed`, `already_begun`, `blank_text`, `already_invited`.

    Args:
        reservation_id: Id of the reservation.
        name: Full name.
        email: Address of the guest.
        diets: What the guest eats.
    """
    row, text = upcoming(state, reservation_id, ctx.now), check_text(name, "name")
    if any(same(guest.email, email) for guest in state.invitations.find(reservation_id=row.id)):
        raise conflict(f"{email} is invited to {row.code} already.", type="already_invited")
    return state.invitations.create(
        reservation_id=row.id, name=text, email=email, diets=tuple(sorted(set(diets or ()))), answer="invited"
    )


@service.tool(phrase="record that the invitation {invitation_id} was {answer}")
def record_answer(
    state: RestaurantsState, ctx: CallContext, invitation_id: Annotated[str, f.ref("invitations")], answer: Reply
) -> Json:
    """Record what a guest answered; no more can accept than there are seats beside the diner.

    Errors: `not_found`, `reservation_closed`, `already_begun`, `same_answer`, `no_seat_left`.

    Args:
        invitation_id: Id of the invitation.
        answer: accepted or declined.
    """
    guest = state.invitations.get(invitation_id)
    row = upcoming(state, guest.reservation_id, ctx.now)
    if guest.answer == answer:
        raise conflict(f"{guest.name} has {answer} already.", type="same_answer")
    coming = state.invitations.count(reservation_id=row.id, answer="accepted")
    if answer == "accepted" and coming + 2 > row.party_size:
        raise conflict(f"The table is for {row.party_size}; make the party larger first.", type="no_seat_left")
    changed = state.invitations.patch(guest.id, answer=answer)
    return with_fields(changed, seats_left=row.party_size - 1 - _coming(state, row))


def _coming(state: RestaurantsState, row: Reservation) -> int:
    return state.invitations.count(reservation_id=row.id, answer="accepted")


@service.tool(phrase="preorder {quantity} of the dish {menu_item} for the meal {reservation_id}")
def add_preorder_item(
    state: RestaurantsState,
    ctx: CallContext,
    reservation_id: ReservationId,
    menu_item: Annotated[str, f.Semantic("title"), Field(min_length=1, max_length=200)],
    quantity: Annotated[int, f.count("portions"), Field(ge=1, le=60)] = 1,
    remark: f.Text = "",
) -> Json:
    """Order a dish ahead, at least a day before; a second order of the same dish adds to the first.

    Errors: `not_found`, `reservation_closed`, `already_begun`, `too_late`, `unknown_dish`, `not_available`.

    Args:
        reservation_id: Id of the reservation.
        menu_item: Name or id of a dish on the menu of that restaurant.
        quantity: How many portions.
        remark: For the kitchen.
    """
    row = _orderable(state, ctx, reservation_id)
    dish = _dish(state, row.restaurant_id, menu_item)
    if not dish.available:
        raise conflict(f"{dish.name} is not available; choose another dish.", type="not_available")
    present = state.preorder_items.first(reservation_id=row.id, menu_item_id=dish.id)
    if present:
        more = present.quantity + quantity
        item = state.preorder_items.patch(present.id, quantity=more, remark=remark or present.remark)
    else:
        item = state.preorder_items.create(
            reservation_id=row.id, menu_item_id=dish.id, quantity=quantity, unit_price=dish.price, remark=remark
        )
    return _item_shown(state, row, item)


def _dish(state: RestaurantsState, restaurant_id: str, name: str) -> MenuItem:
    """The dish of a restaurant with this name or id; 422 `unknown_dish` otherwise."""
    for dish in state.menu_items.find(restaurant_id=restaurant_id):
        if same(dish.name, name) or dish.id == name:
            return dish
    raise invalid(f"{name!r} is not on the menu; see get_menu.", type="unknown_dish")


def _orderable(state: RestaurantsState, ctx: CallContext, reservation_id: str) -> Reservation:
    row = upcoming(state, reservation_id, ctx.now)
    if minutes_between(ctx.now, row.starts_at) < PREORDER_HOURS * 60:
        raise conflict(f"The kitchen takes orders until {PREORDER_HOURS} hours before the meal.", type="too_late")
    return row


def _item_shown(state: RestaurantsState, row: Reservation, item: PreorderItem) -> Json:
    return with_fields(
        item,
        dish=state.menu_items.get(item.menu_item_id).name,
        preorder_total=preorder_total(state, row.id),
        minimum_missing=minimum_missing(state, row),
    )


@service.tool(phrase="take {preorder_item_id} out of the preorder")
def remove_preorder_item(
    state: RestaurantsState, ctx: CallContext, preorder_item_id: Annotated[str, f.ref("preorder_items")]
) -> Json:
    """Take a dish out of a preorder, at least a day before the meal.

    Errors: `not_found`, `reservation_closed`, `already_begun`, `too_late`.

    Args:
        preorder_item_id: Id of the line, as get_reservation shows it.
    """
    row = _orderable(state, ctx, state.preorder_items.get(preorder_item_id).reservation_id)
    return _item_shown(state, row, state.preorder_items.delete(preorder_item_id))


@service.tool(phrase="write to the restaurant about the reservation {reservation_id}")
def message_restaurant(state: RestaurantsState, ctx: CallContext, reservation_id: ReservationId, text: Body) -> Message:
    """Write to the restaurant about an upcoming reservation.

    Errors: `not_found`, `reservation_closed`, `already_begun`, `blank_text`.

    Args:
        reservation_id: Id of the reservation.
        text: The message.
    """
    row = upcoming(state, reservation_id, ctx.now)
    return state.messages.create(reservation_id=row.id, sender="guest", text=check_text(text, "text"), sent_at=ctx.now)
