"""The page of how varied and how hard a set of tasks is."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tasks_app import varieties
from tasks_app.filters import TaskFilter
from tasks_app.models import Task
from webapp.common.filters import chips
from webapp.common.pages import render_page

ROWS = 14  # of each table; the rest is one row


@require_safe
def diversity(request: HttpRequest) -> HttpResponse:
    """Figures over the tasks that match the filter of the list, such as those of one generation."""
    filters = TaskFilter(request.GET, queryset=Task.objects.all())
    found = varieties.figures(filters.qs)
    context = {
        "figures": found,
        "most": varieties.MOST,
        "tables": _tables(found),
        "chips": chips(filters, request.GET.dict()),
        "nav": "tasks",
    }
    return render_page(request, "tasks/diversity.html", context)


def _tables(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Each distribution with its share of what is counted: tasks, or carried values."""
    values = sum(found["kinds"].values())
    asked = (
        (_("Carried values"), _("Kind"), "kinds", values),
        (_("How they are shown"), _("Way"), "ways", values),
        (_("Capability tags"), _("Tag"), "tags", found["tasks"]),
        (_("Stories"), _("Frame"), "frames", found["tasks"]),
        (_("Domains"), _("Domain"), "domains", found["tasks"]),
        (_("Services needed (K)"), "K", "needed", found["tasks"]),
        (_("Walk lengths (L)"), "L", "lengths", found["tasks"]),
        (_("Calls of the reference"), _("Calls"), "calls", found["tasks"]),
        (_("Criteria"), _("Criteria"), "criteria", found["tasks"]),
    )
    numeric = ("needed", "lengths", "calls", "criteria")
    return [
        {"title": title, "head": head, "rows": _rows(found[name], whole, by_number=name in numeric)}
        for title, head, name, whole in asked
    ]


def _rows(counts: dict[str, int], whole: int, *, by_number: bool) -> list[tuple[str, int, float]]:
    pairs = sorted(counts.items(), key=lambda pair: int(pair[0])) if by_number else list(counts.items())
    rows = [(name or "–", count, count / whole) for name, count in pairs[:ROWS]]
    rest = sum(count for _name, count in pairs[ROWS:])
    others = _("%(count)s others") % {"count": len(pairs) - ROWS}
    return [*rows, (others, rest, rest / whole)] if rest else rows
