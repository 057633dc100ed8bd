"""The rubric editor: try a draft, see what flips, save it as a new version; go back to an earlier one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tasks_app import editions, rubric_trial
from tasks_app.editions import EditionConflict
from tasks_app.engine.editing import edits_between
from tasks_app.engine.task import Criterion
from tasks_app.models import Task, Trajectory
from tasks_app.regrading import rollouts_of
from tasks_app.rubric_forms import rubric_forms, sent_forms, with_one_more
from tasks_app.rubric_trial import Trial, TrialError
from webapp.common import ids
from webapp.common.ids import IdError
from webapp.common.pages import render_error, render_page, require_role, signed_in
from webapp.common.roles import Role

EDITORS = (Role.CURATOR, Role.ANNOTATOR)
TEMPLATE = "tasks/rubric.html"
ROLLOUTS = 50  # to choose from


@require_http_methods(["GET", "HEAD", "POST"])
@require_role(*EDITORS)
def rubric_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """GET: the rubric to edit. POST: add a criterion, try the draft, or save it as a new version."""
    task = get_object_or_404(Task, pk=pk)
    if request.method != "POST":
        return _render(request, task, rubric_forms(task.to_spec().rubric))
    if "add" in request.POST:
        forms = with_one_more(request.POST)
        return _render(request, task, forms, newest=True)
    forms = sent_forms(request.POST)
    if not forms.is_valid():
        return _render(request, task, forms, status=422)
    try:
        chosen = _chosen(task, request.POST.get("rollout", ""))
        trial = rubric_trial.try_rubric(task, forms.rubric, chosen=chosen)
    except (TrialError, IdError) as error:
        return _render(request, task, forms, refused=str(error), status=422)
    wrong = forms.mark(trial.problems)
    if trial.problems:
        words = " ".join(wrong) or _("Some checks cannot be used; each says why.")
        return _render(request, task, forms, trial=trial, refused=words, status=422)
    if "save" in request.POST:
        return _save(request, task, forms, trial)
    return _render(request, task, forms, trial=trial)


def _chosen(task: Task, shown: str) -> Trajectory | None:
    if not shown:
        return None
    rows = rollouts_of(task, editions=True)
    found = rows.defer("body").filter(pk=ids.parse(Trajectory.prefix, shown)).first()
    if found is None:
        raise TrialError(_("That is no rollout of this task."))
    return found


def _save(request: HttpRequest, task: Task, forms: Any, trial: Trial) -> HttpResponse:
    reason = request.POST.get("reason", "").strip()
    if request.POST.get("tried") != trial.digest:
        words = _("The rubric was changed after it was tried. This is what it does now: look at it, then save.")
        return _render(request, task, forms, trial=trial, refused=words, status=422)
    if not reason:
        return _render(request, task, forms, trial=trial, refused=_("Say why the rubric is changed."), status=422)
    try:
        made, _run = editions.save_edition(task=task, rubric=forms.rubric, reason=reason, by=signed_in(request))
    except EditionConflict as conflict:
        return _conflict(request, task, forms, trial, conflict)
    messages.success(request, _("Version %(number)d was saved; its proof runs.") % {"number": made.edition})
    if request.headers.get("HX-Request") == "true":
        return HttpResponse(status=204, headers={"HX-Redirect": made.get_absolute_url()})
    return redirect(made)


def _conflict(request: HttpRequest, task: Task, forms: Any, trial: Trial, conflict: EditionConflict) -> HttpResponse:
    """Somebody saved meanwhile: their changes beside mine, and my text still in the fields, now over theirs."""
    if conflict.newest is None:
        return _render(request, task, forms, trial=trial, refused=str(conflict), status=409)
    base, newest = task.to_spec().rubric, Task.objects.get(pk=conflict.newest.pk)
    theirs, mine = edits_between(base, newest.to_spec().rubric), edits_between(base, forms.rubric)
    mine_by_id = {edit.id: edit for edit in mine}
    context = {
        "newest": newest,
        "both": [{"id": edit.id, "theirs": edit, "mine": mine_by_id.get(edit.id)} for edit in theirs],
    }
    return _render(request, newest, forms, refused=str(conflict), conflict=context, status=409)


def _render(
    request: HttpRequest, task: Task, forms: Any, *, trial: Trial | None = None, refused: str = "",
    conflict: dict[str, Any] | None = None, newest: bool = False, status: int = 200,
) -> HttpResponse:  # fmt: skip
    rows = rollouts_of(task, editions=True).order_by("-id").defer("body")
    context = {
        "task": task,
        "forms": forms,
        "trial": trial,
        "refused": refused,
        "conflict": conflict,
        "focus_last": newest,
        "changes": _changes(task, trial),
        "reason": request.POST.get("reason", ""),
        "rollout": request.POST.get("rollout", ""),
        "rollouts": list(rows[:ROLLOUTS]),
        "texts": {one.id: one.text for one in trial.rubric} if trial else {},
        "editions": list(editions.editions_of(task).defer("spec").select_related("created_by")),
        "completions": reverse("tasks-api:completions", args=[task.pk]),
        "services": sorted(rubric_trial.names_of(task)),
        "nav": "tasks",
    }
    return render_page(request, TEMPLATE, context, "editor", status=status)


def _changes(task: Task, trial: Trial | None) -> dict[str, str]:
    """Criterion -> added, changed; what the draft does to the rubric of `task`."""
    draft: tuple[Criterion, ...] = trial.rubric if trial else ()
    return {edit.id: edit.kind for edit in edits_between(task.to_spec().rubric, draft)} if trial else {}


@require_POST
@require_role(*EDITORS)
def go_back(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Put an earlier (or undone) version in use again."""
    task = get_object_or_404(Task, pk=pk)
    try:
        editions.go_back(task=task, by=signed_in(request), reason=request.POST.get("reason", "").strip()[:2_000])
    except EditionConflict as conflict:
        return render_error(request, 409, str(conflict))
    messages.success(request, _("Version %(number)d is in use again.") % {"number": task.edition})
    return redirect(task)
