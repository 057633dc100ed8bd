"""School: courses and their timetable, enrolments, assignments, grades and attendance."""

from services_app.library.school import courses, enrolment, grading, seed, students, timetable, work
from services_app.library.school.state import service

__all__ = ["courses", "enrolment", "grading", "seed", "service", "students", "timetable", "work"]
