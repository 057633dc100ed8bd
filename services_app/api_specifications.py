"""REST: specifications, importing and building."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import django_filters  # type: ignore[import-untyped] # the library has no types
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics, serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from services_app import actions, selectors
from services_app.api_parts import (
    JsonBody,
    ModelAskedSerializer,
    WordField,
    idempotency_key,
    invalid,
    read,
    stored_json,
)
from services_app.import_serializers import ImportSerializer, LintRuleSerializer, SpecificationDiffSerializer
from services_app.models import Service, Specification
from services_app.pipelines.imports import changes_of
from services_app.pipelines.model_building import model_build
from services_app.pipelines.model_requests import AskedError
from services_app.serializers import ImpactSerializer, SpecificationDetailSerializer, SpecificationSerializer
from services_app.specs.diff import SpecDiff
from services_app.specs.errors import SpecError
from services_app.specs.lint_rules import RULES
from services_app.specs.lint_score import lint_report
from services_app.specs.model import Note
from webapp.common import clean
from webapp.common.api_view import ApiView
from webapp.common.idempotency import idempotent
from webapp.common.job_api import JobSerializer, started
from webapp.common.pages import signed_in
from webapp.common.rest import Strict
from webapp.common.roles import Role, Scope

MOST_REMARKS = 1_000
EXAMPLE_TEXT = '{"tools": [{"name": "ping", "description": "Ping.", "inputSchema": {"type": "object"}}]}'


class SpecificationFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    slug = django_filters.CharFilter(label=_("Slug"))
    q = django_filters.CharFilter(label=_("Search"), field_name="title", lookup_expr="icontains")

    class Meta:
        model = Specification
        fields = ()


class SpecificationList(Strict, generics.ListAPIView[Specification]):
    """Imported specifications, newest first."""

    write_scope = Scope.REVIEW_WRITE
    write_roles = (Role.CURATOR,)
    parser_classes = (JsonBody,)
    serializer_class = SpecificationSerializer
    filterset_class = SpecificationFilter
    queryset = Specification.objects.none()

    def get_queryset(self) -> QuerySet[Specification]:
        return Specification.objects.defer("content").select_related("imported_by")

    @extend_schema(
        request=ImportSerializer,
        responses={200: SpecificationSerializer, 201: SpecificationSerializer, 202: JobSerializer},
        parameters=[idempotency_key(required=False)],
        examples=[
            OpenApiExample("From text", value={"name": "desk.json", "text": EXAMPLE_TEXT}, request_only=True),
            OpenApiExample("From a server", value={"http": "https://mcp.example/mcp"}, request_only=True),
            OpenApiExample("Many", value={"files": [{"name": "a.json", "text": EXAMPLE_TEXT}]}, request_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        """Import: text at once (201, or 200 for content that is known); files, a server or a registry as a job (202).

        A job needs an Idempotency-Key; what became of each file or entry is at `/batches/{job}/items`. A refused tool
        harms no sibling: see `refused`.
        """
        asked = read(ImportSerializer, request)
        return self._from_text(request, asked) if "text" in asked else self._as_job(request, asked)

    @idempotent()
    def _from_text(self, request: Request, asked: dict[str, Any]) -> Response:
        try:
            specification, created = actions.import_text(text=asked["text"], name=asked["name"], by=signed_in(request))
        except SpecError as error:
            raise invalid("/text", error.kind, f"{error.message} {error.hint}".strip()) from error
        return Response(SpecificationSerializer(specification).data, status=201 if created else 200)

    @idempotent(required=True)
    def _as_job(self, request: Request, asked: dict[str, Any]) -> Response:
        user = signed_in(request)
        if "files" in asked:
            files = ((file["name"], file["text"].encode("utf-8", "surrogatepass")) for file in asked["files"])
            return started(actions.start_import_files(files=files, by=user))
        source = next(name for name in ("stdio", "http", "registry") if name in asked)
        try:
            if source == "registry":
                return started(actions.start_registry_import(url=asked["registry"], by=user))
            where = {source: asked[source]}
            return started(actions.start_import(by=user, headers=asked.get("headers"), **where))
        except SpecError as error:
            raise invalid(f"/{source}", error.kind, f"{error.message} {error.hint}".strip()) from error


class SpecificationDetail(ApiView):
    @extend_schema(responses=SpecificationDetailSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """One specification with its tools, what was repaired or refused on import, and the linter's remarks."""
        specification = get_object_or_404(Specification.objects.select_related("imported_by"), pk=pk)
        value = specification.value()
        report = lint_report(value)
        built = Service.objects.filter(slug=specification.slug).values_list("slug", flat=True).first()
        more = {
            "description": value.description,
            "domain": value.domain,
            "service": built,
            "tools": [
                {**tool.model_dump(include={"name", "title", "description"}), "lint_score": report.tools[tool.name]}
                for tool in value.tools
            ],
            "refused": [refusal.model_dump(exclude={"raw"}) for refusal in value.refused],
            "notes": _remarks(value.notes),
            "lint": _remarks(report.notes),
        }
        return Response(clean.json_value(SpecificationSerializer(specification).data | more))


