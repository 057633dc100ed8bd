"""Tools that put students into courses and take them out."""

from __future__ import annotations

from services_app.engine import CallContext, conflict, forbidden
from services_app.library.school.courses import CourseId
from services_app.library.school.figures import course_shown, enrolled, overlap, seats_left, term_of
from services_app.library.school.state import Course, Enrollment, SchoolState, Student, service
from services_app.library.school.students import StudentId
from services_app.library.shared import Json, with_fields

MOST_CREDITS = 12


def _shown(state: SchoolState, entry: Enrollment) -> Json:
    course = state.courses.get(entry.course_id)
    return with_fields(
        entry, student_name=state.students.get(entry.student_id).name, course=course_shown(state, course)
    )


@service.tool(phrase="enrol student {student_id} in the course {course_id}")
def enroll_student(state: SchoolState, ctx: CallContext, course_id: CourseId, student_id: StudentId) -> Json:
    """Enrol a student in a course; who withdrew before is taken back.

    Errors: `not_found`, `enrollment_closed`, `on_hold`, `already_enrolled`, `already_passed`, `prerequisite_missing`,
    `course_full`, `timetable_clash`, `too_many_credits` (12 in a term at most).

    Args:
        course_id: Id of the course.
        student_id: Id of the student.
    """
    course, student = state.courses.get(course_id), state.students.get(student_id)
    term = term_of(state, course)
    if ctx.today > term.enroll_until or course.published_at:
        raise conflict(f"Enrolment for {term.name} ended on {term.enroll_until}.", type="enrollment_closed")
    if student.hold:
        raise forbidden(f"{student.name} is on hold: {student.hold}", type="on_hold")
    known = state.enrollments.first(course_id=course.id, student_id=student.id)
    if known is not None and known.status != "withdrawn":
        raise conflict(f"{student.name} is in {course.code} already.", type="already_enrolled")
    _check_history(state, course, student)
    if seats_left(state, course) <= 0:
        raise conflict(f"All {course.seats} seats of {course.code} are taken.", type="course_full")
    _check_week(state, course, student)
    if known is not None:
        return _shown(state, state.enrollments.patch(known.id, status="enrolled", enrolled_on=ctx.today))
    row = state.enrollments.create(student_id=student.id, course_id=course.id, status="enrolled", enrolled_on=ctx.today)
    return _shown(state, row)


def _check_history(state: SchoolState, course: Course, student: Student) -> None:
    done = state.enrollments.find(student_id=student.id, status="completed", passed=True)
    codes = {state.courses.get(row.course_id).code for row in done}
    if course.code in codes:
        raise conflict(f"{student.name} has passed {course.code}.", type="already_passed")
    if course.prerequisite and course.prerequisite not in codes:
        raise conflict(
            f"{course.code} needs {course.prerequisite}, which {student.name} has not passed.",
            type="prerequisite_missing",
        )


def _check_week(state: SchoolState, course: Course, student: Student) -> None:
    """Clashes with the other courses of the term, and their credits."""
    others = [
        state.courses.get(row.course_id) for row in state.enrollments.find(student_id=student.id, status="enrolled")
    ]
    others = [row for row in others if row.term_id == course.term_id]
    for other in others:
        for mine in state.class_meetings.find(course_id=other.id):
            if any(overlap(mine, one) for one in state.class_meetings.find(course_id=course.id)):
                raise conflict(
                    f"{other.code} is on {mine.weekday} {mine.starts} to {mine.ends} as well.", type="timetable_clash"
                )
    load = sum(row.credits for row in others) + course.credits
    if load > MOST_CREDITS:
        raise conflict(f"That would be {load} credits; {MOST_CREDITS} at most.", type="too_many_credits")


@service.tool(phrase="withdraw student {student_id} from the course {course_id}")
def withdraw_student(state: SchoolState, ctx: CallContext, course_id: CourseId, student_id: StudentId) -> Json:
    """Take a student out of a course before the term's last day for it; the seat is free again.

    Errors: `not_found`, `not_enrolled`, `withdrawal_closed`.

    Args:
        course_id: Id of the course.
        student_id: Id of the student.
    """
    course, student = state.courses.get(course_id), state.students.get(student_id)
    row = enrolled(state, course.id, student.id)
    term = term_of(state, course)
    if ctx.today > term.withdraw_until:
        raise conflict(f"Withdrawal in {term.name} ended on {term.withdraw_until}.", type="withdrawal_closed")
    return _shown(state, state.enrollments.patch(row.id, status="withdrawn"))
