"""Situations in time tracking; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import COMPANIES, PEOPLE, Env, Situation, case
from tests.library.driver import environment
from tests.library.world import added, one, patched, rows

SLUG = "time-tracking"
PEOPLE += [(SLUG, "users")]
COMPANIES += [(SLUG, "clients")]


def me(env: Env) -> dict[str, Any]:
    return one(env, SLUG, "users", email=ME.email)


def my_project(env: Env, number: int = 0) -> dict[str, Any]:
    """An active project that the signed-in user is on, with a budget that refuses nothing."""
    mine = {row["project_id"] for row in rows(env, SLUG, "assignments", user_id=me(env)["id"])}
    return [row for row in rows(env, SLUG, "projects", status="active") if row["id"] in mine][number]


def loose(env: Env) -> Env:
    """The budget of that project is not hard."""
    return patched(env, SLUG, "projects", my_project(env)["id"], budget_is_hard=False)


def tight(env: Env) -> Env:
    """The budget of that project is hard and used up."""
    return patched(env, SLUG, "projects", my_project(env)["id"], budget_is_hard=True, budget_hours=0.1)


def log(env: Env, date: str = "2026-03-02", hours: float = 2) -> dict[str, Any]:
    """Arguments of an entry of today."""
    return {"project_id": my_project(env)["id"], "task": "Implementation", "date": date, "hours": hours}


def logged(env: Env, hours: float = 2) -> str:
    observation = env.call(SLUG, "create_time_entry", log(env, hours=hours))
    assert observation["success"], observation
    return str(observation["data"]["id"])


def mine_of(env: Env) -> str:
    """An entry of ours in an open week."""
    found = rows(env, SLUG, "time_entries", user_id=me(env)["id"], project_id=my_project(env)["id"], invoice_number="")
    return str(max(found, key=lambda row: str(row["date"]))["id"])


@case(SLUG, "approve_timesheet", "overtime_unexplained")
def _(env: Env) -> Situation:
    sheet = next(row for row in rows(env, SLUG, "timesheets", status="submitted") if row["user_id"] != me(env)["id"])
    env = patched(env, SLUG, "users", sheet["user_id"], weekly_capacity=2.0)
    return env, {"timesheet_id": sheet["id"]}


@case(SLUG, "create_time_entry", "budget_exceeded")
def _(env: Env) -> Situation:
    return tight(env), log(env)


@case(SLUG, "create_time_entry", "day_full")
def _(env: Env) -> Situation:
    env = loose(env)
    logged(env, 13)
    return env, log(env)


@case(SLUG, "create_time_entry", "too_old")
def _(env: Env) -> Situation:
    return env, log(env, date="2025-12-01")


@case(SLUG, "create_time_entry", "in_the_future")
def _(env: Env) -> Situation:
    return env, log(env, date="2026-03-03")


def _timed(env: Env) -> tuple[Env, str]:
    """A timer of ours that has run since seven."""
    env = loose(env)
    arguments = {"project_id": my_project(env)["id"], "task": "implementation"}
    timer = env.call(SLUG, "start_timer", arguments)["data"]
    row = one(env, SLUG, "timers", id=timer["id"]) | {"started_at": "2026-03-02T07:00:00Z"}
    return added(environment(SLUG), SLUG, "timers", {**row, "id": "TMR-0900"}), "TMR-0900"


@case(SLUG, "start_timer", "timer_running")
def _(env: Env) -> Situation:
    arguments = {"project_id": my_project(env)["id"], "task": "implementation"}
    assert env.call(SLUG, "start_timer", arguments)["success"]
    return env, arguments


def _submitted(env: Env) -> Env:
    """This week of ours is handed in."""
    logged(env)
    assert env.call(SLUG, "submit_timesheet", {"week_of_date": "2026-03-02", "comment": "Leave"})["success"]
    return env


@case(SLUG, "start_timer", "week_locked")
def _(env: Env) -> Situation:
    env = _submitted(loose(env))
    return env, {"project_id": my_project(env)["id"], "task": "Implementation"}


@case(SLUG, "create_time_entry", "week_locked")
def _(env: Env) -> Situation:
    env = _submitted(loose(env))
    return env, log(env)


@case(SLUG, "stop_timer", "week_locked")
def _(env: Env) -> Situation:
    sheet = one(env, SLUG, "timesheets")
    env, timer = _timed(env)
    change = {"user_id": me(env)["id"], "week_start": "2026-03-02", "status": "approved"}
    return patched(env, SLUG, "timesheets", sheet["id"], **change), {"timer_id": timer}


@case(SLUG, "stop_timer", "budget_exceeded")
def _(env: Env) -> Situation:
    env, timer = _timed(env)
    return tight(env), {"timer_id": timer}


@case(SLUG, "stop_timer", "day_full")
def _(env: Env) -> Situation:
    env, timer = _timed(env)
    env = loose(env)
    logged(env, 13)
    return env, {"timer_id": timer}


@case(SLUG, "submit_timesheet", "hours_missing")
def _(env: Env) -> Situation:
    env = loose(env)
    logged(env)
    return env, {"week_of_date": "2026-03-04"}


@case(SLUG, "submit_timesheet", "timer_running")
def _(env: Env) -> Situation:
    env, _ = _timed(env)
    env = loose(env)
    logged(env)
    return env, {"week_of_date": "2026-03-04"}


@case(SLUG, "update_time_entry", "budget_exceeded")
def _(env: Env) -> Situation:
    entry = mine_of(env)
    return tight(env), {"time_entry_id": entry, "hours": 3}


@case(SLUG, "update_time_entry", "day_full")
def _(env: Env) -> Situation:
    env = loose(env)
    first, _ = logged(env, 2), logged(env, 12)
    return env, {"time_entry_id": first, "hours": 3}


@case(SLUG, "update_time_entry", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"time_entry_id": mine_of(env), "date": "2026-02-30"}


@case(SLUG, "update_time_entry", "in_the_future")
def _(env: Env) -> Situation:
    return env, {"time_entry_id": mine_of(env), "date": "2026-04-30"}


@case(SLUG, "update_time_entry", "too_old")
def _(env: Env) -> Situation:
    return env, {"time_entry_id": mine_of(env), "date": "2025-11-03"}


@case(SLUG, "unassign_user", "timer_running")
def _(env: Env) -> Situation:
    timer = one(env, SLUG, "timers")
    email = one(env, SLUG, "users", id=timer["user_id"])["email"]
    return env, {"project_id": timer["project_id"], "user_email": email}


@case(SLUG, "update_project", "timer_running")
def _(env: Env) -> Situation:
    return env, {"project_id": one(env, SLUG, "timers")["project_id"], "status": "archived"}
