"""Bodies of the REST API of rubrics, editions and re-grading."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from services_app.api_parts import ReferenceField, StrictSerializer, WordField
from tasks_app.engine.editing import MAX_CRITERIA, MAX_EXPRESSION
from tasks_app.engine.task import Criterion, Frozen
from tasks_app.models import RegradedRollout, Task
from tasks_app.regrading import MAX_TASKS
from tasks_app.serializers import TaskDetailSerializer
from webapp.common.job_api import JobSerializer
from webapp.common.models import Run
from webapp.common.rest import PublicIdField

KINDS = ("goal", "constraint", "answer", "judge")
STATUSES = ("pass", "fail", "unknown")


class CriterionSerializer(StrictSerializer):
    id = serializers.RegexField(r"^\w{1,40}$")
    text = serializers.CharField(max_length=500)
    kind = WordField("CriterionKind", KINDS, default="goal")
    expression = serializers.CharField(max_length=MAX_EXPRESSION)
    weight = serializers.FloatField(default=1.0, min_value=0.1, max_value=10)


class RubricSerializer(StrictSerializer):
    criteria: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=CriterionSerializer(), max_length=MAX_CRITERIA, allow_empty=False
    )

    @property
    def rubric(self) -> list[Criterion]:
        return [Criterion(**one) for one in self.validated_data["criteria"]]


class TrialSerializer(RubricSerializer):
    """A draft, and perhaps a stored rollout of this task to judge as well."""

    trajectory = serializers.CharField(required=False, max_length=64)


class RubricChangeSerializer(RubricSerializer):
    reason = serializers.CharField(max_length=2_000)


class ReasonSerializer(StrictSerializer):
    reason = serializers.CharField(max_length=2_000)


class TrialResult(Frozen):
    id: str
    status: str
    """pass, fail or unknown."""
    detail: str
    """Why it is unknown."""


class TrialVerdict(Frozen):
    """How a draft judges one end state."""

    passed: bool | None
    score: float
    results: tuple[TrialResult, ...]
    collateral: tuple[dict[str, Any], ...]


class CriterionFlip(Frozen):
    criterion: str
    old: str
    """"" for a rubric that has not got it."""
    new: str


class RolloutFlips(Frozen):
    """One stored rollout that is judged otherwise."""

    trajectory: str
    old_passed: bool | None
    passed: bool | None
    old_score: float | None
    score: float | None
    criteria: tuple[CriterionFlip, ...]
    why: str


class ScoreDifference(Frozen):
    """What a rubric does to a set of rollouts."""

    rollouts: int
    told: int
    """Rollouts with a score by both rubrics; the means are over them."""
    flipped: int
    unknown: int
    old_mean: float | None
    new_mean: float | None
    criteria: dict[str, dict[str, int]]
    """Criterion -> "fail to pass" -> rollouts."""


class TrialReport(Frozen):
    """How a draft judges; with `problems` it cannot be saved."""

    digest: str
    problems: dict[str, list[str]]
    """Criterion, or "" for the whole -> what is wrong."""
    doubts: tuple[str, ...]
    """What the proof will object to."""
    start: TrialVerdict | None
    goal: TrialVerdict | None
    chosen: TrialVerdict | None
    difference: ScoreDifference | None
    flips: tuple[RolloutFlips, ...]
    """At most 100 of them."""
    stored: int
    bound: str
    """"rollouts" or "seconds" when that bound left some stored rollouts out."""


class PathSuggestion(Frozen):
    text: str
    """Stands in the place of the `replaces` characters before the caret."""
    label: str
    detail: str
    replaces: int


class Suggestions(Frozen):
    data: tuple[PathSuggestion, ...]


class EditionSerializer(serializers.ModelSerializer[Task]):
    id = PublicIdField()
    status = WordField("TaskStatus", Task.Status)
    edited_from = ReferenceField("task", source="parent_id", help_text="The version whose rubric was edited.")
    created_by = serializers.CharField(source="created_by.username", default=None, allow_null=True)
    note = serializers.CharField(help_text="Why the rubric was changed.")

    class Meta:
        model = Task
        fields: ClassVar[tuple[str, ...]] = (
            "id", "edition", "status", "status_reason", "edited_from", "note", "created_by", "created_at", "proved_at",
        )  # fmt: skip
        read_only_fields = fields


class EditionsSerializer(serializers.Serializer[Any]):
    data = EditionSerializer(many=True, help_text="The first one first.")  # type: ignore[assignment] # a field


class EditionMadeSerializer(serializers.Serializer[Any]):
    task = TaskDetailSerializer()
    job = JobSerializer(help_text="The proof; when it holds, the new version is in use.")


class RegradingAskedSerializer(StrictSerializer):
    """Which rollouts are judged anew, by what change. No change at all judges by the rubrics as they are."""

    tasks = serializers.ListField(child=serializers.CharField(max_length=64), allow_empty=False, max_length=MAX_TASKS)
    criterion = serializers.RegexField(
        r"^\w{1,40}$", required=False, help_text="Criterion whose expression is replaced; without it one is added."
    )
    expression = serializers.CharField(required=False, max_length=MAX_EXPRESSION)
    policy = serializers.CharField(required=False, default="", max_length=120, help_text="Only its rollouts.")
    editions = serializers.BooleanField(default=False, help_text="Rollouts of other versions of the tasks as well.")

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        if "criterion" in data and "expression" not in data:
            raise serializers.ValidationError({"expression": "Give the expression of this criterion."}, "required")
        return data


class DifferenceSerializer(serializers.Serializer[Any]):
    rollouts = serializers.IntegerField()
    told = serializers.IntegerField(help_text="With a score by both rubrics; the means are over them.")
    flipped = serializers.IntegerField(help_text="Whose verdict on the whole is another one.")
    unknown = serializers.IntegerField()
    old_mean = serializers.FloatField(allow_null=True)
    new_mean = serializers.FloatField(allow_null=True)
    criteria = serializers.DictField(
        child=serializers.DictField(child=serializers.IntegerField()),
        help_text='Criterion -> "fail to pass" -> rollouts.',
    )


class RegradingSerializer(JobSerializer):
    difference = serializers.SerializerMethodField()
    refused = serializers.SerializerMethodField()

    class Meta(JobSerializer.Meta):
        fields: ClassVar[tuple[str, ...]] = (*JobSerializer.Meta.fields, "difference", "refused")
        read_only_fields = fields

    @extend_schema_field(DifferenceSerializer(allow_null=True))
    def get_difference(self, run: Run) -> dict[str, Any] | None:
        found: dict[str, Any] | None = run.result.get("difference")
        return found

    def get_refused(self, run: Run) -> dict[str, str]:
        """Tasks that were left out, with the reason."""
        found: dict[str, str] = run.result.get("refused", {})
        return found


class RegradedSerializer(serializers.ModelSerializer[RegradedRollout]):
    trajectory = ReferenceField("traj", source="trajectory_id")
    task = ReferenceField("task", source="trajectory.task_id")
    policy = serializers.CharField(source="trajectory.policy")
    flips = serializers.ListField(child=serializers.DictField(), help_text="Criteria: {criterion, old, new}.")

    class Meta:
        model = RegradedRollout
        fields: ClassVar[tuple[str, ...]] = (
            "trajectory", "task", "policy", "old_passed", "passed", "old_score", "score", "changed", "flips", "why",
        )  # fmt: skip
        read_only_fields = fields
