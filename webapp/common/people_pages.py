"""Admin pages: the people and their roles."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from webapp.common import people, selectors
from webapp.common.cursors import CursorError, paginate, read_limit
from webapp.common.forms import PersonForm, RolesForm
from webapp.common.models import User
from webapp.common.pages import render_error, render_page, require_role, signed_in
from webapp.common.roles import Role

PAGE_METHODS = ["GET", "HEAD", "POST"]


@require_safe
@require_role(Role.ADMIN)
def user_list(request: HttpRequest) -> HttpResponse:
    search = request.GET.get("q", "")
    found = selectors.people().filter(username__icontains=search) if search else selectors.people()
    try:
        limit = read_limit(request.GET.get("limit"))
        page = paginate(found, cursor=request.GET.get("cursor"), limit=limit, order=("username",))
    except CursorError as error:
        return render_error(request, 400, str(error))
    return render_page(request, "manage/users.html", {"page": page, "q": search, "nav": "settings"}, "table")


@require_http_methods(PAGE_METHODS)
@require_role(Role.ADMIN)
def user_create(request: HttpRequest) -> HttpResponse:
    form = PersonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        user = people.create_person(
            username=data["username"],
            email=data["email"],
            password=data["password1"],
            roles=data["roles"],
            by=signed_in(request),
        )
        messages.success(request, _("%(name)s can sign in now.") % {"name": user.username})
        return redirect("manage:users")
    status = 422 if form.is_bound else 200
    context = {"form": form, "title": _("New user"), "nav": "settings"}
    return render_page(request, "manage/user_form.html", context, "user-form", status=status)


@require_http_methods(PAGE_METHODS)
@require_role(Role.ADMIN)
def user_roles(request: HttpRequest, pk: UUID) -> HttpResponse:
    person = get_object_or_404(User, pk=pk)
    now = {"roles": person.roles, "is_active": person.is_active, "version": person.version}
    form = RolesForm(request.POST or None, initial=now)
    status = 422 if form.is_bound else 200
    if request.method == "POST" and form.is_valid():
        try:
            people.change_roles(person, **form.cleaned_data, by=signed_in(request))
        except people.PeopleError as error:
            form.add_error(None, str(error))
            status = 409
        else:
            messages.success(request, _("Roles saved."))
            return redirect("manage:users")
    context = {"form": form, "person": person, "title": person.label, "nav": "settings"}
    return render_page(request, "manage/user_form.html", context, "user-form", status=status)
