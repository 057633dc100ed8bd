"""Jobs, operations and activity over REST."""

from typing import Any, ClassVar
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from webapp.common import pages, problems, runs, selectors
from webapp.common.api_view import ApiView
from webapp.common.filters import ActivityFilter, RunFilter
from webapp.common.idempotency import idempotent
from webapp.common.job_pages import may_control
from webapp.common.models import Activity, Run, RunEvent
from webapp.common.rest import PublicIdField, Strict, versioned
from webapp.common.roles import Role, Scope
from webapp.common.run_models import CancelMode, RunState
from webapp.common.run_moves import MAX_PRIORITY


class ProgressSerializer(serializers.Serializer[Run]):
    done = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True)
    unit = serializers.CharField()
    percent = serializers.IntegerField(allow_null=True)


class FailureSerializer(serializers.Serializer[Run]):
    kind = serializers.CharField(source="failure_kind")
    message = serializers.CharField(source="failure_message")


class JobSerializer(serializers.ModelSerializer[Run]):
    id = PublicIdField()
    state = serializers.ChoiceField(choices=RunState.choices)
    cancel_mode = serializers.ChoiceField(choices=CancelMode.choices)
    progress = ProgressSerializer(source="*")
    failure = serializers.SerializerMethodField()
    created_by = serializers.CharField(source="created_by.username", default=None, allow_null=True)
    parent = serializers.SerializerMethodField()  # type: ignore[assignment] # a field, not the attribute
    links = serializers.SerializerMethodField()

    class Meta:
        model = Run
        fields: ClassVar[tuple[str, ...]] = (
            "id",
            "kind",
            "title",
            "state",
            "queue",
            "priority",
            "phase",
            "progress",
            "failure",
            "attempt",
            "resumable",
            "cancel_mode",
            "created_by",
            "created_at",
            "started_at",
            "finished_at",
            "heartbeat_at",
            "parent",
            "version",
            "links",
        )
        read_only_fields = fields

    @extend_schema_field(FailureSerializer(allow_null=True))
    def get_failure(self, run: Run) -> dict[str, Any] | None:
        return {"kind": run.failure_kind, "message": run.failure_message} if run.failure_kind else None

    def get_parent(self, run: Run) -> str | None:
        return Run(pk=run.parent_id).public_id if run.parent_id else None

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "string"}})
    def get_links(self, run: Run) -> dict[str, str]:
        """Only what can be done now: a link that would be refused is not there."""
        links = {"self": reverse("api:job", args=[run.pk]), "page": run.get_absolute_url()}
        if run.can_cancel:
            links["cancel"] = reverse("api:job-cancel", args=[run.pk])
        if run.can_resume:
            links["resume"] = reverse("api:job-resume", args=[run.pk])
        if run.can_move:
            links["priority"] = reverse("api:job-priority", args=[run.pk])
        if run.can_retry:
            links["retry"] = reverse("api:job-retry", args=[run.pk])
        return links


class JobDetailSerializer(JobSerializer):
    payload = serializers.JSONField(read_only=True)
    result = serializers.JSONField(read_only=True)

    class Meta(JobSerializer.Meta):
        fields: ClassVar[tuple[str, ...]] = (*JobSerializer.Meta.fields, "payload", "result")
        read_only_fields = fields


class EventSerializer(serializers.ModelSerializer[RunEvent]):
    class Meta:
        model = RunEvent
        fields = ("seq", "at", "level", "message", "data")
        read_only_fields = fields


class EventsSerializer(serializers.Serializer[Any]):
    data = EventSerializer(many=True)  # type: ignore[assignment] # a field, not the property
    last = serializers.IntegerField(help_text="Send as `after` for what comes next.")
    live = serializers.BooleanField(help_text="Whether more may come.")


class CancelSerializer(serializers.Serializer[Any]):
    mode = serializers.ChoiceField(choices=("keep", "now"), default="keep")


class PrioritySerializer(serializers.Serializer[Any]):
    priority = serializers.IntegerField(
        min_value=-MAX_PRIORITY, max_value=MAX_PRIORITY, help_text="Higher comes first in its queue; equals by age."
    )


class JobsView(Strict):
    read_scope = Scope.JOBS_READ
    write_scope = Scope.JOBS_WRITE
    # Who may steer a job depends on the job: `_steered` decides.
    write_roles: ClassVar[tuple[str, ...]] = (Role.TRAINER, Role.CURATOR, Role.ANNOTATOR)


class JobList(JobsView, generics.ListAPIView[Run]):
    """Jobs, newest first."""

    serializer_class = JobSerializer
    filterset_class = RunFilter
    queryset = Run.objects.none()

    def get_queryset(self) -> QuerySet[Run]:
        return selectors.run_list()


