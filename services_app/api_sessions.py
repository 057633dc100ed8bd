"""REST: sessions of models, and their transcripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast, Coalesce, Length
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from services_app.api_parts import CURSOR, LIMIT, ReferenceField, WordField, numbered_page
from services_app.filters import SessionFilter
from services_app.models import ModelSession
from services_app.pipelines import sessions
from webapp.common.api_view import ApiView
from webapp.common.rest import PublicIdField, Strict

STATES = (*ModelSession.State.values, "interrupted")


class SessionSerializer(serializers.ModelSerializer[ModelSession]):
    id = PublicIdField()
    role = WordField("SessionRole", ModelSession.Role)
    state = serializers.SerializerMethodField()
    ended = serializers.SerializerMethodField(help_text="Why it ended, in words.")
    service = serializers.CharField(source="slug")
    specification = ReferenceField("spec", source="specification_id")
    run = ReferenceField("job", source="run_id")
    limits = serializers.DictField(help_text="Bounds it was given; null is unbounded.")
    cost_usd = serializers.SerializerMethodField(help_text="Null when the price of the model is not known.")

    class Meta:
        model = ModelSession
        fields: ClassVar[tuple[str, ...]] = (
            "id", "role", "state", "ended", "service", "specification", "run", "model", "limits", "turns",
            "input_tokens", "output_tokens", "cost_usd", "started_at", "finished_at",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(WordField("SessionState", STATES))
    def get_state(self, session: ModelSession) -> str:
        return sessions.state_of(session)

    def get_ended(self, session: ModelSession) -> str:
        return sessions.words_of(session)

    def get_cost_usd(self, session: ModelSession) -> float | None:
        return None if session.cost is None else float(session.cost)


class TurnSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="From 0.")
    message = serializers.DictField(help_text="OpenAI form: role, content, tool_calls or tool_call_id.")
    raw = serializers.DictField(allow_null=True, help_text="The reply as the provider sent it.")
    input_tokens = serializers.IntegerField()
    output_tokens = serializers.IntegerField()
    seconds = serializers.FloatField()
    note = serializers.CharField()
    at = serializers.DateTimeField()


class TurnPageSerializer(serializers.Serializer[Any]):
    data = TurnSerializer(many=True)  # type: ignore[assignment] # a field, not the attribute
    page = serializers.DictField()


def _rows() -> QuerySet[ModelSession]:
    return sessions.listed(ModelSession.objects.all())


class SessionList(Strict, generics.ListAPIView[ModelSession]):
    """Sessions of models at work on services and tasks, newest first."""

    serializer_class = SessionSerializer
    filterset_class = SessionFilter
    queryset = ModelSession.objects.none()

    def get_queryset(self) -> QuerySet[ModelSession]:
        return _rows()


class SessionDetail(ApiView):
    @extend_schema(responses=SessionSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """One session: state, why it ended, tokens, cost."""
        return Response(SessionSerializer(get_object_or_404(_rows(), pk=pk)).data)


class SessionTurns(ApiView):
    query = ("cursor", "limit")

    @extend_schema(responses=TurnPageSerializer, parameters=[CURSOR, LIMIT])
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        """The transcript, message by message, whole."""
        turns = get_object_or_404(_rows(), pk=pk).transcript.order_by("number")

        def sizes(first: int, count: int) -> Sequence[int]:
            found = turns.filter(number__gte=first, number__lt=first + count)
            bytes_of = Length(Cast("message", TextField())) + Coalesce(Length(Cast("raw", TextField())), 0)
            return list(found.annotate(size=bytes_of).values_list("size", flat=True))

        def rows(first: int, count: int) -> Iterable[Any]:
            return TurnSerializer(turns.filter(number__gte=first, number__lt=first + count), many=True).data

        return numbered_page(request, sizes, rows)
