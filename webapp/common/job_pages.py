"""Pages of jobs: the list, one job with its live parts, and what people do to it."""

from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from webapp.common import ids, run_kinds, runs, selectors
from webapp.common.cursors import CursorError, paginate, read_limit
from webapp.common.filters import RunFilter, chips
from webapp.common.models import Run, User
from webapp.common.pages import missing_role, render_error, render_page, require_role, signed_in
from webapp.common.roles import Role

LIST = "jobs/list.html"
DETAIL = "jobs/detail.html"


@require_safe
def job_list(request: HttpRequest) -> HttpResponse:
    filters = RunFilter(request.GET, queryset=selectors.run_list())
    try:
        page = paginate(filters.qs, cursor=request.GET.get("cursor"), limit=read_limit(request.GET.get("limit")))
    except CursorError as error:
        return render_error(request, 400, str(error))
    context = {
        "page": page,
        "filter": filters,
        "chips": chips(filters, request.GET.dict()),
        "kinds": selectors.run_kinds_seen(),
        "states": Run.State.choices,
        "newest": request.GET.get("since") or (page.rows[0].public_id if page.rows and page.prev is None else ""),
        "newer": _newer(request, filters),
    }
    return render_page(request, LIST, context, ("table", "newer"))


def _newer(request: HttpRequest, filters: RunFilter) -> int:
    """How many matching jobs came after the newest one on the reader's screen."""
    try:
        return cast(int, filters.qs.filter(pk__gt=ids.parse("job", request.GET.get("since", ""))).count())
    except ids.IdError:
        return 0


@require_safe
def job_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    run = get_object_or_404(selectors.run_detail(), pk=pk)
    after = request.GET.get("after", "")
    if after.isdecimal() and len(after) < 10:
        events = selectors.events_after(run, int(after))
    else:
        events = selectors.last_events(run)
    context = detail_context(request, run) | {
        "events": events,
        "last_seq": events[-1].seq if events else after if after.isdecimal() else 0,
        "hidden_events": events[0].seq - 1 if events and not after else 0,
    }
    return render_page(request, DETAIL, context, ("job-live", "job-log-tail", "job-extra"))


def detail_context(request: HttpRequest, run: Run) -> dict[str, Any]:
    kind = run_kinds.find(run.kind)
    extra = kind.detail_context(run, request) if kind and kind.detail_context else {}
    return {
        **extra,
        "run": run,
        "last_words": selectors.last_words(run),
        "children": list(selectors.run_list().filter(parent=run)[:20]),
        "may_control": may_control(signed_in(request), run),
        "control_role": missing_role(Role.TRAINER),
        "in_line": selectors.place_in_line(run),
        "may_move": signed_in(request).has_role(Role.TRAINER),
        "extra_template": kind.detail_template if kind else None,
    }


def may_control(user: User, run: Run) -> bool:
    """Trainers steer every job; others the ones they started themselves."""
    return user.has_role(Role.TRAINER) or (run.created_by_id == user.pk and user.has_role(Role.CURATOR, Role.ANNOTATOR))


def steered_run(user: User, pk: UUID) -> Run:
    """The run, if the user may steer it. Raises Http404 or PermissionDenied."""
    run = get_object_or_404(Run, pk=pk)
    if not may_control(user, run):
        raise PermissionDenied(missing_role(Role.TRAINER))
    return run


@require_POST
def job_cancel(request: HttpRequest, pk: UUID) -> HttpResponse:
    user = signed_in(request)
    mode = request.POST.get("mode", "keep")
    if mode not in ("keep", "now"):
        return render_error(request, 400, _("The mode is 'keep' or 'now'."))
    run = runs.request_cancel(steered_run(user, pk), user, mode)
    return _moved(request, run, _("Cancelled.") if run.is_finished else _("Asked to stop."))


@require_POST
def job_resume(request: HttpRequest, pk: UUID) -> HttpResponse:
    user = signed_in(request)
    return _moved(request, runs.resume(steered_run(user, pk), user), _("Queued again."))


@require_POST
@require_role(Role.TRAINER)
def job_move(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Change a queued job's place: `place` is front or back."""
    place = request.POST.get("place", "")
    if place not in ("front", "back"):
        return render_error(request, 400, _("The place is 'front' or 'back'."))
    run = runs.move(get_object_or_404(Run, pk=pk), signed_in(request), place)
    return _moved(request, run, _("Moved to the front.") if place == "front" else _("Moved to the back."))


@require_POST
def job_retry(request: HttpRequest, pk: UUID) -> HttpResponse:
    user = signed_in(request)
    run = runs.retry(steered_run(user, pk), user)
    messages.success(request, _("A new job with the same inputs was queued."))
    return redirect(run)


def _moved(request: HttpRequest, run: Run, text: str) -> HttpResponse:
    messages.success(request, text)
    return redirect(run)
