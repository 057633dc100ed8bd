"""Time tracking: projects, time entries, timers, weekly timesheets and what may be billed."""

from services_app.library.time_tracking import entries, projects, reports, seed, timesheets
from services_app.library.time_tracking.state import service

__all__ = ["entries", "projects", "reports", "seed", "service", "timesheets"]
