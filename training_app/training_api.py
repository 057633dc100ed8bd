"""Training runs and evaluations over REST."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from training_app import actions, launch_plan, launching, selectors
from training_app.engine.config import PRESETS
from training_app.filters import TrainingFilter
from training_app.launching import LaunchError
from training_app.models import DatasetVersion, TrainingRun
from webapp.common import ids, job_api
from webapp.common.api_view import ApiView
from webapp.common.idempotency import idempotent
from webapp.common.job_api import JobSerializer
from webapp.common.pages import signed_in
from webapp.common.problems import ApiProblem
from webapp.common.rest import PublicIdField, Strict
from webapp.common.roles import Role, Scope
from workers.launchers.clusters import NAMES, Place

MAX_POINTS = 5_000


class JobKinds(Strict):
    read_scope = Scope.JOBS_READ
    write_scope = Scope.JOBS_WRITE
    write_roles: ClassVar[tuple[str, ...]] = (Role.TRAINER,)


class TrainingSerializer(serializers.ModelSerializer[TrainingRun]):
    id = PublicIdField()
    job = serializers.CharField(source="run.public_id", read_only=True)
    state = serializers.CharField(source="run.state", read_only=True)
    dataset = serializers.CharField(source="dataset_version.dataset.slug", read_only=True)
    version = serializers.IntegerField(source="dataset_version.number", read_only=True)
    overrides = serializers.DictField(read_only=True)
    config = serializers.DictField(read_only=True)
    checkpoints = serializers.ListField(child=serializers.CharField(), read_only=True)
    usable = serializers.SerializerMethodField()
    start_from = serializers.CharField(source="start_from.public_id", read_only=True, default=None, allow_null=True)

    class Meta:
        model = TrainingRun
        fields = (
            "id", "job", "state", "method", "preset", "dataset", "version", "base", "start_from", "start_checkpoint",
            "mode", "hours", "overrides", "config", "checkpoints", "usable", "created_at",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field({"type": "array", "items": {"type": "string"}})
    def get_usable(self, training: TrainingRun) -> list[str]:
        """What can be started from or evaluated, best first."""
        return launching.usable_checkpoints(training)


class LaunchSerializer(serializers.Serializer[Any]):
    method = serializers.ChoiceField(choices=TrainingRun.Method.choices)
    preset = serializers.ChoiceField(choices=[(name, name) for name in PRESETS])
    dataset = serializers.SlugField(max_length=60)
    version = serializers.IntegerField(min_value=1, required=False, allow_null=True, default=None)
    start = serializers.CharField(
        max_length=500, help_text="`tiny`, `model:<directory or hub name>` or `run:<trn_…>[@checkpoint]`."
    )
    mode = serializers.ChoiceField(choices=("", "meta", "direct"), required=False, default="")
    overrides = serializers.DictField(required=False, default=dict, help_text="Fields that differ from the preset.")
    hours = serializers.FloatField(min_value=0.001, required=False, allow_null=True, default=None)
    max_simulated = serializers.FloatField(min_value=0, max_value=1, required=False, default=1.0)
    launcher = serializers.ChoiceField(choices=NAMES, required=False, default="local", help_text="Where it runs.")
    resources = serializers.CharField(
        max_length=100, required=False, default="", allow_blank=True,
        help_text="Slurm: the partition. SkyPilot: accelerators of a node, such as `H100:8`.",
    )  # fmt: skip


class CloneSerializer(serializers.Serializer[Any]):
    overrides = serializers.DictField(
        required=False, default=dict, help_text="Fields that differ from the cloned run; null takes the preset's value."
    )
    start = serializers.CharField(max_length=500, required=False, default="", help_text="Another starting point.")
    hours = serializers.FloatField(min_value=0.001, required=False, allow_null=True, default=None)


class EstimateSerializer(serializers.Serializer[Any]):
    figures = serializers.DictField()
    warnings = serializers.ListField(child=serializers.CharField())
    command = serializers.CharField()
    config = serializers.DictField()
    plan = serializers.DictField(
        child=serializers.CharField(allow_blank=True),
        help_text="`trainer`, the command that works; `file` and `submit`, what a cluster's tool gets; `missing`.",
    )


class PointSerializer(serializers.Serializer[Any]):
    step = serializers.IntegerField()
    name = serializers.CharField()
    value = serializers.FloatField()


class PointsSerializer(serializers.Serializer[Any]):
    data = PointSerializer(many=True)  # type: ignore[assignment] # a field, not the property
    last = serializers.IntegerField(help_text="Send as `after` for what comes next.")
    live = serializers.BooleanField(help_text="Whether more may come.")
    names = serializers.ListField(child=serializers.CharField(), help_text="All metrics of the run.")


def refused(error: LaunchError) -> ApiProblem:
    errors = [{"pointer": f"/{name}", "code": "invalid", "detail": words} for name, words in error.fields.items()]
    return ApiProblem("validation-failed", str(error), errors=errors)


def find_version(data: dict[str, Any]) -> DatasetVersion:
    """The version that a body names; the newest one without a number."""
    name = data["dataset"] if data["version"] is None else f"{data['dataset']}@{data['version']}"
    version = selectors.find_version(name)
    if version is None:
        raise refused(LaunchError(f"There is no dataset version {name}.", {"dataset": "unknown"}))
    return version


def read_request(request: Request) -> launching.Request:
    asked = LaunchSerializer(data=request.data)
    asked.is_valid(raise_exception=True)
    data = asked.validated_data
    return launching.Request(
        method=data["method"],
        preset=data["preset"],
        version=find_version(data),
        start=data["start"],
        mode=data["mode"],
        overrides=data["overrides"],
        hours=data["hours"],
        max_simulated=data["max_simulated"],
        place=Place(data["launcher"], data["resources"]),
    )


class TrainingList(JobKinds, generics.ListAPIView[TrainingRun]):
    """Training runs, newest first."""

    serializer_class = TrainingSerializer
    filterset_class = TrainingFilter
    queryset = TrainingRun.objects.none()

    def get_queryset(self) -> QuerySet[TrainingRun]:
        return selectors.training_list()

    @extend_schema(request=LaunchSerializer, responses={202: JobSerializer})
    @idempotent(required=True)
    def post(self, request: Request) -> Response:
        """Launch a run of kind sft or grpo."""
        try:
            training = actions.launch(request=read_request(request), by=signed_in(request))
        except LaunchError as error:
            raise refused(error) from error
        return job_api.started(training.run)


class TrainingEstimate(JobKinds, ApiView):
    @extend_schema(request=LaunchSerializer, responses=EstimateSerializer)
    def post(self, request: Request) -> Response:
        """What a launch would amount to; nothing is started."""
        wanted = read_request(request)
        try:
            values, start, _ = actions.check_launch(wanted)
            estimate = launching.estimate(wanted, launching.configure(wanted), start)
        except LaunchError as error:
            raise refused(error) from error
        body = {"figures": estimate.figures, "warnings": estimate.warnings}
        plan = launch_plan.shown(wanted, values).to_json()
        return Response({**body, "command": launching.command_line(wanted), "config": values, "plan": plan})


class TrainingDetail(JobKinds, ApiView):
    @extend_schema(responses=TrainingSerializer, operation_id="training_runs_retrieve")
    def get(self, _request: Request, pk: UUID) -> Response:
        """One training run with its whole configuration and checkpoints."""
        return Response(TrainingSerializer(get_object_or_404(selectors.training_list(), pk=pk)).data)


class TrainingClone(JobKinds, ApiView):
    @extend_schema(request=CloneSerializer, responses={202: JobSerializer})
    @idempotent(required=True)
    def post(self, request: Request, pk: UUID) -> Response:
        """Launch the same again, with changes."""
        training = get_object_or_404(selectors.training_list(), pk=pk)
        asked = CloneSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        try:
            wanted = launching.cloned(training, data["overrides"], start=data["start"], hours=data["hours"])
            made = actions.launch(request=wanted, by=signed_in(request))
        except LaunchError as error:
            raise refused(error) from error
        return job_api.started(made.run)


class TrainingMetrics(JobKinds, ApiView):
    query = ("names", "after", "limit")

    @extend_schema(
        responses=PointsSerializer,
        parameters=[
            OpenApiParameter("names", str, description="Metrics separated by commas; all when absent."),
            OpenApiParameter("after", int, description="Values at steps above this one; -1 for all."),
            OpenApiParameter("limit", int, description=f"About so many values, 1 to {MAX_POINTS}; steps stay whole."),
        ],
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Numbers by step, from `after` on. After a resume the last value of a step counts."""
        return metrics_of(get_object_or_404(selectors.training_list(), pk=pk), request)


