"""Situations in recruiting; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import one, patched, rows

PEOPLE += [("recruiting", "users"), ("recruiting", "candidates")]
START = "2026-04-14T10:00:00Z"


def offer(env: Env, status: str, *, approved: bool = False) -> dict[str, Any]:
    """An offer in this status whose application is active; a draft with its approvals or without any."""
    active = {row["id"] for row in rows(env, "recruiting", "applications", status="active")}
    return next(
        row
        for row in rows(env, "recruiting", "offers", status=status)
        if row["application_id"] in active and (status != "draft" or bool(row["approved_by"]) == approved)
    )


def job_of(env: Env, application_id: str) -> dict[str, Any]:
    application = one(env, "recruiting", "applications", id=application_id)
    return one(env, "recruiting", "jobs", id=application["job_id"])


def last_stage(env: Env) -> dict[str, Any]:
    """An active application in the last stage without an offer."""
    taken = {row["application_id"] for row in rows(env, "recruiting", "offers")}
    found = rows(env, "recruiting", "applications", stage_id="STG-05", status="active")
    return next(row for row in found if row["id"] not in taken)


def full(env: Env, job: dict[str, Any]) -> Env:
    """All openings of a job are taken by someone."""
    others = list(rows(env, "recruiting", "applications", stage_id="STG-01"))[: job["openings"]]
    for row in others:
        env = patched(env, "recruiting", "applications", row["id"], job_id=job["id"], status="hired")
    return env


def screening(env: Env, number: int = 0) -> dict[str, Any]:
    """An active application in the phone screen, of somebody who may be contacted."""
    silent = {row["id"] for row in rows(env, "recruiting", "candidates", do_not_contact=True)}
    found = rows(env, "recruiting", "applications", stage_id="STG-02", status="active")
    return [row for row in found if row["candidate_id"] not in silent][number]


def booking(application: dict[str, Any], *emails: str, start: str = START) -> dict[str, Any]:
    return {"application_id": application["id"], "interviewer_emails": list(emails), "start": start}


def team(env: Env) -> list[str]:
    return [row["email"] for row in rows(env, "recruiting", "users", role="interviewer")]


def booked(env: Env, application: dict[str, Any], *emails: str, start: str = START) -> str:
    observation = env.call("recruiting", "schedule_interview", booking(application, *emails, start=start))
    assert observation["success"], observation
    return str(observation["data"]["id"])


@case("recruiting", "approve_offer", "already_approved")
def _(env: Env) -> Situation:
    draft = offer(env, "draft", approved=True)
    return env, {"offer_id": draft["id"], "approver_email": draft["approved_by"][0]}


def _draft(env: Env, start: str) -> Situation:
    application = last_stage(env)
    salary = job_of(env, application["id"])["salary_min"]
    env = patched(env, "recruiting", "jobs", application["job_id"], openings=9)
    return env, {"application_id": application["id"], "salary": salary, "start_date": start}


@case("recruiting", "create_offer", "in_the_past")
def _(env: Env) -> Situation:
    return _draft(env, "2026-01-05")


@case("recruiting", "create_offer", "invalid_date")
def _(env: Env) -> Situation:
    return _draft(env, "2026-02-30")


@case("recruiting", "create_offer", "no_openings")
def _(env: Env) -> Situation:
    env, arguments = _draft(env, "2026-05-04")
    return full(env, job_of(env, arguments["application_id"])), arguments


@case("recruiting", "record_offer_response", "no_openings")
def _(env: Env) -> Situation:
    sent = offer(env, "sent")
    env = patched(env, "recruiting", "offers", sent["id"], expires_on="2026-03-30")
    return full(env, job_of(env, sent["application_id"])), {"offer_id": sent["id"], "accepted": True}


@case("recruiting", "record_offer_response", "offer_expired")
def _(env: Env) -> Situation:
    sent = offer(env, "sent")
    env = patched(env, "recruiting", "offers", sent["id"], expires_on="2026-03-01")
    return env, {"offer_id": sent["id"], "accepted": True}


@case("recruiting", "schedule_interview", "candidate_busy")
def _(env: Env) -> Situation:
    first, second, *_ = team(env)
    application = screening(env)
    booked(env, application, first)
    return env, booking(application, second)


@case("recruiting", "schedule_interview", "interviewer_busy")
def _(env: Env) -> Situation:
    first, *_ = team(env)
    booked(env, screening(env), first)
    return env, booking(screening(env, 1), first)


@case("recruiting", "schedule_interview", "interviewer_full")
def _(env: Env) -> Situation:
    first, *_ = team(env)
    for day in (13, 14, 15):
        booked(env, screening(env), first, start=f"2026-04-{day}T10:00:00Z")
    return env, booking(screening(env, 1), first, start="2026-04-16T10:00:00Z")


@case("recruiting", "schedule_interview", "unknown_interviewer")
def _(env: Env) -> Situation:
    return env, booking(screening(env), "nobody@larkfield.example")


@case("recruiting", "schedule_interview", "same_interviewer_twice")
def _(env: Env) -> Situation:
    first, *_ = team(env)
    return env, booking(screening(env), first, first)


@case("recruiting", "schedule_interview", "do_not_contact")
def _(env: Env) -> Situation:
    application = screening(env)
    env = patched(env, "recruiting", "candidates", application["candidate_id"], do_not_contact=True)
    return env, booking(application, team(env)[0])


def _moved(env: Env, start: str, other: dict[str, Any], *panel: str) -> Situation:
    """Two interviews, the first of which is to be moved onto the second."""
    mine = booked(env, screening(env), panel[0], start="2026-04-22T10:00:00Z")
    booked(env, other, panel[-1])
    return env, {"interview_id": mine, "start": start}


@case("recruiting", "reschedule_interview", "candidate_busy")
def _(env: Env) -> Situation:
    first, second, *_ = team(env)
    return _moved(env, START, screening(env), first, second)


@case("recruiting", "reschedule_interview", "interviewer_busy")
def _(env: Env) -> Situation:
    return _moved(env, START, screening(env, 1), team(env)[0])


@case("recruiting", "reschedule_interview", "interviewer_full")
def _(env: Env) -> Situation:
    first, *_ = team(env)
    for day in (15, 16):
        booked(env, screening(env, 1), first, start=f"2026-04-{day}T10:00:00Z")
    return _moved(env, "2026-04-17T10:00:00Z", screening(env, 1), first)


@case("recruiting", "reschedule_interview", "invalid_time")
def _(env: Env) -> Situation:
    return _moved(env, "2026-02-30T10:00:00Z", screening(env, 1), team(env)[0])


@case("recruiting", "reschedule_interview", "outside_hours")
def _(env: Env) -> Situation:
    return _moved(env, "2026-04-18T10:00:00Z", screening(env, 1), team(env)[0])


@case("recruiting", "reschedule_interview", "in_the_past")
def _(env: Env) -> Situation:
    return _moved(env, "2026-01-14T10:00:00Z", screening(env, 1), team(env)[0])


@case("recruiting", "send_offer", "do_not_contact")
def _(env: Env) -> Situation:
    draft = offer(env, "draft", approved=True)
    application = one(env, "recruiting", "applications", id=draft["application_id"])
    env = patched(env, "recruiting", "candidates", application["candidate_id"], do_not_contact=True)
    return env, {"offer_id": draft["id"]}


@case("recruiting", "send_offer", "no_openings")
def _(env: Env) -> Situation:
    draft = offer(env, "draft", approved=True)
    application = one(env, "recruiting", "applications", id=draft["application_id"])
    env = patched(env, "recruiting", "candidates", application["candidate_id"], do_not_contact=False)
    return full(env, job_of(env, draft["application_id"])), {"offer_id": draft["id"]}


@case("recruiting", "send_offer", "not_active")
def _(env: Env) -> Situation:
    draft = offer(env, "draft", approved=True)
    env = patched(env, "recruiting", "applications", draft["application_id"], status="withdrawn")
    return env, {"offer_id": draft["id"]}


@case("recruiting", "send_offer", "approval_missing")
def _(env: Env) -> Situation:
    return env, {"offer_id": offer(env, "draft")["id"]}


@case("recruiting", "submit_scorecard", "blank_text")
def _(env: Env) -> Situation:
    done = {(row["interview_id"], row["interviewer_email"]) for row in rows(env, "recruiting", "scorecards")}
    for row in rows(env, "recruiting", "interviews", status="scheduled"):
        if row["start"] < "2026-03-02" and (row["id"], row["interviewer_emails"][0]) not in done:
            arguments = {"interview_id": row["id"], "interviewer_email": row["interviewer_emails"][0]}
            return env, {**arguments, "recommendation": "yes", "notes": "  "}
    raise AssertionError("every scorecard is in")


@case("recruiting", "update_job", "job_closed")
def _(env: Env) -> Situation:
    job = one(env, "recruiting", "jobs")
    return patched(env, "recruiting", "jobs", job["id"], status="closed"), {"job_id": job["id"], "openings": 3}


@case("recruiting", "update_job", "offer_out")
def _(env: Env) -> Situation:
    return env, {"job_id": job_of(env, offer(env, "sent")["application_id"])["id"], "status": "closed"}


@case("recruiting", "update_job", "fewer_than_hired")
def _(env: Env) -> Situation:
    job = one(env, "recruiting", "jobs", openings=1)
    env = patched(env, "recruiting", "jobs", job["id"], openings=3, status="open")
    return full(env, {**job, "openings": 3}), {"job_id": job["id"], "openings": 1}


@case("recruiting", "create_offer", "outside_range")
def _(env: Env) -> Situation:
    env, arguments = _draft(env, "2026-05-04")
    return env, {**arguments, "salary": 1}


@case("recruiting", "submit_scorecard", "interview_cancelled")
def _(env: Env) -> Situation:
    row = one(env, "recruiting", "interviews")
    arguments = {"interview_id": row["id"], "interviewer_email": row["interviewer_emails"][0]}
    env = patched(env, "recruiting", "interviews", row["id"], status="cancelled")
    return env, {**arguments, "recommendation": "yes", "notes": "Good."}


@case("recruiting", "move_application", "not_recommended")
def _(env: Env) -> Situation:
    card = one(env, "recruiting", "scorecards")
    interview = one(env, "recruiting", "interviews", id=card["interview_id"])
    env = patched(env, "recruiting", "applications", interview["application_id"], stage_id="STG-02", status="active")
    env = patched(env, "recruiting", "interviews", interview["id"], stage_id="STG-02", status="scheduled")
    for row in rows(env, "recruiting", "offers", application_id=interview["application_id"]):
        env = patched(env, "recruiting", "offers", row["id"], application_id=last_stage(env)["id"])
    mine = {row["id"] for row in rows(env, "recruiting", "interviews", application_id=interview["application_id"])}
    for row in rows(env, "recruiting", "scorecards"):
        if row["interview_id"] in mine:
            env = patched(env, "recruiting", "scorecards", row["id"], recommendation="no")
    return env, {"application_id": interview["application_id"], "stage": "Case study"}


@case("recruiting", "reschedule_interview", "interview_cancelled")
def _(env: Env) -> Situation:
    row = one(env, "recruiting", "interviews")
    env = patched(env, "recruiting", "interviews", row["id"], status="cancelled")
    return env, {"interview_id": row["id"], "start": START}
