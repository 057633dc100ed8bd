"""Tools for courses, what is announced in them, and the handbook."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.school.figures import attendance_of, course_shown, meeting_shown, seats_left
from services_app.library.school.state import HandbookStatus, SchoolState, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_text,
    cursor_page,
    guide_pages,
    keep,
    newest_first,
    same,
    search,
    with_fields,
)

CourseId = Annotated[str, f.ref("courses")]
TermName = Annotated[str, f.Semantic("title"), Field(min_length=1, max_length=60)]


def term_ids(state: SchoolState, name: str | None) -> list[str]:
    """Ids of the terms of this name; of all terms when there is none."""
    return [row.id for row in state.terms if name is None or same(row.name, name)]


@service.tool()
def search_courses(
    state: SchoolState,
    ctx: CallContext,
    query: Query | None = None,
    term: TermName | None = None,
    teacher_email: f.Email | None = None,
    open_only: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find courses by code, title or description, with teacher, seats left and weekly classes, by code.

    Args:
        query: Words that must all occur.
        term: Only courses of the term of this name, such as Spring 2026.
        teacher_email: Only courses of this teacher.
        open_only: Only courses with seats left whose enrolment is open.
        limit: At most so many courses.
        cursor: next_cursor of the previous page.
    """
    found = search(state.courses, query, lambda row: (row.code, row.title, row.description))
    found = [row for row in found if row.term_id in term_ids(state, term)]
    rows = [course_shown(state, row) for row in sorted(found, key=lambda row: (row.code, row.term_id, row.id))]
    if teacher_email is not None:
        rows = [row for row in rows if same(row["teacher_email"], teacher_email)]
    if open_only:
        until = {row.id: row.enroll_until for row in state.terms}
        rows = [row for row in rows if row["seats_left"] > 0 and until[row["term_id"]] >= ctx.today]
    return cursor_page("courses", rows, limit, cursor)


@service.tool()
def get_course(state: SchoolState, ctx: CallContext, course_id: CourseId) -> Json:
    """Show a course with its term dates, classes and rooms, assignments and the weights of the grade.

    Errors: `not_found`.

    Args:
        course_id: Id of the course.
    """
    row = state.courses.get(course_id)
    assignments = sorted(state.assignments.find(course_id=row.id), key=lambda one: (one.due_at, one.id))
    return {
        **course_shown(state, row),
        "term_dates": state.terms.get(row.term_id),
        "classes": [meeting_shown(state, one) for one in state.class_meetings.find(course_id=row.id)],
        "assignments": [
            {"id": one.id, "title": one.title, "category": one.category, "points": one.points, "due_at": one.due_at}
            for one in assignments
        ],
    }


@service.tool()
def get_roster(state: SchoolState, ctx: CallContext, course_id: CourseId, include_withdrawn: bool = False) -> Json:
    """List who is in a course, with attendance and absences, by name.

    Errors: `not_found`.

    Args:
        course_id: Id of the course.
        include_withdrawn: Also those who have left the course.
    """
    course = state.courses.get(course_id)
    rows = []
    for entry in state.enrollments.find(course_id=course.id):
        if include_withdrawn or entry.status != "withdrawn":
            student = state.students.get(entry.student_id)
            more = {"name": student.name, "email": student.email, "sponsor": student.sponsor}
            rows.append({**with_fields(entry, **more), **attendance_of(state, course.id, student.id)})
    rows.sort(key=lambda row: (row["name"], row["id"]))
    return {"course_code": course.code, "students": rows, "seats_left": seats_left(state, course)}


@service.tool(phrase="announce {title} in the course {course_id}")
def post_announcement(state: SchoolState, ctx: CallContext, course_id: CourseId, title: Name, body: Body) -> Json:
    """Post an announcement to everybody in a course.

    Errors: `not_found`, `blank_text`.

    Args:
        course_id: Id of the course.
        title: What it is about.
        body: The text.
    """
    course = state.courses.get(course_id)
    row = state.announcements.create(
        course_id=course.id,
        title=check_text(title, "title"),
        body=check_text(body, "body"),
        author_name=ME.name,
        posted_at=ctx.now,
    )
    return with_fields(row, course_code=course.code)


@service.tool()
def list_announcements(
    state: SchoolState,
    ctx: CallContext,
    course_id: CourseId | None = None,
    query: Query | None = None,
    limit: Limit = 10,
    cursor: Cursor = "",
) -> Json:
    """List announcements with their full text, the latest first.

    Args:
        course_id: Only announcements in this course.
        query: Words that must all occur in title or text.
        limit: At most so many announcements.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.announcements, query, lambda row: (row.title, row.body)), course_id=course_id)
    found = newest_first(found, "posted_at")
    page = cursor_page("announcements", found, limit, cursor)
    page["announcements"] = [
        with_fields(row, course_code=state.courses.get(row.course_id).code) for row in page["announcements"]
    ]
    return page


@service.tool()
def search_handbook(
    state: SchoolState,
    ctx: CallContext,
    query: Query | None = None,
    status: HandbookStatus = "current",
    limit: Limit = 10,
    cursor: Cursor = "",
) -> Json:
    """Find pages of the school's handbook (fees, grades, attendance) with their full text, the latest first.

    Args:
        query: Words that must all occur in title or text.
        status: Pages that hold now, or those that were replaced.
        limit: At most so many pages.
        cursor: next_cursor of the previous page.
    """
    found = guide_pages(state.handbook_pages, query, status=status)
    return cursor_page("pages", found, limit, cursor)
