"""Situations in HR; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import ok, one, patched, rows

PEOPLE += [("hr", "employees")]


def report(env: Env, number: int = 0) -> dict[str, Any]:
    """Someone who is employed and heads no department."""
    heads = {row["head_id"] for row in rows(env, "hr", "departments")}
    return [row for row in rows(env, "hr", "employees", ended_on=None) if row["id"] not in heads][number]


def _leave(employee_id: str, kind: str, start: str, end: str) -> dict[str, Any]:
    return {"employee_id": employee_id, "leave_type": kind, "start_date": start, "end_date": end}


@case("hr", "adjust_leave_balance", "nothing_to_change")
def _(env: Env) -> Situation:
    return env, {"employee_id": report(env)["id"], "leave_type": "Annual leave", "days": 0, "reason": "Nothing"}


@case("hr", "adjust_leave_balance", "insufficient_balance")
def _(env: Env) -> Situation:
    return env, {"employee_id": report(env)["id"], "leave_type": "study leave", "days": -20, "reason": "Lapsed"}


@case("hr", "approve_leave", "department_short")
def _(env: Env) -> Situation:
    team = one(env, "hr", "jobs", manager_id=None)["department_id"]
    people = {row["employee_id"] for row in rows(env, "hr", "jobs", department_id=team)}
    asked = {}
    for row in rows(env, "hr", "employees", ended_on=None):
        if row["id"] in people and row["name"] != "Noor Haddad":
            arguments = _leave(row["id"], "Annual leave", "2026-09-07", "2026-09-08")
            asked[row["id"]] = ok(env, "hr", "request_leave", **arguments)["id"]
    *first, last = asked.values()
    for request in first:
        if not env.call("hr", "approve_leave", {"leave_request_id": request})["success"]:
            return env, {"leave_request_id": request}
    return env, {"leave_request_id": last}


@case("hr", "change_compensation", "before_hire")
def _(env: Env) -> Situation:
    arguments = {"annual_salary": 40_000, "effective_date": "2001-01-01", "reason": "Correction"}
    return env, {"employee_id": report(env)["id"], **arguments}


@case("hr", "change_compensation", "blank_text")
def _(env: Env) -> Situation:
    employee = report(env)
    last = max(rows(env, "hr", "pay", employee_id=employee["id"]), key=lambda row: str(row["effective_on"]))
    arguments = {"annual_salary": last["annual_salary"], "effective_date": "2027-05-01", "reason": "  "}
    return env, {"employee_id": employee["id"], **arguments}


@case("hr", "change_job", "reporting_loop")
def _(env: Env) -> Situation:
    below = next(row for row in rows(env, "hr", "jobs") if row["manager_id"] is not None)
    worker = one(env, "hr", "employees", id=below["employee_id"])
    arguments = {"title": "Lead", "effective_date": "2027-01-01", "manager_email": worker["email"]}
    return env, {"employee_id": below["manager_id"], **arguments}


@case("hr", "change_job", "same_job")
def _(env: Env) -> Situation:
    employee = report(env)
    title = ok(env, "hr", "get_employee", employee_id=employee["id"])["title"]
    return env, {"employee_id": employee["id"], "title": title, "effective_date": "2027-01-01"}


def _hire(env: Env, start: str) -> dict[str, Any]:
    manager = report(env)["email"]
    return {
        "name": "Una Dorn",
        "email": "una.dorn@larkfield.example",
        "title": "Analyst",
        "manager_email": manager,
        "start_date": start,
    }


@case("hr", "create_employee", "invalid_date")
def _(env: Env) -> Situation:
    return env, _hire(env, "2026-02-30")


@case("hr", "create_employee", "too_far")
def _(env: Env) -> Situation:
    return env, _hire(env, "2028-01-03")


@case("hr", "create_employee", "employee_left")
def _(env: Env) -> Situation:
    left = next(row for row in rows(env, "hr", "employees") if row["ended_on"] is not None)
    return env, {**_hire(env, "2026-03-16"), "manager_email": left["email"]}


@case("hr", "create_goal", "too_many_goals")
def _(env: Env) -> Situation:
    arguments = {"employee_id": report(env)["id"], "title": "Goal", "measure": "Done", "due_date": "2026-12-01"}
    while env.call("hr", "create_goal", arguments)["success"]:
        pass
    return env, arguments


@case("hr", "request_leave", "before_hire")
def _(env: Env) -> Situation:
    return env, _leave(report(env)["id"], "Sick leave", "2012-03-05", "2012-03-06")


@case("hr", "request_leave", "overlapping_leave")
def _(env: Env) -> Situation:
    asked = _leave(report(env)["id"], "Annual leave", "2026-10-05", "2026-10-06")
    ok(env, "hr", "request_leave", **asked)
    return env, {**asked, "start_date": "2026-10-06", "end_date": "2026-10-07"}


@case("hr", "request_leave", "half_day_is_one_day")
def _(env: Env) -> Situation:
    return env, {**_leave(report(env)["id"], "Annual leave", "2026-10-05", "2026-10-06"), "half_day": True}


@case("hr", "request_leave", "insufficient_balance")
def _(env: Env) -> Situation:
    employee = report(env)
    env = patched(env, "hr", "leave_types", "LT-01", days_per_year=0)
    return env, _leave(employee["id"], "Annual leave", "2026-10-05", "2026-10-23")


@case("hr", "request_leave", "no_working_days")
def _(env: Env) -> Situation:
    return env, _leave(report(env)["id"], "Sick leave", "2026-08-01", "2026-08-02")


@case("hr", "change_job", "own_manager")
def _(env: Env) -> Situation:
    employee = report(env)
    arguments = {"title": "Lead", "effective_date": "2027-01-01", "manager_email": employee["email"]}
    return env, {"employee_id": employee["id"], **arguments}


@case("hr", "complete_review", "blank_text")
def _(env: Env) -> Situation:
    review = next(row for row in rows(env, "hr", "reviews") if row["stage"] not in ("self_assessment", "completed"))
    return env, {"review_id": review["id"], "rating": 3, "summary": "   "}


@case("hr", "decline_leave", "blank_text")
def _(env: Env) -> Situation:
    me = one(env, "hr", "employees", name="Noor Haddad")["id"]
    waiting = rows(env, "hr", "leave_requests", status="requested")
    asked = next(row for row in waiting if row["employee_id"] != me)
    return env, {"leave_request_id": asked["id"], "reason": "   "}
