"""Roles and token scopes: two closed vocabularies."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Role(TextChoices):
    VIEWER = "viewer", _("Viewer")
    ANNOTATOR = "annotator", _("Annotator")
    CURATOR = "curator", _("Curator")
    TRAINER = "trainer", _("Trainer")
    ADMIN = "admin", _("Admin")


class Scope(TextChoices):
    CATALOG_READ = "catalog:read", _("Read services, tools, tasks and trajectories")
    REVIEW_WRITE = "review:write", _("Decide on tools and tasks")
    ANNOTATE_WRITE = "annotate:write", _("Judge graphs, rubrics and trajectories")
    TASKS_WRITE = "tasks:write", _("Create and edit tasks")
    SANDBOX_USE = "sandbox:use", _("Call tools in a sandbox")
    DATASETS_WRITE = "datasets:write", _("Create datasets and exports")
    EXPORTS_READ = "exports:read", _("Download exports")
    JOBS_READ = "jobs:read", _("Read jobs")
    JOBS_WRITE = "jobs:write", _("Launch, cancel and resume jobs")
    ADMIN = "admin", _("Administration")