class JobDetail(JobsView, ApiView):
    @extend_schema(responses=JobDetailSerializer, operation_id="jobs_retrieve")
    def get(self, request: Request, pk: UUID) -> Response:
        """One job with its inputs and result. `If-None-Match` answers 304 while nothing changed."""
        run = get_object_or_404(selectors.run_detail(), pk=pk)
        return versioned(request, run, JobDetailSerializer(run).data)


class OperationDetail(JobsView, ApiView):
    @extend_schema(responses=JobDetailSerializer, operation_id="operations_retrieve")
    def get(self, request: Request, pk: UUID) -> Response:
        """The job behind a 202 answer's `Location`; the same body as `/jobs/{id}`."""
        run = get_object_or_404(selectors.run_detail(), pk=pk)
        return versioned(request, run, JobDetailSerializer(run).data)


class JobEvents(JobsView, ApiView):
    query = ("after", "limit")

    @extend_schema(
        responses=EventsSerializer,
        parameters=[
            OpenApiParameter("after", int, description="Events with a higher `seq` than this."),
            OpenApiParameter("limit", int, description="1 to 500."),
        ],
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """The log in order, from `after` on."""
        run = get_object_or_404(Run, pk=pk)
        after = _number(request, "after", 0, 0, 2**31 - 1)
        events = selectors.events_after(run, after, _number(request, "limit", 100, 1, 500))
        last = events[-1].seq if events else after
        return Response({"data": EventSerializer(events, many=True).data, "last": last, "live": run.is_live})


class JobCancel(JobsView, ApiView):
    @extend_schema(request=CancelSerializer, responses={202: JobSerializer})
    @idempotent()
    def post(self, request: Request, pk: UUID) -> Response:
        """Ask the job to stop: `keep` what it made, or `now`. A job that has ended answers 409."""
        asked = CancelSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        run = runs.request_cancel(_steered(request, pk), pages.signed_in(request), asked.validated_data["mode"])
        return started(run)


class JobResume(JobsView, ApiView):
    @extend_schema(request=None, responses={202: JobSerializer})
    @idempotent()
    def post(self, request: Request, pk: UUID) -> Response:
        """Queue a stopped job again; it goes on where it was."""
        return started(runs.resume(_steered(request, pk), pages.signed_in(request)))


class JobPriority(JobsView, ApiView):
    write_roles: ClassVar[tuple[str, ...]] = (Role.TRAINER,)

    @extend_schema(request=PrioritySerializer, responses=JobSerializer)
    def patch(self, request: Request, pk: UUID) -> Response:
        """Change the place of a queued job. One that a worker took answers 409."""
        asked = PrioritySerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        run = runs.reorder(get_object_or_404(Run, pk=pk), pages.signed_in(request), asked.validated_data["priority"])
        return Response(JobSerializer(run).data, headers={"ETag": f'"v{run.version}"'})


class JobRetry(JobsView, ApiView):
    @extend_schema(request=None, responses={202: JobSerializer})
    @idempotent()
    def post(self, request: Request, pk: UUID) -> Response:
        """A new job with the same inputs; the answer is the new job."""
        return started(runs.retry(_steered(request, pk), pages.signed_in(request)))


def started(run: Run) -> Response:
    """202 with the job and where to watch it: the answer of every POST that starts long work."""
    location = reverse("api:operation", args=[run.pk])
    return Response(JobSerializer(run).data, status=202, headers={"Location": location, "ETag": f'"v{run.version}"'})


def _steered(request: Request, pk: UUID) -> Run:
    run = get_object_or_404(Run, pk=pk)
    if not may_control(pages.signed_in(request), run):
        raise PermissionDenied(pages.missing_role(Role.TRAINER))
    return run


def _number(request: Request, name: str, default: int, least: int, most: int) -> int:
    text = request.query_params.get(name, "")
    if not text:
        return default
    if not text.isdecimal() or not least <= int(text) <= most:
        raise problems.ApiProblem("bad-request", f"{name} is a whole number from {least} to {most}.", parameter=name)
    return int(text)


class ActivitySerializer(serializers.ModelSerializer[Activity]):
    id = PublicIdField()
    actor = serializers.CharField(source="actor_name")
    token = serializers.CharField(source="token.public_id", default=None, allow_null=True)
    target = serializers.SerializerMethodField()

    class Meta:
        model = Activity
        fields = ("id", "at", "actor", "source", "token", "verb", "target", "before", "after", "reason", "request_id")
        read_only_fields = fields

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "string"}})
    def get_target(self, entry: Activity) -> dict[str, str]:
        return {
            "type": entry.target_type,
            "id": entry.target_id,
            "label": entry.target_label,
            "url": entry.target_url,
        }


class ActivityList(Strict, generics.ListAPIView[Activity]):
    """Every change: who, what, before and after, why, and from where."""

    serializer_class = ActivitySerializer
    filterset_class = ActivityFilter
    queryset = Activity.objects.none()

    def get_queryset(self) -> QuerySet[Activity]:
        return selectors.activity_list()
