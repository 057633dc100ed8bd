"""REST: tools, their evidence, what agents see, decisions, and calls by hand."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import orjson
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics
from rest_framework.exceptions import NotFound
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from services_app import decisions, dependants, selectors
from services_app.api_parts import IF_MATCH, JsonBody, idempotency_key, invalid, json_with_parts, read, stored_json
from services_app.effects import effects_of
from services_app.environments import AVAILABLE
from services_app.filters import ToolFilter
from services_app.models import Tool, ToolDecision
from services_app.serializers import (
    AgentViewSerializer,
    DecideSerializer,
    DecisionSerializer,
    DependantsSerializer,
    EffectProfileSerializer,
    ToolDetailSerializer,
    ToolSerializer,
    TrialSerializer,
    TrySerializer,
    ValidationsSerializer,
)
from services_app.trying import try_tool
from webapp.common import clean
from webapp.common.api_view import ApiView
from webapp.common.idempotency import idempotent
from webapp.common.pages import signed_in
from webapp.common.rest import Strict, check_if_match, etag, versioned
from webapp.common.roles import Role, Scope


class ToolList(Strict, generics.ListAPIView[Tool]):
    """Tools of all services, in the order of their names. Filter by `service`, `status`, `q`."""

    serializer_class = ToolSerializer
    filterset_class = ToolFilter
    sorts = ("exposed", "name", "status", "position", "updated_at")
    order = ("exposed",)
    queryset = Tool.objects.none()

    def get_queryset(self) -> QuerySet[Tool]:
        return selectors.tools_for_api().defer("description", "schema_text", "evidence")


class ToolDetail(ApiView):
    @extend_schema(responses=ToolDetailSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """One tool. Send its ETag as `If-Match` with a decision."""
        tool = get_object_or_404(selectors.tools_for_api().defer("evidence"), pk=pk)
        return versioned(request, tool, ToolDetailSerializer(tool).data)


class ToolSchema(ApiView):
    @extend_schema(responses={200: dict[str, Any]})
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        """JSON Schema of the arguments, with the order of its properties."""
        return stored_json(get_object_or_404(Tool.objects.only("schema_text"), pk=pk).schema_text)


class AgentView(ApiView):
    @extend_schema(responses=AgentViewSerializer)
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        """What agents read about the tool: its line in `list_tools` and the answer of `describe_tool`."""
        tool = get_object_or_404(selectors.tools_for_api().defer("evidence"), pk=pk)
        description = {
            "name": tool.exposed,
            "service": tool.service.slug,
            "original_name": tool.name,
            "description": tool.description,
            "input_schema": orjson.Fragment(tool.schema_text),
        }
        output = selectors.output_schema(tool)
        return json_with_parts(
            {
                "visible": tool.status in AVAILABLE,
                "listing": {"name": tool.exposed, "description": tool.summary},
                "description": description if output is None else description | {"output_schema": output},
            }
        )


class ToolValidations(ApiView):
    @extend_schema(responses=ValidationsSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """The evidence of the last verification, failing checks first."""
        tool = get_object_or_404(selectors.tools_for_api().select_related("service__current"), pk=pk)
        current, evidence = tool.service.current, tool.evidence
        counts = evidence.get("counts", {})
        found = {
            "status": tool.status,
            "gate_status": tool.gate_status,
            "reason": tool.reason,
            "service_version": current.version_hash if current else None,
            "counts": {
                "passed": counts.get("pass", 0),
                "failed": counts.get("fail", 0),
                "untold": counts.get("untold", 0),
            },
            "checks": evidence.get("checks", []),
            "live": evidence.get("live", []),
            "dead": evidence.get("dead", []),
        }
        return Response(ValidationsSerializer(found).data)


class ToolImpact(ApiView):
    @extend_schema(responses=DependantsSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """What a quarantine of this tool would make stale."""
        tool = get_object_or_404(Tool.objects.only("pk"), pk=pk)
        return Response(DependantsSerializer({"impact": dependants.impact([tool.pk])}).data)


class ToolEffectProfile(ApiView):
    @extend_schema(responses=EffectProfileSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """What the tool was measured to do: what it selects, returns, creates and changes. 404 until it is measured."""
        tool = get_object_or_404(Tool.objects.only("name", "service"), pk=pk)
        found = effects_of(tool)
        if found is None:
            raise NotFound(_("The effects of this tool were not measured yet; generating tasks measures them."))
        return Response(EffectProfileSerializer(found).data)


class ToolTry(ApiView):
    write_scope = Scope.SANDBOX_USE
    write_roles = ()
    parser_classes = (JsonBody,)

    @extend_schema(
        request=TrySerializer,
        responses=TrialSerializer,
        examples=[OpenApiExample("A call", value={"arguments": {"limit": 3}, "seed": 7}, request_only=True)],
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Call the tool once on freshly seeded state. Nothing is stored; a refusal by the tool answers 200."""
        tool = get_object_or_404(selectors.tools_for_api(), pk=pk)
        asked = read(TrySerializer, request)
        trial = try_tool(tool, asked["arguments"], seed=asked["seed"])
        return Response(clean.json_value(TrialSerializer(trial).data))


