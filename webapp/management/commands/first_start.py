"""Create the first admin. The password is printed once, here, and is stored nowhere but as its hash."""

import secrets
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection, transaction

from webapp.common.models import User
from webapp.common.people import create_person
from webapp.common.roles import Role

NAME = "admin"
# Any fixed number: two first starts at once take turns.
_LOCK = 0x636F6D70


class Command(BaseCommand):
    help = "Create the user 'admin' with a random password, if there is no admin yet."

    def handle(self, *_args: Any, **_options: Any) -> None:
        password = first_admin()
        if password is not None:
            self.stdout.write("The first user was created. The password is shown this once:")
            self.stdout.write(f"  user      {NAME}")
            self.stdout.write(f"  password  {password}")


@transaction.atomic
def first_admin() -> str | None:
    """The new admin's password; None, and nothing changed, when there is an admin or a user of that name."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    if User.objects.filter(roles__contains=[Role.ADMIN]).exists() or User.objects.filter(username=NAME).exists():
        return None
    password = secrets.token_urlsafe(15)
    create_person(username=NAME, email="", password=password, roles=list(Role.values), by=None)
    return password
