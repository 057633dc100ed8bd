"""Tools for students: finding them, what they have reached, notes about them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.school.figures import attendance_of, course_shown, letter_of, standing
from services_app.library.school.state import SchoolState, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    search,
    with_fields,
)

StudentId = Annotated[str, f.ref("students")]
POINTS = {"A": 4.0, "B": 3.0, "C": 2.0, "D": 1.0, "F": 0.0}


@service.tool()
def search_students(
    state: SchoolState,
    ctx: CallContext,
    query: Query | None = None,
    sponsor: Annotated[str, f.Semantic("organisation"), Field(min_length=1, max_length=120)] | None = None,
    on_hold_only: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find students by name, email, phone or student number, by name.

    Args:
        query: Words that must all occur.
        sponsor: Only students whose fees this company pays.
        on_hold_only: Only students who may not enrol.
        limit: At most so many students.
        cursor: next_cursor of the previous page.
    """
    found = search(state.students, query, lambda row: (row.name, row.email, row.phone, row.student_number))
    found = [row for row in keep(found, sponsor=sponsor) if row.hold or not on_hold_only]
    found.sort(key=lambda row: (row.name, row.id))
    return cursor_page("students", found, limit, cursor)


@service.tool()
def get_student(state: SchoolState, ctx: CallContext, student_id: StudentId) -> Json:
    """Show a student with present courses, where the student stands in each, and notes.

    Errors: `not_found`.

    Args:
        student_id: Id of the student.
    """
    student = state.students.get(student_id)
    courses = [
        state.courses.get(row.course_id) for row in state.enrollments.find(student_id=student.id, status="enrolled")
    ]
    return with_fields(
        student,
        courses=[
            {
                **course_shown(state, course),
                "standing": standing(state, ctx.now, course, student.id),
                **attendance_of(state, course.id, student.id),
            }
            for course in courses
        ],
        notes=state.student_notes.find(student_id=student.id),
    )


@service.tool()
def get_transcript(state: SchoolState, ctx: CallContext, student_id: StudentId) -> Json:
    """Show the final grades of a student with credits earned and the grade point average, weighted by credits.

    Errors: `not_found`.

    Args:
        student_id: Id of the student.
    """
    student = state.students.get(student_id)
    rows: list[Json] = []
    for entry in state.enrollments.find(student_id=student.id, status="completed"):
        course = state.courses.get(entry.course_id)
        letter = letter_of(entry.final_percent) if entry.passed else "F"
        rows.append(
            {
                "course_code": course.code,
                "title": course.title,
                "term": state.terms.get(course.term_id).name,
                "credits": course.credits,
                "percent": entry.final_percent,
                "letter": letter,
                "passed": entry.passed,
            }
        )
    tried = sum(row["credits"] for row in rows)
    points = sum(row["credits"] * POINTS[row["letter"] or "F"] for row in rows)
    return {
        "student_name": student.name,
        "student_number": student.student_number,
        "courses": rows,
        "credits_earned": sum(row["credits"] for row in rows if row["passed"]),
        "grade_point_average": round(points / tried, 2) if tried else None,
    }


@service.tool(phrase="note about the student {student_id}: {text}")
def add_student_note(state: SchoolState, ctx: CallContext, student_id: StudentId, text: Body) -> Json:
    """Leave a note about a student for the office and the teachers.

    Errors: `not_found`, `blank_text`.

    Args:
        student_id: Id of the student.
        text: What to remember.
    """
    student, clean = state.students.get(student_id), check_text(text, "note")
    row = state.student_notes.create(student_id=student.id, author_name=ME.name, text=clean, written_at=ctx.now)
    return with_fields(row, student_name=student.name)
