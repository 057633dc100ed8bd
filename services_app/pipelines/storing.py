"""Storing a verified version with its tools."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import F

from services_app import dependants
from services_app.builders.rules import BuiltService
from services_app.engine.catalogue import ServiceInfo
from services_app.engine.naming import exposed_names
from services_app.models import Service, ServiceVersion, Specification, Tool
from services_app.verification.report import ToolReport, VerificationReport
from webapp.common import clean
from webapp.common.runs import RunContext, RunFailed

LEFT_OUT = "left out by the builder: "
EVIDENCE_CHECKS = 60  # checks kept per tool, failing ones first


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
            dependants.service_changed(service.pk, service.tools.values_list("pk", flat=True), reason)
    return service


def store_built(
    built: BuiltService,
    info: ServiceInfo,
    report: VerificationReport,
    specification: Specification,
    context: RunContext,
) -> Service:
    """Store what a builder handed over and the gate judged."""
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
        "live": report.live,
        "tried": report.tried,
        "live_share": round(report.live_share, 4),
        "mutants": {"planted": report.mutants_planted, "killed": report.mutants_killed},
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
            found=found,
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
            f"{LEFT_OUT}{reason}",
            summary=spec_tool.description.split("\n", 1)[0],
            description=spec_tool.description,
            schema=spec_tool.input_schema,
            found=None,
            decided=name in decided,
        )
    service.tools.exclude(name__in=seen).update(status=Tool.Status.RETIRED, reason="no longer part of the service")


def _store_tool(
    service: Service, name: str, exposed: str, position: int, status: str, reason: str, **fields: Any
) -> None:
    found: ToolReport | None = fields["found"]
    values = {
        "exposed": exposed,
        "position": position,
        "summary": clean.line(fields["summary"], 200),
        "description": clean.text(fields["description"]),
        "schema_text": clean.text(json.dumps(fields["schema"], ensure_ascii=False)),
        "gate_status": status,
        "reason": clean.text(reason),
        "evidence": clean.json_value(evidence_of(found)),
        "live": len(found.live_parameters) if found else 0,
        "dead": len(found.dead_parameters) if found else 0,
        "inert": len(found.inert_parameters) if found else 0,
        "mutants_planted": found.mutants_planted if found else 0,
        "mutants_killed": found.mutants_killed if found else 0,
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
        "inert": dict(report.inert_parameters),
        "mutants": {
            "planted": report.mutants_planted,
            "killed": report.mutants_killed,
            "survivors": [survivor.model_dump(mode="json") for survivor in report.survivors],
        },
    }
