"""Grades, attendance, clashes: what follows from the records of the school."""

from __future__ import annotations

from services_app.engine import conflict
from services_app.library.school.state import (
    Assignment,
    ClassMeeting,
    Course,
    Enrollment,
    SchoolState,
    Submission,
    Term,
)
from services_app.library.shared import Json, minutes_between, percent, with_fields

LATE_COST = 0.1  # of the marks for every day that has begun
MOST_COST = 0.5
PASS = 50.0
ATTEND = 70.0
_LETTERS = ((85.0, "A"), (70.0, "B"), (60.0, "C"), (PASS, "D"))


def letter_of(percent: float | None) -> str | None:
    """A to D from 85, 70, 60 and 50 percent, F below; none when nothing is graded."""
    if percent is None:
        return None
    return next((letter for least, letter in _LETTERS if percent >= least), "F")


def due_for(state: SchoolState, assignment: Assignment, student_id: str) -> str:
    """When a student has to hand in: the due time, or the extension."""
    extension = state.extensions.first(assignment_id=assignment.id, student_id=student_id)
    return extension.due_at if extension else assignment.due_at


def days_late(due_at: str, submitted_at: str) -> int:
    """Days begun after the due time."""
    minutes = minutes_between(due_at, submitted_at)
    return 0 if minutes <= 0 else -(-minutes // 1440)


def earned(state: SchoolState, assignment: Assignment, submission: Submission) -> float | None:
    """Points after what lateness costs; None when it is not marked."""
    if submission.points is None:
        return None
    late = days_late(due_for(state, assignment, submission.student_id), submission.submitted_at)
    return round(submission.points * (1 - min(late * LATE_COST, MOST_COST)), 2)


def standing(state: SchoolState, now: str, course: Course, student_id: str) -> Json:
    """Percent by category and overall; work that was due and not handed in counts as zero, open work not at all."""
    got: dict[str, list[tuple[float, float]]] = {"homework": [], "project": [], "exam": []}
    missing, unmarked = 0, 0
    for assignment in state.assignments.find(course_id=course.id):
        row = state.submissions.first(assignment_id=assignment.id, student_id=student_id)
        points = earned(state, assignment, row) if row else None
        if points is not None:
            got[assignment.category].append((points, assignment.points))
        elif row is not None:
            unmarked += 1
        elif due_for(state, assignment, student_id) < now:
            missing += 1
            got[assignment.category].append((0.0, assignment.points))
    weights = {"homework": course.homework_weight, "project": course.project_weight, "exam": course.exam_weight}
    shares = {name: percent(sum(one for one, _ in rows), sum(most for _, most in rows)) for name, rows in got.items()}
    counted = {name: share for name, share in shares.items() if share is not None and weights[name]}
    weight = sum(weights[name] for name in counted)
    overall = round(sum(share * weights[name] for name, share in counted.items()) / weight, 1) if weight else None
    return {**shares, "percent": overall, "letter": letter_of(overall), "missing": missing, "unmarked": unmarked}


def attendance_of(state: SchoolState, course_id: str, student_id: str) -> Json:
    """Classes recorded, and the percentage attended; excused classes do not count, being late counts as attending."""
    rows = state.attendances.find(course_id=course_id, student_id=student_id)
    counted = [row for row in rows if row.status != "excused"]
    there = sum(1 for row in counted if row.status in ("present", "late"))
    share = percent(there, len(counted))
    return {"classes": len(rows), "absences": len(counted) - there, "attendance_percent": share}


def enrolled(state: SchoolState, course_id: str, student_id: str) -> Enrollment:
    """The live enrolment of a student in a course; 409 `not_enrolled` otherwise."""
    row = state.enrollments.first(course_id=course_id, student_id=student_id, status="enrolled")
    if row is None:
        name, course = state.students.get(student_id).name, state.courses.get(course_id)
        raise conflict(f"{name} is not enrolled in {course.code}; see get_roster.", type="not_enrolled")
    return row


def open_course(state: SchoolState, course_id: str) -> Course:
    """A course whose grades are not final; 409 `grades_final` otherwise."""
    course = state.courses.get(course_id)
    if course.published_at is not None:
        raise conflict(f"The grades of {course.code} are final since {course.published_at}.", type="grades_final")
    return course


def term_of(state: SchoolState, course: Course) -> Term:
    return state.terms.get(course.term_id)


def seats_left(state: SchoolState, course: Course) -> int:
    taken = [row for row in state.enrollments.find(course_id=course.id) if row.status != "withdrawn"]
    return course.seats - len(taken)


def overlap(one: ClassMeeting, other: ClassMeeting) -> bool:
    return one.weekday == other.weekday and one.starts < other.ends and other.starts < one.ends


def meetings_in_term(state: SchoolState, term_id: str) -> list[ClassMeeting]:
    ids = {row.id for row in state.courses.find(term_id=term_id)}
    return [row for row in state.class_meetings if row.course_id in ids]


def course_shown(state: SchoolState, course: Course) -> Json:
    """A course with term, teacher, seats left and weekly hours."""
    meetings = state.class_meetings.find(course_id=course.id)
    teacher = state.teachers.get(course.teacher_id)
    return with_fields(
        course,
        term=term_of(state, course).name,
        teacher_name=teacher.name,
        teacher_email=teacher.email,
        seats_left=seats_left(state, course),
        classes=[f"{row.weekday} {row.starts}-{row.ends}" for row in meetings],
    )


def meeting_shown(state: SchoolState, meeting: ClassMeeting) -> Json:
    course, room = state.courses.get(meeting.course_id), state.rooms.get(meeting.room_id)
    return with_fields(
        meeting,
        course_code=course.code,
        course_title=course.title,
        teacher_name=state.teachers.get(course.teacher_id).name,
        room=room.name,
    )


def submission_shown(state: SchoolState, submission: Submission) -> Json:
    """A submission with student, lateness and points after it."""
    assignment = state.assignments.get(submission.assignment_id)
    due = due_for(state, assignment, submission.student_id)
    return with_fields(
        submission,
        assignment_title=assignment.title,
        student_name=state.students.get(submission.student_id).name,
        days_late=days_late(due, submission.submitted_at),
        earned=earned(state, assignment, submission),
        out_of=assignment.points,
    )
