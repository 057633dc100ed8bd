"""Tools for the timetable: who is where when, free rooms, new and moved classes, attendance."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.school.courses import CourseId, TermName, term_ids
from services_app.library.school.figures import (
    attendance_of,
    enrolled,
    meeting_shown,
    meetings_in_term,
    open_course,
    overlap,
    seats_left,
    term_of,
)
from services_app.library.school.state import AttendanceStatus, ClassMeeting, Course, SchoolState, Weekday, service
from services_app.library.school.students import StudentId
from services_app.library.shared import Json, check_date, plus_days, same, weekday_of, with_fields

RoomId = Annotated[str, f.ref("rooms")]
MeetingId = Annotated[str, f.ref("class_meetings")]
RoomName = Annotated[str, f.Semantic("place"), Field(min_length=1, max_length=80)]
_ORDER = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday")


@service.tool()
def get_timetable(
    state: SchoolState,
    ctx: CallContext,
    term: TermName | None = None,
    student_id: StudentId | None = None,
    teacher_email: f.Email | None = None,
    room: RoomName | None = None,
    weekday: Weekday | None = None,
) -> Json:
    """Show the weekly classes of a term, a student, a teacher or a room, in the order of the week.

    Errors: `not_found`.

    Args:
        term: Only classes of the term of this name; the terms that are not over when left out.
        student_id: Only classes of this student's present courses.
        teacher_email: Only classes of this teacher.
        room: Only classes in the room of this name.
        weekday: Only this day.
    """
    ids = term_ids(state, term) if term else [row.id for row in state.terms if row.ends_on >= ctx.today]
    found = [row for one in ids for row in meetings_in_term(state, one)]
    if student_id is not None:
        own = state.enrollments.find(student_id=state.students.get(student_id).id, status="enrolled")
        courses = {row.course_id for row in own}
        found = [row for row in found if row.course_id in courses]
    if teacher_email is not None:
        teachers = {row.id for row in state.teachers if same(row.email, teacher_email)}
        found = [row for row in found if state.courses.get(row.course_id).teacher_id in teachers]
    if room is not None:
        found = [row for row in found if same(state.rooms.get(row.room_id).name, room)]
    found = [row for row in found if weekday in (None, row.weekday)]
    found.sort(key=lambda row: (_ORDER.index(row.weekday), row.starts, row.id))
    return {"classes": [meeting_shown(state, row) for row in found], "total": len(found)}


@service.tool()
def find_free_rooms(
    state: SchoolState,
    ctx: CallContext,
    term: TermName,
    weekday: Weekday,
    starts: f.Time,
    ends: f.Time,
    min_seats: Annotated[int, f.count("seats"), Field(ge=1, le=500)] = 1,
    lab_only: bool = False,
) -> Json:
    """Find rooms without a class at a time of the week in a term, the smallest that fits first.

    Errors: `unknown_term`, `ends_before_start`.

    Args:
        term: Name of the term.
        weekday: The day.
        starts: Start of the time.
        ends: End of the time.
        min_seats: How many people have to fit in.
        lab_only: Only rooms with laboratory benches.
    """
    if not term_ids(state, term):
        names = ", ".join(row.name for row in state.terms)
        raise invalid(f"There is no term {term}; use one of {names}.", type="unknown_term")
    if ends <= starts:
        raise invalid(f"The time ends ({ends}) before it starts ({starts}).", type="ends_before_start")
    taken = {
        row.room_id
        for one in term_ids(state, term)
        for row in meetings_in_term(state, one)
        if row.weekday == weekday and row.starts < ends and starts < row.ends
    }
    rooms = [row for row in state.rooms if row.id not in taken and row.seats >= min_seats and (row.lab or not lab_only)]
    return {"rooms": sorted(rooms, key=lambda row: (row.seats, row.name))}


def _check_free(state: SchoolState, course: Course, wanted: ClassMeeting) -> None:
    """409 when the room, the teacher or students of the course have another class then, or the room is too small."""
    room = state.rooms.get(wanted.room_id)
    people = course.seats - seats_left(state, course)
    if room.seats < people:
        raise conflict(
            f"{room.name} has {room.seats} seats; {course.code} has {people} students.", type="room_too_small"
        )
    mine = {row.student_id for row in state.enrollments.find(course_id=course.id, status="enrolled")}
    for other in meetings_in_term(state, course.term_id):
        if other.id == wanted.id or not overlap(other, wanted):
            continue
        busy = state.courses.get(other.course_id)
        when = f"{busy.code} is on {other.weekday} {other.starts} to {other.ends}"
        if other.room_id == room.id:
            raise conflict(f"{when} in {room.name}; see find_free_rooms.", type="room_taken")
        if busy.teacher_id == course.teacher_id:
            raise conflict(f"{when} with the same teacher.", type="teacher_busy")
        if mine & {row.student_id for row in state.enrollments.find(course_id=busy.id, status="enrolled")}:
            raise conflict(f"{when} with some of the same students.", type="students_busy")


def _check_hours(starts: str, ends: str) -> None:
    if ends <= starts:
        raise invalid(f"The class ends ({ends}) before it starts ({starts}).", type="ends_before_start")
    if starts < "08:00" or ends > "22:00":
        raise invalid("The building is open from 08:00 to 22:00.", type="building_closed")


@service.tool(phrase="hold a class of {course_id} on {weekday} from {starts} to {ends} in {room_id}")
def schedule_class(
    state: SchoolState,
    ctx: CallContext,
    course_id: CourseId,
    weekday: Weekday,
    starts: f.Time,
    ends: f.Time,
    room_id: RoomId,
) -> Json:
    """Add a weekly class to a course.

    Errors: `not_found`, `grades_final`, `ends_before_start`, `building_closed`, `room_too_small`, `room_taken`,
    `teacher_busy`, `students_busy`.

    Args:
        course_id: Id of the course.
        weekday: The day.
        starts: Start of the class.
        ends: End of the class.
        room_id: Id of the room.
    """
    course = open_course(state, course_id)
    state.rooms.get(room_id)
    _check_hours(starts, ends)
    row = state.class_meetings.create(course_id=course.id, weekday=weekday, starts=starts, ends=ends, room_id=room_id)
    _check_free(state, course, row)
    return meeting_shown(state, row)


@service.tool(
    phrase="move the class {class_meeting_id} to {weekday}, {starts} to {ends}, in {room_id}",
    examples=(
        Example(
            {
                "class_meeting_id": "CLS-0003",
                "weekday": "saturday",
                "starts": "09:00",
                "ends": "10:30",
                "room_id": "ROOM-02",
            }
        ),
    ),
)
def move_class(
    state: SchoolState,
    ctx: CallContext,
    class_meeting_id: MeetingId,
    weekday: Weekday,
    starts: f.Time,
    ends: f.Time,
    room_id: RoomId,
) -> Json:
    """Move a weekly class to another time or room.

    Errors: `not_found`, `grades_final`, `ends_before_start`, `building_closed`, `nothing_to_change`, `room_too_small`,
    `room_taken`, `teacher_busy`, `students_busy`.

    Args:
        class_meeting_id: Id of the class.
        weekday: The day.
        starts: Start of the class.
        ends: End of the class.
        room_id: Id of the room.
    """
    old = state.class_meetings.get(class_meeting_id)
    course = open_course(state, old.course_id)
    state.rooms.get(room_id)
    _check_hours(starts, ends)
    row = state.class_meetings.patch(old.id, weekday=weekday, starts=starts, ends=ends, room_id=room_id)
    if row == old:
        raise conflict(f"{old.id} is there already; give another time or room.", type="nothing_to_change")
    _check_free(state, course, row)
    return meeting_shown(state, row)


@service.tool(phrase="record student {student_id} as {status} in the class of {course_id}")
def record_attendance(
    state: SchoolState,
    ctx: CallContext,
    course_id: CourseId,
    student_id: StudentId,
    status: AttendanceStatus,
    date: f.Date | None = None,
) -> Json:
    """Record whether a student came to a class; a record of the same day is replaced.

    Errors: `not_found`, `grades_final`, `not_enrolled`, `invalid_date`, `no_class` (none of the course on that day),
    `in_the_future`, `same_status`.

    Args:
        course_id: Id of the course.
        student_id: Id of the student.
        status: Whether the student came.
        date: Day of the class; the last one when left out.
    """
    course, student = open_course(state, course_id), state.students.get(student_id)
    enrolled(state, course.id, student.id)
    day = _class_day(state, ctx, course, date)
    known = state.attendances.first(course_id=course.id, student_id=student.id, date=day)
    if known is not None and known.status == status:
        raise conflict(f"{student.name} is recorded as {status} on {day} already.", type="same_status")
    if known is not None:
        row = state.attendances.patch(known.id, status=status)
    else:
        row = state.attendances.create(course_id=course.id, student_id=student.id, date=day, status=status)
    return {**with_fields(row, student_name=student.name), **attendance_of(state, course.id, student.id)}


def _class_day(state: SchoolState, ctx: CallContext, course: Course, date: str | None) -> str:
    """The day of a class of the course: the one asked for, or the last one until today."""
    term = term_of(state, course)
    days = {row.weekday for row in state.class_meetings.find(course_id=course.id)}
    if date is None:
        latest = min(ctx.today, term.ends_on)
        day = next((one for one in (plus_days(latest, -back) for back in range(7)) if weekday_of(one) in days), latest)
    else:
        day = check_date(date)
    if day > ctx.today:
        raise invalid(f"{day} is still to come.", type="in_the_future")
    if weekday_of(day) not in days or not term.starts_on <= day <= term.ends_on:
        raise invalid(f"{course.code} has no class on {day}; see get_course.", type="no_class")
    return day
