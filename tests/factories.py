"""Small makers of rows for tests. They use the real actions where one exists."""

from datetime import timedelta
from itertools import count
from typing import Any

from django.utils import timezone

from webapp.common import tokens
from webapp.common.models import Run, User

_numbers = count(1)


def make_user(*roles: str, **fields: Any) -> User:
    number = next(_numbers)
    username = fields.pop("username", f"{roles[0] if roles else 'viewer'}-{number}")
    return User.objects.create_user(
        username, f"{username}@example.org", "correct horse 9 staple", roles=list(roles or ("viewer",)), **fields
    )


def make_token(user: User, *scopes: str, days: int = 90) -> str:
    """The secret text of a new token, as its owner sees it once."""
    _, secret = tokens.create(
        user=user, name="test", scopes=list(scopes), expires_at=timezone.now() + timedelta(days=days)
    )
    return secret


def make_run(**fields: Any) -> Run:
    """A run row in any legal state, without queueing anything."""
    now = timezone.now()
    state = fields.get("state", "queued")
    defaults: dict[str, Any] = {"kind": "test", "title": "A test job", "queue": "default", "created_at": now}
    if state == "queued":
        defaults["send_at"] = now + timedelta(minutes=5)
    else:
        defaults |= {"attempt": 1, "fence": 1, "max_attempts": 3, "started_at": now}
    if state in ("starting", "running", "cancelling"):
        defaults |= {"lease_until": now + timedelta(minutes=1), "heartbeat_at": now}
    if state in ("succeeded", "failed", "cancelled", "interrupted"):
        defaults["finished_at"] = now
    if state in ("failed", "interrupted"):
        defaults |= {"failure_kind": "test:broken", "failure_message": "It broke."}
    if state in ("cancelling", "cancelled"):
        defaults["cancel_mode"] = "keep"
    return Run.objects.create(**(defaults | fields))
