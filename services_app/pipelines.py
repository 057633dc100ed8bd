"""Import, build and verify: what the jobs of this app carry out. Each writes its result in one transaction."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import F

from services_app import dependants
from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.catalogue import ServiceInfo, describe
from services_app.engine.environment import ProductEnvironment
from services_app.engine.errors import EngineError, ServiceDefect
from services_app.engine.naming import exposed_names
from services_app.engine.protocol import Environment
from services_app.engine.remote import ServiceHost
from services_app.environments import HOST
from services_app.library import registry
from services_app.models import Service, ServiceVersion, Specification, Tool
from services_app.specs.model import Specification as SpecificationValue
from services_app.verification.gate import verify_service
from services_app.verification.own_tests import read_own_tests
from services_app.verification.report import ToolReport, VerificationReport
from services_app.verification.static import static_problems
from webapp.common import clean
from webapp.common.models import User
from webapp.common.runs import RunContext, RunFailed
from workers.sandbox.limits import Limits, SandboxError
from workers.sandbox.process import SandboxProcess

SCALE = "small"
EVIDENCE_CHECKS = 60  # checks kept per tool, failing ones first


def store_specification(value: SpecificationValue, by: User | None) -> tuple[Specification, bool]:
    """The row of a specification and whether it is new; the same content is stored once."""
    fields = {
        "title": clean.line(value.title, 200),
        "source_kind": value.source.kind,
        "source_locator": clean.line(value.source.locator, 500),
        "content": clean.text(value.model_dump_json()),
        "tool_count": len(value.tools),
        "refused_count": len(value.refused),
        "imported_by": by,
    }
    return Specification.objects.get_or_create(slug=value.slug, content_hash=value.content_hash, defaults=fields)


def build(context: RunContext, specification: Specification, by: User | None) -> Service:
    """Specification -> source -> static policy -> sandboxed verification -> stored version."""
    spec = specification.value()
    context.progress(phase="writing the source", done=0, total=len(spec.tools), unit="tools")
    built = build_with_rules(spec)
    context.log(f"The rules builder wrote {len(built.files)} files; {len(built.left_out)} tools are left out.")
    for name, reason in built.left_out.items():
        context.log(f"{name} is left out: {reason}", level="warning")
    refused = static_problems(built.files, built.module)
    if refused:
        raise RunFailed("build:policy", "The source breaks the static policy: " + "; ".join(refused[:5]))
    context.checkpoint()
    info, report = verify_built(built, spec, _on_progress(context))
    if info is None:
        raise RunFailed("build:load", "The service does not load: " + "; ".join(report.problems))
    log_report(context, report)
    return store_version(
        origin=Service.Origin.BUILT,
        info=info,
        files=built.files,
        report=report,
        builder=built.builder,
        left_out=built.left_out,
        specification=specification,
        context=context,
    )


def verify_built(
    built: BuiltService, spec: SpecificationValue, progress: Callable[[int, int, str], None]
) -> tuple[ServiceInfo | None, VerificationReport]:
    """Run the gate on built source in fresh sandboxes; None when the service does not even load."""
    processes: list[SandboxProcess] = []
    infos: list[ServiceInfo] = []

    def mount(hash_seed: int) -> Environment:
        process = SandboxProcess(HOST, files=built.packaged(), limits=Limits(wall_seconds=5), hash_seed=hash_seed)
        processes.append(process)
        host = ServiceHost(process, {built.slug: built.module})
        infos.append(host.services[built.slug])
        return host.mount([built.slug], scale=SCALE)

    read_only = {tool.name: tool.annotations.get("readOnlyHint") is True for tool in spec.tools}
    try:
        report = verify_service(
            built.slug,
            "",
            lambda: mount(0),
            timer=time.monotonic,
            twin=lambda: mount(1),
            read_only=read_only,
            progress=progress,
            own_tests=read_own_tests(built.files),
            seconds=max(120.0, float(len(spec.tools))),
        )
    finally:
        for process in processes:
            process.close()
    info = infos[0] if infos else None
    return info, report.model_copy(update={"version_hash": info.version_hash if info else ""})


def verify_library(context: RunContext, slug: str) -> Service:
    """Load one shipped service, judge it by the same gate and store it."""
    service = registry.load(slug)
    report = verify_service(
        slug,
        service.version_hash,
        lambda: ProductEnvironment([service], scale=SCALE),
        timer=time.monotonic,
        progress=_on_progress(context),
    )
    log_report(context, report)
    return store_version(
        origin=Service.Origin.LIBRARY,
        info=describe(service),
        files=service.files,
        report=report,
        builder="hand",
        left_out={},
        specification=None,
        context=context,
    )


def log_report(context: RunContext, report: VerificationReport) -> None:
    for problem in report.problems:
        context.log(problem, level="error")
    for tool in report.tools:
        if tool.status == "quarantined":
            context.log(f"{tool.name} is quarantined: {tool.reason}", level="warning")
    if report.own_tests:
        context.log(f"Own tests: {report.own_tests['passed']} of {report.own_tests['expected']} passed.")
    context.progress(done=len(report.tools), total=len(report.tools), unit="tools", phase="storing the verdicts")
    context.log(f"{len(report.verified)} of {len(report.tools)} tools verified in {report.calls} calls.")


def _on_progress(context: RunContext) -> Callable[[int, int, str], None]:
    def progress(done: int, total: int, phase: str) -> None:
        context.progress(done=done, total=total, unit="tools", phase=f"verifying {phase}")
        if done % 5 == 0:
            context.checkpoint()

    return progress


def store_version(
    *,
    origin: str,
    info: ServiceInfo,
    files: Mapping[str, str],
    report: VerificationReport,
    builder: str,
    left_out: Mapping[str, str],
    specification: Specification | None,
    context: RunContext,
) -> Service:
    """Store a verified version and its tools in one transaction; the same version is stored once."""
    with transaction.atomic():
        service, _ = Service.objects.select_for_update().get_or_create(
            slug=info.slug, defaults={"title": clean.line(info.title, 200), "origin": origin, "domain": info.domain}
        )
        if service.origin != origin:
            raise RunFailed("build:slug", f"The slug {info.slug} belongs to a service of another origin.")
        service.title, service.domain = clean.line(info.title, 200), clean.line(info.domain, 60)
        service.description = clean.text(info.description)
        service.specification = specification
        changed = service.current is not None and service.current.version_hash != info.version_hash
        service.current = _version(service, info, files, report, builder, context)
        service.save()
        _store_tools(service, info, report, left_out, specification, keep_decisions=not changed)
        if changed:
            reason = f"{service.slug} has a new version"
            dependants.mark_stale(list(service.tools.values_list("pk", flat=True)), reason)
    return service


def _version(
    service: Service,
    info: ServiceInfo,
    files: Mapping[str, str],
    report: VerificationReport,
    builder: str,
    context: RunContext,
) -> ServiceVersion:
    last = service.versions.order_by("-number").first()
    version, _ = ServiceVersion.objects.update_or_create(
        service=service,
        version_hash=info.version_hash,
        defaults={
            "builder": builder,
            "files": clean.json_value(dict(files)),
            "description": clean.json_value(info.to_json()),
            "report": clean.json_value(summary_of(report)),
            "run": context.run,
        },
        create_defaults={
            "number": (last.number if last else 0) + 1,
            "builder": builder,
            "files": clean.json_value(dict(files)),
            "description": clean.json_value(info.to_json()),
            "report": clean.json_value(summary_of(report)),
            "run": context.run,
        },
    )
    return version


def summary_of(report: VerificationReport) -> dict[str, Any]:
    """The report without the single checks, which lie with the tools."""
    return {
        "verified": len(report.verified),
        "quarantined": len(report.quarantined),
        "calls": report.calls,
        "seconds": report.seconds,
        "problems": list(report.problems),
        "live_share": round(report.live_share, 4),
        "own_tests": dict(report.own_tests),
    }


def _store_tools(
    service: Service,
    info: ServiceInfo,
    report: VerificationReport,
    left_out: Mapping[str, str],
    specification: Specification | None,
    *,
    keep_decisions: bool,
) -> None:
    """One row per tool. A curator's decision stands while the version is the same; a new version is judged anew."""
    reports = {tool.name: tool for tool in report.tools}
    decided = (
        set(service.tools.exclude(status=F("gate_status")).values_list("name", flat=True)) if keep_decisions else ()
    )
    position = 0
    seen: set[str] = set()
    for position, tool in enumerate(info.tools.values()):
        seen.add(tool.name)
        found = reports.get(tool.name)
        status = found.status if found else Tool.Status.QUARANTINED
        reason = found.reason if found else "verification did not reach this tool"
        _store_tool(
            service,
            tool.name,
            tool.exposed,
            position,
            status,
            reason,
            summary=tool.summary,
            description=tool.description,
            schema=tool.input_schema,
            evidence=evidence_of(found),
            decided=tool.name in decided,
        )
    spec_tools = {tool.name: tool for tool in specification.value().tools} if specification else {}
    exposed = exposed_names(service.slug, [*info.tools, *left_out])
    for name, reason in left_out.items():
        seen.add(name)
        position += 1
        spec_tool = spec_tools[name]
        _store_tool(
            service,
            name,
            exposed[name],
            position,
            Tool.Status.QUARANTINED,
            f"left out by the builder: {reason}",
            summary=spec_tool.description.split("\n", 1)[0],
            description=spec_tool.description,
            schema=spec_tool.input_schema,
            evidence={},
            decided=name in decided,
        )
    service.tools.exclude(name__in=seen).update(status=Tool.Status.RETIRED, reason="no longer part of the service")