def _remarks(notes: tuple[Note, ...]) -> dict[str, Any]:
    return {"total": len(notes), "shown": [note.model_dump() for note in notes[:MOST_REMARKS]]}


class SpecificationDiff(ApiView):
    @extend_schema(responses=SpecificationDiffSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """What is different from the content that this one replaced, and what building it would make stale."""
        specification = get_object_or_404(Specification.objects.select_related("replaces"), pk=pk)
        service = Service.objects.filter(slug=specification.slug).first()
        changes = changes_of(specification) or SpecDiff((), (), (), specification.tool_count)
        before = specification.replaces
        impact = selectors.impact_of_update(service, specification) if service is not None else []
        more = {
            "replaces": before.public_id if before is not None else None,
            "is_built": service is not None and service.specification_id == specification.pk,
            "impact": ImpactSerializer(impact, many=True).data,
        }
        return Response(clean.json_value(changes.to_json() | more))


class LintRules(ApiView):
    @extend_schema(responses=LintRuleSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The rules of the linter: what each is for, what it looks like, what it costs."""
        return Response(LintRuleSerializer([rule._asdict() for rule in RULES.values()], many=True).data)


class SpecificationContent(ApiView):
    @extend_schema(responses={200: dict[str, Any]})
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        """The whole normalised specification as it is stored, with the original beside it."""
        return stored_json(get_object_or_404(Specification, pk=pk).content)


class BuildSerializer(ModelAskedSerializer):
    """All fields but `builder` are for a build with a model."""

    builder = WordField("Builder", ("rules", "model"), default="rules")
    scratch = serializers.BooleanField(required=False, help_text="Begin with empty files.")
    adversary = serializers.BooleanField(required=False, help_text="Test cases by a separate session; default true.")

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        if data["builder"] == "rules" and len(data) > 1:
            raise serializers.ValidationError("Only a build with a model takes these fields.", "only_model")
        return data


class SpecificationBuild(ApiView):
    write_scope = Scope.JOBS_WRITE
    write_roles = (Role.CURATOR,)
    parser_classes = (JsonBody,)

    @extend_schema(
        request=BuildSerializer,
        responses={202: JobSerializer},
        parameters=[idempotency_key()],
        examples=[
            OpenApiExample("With a model", value={"builder": "model", "limits": {"turns": 40}}, request_only=True)
        ],
    )
    @idempotent(required=True)
    def post(self, request: Request, pk: UUID) -> Response:
        """Build a service from the specification and verify it, as a job; by rules unless a model is asked for."""
        specification = get_object_or_404(Specification.objects.defer("content"), pk=pk)
        asked = read(BuildSerializer, request)
        by_model = None
        if asked.pop("builder") == "model":
            try:
                by_model = model_build(asked)
            except AskedError as error:
                raise invalid(f"/{error.field.replace('.', '/')}", "invalid", str(error)) from error
        return started(actions.start_build(specification=specification, by=signed_in(request), by_model=by_model))
