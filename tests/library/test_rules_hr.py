"""The rules of HR, as short stories: what calls bring about."""

from __future__ import annotations

from tests.library.cases_hr import report
from tests.library.driver import environment
from tests.library.world import ok, one, refused, rows


def test_leave_counts_working_days_and_comes_off_the_balance() -> None:
    env = environment("hr")
    employee = next(row for row in rows(env, "hr", "employees") if row["location"] == "London" and not row["ended_on"])

    def annual() -> float:
        shown = ok(env, "hr", "get_leave_balance", employee_id=employee["id"], year=2026)["balances"]
        return next(float(row["available"]) for row in shown if row["leave_type"] == "Annual leave")

    ok(env, "hr", "adjust_leave_balance", employee_id=employee["id"], leave_type="annual leave", days=9, reason="Gift")
    before = annual()
    # Thursday to Tuesday over the bank holiday of 25 May and a weekend.
    times = {"start_date": "2026-05-21", "end_date": "2026-05-26"}
    asked = {"employee_id": employee["id"], "leave_type": "Annual leave", **times}
    request = ok(env, "hr", "request_leave", **asked)
    assert (request["days"], annual()) == (3.0, before - 3)
    assert refused(env, "hr", "request_leave", **{**asked, "leave_type": "Sick leave"}) == "overlapping_leave"
    ok(env, "hr", "cancel_leave", leave_request_id=request["id"])
    assert annual() == before


def test_nobody_approves_their_own_leave() -> None:
    env = environment("hr")
    me = one(env, "hr", "employees", name="Noor Haddad")
    days = {"start_date": "2026-11-02", "end_date": "2026-11-02"}
    request = ok(env, "hr", "request_leave", employee_id=me["id"], leave_type="Annual leave", **days)
    assert refused(env, "hr", "approve_leave", leave_request_id=request["id"]) == "own_request"
    assert refused(env, "hr", "decline_leave", leave_request_id=request["id"], reason="No") == "own_request"


def test_a_large_rise_needs_a_head_of_department_and_the_band_holds() -> None:
    env = environment("hr")
    employee = report(env)
    history = ok(env, "hr", "list_employment_history", employee_id=employee["id"])
    band, now = history["band"], history["pay"][0]["annual_salary"]
    terms = {"employee_id": employee["id"], "effective_date": "2027-01-01", "reason": "Review"}
    assert refused(env, "hr", "change_compensation", annual_salary=band["high"] + 1, **terms) == "outside_band"
    rise = round(now * 1.09, 2)
    assert rise <= band["high"]
    assert refused(env, "hr", "change_compensation", annual_salary=rise, **terms) == "approval_needed"
    colleague = report(env, 1)["email"]
    terms["approved_by"] = colleague
    assert refused(env, "hr", "change_compensation", annual_salary=rise, **terms) == "not_an_approver"
    head = one(env, "hr", "employees", id=rows(env, "hr", "departments")[0]["head_id"])
    terms["approved_by"] = head["email"]
    assert ok(env, "hr", "change_compensation", annual_salary=rise, **terms)["annual_salary"] == rise
    terms["effective_date"] = "2027-03-01"
    assert refused(env, "hr", "change_compensation", annual_salary=rise, **terms) == "too_soon"


def test_a_manager_hands_people_over_before_leaving() -> None:
    env = environment("hr")
    heads = {row["head_id"] for row in rows(env, "hr", "departments")}
    lead = next(row["manager_id"] for row in rows(env, "hr", "jobs") if row["manager_id"] not in heads | {None})
    ending = {"employee_id": lead, "last_day": "2026-06-30", "reason": "Resigned"}
    assert refused(env, "hr", "terminate_employee", **ending) == "has_reports"
    for email in ok(env, "hr", "get_employee", employee_id=lead)["reports"]:
        person = one(env, "hr", "employees", email=email)
        title = ok(env, "hr", "get_employee", employee_id=person["id"])["title"]
        change = {"effective_date": "2026-03-03", "manager_email": "noor.haddad@larkfield.example"}
        ok(env, "hr", "change_job", employee_id=person["id"], title=title, **change)
    ok(env, "hr", "terminate_employee", **ending)
    assert refused(env, "hr", "update_employee", employee_id=lead, phone="+44 20 7946 0000") == "employee_left"
