"""What every page view uses: whole page or fragment, roles, errors in place, cursors.

A fragment is a partial inside the page's template. It is sent only when htmx asks for exactly that target, so
each URL opened directly, refreshed or reached with Back shows a whole page.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from http import HTTPStatus
from typing import Any, TypeVar, cast
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from webapp.common.models import User
from webapp.common.roles import Role

V = TypeVar("V", bound=Callable[..., HttpResponse])

_VARY = ("HX-Request", "HX-Target")


def is_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def wants_fragment(request: HttpRequest, name: str) -> bool:
    """Whether htmx will put the answer into the element `name`. A history restore wants the whole page."""
    restoring = request.headers.get("HX-History-Restore-Request") == "true"
    return is_htmx(request) and not restoring and request.headers.get("HX-Target") == name


def render_page(
    request: HttpRequest,
    template: str,
    context: dict[str, Any] | None = None,
    fragment: str | Sequence[str] | Mapping[str, str] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """Render `template`, or the partial `fragment` (one of several) inside it when HX-Target asks for it.

    A mapping gives the partial for each element id, where the two differ.
    """
    names = (fragment,) if isinstance(fragment, str) else fragment or ()
    target = next((name for name in names if wants_fragment(request, name)), None)
    wanted = fragment[target] if target and isinstance(fragment, Mapping) else target
    response = render(request, f"{template}#{wanted}" if wanted else template, context, status=status)
    patch_vary_headers(response, _VARY)
    if wanted:
        response["Cache-Control"] = "no-store"
    return response


def require_role(*roles: str) -> Callable[[V], V]:
    """Decorator: 403 unless the user holds one of the roles (admins hold all)."""

    def wrap(view: V) -> V:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            check_role(request, *roles)
            return view(request, *args, **kwargs)

        return cast(V, guarded)

    return wrap


def check_role(request: HttpRequest, *roles: str) -> User:
    """The signed-in user. Raises PermissionDenied, naming the missing role."""
    user = signed_in(request)
    if not user.has_role(*roles):
        raise PermissionDenied(missing_role(*roles))
    return user


def missing_role(*roles: str) -> str:
    names = " / ".join(str(Role(role).label) for role in roles)
    return _("This needs the role %(roles)s.") % {"roles": names}


def signed_in(request: HttpRequest) -> User:
    if not request.user.is_authenticated:
        raise PermissionDenied(_("Sign in first."))
    return request.user


def login_url(back: str) -> str:
    return f"{settings.LOGIN_URL}?{urlencode({'next': back})}"


_TITLES = {
    400: gettext_lazy("Bad request"),
    403: gettext_lazy("Not allowed"),
    404: gettext_lazy("Not found"),
    409: gettext_lazy("Not possible now"),
    412: gettext_lazy("Changed meanwhile"),
    500: gettext_lazy("Something broke"),
}


def render_error(request: HttpRequest, status: int, text: str) -> HttpResponse:
    """An error page, or for htmx a compact block that fits where the answer was to go."""
    context = {
        "status": status,
        "title": _TITLES.get(status) or HTTPStatus(status).phrase,
        "text": text,
        "request_id": request.META.get("workbench.request_id", ""),
    }
    if status >= 500:
        # The shell around a page asks the database, which may be what broke: this one stands alone.
        template = "components/error_block.html" if is_htmx(request) else "errors/plain.html"
        response = HttpResponse(render_to_string(template, context), status=status)
    else:
        template = "components/error_block.html" if is_htmx(request) else "errors/error.html"
        response = render(request, template, context, status=status)
    patch_vary_headers(response, _VARY)
    response["Cache-Control"] = "no-store"
    return response
