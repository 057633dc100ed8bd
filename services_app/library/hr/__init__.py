"""HR: employees and their jobs, pay, leave, reviews and goals."""

from services_app.library.hr import growth, jobs, leave, people, seed
from services_app.library.hr.state import service

__all__ = ["growth", "jobs", "leave", "people", "seed", "service"]
