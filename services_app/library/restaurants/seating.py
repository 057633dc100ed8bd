"""What follows from the records: times at which there is a table, fees, totals, ratings."""

from __future__ import annotations

from services_app.engine import conflict, invalid, not_found
from services_app.library.restaurants.state import DiningTable, Reservation, Restaurant, RestaurantsState
from services_app.library.shared import (
    Json,
    brief,
    mean,
    minutes_between,
    plus_minutes,
    same,
    total,
    weekday_of,
    with_fields,
)

SLOT = 30  # minutes between two times at which guests can come
FURTHEST_DAYS = 90
NOTICE = 60  # minutes before which a reservation can be made


def closed_because(state: RestaurantsState, place: Restaurant, day: str) -> str:
    """Why a restaurant is closed on a day; "" when it is open."""
    weekday = weekday_of(day)
    if weekday in place.closed_on:
        return f"it is closed every {weekday}"
    closure = state.closures.first(restaurant_id=place.id, date=day)
    return closure.reason if closure else ""


def times_of(place: Restaurant, day: str) -> list[str]:
    """The instants of a day at which guests can come, so that they can stay for a sitting."""
    moment, last = f"{day}T{place.opens}:00Z", plus_minutes(f"{day}T{place.closes}:00Z", -place.sitting)
    found = []
    while moment <= last:
        found.append(moment)
        moment = plus_minutes(moment, SLOT)
    return found


def free_tables(
    state: RestaurantsState, place: Restaurant, moment: str, party: int, area: str | None, but: str = ""
) -> list[DiningTable]:
    """Tables for so many that nobody has then, the smallest first; one reservation is left out of account."""
    end = plus_minutes(moment, place.sitting)
    taken = {
        row.table_id
        for row in state.reservations.find(restaurant_id=place.id, status="booked")
        if row.id != but and row.starts_at < end and moment < plus_minutes(row.starts_at, place.sitting)
    }
    tables = [
        row
        for row in state.tables.find(restaurant_id=place.id)
        if row.id not in taken and row.seats >= party and area in (None, row.area)
    ]
    # The private room is given only to those who ask for it.
    tables = [row for row in tables if area == "private" or row.area != "private"]
    return sorted(tables, key=lambda row: (row.seats, row.id))


def slots(state: RestaurantsState, place: Restaurant, day: str, party: int, area: str | None, now: str) -> list[str]:
    """The times of a day at which there is a table for so many, with enough notice."""
    if closed_because(state, place, day):
        return []
    soonest = plus_minutes(now, NOTICE)
    return [at for at in times_of(place, day) if at >= soonest and free_tables(state, place, at, party, area)]


def check_slot(state: RestaurantsState, place: Restaurant, moment: str, now: str) -> str:
    """The instant, when guests can come then; 422 `in_the_past` or `too_far_ahead`, 409 `closed` or `not_a_slot`."""
    if moment < plus_minutes(now, NOTICE):
        raise invalid(f"Reserve at least an hour ahead; it is {now} now.", type="in_the_past")
    if minutes_between(now, moment) > FURTHEST_DAYS * 24 * 60:
        raise invalid(f"Tables can be reserved up to {FURTHEST_DAYS} days ahead.", type="too_far_ahead")
    reason = closed_because(state, place, moment[:10])
    if reason:
        raise conflict(f"{place.name} is closed on {moment[:10]}: {reason.rstrip('.')}.", type="closed")
    if moment not in times_of(place, moment[:10]):
        raise conflict(f"{place.name} seats guests every half hour from {place.opens}.", type="not_a_slot")
    return moment


def table_for(
    state: RestaurantsState, place: Restaurant, moment: str, party: int, area: str | None, but: str = ""
) -> str:
    """Id of the smallest free table; 409 `no_table` when there is none."""
    tables = free_tables(state, place, moment, party, area, but)
    if not tables:
        raise conflict("No table is free then; see get_available_times or join the waitlist.", type="no_table")
    return tables[0].id


