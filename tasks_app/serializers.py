"""Bodies of the REST API of tasks, trajectories and groups.

Parts of a task are described by the engine's own models, so that the schema cannot drift from the artifact.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from rest_framework import serializers

from services_app.api_parts import ReferenceField, StrictSerializer, WordField
from tasks_app.actions import MAX_ROLLOUTS, MAX_TASKS
from tasks_app.composition_serializers import GraphNode
from tasks_app.engine.program import Program
from tasks_app.engine.task import Audit, ClaimResult, Criterion, Frozen, GraphEdge, WriteScope
from tasks_app.engine.trajectory import Step
from tasks_app.models import Group, Task, Trajectory
from webapp.common.rest import PublicIdField

NO_SOURCE = "Give either tasks or filter."


# Tasks


class FiguresSerializer(serializers.Serializer[Any]):
    rollouts = serializers.IntegerField()
    passes = serializers.IntegerField()
    mean_score = serializers.FloatField(allow_null=True)


class TaskSerializer(serializers.ModelSerializer[Task]):
    id = PublicIdField()
    status = WordField("TaskStatus", Task.Status)
    k = serializers.IntegerField(source="needed_count")
    length = serializers.IntegerField(source="walk_length")
    distractors = serializers.IntegerField(source="distractor_count")
    calls = serializers.IntegerField(source="call_count", help_text="Calls of the reference solution.")
    criteria = serializers.IntegerField(source="criterion_count")
    run = ReferenceField("job", source="run_id")
    url = serializers.CharField(source="get_absolute_url", help_text="The page for people.")

    class Meta:
        model = Task
        fields: ClassVar[tuple[str, ...]] = (
            "id",
            "task_hash",
            "instruction",
            "status",
            "status_reason",
            "k",
            "length",
            "distractors",
            "calls",
            "criteria",
            "tags",
            "lineage",
            "author",
            "seed",
            "simulated_share",
            "run",
            "created_at",
            "proved_at",
            "version",
            "url",
        )
        read_only_fields = fields


class TaskRowSerializer(TaskSerializer):
    figures = FiguresSerializer(source="*", help_text="Of its trajectories.")

    class Meta(TaskSerializer.Meta):
        fields: ClassVar[tuple[str, ...]] = (*TaskSerializer.Meta.fields, "figures")
        read_only_fields = fields


class MountedSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField(source="service.slug")
    title = serializers.CharField(source="service.title")
    role = WordField("ServiceRole", ("needed", "distractor"))
    version = serializers.IntegerField(source="service_version.number")


class TaskDetailSerializer(TaskSerializer):
    services = MountedSerializer(many=True, source="mounted", help_text="In mount order.")
    created_by = serializers.CharField(source="created_by.username", default=None, allow_null=True)

    class Meta(TaskSerializer.Meta):
        fields: ClassVar[tuple[str, ...]] = (*TaskSerializer.Meta.fields, "services", "created_by")
        read_only_fields = fields


class TaskEdge(GraphEdge):
    """One edge of the dependency graph, and what the proof says about it."""

    necessary: bool | None
    """Whether removing the carried value makes the task fail; null when it was not checked."""


class TaskGraph(Frozen):
    """The dependency graph: what each visit needs that only an earlier one shows."""

    walk: tuple[str, ...]
    nodes: tuple[GraphNode, ...]
    edges: tuple[TaskEdge, ...]


class TaskRubric(Frozen):
    """The checks, and the only places where the task may change state."""

    criteria: tuple[Criterion, ...]
    scope: tuple[WriteScope, ...]


class ReferenceSolution(Frozen):
    """The reference program over observations, and its final answer."""

    program: Program
    answer: str


class TaskProof(Frozen):
    """The claims of the proof as last checked."""

    passed: bool
    proved_at: datetime | None
    claims: tuple[ClaimResult, ...]
    audit: Audit | None
    """Leaks and short cuts; null for a task that was proven before there was an audit."""


class RetireSerializer(StrictSerializer):
    reason = serializers.CharField(max_length=2_000)


class RolloutSerializer(StrictSerializer):
    """Play tasks with a policy: these, or all verified ones that match a filter of the task list."""

    tasks = serializers.ListField(
        child=serializers.CharField(max_length=64), required=False, allow_empty=False, max_length=MAX_TASKS
    )
    filter = serializers.DictField(
        child=serializers.CharField(max_length=400), required=False, help_text="The parameters of `GET /tasks`."
    )
    policy = serializers.CharField(max_length=100, help_text="`reference`, `noop` …, or a model's name.")
    n = serializers.IntegerField(default=1, min_value=1, max_value=MAX_ROLLOUTS, help_text="Rollouts per task.")

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        if ("tasks" in data) == ("filter" in data):
            raise serializers.ValidationError(NO_SOURCE, "one_source")
        return data


# Trajectories


class TrajectorySerializer(serializers.ModelSerializer[Trajectory]):
    id = PublicIdField()
    task = ReferenceField("task", source="task_id")
    group = ReferenceField("grp", source="group_id")
    run = ReferenceField("job", source="run_id")
    status = WordField("TrajectoryStatus", Trajectory.Status)
    passed = serializers.BooleanField(allow_null=True, help_text="Null when the outcome could not be told.")
    url = serializers.CharField(source="get_absolute_url", help_text="The page for people.")

    class Meta:
        model = Trajectory
        fields: ClassVar[tuple[str, ...]] = (
            "id",
            "task",
            "group",
            "run",
            "index",
            "policy",
            "status",
            "passed",
            "score",
            "stop_reason",
            "step_count",
            "service_calls",
            "simulated_share",
            "prompt_tokens",
            "completion_tokens",
            "cost_usd",
            "duration_ms",
            "state_hash",
            "sanitised",
            "created_at",
            "url",
        )
        read_only_fields = fields


class CriterionResultSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    status = serializers.CharField()
    detail = serializers.CharField()


class VerdictSerializer(serializers.Serializer[Any]):
    passed = serializers.BooleanField(allow_null=True)
    score = serializers.FloatField()
    results = CriterionResultSerializer(many=True)
    collateral = serializers.ListField(child=serializers.DictField(), help_text="Changes outside the write scope.")


class TokenUsageSerializer(serializers.Serializer[Any]):
    prompt_tokens = serializers.IntegerField()
    completion_tokens = serializers.IntegerField()
    cost_usd = serializers.FloatField(allow_null=True)
    model_calls = serializers.IntegerField()


class TrajectoryDetailSerializer(TrajectorySerializer):
    seed = serializers.IntegerField()
    mode = WordField("AgentMode", ("meta", "direct"))
    answer = serializers.CharField()
    error = serializers.CharField()
    verdict = VerdictSerializer(allow_null=True)
    usage = TokenUsageSerializer()
    message_count = serializers.IntegerField()

    class Meta(TrajectorySerializer.Meta):
        fields: ClassVar[tuple[str, ...]] = (
            *TrajectorySerializer.Meta.fields,
            "seed",
            "mode",
            "answer",
            "error",
            "verdict",
            "usage",
            "message_count",
        )
        read_only_fields = fields


class NumberedPage(Frozen):
    """Where a page of numbered rows stands."""

    next: str | None
    """Send as `cursor`; null at the end."""
    prev: str | None
    limit: int


class StepPage(Frozen):
    """Steps in order."""

    data: tuple[Step, ...]
    page: NumberedPage


class ObjectPage(Frozen):
    """Chat messages or records in order."""

    data: tuple[dict[str, Any], ...]
    page: NumberedPage


# Groups


class GroupSerializer(serializers.ModelSerializer[Group]):
    id = PublicIdField()
    task = ReferenceField("task", source="task_id")
    run = ReferenceField("job", source="run_id")
    rollouts = serializers.IntegerField(help_text="Finished so far; `size` are wanted.")
    passes = serializers.IntegerField()

    class Meta:
        model = Group
        fields: ClassVar[tuple[str, ...]] = (
            "id",
            "task",
            "run",
            "policy",
            "size",
            "rollouts",
            "passes",
            "created_at",
        )
        read_only_fields = fields


class GroupCriterionSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    text = serializers.CharField()
    kind = serializers.CharField()


class GroupRolloutSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    index = serializers.IntegerField()
    status = WordField("TrajectoryStatus", Trajectory.Status)
    passed = serializers.BooleanField(allow_null=True)
    score = serializers.FloatField(allow_null=True)
    results = serializers.ListField(
        child=serializers.CharField(allow_null=True), help_text="Per criterion, in the order of `criteria`."
    )


class GroupDetailSerializer(GroupSerializer):
    criteria = GroupCriterionSerializer(many=True)
    results = GroupRolloutSerializer(many=True, help_text="One row per rollout, in the order of their index.")

    class Meta(GroupSerializer.Meta):
        fields: ClassVar[tuple[str, ...]] = (*GroupSerializer.Meta.fields, "criteria", "results")
        read_only_fields = fields
