"""Situations in fitness; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.engine import Edit
from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import added, ok, one, rows

SLUG = "fitness"
PEOPLE += [(SLUG, "athletes")]
ME = "ATH-001"


def run(env: Env, **more: Any) -> dict[str, Any]:
    """Arguments of a run this morning."""
    base = {"name": "Run", "sport": "run", "started_at": "2026-03-02T06:00:00Z", "minutes": 60, "distance": 10.0}
    return {**base, **more}


def athlete(number: int = 0, **more: Any) -> dict[str, Any]:
    base = {
        "id": f"ATH-9{number:02d}",
        "name": f"Agnes Example {number}",
        "email": f"agnes.{number}@athletes.example",
        "city": "London",
        "company": "",
        "private": False,
    }
    return {**base, **more}


def theirs(env: Env, visibility: str) -> Env:
    """Somebody else's run, shown to some."""
    env = added(env, SLUG, "athletes", athlete())
    record = {**run(env), "id": "ACT-9000", "athlete_id": "ATH-900", "climb": 10, "visibility": visibility}
    return added(env, SLUG, "activities", record)


def workout(env: Env, date: str, **more: Any) -> dict[str, Any]:
    return {"title": "Work", "date": date, "sport": "hike", "minutes": 60, **more}


def planned(env: Env, date: str, **more: Any) -> tuple[Env, str]:
    made = ok(env, SLUG, "schedule_workout", **workout(env, date, **more))
    return env, str(made["id"])


def challenge(env: Env, number: int = 0, **more: Any) -> dict[str, Any]:
    base = {
        "id": f"CHL-9{number:02d}",
        "title": f"Challenge {number}",
        "organiser_email": "agnes.0@athletes.example",
        "sport": "run",
        "measure": "distance",
        "target": 10.0,
        "at_least": 2.0,
        "starts_on": "2026-03-01",
        "ends_on": "2026-03-31",
        "places": 2,
        "rules": "Run.",
    }
    return {**base, **more}


@case(SLUG, "create_activity", "overlapping_activity")
def _(env: Env) -> Situation:
    ok(env, SLUG, "create_activity", **run(env))
    return env, run(env, started_at="2026-03-02T06:30:00Z")


@case(SLUG, "create_activity", "gear_retired")
def _(env: Env) -> Situation:
    return env, run(env, gear_id=one(env, SLUG, "gear", name="Old runners")["id"])


@case(SLUG, "create_activity", "wrong_gear")
def _(env: Env) -> Situation:
    return env, run(env, gear_id=one(env, SLUG, "gear", name="Commuter")["id"])


@case(SLUG, "create_activity", "blank_text")
def _(env: Env) -> Situation:
    return env, run(env, name="   ")


@case(SLUG, "create_activity", "implausible_speed")
def _(env: Env) -> Situation:
    return env, run(env, distance=40.0)


@case(SLUG, "update_activity", "gear_retired")
def _(env: Env) -> Situation:
    made = ok(env, SLUG, "create_activity", **run(env))
    return env, {"activity_id": made["id"], "gear_id": one(env, SLUG, "gear", name="Old runners")["id"]}


@case(SLUG, "update_activity", "wrong_gear")
def _(env: Env) -> Situation:
    made = ok(env, SLUG, "create_activity", **run(env))
    return env, {"activity_id": made["id"], "gear_id": one(env, SLUG, "gear", name="Commuter")["id"]}


@case(SLUG, "update_activity", "blank_text")
def _(env: Env) -> Situation:
    made = ok(env, SLUG, "create_activity", **run(env))
    return env, {"activity_id": made["id"], "name": "  "}


for _tool in ("get_activity", "add_kudos", "add_activity_comment"):

    @case(SLUG, _tool, "not_visible")
    def _(env: Env, tool: str = _tool) -> Situation:
        more = {"text": "Well done."} if tool == "add_activity_comment" else {}
        return theirs(env, "only_me"), {"activity_id": "ACT-9000", **more}


@case(SLUG, "add_kudos", "already_given")
def _(env: Env) -> Situation:
    env = theirs(env, "everyone")
    ok(env, SLUG, "add_kudos", activity_id="ACT-9000")
    return env, {"activity_id": "ACT-9000"}


@case(SLUG, "follow_athlete", "yourself")
def _(env: Env) -> Situation:
    return env, {"athlete_id": ME}


@case(SLUG, "follow_athlete", "already_requested")
def _(env: Env) -> Situation:
    env = added(env, SLUG, "athletes", athlete(private=True))
    ok(env, SLUG, "follow_athlete", athlete_id="ATH-900")
    return env, {"athlete_id": "ATH-900"}


@case(SLUG, "set_goal", "same_target")
def _(env: Env) -> Situation:
    goal = {"sport": "yoga", "measure": "time", "period": "year", "target": 500}
    ok(env, SLUG, "set_goal", **goal)
    return env, goal


@case(SLUG, "schedule_workout", "too_far_ahead")
def _(env: Env) -> Situation:
    return env, workout(env, "2026-08-03")


@case(SLUG, "schedule_workout", "day_taken")
def _(env: Env) -> Situation:
    env, _ = planned(env, "2026-06-03")
    return env, workout(env, "2026-06-03")


@case(SLUG, "schedule_workout", "hard_days_in_a_row")
def _(env: Env) -> Situation:
    env, _ = planned(env, "2026-06-03", intensity="hard")
    return env, workout(env, "2026-06-04", intensity="hard")


