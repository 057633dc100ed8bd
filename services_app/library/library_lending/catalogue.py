"""Tools for the catalogue, the branches and the rules of the house."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.library_lending.figures import copy_status, open_loan, queue
from services_app.library.library_lending.state import (
    Copy,
    Format,
    LendingState,
    RuleStatus,
    Subject,
    Title,
    service,
)
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    cursor_page,
    guide_pages,
    keep,
    mean,
    search,
    weekday_of,
    with_fields,
)

TitleId = Annotated[str, f.ref("titles")]
BranchId = Annotated[str, f.ref("branches")]
Order = Annotated[Literal["title", "newest", "rating"], LABEL]


def _rating(state: LendingState, title: Title) -> float | None:
    return mean([row.stars for row in state.reviews.find(title_id=title.id)])


def _row(state: LendingState, title: Title) -> Json:
    copies = state.copies.find(title_id=title.id)
    free = [row for row in copies if copy_status(state, row) == "available"]
    return with_fields(
        title,
        copies=len(copies),
        available_copies=len(free),
        holds=len(queue(state, title.id)),
        rating=_rating(state, title),
    )


@service.tool()
def search_catalog(  # noqa: PLR0913, PLR0917 - one per filter
    state: LendingState,
    ctx: CallContext,
    query: Query | None = None,
    subject: Subject | None = None,
    format: Format | None = None,
    available_at: BranchId | None = None,
    sort: Order = "title",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find titles by words of title, author, ISBN or summary, with copies that are available and holds that wait.

    Args:
        query: Words that must all occur.
        subject: Only this subject.
        format: Only books, audiobooks, films or magazines.
        available_at: Only titles with a copy on the shelf of this branch.
        sort: By title, by year with the newest first, or by rating with the best first.
        limit: At most so many titles.
        cursor: next_cursor of the previous page.
    """
    found = search(state.titles, query, lambda row: (row.title, row.author, row.isbn, row.summary))
    found = keep(found, subject=subject, format=format)
    if available_at is not None:
        here = state.copies.find(branch_id=available_at)
        free = {row.title_id for row in here if copy_status(state, row) == "available"}
        found = [row for row in found if row.id in free]
    if sort == "rating":
        found.sort(key=lambda row: (-(_rating(state, row) or 0.0), row.title, row.id))
    else:
        found.sort(key=lambda row: (-row.year if sort == "newest" else 0, row.title, row.id))
    page = cursor_page("titles", found, limit, cursor)
    page["titles"] = [_row(state, row) for row in page["titles"]]
    return page


@service.tool()
def get_title(state: LendingState, ctx: CallContext, title_id: TitleId) -> Json:
    """Show a title with every copy, where it is and when it is due, the queue, and reviews.

    Errors: `not_found`.

    Args:
        title_id: Id of the title.
    """
    title = state.titles.get(title_id)
    names = {row.id: row.name for row in state.members}
    return {
        **_row(state, title),
        "copies": [_copy(state, row) for row in state.copies.find(title_id=title.id)],
        "reviews": [
            with_fields(row, member_name=names[row.member_id]) for row in state.reviews.find(title_id=title.id)
        ],
    }


def _copy(state: LendingState, copy: Copy) -> Json:
    loan = open_loan(state, copy.id)
    branch = state.branches.get(copy.branch_id).name
    return with_fields(copy, branch=branch, status=copy_status(state, copy), due_on=loan.due_on if loan else None)


@service.tool()
def list_branches(
    state: LendingState, ctx: CallContext, query: Query | None = None, open_on: f.Date | None = None
) -> Json:
    """List branches with address, opening hours and the weekday on which they are closed.

    Errors: `invalid_date`.

    Args:
        query: Words of the name or the address.
        open_on: Only branches that are open on this day.
    """
    found = search(state.branches, query, lambda row: (row.name, row.address))
    if open_on is not None:
        day = weekday_of(check_date(open_on))
        found = [row for row in found if row.closed_on != day]
    return {"branches": found}


@service.tool()
def search_house_rules(
    state: LendingState,
    ctx: CallContext,
    query: Query | None = None,
    status: RuleStatus = "current",
    limit: Limit = 10,
    cursor: Cursor = "",
) -> Json:
    """Find rules of the house (loan periods, fees, holds, the study rooms) with their full text, the latest first.

    Args:
        query: Words that must all occur in title or text.
        status: Rules that hold now, or those that were replaced.
        limit: At most so many rules.
        cursor: next_cursor of the previous page.
    """
    found = guide_pages(state.house_rules, query, status=status)
    return cursor_page("rules", found, limit, cursor)
