"""Pages on which curators decide: the queue, one tool at a time, many tools at once, and undo."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from services_app import decisions, dependants, evidence, selectors
from services_app.filters import ToolFilter
from services_app.forms import BulkForm, DecisionForm
from services_app.models import BulkDecision, Tool, ToolDecision
from services_app.simulating import simulation_problem
from services_app.views import tool_context
from webapp.common.cursors import CursorError, paginate, read_limit
from webapp.common.filters import chips
from webapp.common.pages import render_error, render_page, require_role, signed_in
from webapp.common.roles import Role

REASONS = ToolDecision.Reason
WHY_QUARANTINED = (
    REASONS.WRONG_CHANGE, REASONS.SCHEMA, REASONS.NOT_DETERMINISTIC, REASONS.ERROR_HANDLING, REASONS.OUTSIDE,
    REASONS.OTHER,
)  # fmt: skip
WHY_APPROVED = (REASONS.STRICT, REASONS.SPECIFICATION, REASONS.HARMLESS, REASONS.OTHER)
AHEAD, BEHIND = 18, 6  # items of the queue shown in the rail


def _queue(request: HttpRequest) -> tuple[QuerySet[Tool], str]:
    """The tools that wait under the filter of the query string, and that filter as a query string."""
    filters = ToolFilter(request.GET, queryset=decisions.waiting(Tool.objects.all()))
    kept = {name: value for name, value in request.GET.items() if name in filters.filters and value}
    return filters.qs.order_by("pk"), urlencode(kept)


@require_safe
def review(request: HttpRequest) -> HttpResponse:
    """Quarantined tools whose current version nobody has decided about, oldest first."""
    waiting, query = _queue(request)
    rows = waiting.select_related("service").defer("evidence", "schema_text", "description")
    try:
        limit = read_limit(request.GET.get("limit"))
        page = paginate(rows, cursor=request.GET.get("cursor"), limit=limit, order=("id",))
    except CursorError as error:
        return render_error(request, 400, str(error))
    context = {
        "page": page,
        "count": waiting.count(),
        "query": query,
        "nav": "review",
        "recent": _recent(request),
        "may_decide": signed_in(request).has_role(Role.CURATOR),
    }
    return render_page(request, "services/review.html", context, "table")


def _recent(request: HttpRequest) -> list[ToolDecision]:
    """The user's own last decisions, which `z` can take back."""
    mine = ToolDecision.objects.filter(by=signed_in(request), bulk=None).exclude(kind=ToolDecision.Kind.UNDO)
    rows = mine.filter(undone_by=None).select_related("tool__service").order_by("-id")
    return list(rows.defer("tool__evidence", "tool__schema_text", "tool__description")[:BEHIND])


@require_safe
def review_next(request: HttpRequest) -> HttpResponse:
    """To the next item after `after`, from the front when the end is reached; to the list when nothing waits."""
    waiting, query = _queue(request)
    after = request.GET.get("after", "")
    later = waiting.filter(pk__gt=after) if _is_uuid(after) else waiting
    found = later.values_list("pk", flat=True).first() or waiting.values_list("pk", flat=True).first()
    if found is None:
        return redirect("review")
    return redirect(_at(reverse("review-item", args=[found]), query))


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _at(path: str, query: str) -> str:
    return f"{path}?{query}" if query else path


@require_safe
def review_item(request: HttpRequest, pk: UUID) -> HttpResponse:
    tool = get_object_or_404(Tool.objects.select_related("service__current"), pk=pk)
    return render_page(request, "services/focus.html", _focus(request, tool), "focus")


