"""Request id and origin, security headers, sign-in by default, the user's language, and errors in place."""

import re
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.crypto import get_random_string

from webapp.common import pages
from webapp.common.origin import Origin, origin
from webapp.common.run_errors import StateConflict

GetResponse = Callable[[HttpRequest], HttpResponseBase]
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")

CONTENT_SECURITY_POLICY = {
    "default-src": ["'self'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "connect-src": ["'self'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
}


class RequestIdMiddleware:
    """Gives each request an id, echoes it, and notes where mutations come from for the activity log."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("X-Request-Id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else f"req_{get_random_string(20)}"
        request.META["workbench.request_id"] = request_id
        with origin(Origin(source="browser", request_id=request_id)):
            response = self.get_response(request)
        response["X-Request-Id"] = request_id
        return response


class SecurityHeadersMiddleware:
    """A strict content policy on every response: nothing inline, no eval, no other host."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        policy: dict[str, Iterable[str]] = getattr(settings, "CONTENT_SECURITY_POLICY", CONTENT_SECURITY_POLICY)
        self.policy = "; ".join(f"{name} {' '.join(sources)}" for name, sources in policy.items())

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", self.policy)
        response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        return response


class SignInMiddleware(LoginRequiredMiddleware):
    """Every page needs a signed-in user unless its view says `login_not_required`."""

    def handle_no_permission(self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]) -> Any:
        answer = super().handle_no_permission(request, view_func)
        if not pages.is_htmx(request):
            return answer
        # The login page must not land inside a card: the whole page goes there and comes back.
        here = urlsplit(request.headers.get("HX-Current-URL", ""))
        back = f"{here.path or '/'}{'?' + here.query if here.query else ''}"
        response = HttpResponse(status=401)
        response["HX-Redirect"] = pages.login_url(back)
        patch_vary_headers(response, ["HX-Request"])
        return response


class UserLocaleMiddleware:
    """Speaks the signed-in user's language; before that, the browser's (LocaleMiddleware)."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return self.get_response(request)
        # Read now: a view may sign the user out, and one without authentication sees nobody.
        language = request.user.language
        request.LANGUAGE_CODE = language
        with translation.override(language):
            response = self.get_response(request)
        response.headers["Content-Language"] = language
        return response


class PageErrorMiddleware:
    """Turns the errors that any page may raise into a readable answer in place."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, StateConflict) and not request.path.startswith("/api/"):
            return pages.render_error(request, 409, str(exception))
        return None
