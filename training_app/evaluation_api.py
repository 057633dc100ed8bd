"""Evaluations over REST: what a checkpoint or policy can do on a frozen split, and two of them paired by task."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from training_app import actions, evaluating, selectors
from training_app.filters import EvaluationFilter
from training_app.launching import LaunchError
from training_app.models import DatasetMember, Evaluation
from training_app.training_api import JobKinds, find_training, find_version, refused
from webapp.common import job_api
from webapp.common.api_view import ApiView
from webapp.common.idempotency import idempotent
from webapp.common.job_api import JobSerializer
from webapp.common.pages import signed_in
from webapp.common.problems import ApiProblem
from webapp.common.rest import PublicIdField


class EvaluationSerializer(serializers.ModelSerializer[Evaluation]):
    id = PublicIdField()
    job = serializers.CharField(source="run.public_id", read_only=True)
    state = serializers.CharField(source="run.state", read_only=True)
    dataset = serializers.CharField(source="dataset_version.dataset.slug", read_only=True)
    version = serializers.IntegerField(source="dataset_version.number", read_only=True)
    training_run = serializers.CharField(source="training_run.public_id", read_only=True, default=None, allow_null=True)
    results = serializers.DictField(read_only=True, allow_null=True)

    class Meta:
        model = Evaluation
        fields = (
            "id", "job", "state", "subject", "training_run", "checkpoint", "dataset", "version", "split", "mode",
            "rollouts_per_task", "temperature", "seed", "seen_tasks", "results", "created_at",
        )  # fmt: skip
        read_only_fields = fields


class NewEvaluationSerializer(serializers.Serializer[Any]):
    dataset = serializers.SlugField(max_length=60)
    version = serializers.IntegerField(min_value=1, required=False, allow_null=True, default=None)
    split = serializers.ChoiceField(choices=DatasetMember.Split.choices, default="test")
    training_run = serializers.CharField(required=False, default="", help_text="`trn_…`; or else give `policy`.")
    checkpoint = serializers.CharField(required=False, default="", allow_blank=True)
    policy = serializers.CharField(
        required=False, default="", help_text="reference, noop, readonly, faulty, cheater, a model."
    )
    attempts = serializers.IntegerField(min_value=1, max_value=actions.MAX_ATTEMPTS, default=1)
    temperature = serializers.FloatField(min_value=0, max_value=2, default=0.0)
    seed = serializers.IntegerField(min_value=0, max_value=2**31, default=0)


class ComparisonSerializer(serializers.Serializer[Any]):
    """Differences are second minus first, over the tasks that both have outcomes of."""

    first = serializers.CharField()
    second = serializers.CharField()
    tasks = serializers.IntegerField()
    only_first = serializers.IntegerField(help_text="Tasks with an outcome in the first only.")
    only_second = serializers.IntegerField()
    unknown_first = serializers.IntegerField(help_text="Attempts without an outcome; they enter no figure.")
    unknown_second = serializers.IntegerField()
    success_rate = serializers.DictField(
        help_text="Both rates with intervals; `difference`, `low`, `high` (bootstrap over tasks), `p_value`, `test`."
    )
    score = serializers.DictField()
    table = serializers.DictField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="both, gained, lost, neither; null with several attempts.",
    )
    criteria = serializers.DictField(child=serializers.DictField())
    breakdowns = serializers.DictField(child=serializers.DictField())
    gained = serializers.ListField(child=serializers.CharField(), help_text="Tasks.")
    lost = serializers.ListField(child=serializers.CharField())
    seed = serializers.IntegerField(help_text="Of the bootstrap and of the permutations.")


class EvaluationList(JobKinds, generics.ListAPIView[Evaluation]):
    """Evaluations, newest first."""

    serializer_class = EvaluationSerializer
    filterset_class = EvaluationFilter
    queryset = Evaluation.objects.none()

    def get_queryset(self) -> QuerySet[Evaluation]:
        return selectors.evaluation_list()

    @extend_schema(request=NewEvaluationSerializer, responses={202: JobSerializer})
    @idempotent(required=True)
    def post(self, request: Request) -> Response:
        """Judge a checkpoint or a policy on a frozen split."""
        asked = NewEvaluationSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        data = dict(asked.validated_data)
        try:
            version = find_version(data)
            training = find_training(data.pop("training_run"))
            wanted = {name: value for name, value in data.items() if name not in ("dataset", "version")}
            evaluation = actions.evaluate(version=version, training=training, **wanted, by=signed_in(request))
        except LaunchError as error:
            raise refused(error) from error
        return job_api.started(evaluation.run)


class EvaluationDetail(JobKinds, ApiView):
    @extend_schema(responses=EvaluationSerializer, operation_id="evaluations_retrieve")
    def get(self, _request: Request, pk: UUID) -> Response:
        """One evaluation with its figures."""
        return Response(EvaluationSerializer(get_object_or_404(selectors.evaluation_list(), pk=pk)).data)


class EvaluationComparison(JobKinds, ApiView):
    query = ("first", "second")

    @extend_schema(
        responses=ComparisonSerializer,
        operation_id="evaluations_compare_retrieve",
        parameters=[
            OpenApiParameter("first", str, required=True, description="`eval_…`, with figures."),
            OpenApiParameter("second", str, required=True, description="`eval_…`, with figures."),
        ],
    )
    def get(self, request: Request) -> Response:
        """Two evaluations paired by task, with intervals and a test."""
        first, second = (_judged(request, name) for name in self.query)
        try:
            found = evaluating.compare_evaluations(first, second)
        except ValueError as error:
            raise ApiProblem("bad-request", f"{error}.", parameter="second") from error
        return Response({"first": first.public_id, "second": second.public_id, **found})


def _judged(request: Request, name: str) -> Evaluation:
    found = selectors.judged_named(request.query_params.get(name, ""))
    if found is None:
        raise ApiProblem("bad-request", f"{name} is the id of an evaluation that has figures.", parameter=name)
    return found
