"""The activity log: every mutation is recorded here with who, what, before, after, why and from where."""

from typing import Any

from django.db.models import Model
from django.http import HttpRequest
from django.utils import timezone

from webapp.common import clean, origin
from webapp.common.models import Activity, User


def record(
    *,
    actor: User | None,
    verb: str,
    target: Model,
    before: Any = None,
    after: Any = None,
    reason: str = "",
    request: HttpRequest | None = None,
) -> Activity:
    """Write one entry. `verb` is a dotted, past-tense name such as `tool.quarantined`.

    `before` and `after` hold only the fields that changed. Source, token and request id come from the current
    origin; `request` may be given where none is set (a view called outside the middleware).
    """
    here = origin.current()
    return Activity.objects.create(
        at=timezone.now(),
        actor=actor,
        actor_name=actor.username if actor else "",
        token_id=here.token_id,
        source="browser" if request is not None and here == origin.Origin() else here.source,
        verb=verb,
        target_type=target._meta.model_name or "",
        target_id=str(getattr(target, "public_id", target.pk)),
        target_label=clean.line(str(target), 200),
        target_url=_url(target),
        before=clean.json_value(before),
        after=clean.json_value(after),
        reason=clean.text(reason, 4_000),
        request_id=here.request_id,
    )


def _url(target: Model) -> str:
    make = getattr(target, "get_absolute_url", None)
    return str(make())[:400] if make else ""
