"""REST: compositions, tasks and every part of their artifact."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from itertools import zip_longest
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from services_app.api_parts import IF_MATCH, JsonBody, idempotency_key, invalid, read, stored_json
from services_app.models import Service
from services_app.pipelines.model_requests import AskedError
from tasks_app import actions, selectors
from tasks_app.composing import one_draw
from tasks_app.composition_serializers import CompositionPreview, CompositionSerializer, GenerateSerializer
from tasks_app.engine.sampling import Composition
from tasks_app.engine.task import Goal, InitialState, TaskSpec
from tasks_app.engine.walk import WalkError
from tasks_app.filters import TaskFilter
from tasks_app.model_writing import model_authoring
from tasks_app.models import Task
from tasks_app.pipelines import ready_services
from tasks_app.serializers import (
    ReferenceSolution,
    RetireSerializer,
    TaskDetailSerializer,
    TaskGraph,
    TaskProof,
    TaskRowSerializer,
)
from webapp.common.api_view import ApiView
from webapp.common.idempotency import idempotent
from webapp.common.job_api import JobSerializer, started
from webapp.common.pages import signed_in
from webapp.common.rest import ApiProblem, Strict, check_if_match, versioned
from webapp.common.roles import Role, Scope

ABLATION = 6  # number of the claim that edges are necessary
COMPOSITION_EXAMPLE = {"k": 3, "distractors": 2, "length_min": 5, "length_max": 7, "seed": 7}


class CompositionsPreview(ApiView):
    write_scope = Scope.CATALOG_READ  # nothing is written: POST because of its body
    write_roles = ()
    parser_classes = (JsonBody,)

    @extend_schema(
        request=CompositionSerializer,
        responses=CompositionPreview,
        examples=[OpenApiExample("K = 3", value=COMPOSITION_EXAMPLE, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        """One draw of services and walk, with its graph and the size of the space. Nothing is stored."""
        asked = read(CompositionSerializer, request)
        length = (asked["length_min"], asked["length_max"])
        wanted = {name: asked[name] for name in ("k", "distractors", "mode", "policy")}
        try:
            checked = actions.check_request(count=1, length=length, services=_pool(asked["services"]), **wanted)
            shown = one_draw(checked, asked["seed"])
        except WalkError as error:
            raise invalid("", "impossible", str(error)) from error
        return Response(
            _drawn(shown.composition, shown.feeds)
            | {
                "mode": checked.mode,
                "likelihood": shown.likelihood,
                "even_likelihood": shown.even,
                "unmeasured": shown.unmeasured,
                "simulated_share": shown.simulated_share,
                "counts": asdict(shown.odometer),
            }
        )


def _pool(chosen: list[str]) -> list[str]:
    """The services to draw from. Raises a problem that names one that is not ready."""
    ready = ready_services()
    for number, slug in enumerate(chosen):
        if slug not in ready:
            raise invalid(f"/services/{number}", "not_ready", _("%(slug)s is not ready.") % {"slug": slug})
    return chosen or ready


def _drawn(drawn: Composition, feeds: Sequence[Sequence[str]]) -> dict[str, Any]:
    titles = dict(Service.objects.filter(slug__in=drawn.mounted).values_list("slug", "title"))
    edges = [
        {
            "position": at,
            "source": drawn.walk[at],
            "target": drawn.walk[at + 1],
            "revisit": drawn.walk[at + 1] in drawn.walk[: at + 1],
            "kinds": kinds,
        }
        for at, kinds in enumerate(feeds)
    ]
    return {
        "seed": drawn.seed,
        "needed": drawn.needed,
        "distractors": drawn.distractors,
        "mounted": drawn.mounted,
        "walk": drawn.walk,
        "graph": {"nodes": _nodes(drawn.walk, drawn.distractors, titles), "edges": edges},
    }


def _nodes(walk: tuple[str, ...], distractors: tuple[str, ...], titles: dict[str, str]) -> list[dict[str, Any]]:
    needed = [
        {
            "slug": slug,
            "title": titles.get(slug, slug),
            "role": "needed",
            "visits": [number for number, visited in enumerate(walk, 1) if visited == slug],
        }
        for slug in dict.fromkeys(walk)
    ]
    beside = [
        {"slug": slug, "title": titles.get(slug, slug), "role": "distractor", "visits": []} for slug in distractors
    ]
    return needed + beside


class TasksGenerate(ApiView):
    write_scope = Scope.TASKS_WRITE
    write_roles = (Role.CURATOR, Role.TRAINER)
    parser_classes = (JsonBody,)

    @extend_schema(
        request=GenerateSerializer,
        responses={202: JobSerializer},
        parameters=[idempotency_key()],
        examples=[OpenApiExample("Twenty tasks", value={"count": 20, **COMPOSITION_EXAMPLE}, request_only=True)],
    )
    @idempotent(required=True)
    def post(self, request: Request) -> Response:
        """Author and prove tasks, as a job. Each is stored as soon as its proof holds."""
        asked = read(GenerateSerializer, request)
        _pool(asked["services"])
        length = asked.pop("length_min"), asked.pop("length_max")
        of_model: dict[str, Any] = {
            name: asked.pop(name) for name in ("model", "limits", "reply_tokens", "solver") if name in asked
        }
        try:
            by_model = model_authoring(
                asked["author"], of_model, rephrase=asked.pop("rephrase"), language=asked["language"]
            )
            run = actions.start_generation(**asked, length=length, by_model=by_model, by=signed_in(request))
            return started(run)
        except AskedError as error:
            raise invalid(f"/{error.field.replace('.', '/')}", "invalid", str(error)) from error
        except WalkError as error:
            raise invalid("", "impossible", str(error)) from error


class TaskList(Strict, generics.ListAPIView[Task]):
    """Tasks with the figures of their trajectories, newest first. The same filters as on the page."""

    serializer_class = TaskRowSerializer
    filterset_class = TaskFilter
    sorts = ("created_at", "needed_count", "walk_length", "call_count", "criterion_count")
    queryset = Task.objects.none()

    def get_queryset(self) -> QuerySet[Task]:
        return selectors.task_list()


class TaskDetail(ApiView):
    @extend_schema(responses=TaskDetailSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """One task with the services it mounts. Send its ETag as `If-Match` to retire it."""
        task = get_object_or_404(selectors.task_detail(), pk=pk)
        return versioned(request, task, TaskDetailSerializer(task).data)


class TaskArtifact(ApiView):
    @extend_schema(responses=TaskSpec)
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        """The whole artifact as it is stored; `task_hash` is the hash of its content."""
        return stored_json(get_object_or_404(Task.objects.only("spec"), pk=pk).spec)


def _artifact(pk: UUID) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(get_object_or_404(Task.objects.only("spec"), pk=pk).spec)
    return found


class TaskGraphView(ApiView):
    @extend_schema(responses=TaskGraph)
    def get(self, request: Request, pk: UUID) -> Response:
        """The dependency graph: services, carried values, and which of them the proof found necessary."""
        task = get_object_or_404(Task.objects.only("spec"), pk=pk)
        spec = json.loads(task.spec)
        walk = tuple(spec["graph"]["walk"])
        beside = tuple(service["slug"] for service in spec["services"] if service["role"] == "distractor")
        drawn = spec["graph"]["edges"]
        pairs = zip_longest(drawn, _necessity(spec["proof"])[: len(drawn)])
        edges = [edge | {"necessary": necessary} for edge, necessary in pairs]
        nodes = _nodes(walk, beside, selectors.mounted_titles(task))
        return Response({"walk": walk, "nodes": nodes, "edges": edges})


def _necessity(proof: dict[str, Any]) -> list[bool]:
    """What the ablation claim found, edge by edge; it stops at the first that is not necessary."""
    claims = (claim for claim in proof["claims"] if claim["number"] == ABLATION)
    return [bool(edge["necessary"]) for claim in claims for edge in claim["evidence"].get("edges", [])]


class TaskReference(ApiView):
    @extend_schema(responses=ReferenceSolution)
    def get(self, request: Request, pk: UUID) -> Response:
        """The reference solution as a program over observations."""
        spec = _artifact(pk)
        return Response({"program": spec["reference"], "answer": spec["answer"]})


class TaskInitialState(ApiView):
    @extend_schema(responses=InitialState)
    def get(self, request: Request, pk: UUID) -> Response:
        """How s0 is made: seed, scale, clock and planted records. Single tables are below this address."""
        return Response(_artifact(pk)["initial"])


class TaskGoalState(ApiView):
    @extend_schema(responses=Goal)
    def get(self, request: Request, pk: UUID) -> Response:
        """The goal: hash of the end state and its changed part. Single tables are below this address."""
        return Response(_artifact(pk)["goal"])


class TaskProofView(ApiView):
    @extend_schema(responses=TaskProof)
    def get(self, request: Request, pk: UUID) -> Response:
        """The claims of the proof with their evidence, and the audit for leaks and short cuts."""
        task = get_object_or_404(Task.objects.only("spec", "proved_at"), pk=pk)
        proof = json.loads(task.spec)["proof"]
        passed = bool(proof["claims"]) and all(claim["passed"] for claim in proof["claims"])
        answer = {"passed": passed, "proved_at": task.proved_at, "claims": proof["claims"], "audit": proof.get("audit")}
        return Response(answer)


class TaskVerify(ApiView):
    write_scope = Scope.TASKS_WRITE
    write_roles = (Role.CURATOR, Role.TRAINER, Role.ANNOTATOR)
    parser_classes = (JsonBody,)

    @extend_schema(request=None, responses={202: JobSerializer}, parameters=[idempotency_key()])
    @idempotent(required=True)
    def post(self, request: Request, pk: UUID) -> Response:
        """Run the proof again on the services as they are now, as a job."""
        task = get_object_or_404(Task.objects.defer("spec"), pk=pk)
        return started(actions.start_proof(tasks=[task], by=signed_in(request)))


class TaskRetire(ApiView):
    write_scope = Scope.REVIEW_WRITE
    write_roles = (Role.CURATOR,)
    parser_classes = (JsonBody,)

    @extend_schema(
        request=RetireSerializer,
        responses=TaskDetailSerializer,
        parameters=[IF_MATCH, idempotency_key(required=False)],
        examples=[OpenApiExample("Too easy", value={"reason": "Every policy passes."}, request_only=True)],
    )
    @idempotent()
    def post(self, request: Request, pk: UUID) -> Response:
        """Take the task out of use; it stays readable, with its trajectories."""
        reason = read(RetireSerializer, request)["reason"]
        with transaction.atomic():
            task = get_object_or_404(Task.objects.select_for_update(), pk=pk)
            check_if_match(request, task)
            if task.status == Task.Status.RETIRED:
                raise ApiProblem("state-conflict", _("The task is retired already."), state=task.status)
            actions.retire(task=task, by=signed_in(request), reason=reason)
        task = selectors.task_detail().get(pk=pk)
        return versioned(request, task, TaskDetailSerializer(task).data)
