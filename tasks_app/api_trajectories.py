"""REST: playing tasks, trajectories step by step, and groups of rollouts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import django_filters  # type: ignore[import-untyped] # the library has no types
import orjson
from django.db.models import Count, F, Func, IntegerField, Q, QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_filters.utils import translate_validation  # type: ignore[import-untyped]
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from services_app.api_parts import (
    CURSOR,
    LIMIT,
    JsonBody,
    idempotency_key,
    invalid,
    numbered_page,
    read,
    stored_json,
)
from tasks_app import actions, selectors
from tasks_app.engine.trajectory import Step
from tasks_app.filters import TaskFilter, TrajectoryFilter
from tasks_app.models import Group, Task, Trajectory
from tasks_app.serializers import (
    GroupDetailSerializer,
    GroupSerializer,
    ObjectPage,
    RolloutSerializer,
    StepPage,
    TrajectoryDetailSerializer,
    TrajectorySerializer,
)
from webapp.common import ids
from webapp.common.api_view import ApiView
from webapp.common.filters import PublicIdFilter
from webapp.common.idempotency import idempotent
from webapp.common.job_api import JobSerializer, started
from webapp.common.pages import signed_in
from webapp.common.rest import Strict
from webapp.common.roles import Role, Scope


class Rollouts(ApiView):
    write_scope = Scope.JOBS_WRITE
    write_roles = (Role.CURATOR, Role.TRAINER)
    parser_classes = (JsonBody,)

    @extend_schema(
        request=RolloutSerializer,
        responses={202: JobSerializer},
        parameters=[idempotency_key()],
        examples=[
            OpenApiExample(
                "All of K = 3", value={"filter": {"k": "3"}, "policy": "reference", "n": 4}, request_only=True
            )
        ],
    )
    @idempotent(required=True)
    def post(self, request: Request) -> Response:
        """Play tasks with a policy, as a job: the tasks named, or all verified ones that match a filter."""
        asked = read(RolloutSerializer, request)
        tasks = _named(asked["tasks"]) if "tasks" in asked else _matching(asked["filter"])
        try:
            run = actions.start_rollouts(tasks=tasks, policy=asked["policy"], count=asked["n"], by=signed_in(request))
        except ValueError as error:
            raise invalid("", "impossible", str(error)) from error
        return started(run)


def _named(texts: list[str]) -> list[Task]:
    """The tasks of these public ids. Raises a problem that points at one that is none."""
    keys = []
    for number, text in enumerate(texts):
        try:
            keys.append(ids.parse(Task.prefix, text))
        except ids.IdError as error:
            raise invalid(f"/tasks/{number}", "invalid", str(error)) from error
    found = {task.pk: task for task in Task.objects.filter(pk__in=keys).only("pk")}
    for number, key in enumerate(keys):
        if key not in found:
            raise invalid(f"/tasks/{number}", "unknown", _("There is no such task."))
    return list(found.values())


def _matching(query: Mapping[str, str]) -> list[Task]:
    """Verified tasks that match, at most as many as one job may play."""
    unknown = ErrorDetail(_("There is no such filter."), "unknown")
    if errors := {name: [unknown] for name in query if name not in TaskFilter.base_filters}:
        raise ValidationError({"filter": errors})
    filters = TaskFilter(query, queryset=Task.objects.filter(status=Task.Status.VERIFIED))
    if not filters.is_valid():
        raise ValidationError({"filter": translate_validation(filters.errors).detail})
    tasks = list(filters.qs.only("pk")[: actions.MAX_TASKS + 1])
    if len(tasks) > actions.MAX_TASKS:
        words = _("More than %(most)d tasks match; narrow the filter.") % {"most": actions.MAX_TASKS}
        raise invalid("/filter", "too_many", words)
    return tasks


class TrajectoryList(Strict, generics.ListAPIView[Trajectory]):
    """Trajectories, newest first. The same filters as on the page."""

    serializer_class = TrajectorySerializer
    filterset_class = TrajectoryFilter
    sorts = ("created_at", "step_count", "service_calls", "duration_ms")
    queryset = Trajectory.objects.none()

    def get_queryset(self) -> QuerySet[Trajectory]:
        return Trajectory.objects.defer("body")


class TrajectoryDetail(ApiView):
    @extend_schema(responses=TrajectoryDetailSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """One trajectory with its answer and verdict. Steps and messages are below this address."""
        trajectory = get_object_or_404(Trajectory, pk=pk)
        body = json.loads(trajectory.body)
        more = {name: body[name] for name in ("seed", "mode", "answer", "error", "verdict", "usage")}
        more["message_count"] = len(body["messages"])
        return Response(TrajectorySerializer(trajectory).data | more)


class StepsView(ApiView):
    query = ("cursor", "limit")

    @extend_schema(
        operation_id="trajectories_steps_list",
        responses=StepPage,
        parameters=[CURSOR, LIMIT],
    )
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        """Steps in order as they are stored. A page ends early when the steps are large."""
        steps = get_object_or_404(Trajectory.objects.only("pk"), pk=pk).steps
        size = Func(F("body"), function="octet_length", output_field=IntegerField())

        def sizes(first: int, count: int) -> list[int]:
            rows = steps.filter(index__gte=first).order_by("index")[:count]
            return list(rows.annotate(size=size).values_list("size", flat=True))

        def rows(first: int, count: int) -> list[orjson.Fragment]:
            found = steps.filter(index__gte=first).order_by("index").values_list("body", flat=True)[:count]
            return [orjson.Fragment(body) for body in found]

        return numbered_page(request, sizes, rows)


class StepView(ApiView):
    @extend_schema(responses=Step, operation_id="trajectories_steps_retrieve")
    def get(self, request: Request, pk: UUID, number: int) -> HttpResponse:
        """One step, by its number from 0."""
        trajectory = get_object_or_404(Trajectory.objects.only("pk"), pk=pk)
        return stored_json(get_object_or_404(trajectory.steps, index=number).body)


class MessagesView(ApiView):
    query = ("cursor", "limit")

    @extend_schema(
        responses=ObjectPage,
        parameters=[CURSOR, LIMIT],
    )
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        """The chat as the model saw it, in OpenAI form. A page ends early when the messages are large."""
        body = get_object_or_404(Trajectory.objects.only("body"), pk=pk).body
        messages = [orjson.dumps(message) for message in json.loads(body)["messages"]]
        return numbered_page(
            request,
            lambda first, count: [len(message) for message in messages[first : first + count]],
            lambda first, count: [orjson.Fragment(message) for message in messages[first : first + count]],
        )


class GroupFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    policy = django_filters.CharFilter(label=gettext_lazy("Policy"))
    task = PublicIdFilter(label=gettext_lazy("Task"), field_name="task_id", prefix="task")
    run = PublicIdFilter(label=gettext_lazy("Job"), field_name="run_id", prefix="job")

    class Meta:
        model = Group
        fields = ()


def _groups() -> QuerySet[Group]:
    return Group.objects.annotate(
        rollouts=Count("trajectories"), passes=Count("trajectories", filter=Q(trajectories__passed=True))
    )


class GroupList(Strict, generics.ListAPIView[Group]):
    """Groups of rollouts of one task by one policy, newest first."""

    serializer_class = GroupSerializer
    filterset_class = GroupFilter
    queryset = Group.objects.none()

    def get_queryset(self) -> QuerySet[Group]:
        return _groups()


class GroupDetail(ApiView):
    @extend_schema(responses=GroupDetailSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """One group with the result of every rollout on every criterion."""
        group = get_object_or_404(_groups().select_related("task"), pk=pk)
        rubric = json.loads(group.task.spec)["rubric"]
        names = [criterion["id"] for criterion in rubric]
        more = {
            "criteria": [{name: criterion[name] for name in ("id", "text", "kind")} for criterion in rubric],
            "results": [
                _result(trajectory, names) for trajectory in selectors.rollouts_of(group).iterator(chunk_size=8)
            ],
        }
        return Response(GroupSerializer(group).data | more)


def _result(trajectory: Trajectory, names: list[str]) -> dict[str, Any]:
    verdict = json.loads(trajectory.body)["verdict"] or {"results": []}
    told = {result["id"]: result["status"] for result in verdict["results"]}
    return {
        "id": trajectory.public_id,
        "index": trajectory.index,
        "status": trajectory.status,
        "passed": trajectory.passed,
        "score": trajectory.score,
        "results": [told.get(name) for name in names],
    }