@case(SLUG, "schedule_workout", "week_too_full")
def _(env: Env) -> Situation:
    env, _ = planned(env, "2026-06-03", minutes=480)
    return env, workout(env, "2026-06-05", minutes=121)


@case(SLUG, "schedule_workout", "blank_text")
def _(env: Env) -> Situation:
    return env, workout(env, "2026-06-05", title=" ")


def moving(env: Env, **more: Any) -> tuple[Env, dict[str, Any]]:
    env, identity = planned(env, "2026-06-17", **more)
    return env, {"workout_id": identity, "date": "2026-06-04"}


@case(SLUG, "move_workout", "same_day")
def _(env: Env) -> Situation:
    env, arguments = moving(env)
    return env, {**arguments, "date": "2026-06-17"}


@case(SLUG, "move_workout", "in_the_past")
def _(env: Env) -> Situation:
    env, arguments = moving(env)
    return env, {**arguments, "date": "2026-02-17"}


@case(SLUG, "move_workout", "too_far_ahead")
def _(env: Env) -> Situation:
    env, arguments = moving(env)
    return env, {**arguments, "date": "2026-09-17"}


@case(SLUG, "move_workout", "invalid_date")
def _(env: Env) -> Situation:
    env, arguments = moving(env)
    return env, {**arguments, "date": "2026-06-31"}


@case(SLUG, "move_workout", "day_taken")
def _(env: Env) -> Situation:
    env, arguments = moving(env)
    planned(env, "2026-06-04")
    return env, arguments


@case(SLUG, "move_workout", "hard_days_in_a_row")
def _(env: Env) -> Situation:
    env, arguments = moving(env, intensity="hard")
    planned(env, "2026-06-05", intensity="hard")
    return env, arguments


@case(SLUG, "move_workout", "week_too_full")
def _(env: Env) -> Situation:
    env, arguments = moving(env, minutes=200)
    planned(env, "2026-06-05", minutes=450)
    return env, arguments


def done(env: Env) -> tuple[Env, str, str]:
    """A run of today, and a run planned for today."""
    env = env.edited([Edit(SLUG, "workouts", row["id"]) for row in rows(env, SLUG, "workouts")])
    activity = ok(env, SLUG, "create_activity", **run(env))["id"]
    env, identity = planned(env, "2026-03-02", sport="run")
    return env, identity, activity


@case(SLUG, "move_workout", "already_done")
def _(env: Env) -> Situation:
    env, identity, activity = done(env)
    ok(env, SLUG, "complete_workout", workout_id=identity, activity_id=activity)
    return env, {"workout_id": identity, "date": "2026-06-04"}


@case(SLUG, "complete_workout", "already_done")
def _(env: Env) -> Situation:
    env, identity, activity = done(env)
    ok(env, SLUG, "complete_workout", workout_id=identity, activity_id=activity)
    return env, {"workout_id": identity, "activity_id": activity}


@case(SLUG, "complete_workout", "activity_used")
def _(env: Env) -> Situation:
    env, identity, activity = done(env)
    ok(env, SLUG, "complete_workout", workout_id=identity, activity_id=activity)
    env, other = planned(env, "2026-03-03", sport="run")
    return env, {"workout_id": other, "activity_id": activity}


@case(SLUG, "complete_workout", "too_far_off")
def _(env: Env) -> Situation:
    activity = ok(env, SLUG, "create_activity", **run(env))["id"]
    env, identity = planned(env, "2026-06-02", sport="run")
    return env, {"workout_id": identity, "activity_id": activity}


@case(SLUG, "complete_workout", "sport_differs")
def _(env: Env) -> Situation:
    activity = ok(env, SLUG, "create_activity", **run(env))["id"]
    env, identity = planned(env, "2026-06-02")
    return env, {"workout_id": identity, "activity_id": activity}


@case(SLUG, "join_challenge", "challenge_full")
def _(env: Env) -> Situation:
    env = added(env, SLUG, "challenges", challenge(env, places=0))
    return env, {"challenge_id": "CHL-900"}


@case(SLUG, "join_challenge", "too_many_challenges")
def _(env: Env) -> Situation:
    env = added(env, SLUG, "challenges", *(challenge(env, number) for number in range(5)))
    for number in range(4):
        if not env.call(SLUG, "join_challenge", {"challenge_id": f"CHL-9{number:02d}"})["success"]:
            break
    return env, {"challenge_id": "CHL-904"}


@case(SLUG, "join_challenge", "challenge_over")
def _(env: Env) -> Situation:
    env = added(env, SLUG, "challenges", challenge(env, ends_on="2026-03-01"))
    return env, {"challenge_id": "CHL-900"}


@case(SLUG, "leave_challenge", "challenge_over")
def _(env: Env) -> Situation:
    env = added(env, SLUG, "challenges", challenge(env, ends_on="2026-03-01"))
    entry = {"id": "PAR-9000", "challenge_id": "CHL-900", "athlete_id": ME, "joined_at": "2026-02-20T10:00:00Z"}
    return added(env, SLUG, "participations", entry), {"challenge_id": "CHL-900"}


@case(SLUG, "add_gear", "name_taken")
def _(env: Env) -> Situation:
    return env, {"name": "canal SHOES", "kind": "shoes"}


@case(SLUG, "add_gear", "blank_text")
def _(env: Env) -> Situation:
    return env, {"name": "  ", "kind": "shoes"}


@case(SLUG, "create_activity", "not_found")
def _(env: Env) -> Situation:
    return env, run(env, gear_id="GEAR-999")
