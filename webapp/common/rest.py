"""What every REST view uses: problems, scopes and roles, strict parameters, versions.

A view of an app derives from `api_view.ApiView`, or mixes `Strict` into one of DRF's generic views. Nothing here may
import `rest_framework.views`, which itself imports the permission class from here.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import DataError, OperationalError
from django.db.models import Model
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from webapp.common import ids, pages, problems
from webapp.common.cursors import CursorError
from webapp.common.models import Activity, ApiToken, User
from webapp.common.pagination import CursorPages as CursorPagination
from webapp.common.problems import ApiProblem
from webapp.common.run_errors import StateConflict

if TYPE_CHECKING:
    from rest_framework.views import APIView

__all__ = [
    "ApiProblem",
    "CursorPagination",
    "HasScope",
    "PublicIdField",
    "Strict",
    "caller",
    "check_if_match",
    "etag",
    "problem_handler",
    "versioned",
]


class Versioned(Protocol):
    version: int


def problem_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's exception handler: every refusal becomes problem+json; a crash stays a crash (views.server_error)."""
    from rest_framework.views import set_rollback

    request: Request = context["request"]
    set_rollback()
    match error:
        case ApiProblem():
            parts = {"errors": error.errors, **error.extra}
            answer = problems.response(request, error.problem_code, str(error.detail), **parts)
        case exceptions.ValidationError():
            errors = problems.pointers(error.detail)
            answer = problems.response(request, "validation-failed", _("Some values are not valid."), errors=errors)
        case exceptions.APIException():
            answer = problems.response(request, problems.code_for(error.status_code), str(error.detail))
        case Http404():
            answer = problems.response(request, "not-found", _("There is nothing here."))
        case PermissionDenied():
            answer = problems.response(request, "permission-denied", str(error) or _("Not allowed."))
        case StateConflict():
            answer = problems.response(request, "state-conflict", str(error), state=error.state)
        case CursorError() | ids.IdError():
            answer = problems.response(request, "bad-request", str(error))
        case DataError():  # a value that fits its type and that PostgreSQL cannot hold, such as a day before year 1
            answer = problems.response(request, "bad-request", _("A value is out of the range that can be stored."))
        case RequestDataTooBig():
            answer = problems.response(request, "payload-too-large", _("The body is too large."))
        case OperationalError():
            answer = problems.response(request, "worker-unavailable", _("The database does not answer."))
        case _:
            return None
    _copy_headers(error, answer)
    return answer


def _copy_headers(error: Exception, answer: Response) -> None:
    if header := getattr(error, "auth_header", None):
        answer["WWW-Authenticate"] = header
    if (wait := getattr(error, "wait", None)) is not None:
        answer["Retry-After"] = str(int(wait) + 1)


class HasScope(BasePermission):
    """A token needs the view's scope, and its owner the view's role; a session needs the role only.

    Views say `read_scope`, `write_scope`, `read_roles`, `write_roles` (any one of the roles).
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        if not request.user or not request.user.is_authenticated:
            return False
        side = "read" if request.method in SAFE_METHODS else "write"
        scope: str | None = getattr(view, f"{side}_scope", None)
        roles: Sequence[str] = getattr(view, f"{side}_roles", ())
        token = request.auth if isinstance(request.auth, ApiToken) else None
        if token is not None and scope is not None and scope not in token.scopes:
            raise exceptions.PermissionDenied(_("This token lacks the scope %(scope)s.") % {"scope": scope})
        if roles and not request.user.has_role(*roles):
            raise exceptions.PermissionDenied(pages.missing_role(*roles))
        return True


class Strict:
    """Mixin: scopes, roles, and a 400 for every query parameter that the view does not know.

    `query` names parameters beside the ones of the paginator, of `sorts` and of the filter set.
    """

    read_scope: ClassVar[str | None] = "catalog:read"
    write_scope: ClassVar[str | None] = "admin"
    read_roles: ClassVar[Sequence[str]] = ()
    write_roles: ClassVar[Sequence[str]] = ("admin",)
    query: ClassVar[Sequence[str]] = ()
    sorts: ClassVar[Sequence[str]] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)  # type: ignore[misc] # the mixin stands before an APIView
        refuse_unknown(request.query_params, self.known_parameters())

    def known_parameters(self) -> set[str]:
        known = {*self.query, "lang"}
        if getattr(self, "is_list", True) and getattr(self, "paginator", None) is not None:
            known |= {"cursor", "limit", "count"}
        if self.sorts:
            known.add("sort")
        filters = getattr(self, "filterset_class", None)
        return known | set(filters.get_filters() if filters else ())


def refuse_unknown(given: Iterable[str], known: Iterable[str]) -> None:
    """Raises `unsupported-filter` with a suggestion for a parameter outside `known`."""
    names = sorted(known)
    for name in given:
        if name in names:
            continue
        near = get_close_matches(name, names, n=1)
        hint = _(" Did you mean '%(near)s'?") % {"near": near[0]} if near else ""
        detail = _("Unknown query parameter '%(name)s'.") % {"name": name[:80]} + hint
        raise ApiProblem("unsupported-filter", detail, parameter=name[:80], known=names)


def etag(version: int) -> str:
    return f'"v{version}"'


def versioned(request: Request, row: Versioned, data: Any, *, status: int = 200) -> Response:
    """The answer with its ETag; 304 when `If-None-Match` names the present version."""
    tag = etag(row.version)
    given = {part.strip().removeprefix("W/") for part in request.headers.get("If-None-Match", "").split(",")}
    if request.method in SAFE_METHODS and (tag in given or "*" in given):
        return Response(status=304, headers={"ETag": tag})
    return Response(data, status=status, headers={"ETag": tag})


def check_if_match(request: Request, row: Versioned) -> None:
    """Before a change: 428 without `If-Match`, 412 (who changed what, and when) when the version is another."""
    given = request.headers.get("If-Match", "").strip()
    if not given:
        raise ApiProblem("version-required", _("Send If-Match with the version you have seen."))
    if given in ("*", etag(row.version)):
        return
    raise ApiProblem("stale-version", _("Somebody changed this meanwhile."), current=_last_change(row))


def _last_change(row: Versioned) -> dict[str, Any]:
    target = cast(Model, row)
    last = Activity.objects.filter(
        target_type=target._meta.model_name, target_id=str(getattr(target, "public_id", target.pk))
    ).first()
    changed = sorted(last.after) if last and isinstance(last.after, dict) else []
    return {
        "version": row.version,
        "by": last.actor_name if last else None,
        "at": last.at if last else None,
        "changed": changed,
    }


def caller(request: Request) -> str:
    """Who sends: the token, or the user of the session."""
    if isinstance(request.auth, ApiToken):
        return request.auth.public_id
    return cast(User, request.user).public_id


class PublicIdField(serializers.CharField):
    """`id` as outside callers see it, such as `job_0198…`."""

    def __init__(self, **options: Any) -> None:
        options = {"source": "public_id", "read_only": True, **options}
        super().__init__(**options)
