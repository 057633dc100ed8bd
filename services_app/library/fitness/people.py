"""Tools for other athletes: finding and following them, their activities, kudos, comments, and what the club posts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.fitness.activities import ActivityId
from services_app.library.fitness.figures import activity_shown, me, seen, totals, visible
from services_app.library.fitness.state import Athlete, FitnessState, PostStatus, Sport, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    with_fields,
    within,
)

AthleteId = Annotated[str, f.ref("athletes")]


def _athlete(state: FitnessState, athlete: Athlete) -> Json:
    follow = state.follows.first(athlete_id=athlete.id)
    shown = [row for row in state.activities.find(athlete_id=athlete.id) if visible(state, row)]
    return with_fields(athlete, follow_status=follow.status if follow else None, shown_to_you=totals(shown))


@service.tool()
def search_athletes(
    state: FitnessState,
    ctx: CallContext,
    query: Query | None = None,
    city: Annotated[str, f.Semantic("place"), Field(min_length=1, max_length=80)] | None = None,
    following_only: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find athletes by name, email or company, with whether you follow them and what they show you.

    Args:
        query: Words that must all occur.
        city: Only athletes of this city.
        following_only: Only those whom you follow.
        limit: At most so many athletes.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.athletes, query, lambda row: (row.name, row.email, row.company)), city=city)
    followed = {row.athlete_id for row in state.follows.find(status="following")}
    found = [row for row in found if row.id in followed or not following_only]
    found.sort(key=lambda row: (row.name, row.id))
    page = cursor_page("athletes", found, limit, cursor)
    page["athletes"] = [_athlete(state, row) for row in page["athletes"]]
    return page


@service.tool(phrase="follow the athlete {athlete_id}")
def follow_athlete(state: FitnessState, ctx: CallContext, athlete_id: AthleteId) -> Json:
    """Follow somebody; a private athlete has to accept first.

    Errors: `not_found`, `already_following`, `already_requested`, `yourself`.

    Args:
        athlete_id: Id of the athlete.
    """
    athlete = state.athletes.get(athlete_id)
    if athlete.id == me(state).id:
        raise invalid("You cannot follow yourself.", type="yourself")
    known = state.follows.first(athlete_id=athlete.id)
    if known is not None and known.status == "following":
        raise conflict(f"You follow {athlete.name} already.", type="already_following")
    if known is not None:
        raise conflict(f"{athlete.name} has not accepted yet; wait.", type="already_requested")
    status = "requested" if athlete.private else "following"
    state.follows.create(athlete_id=athlete.id, status=status, since=ctx.now)
    return _athlete(state, athlete)


@service.tool(phrase="stop following the athlete {athlete_id}")
def unfollow_athlete(state: FitnessState, ctx: CallContext, athlete_id: AthleteId) -> Json:
    """Stop following somebody, or take a request back.

    Errors: `not_found`, `not_following`.

    Args:
        athlete_id: Id of the athlete.
    """
    athlete = state.athletes.get(athlete_id)
    known = state.follows.first(athlete_id=athlete.id)
    if known is None:
        raise conflict(f"You do not follow {athlete.name}.", type="not_following")
    state.follows.delete(known.id)
    return _athlete(state, athlete)


@service.tool()
def get_activity_feed(
    state: FitnessState,
    ctx: CallContext,
    athlete_id: AthleteId | None = None,
    sport: Sport | None = None,
    from_date: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Show the activities of those whom you follow, the latest first.

    Errors: `invalid_date`.

    Args:
        athlete_id: Only activities of this athlete.
        sport: Only this sport.
        from_date: Only activities on this day or later.
        limit: At most so many activities.
        cursor: next_cursor of the previous page.
    """
    followed = {row.athlete_id for row in state.follows.find(status="following")}
    found = [row for row in state.activities if row.athlete_id in followed and visible(state, row)]
    found = within(keep(found, athlete_id=athlete_id, sport=sport), "started_at", from_date, None)
    found = newest_first(found, "started_at")
    page = cursor_page("activities", found, limit, cursor)
    page["activities"] = [activity_shown(state, row) for row in page["activities"]]
    return page


@service.tool(phrase="give kudos to the activity {activity_id}")
def add_kudos(state: FitnessState, ctx: CallContext, activity_id: ActivityId) -> Json:
    """Add kudos to an activity of somebody else.

    Errors: `not_found`, `not_visible`, `own_activity`, `already_given`.

    Args:
        activity_id: Id of the activity.
    """
    row, athlete = seen(state, activity_id), me(state)
    if row.athlete_id == athlete.id:
        raise invalid("Kudos are for the activities of others.", type="own_activity")
    if state.kudos.first(activity_id=row.id, athlete_id=athlete.id):
        raise conflict(f"You gave kudos to {row.id} already.", type="already_given")
    state.kudos.create(activity_id=row.id, athlete_id=athlete.id, given_at=ctx.now)
    return activity_shown(state, row)


@service.tool(phrase="comment on the activity {activity_id}: {text}")
def add_activity_comment(
    state: FitnessState,
    ctx: CallContext,
    activity_id: ActivityId,
    text: Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=2000)],
) -> Json:
    """Comment on an activity that you can see.

    Errors: `not_found`, `not_visible`, `blank_text`.

    Args:
        activity_id: Id of the activity.
        text: The comment.
    """
    row, clean = seen(state, activity_id), check_text(text, "comment")
    comment = state.activity_comments.create(
        activity_id=row.id, athlete_id=me(state).id, text=clean, written_at=ctx.now
    )
    return with_fields(comment, activity_name=row.name)


@service.tool()
def search_club_posts(
    state: FitnessState,
    ctx: CallContext,
    query: Query | None = None,
    author: Annotated[str, f.Semantic("person"), Field(min_length=1, max_length=120)] | None = None,
    status: PostStatus = "current",
    limit: Limit = 10,
    cursor: Cursor = "",
) -> Json:
    """Find posts of the Larkfield club (rules, plans, meeting points) with their full text, the latest first.

    Args:
        query: Words that must all occur in title or text.
        author: Only posts by the person of this name.
        status: Posts that hold now, or those that were replaced.
        limit: At most so many posts.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.club_posts, query, lambda row: (row.title, row.body)), status=status)
    found = [row for row in found if author is None or same(row.author_name, author)]
    found = newest_first(found, "posted_on")
    return cursor_page("posts", found, limit, cursor)
