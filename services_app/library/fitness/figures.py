"""What follows from activities: pace, wear, progress, records and ranks, and who may see what."""

from __future__ import annotations

from collections.abc import Iterable

from services_app.engine import CallContext, forbidden, not_found
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.fitness.state import Activity, Athlete, Challenge, FitnessState, Gear, Goal
from services_app.library.shared import Json, plus_days, with_fields

# sport -> the fastest believable speed in km/h, and the effort of one minute
SPEED = {"run": 24.0, "ride": 60.0, "swim": 7.0, "walk": 9.0, "hike": 9.0, "strength": 0.0, "yoga": 0.0}
EFFORT = {"run": 1.4, "ride": 1.0, "swim": 1.5, "walk": 0.5, "hike": 0.9, "strength": 1.1, "yoga": 0.4}


def me(state: FitnessState) -> Athlete:
    """The signed-in athlete."""
    athlete = state.athletes.first(email=ME.email)
    if athlete is None:
        raise not_found("athlete", ME.email)
    return athlete


def mine(state: FitnessState) -> list[Activity]:
    return state.activities.find(athlete_id=me(state).id)


def visible(state: FitnessState, activity: Activity) -> bool:
    """Whether the signed-in athlete may see an activity."""
    if activity.athlete_id == me(state).id or activity.visibility == "everyone":
        return True
    follow = state.follows.first(athlete_id=activity.athlete_id, status="following")
    return activity.visibility == "followers" and follow is not None


def seen(state: FitnessState, activity_id: str) -> Activity:
    """An activity that may be seen; 403 `not_visible` otherwise."""
    activity = state.activities.get(activity_id)
    if not visible(state, activity):
        raise forbidden("Its athlete does not show this activity to you.", type="not_visible")
    return activity


def own(state: FitnessState, activity_id: str) -> Activity:
    """An activity of the signed-in athlete; 403 `not_yours` otherwise."""
    activity = state.activities.get(activity_id)
    if activity.athlete_id != me(state).id:
        raise forbidden(f"{activity_id} belongs to somebody else; only your own can be changed.", type="not_yours")
    return activity


def activity_shown(state: FitnessState, activity: Activity) -> Json:
    """An activity with its athlete, speed, pace, effort and kudos."""
    hours = activity.minutes / 60
    return with_fields(
        activity,
        athlete_name=state.athletes.get(activity.athlete_id).name,
        speed=round(activity.distance / hours, 1),
        pace=round(activity.minutes / activity.distance, 2) if activity.distance else None,
        effort=round(activity.minutes * EFFORT[activity.sport] + activity.climb / 20),
        kudos=state.kudos.count(activity_id=activity.id),
        comments=state.activity_comments.count(activity_id=activity.id),
    )


def gear_shown(state: FitnessState, gear: Gear) -> Json:
    """Gear with the kilometres it has gone and has left."""
    gone = gear.earlier_distance + sum(row.distance for row in state.activities.find(gear_id=gear.id))
    return with_fields(gear, distance=round(gone, 1), left=round(gear.lasts - gone, 1), worn_out=gone >= gear.lasts)


def measured(rows: Iterable[Activity], measure: str) -> float:
    """Kilometres, minutes or number of activities."""
    found = list(rows)
    if measure == "distance":
        return round(sum(row.distance for row in found), 1)
    return float(sum(row.minutes for row in found) if measure == "time" else len(found))


def totals(rows: Iterable[Activity]) -> Json:
    found = list(rows)
    return {
        "activities": len(found),
        "distance": measured(found, "distance"),
        "minutes": sum(row.minutes for row in found),
        "climb": sum(row.climb for row in found),
    }


def period_start(today: str, period: str) -> str:
    """First day of the week (a Monday), month or year that `today` lies in."""
    if period == "week":
        return plus_days(today, -f.parse_date(today).weekday())
    return f"{today[:7]}-01" if period == "month" else f"{today[:4]}-01-01"


def goal_shown(state: FitnessState, ctx: CallContext, goal: Goal) -> Json:
    """A goal with what is done of it in the present period."""
    start = period_start(ctx.today, goal.period)
    rows = [row for row in mine(state) if row.sport == goal.sport and start <= row.started_at[:10] <= ctx.today]
    done = measured(rows, goal.measure)
    left = max(round(goal.target - done, 1), 0.0)
    return with_fields(goal, period_starts=start, done=done, left=left, reached=done >= goal.target)


def leaderboard(state: FitnessState, challenge: Challenge) -> list[Json]:
    """Participants by what they have done; equal figures share a rank."""
    rows: list[Json] = []
    for entry in state.participations.find(challenge_id=challenge.id):
        counted = [
            row
            for row in state.activities.find(athlete_id=entry.athlete_id, sport=challenge.sport)
            if challenge.starts_on <= row.started_at[:10] <= challenge.ends_on
            and row.distance >= challenge.at_least
            and row.visibility != "only_me"
        ]
        athlete = state.athletes.get(entry.athlete_id)
        score = measured(counted, challenge.measure)
        rows.append(
            {"athlete_id": athlete.id, "name": athlete.name, "score": score, "reached": score >= challenge.target}
        )
    rows.sort(key=lambda row: (-row["score"], row["name"]))
    return [{"rank": 1 + len([other for other in rows if other["score"] > row["score"]]), **row} for row in rows]


def challenge_status(ctx: CallContext, challenge: Challenge) -> str:
    if ctx.today < challenge.starts_on:
        return "upcoming"
    return "ended" if ctx.today > challenge.ends_on else "running"
