"""CI: pipelines, runs with jobs and logs, artifacts, approvals of deployments, runners and variables."""

from services_app.library.ci import artifacts, jobs, pipelines, runs, seed, settings
from services_app.library.ci.state import service

__all__ = ["artifacts", "jobs", "pipelines", "runs", "seed", "service", "settings"]
