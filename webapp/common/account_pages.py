"""Pages about oneself: profile, appearance, tokens."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from webapp.common import activity, selectors, tokens
from webapp.common.forms import AppearanceForm, ProfileForm, TokenForm
from webapp.common.models import ApiToken, User
from webapp.common.pages import render_page, signed_in

PAGE_METHODS = ["GET", "HEAD", "POST"]


@require_http_methods(PAGE_METHODS)
def profile(request: HttpRequest) -> HttpResponse:
    return _edit(request, ProfileForm, "profile", _("Profile"))


@require_http_methods(PAGE_METHODS)
def appearance(request: HttpRequest) -> HttpResponse:
    response = _edit(request, AppearanceForm, "appearance", _("Appearance"))
    if response.status_code == 302:
        # The browser's own choice would win over the saved one; the new choice replaces it.
        user = signed_in(request)
        for name, value in user.preferences.items():
            response.set_cookie(f"cw-{name}", value, max_age=31_536_000, samesite="Lax")
    return response


@sensitive_post_parameters()
@require_http_methods(PAGE_METHODS)
def password(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    form = PasswordChangeForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.save()
        update_session_auth_hash(request, user)  # this browser stays signed in, all others do not
        activity.record(actor=user, verb="user.password-changed", target=user)
        messages.success(request, _("The password was changed."))
        return redirect("settings:password")
    context = _tabs("password") | {"form": form, "title": _("Password")}
    return render_page(request, "settings/form.html", context, "settings-form", status=_status(form))


def _edit(request: HttpRequest, form_class: "type[ModelForm[User]]", tab: str, title: str) -> HttpResponse:
    user = signed_in(request)
    form = form_class(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        before = {name: form.initial.get(name) for name in form.changed_data}
        form.save()
        if before:
            after = {name: form.cleaned_data[name] for name in before}
            activity.record(actor=user, verb=f"user.{tab}-changed", target=user, before=before, after=after)
        messages.success(request, _("Saved."))
        return redirect(f"settings:{tab}")
    context = _tabs(tab) | {"form": form, "title": title}
    return render_page(request, "settings/form.html", context, "settings-form", status=_status(form))


@require_http_methods(PAGE_METHODS)
def token_list(request: HttpRequest) -> HttpResponse:
    """Create and list tokens. The secret is in the answer to the POST and nowhere else."""
    user = signed_in(request)
    form = TokenForm(request.POST or None)
    secret = ""
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        _token, secret = tokens.create(
            user=user, name=data["name"], scopes=data["scopes"], expires_at=form.expires_at()
        )
        form = TokenForm()
    context = _tabs("tokens") | {
        "form": form,
        "secret": secret,
        "tokens": list(selectors.tokens_of(user)),
        "now": timezone.now(),
    }
    response = render_page(request, "settings/tokens.html", context, "tokens", status=_status(form))
    response["Cache-Control"] = "no-store"
    return response


@require_POST
def token_revoke(request: HttpRequest, pk: UUID) -> HttpResponse:
    user = signed_in(request)
    tokens.revoke(get_object_or_404(ApiToken, pk=pk, user=user), by=user)
    messages.success(request, _("The token was revoked."))
    return redirect("settings:tokens")


def _tabs(current: str) -> dict[str, Any]:
    names = {"profile": _("Profile"), "appearance": _("Appearance"), "password": _("Password"), "tokens": _("Tokens")}
    tabs = [{"key": key, "label": label, "url": f"/settings/{key}/"} for key, label in names.items()]
    return {"tabs": tabs, "tab": current, "nav": "settings"}


def _status(form: Any) -> int:
    return 422 if form.is_bound and not form.is_valid() else 200