def _focus(request: HttpRequest, tool: Tool, **more: Any) -> dict[str, Any]:
    """What the focused review of one tool shows."""
    waiting, query = _queue(request)
    rows = waiting.filter(pk__gt=tool.pk).select_related("service").defer("evidence", "schema_text", "description")
    history = list(tool.decisions.select_related("by", "seen").order_by("-id")[:20])
    current = tool.service.current
    recent = _recent(request)
    judged = next((one for one in history if one.seen is not None), None)
    return {
        "tool": tool,
        "service": tool.service,
        "checks": sorted(tool.evidence.get("checks", []), key=lambda check: check["outcome"] != "fail"),
        "counts": tool.evidence.get("counts", {}),
        "code": evidence.code_of(current.files, tool.name) if current else None,
        "differences": evidence.changes_since(judged, current, tool.name),
        "history": history,
        "recent": recent,
        "ahead": list(rows[:AHEAD]),
        "count": waiting.count(),
        "query": query,
        "next_url": _next(tool, query),
        "decide_url": _at(reverse("review-decide", args=[tool.pk]), query),
        "why_quarantined": [(reason.value, reason.label) for reason in WHY_QUARANTINED],
        "why_approved": [(reason.value, reason.label) for reason in WHY_APPROVED],
        "simulation_problem": simulation_problem(),
        "may_decide": signed_in(request).has_role(Role.CURATOR),
        "nav": "review",
        **more,
    }


def _next(tool: Tool, query: str) -> str:
    rest = QueryDict(query, mutable=True)
    rest["after"] = str(tool.pk)
    return f"{reverse('review-next')}?{rest.urlencode()}"