class JobMetrics(TrainingMetrics):
    @extend_schema(
        responses=PointsSerializer,
        operation_id="jobs_metrics_retrieve",
        parameters=[
            OpenApiParameter("names", str, description="Metrics separated by commas; all when absent."),
            OpenApiParameter("after", int, description="Values at steps above this one; -1 for all."),
            OpenApiParameter("limit", int, description=f"About so many values, 1 to {MAX_POINTS}; steps stay whole."),
        ],
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """The same numbers by the id of the job."""
        return metrics_of(get_object_or_404(selectors.training_list(), run_id=pk), request)


def metrics_of(training: TrainingRun, request: Request) -> Response:
    names = [name for name in request.query_params.get("names", "").split(",") if name]
    after = whole(request, "after", -1, -1, 2**31 - 1)
    points = selectors.metric_points(training, names, after, whole(request, "limit", 1_000, 1, MAX_POINTS))
    last = points[-1]["step"] if points else after
    body = {"data": points, "last": last, "live": training.run.is_live, "names": selectors.metric_names(training)}
    return Response(body)


def whole(request: Request, name: str, default: int, least: int, most: int) -> int:
    """A whole number of the address. Raises ApiProblem naming its bounds."""
    text = request.query_params.get(name, "")
    if not text:
        return default
    digits = text.removeprefix("-")
    if not digits.isdecimal() or len(digits) > 10 or not least <= int(text) <= most:
        raise ApiProblem("bad-request", f"{name} is a whole number from {least} to {most}.", parameter=name)
    return int(text)


def find_training(text: str) -> TrainingRun | None:
    """A training run by its shown id; None for "". Raises LaunchError."""
    if not text:
        return None
    try:
        found = selectors.training_list().filter(pk=ids.parse("trn", text)).first()
    except ids.IdError as error:
        raise LaunchError(str(error), {"training_run": str(error)}) from error
    if found is None:
        raise LaunchError("There is no such training run.", {"training_run": "unknown"})
    return found
