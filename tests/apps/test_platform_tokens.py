"""API tokens: hashed, scoped, expiring, revocable; and a scope never does what the role may not."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from tests.apps.problems import assert_problem
from tests.factories import make_run, make_token
from webapp.common.models import ApiToken

pytestmark = pytest.mark.django_db


def test_me_names_user_roles_and_scopes(api_as):
    client = api_as("jobs:read", role="trainer")
    me = client.get("/api/v1/me").json()
    assert me["roles"] == ["trainer"]
    assert me["scopes"] == ["jobs:read"]
    assert me["id"] == client.user.public_id
    assert ApiToken.objects.get().last_used_at


def test_no_token_is_401_with_a_challenge():
    response = APIClient().get("/api/v1/jobs")
    assert_problem(response, 401, "authentication-required")
    assert response["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "change",
    [
        {"expires_at": timezone.now() - timedelta(seconds=1)},
        {"revoked_at": timezone.now()},
        {"secret_hash": "0" * 64},
    ],
)
def test_an_expired_revoked_or_wrong_token_is_refused_alike(api_as, change):
    client = api_as("jobs:read")
    assert client.get("/api/v1/jobs").status_code == 200
    ApiToken.objects.update(**change)
    body = assert_problem(client.get("/api/v1/jobs"), 401, "authentication-required")
    assert "not valid" in body["detail"]


@pytest.mark.parametrize("text", ["", "cwk_", "cwk_x.y", "cwk_" + "0" * 32 + ".secret", "cwk_\x00.a", "é"])
def test_a_malformed_token_is_refused(text):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    assert_problem(client.get("/api/v1/jobs"), 401, "authentication-required")


def test_a_token_of_a_deactivated_user_is_refused(api_as):
    client = api_as("jobs:read")
    client.user.is_active = False
    client.user.save()
    assert client.get("/api/v1/me").status_code == 401


def test_only_a_hash_of_the_secret_is_stored(user):
    text = make_token(user("viewer"), "jobs:read")
    secret = text.partition(".")[2]
    row = ApiToken.objects.values().get()
    assert secret not in str(row)
    assert len(row["secret_hash"]) == 64


def test_another_pepper_makes_every_token_useless(api_as, settings):
    client = api_as("jobs:read")
    settings.WORKBENCH_TOKEN_PEPPER = "another"
    assert client.get("/api/v1/me").status_code == 401


def test_a_scope_that_is_missing_is_named(api_as):
    body = assert_problem(api_as("catalog:read").get("/api/v1/jobs"), 403, "permission-denied")
    assert "jobs:read" in body["detail"]


@pytest.mark.parametrize("action", ["cancel", "resume", "retry"])
@pytest.mark.parametrize(
    ("scopes", "role"), [(("jobs:read",), "admin"), (("jobs:write",), "viewer"), (("jobs:write",), "curator")]
)
def test_a_job_moves_only_with_scope_and_role_together(api_as, action, scopes, role):
    run = make_run(state="failed")
    response = api_as(*scopes, role=role).post(f"/api/v1/jobs/{run.public_id}/{action}")
    assert_problem(response, 403, "permission-denied")
    run.refresh_from_db()
    assert run.state == "failed"


def test_tokens_are_created_listed_and_revoked(api_as):
    client = api_as("admin", "jobs:read", role="viewer")
    made = client.post("/api/v1/tokens", {"name": "ci", "scopes": ["jobs:read"], "days": 5}, format="json")
    assert made.status_code == 201
    secret, public_id = made.json()["secret"], made.json()["id"]
    listed = client.get("/api/v1/tokens").json()["data"]
    assert [token["name"] for token in listed] == ["ci", "test"]
    assert "secret" not in listed[0]
    other = APIClient()
    other.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    assert other.get("/api/v1/jobs").status_code == 200
    assert client.delete(f"/api/v1/tokens/{public_id}").status_code == 204
    assert other.get("/api/v1/jobs").status_code == 401
    more = client.post("/api/v1/tokens", {"name": "more", "scopes": ["jobs:write"]}, format="json")
    assert_problem(more, 403, "permission-denied")
