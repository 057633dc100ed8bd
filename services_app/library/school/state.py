"""What the office of a school holds. Grades, seats left and attendance follow from the records until they are final."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Weekday = Annotated[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday"], LABEL]
Category = Annotated[Literal["homework", "project", "exam"], LABEL]
EnrollmentStatus = Annotated[Literal["enrolled", "withdrawn", "completed"], LABEL]
AttendanceStatus = Annotated[Literal["present", "late", "excused", "absent"], LABEL]
HandbookStatus = Annotated[Literal["current", "superseded"], LABEL]
Points = Annotated[float, f.Semantic("count", unit="points")]


class Term(Record):
    about: ClassVar[About] = About("term", "terms", prefix="TERM-", width=2, key="name")

    name: f.Title
    starts_on: f.Date
    ends_on: f.Date
    enroll_until: f.Date
    withdraw_until: f.Date


class Teacher(Record):
    about: ClassVar[About] = About("teacher", "teachers", prefix="TCH-", width=3, key="email")

    name: f.Person
    email: f.Email
    phone: f.Phone


class Student(Record):
    about: ClassVar[About] = About("student", "students", prefix="STU-", key="email")

    name: f.Person
    email: f.Email
    phone: f.Phone
    student_number: f.Code
    sponsor: f.Organisation
    """Company that pays the fees."""
    hold: f.Text = ""
    """Why the student may not enrol; empty when there is no hold."""


class Room(Record):
    about: ClassVar[About] = About("room", "rooms", prefix="ROOM-", width=2, key="name")

    name: f.Place
    building: f.Place
    seats: Annotated[int, f.count("seats")]
    lab: bool


class Course(Record):
    about: ClassVar[About] = About("course", "courses", prefix="CRS-", key="title")

    code: f.Code
    title: f.Title
    term_id: Annotated[str, f.ref("terms")]
    teacher_id: Annotated[str, f.ref("teachers")]
    credits: Annotated[int, f.count("credits")]
    seats: Annotated[int, f.count("seats")]
    prerequisite: f.Code = ""
    """Code of the course that has to be passed before."""
    homework_weight: Annotated[int, f.Semantic("percent")]
    project_weight: Annotated[int, f.Semantic("percent")]
    exam_weight: Annotated[int, f.Semantic("percent")]
    description: f.Text
    published_at: f.SystemTime | None = None


class ClassMeeting(Record):
    """A weekly class."""

    about: ClassVar[About] = About("class", "classes", prefix="CLS-", key="")

    course_id: Annotated[str, f.ref("courses")]
    weekday: Weekday
    starts: f.Time
    ends: f.Time
    room_id: Annotated[str, f.ref("rooms")]


class Enrollment(Record):
    about: ClassVar[About] = About("enrolment", "enrolments", prefix="ENR-", key="")

    student_id: Annotated[str, f.ref("students")]
    course_id: Annotated[str, f.ref("courses")]
    status: EnrollmentStatus
    enrolled_on: f.Date
    final_percent: Annotated[float | None, f.Semantic("percent")] = None
    """The grade on record since it was published."""
    passed: bool | None = None


class Assignment(Record):
    about: ClassVar[About] = About("assignment", "assignments", prefix="ASG-", key="title")

    course_id: Annotated[str, f.ref("courses")]
    title: f.Title
    category: Category
    points: Points
    due_at: f.Timestamp
    instructions: f.Text


class Submission(Record):
    about: ClassVar[About] = About("submission", "submissions", prefix="SUB-", key="")

    assignment_id: Annotated[str, f.ref("assignments")]
    student_id: Annotated[str, f.ref("students")]
    submitted_at: f.SystemTime
    text: f.Text
    points: Points | None = None
    """As marked, before what lateness costs."""
    feedback: f.Text = ""


class Extension(Record):
    about: ClassVar[About] = About("extension", "extensions", prefix="EXT-", key="")

    assignment_id: Annotated[str, f.ref("assignments")]
    student_id: Annotated[str, f.ref("students")]
    due_at: f.Timestamp
    reason: f.Text


class Attendance(Record):
    about: ClassVar[About] = About("attendance record", "attendance records", prefix="ATT-", key="")

    course_id: Annotated[str, f.ref("courses")]
    student_id: Annotated[str, f.ref("students")]
    date: f.Date
    status: AttendanceStatus


class StudentNote(Record):
    about: ClassVar[About] = About("student note", "student notes", prefix="SN-", key="", carrier="note")

    student_id: Annotated[str, f.ref("students")]
    author_name: f.Person
    text: f.Text
    written_at: f.SystemTime


class Announcement(Record):
    about: ClassVar[About] = About("announcement", "announcements", prefix="ANC-", key="title", carrier="document")

    course_id: Annotated[str, f.ref("courses")]
    title: f.Title
    body: f.Text
    author_name: f.Person
    posted_at: f.SystemTime


class HandbookPage(Record):
    about: ClassVar[About] = About(
        "handbook page", "handbook pages", prefix="HB-", width=2, key="title", carrier="document"
    )

    title: f.Title
    status: HandbookStatus
    body: f.Text
    valid_from: f.Date


class SchoolState(State):
    terms: Table[Term]
    teachers: Table[Teacher]
    students: Table[Student]
    rooms: Table[Room]
    courses: Table[Course]
    class_meetings: Table[ClassMeeting]
    enrollments: Table[Enrollment]
    assignments: Table[Assignment]
    submissions: Table[Submission]
    extensions: Table[Extension]
    attendances: Table[Attendance]
    student_notes: Table[StudentNote]
    announcements: Table[Announcement]
    handbook_pages: Table[HandbookPage]


service = Service(
    "school",
    title="School",
    domain="education",
    description="An evening school: courses, timetable, enrolments, assignments, grades, attendance, transcripts.",
    state=SchoolState,
    files=sources(__file__),
)
