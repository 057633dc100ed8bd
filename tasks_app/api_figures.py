"""REST: the figures of a set of tasks, and what the services that they stand on can feed each other."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.exceptions import NotFound
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from services_app.models import EffectProfile, Service
from tasks_app import varieties
from tasks_app.engine.flows import flow_of
from tasks_app.engine.profile import ServiceProfile
from tasks_app.engine.profile_text import service_text
from tasks_app.engine.task import Frozen
from tasks_app.filters import TaskFilter
from tasks_app.models import Task
from webapp.common.api_view import ApiView
from webapp.common.rest import Strict


class Likeness(Frozen):
    """Of each instruction with the one most like it: share of word trigrams, names and numbers masked."""

    mean: float | None
    largest: float


class PolicyFigures(Frozen):
    """What one policy made of the tasks."""

    policy: str
    n: int
    """Rollouts with a verdict."""
    tasks: int
    mean: float
    complete: float
    """Share of the rollouts that passed whole."""


class DiversityFigures(Frozen):
    """How varied and how hard a set of tasks is. Shares lie between 0 and 1; null over an empty set."""

    matching: int
    """Tasks that match the filter."""
    tasks: int
    """Tasks that were measured: the newest thousand at most."""
    service_sets: int
    shapes: int
    """Ways in which the carried values of a walk are shown, of which kinds they are, and where it comes back."""
    largest_shape_share: float | None
    skeletons: int
    """Instructions with names and numbers masked."""
    largest_skeleton_share: float | None
    likeness: Likeness
    near_duplicates: int
    """Instructions that share more than a third of their word trigrams with another one."""
    kinds: dict[str, int]
    ways: dict[str, int]
    tags: dict[str, int]
    frames: dict[str, int]
    needed: dict[str, int]
    lengths: dict[str, int]
    calls: dict[str, int]
    criteria: dict[str, int]
    domains: dict[str, int]
    services_used: int
    services: int
    tools_used: int
    tools: int
    tools_used_share: float | None
    unused_tools: tuple[str, ...]
    simulated_share: float | None
    policies: tuple[PolicyFigures, ...]


class TaskDiversity(Strict, generics.GenericAPIView[Task]):
    """How varied and how hard the tasks are that match a filter; `run` takes those of one generation."""

    filterset_class = TaskFilter
    pagination_class = None
    queryset = Task.objects.none()

    def get_queryset(self) -> QuerySet[Task]:
        return Task.objects.all()

    @extend_schema(filters=True, responses=DiversityFigures)
    def get(self, request: Request) -> Response:
        """Diversity and difficulty of the newest thousand tasks that match. The same filters as `GET /tasks`."""
        found: dict[str, Any] = varieties.figures(self.filter_queryset(self.get_queryset()))
        return Response(found)


class ServiceEffects(Frozen):
    """What the tools of a service were measured to do, at its current version."""

    service_version: str
    measured_at: datetime
    shows: tuple[str, ...]
    """Kinds of values that its reads show."""
    takes: tuple[str, ...]
    """Kinds of values that its calls take."""
    text: str
    """The profile in words, as context for a model."""
    profile: dict[str, Any]
    """All tools and columns of the service as they were measured; what each field means is in the words of `text`."""


class ServiceEffectProfile(ApiView):
    @extend_schema(responses=ServiceEffects)
    def get(self, request: Request, slug: str) -> Response:
        """Effect profiles of all tools of a service, and in words. 404 until they are measured."""
        service = get_object_or_404(Service.objects.select_related("current"), slug=slug)
        version_hash = service.current.version_hash if service.current else ""
        measured = EffectProfile.objects.filter(version_hash=version_hash).first()
        if measured is None:
            raise NotFound(_("The effects of this service were not measured yet; generating tasks measures them."))
        profile = ServiceProfile.model_validate(measured.profile)
        flow = flow_of(profile)
        return Response(
            {
                "service_version": measured.version_hash,
                "measured_at": measured.created_at,
                "shows": sorted(flow.gives),
                "takes": sorted(flow.takes),
                "text": service_text(profile),
                "profile": measured.profile,
            }
        )
