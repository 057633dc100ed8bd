"""Pages of specifications: import, one specification with its lint report and what is new about it, the rules."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from services_app import actions, selectors
from services_app.import_forms import ImportForm
from services_app.models import Service, Specification
from services_app.pipelines.imports import changes_of
from services_app.specs.errors import SpecError
from services_app.specs.lint_rules import MOST_SERVICE_COST, RULES, SERVICE_COST
from services_app.specs.lint_score import lint_report
from webapp.common.cursors import CursorError, paginate, read_limit
from webapp.common.pages import render_error, render_page, require_role, signed_in
from webapp.common.roles import Role

MOST_REMARKS = 200


@require_http_methods(["GET", "HEAD", "POST"])
@require_role(Role.CURATOR)
def service_new(request: HttpRequest) -> HttpResponse:
    """Import: one file or text at once; many files, a live server or a registry as a job."""
    form = ImportForm(request.POST or None, request.FILES or None, initial={"http": request.GET.get("http", "")})
    if request.method == "POST" and form.is_valid():
        try:
            return _import(request, form)
        except SpecError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
    known = Specification.objects.defer("content").order_by("-id")[:20]
    status = 422 if form.is_bound else 200
    context = {"form": form, "known": known, "nav": "services"}
    return render_page(request, "services/new.html", context, status=status)


def _import(request: HttpRequest, form: ImportForm) -> HttpResponse:
    data, user = form.cleaned_data, signed_in(request)
    if data["stdio"] or data["http"]:
        run = actions.start_import(by=user, stdio=data["stdio"], http=data["http"], headers=data["headers"])
        return redirect(run)
    if data["registry"]:
        return redirect(actions.start_registry_import(url=data["registry"], by=user))
    files = data["file"]
    if len(files) > 1:
        return redirect(actions.start_import_files(files=((str(file.name), file.read()) for file in files), by=user))
    text, name = (files[0].read(), files[0].name) if files else (data["text"], "pasted.json")
    specification, created = actions.import_text(text=text, name=str(name), by=user)
    messages.success(request, _("Imported.") if created else _("This content was imported before; here it is."))
    return redirect("specification", pk=specification.pk)


@require_safe
def specification_list(request: HttpRequest) -> HttpResponse:
    """Every imported specification, the newest first."""
    rows = Specification.objects.defer("content").select_related("imported_by")
    try:
        page = paginate(rows, cursor=request.GET.get("cursor"), limit=read_limit(request.GET.get("limit")))
    except CursorError as error:
        return render_error(request, 400, str(error))
    context = {"page": page, "may_build": signed_in(request).has_role(Role.CURATOR), "nav": "services"}
    return render_page(request, "services/specifications.html", context, "table")


@require_safe
def specification_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    specification = get_object_or_404(Specification.objects.select_related("imported_by", "replaces"), pk=pk)
    value = specification.value()
    report = lint_report(value)
    service = Service.objects.filter(slug=specification.slug).first()
    changes = changes_of(specification)
    remarks = [*value.notes, *report.notes]
    context: dict[str, Any] = {
        "specification": specification,
        "value": value,
        "tools": [(tool, report.tools[tool.name]) for tool in value.tools],
        "score": report.score,
        "remarks": remarks[:MOST_REMARKS],
        "remark_count": len(remarks),
        "rules": RULES,
        "service": service,
        "changes": changes,
        "impact": selectors.impact_of_update(service, specification) if service is not None else [],
        "is_built": service is not None and service.specification_id == specification.pk,
        "newer": specification.replaced_by.order_by("-id").only("pk", "title").first(),
        "may_build": signed_in(request).has_role(Role.CURATOR),
        "nav": "services",
    }
    return render_page(request, "services/specification.html", context)


@require_POST
@require_role(Role.CURATOR)
def specification_build(request: HttpRequest, pk: UUID) -> HttpResponse:
    specification = get_object_or_404(Specification, pk=pk)
    return redirect(actions.start_build(specification=specification, by=signed_in(request)))


@require_safe
def lint_rules(request: HttpRequest) -> HttpResponse:
    """What each rule of the linter is for, what it looks like, and how the points are counted."""
    context = {
        "rules": RULES.values(), "service_cost": SERVICE_COST, "most": MOST_SERVICE_COST, "nav": "services"
    }  # fmt: skip
    return render_page(request, "help/lint.html", context)
