"""Actions on people: create, change roles. Each is recorded with before and after."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from webapp.common import activity
from webapp.common.models import User
from webapp.common.roles import Role


class PeopleError(Exception):
    """The change would leave the workbench without an admin, or was made on an old version."""


@transaction.atomic
def create_person(*, username: str, email: str, password: str, roles: list[str], by: User | None) -> User:
    user = User.objects.create_user(username, email, password, roles=_ordered(roles), **_staff(roles))
    activity.record(actor=by, verb="user.created", target=user, after={"roles": user.roles})
    return user


@transaction.atomic
def change_roles(user: User, *, roles: list[str], is_active: bool, version: int, by: User) -> User:
    """Set roles and whether the user may sign in.

    Raises PeopleError when `version` is old, or when no active admin would remain.
    """
    # All admins are locked, so that two of them cannot remove each other at the same moment.
    admins = {
        admin.pk for admin in User.objects.select_for_update().filter(roles__contains=[Role.ADMIN], is_active=True)
    }
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.version != version:
        raise PeopleError(_("Somebody changed this user meanwhile. Look again."))
    if not (Role.ADMIN in roles and is_active) and admins <= {user.pk}:
        raise PeopleError(_("The last admin cannot be removed."))
    before = _rights(user)
    user.roles, user.is_active = _ordered(roles), is_active
    user.is_staff = user.is_superuser = Role.ADMIN in roles
    user.version += 1
    user.save(update_fields=["roles", "is_active", "is_staff", "is_superuser", "version"])
    activity.record(actor=by, verb="user.roles-changed", target=user, before=before, after=_rights(user))
    return user


def _ordered(roles: list[str]) -> list[str]:
    return [role for role in Role.values if role in roles]


def _staff(roles: list[str]) -> dict[str, bool]:
    """Django's own admin, for emergencies, is open to admins only."""
    return dict.fromkeys(("is_staff", "is_superuser"), Role.ADMIN in roles)


def _rights(user: User) -> dict[str, Any]:
    return {"roles": list(user.roles), "is_active": user.is_active}
