"""People, roles, settings and tokens on the pages: who may change what, and the trace it leaves."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_run
from webapp.common.models import Activity, User

pytestmark = pytest.mark.django_db


def test_an_admin_creates_a_user_and_changes_roles_with_a_trace(client_as):
    client = client_as("admin")
    data = {
        "username": "ben",
        "email": "",
        "roles": ["annotator"],
        "password1": "long enough 77",
        "password2": "long enough 77",
    }
    assert client.post("/manage/users/new/", data).status_code == 302
    ben = User.objects.get(username="ben")
    form = {"roles": ["curator", "annotator"], "is_active": "on", "version": ben.version}
    assert client.post(reverse("manage:user", args=[ben.pk]), form).status_code == 302
    ben.refresh_from_db()
    assert ben.roles == ["annotator", "curator"]
    change = Activity.objects.get(verb="user.roles-changed")
    assert (change.before["roles"], change.after["roles"]) == (["annotator"], ["annotator", "curator"])
    assert (change.actor, change.source) == (client.user, "browser")
    assert change.request_id.startswith("req_")
    stale = client.post(reverse("manage:user", args=[ben.pk]), {**form, "roles": ["admin"]})
    assert stale.status_code == 409
    ben.refresh_from_db()
    assert "admin" not in ben.roles


def test_the_last_admin_stays(client_as):
    client = client_as("admin")
    form = {"roles": ["viewer"], "is_active": "on", "version": 1}
    response = client.post(reverse("manage:user", args=[client.user.pk]), form)
    assert response.status_code == 409
    assert b"last admin" in response.content
    client.user.refresh_from_db()
    assert client.user.has_role("admin")


def test_a_token_is_shown_once_and_stored_as_a_hash(client_as):
    client = client_as("viewer")
    data = {"name": "laptop", "scopes": ["catalog:read"], "days": "30"}
    page = client.post("/settings/tokens/", data)
    token = client.user.tokens.get()
    secret = page.context["secret"]
    assert secret.startswith(f"cwk_{token.pk.hex}.")
    assert secret in page.content.decode()
    assert page["Cache-Control"] == "no-store"
    assert secret.partition(".")[2] not in str(list(client.user.tokens.values()))
    assert secret.partition(".")[2] not in client.get("/settings/tokens/").content.decode()
    assert client.post(reverse("settings:token-revoke", args=[token.pk])).status_code == 302
    token.refresh_from_db()
    assert token.revoked_at
    assert set(Activity.objects.values_list("verb", flat=True)) == {"token.created", "token.revoked"}


def test_nobody_revokes_a_strangers_token(client_as):
    owner = client_as("viewer")
    owner.post("/settings/tokens/", {"name": "x", "scopes": ["catalog:read"], "days": "3"})
    token = owner.user.tokens.get()
    assert client_as("admin").post(reverse("settings:token-revoke", args=[token.pk])).status_code == 404
    token.refresh_from_db()
    assert token.revoked_at is None


def test_settings_change_language_and_theme(client_as):
    client = client_as("viewer")
    data = {"theme": "dark", "density": "comfortable", "language": "zh-hans"}
    response = client.post("/settings/appearance/", data)
    assert response.status_code == 302
    assert response.cookies["cw-theme"].value == "dark"
    page = client.get("/jobs/")
    assert page["Content-Language"] == "zh-hans"
    assert 'data-theme="dark"' in page.content.decode()
    wrong = client.post("/settings/appearance/", {**data, "theme": "pink"})
    assert wrong.status_code == 422


def test_the_password_is_changed_and_other_browsers_are_signed_out(client_as):
    client, elsewhere = client_as("viewer"), Client()
    elsewhere.force_login(client.user)
    wrong = {"old_password": "no", "new_password1": "new staple 88", "new_password2": "new staple 88"}
    assert client.post("/settings/password/", wrong).status_code == 422
    right = {**wrong, "old_password": "correct horse 9 staple"}
    assert client.post("/settings/password/", right).status_code == 302
    assert client.get("/settings/").status_code == 200
    assert elsewhere.get("/settings/").status_code == 302
    client.user.refresh_from_db()
    assert client.user.check_password("new staple 88")
    assert "new staple" not in str(list(Activity.objects.values()))


def test_djangos_admin_is_for_admins_and_cannot_move_a_run(client_as):
    run = make_run(state="running")
    assert client_as("trainer").get("/staff/common/run/").status_code == 302
    admin = client_as("admin")
    User.objects.filter(pk=admin.user.pk).update(is_staff=True, is_superuser=True)
    assert admin.get(f"/staff/common/run/{run.pk}/change/").status_code == 200
    assert admin.post(f"/staff/common/run/{run.pk}/change/", {"state": "failed"}).status_code == 403
