"""The rules of school, as short stories: what calls bring about."""

from __future__ import annotations

from typing import Any

from services_app.engine import ProductEnvironment
from tests.library.cases_school import ASK, NEXT, NOW, OVER, SLUG, STUDENT, course, joined, submitted, work, world
from tests.library.driver import environment
from tests.library.world import added, ok, patched, refused, rows


def standing(env: ProductEnvironment) -> dict[str, Any]:
    book = ok(env, SLUG, "get_gradebook", course_id="CRS-9000")
    return next(row for row in book["students"] if row["student_id"] == STUDENT)


def test_grades_are_weighted_by_category_and_missing_work_counts_as_zero() -> None:
    env = joined(environment(SLUG), 0)
    env = added(env, SLUG, "assignments", work(0), work(1), work(2, "exam", 100.0, due_at="2026-04-20T20:00:00Z"))
    ok(env, SLUG, "grant_extension", assignment_id="ASG-9000", student_id=STUDENT, due_at="2026-03-20T20:00:00Z")
    first = ok(env, SLUG, "record_submission", assignment_id="ASG-9000", student_id=STUDENT, text="Done.")
    ok(env, SLUG, "grade_submission", submission_id=first["id"], points=20)
    assert (standing(env)["percent"], standing(env)["missing"]) == (50.0, 1)
    exam = ok(env, SLUG, "record_submission", assignment_id="ASG-9002", student_id=STUDENT, text="Exam.")
    assert standing(env)["unmarked"] == 1
    ok(env, SLUG, "grade_submission", submission_id=exam["id"], points=90)
    assert standing(env)["percent"] == 0.4 * 50 + 0.6 * 90
    assert standing(env)["letter"] == "B"


def test_lateness_costs_and_an_extension_gives_it_back() -> None:
    env, identity = submitted(environment(SLUG))
    marked = ok(env, SLUG, "grade_submission", submission_id=identity, points=20)
    assert (marked["days_late"], marked["earned"]) == (10, 10.0)
    due = "2026-02-28T20:00:00Z"
    ok(env, SLUG, "grant_extension", assignment_id="ASG-9000", student_id=STUDENT, due_at=due, reason="Ill.")
    again = ok(env, SLUG, "get_assignment", assignment_id="ASG-9000")["handed_in"][0]
    assert (again["days_late"], again["earned"]) == (2, 16.0)


def test_final_grades_are_final_and_stand_in_the_transcript() -> None:
    env = added(joined(environment(SLUG), 0, term=OVER), SLUG, "assignments", work(0, due_at="2025-11-01T20:00:00Z"))
    env = patched(env, SLUG, "courses", "CRS-9000", homework_weight=100, exam_weight=0)
    ok(env, SLUG, "grant_extension", assignment_id="ASG-9000", student_id=STUDENT, due_at="2025-12-20T20:00:00Z")
    env = added(
        env,
        SLUG,
        "submissions",
        {
            "id": "SUB-9000",
            "assignment_id": "ASG-9000",
            "student_id": STUDENT,
            "submitted_at": "2025-10-30T10:00:00Z",
            "text": "Done.",
            "points": 15.0,
        },
    )
    ok(env, SLUG, "publish_final_grades", course_id="CRS-9000")
    shown = ok(env, SLUG, "get_transcript", student_id=STUDENT)
    assert (shown["credits_earned"], shown["grade_point_average"]) == (5, 3.0)
    assert shown["courses"][0]["percent"] == 75.0
    assert refused(env, SLUG, "grade_submission", submission_id="SUB-9000", points=20) == "grades_final"
    assert refused(env, SLUG, "publish_final_grades", course_id="CRS-9000") == "grades_final"


def test_who_stays_away_fails_whatever_the_marks() -> None:
    env = joined(environment(SLUG), 0, term=OVER)
    for date, status in (("2025-10-04", "present"), ("2025-10-11", "absent"), ("2025-10-18", "excused")):
        ok(env, SLUG, "record_attendance", **ASK, date=date, status=status)
    assert standing(env)["attendance_percent"] == 50.0
    assert standing(env)["at_risk"]
    ok(env, SLUG, "record_attendance", **ASK, date="2025-10-11", status="late")
    assert standing(env)["attendance_percent"] == 100.0


def test_the_last_seat_is_given_once_and_comes_back() -> None:
    env = world(environment(SLUG), course(0, NEXT, seats=1))
    ok(env, SLUG, "enroll_student", **ASK)
    other = {**ASK, "student_id": "STU-9001"}
    assert refused(env, SLUG, "enroll_student", **other) == "course_full"
    ok(env, SLUG, "withdraw_student", **ASK)
    ok(env, SLUG, "enroll_student", **other)
    assert refused(env, SLUG, "enroll_student", **ASK) == "course_full"


def test_free_rooms_are_free() -> None:
    env = joined(environment(SLUG), 0, term=NOW)
    asked = {"term": "Spring 2026", "weekday": "saturday", "starts": "10:00", "ends": "11:00"}
    free = {row["id"] for row in ok(env, SLUG, "find_free_rooms", **asked)["rooms"]}
    assert "ROOM-01" not in free
    assert free
    ok(
        env,
        SLUG,
        "move_class",
        class_meeting_id="CLS-9000",
        weekday="friday",
        starts="08:00",
        ends="09:00",
        room_id="ROOM-02",
    )
    assert "ROOM-01" in {row["id"] for row in ok(env, SLUG, "find_free_rooms", **asked)["rooms"]}


def test_no_room_and_no_teacher_is_in_two_places() -> None:
    for scale in ("small", "large"):
        env = environment(SLUG, scale=scale)
        courses = {row["id"]: row for row in rows(env, SLUG, "courses")}
        seen: set[tuple[str, ...]] = set()
        for row in rows(env, SLUG, "class_meetings"):
            owner = courses[row["course_id"]]
            for who in (row["room_id"], owner["teacher_id"]):
                key = (owner["term_id"], row["weekday"], row["starts"], who)
                assert key not in seen
                seen.add(key)
