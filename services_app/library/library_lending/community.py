"""Tools for reviews, purchase requests and events."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.library_lending.catalogue import BranchId, TitleId
from services_app.library.library_lending.figures import me, title_of
from services_app.library.library_lending.state import Event, LendingState, RequestStatus, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_text,
    cursor_page,
    keep,
    newest_first,
    plus_days,
    plus_minutes,
    same,
    search,
    with_fields,
    within,
)

EventId = Annotated[str, f.ref("events")]
REQUESTS = 3  # purchase requests in thirty days


@service.tool(phrase="review {title_id} with {stars} stars")
def write_review(
    state: LendingState,
    ctx: CallContext,
    title_id: TitleId,
    stars: Annotated[int, f.count("stars"), Field(ge=1, le=5)],
    text: Annotated[str, f.Semantic("text"), Field(max_length=4000)] = "",
) -> Json:
    """Review a title that you have borrowed; an earlier review of yours is replaced.

    Errors: `not_found`, `never_borrowed`, `same_review`.

    Args:
        title_id: Id of the title.
        stars: One to five.
        text: What you think.
    """
    title, member = state.titles.get(title_id), me(state)
    if all(title_of(state, row.copy_id).id != title.id for row in state.loans.find(member_id=member.id)):
        raise conflict(f"You have not borrowed {title.title} yet.", type="never_borrowed")
    known = state.reviews.first(title_id=title.id, member_id=member.id)
    if known is not None and (known.stars, known.text) == (stars, text):
        raise conflict("Your review says that already.", type="same_review")
    if known is not None:
        row = state.reviews.patch(known.id, stars=stars, text=text, written_on=ctx.today)
    else:
        row = state.reviews.create(title_id=title.id, member_id=member.id, stars=stars, text=text, written_on=ctx.today)
    return with_fields(row, title=title.title)


@service.tool(phrase="ask the library to buy {title} by {author}")
def request_purchase(
    state: LendingState,
    ctx: CallContext,
    title: Name,
    author: Annotated[str, f.Semantic("person"), Field(min_length=1, max_length=120)],
    reason: Body,
) -> Json:
    """Ask the library to buy something that it does not have; three requests in 30 days.

    Errors: `in_catalogue`, `already_requested`, `too_many_requests`, `blank_text`.

    Args:
        title: The title.
        author: Who wrote it.
        reason: Why others would read it, too.
    """
    member, clean = me(state), check_text(title, "title")
    known = next((row for row in state.titles if same(row.title, clean) and same(row.author, author)), None)
    if known is not None:
        raise conflict(f"The library has it ({known.id}); place a hold.", type="in_catalogue")
    if any(same(row.title, clean) and same(row.author, author) for row in state.purchase_requests):
        raise conflict(f"{clean} was asked for already.", type="already_requested")
    since = plus_days(ctx.today, -30)
    if sum(1 for row in state.purchase_requests.find(member_id=member.id) if row.requested_on > since) >= REQUESTS:
        raise conflict(f"You made {REQUESTS} requests in 30 days; wait.", type="too_many_requests")
    row = state.purchase_requests.create(
        member_id=member.id,
        title=clean,
        author=check_text(author, "author"),
        reason=check_text(reason, "reason"),
        status="under review",
        requested_on=ctx.today,
    )
    return with_fields(row, member_name=member.name)


@service.tool()
def list_purchase_requests(
    state: LendingState,
    ctx: CallContext,
    query: Query | None = None,
    status: RequestStatus | None = None,
    own_only: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List purchase requests of all readers with the library's answers, the latest first.

    Args:
        query: Words of title, author, reason or answer.
        status: Only requests in this status.
        own_only: Only your own.
        limit: At most so many requests.
        cursor: next_cursor of the previous page.
    """
    found = search(state.purchase_requests, query, lambda row: (row.title, row.author, row.reason, row.answer))
    found = [row for row in keep(found, status=status) if row.member_id == me(state).id or not own_only]
    found = newest_first(found, "requested_on")
    page = cursor_page("requests", found, limit, cursor)
    page["requests"] = [with_fields(row, member_name=state.members.get(row.member_id).name) for row in page["requests"]]
    return page


def _event(state: LendingState, event: Event) -> Json:
    taken = state.registrations.count(event_id=event.id)
    mine = state.registrations.first(event_id=event.id, member_id=me(state).id)
    branch = state.branches.get(event.branch_id).name
    return with_fields(event, branch=branch, places_left=event.places - taken, registered=mine is not None)


@service.tool()
def search_events(  # noqa: PLR0913, PLR0917 - one per filter
    state: LendingState,
    ctx: CallContext,
    query: Query | None = None,
    branch_id: BranchId | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    registered_only: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find talks and courses in the branches by words, branch and day, the earliest first, with places left.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words of title, speaker or description.
        branch_id: Only events at this branch.
        from_date: Only events on this day or later.
        to_date: Only events on this day or earlier.
        registered_only: Only events for which you are registered.
        limit: At most so many events.
        cursor: next_cursor of the previous page.
    """
    found = search(state.events, query, lambda row: (row.title, row.speaker, row.description))
    found = within(keep(found, branch_id=branch_id), "starts_at", from_date, to_date)
    rows = [_event(state, row) for row in sorted(found, key=lambda row: (row.starts_at, row.id))]
    return cursor_page("events", [row for row in rows if row["registered"] or not registered_only], limit, cursor)


@service.tool(phrase="register for the event {event_id}")
def register_for_event(state: LendingState, ctx: CallContext, event_id: EventId) -> Json:
    """Register for an event to come that has places and does not clash with another of yours.

    Errors: `not_found`, `event_over`, `already_registered`, `event_full`, `event_clash`.

    Args:
        event_id: Id of the event.
    """
    event, member = state.events.get(event_id), me(state)
    if event.starts_at <= ctx.now:
        raise conflict(f"{event.title} began at {event.starts_at}.", type="event_over")
    own = state.registrations.find(member_id=member.id)
    if any(row.event_id == event.id for row in own):
        raise conflict(f"You are registered for {event.title}.", type="already_registered")
    if state.registrations.count(event_id=event.id) >= event.places:
        raise conflict(f"All {event.places} places of {event.title} are taken.", type="event_full")
    for row in own:
        other = state.events.get(row.event_id)
        end = plus_minutes(other.starts_at, other.minutes)
        if other.starts_at < plus_minutes(event.starts_at, event.minutes) and event.starts_at < end:
            raise conflict(f"{other.title} is at the same time.", type="event_clash")
    state.registrations.create(event_id=event.id, member_id=member.id, registered_at=ctx.now)
    return _event(state, event)


@service.tool(phrase="cancel the registration for the event {event_id}")
def cancel_event_registration(state: LendingState, ctx: CallContext, event_id: EventId) -> Json:
    """Give your place at an event to come back.

    Errors: `not_found`, `not_registered`, `event_over`.

    Args:
        event_id: Id of the event.
    """
    event = state.events.get(event_id)
    row = state.registrations.first(event_id=event.id, member_id=me(state).id)
    if row is None:
        raise conflict(f"You are not registered for {event.title}.", type="not_registered")
    if event.starts_at <= ctx.now:
        raise conflict(f"{event.title} began at {event.starts_at}.", type="event_over")
    state.registrations.delete(row.id)
    return _event(state, event)
