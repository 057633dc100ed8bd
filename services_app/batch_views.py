"""Pages of batches: building everything, importing many files, and the report of each, page by page."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from services_app import actions
from services_app.batch_models import BatchItem
from services_app.pipelines import batch
from webapp.common.cursors import CursorError, paginate, read_limit
from webapp.common.models import Run
from webapp.common.pages import render_error, render_page, require_role, signed_in
from webapp.common.roles import Role


@require_POST
@require_role(Role.CURATOR)
def build_all(request: HttpRequest) -> HttpResponse:
    return redirect(actions.start_build_all(by=signed_in(request)))


@require_safe
def batch_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The items of one batch, a page at a time, of one state if wanted."""
    run = get_object_or_404(Run, pk=pk, kind__in=batch.KINDS)
    state = request.GET.get("state", "")
    if state and state not in BatchItem.State.values:
        return render_error(request, 404, _("There is no such state."))
    items = batch.items_of(run.pk, state)
    try:
        limit = read_limit(request.GET.get("limit"))
        page = paginate(items, cursor=request.GET.get("cursor"), limit=limit, order=("position", "id"))
    except CursorError as error:
        return render_error(request, 400, str(error))
    context = {"run": run, "page": page, "states": batch.counted(run.pk), "state": state, "nav": "jobs"}
    return render_page(request, "services/batch.html", context, "table")


@require_safe
def batch_report(request: HttpRequest, pk: UUID) -> StreamingHttpResponse:
    """Everything that became of a batch as one JSON document, written while it is read."""
    run = get_object_or_404(Run, pk=pk, kind__in=batch.KINDS)
    response = StreamingHttpResponse(batch.report_text(run), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{run.kind}-{run.public_id}.json"'
    return response
