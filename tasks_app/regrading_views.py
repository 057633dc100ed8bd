"""Pages of re-grading: all runs, what one of them flips, and its rows as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tasks_app import regrading
from tasks_app.filters import TaskFilter
from tasks_app.models import RegradedRollout, Task
from tasks_app.regrading import Change, RubricError
from tasks_app.rubric_forms import RegradeForm
from tasks_app.rubric_views import EDITORS
from webapp.common import selectors as runs
from webapp.common.cursors import CursorError, paginate, read_limit
from webapp.common.filters import chips
from webapp.common.models import Run
from webapp.common.pages import check_role, render_error, render_page, signed_in

COLUMNS = ("trajectory", "task", "policy", "index", "old_passed", "passed", "old_score", "score", "flips", "why")
SHOWS = ("changed", "unknown", "all")


@require_http_methods(["GET", "HEAD", "POST"])
def regradings(request: HttpRequest) -> HttpResponse:
    """All re-grading runs; a POST starts one over the tasks that match the query string."""
    filters = TaskFilter(request.GET, queryset=Task.objects.exclude(status=Task.Status.RETIRED).defer("spec"))
    tasks = filters.qs.filter(trajectories__isnull=False).distinct()
    form = RegradeForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        check_role(request, *EDITORS)
        if form.is_valid():
            started = _start(request, form, tasks)
            if started is not None:
                return redirect("regrading", started.pk)
    try:
        page = paginate(
            runs.run_list().filter(kind=regrading.KIND),
            cursor=request.GET.get("cursor"),
            limit=read_limit(request.GET.get("limit")),
        )
    except CursorError as error:
        return render_error(request, 400, str(error))
    context = {
        "page": page,
        "form": form,
        "matching": tasks.count(),
        "most": regrading.MAX_TASKS,
        "chips": chips(filters, request.GET.dict()),
        "may_start": signed_in(request).has_role(*EDITORS),
        "nav": "tasks",
    }
    status = 422 if request.method == "POST" else 200
    return render_page(request, "tasks/regradings.html", context, "table", status=status)


def _start(request: HttpRequest, form: RegradeForm, tasks: QuerySet[Task]) -> Run | None:
    """The run, or None with the reason in the form."""
    data = form.cleaned_data
    change = (
        Change({data["criterion"]: data["expression"]}) if data["criterion"] else Change({}, added=data["expression"])
    )
    chosen = list(Task.objects.filter(pk__in=tasks.values("pk")).order_by("id")[: regrading.MAX_TASKS + 1])
    try:
        return regrading.start_regrading(
            tasks=chosen, change=change, policy=data["policy"], editions=data["editions"], by=signed_in(request)
        )
    except RubricError as error:
        form.add_error("expression" if change.added else "criterion", str(error))
        return None


@require_safe
def regrading_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What a run flips: figures, criteria, and each rollout."""
    run = get_object_or_404(runs.run_detail(), pk=pk, kind=regrading.KIND)
    show = request.GET.get("show", "changed")
    show = show if show in SHOWS else "changed"
    criterion = request.GET.get("criterion", "")[:40]
    rows = _shown(run, show, criterion)
    try:
        page = paginate(
            rows, cursor=request.GET.get("cursor"), limit=read_limit(request.GET.get("limit")), order=("id",)
        )
    except CursorError as error:
        return render_error(request, 400, str(error))
    context = {
        "run": run,
        "page": page,
        "show": show,
        "shows": [("changed", _("What flips")), ("unknown", _("Could not tell")), ("all", _("All rollouts"))],
        "criterion": criterion,
        "figures": run.result.get("difference"),
        "refused": run.result.get("refused", {}),
        "nav": "tasks",
    }
    return render_page(request, "tasks/regrading.html", context, "live")


def _shown(run: Run, show: str, criterion: str) -> QuerySet[RegradedRollout]:
    rows = regrading.rows_of(run)
    if show == "changed":
        rows = rows.filter(changed=True)
    elif show == "unknown":
        rows = rows.filter(passed__isnull=True)
    return rows.filter(flips__contains=[{"criterion": criterion}]) if criterion else rows


class _Line:
    """A file that hands back what is written to it."""

    def write(self, text: str) -> str:
        return text


@require_safe
def regrading_csv(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """Every rollout of a run, one line each; `flips` reads "c1 pass > fail; c4 fail > pass"."""
    run = get_object_or_404(Run, pk=pk, kind=regrading.KIND)
    writer = csv.writer(_Line())

    def lines() -> Iterator[str]:
        yield writer.writerow(COLUMNS)
        for row in regrading.rows_of(run).order_by("id").iterator(2_000):
            yield writer.writerow(_cells(row))

    response = StreamingHttpResponse(lines(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{run.public_id}.csv"'
    return response


def _cells(row: RegradedRollout) -> list[Any]:
    played = row.trajectory
    words = "; ".join(f"{one['criterion']} {one['old'] or 'absent'} > {one['new'] or 'absent'}" for one in row.flips)
    told: dict[bool | None, str] = {True: "yes", False: "no", None: ""}
    cells = (played.public_id, Task(pk=played.task_id).public_id, played.policy, played.index,
             told[row.old_passed], told[row.passed], row.old_score, row.score, words, row.why)  # fmt: skip
    return [_harmless(cell) for cell in cells]


def _harmless(cell: Any) -> Any:
    """A text that a spreadsheet would take for a formula gets a quote before it."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@") else cell
