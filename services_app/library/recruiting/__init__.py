"""Recruiting: jobs, candidates, their applications, interviews and offers."""

from services_app.library.recruiting import applications, candidates, interviews, jobs, offers, seed
from services_app.library.recruiting.state import service

__all__ = ["applications", "candidates", "interviews", "jobs", "offers", "seed", "service"]
