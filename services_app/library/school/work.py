"""Tools for assignments and what students hand in."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.school.courses import CourseId
from services_app.library.school.figures import enrolled, open_course, submission_shown, term_of
from services_app.library.school.state import Assignment, Category, SchoolState, service
from services_app.library.school.students import StudentId
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_future,
    check_text,
    check_time,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    some_changes,
    with_fields,
    within,
)

AssignmentId = Annotated[str, f.ref("assignments")]
MaxPoints = Annotated[float, f.Semantic("count", unit="points"), Field(gt=0, le=1000)]
Instructions = Annotated[str, f.Semantic("text"), Field(max_length=10_000)]
Marked = Annotated[Literal["marked", "unmarked"], LABEL]


def _shown(state: SchoolState, row: Assignment) -> Json:
    handed_in = state.submissions.find(assignment_id=row.id)
    return with_fields(
        row,
        course_code=state.courses.get(row.course_id).code,
        submissions=len(handed_in),
        unmarked=sum(1 for one in handed_in if one.points is None),
    )


@service.tool()
def list_assignments(  # noqa: PLR0913, PLR0917 - one per filter
    state: SchoolState,
    ctx: CallContext,
    course_id: CourseId | None = None,
    category: Category | None = None,
    query: Query | None = None,
    due_from: f.Date | None = None,
    due_to: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List assignments by due time, with how many were handed in and how many wait to be marked.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        course_id: Only assignments of this course.
        category: Only homework, projects or exams.
        query: Words in the title or the instructions.
        due_from: Only what is due on this day or later.
        due_to: Only what is due on this day or earlier.
        limit: At most so many assignments.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.assignments, course_id=course_id, category=category)
    found = search(within(found, "due_at", due_from, due_to), query, lambda row: (row.title, row.instructions))
    found.sort(key=lambda row: (row.due_at, row.id))
    page = cursor_page("assignments", found, limit, cursor)
    page["assignments"] = [_shown(state, row) for row in page["assignments"]]
    return page


@service.tool()
def get_assignment(state: SchoolState, ctx: CallContext, assignment_id: AssignmentId) -> Json:
    """Show an assignment with its submissions, its extensions, and who has not handed in.

    Errors: `not_found`.

    Args:
        assignment_id: Id of the assignment.
    """
    row = state.assignments.get(assignment_id)
    handed_in = state.submissions.find(assignment_id=row.id)
    known = {one.student_id for one in handed_in}
    live = [one for one in state.enrollments.find(course_id=row.course_id) if one.status != "withdrawn"]
    return {
        **_shown(state, row),
        "handed_in": [submission_shown(state, one) for one in handed_in],
        "extensions": [
            with_fields(one, student_name=state.students.get(one.student_id).name)
            for one in state.extensions.find(assignment_id=row.id)
        ],
        "not_handed_in": [
            {"student_id": one.student_id, "name": state.students.get(one.student_id).name}
            for one in live
            if one.student_id not in known
        ],
    }


@service.tool(phrase="set the {category} {title} in {course_id}, due {due_at}")
def create_assignment(
    state: SchoolState,
    ctx: CallContext,
    course_id: CourseId,
    title: Name,
    category: Category,
    points: MaxPoints,
    due_at: f.Timestamp,
    instructions: Instructions = "",
) -> Json:
    """Set an assignment, due within the term of its course.

    Errors: `not_found`, `grades_final`, `blank_text`, `title_taken`, `invalid_time`, `in_the_past`, `outside_term`,
    `no_weight` (the category does not count in this course).

    Args:
        course_id: Id of the course.
        title: What it is called.
        category: Homework, project or exam.
        points: Points to be had.
        due_at: When it has to be handed in.
        instructions: What to do.
    """
    course, name = open_course(state, course_id), check_text(title, "title")
    if any(same(row.title, name) for row in state.assignments.find(course_id=course.id)):
        raise conflict(f"{course.code} has an assignment called {name}.", type="title_taken")
    if not getattr(course, f"{category}_weight"):
        raise conflict(f"The {category} does not count in {course.code}; see get_course.", type="no_weight")
    due = check_future(ctx, due_at, "due time")
    _check_term(state, course_id, due)
    row = state.assignments.create(
        course_id=course.id, title=name, category=category, points=points, due_at=due, instructions=instructions
    )
    return _shown(state, row)


def _check_term(state: SchoolState, course_id: str, due: str) -> None:
    term = term_of(state, state.courses.get(course_id))
    if not term.starts_on <= due[:10] <= term.ends_on:
        raise invalid(f"{term.name} runs from {term.starts_on} to {term.ends_on}.", type="outside_term")


@service.tool(phrase="update the assignment {assignment_id}")
def update_assignment(
    state: SchoolState,
    ctx: CallContext,
    assignment_id: AssignmentId,
    title: Name | Unset = UNSET,
    due_at: f.Timestamp | Unset = UNSET,
    points: MaxPoints | Unset = UNSET,
    instructions: Instructions | Unset = UNSET,
) -> Json:
    """Change an assignment; points only while nothing is marked. What is not sent stays as it is.

    Errors: `not_found`, `grades_final`, `nothing_to_change`, `blank_text`, `invalid_time`, `outside_term`,
    `already_marked`.

    Args:
        assignment_id: Id of the assignment.
        title: New title.
        due_at: New due time, for everybody without an extension.
        points: New points to be had.
        instructions: New instructions.
    """
    row = state.assignments.get(assignment_id)
    open_course(state, row.course_id)
    changes = some_changes(given(title=title, due_at=due_at, points=points, instructions=instructions))
    if "title" in changes:
        changes["title"] = check_text(changes["title"], "title")
    if "due_at" in changes:
        changes["due_at"] = check_time(changes["due_at"])
        _check_term(state, row.course_id, changes["due_at"])
    marked = [one for one in state.submissions.find(assignment_id=row.id) if one.points is not None]
    if "points" in changes and marked:
        raise conflict(f"{len(marked)} submissions of {row.title} are marked already.", type="already_marked")
    return _shown(state, state.assignments.patch(row.id, **changes))


@service.tool(phrase="hand {assignment_id} in for student {student_id}")
def record_submission(
    state: SchoolState, ctx: CallContext, assignment_id: AssignmentId, student_id: StudentId, text: Body
) -> Json:
    """Record what a student hands in now; unmarked work is replaced.

    Errors: `not_found`, `grades_final`, `not_enrolled`, `already_marked`, `blank_text`.

    Args:
        assignment_id: Id of the assignment.
        student_id: Id of the student.
        text: The work, or where it is.
    """
    assignment, student = state.assignments.get(assignment_id), state.students.get(student_id)
    enrolled(state, open_course(state, assignment.course_id).id, student.id)
    known = state.submissions.first(assignment_id=assignment.id, student_id=student.id)
    if known is not None and known.points is not None:
        raise conflict(f"{student.name} has {known.points} points for it already.", type="already_marked")
    clean = check_text(text, "text")
    if known is not None:
        row = state.submissions.patch(known.id, text=clean, submitted_at=ctx.now)
    else:
        row = state.submissions.create(
            assignment_id=assignment.id, student_id=student.id, submitted_at=ctx.now, text=clean
        )
    return submission_shown(state, row)


@service.tool()
def list_submissions(
    state: SchoolState,
    ctx: CallContext,
    course_id: CourseId | None = None,
    student_id: StudentId | None = None,
    marked: Marked | None = None,
    late_only: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List submissions with points after lateness, those handed in last at the top.

    Args:
        course_id: Only work in this course.
        student_id: Only work of this student.
        marked: Only marked or only unmarked work.
        late_only: Only work that was handed in late.
        limit: At most so many submissions.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.submissions, student_id=student_id)
    if course_id is not None:
        known = {row.id for row in state.assignments.find(course_id=course_id)}
        found = [row for row in found if row.assignment_id in known]
    found = [row for row in found if marked is None or (row.points is not None) == (marked == "marked")]
    found = newest_first(found, "submitted_at")
    rows = [submission_shown(state, row) for row in found]
    return cursor_page("submissions", [row for row in rows if row["days_late"] or not late_only], limit, cursor)


@service.tool(phrase="give student {student_id} until {due_at} for {assignment_id}")
def grant_extension(
    state: SchoolState,
    ctx: CallContext,
    assignment_id: AssignmentId,
    student_id: StudentId,
    due_at: f.Timestamp,
    reason: Annotated[str, f.Semantic("text"), Field(max_length=1000)] = "",
) -> Json:
    """Give one student more time; an earlier extension is replaced. Exams are not extended.

    Errors: `not_found`, `grades_final`, `not_enrolled`, `no_extension` (exams), `invalid_time`, `not_later`,
    `outside_term`.

    Args:
        assignment_id: Id of the assignment.
        student_id: Id of the student.
        due_at: The new due time.
        reason: Why.
    """
    row, student = state.assignments.get(assignment_id), state.students.get(student_id)
    enrolled(state, open_course(state, row.course_id).id, student.id)
    if row.category == "exam":
        raise conflict(f"{row.title} is an exam; see the handbook on resits.", type="no_extension")
    due = check_time(due_at)
    known = state.extensions.first(assignment_id=row.id, student_id=student.id)
    before = known.due_at if known else row.due_at
    if due <= before:
        raise invalid(f"It is due at {before} already; give a later time.", type="not_later")
    _check_term(state, row.course_id, due)
    if known is not None:
        made = state.extensions.patch(known.id, due_at=due, reason=reason)
    else:
        made = state.extensions.create(assignment_id=row.id, student_id=student.id, due_at=due, reason=reason)
    return with_fields(made, student_name=student.name, assignment_title=row.title)
