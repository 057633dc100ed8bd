"""Reads of the services: lists, figures, evidence; each with a bounded number of queries."""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby
from typing import Any

from django.db.models import Count, Q, QuerySet

from services_app import decisions, dependants
from services_app.dependants import Impact
from services_app.models import Service, ServiceVersion, Specification, Tool


def services_with_counts() -> QuerySet[Service]:
    """Services with their number of tools by status (`verified`, `simulated`, `quarantined`, `tool_count`)."""
    counted = {
        status: Count("tools", filter=Q(tools__status=status))
        for status in (Tool.Status.VERIFIED, Tool.Status.SIMULATED, Tool.Status.QUARANTINED)
    }
    total = Count("tools", filter=~Q(tools__status=Tool.Status.RETIRED))
    return Service.objects.select_related("current").annotate(tool_count=total, **counted)


def service_figures() -> list[dict[str, Any]]:
    """One plain row per service, for the command line and reports."""
    fields = ("slug", "title", "domain", "origin", "tool_count", "verified", "simulated", "quarantined")
    rows = services_with_counts().order_by("slug").values(*fields, "current__version_hash", "current__report")
    return [
        {
            **{name: row[name] for name in fields if name != "tool_count"},
            "tools": row["tool_count"],
            "version_hash": row["current__version_hash"],
            "report": row["current__report"],
        }
        for row in rows
    ]


def tools_of(service: Service) -> QuerySet[Tool]:
    """Tools of the current version, in the order of the service."""
    return service.tools.exclude(status=Tool.Status.RETIRED).order_by("position", "name")


def tool_named(slug: str, exposed: str) -> QuerySet[Tool]:
    """One tool by the name that agents know."""
    return Tool.objects.filter(service__slug=slug, exposed=exposed).select_related("service", "service__current")


def by_domain(slugs: Collection[str]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Services as the groups of a choice: (domain, [(slug, title)]), domains and titles in alphabetical order."""
    rows = Service.objects.filter(slug__in=slugs).order_by("domain", "title").values_list("domain", "slug", "title")
    return [
        (domain, [(slug, title) for _, slug, title in group]) for domain, group in groupby(rows, lambda row: row[0])
    ]


def domains() -> list[str]:
    return list(Service.objects.order_by("domain").values_list("domain", flat=True).distinct())


def services_for_api() -> QuerySet[Service]:
    """Services with their counts, without the source and description of their versions."""
    return services_with_counts().defer("current__files", "current__description", "current__report")


def tools_for_api() -> QuerySet[Tool]:
    """Tools, each with its service."""
    return Tool.objects.select_related("service")


def current_hash(tool: Tool) -> QuerySet[ServiceVersion, str]:
    """Hash of the current version of a tool's service, as a subquery."""
    current = Service.objects.filter(pk=tool.service_id).values("current")
    return ServiceVersion.objects.filter(pk__in=current).values_list("version_hash", flat=True)


def output_schema(tool: Tool) -> dict[str, Any] | None:
    """What a tool says it returns; None when it says nothing or is no part of the current version."""
    versions = ServiceVersion.objects.filter(pk__in=Service.objects.filter(pk=tool.service_id).values("current"))
    description = versions.values_list("description", flat=True).first() or {}
    schema: dict[str, Any] | None = description.get("tools", {}).get(tool.name, {}).get("output_schema")
    return schema


def tools_to_review() -> QuerySet[Tool]:
    """Quarantined tools whose current version no curator has decided about."""
    return decisions.waiting(Tool.objects.all())


def impact_of_update(service: Service, specification: Specification) -> list[Impact]:
    """What stands on the service's tools and becomes stale when it is built from this specification.

    Empty when the service was built from it already. A new version is a new world for everything on it, so all of
    its tools count, not only those that are different.
    """
    if service.specification_id == specification.pk or service.current_id is None:
        return []
    return [entry for entry in dependants.impact(service.tools.values_list("pk", flat=True)) if entry.count]
