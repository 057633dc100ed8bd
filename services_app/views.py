"""Pages of the services: list, one service, one tool with its try-it form."""

from __future__ import annotations

import json
from typing import Any

from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from services_app import actions, decisions, dependants, selectors
from services_app.effects import effects_of
from services_app.filters import ServiceFilter
from services_app.models import Service, SimulatedCall, Tool, ToolDecision
from services_app.simulating import simulation_problem
from services_app.trying import Trial, try_tool
from webapp.common.cursors import CursorError, paginate, read_limit
from webapp.common.filters import chips
from webapp.common.pages import render_error, render_page, require_role, signed_in
from webapp.common.rendering import schema_form
from webapp.common.roles import Role

TABS = ("tools", "state", "code", "versions")


@require_safe
def service_list(request: HttpRequest) -> HttpResponse:
    filters = ServiceFilter(request.GET, queryset=selectors.services_for_api())
    try:
        limit = read_limit(request.GET.get("limit"))
        page = paginate(filters.qs, cursor=request.GET.get("cursor"), limit=limit, order=("slug",))
    except CursorError as error:
        return render_error(request, 400, str(error))
    context = {
        "page": page,
        "filter": filters,
        "chips": chips(filters, request.GET.dict()),
        "domains": selectors.domains(),
        "statuses": Tool.Status.choices,
        "origins": Service.Origin.choices,
        "may_build": signed_in(request).has_role(Role.CURATOR),
        "nav": "services",
    }
    return render_page(request, "services/list.html", context, "table")


@require_POST
@require_role(Role.CURATOR)
def verify_library(request: HttpRequest) -> HttpResponse:
    return redirect(actions.start_verification(by=signed_in(request)))


@require_safe
def service_page(request: HttpRequest, slug: str) -> HttpResponse:
    service = get_object_or_404(selectors.services_with_counts().select_related("specification"), slug=slug)
    tab = request.GET.get("tab", "tools")
    if tab not in TABS:
        return render_error(request, 404, _("There is no such tab."))
    context: dict[str, Any] = {"service": service, "tab": tab, "tabs": _tabs(service), "nav": "services"}
    context["may_build"] = signed_in(request).has_role(Role.CURATOR)
    if tab == "tools":
        context["tools"] = selectors.tools_of(service)
    elif tab == "state":
        context["tables"] = _tables(service)
    elif tab == "code":
        context["files"] = sorted(service.current.files.items()) if service.current else []
    else:
        context["versions"] = service.versions.defer("files", "description").select_related("run")[:50]
    return render_page(request, "services/service.html", context)


def _tabs(service: Service) -> list[dict[str, Any]]:
    labels = {"tools": _("Tools"), "state": _("State model"), "code": _("Code"), "versions": _("Versions")}
    base = reverse("service", args=[service.slug])
    return [{"key": key, "label": label, "url": f"{base}?tab={key}"} for key, label in labels.items()]


def _tables(service: Service) -> list[dict[str, Any]]:
    """Tables with their fields: name, type, meaning."""
    tables = service.current.description.get("tables", {}) if service.current else {}
    return [
        {
            "name": name,
            "noun": table["noun"],
            "fields": [
                {"name": field, "schema": schema, "meaning": table["semantics"].get(field)}
                for field, schema in table["schema"].get("properties", {}).items()
            ],
        }
        for name, table in tables.items()
    ]


@require_safe
def tool_page(request: HttpRequest, slug: str, exposed: str) -> HttpResponse:
    tool = get_object_or_404(selectors.tool_named(slug, exposed))
    return render_page(request, "services/tool.html", tool_context(request, tool))


def tool_context(request: HttpRequest, tool: Tool, **more: Any) -> dict[str, Any]:
    """What the tool page shows; the blast radius comes before the button."""
    history = list(tool.decisions.select_related("by").order_by("-id")[:20])
    return {
        "tool": tool,
        "service": tool.service,
        "schema": tool.input_schema,
        "checks": tool.evidence.get("checks", []),
        "counts": tool.evidence.get("counts", {}),
        "decisions": history,
        "undoable": decisions.latest_of(tool, history),
        "impact": dependants.impact([tool.pk]),
        "effects": effects_of(tool),
        "cases": list(tool.service.cases.filter(tool=tool.name).select_related("by")[:50]),
        "reasons": ToolDecision.Reason.choices,
        "simulation": _simulation(tool) if tool.status == Tool.Status.SIMULATED else None,
        "may_decide": signed_in(request).has_role(Role.CURATOR),
        "nav": "services",
        **more,
    }


def _simulation(tool: Tool) -> dict[str, Any]:
    """What the world model answered for a tool, and what that took."""
    kept = SimulatedCall.objects.filter(slug=tool.service.slug, tool=tool.name)
    sums = ("uses", "input_tokens", "output_tokens", "cost")
    figures = kept.aggregate(answers=Count("pk"), **{name: Sum(name) for name in sums})
    return {**figures, "problem": simulation_problem()}


@require_POST
def tool_try(request: HttpRequest, slug: str, exposed: str) -> HttpResponse:
    """Call the tool once, from the form or from JSON; nothing is stored."""
    tool = get_object_or_404(selectors.tool_named(slug, exposed))
    values, errors, text = _arguments(request, tool)
    trial: Trial | None = None
    if not errors:
        seed = request.POST.get("seed", "0")
        trial = try_tool(tool, values, seed=int(seed) if seed.isdecimal() and len(seed) < 10 else 0)
    context = tool_context(
        request,
        tool,
        trial=trial,
        trial_json=json.dumps(values, ensure_ascii=False),
        values=values,
        errors=errors,
        json_text=text,
        mode=request.POST.get("mode", "form"),
    )
    return render_page(request, "services/tool.html", context, "trial", status=422 if errors else 200)


def _arguments(request: HttpRequest, tool: Tool) -> tuple[Any, dict[str, str], str]:
    """The arguments as sent: from the form's fields, or from the JSON text; never altered in silence."""
    text = request.POST.get("json", "")
    if request.POST.get("mode") == "json":
        try:
            return json.loads(text or "{}"), {}, text
        except (ValueError, RecursionError) as error:
            return {}, {"": _("This is not JSON: %(error)s") % {"error": error}}, text
    parsed = schema_form.parse(tool.input_schema, request.POST.dict(), "arg")
    return parsed.value, dict(parsed.errors), text
