"""Tools for goals and for the training plan."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.fitness.activities import ActivityId, Text
from services_app.library.fitness.figures import activity_shown, goal_shown, own, period_start
from services_app.library.fitness.state import FitnessState, Intensity, Measure, Period, Sport, Workout, service
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Name,
    check_date,
    check_text,
    cursor_page,
    days_between,
    keep,
    plus_days,
    with_fields,
    within,
)

GoalId = Annotated[str, f.ref("goals")]
WorkoutId = Annotated[str, f.ref("workouts")]
WorkoutStatus = Annotated[Literal["planned", "done", "missed"], LABEL]
WEEK_MINUTES = 600


def _status(ctx: CallContext, workout: Workout) -> str:
    if workout.activity_id is not None:
        return "done"
    return "missed" if workout.date < ctx.today else "planned"


def _shown(state: FitnessState, ctx: CallContext, workout: Workout) -> Json:
    done = workout.activity_id
    return with_fields(
        workout,
        status=_status(ctx, workout),
        activity=activity_shown(state, state.activities.get(done)) if done else None,
    )


@service.tool()
def list_goals(state: FitnessState, ctx: CallContext, period: Period | None = None, sport: Sport | None = None) -> Json:
    """List your goals with what is done and left in the present week, month or year.

    Args:
        period: Only goals for this period.
        sport: Only goals in this sport.
    """
    return {"goals": [goal_shown(state, ctx, row) for row in keep(state.goals, period=period, sport=sport)]}


@service.tool(phrase="set the goal of {target} ({measure}) of {sport} each {period}")
def set_goal(
    state: FitnessState,
    ctx: CallContext,
    sport: Sport,
    measure: Measure,
    period: Period,
    target: Annotated[float, f.Semantic("count", unit="goal"), Field(gt=0, le=100_000)],
) -> Json:
    """Set a goal for each week, month or year; one that you have for the same gets the new target.

    Errors: `same_target`.

    Args:
        sport: The sport.
        measure: What is counted: kilometres, minutes or activities.
        period: How long a round lasts.
        target: How much is wanted.
    """
    known = state.goals.first(sport=sport, measure=measure, period=period)
    if known is not None and known.target == target:
        raise conflict(f"{known.id} has the target {target} already.", type="same_target")
    if known is not None:
        return goal_shown(state, ctx, state.goals.patch(known.id, target=target, set_on=ctx.today))
    row = state.goals.create(sport=sport, measure=measure, period=period, target=target, set_on=ctx.today)
    return goal_shown(state, ctx, row)


@service.tool(phrase="drop the goal {goal_id}")
def drop_goal(state: FitnessState, ctx: CallContext, goal_id: GoalId) -> Json:
    """Drop a goal.

    Errors: `not_found`.

    Args:
        goal_id: Id of the goal.
    """
    return goal_shown(state, ctx, state.goals.delete(goal_id))


@service.tool()
def list_planned_workouts(
    state: FitnessState,
    ctx: CallContext,
    status: WorkoutStatus | None = None,
    sport: Sport | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List the workouts of your training plan by date, with the activities that fulfilled them.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        status: Only planned, done or missed ones.
        sport: Only this sport.
        from_date: Only workouts on this day or later.
        to_date: Only workouts on this day or earlier.
        limit: At most so many workouts.
        cursor: next_cursor of the previous page.
    """
    found = within(keep(state.workouts, sport=sport), "date", from_date, to_date)
    found = [row for row in found if status is None or _status(ctx, row) == status]
    found.sort(key=lambda row: (row.date, row.id))
    page = cursor_page("workouts", found, limit, cursor)
    page["workouts"] = [_shown(state, ctx, row) for row in page["workouts"]]
    return page


