"""The gate once more, on the version that is there: after new cases, a new gate, or a doubt."""

from __future__ import annotations

from services_app.builders.rules import BuiltService
from services_app.builders.source import package_name
from services_app.library import registry
from services_app.models import Service
from services_app.pipelines import building
from services_app.pipelines.storing import LEFT_OUT, store_built
from webapp.common.runs import RunContext, RunFailed


def verify_again(context: RunContext, slug: str) -> Service:
    """Judge the current version of a shipped or built service and store the verdicts."""
    service = Service.objects.select_related("current", "specification").filter(slug=slug).first()
    if service is None or service.origin == Service.Origin.LIBRARY:
        if slug not in registry.slugs():
            raise RunFailed("verify:unknown", f"There is no service called {slug}.")
        return building.verify_library(context, slug)
    if service.current is None or service.specification is None:
        raise RunFailed("verify:nothing", f"{slug} was never built; build it from its specification.")
    built = _as_built(service)
    progress, cases = building.on_progress(context), building.kept_cases(slug)
    info, report = building.verify_built(built, service.specification.value(), progress, cases)
    if info is None:
        raise RunFailed("verify:load", "The service does not load: " + "; ".join(report.problems))
    building.log_report(context, report)
    return store_built(built, info, report, service.specification, context)


def _as_built(service: Service) -> BuiltService:
    """What the builder once handed over, from the stored version."""
    assert service.current is not None
    left_out = service.tools.filter(reason__startswith=LEFT_OUT).values_list("name", "reason")
    return BuiltService(
        slug=service.slug,
        title=service.title,
        description=service.description,
        domain=service.domain,
        module=package_name(service.slug),
        files=service.current.files,
        left_out={name: reason.removeprefix(LEFT_OUT) for name, reason in left_out},
        builder=service.current.builder,
    )
