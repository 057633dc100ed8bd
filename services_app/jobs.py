"""Run kinds of this app. Each handler loads by id and calls one pipeline."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from services_app.library import registry
from services_app.models import Service, Specification
from services_app.pipelines import batch, build_all, imports, revalidating
from services_app.specs.errors import SpecError
from services_app.specs.live import import_http, import_stdio
from services_app.specs.model import Specification as SpecificationValue
from webapp.common.models import Run
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
    return _result(build_all.build_one(context, specification, context.run.created_by))


def _batch_context(run: Run, _request: HttpRequest) -> dict[str, Any]:
    return {"states": batch.counted(run.pk)}


@register(
    build_all.KIND, queue="build", lease_seconds=120, max_attempts=20, detail_template="services/job_batch.html",
    detail_context=_batch_context,
)  # fmt: skip
def build_every(context: RunContext) -> dict[str, Any]:
    """Build and verify every current specification: payload {"lanes": how many workers may share it}."""
    return build_all.build_all(context)


@register(build_all.LANE, queue="build", lease_seconds=120, max_attempts=20)
def build_lane(context: RunContext) -> dict[str, Any]:
    """Help to build every specification: payload {"batch": id of the run that is helped}."""
    return build_all.build_lane(context)


@register("verify", queue="build", lease_seconds=120)
def verify(context: RunContext) -> dict[str, Any]:
    """Verify services as they are by the same gate: payload {"slugs": [...]}; none means all shipped ones."""
    slugs = context.payload.get("slugs") or registry.slugs()
    results = {}
    for number, slug in enumerate(slugs):
        context.checkpoint()
        context.log(f"{slug} ({number + 1} of {len(slugs)})")
        results[slug] = _result(revalidating.verify_again(context, slug))
    return {"services": results}


def _result(service: Service) -> dict[str, Any]:
    assert service.current is not None
    return {"service": service.slug, "version": service.current.number, **service.current.report}
