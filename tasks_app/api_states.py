"""REST: tables of a task's first and last state, made when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar
from uuid import UUID

import orjson
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request

from services_app.api_parts import CURSOR, LIMIT, numbered_page
from services_app.engine.errors import EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from services_app.environments import mounting_of
from tasks_app.engine.program import ProgramError, run_program
from tasks_app.engine.task import TaskSpec
from tasks_app.models import Task
from tasks_app.serializers import ObjectPage
from webapp.common.api_view import ApiView
from webapp.common.rest import ApiProblem
from workers.sandbox.limits import SandboxError


@contextmanager
def _world(spec: TaskSpec) -> Iterator[Environment]:
    """The environment in s0. Raises 409 when it cannot be made as it was, 503 when the sandbox fails."""
    try:
        with mounting_of((service.slug for service in spec.services), show_hidden=True) as mounting:
            environment = spec.environment(mounting)
            try:
                _check_versions(spec, environment)
                yield environment
            finally:
                environment.close()
    except SandboxError as error:
        raise ApiProblem("worker-unavailable", f"{error.kind}: {error.message}") from error
    except (EngineError, ServiceDefect, ProgramError) as error:
        raise ApiProblem("state-conflict", str(error)) from error


def _check_versions(spec: TaskSpec, environment: Environment) -> None:
    mounted = environment.catalogue.services
    changed = [one.slug for one in spec.services if mounted[one.slug].version_hash != one.version_hash]
    if changed:
        words = _("The task was made for another version of %(services)s.") % {"services": ", ".join(changed)}
        raise ApiProblem("state-conflict", words)


def _records(spec: TaskSpec, service: str, table: str, *, at_goal: bool) -> list[dict[str, Any]]:
    with _world(spec) as environment:
        info = environment.catalogue.services.get(service)
        if info is None or table not in info.tables:
            raise NotFound(_("The task has no such table."))
        if at_goal:
            run_program(spec.reference, environment.call)
        return environment.rows(service, table)


class InitialTable(ApiView):
    query = ("cursor", "limit")
    at_goal: ClassVar[bool] = False

    @extend_schema(operation_id="tasks_initial_table_list", responses=ObjectPage, parameters=[CURSOR, LIMIT])
    def get(self, request: Request, pk: UUID, service: str, table: str) -> HttpResponse:
        """Records of one table in s0. 409 when a service has changed since the task was made."""
        spec = get_object_or_404(Task.objects.only("spec"), pk=pk).to_spec()
        records = _records(spec, service, table, at_goal=self.at_goal)
        return numbered_page(
            request,
            lambda first, count: [len(orjson.dumps(record)) for record in records[first : first + count]],
            lambda first, count: records[first : first + count],
        )


class GoalTable(InitialTable):
    at_goal = True

    @extend_schema(operation_id="tasks_goal_table_list", responses=ObjectPage, parameters=[CURSOR, LIMIT])
    def get(self, request: Request, pk: UUID, service: str, table: str) -> HttpResponse:
        """Records of one table after the reference solution, which is run for this answer."""
        return super().get(request, pk, service, table)
