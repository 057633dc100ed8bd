"""Tools for activities and the gear they wear out."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.fitness.figures import (
    SPEED,
    activity_shown,
    gear_shown,
    me,
    mine,
    own,
    period_start,
    seen,
    totals,
)
from services_app.library.fitness.state import (
    GEAR_OF,
    Activity,
    FitnessState,
    GearKind,
    Period,
    Sport,
    Visibility,
    service,
)
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_date,
    check_text,
    check_time,
    cursor_page,
    keep,
    plus_days,
    plus_minutes,
    same,
    search,
    some_changes,
    with_fields,
    within,
)

ActivityId = Annotated[str, f.ref("activities")]
GearId = Annotated[str, f.ref("gear")]
Distance = Annotated[float, f.Semantic("count", unit="kilometres"), Field(ge=0, le=600)]
Duration = Annotated[int, f.duration("minutes"), Field(ge=1, le=1440)]
SortBy = Annotated[Literal["started_at", "distance", "minutes"], LABEL]
Text = Annotated[str, f.Semantic("text"), Field(max_length=4000)]


@service.tool()
def list_activities(  # noqa: PLR0913, PLR0917 - one per filter
    state: FitnessState,
    ctx: CallContext,
    query: Query | None = None,
    sport: Sport | None = None,
    gear_id: GearId | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    sort: SortBy = "started_at",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List your own activities with speed, pace and effort, the latest or greatest first.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the name or the description.
        sport: Only this sport.
        gear_id: Only activities with this gear.
        from_date: Only activities on this day or later.
        to_date: Only activities on this day or earlier.
        sort: What puts an activity first: latest start, longest distance or longest time.
        limit: At most so many activities.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(mine(state), query, lambda row: (row.name, row.description)), sport=sport, gear_id=gear_id)
    found = within(found, "started_at", from_date, to_date)
    found.sort(key=lambda row: (getattr(row, sort), row.id), reverse=True)
    page = cursor_page("activities", found, limit, cursor)
    page["activities"] = [activity_shown(state, row) for row in page["activities"]]
    return page


@service.tool()
def get_activity(state: FitnessState, ctx: CallContext, activity_id: ActivityId) -> Json:
    """Show an activity of yours or of somebody who lets you see it, with gear, kudos and comments.

    Errors: `not_found`, `not_visible`.

    Args:
        activity_id: Id of the activity.
    """
    row = seen(state, activity_id)
    names = {athlete.id: athlete.name for athlete in state.athletes}
    talk = [
        with_fields(comment, author_name=names[comment.athlete_id])
        for comment in state.activity_comments.find(activity_id=row.id)
    ]
    return {
        **activity_shown(state, row),
        "gear": gear_shown(state, state.gear.get(row.gear_id)) if row.gear_id else None,
        "kudos_from": [names[kudo.athlete_id] for kudo in state.kudos.find(activity_id=row.id)],
        "comments": talk,
    }


@service.tool(phrase="log the {sport} {name} of {minutes} minutes that began at {started_at}")
def create_activity(  # noqa: PLR0913, PLR0917 - one per field
    state: FitnessState,
    ctx: CallContext,
    name: Name,
    sport: Sport,
    started_at: f.Timestamp,
    minutes: Duration,
    distance: Distance = 0.0,
    climb: Annotated[int, f.count("metres"), Field(ge=0, le=9000)] = 0,
    description: Text = "",
    gear_id: GearId | None = None,
    visibility: Visibility = "followers",
) -> Json:
    """Log an activity by hand.

    Errors: `not_found`, `invalid_time`, `in_the_future`, `overlapping_activity`, `implausible_speed`, `wrong_gear`,
    `gear_retired`, `blank_text`.

    Args:
        name: What to call it.
        sport: The sport.
        started_at: When it began.
        minutes: How long it took.
        distance: Kilometres; none for strength and yoga.
        climb: Metres uphill.
        description: How it was.
        gear_id: Shoes or bike.
        visibility: Who may see it.
    """
    start, end = check_time(started_at), plus_minutes(started_at, minutes)
    if end > ctx.now:
        raise invalid(f"It would end at {end}; it is now {ctx.now}.", type="in_the_future")
    for other in mine(state):
        if other.started_at < end and start < plus_minutes(other.started_at, other.minutes):
            raise conflict(f"{other.id} ({other.name}) is at the same time.", type="overlapping_activity")
    if distance / (minutes / 60) > SPEED[sport]:
        raise invalid(
            f"{distance} km in {minutes} minutes is more than {SPEED[sport]} km/h for a {sport}.",
            type="implausible_speed",
        )
    if gear_id is not None:
        _check_gear(state, gear_id, sport)
    row = state.activities.create(
        athlete_id=me(state).id,
        name=check_text(name, "name"),
        sport=sport,
        started_at=start,
        minutes=minutes,
        distance=distance,
        climb=climb,
        description=description,
        gear_id=gear_id,
        visibility=visibility,
    )
    return activity_shown(state, row)


def _check_gear(state: FitnessState, gear_id: str, sport: str) -> None:
    gear = state.gear.get(gear_id)
    if GEAR_OF.get(sport) != gear.kind:
        raise invalid(f"A {sport} is not done with {gear.kind}.", type="wrong_gear")
    if gear.retired:
        raise conflict(f"{gear.name} is retired; choose other gear.", type="gear_retired")


@service.tool(phrase="update the activity {activity_id}")
def update_activity(
    state: FitnessState,
    ctx: CallContext,
    activity_id: ActivityId,
    name: Name | Unset = UNSET,
    description: Text | Unset = UNSET,
    gear_id: GearId | Unset | None = UNSET,
    visibility: Visibility | Unset = UNSET,
) -> Json:
    """Change name, description, gear or visibility of an activity of yours; what is not sent stays as it is.

    Errors: `not_found`, `not_yours`, `nothing_to_change`, `wrong_gear`, `gear_retired`, `blank_text`.

    Args:
        activity_id: Id of the activity.
        name: New name.
        description: New description.
        gear_id: Other gear; null for none.
        visibility: Who may see it.
    """
    row = own(state, activity_id)
    changes = some_changes(given(name=name, description=description, gear_id=gear_id, visibility=visibility))
    if "name" in changes:
        changes["name"] = check_text(changes["name"], "name")
    if changes.get("gear_id") is not None:
        _check_gear(state, changes["gear_id"], row.sport)
    return activity_shown(state, state.activities.patch(row.id, **changes))


@service.tool(phrase="delete the activity {activity_id}")
def delete_activity(state: FitnessState, ctx: CallContext, activity_id: ActivityId) -> Json:
    """Delete an activity of yours with its kudos and comments; a workout that it fulfilled is open again.

    Errors: `not_found`, `not_yours`.

    Args:
        activity_id: Id of the activity.
    """
    row = own(state, activity_id)
    kudos, talk = state.kudos.find(activity_id=row.id), state.activity_comments.find(activity_id=row.id)
    for kudo in kudos:
        state.kudos.delete(kudo.id)
    for comment in talk:
        state.activity_comments.delete(comment.id)
    for workout in state.workouts.find(activity_id=row.id):
        state.workouts.patch(workout.id, activity_id=None)
    state.activities.delete(row.id)
    return {"id": row.id, "name": row.name, "deleted": True, "kudos_lost": len(kudos), "comments_lost": len(talk)}


@service.tool()
def get_training_summary(
    state: FitnessState,
    ctx: CallContext,
    period: Period = "week",
    date: f.Date | None = None,
    sport: Sport | None = None,
) -> Json:
    """Show what you did in a week, month or year: totals, by sport, and the change against the period before.

    Errors: `invalid_date`.

    Args:
        period: Length of the period.
        date: A day of the period; today when left out.
        sport: Only this sport.
    """
    day = check_date(date or ctx.today)
    start = period_start(day, period)
    before = period_start(plus_days(start, -1), period)
    rows = keep(mine(state), sport=sport)
    now = [row for row in rows if start <= row.started_at[:10] and period_start(row.started_at[:10], period) == start]
    earlier = [row for row in rows if before <= row.started_at[:10] < start]
    sports = sorted({row.sport for row in now})
    return {
        "period": period,
        "starts_on": start,
        "total": totals(now),
        "by_sport": [{"sport": one, **totals(keep(now, sport=one))} for one in sports],
        "period_before": totals(earlier),
        "more_minutes": sum(row.minutes for row in now) - sum(row.minutes for row in earlier),
    }


@service.tool()
def get_personal_records(state: FitnessState, ctx: CallContext, sport: Sport = "run") -> Json:
    """Show your records in a sport: longest in distance and time, most climb, fastest over 5, 10 and 20 kilometres.

    Args:
        sport: The sport.
    """
    rows = keep(mine(state), sport=sport)
    longest = max(rows, key=lambda row: (row.distance, row.id), default=None)
    lasting = max(rows, key=lambda row: (row.minutes, row.id), default=None)
    steepest = max(rows, key=lambda row: (row.climb, row.id), default=None)
    return {
        "sport": sport,
        "longest": activity_shown(state, longest) if longest else None,
        "longest_time": activity_shown(state, lasting) if lasting else None,
        "most_climb": activity_shown(state, steepest) if steepest else None,
        "fastest": [_fastest(state, rows, distance) for distance in (5, 10, 20)],
    }


def _fastest(state: FitnessState, rows: list[Activity], distance: int) -> Json:
    """The activity of at least this distance with the best pace."""
    far = [row for row in rows if row.distance >= distance]
    best = min(far, key=lambda row: (row.minutes / row.distance, row.id), default=None)
    return {"over": distance, "activity": activity_shown(state, best) if best else None}


@service.tool()
def list_gear(
    state: FitnessState,
    ctx: CallContext,
    kind: GearKind | None = None,
    query: Query | None = None,
    include_retired: bool = False,
) -> Json:
    """List your shoes and bikes with the kilometres gone and left.

    Args:
        kind: Only shoes or only bikes.
        query: Words of the name or the model.
        include_retired: Also what is no longer used.
    """
    found = keep(search(state.gear, query, lambda row: (row.name, row.model)), kind=kind)
    return {"gear": [gear_shown(state, row) for row in found if include_retired or not row.retired]}


@service.tool(phrase="add the {kind} {name} to your gear")
def add_gear(
    state: FitnessState,
    ctx: CallContext,
    name: Name,
    kind: GearKind,
    model: Annotated[str, f.Semantic("product"), Field(max_length=120)] = "",
    lasts: Annotated[float, f.Semantic("count", unit="kilometres"), Field(gt=0, le=100_000)] = 700.0,
) -> Json:
    """Add shoes or a bike; from then on activities can name them.

    Errors: `name_taken`, `blank_text`.

    Args:
        name: What you call it.
        kind: Shoes or bike.
        model: Maker and model.
        lasts: After how many kilometres it is worn out.
    """
    if any(same(row.name, name) for row in state.gear):
        raise conflict(f"There is gear called {name} already; choose another name.", type="name_taken")
    row = state.gear.create(
        name=check_text(name, "name"), kind=kind, model=model, bought_on=ctx.today, earlier_distance=0.0, lasts=lasts
    )
    return gear_shown(state, row)


@service.tool(phrase="retire the gear {gear_id}")
def retire_gear(state: FitnessState, ctx: CallContext, gear_id: GearId) -> Json:
    """Retire shoes or a bike; its activities stay, new ones cannot name it.

    Errors: `not_found`, `gear_retired`.

    Args:
        gear_id: Id of the gear.
    """
    row = state.gear.get(gear_id)
    if row.retired:
        raise conflict(f"{row.name} is retired already.", type="gear_retired")
    return gear_shown(state, state.gear.patch(row.id, retired=True))
