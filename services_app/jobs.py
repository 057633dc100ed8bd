"""Run kinds of this app. Each handler loads by id and calls one pipeline."""

from __future__ import annotations

from typing import Any

from services_app.library import registry
from services_app.models import Service, Specification
from services_app.pipelines import building, imports
from services_app.specs.errors import SpecError
from services_app.specs.live import import_http, import_stdio
from services_app.specs.model import Specification as SpecificationValue
from webapp.common.runs import RunContext, RunFailed, register


@register("import", queue="build", lease_seconds=120)
def import_server(context: RunContext) -> dict[str, Any]:
    """Import a specification from a live MCP server: payload {"stdio": command} or {"http": url}."""
    context.progress(phase="asking the server for its tools")
    try:
        if "stdio" in context.payload:
            value = import_stdio(str(context.payload["stdio"]))
        else:
            value = import_http(str(context.payload["http"]), headers=context.payload.get("headers") or None)
    except SpecError as error:
        raise RunFailed(error.kind, f"{error.message} {error.hint}".strip()) from error
    return store_import(context, value)


def store_import(context: RunContext, value: SpecificationValue) -> dict[str, Any]:
    specification, created = imports.store_specification(value, context.run.created_by)
    for refusal in value.refused:
        context.log(f"{refusal.name or refusal.position} is refused: {refusal.message}", level="warning")
    context.log(f"{len(value.tools)} tools imported{'' if created else ' (this content was known already)'}.")
    return {"specification": specification.public_id, "slug": specification.slug, "created": created}


@register("build", queue="build", lease_seconds=120)
def build(context: RunContext) -> dict[str, Any]:
    """Build and verify a service: payload {"specification": id}."""
    specification = Specification.objects.get(pk=context.payload["specification"])
    service = building.build(context, specification, context.run.created_by)
    return _result(service)


@register("verify", queue="build", lease_seconds=120)
def verify(context: RunContext) -> dict[str, Any]:
    """Verify shipped services by the same gate: payload {"slugs": [...]}; none means all."""
    slugs = context.payload.get("slugs") or registry.slugs()
    results = {}
    for number, slug in enumerate(slugs):
        context.checkpoint()
        context.log(f"{slug} ({number + 1} of {len(slugs)})")
        results[slug] = _result(building.verify_library(context, slug))
    return {"services": results}


def _result(service: Service) -> dict[str, Any]:
    assert service.current is not None
    return {"service": service.slug, "version": service.current.number, **service.current.report}