def check_diner_free(state: RestaurantsState, diner_id: str, moment: str, sitting: int, but: str = "") -> None:
    """409 `diner_busy` when the diner has another table at that time."""
    for row in state.reservations.find(diner_id=diner_id, status="booked"):
        length = state.restaurants.get(row.restaurant_id).sitting
        overlaps = row.starts_at < plus_minutes(moment, sitting) and moment < plus_minutes(row.starts_at, length)
        if row.id != but and overlaps:
            raise conflict(f"{row.code} is at {row.starts_at}; choose another time.", type="diner_busy")


def deposit_for(place: Restaurant, party: int) -> float:
    return round(place.deposit * party, 2) if party >= place.large_party else 0.0


def phase_of(state: RestaurantsState, row: Reservation, now: str) -> str:
    """`upcoming`, `seated` or `completed` by the time; `cancelled` or `no_show` as it is."""
    if row.status != "booked":
        return row.status
    if row.starts_at > now:
        return "upcoming"
    sitting = state.restaurants.get(row.restaurant_id).sitting
    return "seated" if plus_minutes(row.starts_at, sitting) > now else "completed"


def cancellation_fee(state: RestaurantsState, row: Reservation, now: str) -> float:
    """What cancelling costs at an instant: nothing in time, then the late fee for every guest."""
    place = state.restaurants.get(row.restaurant_id)
    late = minutes_between(now, row.starts_at) < place.cancel_hours * 60
    return round(place.late_fee * row.party_size, 2) if late else 0.0


def upcoming(state: RestaurantsState, reservation_id: str, now: str) -> Reservation:
    """A reservation that is still to come; 409 `reservation_closed` or `already_begun` otherwise."""
    row = state.reservations.get(reservation_id)
    if row.status != "booked":
        raise conflict(f"{row.code} is {row.status}; make a new reservation.", type="reservation_closed")
    if row.starts_at <= now:
        raise conflict(f"{row.code} began at {row.starts_at}.", type="already_begun")
    return row


def preorder_total(state: RestaurantsState, reservation_id: str) -> float:
    rows = state.preorder_items.find(reservation_id=reservation_id)
    return total(round(row.quantity * row.unit_price, 2) for row in rows)


def minimum_missing(state: RestaurantsState, row: Reservation) -> float:
    """What is still to be ordered for the private room to be had; nothing elsewhere."""
    if state.tables.get(row.table_id).area != "private":
        return 0.0
    minimum = state.restaurants.get(row.restaurant_id).private_minimum
    return max(round(minimum - preorder_total(state, row.id), 2), 0.0)


def rating_of(state: RestaurantsState, restaurant_id: str) -> float | None:
    return mean([row.stars for row in state.dining_reviews.find(restaurant_id=restaurant_id)])


def restaurant_shown(state: RestaurantsState, place: Restaurant) -> Json:
    """A restaurant as lists show it."""
    return {
        **brief(place, "id", "name", "cuisine", "price_level", "city", "address", "opens", "closes"),
        "rating": rating_of(state, place.id),
    }


def reservation_shown(state: RestaurantsState, row: Reservation, now: str) -> Json:
    """A reservation with the names of what it points to and what follows from it."""
    table, diner = state.tables.get(row.table_id), state.diners.get(row.diner_id)
    place = state.restaurants.get(row.restaurant_id)
    return with_fields(
        row,
        phase=phase_of(state, row, now),
        restaurant=place.name,
        city=place.city,
        table=table.name,
        area=table.area,
        diner_name=diner.name,
        diner_email=diner.email,
        free_cancellation_until=plus_minutes(row.starts_at, -place.cancel_hours * 60),
        preorder_total=preorder_total(state, row.id),
    )


def diner_by_email(state: RestaurantsState, email: str) -> str:
    """Id of the diner with this address; 422 `unknown_diner` otherwise."""
    for row in state.diners:
        if same(row.email, email):
            return row.id
    raise invalid(f"{email} is no diner of this account; see list_diners.", type="unknown_diner")


def reservation_by_code(state: RestaurantsState, code: str) -> Reservation:
    """The reservation with this id or code; 404 otherwise."""
    for row in state.reservations:
        if same(row.code, code) or row.id == code:
            return row
    raise not_found("reservation", code)
