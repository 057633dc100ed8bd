"""Groups of rollouts of a training run over REST."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from training_app import group_summaries, rollout_files, selectors
from training_app.run_files import training_directory
from training_app.training_api import JobKinds, whole
from webapp.common.api_view import ApiView


class RolloutGroupSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    task_hash = serializers.CharField()
    state = serializers.CharField(help_text="alive, all_solved, none_solved, truncated or skipped.")
    skipped = serializers.CharField(allow_blank=True, help_text="Why the whole group yields nothing.")
    rollouts = serializers.IntegerField()
    judged = serializers.IntegerField()
    solved = serializers.IntegerField(help_text="Rollouts that met every criterion.")
    score = serializers.FloatField(allow_null=True, help_text="Mean share of criteria met.")
    complete = serializers.FloatField(allow_null=True, help_text="Share of judged rollouts that met every criterion.")
    reward = serializers.FloatField(allow_null=True)
    pass_rates = serializers.DictField(child=serializers.FloatField())
    broken = serializers.ListField(child=serializers.CharField())
    near_misses = serializers.DictField(child=serializers.IntegerField())
    invalid = serializers.IntegerField(help_text="Rollouts left out: crashed, or with an unknown outcome.")
    truncated = serializers.IntegerField()


class RolloutGroupsSerializer(serializers.Serializer[Any]):
    data = RolloutGroupSerializer(many=True)  # type: ignore[assignment] # a field, not the property
    step = serializers.IntegerField(allow_null=True)
    steps = serializers.ListField(child=serializers.IntegerField(), help_text="All steps with stored rollouts.")


class TrainingGroups(JobKinds, ApiView):
    query = ("step",)

    @extend_schema(
        responses=RolloutGroupsSerializer,
        operation_id="training_runs_groups_retrieve",
        parameters=[OpenApiParameter("step", int, description="The newest step when absent.")],
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """The groups of one step, the worst first."""
        directory = training_directory(get_object_or_404(selectors.training_list(), pk=pk))
        steps = rollout_files.steps(directory)
        step = whole(request, "step", steps[-1] if steps else 0, 0, 2**31 - 1)
        found = group_summaries.worst_first(group_summaries.read(directory, step))
        return Response(
            {"data": RolloutGroupSerializer(found, many=True).data, "step": step if found else None, "steps": steps}
        )
