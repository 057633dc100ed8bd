"""Work management: projects, boards, tasks that depend on each other, approvals and workload."""

from services_app.library.tasks import editing, finding, planning, progress, projects, seed, talk
from services_app.library.tasks.state import service

__all__ = ["editing", "finding", "planning", "progress", "projects", "seed", "service", "talk"]
