"""Issue tracker: projects, issues, sprints, links and versions."""

from services_app.library.issues import flow, planning, reading, seed, writing
from services_app.library.issues.state import service

__all__ = ["flow", "planning", "reading", "seed", "service", "writing"]
