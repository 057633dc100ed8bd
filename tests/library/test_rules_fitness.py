"""The rules of fitness, as short stories: what calls bring about."""

from __future__ import annotations

import pytest

from tests.library.cases_fitness import ME, SLUG, challenge, done, planned, run, theirs
from tests.library.driver import environment
from tests.library.world import added, ok, one, refused, rows


def test_gear_wears_with_its_activities() -> None:
    env = environment(SLUG)
    for gear in ok(env, SLUG, "list_gear", include_retired=True)["gear"]:
        gone = sum(row["distance"] for row in rows(env, SLUG, "activities", gear_id=gear["id"]))
        assert gear["distance"] == pytest.approx(gear["earlier_distance"] + gone, abs=0.06)
    shoes = one(env, SLUG, "gear", name="Track shoes")["id"]
    before = next(row for row in ok(env, SLUG, "list_gear")["gear"] if row["id"] == shoes)["left"]
    made = ok(env, SLUG, "create_activity", **run(env, gear_id=shoes))
    after = next(row for row in ok(env, SLUG, "list_gear")["gear"] if row["id"] == shoes)["left"]
    assert after == pytest.approx(before - 10)
    ok(env, SLUG, "delete_activity", activity_id=made["id"])
    assert next(row for row in ok(env, SLUG, "list_gear")["gear"] if row["id"] == shoes)["left"] == before


def test_goals_follow_the_activities_of_their_period() -> None:
    env = environment(SLUG)
    ok(env, SLUG, "set_goal", sport="hike", measure="distance", period="week", target=20)
    made = ok(env, SLUG, "create_activity", **run(env, sport="hike", distance=8.5, minutes=170))
    goal = next(row for row in ok(env, SLUG, "list_goals", sport="hike")["goals"])
    assert (goal["done"], goal["left"], goal["reached"]) == (8.5, 11.5, False)
    assert goal["period_starts"] == "2026-03-02"
    ok(env, SLUG, "set_goal", sport="hike", measure="distance", period="week", target=8)
    goals = ok(env, SLUG, "list_goals", sport="hike")["goals"]
    assert [(row["id"], row["reached"]) for row in goals] == [(goal["id"], True)]
    ok(env, SLUG, "delete_activity", activity_id=made["id"])
    assert ok(env, SLUG, "list_goals", sport="hike")["goals"][0]["done"] == 0


def test_what_others_hide_stays_hidden_and_following_opens_it() -> None:
    env = theirs(environment(SLUG), "followers")
    assert refused(env, SLUG, "get_activity", activity_id="ACT-9000") == "not_visible"
    ok(env, SLUG, "follow_athlete", athlete_id="ATH-900")
    assert ok(env, SLUG, "get_activity", activity_id="ACT-9000")["pace"] == 6.0
    assert ok(env, SLUG, "get_activity_feed", athlete_id="ATH-900")["total"] == 1
    ok(env, SLUG, "unfollow_athlete", athlete_id="ATH-900")
    assert ok(env, SLUG, "get_activity_feed", athlete_id="ATH-900")["total"] == 0


def test_a_leaderboard_counts_what_the_rules_count() -> None:
    env = added(environment(SLUG), SLUG, "challenges", challenge(environment(SLUG)))
    ok(env, SLUG, "join_challenge", challenge_id="CHL-900")
    before = ok(env, SLUG, "get_challenge", challenge_id="CHL-900")["leaderboard"][0]["score"]
    made = ok(env, SLUG, "create_activity", **run(env, distance=11.0))
    ok(env, SLUG, "create_activity", **run(env, started_at="2026-03-02T04:00:00Z", distance=1.9, minutes=15))
    board = ok(env, SLUG, "get_challenge", challenge_id="CHL-900")["leaderboard"]
    assert board[0]["score"] == pytest.approx(before + 11.0)
    assert (board[0]["rank"], board[0]["athlete_id"], board[0]["reached"]) == (1, ME, True)
    ok(env, SLUG, "update_activity", activity_id=made["id"], visibility="only_me")
    assert ok(env, SLUG, "get_challenge", challenge_id="CHL-900")["leaderboard"][0]["score"] == before


def test_a_deleted_activity_opens_its_workout_again() -> None:
    env, workout, activity = done(environment(SLUG))
    assert ok(env, SLUG, "complete_workout", workout_id=workout, activity_id=activity)["status"] == "done"
    ok(env, SLUG, "delete_activity", activity_id=activity)
    found = ok(env, SLUG, "list_planned_workouts", from_date="2026-03-02", to_date="2026-03-02", sport="run")
    assert [(row["id"], row["status"]) for row in found["workouts"]] == [(workout, "planned")]


def test_hard_days_need_rest_between() -> None:
    env, _ = planned(environment(SLUG), "2026-06-10", intensity="hard")
    hard = {"title": "Hills", "sport": "ride", "minutes": 60, "intensity": "hard"}
    assert refused(env, SLUG, "schedule_workout", date="2026-06-11", **hard) == "hard_days_in_a_row"
    ok(env, SLUG, "schedule_workout", date="2026-06-12", **hard)


def test_summaries_add_up() -> None:
    env = environment(SLUG, scale="normal")
    year = ok(env, SLUG, "get_training_summary", period="year")
    own = [row for row in rows(env, SLUG, "activities", athlete_id=ME) if row["started_at"] >= "2026"]
    assert year["total"]["activities"] == len(own) == sum(row["activities"] for row in year["by_sport"])
    assert year["total"]["minutes"] == sum(row["minutes"] for row in own)
