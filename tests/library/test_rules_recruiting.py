"""The rules of recruiting, as short stories: what calls bring about."""

from __future__ import annotations

from tests.library.cases_recruiting import booked, booking, job_of, last_stage, offer, screening, team
from tests.library.driver import environment
from tests.library.world import added, ok, one, patched, refused, rows


def test_a_stage_with_interviews_needs_its_scorecards() -> None:
    env = environment("recruiting")
    application, panel = screening(env), team(env)
    held = {
        "id": "INT-9001",
        "application_id": application["id"],
        "stage_id": application["stage_id"],
        "interviewer_emails": panel[:1],
        "start": "2026-02-27T10:00:00Z",
        "minutes": 30,
        "place": "Video call",
        "status": "scheduled",
    }
    for row in rows(env, "recruiting", "interviews", application_id=application["id"]):
        env = patched(env, "recruiting", "interviews", row["id"], status="cancelled")
    env = added(env, "recruiting", "interviews", held)
    move = {"application_id": application["id"], "stage": "case study"}
    assert refused(env, "recruiting", "move_application", **move) == "scorecards_missing"
    card = {"interview_id": "INT-9001", "recommendation": "no", "notes": "Two must-haves are missing."}
    assert refused(env, "recruiting", "submit_scorecard", interviewer_email=panel[1], **card) == "not_on_panel"
    ok(env, "recruiting", "submit_scorecard", interviewer_email=panel[0], **card)
    assert refused(env, "recruiting", "submit_scorecard", interviewer_email=panel[0], **card) == "already_submitted"
    assert refused(env, "recruiting", "move_application", **move) == "not_recommended"


def test_interviewers_are_not_booked_twice() -> None:
    env = environment("recruiting")
    first, second, *_ = team(env)
    booked(env, screening(env), first)
    late = "2026-04-14T10:59:00Z"
    assert refused(env, "recruiting", "schedule_interview", **booking(screening(env, 1), first, start=late)) == (
        "interviewer_busy"
    )
    booked(env, screening(env, 1), second, start=late)
    evening = booking(screening(env, 1), first, start="2026-04-15T17:30:00Z")
    assert refused(env, "recruiting", "schedule_interview", **evening) == "outside_hours"


def test_pay_above_the_middle_of_the_range_is_approved_twice_before_it_is_sent() -> None:
    env = environment("recruiting")
    application = last_stage(env)
    env = patched(env, "recruiting", "jobs", application["job_id"], openings=9)
    env = patched(env, "recruiting", "candidates", application["candidate_id"], do_not_contact=False)
    job = job_of(env, application["id"])
    finance = one(env, "recruiting", "users", role="finance_approver")["email"]
    terms = {"application_id": application["id"], "start_date": "2026-05-04"}
    assert refused(env, "recruiting", "create_offer", salary=job["salary_max"] + 1, **terms) == "outside_range"
    made = ok(env, "recruiting", "create_offer", salary=job["salary_max"], **terms)
    assert made["approvals_missing"] == [job["hiring_manager_email"], finance]
    ok(env, "recruiting", "approve_offer", offer_id=made["id"], approver_email=job["hiring_manager_email"].upper())
    assert refused(env, "recruiting", "send_offer", offer_id=made["id"]) == "approval_missing"
    ok(env, "recruiting", "approve_offer", offer_id=made["id"], approver_email=finance)
    assert ok(env, "recruiting", "send_offer", offer_id=made["id"])["expires_on"] == "2026-03-12"


def test_accepting_hires_and_withdraws_other_applications() -> None:
    env = environment("recruiting")
    sent = offer(env, "sent")
    env = patched(env, "recruiting", "offers", sent["id"], expires_on="2026-03-20")
    env = patched(env, "recruiting", "jobs", job_of(env, sent["application_id"])["id"], openings=9)
    application = one(env, "recruiting", "applications", id=sent["application_id"])
    left = ok(env, "recruiting", "get_job", job_id=application["job_id"])["openings_left"]
    answer = ok(env, "recruiting", "record_offer_response", offer_id=sent["id"], accepted=True)
    assert answer["application"]["status"] == "hired"
    mine = rows(env, "recruiting", "applications", candidate_id=application["candidate_id"])
    assert "active" not in {row["status"] for row in mine}
    assert ok(env, "recruiting", "get_job", job_id=application["job_id"])["openings_left"] == left - 1
