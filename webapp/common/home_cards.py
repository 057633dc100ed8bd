"""The cards and first steps that the platform itself shows on Home; apps add theirs in `<app>/panels.py`."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from webapp.common import panels, selectors
from webapp.common.models import Run


def _running(request: HttpRequest) -> dict[str, Any]:
    return {"runs": selectors.live_runs()}


def _recent(request: HttpRequest) -> dict[str, Any]:
    return {"entries": list(selectors.activity_list()[:10])}


def _trained() -> bool:
    return Run.objects.filter(kind__in=("sft", "grpo")).exists()


def register() -> None:
    panels.register_card(panels.Card("jobs", _("Running jobs"), "home/card_jobs.html", _running, 10, poll_seconds=15))
    panels.register_card(panels.Card("activity", _("Recent changes"), "home/card_activity.html", _recent, 90))
    # The apps replace the first two: only they can say whether anything is there yet.
    panels.register_step(
        panels.Step("services", _("Look at the services, or import one"), "/services/", lambda: False, 10)
    )
    panels.register_step(panels.Step("tasks", _("Compose services and generate tasks"), "/compose/", lambda: False, 20))
    panels.register_step(panels.Step("training", _("Launch a training run"), "/jobs/new/", _trained, 30))
