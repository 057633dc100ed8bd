"""API tokens: `Authorization: Bearer cwk_<id>.<secret>`. Only a peppered hash of the secret is stored."""

import hashlib
import hmac
import secrets
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from webapp.common import activity, clean, ids, origin
from webapp.common.models import ApiToken, User

MARK = "cwk"
DEFAULT_DAYS = 90
# One write per minute and token is enough to say when it was last used.
_USED_STEP = timedelta(minutes=1)


def hash_secret(secret: str) -> str:
    pepper = getattr(settings, "WORKBENCH_TOKEN_PEPPER", "") or f"token pepper:{settings.SECRET_KEY}"
    return hmac.new(pepper.encode(), secret.encode(), hashlib.sha256).hexdigest()


@transaction.atomic
def create(*, user: User, name: str, scopes: list[str], expires_at: datetime) -> tuple[ApiToken, str]:
    """A new token and its text, which is not kept and cannot be shown again."""
    secret = secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=clean.line(name, 80),
        scopes=sorted(set(scopes)),
        secret_hash=hash_secret(secret),
        expires_at=expires_at,
    )
    after = {"name": token.name, "scopes": token.scopes, "expires_at": expires_at}
    activity.record(actor=user, verb="token.created", target=token, after=after)
    return token, f"{MARK}_{token.pk.hex}.{secret}"


@transaction.atomic
def revoke(token: ApiToken, *, by: User) -> None:
    """Make the token unusable; revoking twice changes nothing."""
    now = timezone.now()
    if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now):
        activity.record(actor=by, verb="token.revoked", target=token, after={"revoked_at": now})


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _space, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = _find(text.strip())
        _note_use(token)
        origin.set_token(token.pk)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="workbench"'


def _find(text: str) -> ApiToken:
    """The usable token written as `text`. Raises AuthenticationFailed, never saying which part was wrong."""
    public, _dot, secret = text.partition(".")
    refused = AuthenticationFailed(_("The token is not valid, has expired or was revoked."))
    try:
        token_id: UUID = ids.parse(MARK, public)
    except ids.IdError:
        raise refused from None
    token = ApiToken.objects.select_related("user").filter(pk=token_id).first()
    # Hash also when there is no such token, so that the time taken tells nothing.
    given = hash_secret(secret)
    known = token.secret_hash if token else hash_secret("")
    if not hmac.compare_digest(given, known) or token is None:
        raise refused
    if not token.is_usable(timezone.now()) or not token.user.is_active:
        raise refused
    return token


def _note_use(token: ApiToken) -> None:
    now = timezone.now()
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - _USED_STEP)
    ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
