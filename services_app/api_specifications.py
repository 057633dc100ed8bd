"""REST: specifications, importing and building."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import django_filters  # type: ignore[import-untyped] # the library has no types
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from services_app import actions
from services_app.api_parts import JsonBody, idempotency_key, invalid, read, stored_json
from services_app.models import Service, Specification
from services_app.serializers import ImportSerializer, SpecificationDetailSerializer, SpecificationSerializer
from services_app.specs.errors import SpecError
from services_app.specs.linter import lint
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
        ],
    )
    def post(self, request: Request) -> Response:
        """Import a specification: text at once (201, or 200 for content that is known), a server as a job (202).

        A live import needs an Idempotency-Key. A refused tool harms no sibling: see `refused`.
        """
        asked = read(ImportSerializer, request)
        return self._from_text(request, asked) if "text" in asked else self._from_server(request, asked)

    @idempotent()
    def _from_text(self, request: Request, asked: dict[str, Any]) -> Response:
        try:
            specification, created = actions.import_text(text=asked["text"], name=asked["name"], by=signed_in(request))
        except SpecError as error:
            raise invalid("/text", error.kind, f"{error.message} {error.hint}".strip()) from error
        return Response(SpecificationSerializer(specification).data, status=201 if created else 200)

    @idempotent(required=True)
    def _from_server(self, request: Request, asked: dict[str, Any]) -> Response:
        run = actions.start_import(by=signed_in(request), stdio=asked.get("stdio", ""), http=asked.get("http", ""))
        return started(run)


class SpecificationDetail(ApiView):
    @extend_schema(responses=SpecificationDetailSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """One specification with its tools, what was repaired or refused on import, and the linter's remarks."""
        specification = get_object_or_404(Specification.objects.select_related("imported_by"), pk=pk)
        value = specification.value()
        built = Service.objects.filter(slug=specification.slug).values_list("slug", flat=True).first()
        more = {
            "description": value.description,
            "domain": value.domain,
            "service": built,
            "tools": [tool.model_dump(include={"name", "title", "description"}) for tool in value.tools],
            "refused": [refusal.model_dump(exclude={"raw"}) for refusal in value.refused],
            "notes": _remarks(value.notes),
            "lint": _remarks(lint(value)),
        }
        return Response(clean.json_value(SpecificationSerializer(specification).data | more))


def _remarks(notes: tuple[Note, ...]) -> dict[str, Any]:
    return {"total": len(notes), "shown": [note.model_dump() for note in notes[:MOST_REMARKS]]}


class SpecificationContent(ApiView):
    @extend_schema(responses={200: dict[str, Any]})
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        """The whole normalised specification as it is stored, with the original beside it."""
        return stored_json(get_object_or_404(Specification, pk=pk).content)


class SpecificationBuild(ApiView):
    write_scope = Scope.JOBS_WRITE
    write_roles = (Role.CURATOR,)
    parser_classes = (JsonBody,)

    @extend_schema(request=None, responses={202: JobSerializer}, parameters=[idempotency_key()])
    @idempotent(required=True)
    def post(self, request: Request, pk: UUID) -> Response:
        """Build a service from the specification and verify it, as a job."""
        specification = get_object_or_404(Specification.objects.defer("content"), pk=pk)
        return started(actions.start_build(specification=specification, by=signed_in(request)))
