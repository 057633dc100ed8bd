"""Tools for those who wait for a table."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.restaurants.finding import Party, RestaurantId
from services_app.library.restaurants.reservations import next_code
from services_app.library.restaurants.seating import (
    check_diner_free,
    deposit_for,
    diner_by_email,
    reservation_shown,
    slots,
    table_for,
)
from services_app.library.restaurants.state import RestaurantsState, WaitlistEntry, WaitlistStatus, service
from services_app.library.shared import Json, Limit, Offset, check_date, keep, offset_page, with_fields

EntryId = Annotated[str, f.ref("waitlist_entries")]


def _entry_shown(state: RestaurantsState, ctx: CallContext, row: WaitlistEntry) -> Json:
    diner = state.diners.get(row.diner_id)
    return with_fields(
        row,
        restaurant=state.restaurants.get(row.restaurant_id).name,
        diner_name=diner.name,
        diner_email=diner.email,
        free_times=_free(state, ctx, row) if row.status == "waiting" else [],
    )


def _free(state: RestaurantsState, ctx: CallContext, row: WaitlistEntry) -> list[str]:
    """Times inside the wishes of somebody who waits at which there is a table now."""
    place = state.restaurants.get(row.restaurant_id)
    times = slots(state, place, row.date, row.party_size, None, ctx.now)
    return [at for at in times if row.from_time <= at[11:16] <= row.to_time]


@service.tool()
def list_waitlist(
    state: RestaurantsState,
    ctx: CallContext,
    diner_email: f.Email | None = None,
    restaurant_id: RestaurantId | None = None,
    status: WaitlistStatus | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """List who waits for a table and whether one has become free, by day.

    Errors: `unknown_diner`, `not_found`.

    Args:
        diner_email: Only entries of this diner.
        restaurant_id: Only entries of this restaurant.
        status: Only entries that wait, were booked or left.
        limit: At most so many entries.
        offset: Skip so many entries.
    """
    diner = diner_by_email(state, diner_email) if diner_email else None
    if restaurant_id is not None:
        state.restaurants.get(restaurant_id)
    found = keep(state.waitlist_entries, diner_id=diner, restaurant_id=restaurant_id, status=status)
    found.sort(key=lambda row: (row.date, row.id))
    page = offset_page("entries", found, limit, offset)
    page["entries"] = [_entry_shown(state, ctx, row) for row in page["entries"]]
    return page


@service.tool(phrase="put {diner_email} on the waitlist of {restaurant_id} for {date}")
def join_waitlist(
    state: RestaurantsState,
    ctx: CallContext,
    restaurant_id: RestaurantId,
    diner_email: f.Email,
    date: f.Date,
    party_size: Party = 2,
    from_time: f.Time = "18:00",
    to_time: f.Time = "21:00",
) -> Json:
    """Wait for a table on a day when there is none at the wished times.

    Errors: `not_found`, `unknown_diner`, `invalid_date`, `in_the_past`, `invalid_times` (they end before they begin),
    `already_waiting`, `table_free` (reserve it instead).

    Args:
        restaurant_id: Id of the restaurant.
        diner_email: Address of the diner.
        date: The day.
        party_size: How many people.
        from_time: Earliest time (UTC).
        to_time: Latest time (UTC).
    """
    place, diner, day = state.restaurants.get(restaurant_id), diner_by_email(state, diner_email), check_date(date)
    if day < ctx.today:
        raise invalid(f"{day} is over; today is {ctx.today}.", type="in_the_past")
    if from_time > to_time:
        raise invalid(f"The wished times end ({to_time}) before they begin.", type="invalid_times")
    if state.waitlist_entries.first(restaurant_id=place.id, diner_id=diner, date=day, status="waiting"):
        raise conflict(f"{diner_email} waits at {place.name} for {day} already.", type="already_waiting")
    times = slots(state, place, day, party_size, None, ctx.now)
    free = [at for at in times if from_time <= at[11:16] <= to_time]
    if free:
        raise conflict(f"There is a table at {free[0]}; reserve it.", type="table_free")
    entry = state.waitlist_entries.create(
        restaurant_id=place.id,
        diner_id=diner,
        date=day,
        from_time=from_time,
        to_time=to_time,
        party_size=party_size,
        status="waiting",
    )
    return _entry_shown(state, ctx, entry)


def _waiting(state: RestaurantsState, entry_id: str) -> WaitlistEntry:
    row = state.waitlist_entries.get(entry_id)
    if row.status != "waiting":
        raise conflict(f"{entry_id} is {row.status}; join the waitlist again.", type="not_waiting")
    return row


@service.tool(phrase="take the table that is free for the waitlist entry {entry_id}")
def accept_waitlist_table(state: RestaurantsState, ctx: CallContext, entry_id: EntryId) -> Json:
    """Reserve the first table that has become free within the wishes of somebody who waits.

    Errors: `not_found`, `not_waiting`, `no_table` yet, `diner_busy`.

    Args:
        entry_id: Id of the entry.
    """
    entry = _waiting(state, entry_id)
    free = _free(state, ctx, entry)
    if not free:
        raise conflict("No table has become free within the wishes yet.", type="no_table")
    place = state.restaurants.get(entry.restaurant_id)
    check_diner_free(state, entry.diner_id, free[0], place.sitting)
    row = state.reservations.create(
        code=next_code(state),
        restaurant_id=place.id,
        table_id=table_for(state, place, free[0], entry.party_size, None),
        diner_id=entry.diner_id,
        starts_at=free[0],
        party_size=entry.party_size,
        status="booked",
        occasion="none",
        deposit=deposit_for(place, entry.party_size),
        booked_at=ctx.now,
    )
    state.waitlist_entries.patch(entry.id, status="booked", reservation_id=row.id)
    return reservation_shown(state, row, ctx.now)


@service.tool(phrase="take the entry {entry_id} off the waitlist")
def leave_waitlist(state: RestaurantsState, ctx: CallContext, entry_id: EntryId) -> Json:
    """Stop waiting for a table.

    Errors: `not_found`, `not_waiting`.

    Args:
        entry_id: Id of the entry.
    """
    row = _waiting(state, entry_id)
    return _entry_shown(state, ctx, state.waitlist_entries.patch(row.id, status="left"))
