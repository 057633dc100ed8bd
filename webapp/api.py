"""The API root: who am I, what is this, is it alive; schema and docs; and the routes of every app."""

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.urls import URLPattern, URLResolver, path, register_converter
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from kombu.exceptions import OperationalError
from rest_framework import serializers
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

import webapp.common.openapi  # noqa: F401 - importing it registers the bearer scheme
from webapp.common import cursors, ids, job_api, pages, run_kinds, token_api
from webapp.common.api_view import ApiView
from webapp.common.models import ApiToken
from webapp.common.problems import CATALOGUE
from webapp.common.roles import Role, Scope
from webapp.common.run_models import RunState

register_converter(ids.converter("job"), "job_id")
register_converter(ids.converter("tok"), "tok_id")
register_converter(ids.converter("usr"), "usr_id")


class MeSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    username = serializers.CharField()
    roles = serializers.ListField(child=serializers.ChoiceField(choices=Role.choices))
    scopes = serializers.ListField(child=serializers.CharField(), allow_null=True, help_text="Null for a session.")
    language = serializers.CharField()


class MetaSerializer(serializers.Serializer[Any]):
    version = serializers.CharField()
    enums = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))
    limits = serializers.DictField(child=serializers.IntegerField())


class HealthSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=("ok", "failing"))
    checks = serializers.DictField(child=serializers.CharField())


class Me(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses=MeSerializer)
    def get(self, request: Request) -> Response:
        """The caller: user, roles and, for a token, its scopes."""
        user = pages.signed_in(request)
        scopes = request.auth.scopes if isinstance(request.auth, ApiToken) else None
        me = {"id": user.public_id, "username": user.username, "roles": user.roles, "scopes": scopes}
        return Response(me | {"language": user.language})


class Meta(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses=MetaSerializer)
    def get(self, request: Request) -> Response:
        """Vocabularies, limits and version."""
        enums = {
            "role": Role.values,
            "scope": Scope.values,
            "job_state": RunState.values,
            "job_kind": run_kinds.names(),
            "problem_code": sorted(CATALOGUE),
        }
        limits = {"page": cursors.MAX_LIMIT, "body_bytes": settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0}
        return Response({"version": settings.SPECTACULAR_SETTINGS["VERSION"], "enums": enums, "limits": limits})


class HealthLive(ApiView):
    permission_classes = (AllowAny,)
    authentication_classes = ()

    @extend_schema(responses=HealthSerializer, auth=[])
    def get(self, request: Request) -> Response:
        """The process answers."""
        return Response({"status": "ok", "checks": {}})


class HealthReady(ApiView):
    permission_classes = (AllowAny,)
    authentication_classes = ()

    @extend_schema(responses={200: HealthSerializer, 503: HealthSerializer}, auth=[])
    def get(self, request: Request) -> Response:
        """Database and queue answer; 503 names the one that does not."""
        checks = {"database": _database(), "queue": _queue()}
        is_ready = all(word == "ok" for word in checks.values())
        status = {"status": "ok" if is_ready else "failing", "checks": checks}
        return Response(status, status=200 if is_ready else 503)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return type(error).__name__
    return "ok"


def _queue() -> str:
    from workers.celery_app import app

    try:
        with app.connection_for_write(connect_timeout=2) as queue:
            queue.ensure_connection(max_retries=1, timeout=2)
    except (OperationalError, OSError) as error:
        return type(error).__name__
    return "ok"


core: list[URLPattern | URLResolver] = [
    path("me", Me.as_view(), name="me"),
    path("meta", Meta.as_view(), name="meta"),
    path("health/live", HealthLive.as_view(), name="health-live"),
    path("health/ready", HealthReady.as_view(), name="health-ready"),
    path("jobs", job_api.JobList.as_view(), name="jobs"),
    path("jobs/<job_id:pk>", job_api.JobDetail.as_view(), name="job"),
    path("jobs/<job_id:pk>/events", job_api.JobEvents.as_view(), name="job-events"),
    path("jobs/<job_id:pk>/cancel", job_api.JobCancel.as_view(), name="job-cancel"),
    path("jobs/<job_id:pk>/resume", job_api.JobResume.as_view(), name="job-resume"),
    path("jobs/<job_id:pk>/retry", job_api.JobRetry.as_view(), name="job-retry"),
    path("jobs/<job_id:pk>/priority", job_api.JobPriority.as_view(), name="job-priority"),
    path("operations/<job_id:pk>", job_api.OperationDetail.as_view(), name="operation"),
    path("operations/<job_id:pk>/cancel", job_api.JobCancel.as_view(), name="operation-cancel"),
    path("activity", job_api.ActivityList.as_view(), name="activity"),
    path("tokens", token_api.TokenList.as_view(), name="tokens"),
    path("tokens/<tok_id:pk>", token_api.TokenDetail.as_view(), name="token"),
    path("schema/", login_not_required(SpectacularAPIView.as_view()), name="schema"),
]

docs = login_not_required(SpectacularSwaggerSplitView.as_view(url_name="api:schema", template_name="api/docs.html"))
