"""API tokens over REST."""

from datetime import timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from webapp.common import selectors, tokens
from webapp.common.api_view import ApiView
from webapp.common.models import ApiToken
from webapp.common.pages import signed_in
from webapp.common.rest import ApiProblem, PublicIdField, Strict
from webapp.common.roles import Scope


class TokenSerializer(serializers.ModelSerializer[ApiToken]):
    id = PublicIdField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))

    class Meta:
        model = ApiToken
        fields: ClassVar[tuple[str, ...]] = (
            "id",
            "name",
            "scopes",
            "created_at",
            "expires_at",
            "last_used_at",
            "revoked_at",
        )
        read_only_fields = fields


class NewTokenSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=80)
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices), allow_empty=False)
    days = serializers.IntegerField(min_value=1, max_value=366, default=tokens.DEFAULT_DAYS)


class CreatedTokenSerializer(TokenSerializer):
    secret = serializers.CharField(read_only=True, help_text="Shown this once and stored nowhere.")

    class Meta(TokenSerializer.Meta):
        fields: ClassVar[tuple[str, ...]] = (*TokenSerializer.Meta.fields, "secret")
        read_only_fields = fields


class OwnTokens(Strict):
    """Everybody manages their own tokens; a token needs the admin scope to make others."""

    read_scope = Scope.ADMIN
    write_scope = Scope.ADMIN
    write_roles: ClassVar[tuple[str, ...]] = ()


class TokenList(OwnTokens, generics.ListAPIView[ApiToken]):
    """The caller's tokens, newest first. Secrets are never listed."""

    serializer_class = TokenSerializer
    queryset = ApiToken.objects.none()

    def get_queryset(self) -> QuerySet[ApiToken]:
        return selectors.tokens_of(signed_in(self.request))

    @extend_schema(request=NewTokenSerializer, responses={201: CreatedTokenSerializer})
    def post(self, request: Request) -> Response:
        """A new token. Its secret is in this answer only."""
        asked = NewTokenSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        if isinstance(request.auth, ApiToken) and not set(data["scopes"]) <= set(request.auth.scopes):
            raise ApiProblem("permission-denied", "A token cannot make one that may do more than itself.")
        token, secret = tokens.create(
            user=signed_in(request),
            name=data["name"],
            scopes=data["scopes"],
            expires_at=timezone.now() + timedelta(days=data["days"]),
        )
        return Response(TokenSerializer(token).data | {"secret": secret}, status=201)


class TokenDetail(OwnTokens, ApiView):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Revoke the token. It stays in the list, marked."""
        user = signed_in(request)
        tokens.revoke(get_object_or_404(ApiToken, pk=pk, user=user), by=user)
        return Response(status=204)
