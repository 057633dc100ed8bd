"""Home, the activity log, help pages of the API, and the pages of errors."""

import logging
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from webapp.common import panels, problems, run_kinds, runs, selectors
from webapp.common.cursors import CursorError, paginate, read_limit
from webapp.common.filters import ActivityFilter, chips
from webapp.common.models import Activity, Run
from webapp.common.pages import render_error, render_page, require_role, signed_in
from webapp.common.roles import Role
from webapp.common.run_models import LIVE

logger = logging.getLogger(__name__)

DEMO = "demo"


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The frame and its cards; each card then loads, and fails, by itself."""
    user = signed_in(request)
    steps = [(step, step.done()) for step in panels.steps()]
    context = {
        "cards": panels.cards(),
        "turns": panels.turns(user),
        "steps": steps,
        "is_fresh": not all(done for _step, done in steps),
        "demo_available": run_kinds.find(DEMO) is not None,
        "may_load_demo": user.has_role(Role.CURATOR, Role.TRAINER),
        "nav": "home",
    }
    return render_page(request, "home/index.html", context)


@require_safe
def home_card(request: HttpRequest, key: str) -> HttpResponse:
    """One card's body, or inside the page for who opens its address."""
    card = panels.card(key)
    if card is None:
        raise Http404
    context: dict[str, Any] = {"card": card, "nav": "home"}
    try:
        context |= {"body": render_to_string(card.template, {**card.context(request), "request": request})}
    except Exception:  # a card belongs to any app and may break; the others must stay
        logger.exception("Card %s failed", key)
        context["failed"] = True
    return render_page(request, "home/card.html", context, {f"card-{key}": "card-content"})


@require_POST
@require_role(Role.CURATOR, Role.TRAINER)
def load_demo(request: HttpRequest) -> HttpResponse:
    """Start the run that builds the demo world; a live one is shown instead of a second one."""
    if run_kinds.find(DEMO) is None:
        return render_error(request, 409, _("The demo world is not part of this installation."))
    live = Run.objects.filter(kind=DEMO, state__in=LIVE).first()
    return redirect(live or runs.start_run(kind=DEMO, title=_("Demo world"), payload={}, by=signed_in(request)))


@require_safe
def activity_list(request: HttpRequest) -> HttpResponse:
    filters = ActivityFilter(request.GET, queryset=selectors.activity_list())
    try:
        page = paginate(filters.qs, cursor=request.GET.get("cursor"), limit=read_limit(request.GET.get("limit")))
    except CursorError as error:
        return render_error(request, 400, str(error))
    context = {
        "page": page,
        "filter": filters,
        "chips": chips(filters, request.GET.dict()),
        "sources": Activity.Source.choices,
    }
    return render_page(request, "activity/list.html", context, "table")


@login_not_required
@require_safe
def problem_help(request: HttpRequest) -> HttpResponse:
    """The page that the `type` of every API problem points to."""
    return render_page(request, "errors/problems.html", {"problems": problems.CATALOGUE.items()})


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 400, _("The request cannot be read."))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 403, str(exception) or _("You may not do this."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 404, _("There is nothing at this address. It may have been removed."))


def server_error(request: HttpRequest) -> HttpResponse:
    return _answer(request, 500, _("The error was written to the server's log under the id below."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _answer(request, 403, _("The form is too old, or cookies are off. Reload the page and send it again."))


def _answer(request: HttpRequest, status: int, text: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return problems.plain_response(request, problems.code_for(status), text)
    return render_error(request, status, text)
