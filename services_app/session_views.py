"""Pages of model sessions: the list, one session with its transcript, and the form that starts a build with a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_safe

from services_app import actions
from services_app.filters import SessionFilter
from services_app.models import ModelSession, ModelTurn, Service, Specification
from services_app.pipelines import sessions
from services_app.pipelines.model_requests import NOT_CONFIGURED, is_configured
from services_app.session_forms import ModelBuildForm
from webapp.common.cursors import CursorError, paginate, read_limit
from webapp.common.filters import chips
from webapp.common.pages import render_error, render_page, require_role, signed_in
from webapp.common.roles import Role

TURNS_PER_PAGE = 30
SUMMARY = 160  # characters


@require_http_methods(["GET", "HEAD", "POST"])
@require_role(Role.CURATOR)
def build_by_model(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Start a build with a model; says so when none is configured."""
    specification = get_object_or_404(Specification.objects.defer("content"), pk=pk)
    form = ModelBuildForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        run = actions.start_build(specification=specification, by=signed_in(request), by_model=form.asked)
        return redirect(run)
    context = {
        "specification": specification,
        "form": form,
        "is_configured": is_configured(),
        "not_available": NOT_CONFIGURED,
        "nav": "services",
    }
    return render_page(request, "services/session_new.html", context, status=422 if form.is_bound else 200)


@require_safe
def session_list(request: HttpRequest) -> HttpResponse:
    rows = sessions.listed(ModelSession.objects.all())
    filters = SessionFilter(request.GET, queryset=rows)
    try:
        limit = read_limit(request.GET.get("limit"))
        page = paginate(filters.qs, cursor=request.GET.get("cursor"), limit=limit)
    except CursorError as error:
        return render_error(request, 400, str(error))
    context = {
        "page": page,
        "rows": [sessions.row_of(session) for session in page.rows],
        "filter": filters,
        "chips": chips(filters, request.GET.dict()),
        "roles": ModelSession.Role.choices,
        "is_configured": is_configured(),
        "not_available": NOT_CONFIGURED,
        "nav": "services",
    }
    return render_page(request, "services/sessions.html", context, "table")


@require_safe
def session_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    session = get_object_or_404(sessions.listed(ModelSession.objects.select_related("specification")), pk=pk)
    try:
        limit = read_limit(request.GET.get("limit")) if "limit" in request.GET else TURNS_PER_PAGE
        turns = session.transcript.defer("raw")
        page = paginate(turns, cursor=request.GET.get("cursor"), limit=limit, order=("number", "id"))
    except CursorError as error:
        return render_error(request, 400, str(error))
    context = {
        **sessions.row_of(session),
        "page": page,
        "turns": [turn_row(turn) for turn in page.rows],
        "limits": sorted((name, value) for name, value in session.limits.items() if value is not None),
        "service": Service.objects.filter(slug=session.slug).only("slug", "title").first(),
        "nav": "services",
    }
    return render_page(request, "services/session.html", context, "session-live")


def turn_row(turn: ModelTurn) -> dict[str, Any]:
    """One message as the page shows it: words, calls with their arguments, one line of summary."""
    message: Mapping[str, Any] = turn.message
    calls = [_call(call) for call in message.get("tool_calls") or ()]
    content = str(message.get("content") or "")
    first = " · ".join(call["name"] for call in calls) or content.strip()
    return {
        "turn": turn,
        "role": message.get("role"),
        "content": content,
        "calls": calls,
        "summary": " ".join(first.split())[:SUMMARY],
        "tokens": turn.input_tokens + turn.output_tokens,
    }


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    """A tool call; texts of several lines stand by themselves, so that source reads as source."""
    function = call.get("function") or {}
    arguments = json.loads(function.get("arguments") or "{}")
    texts = {name: value for name, value in arguments.items() if isinstance(value, str) and "\n" in value}
    rest = {name: value for name, value in arguments.items() if name not in texts}
    return {"name": str(function.get("name") or ""), "arguments": rest, "texts": texts}
