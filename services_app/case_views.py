"""Pages about kept cases: save a call as one, remove one, run the gate again."""

from __future__ import annotations

import json
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from services_app import cases, selectors
from services_app.models import AdversarialCase, Service
from webapp.common.pages import require_role, signed_in
from webapp.common.roles import Role


@require_POST
@require_role(Role.CURATOR)
def case_save(request: HttpRequest, slug: str, exposed: str) -> HttpResponse:
    """Keep the call that was tried, with what must come of it."""
    tool = get_object_or_404(selectors.tool_named(slug, exposed))
    try:
        arguments = json.loads(request.POST.get("arguments", ""))
        cases.save(
            tool=tool,
            arguments=arguments,
            outcome=request.POST.get("outcome", ""),
            note=request.POST.get("note", ""),
            by=signed_in(request),
        )
    except (ValueError, RecursionError) as error:
        text = str(error) if isinstance(error, cases.CaseError) else _("The arguments are not JSON: %s") % error
        messages.error(request, text)
    else:
        messages.success(request, _("Saved. Every verification of this service runs it from now on."))
    return redirect(f"{tool.get_absolute_url()}#cases")


@require_POST
@require_role(Role.CURATOR)
def case_remove(request: HttpRequest, pk: UUID) -> HttpResponse:
    case = get_object_or_404(AdversarialCase.objects.select_related("service"), pk=pk)
    tool = case.service.tools.filter(name=case.tool).first()
    cases.remove(case=case, by=signed_in(request))
    messages.success(request, _("The case was removed."))
    return redirect(f"{tool.get_absolute_url()}#cases" if tool else case.service)


@require_POST
@require_role(Role.CURATOR)
def revalidate(request: HttpRequest, slug: str) -> HttpResponse:
    service = get_object_or_404(Service, slug=slug)
    return redirect(cases.start_revalidation(slug=service.slug, by=signed_in(request)))
