"""Errors of the REST API: one body for all (RFC 9457), one catalogue of codes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

CONTENT_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Problem:
    status: int
    title: Any  # str, translated when it is shown


CATALOGUE: Mapping[str, Problem] = {
    "bad-request": Problem(400, _("The request cannot be read")),
    "unsupported-filter": Problem(400, _("Unknown query parameter")),
    "authentication-required": Problem(401, _("Sign in or send a token")),
    "permission-denied": Problem(403, _("Not allowed")),
    "not-found": Problem(404, _("Not found")),
    "method-not-allowed": Problem(405, _("Method not allowed")),
    "not-acceptable": Problem(406, _("No such representation")),
    "state-conflict": Problem(409, _("Not possible in this state")),
    "idempotency-in-progress": Problem(409, _("The first request is still running")),
    "stale-version": Problem(412, _("Changed meanwhile")),
    "payload-too-large": Problem(413, _("Too large")),
    "unsupported-media-type": Problem(415, _("Unsupported media type")),
    "validation-failed": Problem(422, _("Some values are not valid")),
    "idempotency-key-reused": Problem(422, _("The key was used for another request")),
    "version-required": Problem(428, _("If-Match is required")),
    "quota-exceeded": Problem(429, _("Too many requests")),
    "internal-error": Problem(500, _("Something broke")),
    "worker-unavailable": Problem(503, _("Not available now")),
}

_OF_STATUS = {
    400: "bad-request",
    401: "authentication-required",
    403: "permission-denied",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    409: "state-conflict",
    413: "payload-too-large",
    415: "unsupported-media-type",
    422: "validation-failed",
    429: "quota-exceeded",
    503: "worker-unavailable",
}


class ApiProblem(exceptions.APIException):
    """Raise with a code of the catalogue; `extra` is added to the body."""

    def __init__(self, code: str, detail: str, *, errors: Sequence[Mapping[str, str]] = (), **extra: Any) -> None:
        super().__init__(detail, code)
        self.status_code = CATALOGUE[code].status
        self.problem_code = code
        self.errors = list(errors)
        self.extra = extra


def code_for(status: int) -> str:
    return _OF_STATUS.get(status, "bad-request" if status < 500 else "internal-error")


def body(
    request: HttpRequest | Request,
    code: str,
    detail: str,
    *,
    errors: Sequence[Mapping[str, str]] = (),
    **extra: Any,
) -> dict[str, Any]:
    problem = CATALOGUE[code]
    return {
        "type": f"/help/problems/#{code}",
        "title": str(problem.title),
        "status": problem.status,
        "detail": detail,
        "instance": request.path,
        "code": code,
        "request_id": request.META.get("workbench.request_id", ""),
        "errors": list(errors),
        **extra,
    }


def response(request: HttpRequest | Request, code: str, detail: str, **parts: Any) -> Response:
    return Response(body(request, code, detail, **parts), status=CATALOGUE[code].status, content_type=CONTENT_TYPE)


def plain_response(request: HttpRequest, code: str, detail: str) -> JsonResponse:
    """For errors outside a REST view: an unknown path, a crash."""
    return JsonResponse(body(request, code, detail), status=CATALOGUE[code].status, content_type=CONTENT_TYPE)


def pointers(detail: Any, path: str = "") -> list[dict[str, str]]:
    """Flatten a serializer's nested errors to JSON Pointers."""
    if isinstance(detail, Mapping):
        found = [
            pointers(item, path if key == "non_field_errors" else f"{path}/{_escape(key)}")
            for key, item in detail.items()
        ]
        return [error for part in found for error in part]
    if isinstance(detail, list):
        if all(isinstance(item, str) for item in detail):
            return [_error(item, path) for item in detail]
        found = [pointers(item, f"{path}/{number}") for number, item in enumerate(detail)]
        return [error for part in found for error in part]
    return [_error(detail, path)]


def _error(detail: Any, path: str) -> dict[str, str]:
    return {"pointer": path, "code": getattr(detail, "code", "") or "invalid", "detail": str(detail)}


def _escape(key: Any) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")
