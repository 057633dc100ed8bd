"""REST: rubrics, what a draft of one decides, versions of a task, and re-grading runs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from services_app.api_parts import IF_MATCH, JsonBody, idempotency_key, invalid, read
from tasks_app import editions, regrading, rubric_trial, selectors
from tasks_app.editions import EditionConflict
from tasks_app.engine.completion import complete
from tasks_app.engine.editing import MAX_EXPRESSION
from tasks_app.engine.rubric import Verdict
from tasks_app.models import RegradedRollout, Task, Trajectory
from tasks_app.regrading import Change, RubricError
from tasks_app.rubric_serializers import (
    EditionMadeSerializer,
    EditionsSerializer,
    ReasonSerializer,
    RegradedSerializer,
    RegradingAskedSerializer,
    RegradingSerializer,
    RubricChangeSerializer,
    RubricSerializer,
    Suggestions,
    TrialReport,
    TrialSerializer,
)
from tasks_app.rubric_trial import Changed, Trial, TrialError
from tasks_app.rubric_views import EDITORS
from tasks_app.serializers import TaskDetailSerializer, TaskRubric
from webapp.common import ids
from webapp.common import selectors as runs
from webapp.common.api_view import ApiView
from webapp.common.idempotency import idempotent
from webapp.common.job_api import JobSerializer, started
from webapp.common.models import Run
from webapp.common.pages import signed_in
from webapp.common.rest import ApiProblem, Strict, check_if_match, versioned
from webapp.common.roles import Scope

CRITERION = {"id": "c1", "text": "An answer is given.", "kind": "answer", "expression": 'answer != ""', "weight": 1.0}


def _asked(body: type[RubricSerializer], request: Request) -> tuple[RubricSerializer, dict[str, Any]]:
    asked = body(data=request.data)
    asked.is_valid(raise_exception=True)
    return asked, asked.validated_data


def _tried(task: Task, asked: RubricSerializer, *, chosen: Trajectory | None = None) -> Trial:
    try:
        return rubric_trial.try_rubric(task, asked.rubric, chosen=chosen)
    except TrialError as error:
        raise ApiProblem("state-conflict", str(error), state=task.status) from error


class TaskRubricView(ApiView):
    write_scope = Scope.TASKS_WRITE
    write_roles = EDITORS
    parser_classes = (JsonBody,)

    @extend_schema(responses=TaskRubric)
    def get(self, request: Request, pk: UUID) -> Response:
        """The checks as CEL expressions, and where the task may change state."""
        spec = get_object_or_404(Task.objects.only("spec"), pk=pk).to_spec()
        body = TaskRubric(criteria=spec.rubric, scope=spec.scope)
        return Response(body.model_dump(mode="json"))

    @extend_schema(
        request=RubricChangeSerializer,
        responses={202: EditionMadeSerializer},
        parameters=[IF_MATCH, idempotency_key()],
        examples=[
            OpenApiExample("One criterion", value={"criteria": [CRITERION], "reason": "Too strict."}, request_only=True)
        ],
    )
    @idempotent(required=True)
    def post(self, request: Request, pk: UUID) -> Response:
        """Save a changed rubric as a new version of the task and prove it. This version stays as it is.

        422 names the criteria that cannot be used; 409 says which version was saved meanwhile.
        """
        asked, data = _asked(RubricChangeSerializer, request)
        task = get_object_or_404(Task, pk=pk)
        check_if_match(request, task)
        trial = _tried(task, asked)
        if trial.problems:
            raise _refused(trial)
        try:
            made, run = editions.save_edition(
                task=task, rubric=asked.rubric, reason=data["reason"], by=signed_in(request)
            )
        except EditionConflict as conflict:
            newest = conflict.newest.public_id if conflict.newest else None
            raise ApiProblem("state-conflict", str(conflict), state=conflict.state, newest=newest) from conflict
        body = {"task": selectors.task_detail().get(pk=made.pk), "job": run}
        return Response(EditionMadeSerializer(body).data, status=202)


def _refused(trial: Trial) -> ApiProblem:
    """422 with a pointer to each criterion that cannot be used."""
    places = {one.id: f"/criteria/{number}/expression" for number, one in enumerate(trial.rubric)}
    errors = [
        {"pointer": places.get(name, "/criteria"), "code": "unusable", "detail": words}
        for name, found in trial.problems.items()
        for words in found
    ]
    return ApiProblem("validation-failed", _("Some checks cannot be used; each says why."), errors=errors)


class RubricTrial(ApiView):
    write_scope = Scope.TASKS_WRITE
    write_roles = EDITORS
    parser_classes = (JsonBody,)

    @extend_schema(
        request=TrialSerializer,
        responses=TrialReport,
        examples=[OpenApiExample("One criterion", value={"criteria": [CRITERION]}, request_only=True)],
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """What a draft decides on s0, on g, on a rollout, and which stored verdicts it flips. Nothing is stored."""
        asked, data = _asked(TrialSerializer, request)
        task = get_object_or_404(Task, pk=pk)
        chosen = None
        if "trajectory" in data:
            key = ids.parse(Trajectory.prefix, data["trajectory"])
            chosen = regrading.rollouts_of(task, editions=True).defer("body").filter(pk=key).first()
            if chosen is None:
                raise invalid("/trajectory", "not_found", _("That is no rollout of this task."))
        return Response(_report(_tried(task, asked, chosen=chosen)))


def _report(trial: Trial) -> dict[str, Any]:
    return {
        "digest": trial.digest,
        "problems": trial.problems,
        "doubts": trial.ends.doubts() if trial.ends else [],
        "start": _verdict(trial.ends.start if trial.ends else None),
        "goal": _verdict(trial.ends.goal if trial.ends else None),
        "chosen": _verdict(trial.chosen),
        "difference": trial.difference.to_json() if trial.difference else None,
        "flips": [_flips(one) for one in trial.changed],
        "stored": trial.stored,
        "bound": trial.bound,
    }


def _verdict(verdict: Verdict | None) -> dict[str, Any] | None:
    return verdict.to_json() if verdict is not None else None


def _flips(one: Changed) -> dict[str, Any]:
    graded = one.graded
    return {
        "trajectory": one.trajectory.public_id, "old_passed": graded.old_passed, "passed": graded.passed,
        "old_score": graded.old_score, "score": graded.score, "criteria": [flip.to_json() for flip in graded.flips],
        "why": graded.why,
    }  # fmt: skip


class RubricCompletions(ApiView):
    query = ("expression", "caret")

    @extend_schema(
        responses=Suggestions,
        parameters=[
            OpenApiParameter("expression", str, description=f"At most {MAX_EXPRESSION} characters."),
            OpenApiParameter("caret", {"type": "integer", "minimum": 0}, description="Default: the end."),
        ],
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """How an expression can go on at the caret: paths of the state models, macros, functions, choices."""
        task = get_object_or_404(Task.objects.defer("spec"), pk=pk)
        expression = request.query_params.get("expression", "")[:MAX_EXPRESSION]
        caret = request.query_params.get("caret", "")
        place = int(caret) if caret.isascii() and caret.isdecimal() and len(caret) < 6 else len(expression)
        found = complete(expression, place, rubric_trial.names_of(task))
        return Response({"data": [asdict(one) for one in found]})


class TaskEditions(ApiView):
    @extend_schema(responses=EditionsSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """All versions of a task: who changed its rubric, when and why."""
        task = get_object_or_404(Task.objects.defer("spec"), pk=pk)
        rows = editions.editions_of(task).defer("spec").select_related("created_by")
        return Response(EditionsSerializer({"data": rows}).data)


class TaskUse(ApiView):
    write_scope = Scope.TASKS_WRITE
    write_roles = EDITORS
    parser_classes = (JsonBody,)

    @extend_schema(
        request=ReasonSerializer,
        responses=TaskDetailSerializer,
        parameters=[IF_MATCH, idempotency_key(required=False)],
        examples=[OpenApiExample("Undo", value={"reason": "The change was too strict."}, request_only=True)],
    )
    @idempotent()
    def post(self, request: Request, pk: UUID) -> Response:
        """Go back to this version: later ones are retired, earlier ones stale. 409 when it cannot be used."""
        reason = read(ReasonSerializer, request)["reason"]
        task = get_object_or_404(Task, pk=pk)
        check_if_match(request, task)
        editions.go_back(task=task, by=signed_in(request), reason=reason)
        task = selectors.task_detail().get(pk=pk)
        return versioned(request, task, TaskDetailSerializer(task).data)


class Regradings(Strict, generics.ListAPIView[Run]):
    """Re-grading runs, newest first."""

    write_scope = Scope.TASKS_WRITE
    write_roles = EDITORS
    parser_classes = (JsonBody,)
    serializer_class = JobSerializer
    queryset = Run.objects.none()

    def get_queryset(self) -> QuerySet[Run]:
        return runs.run_list().filter(kind=regrading.KIND)

    @extend_schema(
        request=RegradingAskedSerializer,
        responses={202: JobSerializer},
        parameters=[idempotency_key()],
        examples=[
            OpenApiExample(
                "Another check in the place of c1",
                value={"tasks": ["task_0198…"], "criterion": "c1", "expression": "calls.size() < 30"},
                request_only=True,
            )
        ],
    )
    @idempotent(required=True)
    def post(self, request: Request) -> Response:
        """Judge stored rollouts by a changed rubric, as a job. No stored verdict is changed."""
        asked = read(RegradingAskedSerializer, request)
        tasks = selectors.tasks_by_id(asked["tasks"])
        expression = asked.get("expression", "")
        change = Change({asked["criterion"]: expression}) if "criterion" in asked else Change({}, added=expression)
        try:
            run = regrading.start_regrading(
                tasks=tasks, change=change, policy=asked["policy"], editions=asked["editions"], by=signed_in(request)
            )
        except RubricError as error:
            raise invalid("/criterion" if "criterion" in asked else "/tasks", "unusable", str(error)) from error
        return started(run)


class RegradingDetail(ApiView):
    @extend_schema(responses=RegradingSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """One run with its score difference, once it has ended."""
        run = get_object_or_404(runs.run_detail(), pk=pk, kind=regrading.KIND)
        return versioned(request, run, RegradingSerializer(run).data)


class RegradedRollouts(Strict, generics.ListAPIView[RegradedRollout]):
    """Each rollout of a run by the old and the new rubric; `changed=true` for those that come out otherwise."""

    serializer_class = RegradedSerializer
    queryset = RegradedRollout.objects.none()
    query = ("changed",)

    @extend_schema(parameters=[OpenApiParameter("changed", bool)])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[RegradedRollout]:
        run = get_object_or_404(Run, pk=self.kwargs["pk"], kind=regrading.KIND)
        rows = regrading.rows_of(run)
        changed = self.request.query_params.get("changed")
        if changed not in (None, "true", "false"):
            raise ApiProblem("bad-request", _("changed is true or false."))
        return rows if changed is None else rows.filter(changed=changed == "true")
