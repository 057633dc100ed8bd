"""Experiments over REST: start one from a preset, read its plan and what came of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from training_app import selectors
from training_app.engine.config import PRESETS as TRAINERS
from training_app.engine.experiment import PRESETS, PlanError, Sizes
from training_app.experiments import starting
from training_app.experiments.world import SOURCES
from training_app.filters import ExperimentFilter
from training_app.launching import TINY
from training_app.models import Experiment
from training_app.training_api import JobKinds
from webapp.common import job_api
from webapp.common.api_view import ApiView
from webapp.common.idempotency import idempotent
from webapp.common.job_api import JobSerializer
from webapp.common.pages import signed_in
from webapp.common.problems import ApiProblem
from webapp.common.rest import PublicIdField


class ExperimentSerializer(serializers.ModelSerializer[Experiment]):
    id = PublicIdField()
    job = serializers.CharField(source="run.public_id", read_only=True)
    state = serializers.CharField(source="run.state", read_only=True)
    plan = serializers.DictField(read_only=True, help_text="Arms with data and budget, pairs, held-out tasks, seeds.")
    data = serializers.DictField(  # type: ignore[assignment] # a field, not the property
        read_only=True, help_text="Versions of the dataset: `held_out` and by arm."
    )
    results = serializers.DictField(
        read_only=True,
        allow_null=True,
        help_text="Arms, budgets, pairs with interval and test; null before the end.",
    )

    class Meta:
        model = Experiment
        fields = ("id", "job", "state", "preset", "plan", "data", "results", "created_at")
        read_only_fields = fields


def _number(name: str) -> serializers.IntegerField:
    field = Sizes.model_fields[name]
    bounds = {type(one).__name__: one for one in field.metadata}
    least = getattr(bounds.get("Ge"), "ge", None)
    return serializers.IntegerField(required=False, min_value=least, help_text=f"{field.description} {field.default}.")


class SizesSerializer(serializers.Serializer[Any]):
    tasks = _number("tasks")
    held_out = _number("held_out")
    steps = _number("steps")
    batch = _number("batch")
    grpo_steps = _number("grpo_steps")
    groups_per_step = _number("groups_per_step")
    group_size = _number("group_size")
    repeats = _number("repeats")
    seed = _number("seed")
    values = serializers.ListField(
        child=serializers.IntegerField(min_value=1), required=False, max_length=6,
        help_text=Sizes.model_fields["values"].description,
    )  # fmt: skip


class NewExperimentSerializer(serializers.Serializer[Any]):
    preset = serializers.ChoiceField(choices=[(name, name) for name in PRESETS])
    source = serializers.ChoiceField(  # type: ignore[assignment] # a field, not where its value comes from
        choices=[(name, name) for name in SOURCES], default="practice"
    )
    start = serializers.CharField(
        max_length=500, default=TINY, help_text="`tiny`, `model:<directory or hub name>` or `run:<trn_…>[@checkpoint]`."
    )
    trainer = serializers.ChoiceField(choices=[(name, name) for name in TRAINERS], default="cpu-proof")
    sizes = SizesSerializer(required=False, default=dict)


class ExperimentList(JobKinds, generics.ListAPIView[Experiment]):
    """Experiments, newest first."""

    serializer_class = ExperimentSerializer
    filterset_class = ExperimentFilter
    queryset = Experiment.objects.none()

    def get_queryset(self) -> QuerySet[Experiment]:
        return selectors.experiment_list()

    @extend_schema(request=NewExperimentSerializer, responses={202: JobSerializer})
    @idempotent(required=True)
    def post(self, request: Request) -> Response:
        """Start an experiment: its arms are trained, judged on the same held-out tasks and compared in pairs."""
        asked = NewExperimentSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            experiment = starting.start(**asked.validated_data, by=signed_in(request))
        except PlanError as error:
            errors = [{"pointer": "/sizes", "code": "invalid", "detail": str(error)}]
            raise ApiProblem("validation-failed", str(error), errors=errors) from error
        return job_api.started(experiment.run)


class ExperimentDetail(JobKinds, ApiView):
    @extend_schema(responses=ExperimentSerializer, operation_id="experiments_retrieve")
    def get(self, _request: Request, pk: UUID) -> Response:
        """One experiment with its plan and, at the end, its results."""
        return Response(ExperimentSerializer(get_object_or_404(selectors.experiment_list(), pk=pk)).data)