@service.tool(phrase="plan {title}, {minutes} minutes of {sport}, for {date}")
def schedule_workout(
    state: FitnessState,
    ctx: CallContext,
    title: Name,
    date: f.Date,
    sport: Sport,
    minutes: Annotated[int, f.duration("minutes"), Field(ge=5, le=480)],
    intensity: Intensity = "easy",
    notes: Text = "",
) -> Json:
    """Plan a workout: one a day per sport, no hard days in a row, at most 600 minutes in a week.

    Errors: `invalid_date`, `in_the_past`, `too_far_ahead` (120 days at most), `day_taken`, `hard_days_in_a_row`,
    `week_too_full`, `blank_text`.

    Args:
        title: What to do.
        date: The day.
        sport: The sport.
        minutes: How long.
        intensity: How hard.
        notes: Details.
    """
    _check_day(state, ctx, date, sport, minutes, intensity)
    row = state.workouts.create(
        title=check_text(title, "title"), date=date, sport=sport, minutes=minutes, intensity=intensity, notes=notes
    )
    return _shown(state, ctx, row)


def _check_day(
    state: FitnessState, ctx: CallContext, date: str, sport: str, minutes: int, intensity: str, but: str = ""
) -> None:
    if check_date(date) < ctx.today:
        raise invalid(f"{date} is over; plan for today or later.", type="in_the_past")
    if days_between(ctx.today, date) > 120:
        raise invalid("A plan reaches 120 days ahead.", type="too_far_ahead")
    others = [row for row in state.workouts if row.id != but]
    for row in others:
        if row.date == date and row.sport == sport:
            raise conflict(f"{row.id} ({row.title}) is a {sport} on {date} already.", type="day_taken")
    near = (plus_days(date, -1), date, plus_days(date, 1))
    hard = [row for row in others if row.intensity == "hard" and row.date in near]
    if intensity == "hard" and hard:
        raise conflict(f"{hard[0].id} on {hard[0].date} is hard, too; rest a day between.", type="hard_days_in_a_row")
    week = period_start(date, "week")
    full = sum(row.minutes for row in others if period_start(row.date, "week") == week)
    if full + minutes > WEEK_MINUTES:
        raise conflict(f"The week of {week} has {full} of {WEEK_MINUTES} minutes.", type="week_too_full")


@service.tool(phrase="move the workout {workout_id} to {date}")
def move_workout(state: FitnessState, ctx: CallContext, workout_id: WorkoutId, date: f.Date) -> Json:
    """Move a workout that is not done to another day, under the rules of planning.

    Errors: `not_found`, `already_done`, `same_day`, `invalid_date`, `in_the_past`, `too_far_ahead`, `day_taken`,
    `hard_days_in_a_row`, `week_too_full`.

    Args:
        workout_id: Id of the workout.
        date: The new day.
    """
    row = _open(state, workout_id)
    if row.date == date:
        raise conflict(f"{row.title} is on {date} already.", type="same_day")
    _check_day(state, ctx, date, row.sport, row.minutes, row.intensity, row.id)
    return _shown(state, ctx, state.workouts.patch(row.id, date=date))


def _open(state: FitnessState, workout_id: str) -> Workout:
    row = state.workouts.get(workout_id)
    if row.activity_id is not None:
        raise conflict(f"{row.title} was done with {row.activity_id}.", type="already_done")
    return row


@service.tool(phrase="tick off the workout {workout_id} with the activity {activity_id}")
def complete_workout(state: FitnessState, ctx: CallContext, workout_id: WorkoutId, activity_id: ActivityId) -> Json:
    """Tick a planned workout off with an activity of yours of the same sport, at most three days off.

    Errors: `not_found`, `already_done`, `not_yours`, `sport_differs`, `too_far_off`, `activity_used`.

    Args:
        workout_id: Id of the workout.
        activity_id: Id of the activity.
    """
    row, activity = _open(state, workout_id), own(state, activity_id)
    if activity.sport != row.sport:
        raise conflict(f"{row.title} is a {row.sport}, {activity.name} a {activity.sport}.", type="sport_differs")
    if abs(days_between(row.date, activity.started_at)) > 3:
        raise conflict(f"{activity.name} was on {activity.started_at[:10]}, not near {row.date}.", type="too_far_off")
    used = state.workouts.first(activity_id=activity.id)
    if used is not None:
        raise conflict(f"{activity.id} fulfils {used.id} ({used.title}) already.", type="activity_used")
    return _shown(state, ctx, state.workouts.patch(row.id, activity_id=activity.id))
