"""`Idempotency-Key`: a POST repeated with the same key and body gets the first reply, once executed."""

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from webapp.common.models import IdempotentReply
from webapp.common.problems import ApiProblem
from webapp.common.rest import caller

HEADER = "Idempotency-Key"
# No request lives longer: a reply still open after this belongs to a server that died.
ABANDONED = timedelta(minutes=2)
KEPT = timedelta(hours=24)

Method = Callable[..., Response]


def idempotent(*, required: bool = False) -> Callable[[Method], Method]:
    """Decorator for a view's `post`. With `required`, a request without the key is refused (422)."""

    def wrap(method: Method) -> Method:
        @wraps(method)
        def once(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
            key = request.headers.get(HEADER, "")
            if not key and required:
                error = {"pointer": "", "code": "required", "detail": f"{HEADER} is required."}
                raise ApiProblem("validation-failed", _("Send an Idempotency-Key header."), errors=[error])
            if not key:
                return method(view, request, *args, **kwargs)
            if len(key) > 255 or not key.isprintable():
                raise ApiProblem("validation-failed", _("The Idempotency-Key is not usable."))
            return _once(key, request, lambda: method(view, request, *args, **kwargs))

        once.idempotency = "required" if required else "optional"  # type: ignore[attr-defined] # read by openapi
        return once

    return wrap


def _once(key: str, request: Request, run: Callable[[], Response]) -> Response:
    place = {"caller": caller(request), "path": request.path[:400], "key": key}
    body_hash = _hash(request)
    reply = _reserve(place, body_hash)
    if reply is None:
        return _replay(IdempotentReply.objects.filter(**place).first(), body_hash)
    stored = False
    try:
        response = run()
        stored = _store(reply, response)
        return response
    finally:
        if not stored:  # the request failed: the same key may be tried again
            IdempotentReply.objects.filter(pk=reply.pk).delete()


def _reserve(place: dict[str, str], body_hash: str) -> IdempotentReply | None:
    now = timezone.now()
    old = IdempotentReply.objects.filter(**place)
    old.filter(created_at__lt=now - KEPT).delete()
    old.filter(status=None, created_at__lt=now - ABANDONED).delete()
    try:
        with transaction.atomic():
            return IdempotentReply.objects.create(**place, body_hash=body_hash, created_at=now)
    except IntegrityError:
        return None


def _replay(reply: IdempotentReply | None, body_hash: str) -> Response:
    if reply is not None and reply.body_hash != body_hash:
        raise ApiProblem("idempotency-key-reused", _("This key was sent with another body."))
    if reply is None or reply.status is None:
        raise ApiProblem("idempotency-in-progress", _("The first request with this key is still running."))
    return Response(reply.body, status=reply.status, headers={**reply.headers, "Idempotency-Replayed": "true"})


def _store(reply: IdempotentReply, response: Response) -> bool:
    if not 200 <= response.status_code < 300:
        return False
    body = json.loads(JSONRenderer().render(response.data)) if response.data is not None else None
    headers = {name: response[name] for name in ("Location", "ETag") if name in response}
    IdempotentReply.objects.filter(pk=reply.pk).update(status=response.status_code, body=body, headers=headers)
    return True


def _hash(request: Request) -> str:
    text = json.dumps(request.data, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
