"""Situations in school; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import added, ok

SLUG = "school"
PEOPLE += [(SLUG, "students"), (SLUG, "teachers")]
OVER, NOW, NEXT = "TERM-01", "TERM-02", "TERM-03"
STUDENT = "STU-9000"


def student(number: int = 0, **more: Any) -> dict[str, Any]:
    base = {
        "id": f"STU-{9000 + number}",
        "name": f"Agnes Example {number}",
        "email": f"agnes.{number}@students.example",
        "phone": "",
        "student_number": f"S{90_000 + number}",
        "sponsor": "",
    }
    return {**base, **more}


def course(number: int, term: str = NEXT, **more: Any) -> dict[str, Any]:
    base = {
        "id": f"CRS-{9000 + number}",
        "code": f"TST-{number}",
        "title": f"Test {number}",
        "term_id": term,
        "teacher_id": f"TCH-9{number:02d}",
        "credits": 5,
        "seats": 12,
        "homework_weight": 40,
        "project_weight": 0,
        "exam_weight": 60,
        "description": "For tests.",
    }
    return {**base, **more}


def meeting(number: int, weekday: str, starts: str = "09:00", ends: str = "10:30", room: int = 1) -> dict[str, Any]:
    base = {"id": f"CLS-{9000 + number}", "course_id": f"CRS-{9000 + number}", "room_id": f"ROOM-{room:02d}"}
    return {**base, "weekday": weekday, "starts": starts, "ends": ends}


def entry(number: int, student_number: int = 0, **more: Any) -> dict[str, Any]:
    base = {
        "id": f"ENR-{9000 + 10 * number + student_number}",
        "student_id": f"STU-{9000 + student_number}",
        "course_id": f"CRS-{9000 + number}",
        "status": "enrolled",
        "enrolled_on": "2026-01-10",
    }
    return {**base, **more}


def work(number: int, category: str = "homework", points: float = 20.0, **more: Any) -> dict[str, Any]:
    base = {
        "id": f"ASG-{9000 + number}",
        "course_id": "CRS-9000",
        "title": f"Work {number}",
        "category": category,
        "points": points,
        "due_at": "2026-02-20T20:00:00Z",
        "instructions": "",
    }
    return {**base, **more}


def world(env: Env, *courses: dict[str, Any]) -> Env:
    """Two students, four teachers, and courses that meet on Saturdays at nine, one after the other."""
    teachers = [
        {"id": f"TCH-9{number:02d}", "name": f"Teacher {number}", "email": f"t{number}@teachers.example", "phone": ""}
        for number in range(4)
    ]
    env = added(env, SLUG, "teachers", *teachers)
    env = added(env, SLUG, "students", student(0), student(1))
    env = added(env, SLUG, "courses", *courses)
    hours = (("09:00", "10:30"), ("10:30", "12:00"), ("12:00", "13:30"), ("13:30", "15:00"))
    numbers = [int(row["id"][4:]) - 9000 for row in courses]
    return added(env, SLUG, "class_meetings", *(meeting(one, "saturday", *hours[one]) for one in numbers))


def joined(env: Env, *numbers: int, term: str = NOW, **more: Any) -> Env:
    """A course of each number, with the first student in it."""
    env = world(env, *(course(number, term, **more) for number in numbers))
    return added(env, SLUG, "enrollments", *(entry(number) for number in numbers))


ASK = {"course_id": "CRS-9000", "student_id": STUDENT}


@case(SLUG, "enroll_student", "already_enrolled")
def _(env: Env) -> Situation:
    return joined(env, 0, term=NEXT), ASK


@case(SLUG, "enroll_student", "already_passed")
def _(env: Env) -> Situation:
    env = world(env, course(0), course(1, OVER, code="TST-0"))
    return added(env, SLUG, "enrollments", entry(1, status="completed", final_percent=80.0, passed=True)), ASK


@case(SLUG, "enroll_student", "prerequisite_missing")
def _(env: Env) -> Situation:
    return world(env, course(0, prerequisite="TST-1")), ASK


@case(SLUG, "enroll_student", "course_full")
def _(env: Env) -> Situation:
    env = world(env, course(0, seats=1))
    return added(env, SLUG, "enrollments", entry(0, 1)), ASK


@case(SLUG, "enroll_student", "on_hold")
def _(env: Env) -> Situation:
    env = world(env, course(0))
    env = added(env, SLUG, "students", student(2, hold="Fees are open."))
    return env, {**ASK, "student_id": "STU-9002"}


@case(SLUG, "enroll_student", "timetable_clash")
def _(env: Env) -> Situation:
    env = joined(env, 1, term=NEXT)
    env = added(env, SLUG, "courses", course(0))
    return added(env, SLUG, "class_meetings", meeting(0, "saturday", "11:00", "12:00", 2)), ASK


@case(SLUG, "enroll_student", "too_many_credits")
def _(env: Env) -> Situation:
    env = joined(env, 1, 2, term=NEXT)
    return added(env, SLUG, "courses", course(0)), ASK


@case(SLUG, "withdraw_student", "withdrawal_closed")
def _(env: Env) -> Situation:
    return joined(env, 0, term=OVER), ASK


def submitted(env: Env) -> tuple[Env, str]:
    env = added(joined(env, 0), SLUG, "assignments", work(0))
    made = ok(env, SLUG, "record_submission", assignment_id="ASG-9000", student_id=STUDENT, text="Done.")
    return env, str(made["id"])


@case(SLUG, "grade_submission", "same_mark")
def _(env: Env) -> Situation:
    env, identity = submitted(env)
    ok(env, SLUG, "grade_submission", submission_id=identity, points=12)
    return env, {"submission_id": identity, "points": 12}


@case(SLUG, "grade_submission", "too_many_points")
def _(env: Env) -> Situation:
    env, identity = submitted(env)
    return env, {"submission_id": identity, "points": 21}


@case(SLUG, "record_submission", "blank_text")
def _(env: Env) -> Situation:
    env, _ = submitted(env)
    return env, {"assignment_id": "ASG-9000", "student_id": STUDENT, "text": "  "}


@case(SLUG, "record_submission", "already_marked")
def _(env: Env) -> Situation:
    env, identity = submitted(env)
    ok(env, SLUG, "grade_submission", submission_id=identity, points=12)
    return env, {"assignment_id": "ASG-9000", "student_id": STUDENT, "text": "Again."}


@case(SLUG, "update_assignment", "already_marked")
def _(env: Env) -> Situation:
    env, identity = submitted(env)
    ok(env, SLUG, "grade_submission", submission_id=identity, points=12)
    return env, {"assignment_id": "ASG-9000", "points": 30}


@case(SLUG, "grant_extension", "no_extension")
def _(env: Env) -> Situation:
    env = added(joined(env, 0), SLUG, "assignments", work(0, "exam"))
    return env, {"assignment_id": "ASG-9000", "student_id": STUDENT, "due_at": "2026-03-10T20:00:00Z"}


@case(SLUG, "grant_extension", "not_later")
def _(env: Env) -> Situation:
    env, _ = submitted(env)
    return env, {"assignment_id": "ASG-9000", "student_id": STUDENT, "due_at": "2026-02-10T20:00:00Z"}


@case(SLUG, "grant_extension", "outside_term")
def _(env: Env) -> Situation:
    env, _ = submitted(env)
    return env, {"assignment_id": "ASG-9000", "student_id": STUDENT, "due_at": "2026-12-10T20:00:00Z"}


@case(SLUG, "grant_extension", "invalid_time")
def _(env: Env) -> Situation:
    env, _ = submitted(env)
    return env, {"assignment_id": "ASG-9000", "student_id": STUDENT, "due_at": "2026-02-30T20:00:00Z"}


def setting(**more: Any) -> dict[str, Any]:
    base = {"course_id": "CRS-9000", "title": "Work 0", "category": "homework", "points": 10}
    return {**base, "due_at": "2026-04-01T20:00:00Z", **more}


@case(SLUG, "create_assignment", "title_taken")
def _(env: Env) -> Situation:
    env, _ = submitted(env)
    return env, setting()


@case(SLUG, "create_assignment", "no_weight")
def _(env: Env) -> Situation:
    return joined(env, 0), setting(category="project")


@case(SLUG, "create_assignment", "outside_term")
def _(env: Env) -> Situation:
    return joined(env, 0), setting(due_at="2026-09-01T20:00:00Z")


@case(SLUG, "create_assignment", "blank_text")
def _(env: Env) -> Situation:
    return joined(env, 0), setting(title="  ")


PLACE = {"class_meeting_id": "CLS-9000", "weekday": "saturday", "starts": "09:00", "ends": "10:30"}


@case(SLUG, "move_class", "nothing_to_change")
def _(env: Env) -> Situation:
    return joined(env, 0), {**PLACE, "room_id": "ROOM-01"}


@case(SLUG, "move_class", "building_closed")
def _(env: Env) -> Situation:
    return joined(env, 0), {**PLACE, "starts": "07:00", "room_id": "ROOM-01"}


def crowded(env: Env) -> Env:
    """The course of a class has eleven students; the smallest room has ten seats."""
    env = joined(env, 0)
    env = added(env, SLUG, "students", *(student(number) for number in range(2, 12)))
    return added(env, SLUG, "enrollments", *(entry(0, number) for number in range(2, 12)))


@case(SLUG, "move_class", "room_too_small")
def _(env: Env) -> Situation:
    return crowded(env), {**PLACE, "room_id": "ROOM-05"}


@case(SLUG, "schedule_class", "room_too_small")
def _(env: Env) -> Situation:
    span = {"course_id": "CRS-9000", "weekday": "friday", "starts": "09:00", "ends": "10:30"}
    return crowded(env), {**span, "room_id": "ROOM-05"}


BESIDE = {"starts": "10:30", "ends": "12:00"}


@case(SLUG, "move_class", "students_busy")
def _(env: Env) -> Situation:
    return joined(env, 0, 1), {**PLACE, **BESIDE, "room_id": "ROOM-02"}


@case(SLUG, "move_class", "room_taken")
def _(env: Env) -> Situation:
    return joined(env, 0, 1), {**PLACE, **BESIDE, "room_id": "ROOM-01"}


@case(SLUG, "move_class", "teacher_busy")
def _(env: Env) -> Situation:
    return joined(env, 0, 1, teacher_id="TCH-900"), {**PLACE, **BESIDE, "room_id": "ROOM-02"}


@case(SLUG, "schedule_class", "students_busy")
def _(env: Env) -> Situation:
    span = {"course_id": "CRS-9000", "weekday": "saturday", **BESIDE}
    return joined(env, 0, 1), {**span, "room_id": "ROOM-02"}


@case(SLUG, "schedule_class", "teacher_busy")
def _(env: Env) -> Situation:
    span = {"course_id": "CRS-9000", "weekday": "saturday", **BESIDE}
    return joined(env, 0, 1, teacher_id="TCH-900"), {**span, "room_id": "ROOM-02"}


@case(SLUG, "schedule_class", "room_taken")
def _(env: Env) -> Situation:
    span = {"course_id": "CRS-9000", "weekday": "saturday", **BESIDE}
    return joined(env, 0, 1), {**span, "room_id": "ROOM-01"}


@case(SLUG, "publish_final_grades", "nobody_enrolled")
def _(env: Env) -> Situation:
    return world(env, course(0, OVER)), {"course_id": "CRS-9000"}


@case(SLUG, "publish_final_grades", "unmarked_work")
def _(env: Env) -> Situation:
    env = added(joined(env, 0, term=OVER), SLUG, "assignments", work(0))
    ok(env, SLUG, "record_submission", assignment_id="ASG-9000", student_id=STUDENT, text="Done.")
    return env, {"course_id": "CRS-9000"}


PRESENT = {**ASK, "date": "2026-02-28", "status": "present"}  # a Saturday


@case(SLUG, "record_attendance", "same_status")
def _(env: Env) -> Situation:
    env = joined(env, 0)
    ok(env, SLUG, "record_attendance", **PRESENT)
    return env, PRESENT


@case(SLUG, "record_attendance", "no_class")
def _(env: Env) -> Situation:
    return joined(env, 0), {**PRESENT, "date": "2026-02-27"}


@case(SLUG, "record_attendance", "in_the_future")
def _(env: Env) -> Situation:
    return joined(env, 0), {**PRESENT, "date": "2026-03-07"}


@case(SLUG, "record_attendance", "invalid_date")
def _(env: Env) -> Situation:
    return joined(env, 0), {**PRESENT, "date": "2026-02-30"}
