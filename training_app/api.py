"""Datasets and exports over REST."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from training_app import actions, datasets, selectors, views
from training_app.datasets import DatasetError
from training_app.filters import DatasetFilter, ExportFilter
from training_app.models import Dataset, DatasetMember, DatasetVersion, Export
from webapp.common import job_api, pages
from webapp.common.api_view import ApiView
from webapp.common.idempotency import idempotent
from webapp.common.job_api import JobSerializer
from webapp.common.pages import signed_in
from webapp.common.problems import ApiProblem
from webapp.common.rest import PublicIdField, Strict
from webapp.common.roles import Role, Scope


class DatasetSerializer(serializers.ModelSerializer[Dataset]):
    id = PublicIdField()
    kind = serializers.CharField(read_only=True, help_text="sft or rl.")
    query = serializers.DictField(child=serializers.CharField(), read_only=True)
    newest_version = serializers.IntegerField(source="newest", read_only=True, allow_null=True, default=None)
    created_by = serializers.CharField(source="created_by.username", default=None, allow_null=True, read_only=True)

    class Meta:
        model = Dataset
        fields = ("id", "slug", "title", "kind", "query", "newest_version", "created_by", "created_at")
        read_only_fields = fields


class NewDatasetSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(max_length=200)
    kind = serializers.ChoiceField(choices=Dataset.Kind.choices)
    slug = serializers.SlugField(max_length=60, required=False, default="")
    query = serializers.DictField(
        child=serializers.CharField(),
        required=False,
        default=dict,
        help_text="As in the query string of /trajectories or /tasks. Passed and verified ones by default.",
    )


class DatasetVersionSerializer(serializers.ModelSerializer[DatasetVersion]):
    id = PublicIdField()
    dataset = serializers.CharField(source="dataset.slug", read_only=True)
    shares = serializers.DictField(child=serializers.FloatField(), read_only=True)
    stats = serializers.DictField(read_only=True)
    stale_tasks = serializers.IntegerField(
        read_only=True, default=0, help_text="Tasks of this version that are stale by now; the version stays as it is."
    )

    class Meta:
        model = DatasetVersion
        fields = (
            "id", "dataset", "number", "content_hash", "shares", "split_seed", "stats", "stale_tasks", "created_at",
        )  # fmt: skip
        read_only_fields = fields


class FreezeSerializer(serializers.Serializer[Any]):
    train = serializers.FloatField(min_value=0, max_value=1, default=0.8)
    validation = serializers.FloatField(min_value=0, max_value=1, default=0)
    test = serializers.FloatField(min_value=0, max_value=1, default=0.2)
    seed = serializers.IntegerField(min_value=0, max_value=2**31, default=0)


class MemberSerializer(serializers.ModelSerializer[DatasetMember]):
    task = serializers.CharField(source="task.public_id", read_only=True)
    trajectory = serializers.CharField(source="trajectory.public_id", read_only=True, default=None, allow_null=True)

    class Meta:
        model = DatasetMember
        fields = ("position", "split", "family", "task", "trajectory")
        read_only_fields = fields


class LeakageSerializer(serializers.Serializer[Any]):
    families = serializers.IntegerField(help_text="Families with members in more than one split.")
    tasks = serializers.IntegerField(help_text="Tasks with members in more than one split.")


class ExportSerializer(serializers.ModelSerializer[Export]):
    id = PublicIdField()
    dataset = serializers.CharField(source="dataset_version.dataset.slug", read_only=True)
    version = serializers.IntegerField(source="dataset_version.number", read_only=True)
    complete = serializers.SerializerMethodField()
    job = serializers.CharField(source="run.public_id", read_only=True, default=None, allow_null=True)
    state = serializers.CharField(source="run.state", read_only=True, default=None, allow_null=True)
    links = serializers.SerializerMethodField()

    class Meta:
        model = Export
        fields = ("id", "dataset", "version", "format", "complete", "job", "state", "created_at", "links")
        read_only_fields = fields

    def get_complete(self, export: Export) -> bool:
        return export.manifest is not None

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "string"}})
    def get_links(self, export: Export) -> dict[str, str]:
        links = {"self": reverse("api-export", args=[export.pk]), "page": export.get_absolute_url()}
        for file in (export.manifest or {}).get("files", ()):
            links[file["name"]] = reverse("api-export-file", args=[export.pk, file["name"]])
        return links


class NewExportSerializer(serializers.Serializer[Any]):
    dataset = serializers.SlugField(max_length=60)
    version = serializers.IntegerField(min_value=1, required=False, allow_null=True, default=None)
    format = serializers.ChoiceField(choices=Export.Format.choices)


class DatasetsView(Strict):
    read_scope = Scope.CATALOG_READ
    write_scope = Scope.DATASETS_WRITE
    write_roles: ClassVar[tuple[str, ...]] = (Role.CURATOR, Role.TRAINER)


class ExportsView(Strict):
    """Files leave the house here: reading needs the role as well as the scope."""

    read_scope = Scope.EXPORTS_READ
    read_roles: ClassVar[tuple[str, ...]] = (Role.CURATOR, Role.TRAINER)
    write_scope = Scope.DATASETS_WRITE
    write_roles: ClassVar[tuple[str, ...]] = (Role.CURATOR, Role.TRAINER)


def refused(error: DatasetError) -> ApiProblem:
    return ApiProblem("validation-failed", str(error))


def version_of(slug: str, number: int) -> DatasetVersion:
    version: DatasetVersion = get_object_or_404(selectors.version_named(slug, number))
    return version


class DatasetList(DatasetsView, generics.ListAPIView[Dataset]):
    """Datasets, newest first."""

    serializer_class = DatasetSerializer
    filterset_class = DatasetFilter
    queryset = Dataset.objects.none()
    sorts = ("slug", "created_at")

    def get_queryset(self) -> QuerySet[Dataset]:
        return selectors.dataset_list()

    @extend_schema(request=NewDatasetSerializer, responses={201: DatasetSerializer})
    @idempotent()
    def post(self, request: Request) -> Response:
        """Name a selection. Nothing is copied before a version is frozen."""
        asked = NewDatasetSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            dataset = actions.create_dataset(**asked.validated_data, by=signed_in(request))
        except DatasetError as error:
            raise refused(error) from error
        where = reverse("api-dataset", args=[dataset.slug])
        return Response(DatasetSerializer(dataset).data, status=201, headers={"Location": where})


class DatasetDetail(DatasetsView, ApiView):
    @extend_schema(responses=DatasetSerializer, operation_id="datasets_retrieve")
    def get(self, _request: Request, slug: str) -> Response:
        """One dataset with the filter it selects by."""
        return Response(DatasetSerializer(get_object_or_404(selectors.dataset_list(), slug=slug)).data)


class DatasetVersionList(DatasetsView, generics.ListAPIView[DatasetVersion]):
    """Versions of a dataset, newest first."""

    serializer_class = DatasetVersionSerializer
    queryset = DatasetVersion.objects.none()

    def get_queryset(self) -> QuerySet[DatasetVersion]:
        return selectors.versions_of(get_object_or_404(Dataset, slug=self.kwargs["slug"]))

    @extend_schema(request=FreezeSerializer, responses={201: DatasetVersionSerializer, 200: DatasetVersionSerializer})
    @idempotent()
    def post(self, request: Request, slug: str) -> Response:
        """Freeze what the dataset selects now; 200 with the newest version when nothing changed since."""
        dataset = get_object_or_404(Dataset, slug=slug)
        asked = FreezeSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        shares = {name: asked.validated_data[name] for name in datasets.SPLITS}
        try:
            version, created = actions.freeze(
                dataset=dataset, shares=shares, seed=asked.validated_data["seed"], by=signed_in(request)
            )
        except DatasetError as error:
            raise refused(error) from error
        where = reverse("api-dataset-version", args=[slug, version.number])
        return Response(
            DatasetVersionSerializer(version).data, status=201 if created else 200, headers={"Location": where}
        )


class DatasetVersionDetail(DatasetsView, ApiView):
    @extend_schema(responses=DatasetVersionSerializer, operation_id="dataset_versions_retrieve")
    def get(self, _request: Request, slug: str, number: int) -> Response:
        """One frozen version with its figures."""
        return Response(DatasetVersionSerializer(version_of(slug, number)).data)


class DatasetVersionRows(DatasetsView, generics.ListAPIView[DatasetMember]):
    """Members of a version in their order."""

    serializer_class = MemberSerializer
    queryset = DatasetMember.objects.none()
    order = ("position", "id")

    def get_queryset(self) -> QuerySet[DatasetMember]:
        return selectors.rows_of(version_of(self.kwargs["slug"], self.kwargs["number"]))


class DatasetVersionLeakage(DatasetsView, ApiView):
    @extend_schema(responses=LeakageSerializer)
    def get(self, _request: Request, slug: str, number: int) -> Response:
        """What lies in more than one split, counted now."""
        return Response(datasets.leakage(version_of(slug, number)))


class ExportList(ExportsView, generics.ListAPIView[Export]):
    """Exports, newest first."""

    serializer_class = ExportSerializer
    filterset_class = ExportFilter
    queryset = Export.objects.none()

    def get_queryset(self) -> QuerySet[Export]:
        return selectors.export_list()

    @extend_schema(request=NewExportSerializer, responses={202: JobSerializer, 200: ExportSerializer})
    @idempotent(required=True)
    def post(self, request: Request) -> Response:
        """Start writing files; 200 with the export when an equal one is complete."""
        asked = NewExportSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        name = data["dataset"] if data["version"] is None else f"{data['dataset']}@{data['version']}"
        version = selectors.find_version(name)
        if version is None:
            error = {"pointer": "/dataset", "code": "unknown", "detail": f"There is no dataset version {name}."}
            raise ApiProblem("validation-failed", error["detail"], errors=[error])
        try:
            export = actions.start_export(version=version, form=data["format"], by=signed_in(request))
        except DatasetError as error:
            raise refused(error) from error
        if export.manifest is not None or export.run is None:
            return Response(ExportSerializer(export).data)
        return job_api.started(export.run)


class ExportDetail(ExportsView, ApiView):
    @extend_schema(responses=ExportSerializer, operation_id="exports_retrieve")
    def get(self, _request: Request, pk: UUID) -> Response:
        """One export; its files are linked once it is complete."""
        return Response(ExportSerializer(get_object_or_404(selectors.export_list(), pk=pk)).data)


class ExportManifest(ExportsView, ApiView):
    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, _request: Request, pk: UUID) -> Response:
        """Files with sha256 and size, split rule, overlap, simulated share."""
        export = get_object_or_404(Export, pk=pk)
        if export.manifest is None:
            raise ApiProblem("state-conflict", "The export is not complete.")
        return Response(export.manifest)


class ExportFile(ExportsView, ApiView):
    @extend_schema(responses={(200, "application/octet-stream"): OpenApiResponse(OpenApiTypes.BINARY)})
    def get(self, request: Request, pk: UUID, name: str) -> HttpResponseBase:
        """One file of a complete export. `Range` is understood."""
        if not pages.signed_in(request).has_role(*self.read_roles):
            raise ApiProblem("permission-denied", pages.missing_role(*self.read_roles))
        return views.send_file(request, get_object_or_404(Export, pk=pk), name)