def _store_tool(
    service: Service, name: str, exposed: str, position: int, status: str, reason: str, **fields: Any
) -> None:
    values = {
        "exposed": exposed,
        "position": position,
        "summary": clean.line(fields["summary"], 200),
        "description": clean.text(fields["description"]),
        "schema_text": clean.text(json.dumps(fields["schema"], ensure_ascii=False)),
        "gate_status": status,
        "reason": clean.text(reason),
        "evidence": clean.json_value(fields["evidence"]),
        **({} if fields["decided"] else {"status": status}),
    }
    Tool.objects.update_or_create(service=service, name=name, defaults=values)


def evidence_of(report: ToolReport | None) -> dict[str, Any]:
    """Counts and checks of a tool, failing ones first, bounded in number."""
    if report is None:
        return {}
    return {
        "counts": report.counts,
        "checks": [check.model_dump(mode="json") for check in report.checks[:EVIDENCE_CHECKS]],
        "live": list(report.live_parameters),
        "dead": list(report.dead_parameters),
    }


def sandbox_words(error: Exception) -> RunFailed:
    """The failure of a run for an error of the sandbox or the engine, with the bound that was hit."""
    if isinstance(error, SandboxError):
        return RunFailed(f"sandbox:{error.kind}", error.message)
    assert isinstance(error, EngineError | ServiceDefect)
    return RunFailed(f"engine:{type(error).__name__}", str(error))
