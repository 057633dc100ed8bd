"""Three terms of an evening school: one that is over, one that runs, one that can be chosen."""

from __future__ import annotations

from itertools import zip_longest

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Cast, Person
from services_app.library.school import texts
from services_app.library.school.figures import (
    ATTEND,
    PASS,
    attendance_of,
    meetings_in_term,
    overlap,
    seats_left,
    standing,
)
from services_app.library.school.state import Assignment, Course, SchoolState, Student, Term, service
from services_app.library.shared import plus_days, plus_minutes, prose, weekday_of

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday")
_HOURS = (("17:30", "19:00"), ("19:15", "20:45"))
_PRESENT = ("present",) * 7 + ("late", "absent", "excused")


@service.seed
def fill(state: SchoolState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    _school(state, ctx, cast)
    for name, starts, ends, enroll, withdraw in texts.TERMS:
        term = state.terms.create(
            name=name,
            starts_on=ctx.date(starts),
            ends_on=ctx.date(ends),
            enroll_until=ctx.date(enroll),
            withdraw_until=ctx.date(withdraw),
        )
        _courses(state, ctx, term)
        for _ in range(ctx.size(20 if starts > 0 else 110)):
            _enroll(state, ctx, term)
        for index, course in enumerate(state.courses.find(term_id=term.id)):
            over = starts < -100  # of the courses that are over, some wait for their grades, one of them for marks
            _work(state, ctx, cast, course, term, marked=over and index != 5, publish=over and index % 3 != 2)
    for index in range(ctx.size(26)):
        facts = people.facts(ctx, cast.projects[index])
        state.student_notes.create(
            student_id=ctx.random.choice(list(state.students)).id,
            author_name=ctx.random.choice((people.ME.name, *(row.name for row in state.teachers))),
            text=ctx.random.choice(texts.NOTES).format(**facts),
            written_at=ctx.moment(-ctx.random.randint(1, 160), ctx.random.randint(9, 17)),
        )


def _school(state: SchoolState, ctx: SeedContext, cast: Cast) -> None:
    teachers = [*cast.team("operations")[1:5], *cast.team("engineering")[:5]]
    for person in teachers:
        state.teachers.create(name=person.name, email=person.email, phone=person.phone)
    for name, building, seats, lab in texts.ROOMS:
        state.rooms.create(name=name, building=building, seats=seats, lab=lab)
    others = [person for person in cast.staff[1:] if person not in teachers]
    guests = [person for company in cast.companies for person in company.people[:1]]
    for index, person in enumerate([*others[: max(ctx.size(30), 10)], *guests[: ctx.size(30)]]):
        _student(state, ctx, person, index)
    for title, status, days, body in texts.HANDBOOK:
        facts = people.facts(ctx, cast.projects[4])
        state.handbook_pages.create(
            title=title, status=status, body=prose(body).format(**facts), valid_from=ctx.date(-days)
        )


def _student(state: SchoolState, ctx: SeedContext, person: Person, index: int) -> None:
    state.students.create(
        name=person.name,
        email=person.email,
        phone=person.phone,
        student_number=f"S{24_010 + 3 * index}",
        sponsor=person.company if index % 4 else "",
        hold=ctx.random.choice(texts.HOLDS) if index % 9 == 4 else "",
    )


def _courses(state: SchoolState, ctx: SeedContext, term: Term) -> None:
    """What a term offers; the first term only what needs nothing else, the others also what is built on it."""
    offer = [row for row in texts.COURSES if not row[2]]
    first = term.ends_on < ctx.today
    if not first:
        built = [row for row in texts.COURSES if row[2]]
        offer = [row for pair in zip_longest(offer, built) for row in pair if row is not None]
    teachers = list(state.teachers)
    offer = offer[: max(ctx.size(12), 6)]
    sections = min(max(ctx.size(10) // 10, 1), 2)
    for index, row in enumerate(offer * sections):
        code, title, needs, credits, seats, homework, project, exam, description = row
        course = state.courses.create(
            code=code,
            title=title if index < len(offer) else f"{title} (second group)",
            term_id=term.id,
            teacher_id=teachers[index % len(teachers)].id,
            credits=credits,
            seats=seats,
            prerequisite=needs,
            homework_weight=homework,
            project_weight=project,
            exam_weight=exam,
            description=description,
        )
        _class(state, course, index)


def _class(state: SchoolState, course: Course, index: int) -> None:
    """A weekly class at the first time from `index` on at which the teacher and a room are free."""
    for turn in range(index, index + 10):
        weekday, (starts, ends) = _DAYS[turn // 2 % len(_DAYS)], _HOURS[turn % 2]
        then = [
            row for row in meetings_in_term(state, course.term_id) if (row.weekday, row.starts) == (weekday, starts)
        ]
        busy = {state.courses.get(row.course_id).teacher_id for row in then}
        rooms = [
            row for row in state.rooms if row.seats >= course.seats and row.id not in {one.room_id for one in then}
        ]
        if rooms and course.teacher_id not in busy:
            room = min(rooms, key=lambda row: row.seats)
            state.class_meetings.create(course_id=course.id, weekday=weekday, starts=starts, ends=ends, room_id=room.id)
            return


def _enroll(state: SchoolState, ctx: SeedContext, term: Term) -> None:
    """A student in a course of the term, where the rules allow it."""
    student = ctx.random.choice(list(state.students))
    course = ctx.random.choice(state.courses.find(term_id=term.id))
    done = state.enrollments.find(student_id=student.id, status="completed", passed=True)
    codes = {state.courses.get(row.course_id).code for row in done}
    others = [state.courses.get(row.course_id) for row in state.enrollments.find(student_id=student.id)]
    others = [row for row in others if row.term_id == term.id]
    mine = [row for other in others for row in state.class_meetings.find(course_id=other.id)]
    clash = any(overlap(one, two) for one in mine for two in state.class_meetings.find(course_id=course.id))
    known = course.code in codes or course in others
    lacking = bool(course.prerequisite) and course.prerequisite not in codes
    if known or lacking or clash or seats_left(state, course) <= 0 or sum(row.credits for row in others) > 7:
        return
    state.enrollments.create(
        student_id=student.id,
        course_id=course.id,
        status="withdrawn" if ctx.random.random() < 0.06 else "enrolled",
        enrolled_on=min(plus_days(term.starts_on, -ctx.random.randint(2, 25)), ctx.date(-1)),
    )


def _work(
    state: SchoolState, ctx: SeedContext, cast: Cast, course: Course, term: Term, *, marked: bool, publish: bool
) -> None:
    facts = people.facts(ctx, cast.projects[len(state.assignments) // 4 % 60])
    weights = {"homework": course.homework_weight, "project": course.project_weight, "exam": course.exam_weight}
    students = [
        state.students.get(row.student_id) for row in state.enrollments.find(course_id=course.id, status="enrolled")
    ]
    for category, title, points, days, instructions in texts.ASSIGNMENTS:
        if weights[category]:
            row = state.assignments.create(
                course_id=course.id,
                title=f"{course.code} {title}",
                category=category,
                points=float(points),
                due_at=f"{plus_days(term.starts_on, days)}T20:00:00Z",
                instructions=instructions.format(**facts),
            )
            for student in students:
                _submission(state, ctx, row, student, facts, final=marked)
    for week in range(3):
        _attendance(state, ctx, course, term, students, week)
    if ctx.random.random() < 0.5 and term.starts_on < ctx.today:
        title, body = ctx.random.choice(texts.ANNOUNCEMENTS)
        state.announcements.create(
            course_id=course.id,
            title=title.format(**facts),
            body=body.format(**facts),
            author_name=state.teachers.get(course.teacher_id).name,
            posted_at=f"{plus_days(term.starts_on, ctx.random.randint(5, 40))}T10:15:00Z",
        )
    if publish:
        _publish(state, course, f"{plus_days(term.ends_on, 4)}T12:00:00Z")


def _submission(
    state: SchoolState, ctx: SeedContext, row: Assignment, student: Student, facts: dict[str, str], *, final: bool
) -> None:
    draw = ctx.random.random()
    if row.due_at > ctx.moment(8) or draw < 0.08:
        return
    if row.category != "exam" and draw < 0.16:
        state.extensions.create(
            assignment_id=row.id,
            student_id=student.id,
            due_at=plus_minutes(row.due_at, 1440 * ctx.random.choice((3, 7, 10))),
            reason=ctx.random.choice(texts.REASONS).format(**facts),
        )
    late = 60 * ctx.random.choice((-90, -40, -20, -3, -3, -2, 5, 30, 60)) if row.category != "exam" else -30
    handed_in = plus_minutes(row.due_at, late)
    if handed_in > ctx.now:
        return
    marked = final or (row.due_at < ctx.moment(-10) and ctx.random.random() < 0.85)
    state.submissions.create(
        assignment_id=row.id,
        student_id=student.id,
        submitted_at=handed_in,
        text=ctx.random.choice(texts.WORK).format(**facts),
        points=round(row.points * ctx.random.randint(40, 100) / 100) if marked else None,
        feedback=ctx.random.choice(texts.FEEDBACK).format(**facts) if marked else "",
    )


def _attendance(
    state: SchoolState, ctx: SeedContext, course: Course, term: Term, students: list[Student], week: int
) -> None:
    day = plus_days(term.starts_on, 14 * week + 7)
    meeting = state.class_meetings.first(course_id=course.id)
    while meeting is not None and weekday_of(day) != meeting.weekday:
        day = plus_days(day, 1)
    if day < ctx.today:
        for student in students:
            status = ctx.random.choice(_PRESENT)
            state.attendances.create(course_id=course.id, student_id=student.id, date=day, status=status)


def _publish(state: SchoolState, course: Course, moment: str) -> None:
    for row in state.enrollments.find(course_id=course.id, status="enrolled"):
        percent = standing(state, moment, course, row.student_id)["percent"] or 0.0
        share = attendance_of(state, course.id, row.student_id)["attendance_percent"]
        passed = percent >= PASS and (share is None or share >= ATTEND)
        state.enrollments.patch(row.id, status="completed", final_percent=percent, passed=passed)
    state.courses.patch(course.id, published_at=moment)
