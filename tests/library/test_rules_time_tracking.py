"""The rules of time tracking, as short stories: what calls bring about."""

from __future__ import annotations

import pytest

from tests.library.cases_time_tracking import SLUG, log, logged, loose, me, my_project
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows


def test_hours_add_up_in_project_timesheet_and_report() -> None:
    env = loose(environment(SLUG))
    project = my_project(env)["id"]
    before = ok(env, SLUG, "get_project", project_id=project)
    logged(env, 2)
    ok(env, SLUG, "create_time_entry", **{**log(env, hours=1.5), "task": "Travel"})
    after = ok(env, SLUG, "get_project", project_id=project)
    assert after["hours_used"] == before["hours_used"] + 3.5
    earned = 2 * before["hourly_rate"]
    assert after["billable_amount"] == pytest.approx(before["billable_amount"] + earned)
    week = ok(env, SLUG, "get_timesheet", week_of_date="2026-03-05")
    assert (week["hours"], week["days"]["2026-03-02"], week["status"]) == (3.5, 3.5, "open")
    for group in ("user", "project", "client", "task"):
        report = ok(env, SLUG, "get_time_report", from_date="2026-03-02", to_date="2026-03-02", group_by=group)
        assert sum(row["hours"] for row in report["rows"]) == report["total_hours"] == 3.5


def test_a_submitted_week_is_locked_until_it_is_sent_back() -> None:
    env = environment(SLUG)
    mine = me(env)["id"]
    sheet = next(row for row in rows(env, SLUG, "timesheets", status="submitted") if row["user_id"] != mine)
    entry = next(
        row
        for row in rows(env, SLUG, "time_entries", user_id=sheet["user_id"], invoice_number="")
        if sheet["week_start"] <= row["date"] < sheet["week_start"][:8] + "99"
    )
    env = patched(env, SLUG, "time_entries", entry["id"], date=sheet["week_start"])
    assert refused(env, SLUG, "update_time_entry", time_entry_id=entry["id"], notes="More") == "week_locked"
    ok(env, SLUG, "reject_timesheet", timesheet_id=sheet["id"], reason="Say what for.")
    ok(env, SLUG, "update_time_entry", time_entry_id=entry["id"], notes="More")
    email = one(env, SLUG, "users", id=sheet["user_id"])["email"]
    handed = {"week_of_date": sheet["week_start"], "user_email": email, "comment": "Corrected"}
    again = ok(env, SLUG, "submit_timesheet", **handed)
    assert (again["id"], again["status"]) == (sheet["id"], "submitted")


def test_nobody_approves_their_own_week() -> None:
    env = loose(environment(SLUG))
    logged(env, 2)
    assert refused(env, SLUG, "submit_timesheet", week_of_date="2026-03-02") == "hours_missing"
    sheet = ok(env, SLUG, "submit_timesheet", week_of_date="2026-03-02", comment="On leave from Tuesday")
    assert refused(env, SLUG, "approve_timesheet", timesheet_id=sheet["id"]) == "own_timesheet"


def test_a_timer_logs_quarters_and_there_is_one_per_person() -> None:
    env = loose(environment(SLUG))
    job = {"project_id": my_project(env)["id"], "task": "implementation"}
    timer = ok(env, SLUG, "start_timer", **job)
    assert refused(env, SLUG, "start_timer", **job) == "timer_running"
    entry = ok(env, SLUG, "stop_timer", timer_id=timer["id"])
    assert (entry["hours"], entry["task"]) == (0.25, "Implementation")
    assert refused(env, SLUG, "stop_timer", timer_id=timer["id"]) == "not_found"


def test_only_approved_hours_are_invoiced_and_then_they_stay() -> None:
    env = environment(SLUG)
    report = ok(env, SLUG, "get_uninvoiced_report")
    project = next(row for row in report["projects"] if row["hours"] and row["unapproved_hours"])
    bill = {"project_id": project["project_id"], "through_date": "2026-03-02", "invoice_number": "F-2026-9000"}
    done = ok(env, SLUG, "mark_as_invoiced", **bill)
    assert (done["hours"], done["amount"]) == (project["hours"], project["amount"])
    assert done["hours_left_unapproved"] == project["unapproved_hours"]
    assert refused(env, SLUG, "mark_as_invoiced", **bill) == "nothing_to_invoice"
    entry = one(env, SLUG, "time_entries", invoice_number="F-2026-9000")
    assert refused(env, SLUG, "delete_time_entry", time_entry_id=entry["id"]) == "entry_invoiced"
