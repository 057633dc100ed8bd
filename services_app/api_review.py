"""REST: decisions over many tools, and the cases that curators keep."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics, serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from services_app import cases, decisions
from services_app.api_parts import AnyValueField, JsonBody, StrictSerializer, WordField, idempotency_key, invalid, read
from services_app.models import AdversarialCase, BulkDecision, Tool, ToolDecision
from services_app.serializers import ImpactSerializer
from webapp.common import ids
from webapp.common.api_view import ApiView
from webapp.common.idempotency import idempotent
from webapp.common.pages import signed_in
from webapp.common.rest import PublicIdField, Strict
from webapp.common.roles import Role, Scope

KINDS = ("approve", "quarantine", "simulate")


class BulkAskSerializer(StrictSerializer):
    kind = WordField("BulkKind", KINDS)
    tools = serializers.ListField(
        child=serializers.CharField(), required=False, max_length=1_000, help_text="Ids. Either these or `filter`."
    )
    filter = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="The query of `GET /tools`, such as `service`."
    )
    exclude = serializers.ListField(child=serializers.CharField(), default=list, max_length=1_000)
    reason_code = WordField("DecisionReason", ToolDecision.Reason, required=False)
    reason = serializers.CharField(default="", allow_blank=True, max_length=2_000)
    expected = serializers.IntegerField(
        required=False, min_value=0, help_text="The count of the preview: another count now is a conflict (409)."
    )
    preview = serializers.BooleanField(default=False, help_text="Only say what would happen.")


class BulkAnswerSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(allow_null=True, help_text="Null for a preview.")
    matched = serializers.IntegerField()
    count = serializers.IntegerField(help_text="Tools that change, or were changed.")
    sample = serializers.ListField(child=serializers.CharField(), help_text="Names of a few of them.")
    impact = ImpactSerializer(many=True)


class BulkUndoneSerializer(serializers.Serializer[Any]):
    restored = serializers.IntegerField()
    left = serializers.IntegerField(help_text="Tools about which somebody decided since; they stay as they are.")


class CaseSerializer(serializers.ModelSerializer[AdversarialCase]):
    id = PublicIdField()
    service = serializers.CharField(source="service.slug")
    arguments = AnyValueField()
    expected = serializers.DictField()
    by = serializers.CharField(source="by.username", default=None, allow_null=True)

    class Meta:
        model = AdversarialCase
        fields: ClassVar[tuple[str, ...]] = (
            "id", "service", "tool", "arguments", "expected", "note", "by", "created_at",
        )  # fmt: skip
        read_only_fields = fields


class CaseAskSerializer(StrictSerializer):
    arguments = AnyValueField(help_text="The call, valid or not.")
    outcome = WordField("CaseOutcome", cases.OUTCOMES)
    contains = AnyValueField(required=False, help_text="For `success`: what the result has to hold.")
    note = serializers.CharField(default="", allow_blank=True, max_length=2_000)


class ToolsDecide(ApiView):
    write_scope = Scope.REVIEW_WRITE
    write_roles = (Role.CURATOR,)
    parser_classes = (JsonBody,)

    @extend_schema(
        request=BulkAskSerializer,
        responses={201: BulkAnswerSerializer},
        parameters=[idempotency_key(required=False)],
        examples=[
            OpenApiExample(
                "Everything of one service",
                value={"kind": "quarantine", "filter": {"service": "desk"}, "reason_code": "schema_mismatch"},
                request_only=True,
            )
        ],
    )
    @idempotent()
    def post(self, request: Request) -> Response:
        """Decide about many tools as one decision with one undo; with `preview`, only say what it would do."""
        asked = read(BulkAskSerializer, request)
        if ("tools" in asked) == ("filter" in asked):
            raise invalid("/tools", "required", "Give either tools or filter.")
        selection = decisions.Selection(
            ids=_tools(asked.get("tools", []), "/tools"),
            query=asked.get("filter"),
            exclude=_tools(asked["exclude"], "/exclude"),
        )
        try:
            found = decisions.preview(selection, asked["kind"])
            bulk = None if asked["preview"] else _decide(request, selection, asked)
        except decisions.DecisionError as error:
            raise invalid("/reason", "refused", str(error)) from error
        answer = {
            "id": bulk.public_id if bulk else None,
            "matched": found.matched,
            "count": bulk.count if bulk else found.changing,
            "sample": [tool.exposed for tool in found.sample],
            "impact": found.impact,
        }
        return Response(BulkAnswerSerializer(answer).data, status=200 if bulk is None else 201)


def _decide(request: Request, selection: decisions.Selection, asked: dict[str, Any]) -> BulkDecision:
    return decisions.decide_many(
        selection=selection,
        kind=asked["kind"],
        by=signed_in(request),
        reason_code=asked.get("reason_code", ""),
        reason=asked["reason"],
        expected=asked.get("expected"),
    )


def _tools(texts: list[str], pointer: str) -> tuple[UUID, ...]:
    try:
        return tuple(ids.parse("tool", text) for text in texts)
    except ids.IdError as error:
        raise invalid(pointer, "invalid", str(error)) from error


class BulkUndo(ApiView):
    write_scope = Scope.REVIEW_WRITE
    write_roles = (Role.CURATOR,)
    parser_classes = (JsonBody,)

    @extend_schema(request=None, responses={201: BulkUndoneSerializer}, parameters=[idempotency_key(required=False)])
    @idempotent()
    def post(self, request: Request, pk: UUID) -> Response:
        """Take a decision over many tools back, with exactly what it made stale. 409 the second time."""
        bulk = get_object_or_404(BulkDecision, pk=pk)
        restored, left = decisions.undo_many(bulk=bulk, by=signed_in(request))
        return Response(BulkUndoneSerializer({"restored": restored, "left": left}).data, status=201)


class CaseList(Strict, generics.ListAPIView[AdversarialCase]):
    """Kept cases of a tool, oldest first."""

    write_scope = Scope.REVIEW_WRITE
    write_roles = (Role.CURATOR,)
    parser_classes = (JsonBody,)
    serializer_class = CaseSerializer
    queryset = AdversarialCase.objects.none()

    def get_queryset(self) -> Any:
        tool = get_object_or_404(Tool.objects.only("name", "service"), pk=self.kwargs["pk"])
        return AdversarialCase.objects.filter(service=tool.service_id, tool=tool.name).select_related("service", "by")

    @extend_schema(
        request=CaseAskSerializer, responses={201: CaseSerializer}, parameters=[idempotency_key(required=False)]
    )
    @idempotent()
    def post(self, request: Request, pk: UUID) -> Response:
        """Keep a call with what must come of it: every later verification of the service runs it."""
        asked = read(CaseAskSerializer, request)
        tool = get_object_or_404(Tool.objects.select_related("service"), pk=pk)
        try:
            case = cases.save(tool=tool, by=signed_in(request), **asked)
        except cases.CaseError as error:
            raise invalid("/arguments", "refused", str(error)) from error
        return Response(CaseSerializer(case).data, status=201)


class CaseDetail(ApiView):
    write_scope = Scope.REVIEW_WRITE
    write_roles = (Role.CURATOR,)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Later verifications run without it."""
        case = get_object_or_404(AdversarialCase.objects.select_related("service"), pk=pk)
        cases.remove(case=case, by=signed_in(request))
        return Response(status=204)
