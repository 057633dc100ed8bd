"""Run kinds of this app. Each handler loads by id and calls one pipeline."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from services_app.library import registry
from services_app.models import Service, Specification
from services_app.pipelines import batch, build_all, imports, model_building, revalidating, sessions
from services_app.specs.model import Specification as SpecificationValue
from webapp.common.models import Run
from webapp.common.runs import RunContext, register


@register("import", queue="build", lease_seconds=120)
def import_server(context: RunContext) -> dict[str, Any]:
    """Import from a live MCP server: payload {"kind": "stdio" | "http", "from": as shown, "sealed": the whole}."""
    context.progress(phase="asking the server for its tools")
    return store_import(context, imports.live_specification(context.payload))


def store_import(context: RunContext, value: SpecificationValue) -> dict[str, Any]:
    stored = imports.store_specification(value, context.run.created_by)
    for refusal in value.refused:
        context.log(f"{refusal.name or refusal.position} is refused: {refusal.message}", level="warning")
    context.log(f"{len(value.tools)} tools imported{'' if stored.created else ' (this content was known already)'}.")
    if stored.state == "updated" and (changes := imports.changes_of(stored.specification)) is not None:
        context.log(imports.changes_in_words(changes))
    specification = stored.specification
    return {"specification": specification.public_id, "slug": specification.slug, "created": stored.created}


def _build_context(run: Run, _request: HttpRequest) -> dict[str, Any]:
    return {"sessions": sessions.newest_rows(run)}


@register(
    "build", queue="build", lease_seconds=120, detail_template="services/job_build.html", detail_context=_build_context
)
def build(context: RunContext) -> dict[str, Any]:
    """Build and verify a service: payload {"specification": id, "by_model"?: `ModelBuild` as JSON}."""
    specification = Specification.objects.get(pk=context.payload["specification"])
    asked = context.payload.get("by_model")
    if asked:
        request = model_building.ModelBuild.model_validate(asked)
        service = model_building.build_with_model(context, specification, request)
        return _result(build_all.mark_made(service, specification)) | sessions.result_of(context.run)
    return _result(build_all.build_one(context, specification, context.run.created_by))


@register(
    "import-files", queue="build", lease_seconds=120, detail_template="services/job_batch.html",
    detail_context=batch.report_context,
)  # fmt: skip
def import_files(context: RunContext) -> dict[str, Any]:
    """Import many files: they wait in the items of the run."""
    return imports.import_files(context)


@register(
    "import-registry", queue="build", lease_seconds=120, detail_template="services/job_batch.html",
    detail_context=batch.report_context,
)  # fmt: skip
def import_registry(context: RunContext) -> dict[str, Any]:
    """Read the list of a registry: payload {"url": its address}."""
    return imports.import_registry(context)


@register(
    build_all.KIND, queue="build", lease_seconds=120, max_attempts=20, detail_template="services/job_batch.html",
    detail_context=batch.report_context,
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