@require_safe
def tool_impact(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What stands on a tool; a part of its own, because it is asked of every app."""
    tool = get_object_or_404(Tool.objects.only("pk"), pk=pk)
    return render_page(request, "services/impact.html", {"impact": dependants.impact([tool.pk])})


@require_POST
@require_role(Role.CURATOR)
def review_decide(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Decide and go on to the next item; with `stay`, stay on this one."""
    tool = get_object_or_404(Tool.objects.select_related("service__current"), pk=pk)
    form = DecisionForm(request.POST)
    problem = _decide(request, tool, form)
    if problem:
        return render_page(request, "services/focus.html", _focus(request, tool, problem=problem), "focus", status=422)
    _waiting, query = _queue(request)
    if request.POST.get("stay"):
        return redirect(_at(reverse("review-item", args=[tool.pk]), query))
    return redirect(_next(tool, query))


def _decide(request: HttpRequest, tool: Tool, form: DecisionForm) -> str:
    """Take the decision of a form; a sentence when it cannot be taken."""
    if not form.is_valid():
        return "; ".join(str(text) for texts in form.errors.values() for text in texts)
    data = form.cleaned_data
    try:
        decisions.decide(
            tool=tool,
            kind=data["kind"],
            by=signed_in(request),
            reason_code=data["reason_code"],
            reason=data["reason"],
            expected_version=data["version"],
        )
    except decisions.DecisionError as error:
        return str(error)
    return ""


@require_POST
@require_role(Role.CURATOR)
def tool_decide(request: HttpRequest, slug: str, exposed: str) -> HttpResponse:
    """Decide on the page of the tool."""
    tool = get_object_or_404(selectors.tool_named(slug, exposed))
    problem = _decide(request, tool, DecisionForm(request.POST))
    if problem:
        context = tool_context(request, tool, problem=problem)
        return render_page(request, "services/tool.html", context, status=422)
    stale = len(tool.decisions.order_by("-id").values_list("stale_tasks", flat=True)[0])
    tool.refresh_from_db(fields=["status"])
    text = ngettext("%(tool)s is %(status)s now; %(count)d task became stale.",
                    "%(tool)s is %(status)s now; %(count)d tasks became stale.", stale)  # fmt: skip
    messages.success(request, text % {"tool": tool.exposed, "status": tool.get_status_display(), "count": stale})
    return redirect(tool)


@require_POST
@require_role(Role.CURATOR)
def decision_undo(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Take a decision back, and return to where the person was."""
    decision = get_object_or_404(ToolDecision.objects.select_related("tool__service"), pk=pk)
    decisions.undo(decision=decision, by=signed_in(request))
    messages.success(request, _("The decision about %(tool)s was taken back.") % {"tool": decision.tool.exposed})
    back = request.POST.get("back", "")
    safe = url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}, require_https=request.is_secure())
    return redirect(back if safe else decision.tool.get_absolute_url())


# Many tools at once


@require_safe
def tool_list(request: HttpRequest) -> HttpResponse:
    """Tools of all services; what matches a filter can be decided at once."""
    tools = Tool.objects.exclude(status=Tool.Status.RETIRED).select_related("service")
    filters = ToolFilter(request.GET, queryset=tools.defer("evidence", "schema_text", "description"))
    try:
        limit = read_limit(request.GET.get("limit"))
        page = paginate(filters.qs, cursor=request.GET.get("cursor"), limit=limit, order=("exposed", "id"))
    except CursorError as error:
        return render_error(request, 400, str(error))
    query = {name: value for name, value in request.GET.items() if name in filters.filters and value}
    context = {
        "page": page,
        "total": filters.qs.count(),
        "filter": filters,
        "query": urlencode(query),
        "chips": chips(filters, request.GET.dict()),
        "statuses": Tool.Status.choices,
        "last_bulk": _last_bulk(request),
        "may_decide": signed_in(request).has_role(Role.CURATOR),
        "actions": [
            {"value": "quarantine", "label": _("Quarantine"), "danger": True},
            {"value": "approve", "label": _("Approve")},
        ],
        "nav": "services",
    }
    return render_page(request, "services/tools.html", context, "table")


def _last_bulk(request: HttpRequest) -> BulkDecision | None:
    return BulkDecision.objects.filter(by=signed_in(request)).order_by("-id").first()


@require_POST
@require_role(Role.CURATOR)
def tools_bulk(request: HttpRequest) -> HttpResponse:
    """First show what a decision over the selection would do; decide when it is confirmed."""
    selection = _selection(request)
    kind = request.POST.get("action", "")
    back = _at(reverse("tools"), request.POST.get("query", ""))
    try:
        found = decisions.preview(selection, kind)
    except decisions.DecisionError as error:
        messages.error(request, str(error))
        return redirect(back)
    form = BulkForm(request.POST if "confirm" in request.POST else None)
    if form.is_bound and form.is_valid():
        try:
            return _decided(request, selection, kind, form, back)
        except decisions.DecisionError as error:
            form.add_error(None, str(error))
    why = WHY_QUARANTINED if kind == ToolDecision.Kind.QUARANTINE else WHY_APPROVED
    context = {
        "preview": found,
        "kind": kind,
        "form": form,
        "scope": request.POST.get("scope", "selected"),
        "query": request.POST.get("query", ""),
        "ids": [str(pk) for pk in selection.ids],
        "reasons": [(reason.value, reason.label) for reason in why],
        "back": back,
        "nav": "services",
    }
    return render_page(request, "services/bulk.html", context, status=422 if form.errors else 200)


def _selection(request: HttpRequest) -> decisions.Selection:
    if request.POST.get("scope") == "filter":
        return decisions.Selection(query=QueryDict(request.POST.get("query", "")).dict())
    chosen = (text for text in request.POST.getlist("ids") if _is_uuid(text))
    return decisions.Selection(ids=tuple(UUID(text) for text in chosen))


def _decided(
    request: HttpRequest, selection: decisions.Selection, kind: str, form: BulkForm, back: str
) -> HttpResponse:
    data = form.cleaned_data
    bulk = decisions.decide_many(
        selection=selection,
        kind=kind,
        by=signed_in(request),
        reason_code=data["reason_code"],
        reason=data["reason"],
        expected=data["expected"],
    )
    text = ngettext("One tool was decided: %(kind)s.", "%(count)d tools were decided at once: %(kind)s.", bulk.count)
    messages.success(request, text % {"count": bulk.count, "kind": bulk.get_kind_display()})
    return redirect(back)


@require_POST
@require_role(Role.CURATOR)
def bulk_undo(request: HttpRequest, pk: UUID) -> HttpResponse:
    bulk = get_object_or_404(BulkDecision, pk=pk)
    restored, left = decisions.undo_many(bulk=bulk, by=signed_in(request))
    text = ngettext("%(count)d tool is as it was.", "%(count)d tools are as they were.", restored)
    messages.success(request, text % {"count": restored})
    if left:
        text = ngettext("%(count)d tool was left: somebody decided about it since.",
                        "%(count)d tools were left: somebody decided about them since.", left)  # fmt: skip
        messages.warning(request, text % {"count": left})
    return redirect("tools")
