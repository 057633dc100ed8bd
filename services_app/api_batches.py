"""REST: building everything, and what became of each item of a batch."""

from __future__ import annotations

import django_filters  # type: ignore[import-untyped] # the library has no types
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics, serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from services_app import actions
from services_app.api_parts import JsonBody, ReferenceField, StrictSerializer, WordField, idempotency_key, read
from services_app.batch_models import BatchItem
from services_app.pipelines import batch
from webapp.common.api_view import ApiView
from webapp.common.idempotency import idempotent
from webapp.common.job_api import JobSerializer, started
from webapp.common.models import Run
from webapp.common.pages import signed_in
from webapp.common.rest import PublicIdField, Strict
from webapp.common.roles import Role, Scope


class BuildAllSerializer(StrictSerializer):
    lanes = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=actions.MOST_LANES,
        help_text="Workers that may share the work; by default one for each core.",
    )


class BatchItemSerializer(serializers.Serializer[BatchItem]):
    id = PublicIdField()
    name = serializers.CharField(help_text="File name, slug, or name in the registry.")
    state = WordField("BatchItemState", BatchItem.State)
    specification = ReferenceField("spec", source="specification_id")
    failure_kind = serializers.CharField(allow_blank=True)
    message = serializers.CharField(allow_blank=True)
    result = serializers.JSONField(help_text="Figures: tools, verified, quarantined, refused tools, addresses.")
    seconds = serializers.FloatField(allow_null=True)


class BatchItemFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    state = django_filters.ChoiceFilter(label=_("State"), choices=BatchItem.State.choices)

    class Meta:
        model = BatchItem
        fields = ()


class BuildAll(ApiView):
    write_scope = Scope.JOBS_WRITE
    write_roles = (Role.CURATOR,)
    parser_classes = (JsonBody,)

    @extend_schema(
        request=BuildAllSerializer,
        responses={202: JobSerializer},
        parameters=[idempotency_key()],
        examples=[OpenApiExample("On four workers", value={"lanes": 4}, request_only=True)],
    )
    @idempotent(required=True)
    def post(self, request: Request) -> Response:
        """Build and verify the newest content of every specification, as a job that the workers share.

        What this code has built from this content already is not built again. While such a job is at work, the
        answer is that job.
        """
        asked = read(BuildAllSerializer, request)
        return started(actions.start_build_all(by=signed_in(request), lanes=asked.get("lanes")))


class BatchItems(Strict, generics.ListAPIView[BatchItem]):
    """What became of each file, specification or registry entry of a job that goes through many, in their order."""

    serializer_class = BatchItemSerializer
    filterset_class = BatchItemFilter
    order = ("position",)
    queryset = BatchItem.objects.none()

    def get_queryset(self) -> QuerySet[BatchItem]:
        run = get_object_or_404(Run, pk=self.kwargs["pk"], kind__in=batch.KINDS)
        return batch.items_of(run.pk)
