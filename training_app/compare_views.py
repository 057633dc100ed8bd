"""The page that puts training runs beside each other; which ones stands in the address."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from training_app import charts, comparing, selectors
from training_app.models import TrainingRun
from webapp.common import ids
from webapp.common.pages import render_page

OFFERED = 20


@require_safe
def compare_runs(request: HttpRequest) -> HttpResponse:
    """`ids` names up to six runs, separated by commas; `at=best` shows the best figures, `all=1` equal settings too."""
    asked = [text for text in request.GET.get("ids", "").split(",") if text][: comparing.MAX_RUNS]
    found = _found(asked)
    runs = [found[text] for text in asked if text in found]
    at: comparing.At = "best" if request.GET.get("at") == "best" else "last"
    everything = request.GET.get("all") == "1"
    options = charts.Options.parse(request.GET.dict())
    context: dict[str, Any] = {
        "runs": [{"run": run, "without": _address(asked, run.public_id)} for run in runs],
        "missing": [{"id": text, "without": _address(asked, text)} for text in asked if text not in found],
        "offered": [] if len(asked) >= comparing.MAX_RUNS else _offered(asked, runs),
        "comparison": comparing.compare(runs, everything=everything, at=at, options=options) if runs else None,
        "at": at,
        "everything": everything,
        "options": options,
        "nav": "jobs",
    }
    return render_page(request, "training/compare.html", context, "comparison")


def _found(asked: list[str]) -> dict[str, TrainingRun]:
    keys = []
    for text in asked:
        try:
            keys.append(ids.parse("trn", text))
        except ids.IdError:
            continue
    return {run.public_id: run for run in selectors.training_list().filter(pk__in=keys)}


def _address(asked: list[str], without: str) -> str:
    return ",".join(text for text in asked if text != without)


def _offered(asked: list[str], runs: list[TrainingRun]) -> list[dict[str, Any]]:
    """Newest runs that could be added, of the same method where one is chosen already."""
    rows = selectors.training_list()
    if runs:
        rows = rows.filter(method=runs[0].method)
    others = [run for run in rows[: OFFERED + len(asked)] if run.public_id not in asked][:OFFERED]
    return [{"run": run, "with": ",".join([*asked, run.public_id])} for run in others]
