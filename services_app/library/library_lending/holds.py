"""Tools for holds: standing in line for a title."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.library_lending.catalogue import BranchId, TitleId
from services_app.library.library_lending.figures import check_card, give_to_next, hold_shown, me, title_of
from services_app.library.library_lending.state import Hold, HoldStatus, LendingState, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    cursor_page,
    days_between,
    keep,
    search,
    some_changes,
)

HoldId = Annotated[str, f.ref("holds")]
MOST_HOLDS = 10
LIVE = ("waiting", "ready")


@service.tool()
def list_my_holds(
    state: LendingState,
    ctx: CallContext,
    status: HoldStatus | None = None,
    query: Query | None = None,
    pickup_branch_id: BranchId | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List your holds with place in the queue, or until when to collect, the oldest first.

    Args:
        status: Only holds in this status.
        query: Words of the title.
        pickup_branch_id: Only holds to collect at this branch.
        limit: At most so many holds.
        cursor: next_cursor of the previous page.
    """
    own = keep(state.holds.find(member_id=me(state).id), status=status, pickup_branch_id=pickup_branch_id)
    own = search(own, query, lambda row: (state.titles.get(row.title_id).title,))
    own.sort(key=lambda row: (row.placed_at, row.id))
    page = cursor_page("holds", own, limit, cursor)
    page["holds"] = [hold_shown(state, ctx, row) for row in page["holds"]]
    return page


@service.tool(phrase="place a hold on {title_id} for {pickup_branch_id}")
def place_hold(state: LendingState, ctx: CallContext, title_id: TitleId, pickup_branch_id: BranchId) -> Json:
    """Stand in line for a title, to collect it at a branch.

    Errors: `not_found`, `card_expired`, `blocked` (10 pounds are owed), `already_held`, `already_on_loan`,
    `too_many_holds` (10), `not_for_loan` (no copy can be borrowed).

    Args:
        title_id: Id of the title.
        pickup_branch_id: Branch where to collect it.
    """
    title, branch, member = state.titles.get(title_id), state.branches.get(pickup_branch_id), check_card(state, ctx)
    own = [row for row in state.holds.find(member_id=member.id) if row.status in LIVE]
    if any(row.title_id == title.id for row in own):
        raise conflict(f"You have a hold on {title.title} already.", type="already_held")
    loans = state.loans.find(member_id=member.id, returned_on=None, lost=False)
    if any(title_of(state, row.copy_id).id == title.id for row in loans):
        raise conflict(f"You have {title.title} at home.", type="already_on_loan")
    if len(own) >= MOST_HOLDS:
        raise conflict(f"You have {len(own)} holds; cancel one first.", type="too_many_holds")
    if all(row.lost or row.reference_only for row in state.copies.find(title_id=title.id)):
        raise conflict(f"No copy of {title.title} can be borrowed; request a purchase.", type="not_for_loan")
    row = state.holds.create(
        title_id=title.id, member_id=member.id, pickup_branch_id=branch.id, status="waiting", placed_at=ctx.now
    )
    return hold_shown(state, ctx, row)


def _own(state: LendingState, hold_id: str) -> Hold:
    hold = state.holds.get(hold_id)
    if hold.member_id != me(state).id:
        raise forbidden(f"{hold_id} is a hold of somebody else.", type="not_yours")
    if hold.status not in LIVE:
        raise conflict(f"{hold_id} is {hold.status}; only live holds can be changed.", type="hold_closed")
    return hold


@service.tool(phrase="change the hold {hold_id}")
def change_hold(
    state: LendingState,
    ctx: CallContext,
    hold_id: HoldId,
    pickup_branch_id: BranchId | Unset = UNSET,
    suspended_until: f.Date | Unset | None = UNSET,
) -> Json:
    """Change where a waiting hold is collected, or suspend it: others then go first, the place in line stays.

    Errors: `not_found`, `not_yours`, `hold_closed`, `already_ready`, `nothing_to_change`, `invalid_date`,
    `in_the_past`, `too_long` (180 days at most).

    Args:
        hold_id: Id of the hold.
        pickup_branch_id: Another branch.
        suspended_until: Day until which it rests; null to go on at once.
    """
    hold = _own(state, hold_id)
    if hold.status == "ready":
        raise conflict(f"{hold_id} waits on the hold shelf; collect it by {hold.collect_by}.", type="already_ready")
    changes = some_changes(given(pickup_branch_id=pickup_branch_id, suspended_until=suspended_until))
    if "pickup_branch_id" in changes:
        state.branches.get(changes["pickup_branch_id"])
    until = changes.get("suspended_until")
    if until is not None:
        if check_date(until) <= ctx.today:
            raise invalid(f"{until} is not to come; suspend until a later day.", type="in_the_past")
        if days_between(ctx.today, until) > 180:
            raise invalid("A hold rests for 180 days at most.", type="too_long")
    return hold_shown(state, ctx, state.holds.patch(hold.id, **changes))


@service.tool(phrase="cancel the hold {hold_id}")
def cancel_hold(state: LendingState, ctx: CallContext, hold_id: HoldId) -> Json:
    """Cancel a hold; a copy that waits for it goes to the next reader.

    Errors: `not_found`, `not_yours`, `hold_closed`.

    Args:
        hold_id: Id of the hold.
    """
    hold = _own(state, hold_id)
    closed = state.holds.patch(hold.id, status="cancelled", collect_by=None)
    if hold.copy_id is not None:
        give_to_next(state, ctx, state.copies.get(hold.copy_id))
    return hold_shown(state, ctx, closed)
