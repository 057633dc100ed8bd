"""Tools for marks and grades."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.school.courses import CourseId
from services_app.library.school.figures import (
    ATTEND,
    PASS,
    attendance_of,
    open_course,
    standing,
    submission_shown,
    term_of,
)
from services_app.library.school.state import SchoolState, service
from services_app.library.shared import Json, mean

SubmissionId = Annotated[str, f.ref("submissions")]


@service.tool(phrase="give {points} points to the submission {submission_id}")
def grade_submission(
    state: SchoolState,
    ctx: CallContext,
    submission_id: SubmissionId,
    points: Annotated[float, f.Semantic("count", unit="points"), Field(ge=0, le=1000)],
    feedback: Annotated[str, f.Semantic("text"), Field(max_length=4000)] = "",
) -> Json:
    """Mark a submission, or mark it anew; what lateness costs is taken off by itself (10 percent a day, half at most).

    Errors: `not_found`, `grades_final`, `too_many_points`, `same_mark`.

    Args:
        submission_id: Id of the submission.
        points: Points for the work as if it had come in time.
        feedback: What the student should know.
    """
    row = state.submissions.get(submission_id)
    assignment = state.assignments.get(row.assignment_id)
    open_course(state, assignment.course_id)
    if points > assignment.points:
        raise invalid(f"{assignment.title} gives {assignment.points} points at most.", type="too_many_points")
    if (row.points, row.feedback) == (points, feedback):
        raise conflict(f"{row.id} has {points} points and this feedback already.", type="same_mark")
    return submission_shown(state, state.submissions.patch(row.id, points=points, feedback=feedback))


@service.tool()
def get_gradebook(state: SchoolState, ctx: CallContext, course_id: CourseId, at_risk_only: bool = False) -> Json:
    """Show where every student of a course stands: percent by category and overall, letter, missing work, attendance.

    Errors: `not_found`.

    Args:
        course_id: Id of the course.
        at_risk_only: Only students below 50 percent or below 70 percent of attendance.
    """
    course = state.courses.get(course_id)
    rows = []
    for entry in state.enrollments.find(course_id=course.id):
        if entry.status == "withdrawn":
            continue
        student = state.students.get(entry.student_id)
        figures = standing(state, ctx.now, course, student.id) | attendance_of(state, course.id, student.id)
        risk = _below(figures["percent"], PASS) or _below(figures["attendance_percent"], ATTEND)
        final = {"final_percent": entry.final_percent, "passed": entry.passed}
        rows.append({"student_id": student.id, "name": student.name, **figures, "at_risk": risk, **final})
    rows = [row for row in rows if row["at_risk"] or not at_risk_only]
    percents = [row["percent"] for row in rows if row["percent"] is not None]
    return {
        "course_code": course.code,
        "published": course.published_at is not None,
        "mean_percent": mean(percents),
        "students": sorted(rows, key=lambda row: (row["name"], row["student_id"])),
    }


def _below(value: float | None, least: float) -> bool:
    return value is not None and value < least


@service.tool(phrase="publish the final grades of {course_id}")
def publish_final_grades(state: SchoolState, ctx: CallContext, course_id: CourseId) -> Json:
    """Put the final grades of a course on record, from two weeks before its term ends; they cannot be changed.

    Passed is who has 50 percent and has attended 70 percent of the classes.
    Errors: `not_found`, `grades_final`, `term_not_over`, `unmarked_work`, `nobody_enrolled`.

    Args:
        course_id: Id of the course.
    """
    course = open_course(state, course_id)
    term = term_of(state, course)
    if term.ends_on > ctx.in_days(14):
        raise conflict(f"{term.name} ends on {term.ends_on}; it is too early.", type="term_not_over")
    entries = state.enrollments.find(course_id=course.id, status="enrolled")
    if not entries:
        raise conflict(f"Nobody is enrolled in {course.code}.", type="nobody_enrolled")
    figures = {row.id: standing(state, ctx.now, course, row.student_id) for row in entries}
    waiting = sum(one["unmarked"] for one in figures.values())
    if waiting:
        raise conflict(f"{waiting} submissions in {course.code} wait to be marked.", type="unmarked_work")
    for row in entries:
        percent = figures[row.id]["percent"] or 0.0
        share = attendance_of(state, course.id, row.student_id)["attendance_percent"]
        passed = percent >= PASS and not _below(share, ATTEND)
        state.enrollments.patch(row.id, status="completed", final_percent=percent, passed=passed)
    state.courses.patch(course.id, published_at=ctx.now)
    return get_gradebook(state, ctx, course_id)