class DecisionList(Strict, generics.ListAPIView[ToolDecision]):
    """Decisions about a tool, newest first."""

    write_scope = Scope.REVIEW_WRITE
    write_roles = (Role.CURATOR,)
    parser_classes = (JsonBody,)
    serializer_class = DecisionSerializer
    queryset = ToolDecision.objects.none()

    def get_queryset(self) -> QuerySet[ToolDecision]:
        tool = get_object_or_404(Tool.objects.only("pk"), pk=self.kwargs["pk"])
        return tool.decisions.select_related("by")

    @extend_schema(
        request=DecideSerializer,
        responses={201: DecisionSerializer},
        parameters=[IF_MATCH, idempotency_key(required=False)],
        examples=[
            OpenApiExample(
                "Quarantine",
                value={"kind": "quarantine", "reason_code": "not_deterministic", "reason": "Two ids for one call."},
                request_only=True,
            )
        ],
    )
    @idempotent()
    def post(self, request: Request, pk: UUID) -> Response:
        """Approve or quarantine the tool. Tasks that use a quarantined tool become stale; undo restores them."""
        asked = read(DecideSerializer, request)
        with transaction.atomic():
            tool = get_object_or_404(Tool.objects.select_for_update(), pk=pk)
            check_if_match(request, tool)
            decision = _decide(tool, asked, request)
        return Response(DecisionSerializer(decision).data, status=201, headers={"ETag": etag(tool.version + 1)})


def _decide(tool: Tool, asked: dict[str, Any], request: Request) -> ToolDecision:
    try:
        return decisions.decide(
            tool=tool,
            kind=asked["kind"],
            by=signed_in(request),
            reason_code=asked.get("reason_code", ""),
            reason=asked["reason"],
        )
    except decisions.DecisionError as error:
        reason_given = asked.get("reason_code") or asked["kind"] == "approve"
        missing = "kind" if asked["kind"] == "simulate" else "reason" if reason_given else "reason_code"
        raise invalid(f"/{missing}", "required", str(error)) from error


class DecisionUndo(ApiView):
    write_scope = Scope.REVIEW_WRITE
    write_roles = (Role.CURATOR,)
    parser_classes = (JsonBody,)

    @extend_schema(request=None, responses={201: DecisionSerializer}, parameters=[idempotency_key(required=False)])
    @idempotent()
    def post(self, request: Request, pk: UUID) -> Response:
        """Take the latest decision about a tool back, with what it made stale. 409 when it is not the latest."""
        decision = get_object_or_404(ToolDecision, pk=pk)
        return Response(DecisionSerializer(decisions.undo(decision=decision, by=signed_in(request))).data, status=201)
