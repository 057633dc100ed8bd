"""REST: services, their versions, state model and use."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from services_app import actions, dependants, selectors
from services_app.api_parts import JsonBody, idempotency_key, invalid, read
from services_app.filters import ServiceFilter
from services_app.library import registry
from services_app.models import Service, ServiceVersion
from services_app.serializers import (
    DependantsSerializer,
    ServiceSerializer,
    ServiceVersionDetailSerializer,
    ServiceVersionSerializer,
    StateSchemaSerializer,
    VerifySerializer,
)
from webapp.common.api_view import ApiView
from webapp.common.idempotency import idempotent
from webapp.common.job_api import JobSerializer, started
from webapp.common.pages import signed_in
from webapp.common.rest import Strict
from webapp.common.roles import Role, Scope


class ServiceList(Strict, generics.ListAPIView[Service]):
    """Services with their tools by status, in the order of their slugs. The same filters as on the page."""

    serializer_class = ServiceSerializer
    filterset_class = ServiceFilter
    sorts = ("slug", "title", "domain", "created_at", "updated_at")
    order = ("slug",)
    queryset = Service.objects.none()

    def get_queryset(self) -> QuerySet[Service]:
        return selectors.services_for_api()


class ServiceDetail(ApiView):
    @extend_schema(responses=ServiceSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """One service."""
        return Response(ServiceSerializer(get_object_or_404(selectors.services_for_api(), slug=slug)).data)


class VersionList(Strict, generics.ListAPIView[ServiceVersion]):
    """Versions of a service, newest first, each with the summary of its verification."""

    serializer_class = ServiceVersionSerializer
    queryset = ServiceVersion.objects.none()

    def get_queryset(self) -> QuerySet[ServiceVersion]:
        service = get_object_or_404(Service, slug=self.kwargs["slug"])
        return service.versions.defer("files", "description")


class VersionDetail(ApiView):
    @extend_schema(responses=ServiceVersionDetailSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """One version with its source."""
        versions = ServiceVersion.objects.filter(service__slug=slug).defer("description")
        return Response(ServiceVersionDetailSerializer(get_object_or_404(versions, number=number)).data)


class StateSchema(ApiView):
    @extend_schema(responses=StateSchemaSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Tables of the current version: JSON Schema of a record, and what the fields mean."""
        versions = ServiceVersion.objects.filter(pk__in=Service.objects.filter(slug=slug).values("current"))
        version = get_object_or_404(versions.defer("files"))
        tables = [
            {"name": name, "noun": table["noun"], "schema": table["schema"], "semantics": table["semantics"]}
            for name, table in version.description.get("tables", {}).items()
        ]
        return Response({"service": slug, "version_hash": version.version_hash, "tables": tables})


class ServiceUsage(ApiView):
    @extend_schema(responses=DependantsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """What stands on the tools of this service, with a few of each."""
        service = get_object_or_404(Service, slug=slug)
        impact = dependants.impact(service.tools.values_list("pk", flat=True))
        return Response(DependantsSerializer({"impact": impact}).data)


class ServicesVerify(ApiView):
    write_scope = Scope.JOBS_WRITE
    write_roles = (Role.CURATOR,)
    parser_classes = (JsonBody,)

    @extend_schema(
        request=VerifySerializer,
        responses={202: JobSerializer},
        parameters=[idempotency_key()],
        examples=[OpenApiExample("Two services", value={"slugs": ["mail", "crm"]}, request_only=True)],
    )
    @idempotent(required=True)
    def post(self, request: Request) -> Response:
        """Verify shipped services by the same gate as built ones, as a job."""
        slugs = read(VerifySerializer, request)["slugs"]
        for number, slug in enumerate(slugs):
            if slug not in registry.slugs():
                raise invalid(f"/slugs/{number}", "unknown", _("The library has no service %(slug)s.") % {"slug": slug})
        return started(actions.start_verification(slugs=slugs, by=signed_in(request)))
