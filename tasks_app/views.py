"""Pages of tasks and trajectories."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from services_app.models import Service
from services_app.pipelines.model_requests import NOT_CONFIGURED, is_configured
from tasks_app import actions, selectors
from tasks_app.author_forms import AuthorForm
from tasks_app.composing import Asked, Drawn, one_draw
from tasks_app.drawing import draw
from tasks_app.editions import editions_of
from tasks_app.engine.chances import DEFAULT_MODE
from tasks_app.engine.task import Graph, GraphEdge, TaskSpec
from tasks_app.engine.walk import WalkError
from tasks_app.filters import TaskFilter, TrajectoryFilter
from tasks_app.forms import ComposeForm, RolloutForm
from tasks_app.models import Task, Trajectory
from tasks_app.pipelines import ready_services
from tasks_app.rubric_views import EDITORS
from webapp.common.cursors import CursorError, paginate, read_limit
from webapp.common.filters import chips
from webapp.common.pages import render_error, render_page, require_role, signed_in
from webapp.common.roles import Role

STEPS_PER_PAGE = 50
NAMED_KINDS = 2  # on an arrow of the preview
NECESSITY = 6  # number of the claim that every edge is necessary


@require_http_methods(["GET", "HEAD", "POST"])
def compose(request: HttpRequest) -> HttpResponse:
    """Choose K, D, L and see one draw at once; a POST starts the job."""
    ready = ready_services()
    form = ComposeForm(request.POST if request.method == "POST" else request.GET or None, ready=ready)
    author = AuthorForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        if not signed_in(request).has_role(Role.CURATOR, Role.TRAINER):
            return render_error(request, 403, _("Generating tasks needs the role of a curator or trainer."))
        if form.is_valid() and author.is_valid():
            return redirect(_start_generation(request, form, author))
    context = {
        "form": form,
        "author_form": author,
        "is_configured": is_configured(),
        "not_available": NOT_CONFIGURED,
        "ready": ready,
        "preview": _preview(form, ready),
        "may_generate": signed_in(request).has_role(Role.CURATOR, Role.TRAINER),
        "nav": "compose",
    }
    status = 422 if request.method == "POST" else 200
    return render_page(request, "tasks/compose.html", context, "preview", status=status)


def _start_generation(request: HttpRequest, form: ComposeForm, author: AuthorForm) -> Any:
    data = form.cleaned_data
    return actions.start_generation(
        count=data["count"],
        k=data["k"],
        distractors=data["distractors"],
        length=(data["length_min"], data["length_max"]),
        seed=data["seed"],
        services=data["services"],
        mode=form.asked.mode if form.asked else DEFAULT_MODE,
        policy=form.asked.policy if form.asked else "",
        language=data["language"] or "en",
        author=author.author_name,
        by_model=author.by_model,
        by=signed_in(request),
    )


def _preview(form: ComposeForm, ready: list[str]) -> dict[str, Any] | None:
    """One composition as the chosen numbers, mode and seed draw it; None while they do not fit."""
    if form.is_bound:
        if not form.is_valid() or form.asked is None:
            return None
        asked, seed = form.asked, form.cleaned_data["seed"]
    else:
        first = {name: field.initial for name, field in form.fields.items()}
        if first["k"] + first["distractors"] > len(ready):
            return None
        asked = Asked(first["k"], first["distractors"], (first["length_min"], first["length_max"]), tuple(ready))
        seed = first["seed"]
    try:
        shown = one_draw(asked, seed)
    except WalkError as error:  # without a choice of the user there is no form to say it
        return {"impossible": str(error)}
    drawn = shown.composition
    titles = dict(Service.objects.filter(slug__in=drawn.mounted).values_list("slug", "title"))
    graph = draw(_walked(shown), titles, drawn.distractors, tools=selectors.tool_counts(titles))
    times = shown.likelihood / shown.even
    one_in = round(1 / shown.likelihood)
    return {"drawn": drawn, "space": shown.odometer, "shown": shown, "graph": graph, "times": times, "one_in": one_in}


def _walked(shown: Drawn) -> Graph:
    """The walk of a draw as a graph; each step is named by what the source can tell the target."""
    walk = shown.composition.walk
    edges = (
        GraphEdge(
            position=at,
            source=walk[at],
            target=walk[at + 1],
            name=", ".join(kinds[:NAMED_KINDS]) or _("a carried value"),
            kind="",
            how="",
            revisit=walk[at + 1] in walk[: at + 1],
        )
        for at, kinds in enumerate(shown.feeds)
    )
    return Graph(walk=walk, edges=tuple(edges))


@require_safe
def task_list(request: HttpRequest) -> HttpResponse:
    filters = TaskFilter(request.GET, queryset=selectors.task_list())
    try:
        page = paginate(filters.qs, cursor=request.GET.get("cursor"), limit=read_limit(request.GET.get("limit")))
    except CursorError as error:
        return render_error(request, 400, str(error))
    context = {
        "page": page,
        "filter": filters,
        "chips": chips(filters, request.GET.dict()),
        "statuses": Task.Status.choices,
        "rollout_form": RolloutForm(),
        "may_play": signed_in(request).has_role(Role.CURATOR, Role.TRAINER),
        "nav": "tasks",
    }
    return render_page(request, "tasks/list.html", context, "table")


@require_POST
@require_role(Role.CURATOR, Role.TRAINER)
def rollout_many(request: HttpRequest) -> HttpResponse:
    """Play all verified tasks that match the filter in the query string."""
    form = RolloutForm(request.POST)
    tasks = TaskFilter(request.GET, queryset=Task.objects.filter(status=Task.Status.VERIFIED)).qs
    if not form.is_valid():
        return render_error(request, 422, _("Choose a policy and a number of rollouts."))
    try:
        run = actions.start_rollouts(
            tasks=tasks, policy=form.chosen, count=form.cleaned_data["n"], by=signed_in(request)
        )
    except ValueError as error:
        return render_error(request, 422, str(error))
    return redirect(run)


@require_safe
def task_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    task = get_object_or_404(Task.objects.select_related("run"), pk=pk)
    spec = task.to_spec()
    edge = request.GET.get("edge", "")
    selected = int(edge) if edge.isdecimal() and len(edge) < 4 else None
    necessary, titles = necessity(spec), selectors.mounted_titles(task)
    context = {
        "task": task,
        "spec": spec,
        "graph": draw(
            spec.graph,
            titles,
            spec.distractors,
            selected=selected,
            necessary=necessary,
            tools=selectors.tool_counts(titles),
        ),
        "edge": next((item for item in spec.graph.edges if item.position == selected), None),
        "calls": spec.reference.calls,
        "session": selectors.session_of(spec),
        "trajectories": selectors.trajectory_list().filter(task=task).order_by("-id")[:20],
        "rollout_form": RolloutForm(),
        "may_play": signed_in(request).has_role(Role.CURATOR, Role.TRAINER),
        "may_decide": signed_in(request).has_role(Role.CURATOR),
        "may_edit": signed_in(request).has_role(*EDITORS),
        "editions": list(editions_of(task).defer("spec").select_related("created_by")),
        "nav": "tasks",
    }
    return render_page(request, "tasks/task.html", context)


def necessity(spec: TaskSpec) -> dict[int, bool] | None:
    """Per edge position, whether the ablation claim found it necessary; None when the claim was not checked."""
    for claim in spec.proof.claims:
        found = claim.evidence.get("edges") if claim.number == NECESSITY else None
        if isinstance(found, list) and len(found) == len(spec.graph.edges):  # in the order of the graph
            pairs = zip(spec.graph.edges, found, strict=True)
            return {edge.position: bool(evidence["necessary"]) for edge, evidence in pairs}
    return None


@require_POST
@require_role(Role.CURATOR, Role.TRAINER, Role.ANNOTATOR)
def task_prove(request: HttpRequest, pk: UUID) -> HttpResponse:
    task = get_object_or_404(Task, pk=pk)
    return redirect(actions.start_proof(tasks=[task], by=signed_in(request)))


@require_POST
@require_role(Role.CURATOR, Role.TRAINER)
def task_rollout(request: HttpRequest, pk: UUID) -> HttpResponse:
    task = get_object_or_404(Task, pk=pk)
    form = RolloutForm(request.POST)
    if not form.is_valid():
        return render_error(request, 422, _("Choose a policy and a number of rollouts."))
    run = actions.start_rollouts(tasks=[task], policy=form.chosen, count=form.cleaned_data["n"], by=signed_in(request))
    return redirect(run)


@require_POST
@require_role(Role.CURATOR)
def task_retire(request: HttpRequest, pk: UUID) -> HttpResponse:
    task = get_object_or_404(Task, pk=pk)
    actions.retire(task=task, by=signed_in(request), reason=request.POST.get("reason", ""))
    messages.success(request, _("The task was retired."))
    return redirect(task)


@require_safe
def trajectory_list(request: HttpRequest) -> HttpResponse:
    filters = TrajectoryFilter(request.GET, queryset=selectors.trajectory_list())
    try:
        page = paginate(filters.qs, cursor=request.GET.get("cursor"), limit=read_limit(request.GET.get("limit")))
    except CursorError as error:
        return render_error(request, 400, str(error))
    context = {
        "page": page,
        "filter": filters,
        "chips": chips(filters, request.GET.dict()),
        "statuses": Trajectory.Status.choices,
        "policies": selectors.policies_seen(),
        "nav": "trajectories",
    }
    return render_page(request, "tasks/trajectories.html", context, "table")


@require_safe
def trajectory_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    trajectory = get_object_or_404(Trajectory.objects.select_related("task", "group", "run"), pk=pk)
    start = request.GET.get("from", "0")
    first = int(start) if start.isdecimal() and len(start) < 7 else 0
    body = json.loads(trajectory.body)
    steps = [json.loads(row.body) for row in trajectory.steps.filter(index__gte=first)[:STEPS_PER_PAGE]]
    verdict = body["verdict"] or {}
    texts = {criterion.id: criterion for criterion in trajectory.task.to_spec().rubric}
    results = [{**result, "criterion": texts.get(result["id"])} for result in verdict.get("results", [])]
    context = {
        "trajectory": trajectory,
        "task": trajectory.task,
        "body": body,
        "steps": steps,
        "results": results,
        "collateral": verdict.get("collateral", []),
        "first": first,
        "next_from": first + STEPS_PER_PAGE if trajectory.step_count > first + STEPS_PER_PAGE else None,
        "previous_from": max(0, first - STEPS_PER_PAGE) if first else None,
        "complete": 1.0 if trajectory.passed else 0.0,
        "nav": "trajectories",
    }
    return render_page(request, "tasks/trajectory.html", context)
