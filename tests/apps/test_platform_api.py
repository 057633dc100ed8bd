"""REST: tokens, scopes and roles, problems, paging, strict parameters, versions, idempotency, schema."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.apps.problems import assert_problem
from tests.factories import make_run, make_user
from webapp.common import ids, run_store
from webapp.common.models import Activity, ApiToken, IdempotentReply, Run

pytestmark = pytest.mark.django_db


# Problems ------------------------------------------------------------------------------------------------------


def test_wrong_values_are_named_by_json_pointer(api_as):
    client = api_as("jobs:write")
    run = make_run()
    response = client.post(f"/api/v1/jobs/{run.public_id}/cancel", {"mode": "later"}, format="json")
    body = assert_problem(response, 422, "validation-failed")
    assert body["errors"][0]["pointer"] == "/mode"
    assert body["errors"][0]["code"] == "invalid_choice"


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("get", "/api/v1/nothing", 404, "not-found"),
        ("get", "/api/v1/jobs/job_" + "0" * 32, 404, "not-found"),
        ("get", "/api/v1/jobs/task_" + "0" * 32, 404, "not-found"),
        ("delete", "/api/v1/jobs", 405, "method-not-allowed"),
        ("get", "/api/v1/jobs?cursor=xx", 400, "bad-request"),
        ("get", "/api/v1/jobs?limit=0", 400, "bad-request"),
        ("get", "/api/v1/jobs?limit=501", 400, "bad-request"),
        ("get", "/api/v1/jobs?count=all", 400, "unsupported-filter"),
        ("get", "/api/v1/jobs?state=odd", 422, "validation-failed"),
    ],
)
def test_refusals_are_problems(api_as, method, path, status, code):
    assert_problem(getattr(api_as("jobs:read", "jobs:write"), method)(path), status, code)


def test_a_body_that_is_not_json_is_a_problem(api_as):
    run = make_run()
    path = f"/api/v1/jobs/{run.public_id}/cancel"
    client = api_as("jobs:write")
    assert_problem(client.post(path, b"{", content_type="application/json"), 400, "bad-request")
    assert_problem(client.post(path, b"x", content_type="text/plain"), 415, "unsupported-media-type")


def test_a_crash_is_a_problem_without_its_words(api_as, monkeypatch):
    client = api_as("jobs:read")
    client.raise_request_exception = False

    def broken():
        raise RuntimeError("secret detail")

    monkeypatch.setattr("webapp.common.selectors.run_list", broken)
    response = client.get("/api/v1/jobs")
    assert_problem(response, 500, "internal-error")
    assert b"secret" not in response.content


def test_an_illegal_move_is_409_with_the_present_state(api_as):
    run = make_run(state="succeeded")
    response = api_as("jobs:write").post(f"/api/v1/jobs/{run.public_id}/cancel")
    assert assert_problem(response, 409, "state-conflict")["state"] == "succeeded"


@pytest.mark.parametrize(("name", "near"), [("stat", "state"), ("kinds", "kind"), ("zzz", None)])
def test_an_unknown_parameter_is_refused_with_a_suggestion(api_as, name, near):
    body = assert_problem(api_as("jobs:read").get(f"/api/v1/jobs?{name}=x"), 400, "unsupported-filter")
    assert body["parameter"] == name
    assert (f"'{near}'" in body["detail"]) if near else ("Did you mean" not in body["detail"])


# Lists ---------------------------------------------------------------------------------------------------------


def test_paging_is_stable_while_rows_are_added(api_as):
    client = api_as("jobs:read")
    made = [make_run(title=f"Job {number}").public_id for number in range(7)]
    first = client.get("/api/v1/jobs?limit=3").json()
    make_run(title="Newcomer")
    second = client.get(f"/api/v1/jobs?limit=3&cursor={first['page']['next']}").json()
    third = client.get(f"/api/v1/jobs?limit=3&cursor={second['page']['next']}").json()
    seen = [row["id"] for page in (first, second, third) for row in page["data"]]
    assert seen == made[::-1]
    assert first["page"]["prev"] is None
    assert third["page"]["next"] is None
    back = client.get(f"/api/v1/jobs?limit=3&cursor={third['page']['prev']}").json()
    assert [row["id"] for row in back["data"]] == [row["id"] for row in second["data"]]


def test_link_header_and_counts(api_as):
    client = api_as("jobs:read")
    for _ in range(3):
        make_run()
    response = client.get("/api/v1/jobs?limit=2&count=exact&state=queued")
    assert 'rel="next"' in response["Link"]
    assert "state=queued" in response["Link"]
    assert response.json()["page"]["count"] == {"value": 3, "kind": "exact"}
    assert "count" not in client.get("/api/v1/jobs").json()["page"]
    assert client.get("/api/v1/jobs?count=estimate").json()["page"]["count"]["kind"] == "estimate"


def test_the_same_filters_as_on_the_page(api_as):
    client = api_as("jobs:read")
    failed, other = make_run(state="failed", kind="build"), make_run(kind="export")
    for query, expected in [
        ("state=failed", [failed]),
        ("kind__in=build,export", [other, failed]),
        ("live=true", [other]),
        ("parent=nonsense", []),
        (f"created_by={ids.show('usr', ids.uuid7())}", []),
    ]:
        rows = client.get(f"/api/v1/jobs?{query}").json()["data"]
        assert [row["id"] for row in rows] == [run.public_id for run in expected], query


def test_lists_and_details_stay_within_their_query_budget(api_as, django_assert_max_num_queries):
    client = api_as("jobs:read", "catalog:read")
    runs = [make_run(created_by=make_user()) for _ in range(20)]
    for path in ("/api/v1/jobs", f"/api/v1/jobs/{runs[0].public_id}", "/api/v1/activity"):
        with django_assert_max_num_queries(6):
            assert client.get(path).status_code == 200


def test_events_continue_after_the_last_one(api_as):
    client = api_as("jobs:read")
    run = make_run(state="running")
    for number in range(5):
        run_store.add_event(run.pk, f"line {number}")
    path = f"/api/v1/jobs/{run.public_id}/events"
    first = client.get(f"{path}?limit=2").json()
    assert [event["seq"] for event in first["data"]] == [1, 2]
    rest = client.get(f"{path}?after={first['last']}").json()
    assert [event["message"] for event in rest["data"]] == ["line 2", "line 3", "line 4"]
    assert rest["live"] is True
    assert_problem(client.get(f"{path}?after=x"), 400, "bad-request")


def test_activity_tells_who_and_from_which_token(api_as):
    client = api_as("jobs:write", "catalog:read", role="trainer")
    run = make_run()
    client.post(f"/api/v1/jobs/{run.public_id}/cancel", HTTP_X_REQUEST_ID="request-0001")
    entry = client.get("/api/v1/activity?verb=job.cancelled").json()["data"][0]
    assert (entry["actor"], entry["source"], entry["request_id"]) == (client.user.username, "token", "request-0001")
    assert entry["token"] == ApiToken.objects.get().public_id
    assert (entry["before"]["state"], entry["after"]["state"]) == ("queued", "cancelled")
    assert entry["target"]["url"] == run.get_absolute_url()


# Versions, links, idempotency --------------------------------------------------------------------------------


def test_a_job_answers_304_until_it_changes(api_as):
    client = api_as("jobs:read")
    run = make_run(state="running")
    path = f"/api/v1/jobs/{run.public_id}"
    tag = client.get(path)["ETag"]
    assert tag == '"v1"'
    assert client.get(path, HTTP_IF_NONE_MATCH=tag).status_code == 304
    run_store.write(run, done=3)
    fresh = client.get(path, HTTP_IF_NONE_MATCH=tag)
    assert (fresh.status_code, fresh["ETag"], fresh.json()["progress"]["done"]) == (200, '"v2"', 3)


def test_if_match_is_required_and_compared():
    from rest_framework.test import APIRequestFactory

    from webapp.common.rest import ApiProblem, check_if_match

    run = make_run(version=4)
    Activity.objects.create(
        at=timezone.now(),
        source="browser",
        verb="x",
        target_type="run",
        target_id=run.public_id,
        actor_name="ada",
        after={"state": 1},
    )
    make = APIRequestFactory()
    with pytest.raises(ApiProblem) as missing:
        check_if_match(make.patch("/"), run)
    assert missing.value.status_code == 428
    with pytest.raises(ApiProblem) as stale:
        check_if_match(make.patch("/", headers={"If-Match": '"v3"'}), run)
    assert stale.value.status_code == 412
    current = stale.value.extra["current"]
    assert (current["version"], current["by"], current["changed"]) == (4, "ada", ["state"])
    check_if_match(make.patch("/", headers={"If-Match": '"v4"'}), run)


def test_links_offer_only_what_is_possible(api_as):
    client = api_as("jobs:read")
    queued, failed = make_run(), make_run(state="failed")
    assert client.get(f"/api/v1/jobs/{queued.public_id}").json()["links"].keys() == {
        "self",
        "page",
        "cancel",
        "priority",
    }
    links = client.get(f"/api/v1/jobs/{failed.public_id}").json()["links"]
    assert links.keys() == {"self", "page", "resume", "retry"}
    assert client.get(links["self"]).status_code == 200
    operation = client.get(f"/api/v1/operations/{failed.public_id}").json()
    assert operation["failure"] == {"kind": "test:broken", "message": "It broke."}


@pytest.fixture
def retry_client(api_as, monkeypatch, inline_runs):
    from webapp.common import run_kinds, runs

    monkeypatch.setattr(run_kinds, "_kinds", {})
    runs.register("test", queue="default")(lambda ctx: {})
    return api_as("jobs:write", "jobs:read", role="trainer")


def test_the_same_key_starts_one_job_and_replays_the_answer(retry_client):
    run = make_run(state="failed")
    path = f"/api/v1/jobs/{run.public_id}/retry"
    first = retry_client.post(path, HTTP_IDEMPOTENCY_KEY="key-1")
    again = retry_client.post(path, HTTP_IDEMPOTENCY_KEY="key-1")
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json()
    assert again["Idempotency-Replayed"] == "true"
    assert again["Location"] == first["Location"] == f"/api/v1/operations/{first.json()['id']}"
    assert Run.objects.filter(parent=run).count() == 1
    assert retry_client.post(path, HTTP_IDEMPOTENCY_KEY="key-2").status_code == 202
    assert Run.objects.filter(parent=run).count() == 2


def test_a_key_with_another_body_is_refused(retry_client):
    path = f"/api/v1/jobs/{make_run(state='running').public_id}/cancel"
    assert retry_client.post(path, {"mode": "keep"}, format="json", HTTP_IDEMPOTENCY_KEY="k").status_code == 202
    other = retry_client.post(path, {"mode": "now"}, format="json", HTTP_IDEMPOTENCY_KEY="k")
    assert_problem(other, 422, "idempotency-key-reused")


def test_a_key_still_in_progress_is_409_until_its_server_must_be_dead(retry_client):
    path = f"/api/v1/jobs/{make_run(state='failed').public_id}/retry"
    assert retry_client.post(path, HTTP_IDEMPOTENCY_KEY="k").status_code == 202
    IdempotentReply.objects.update(status=None)
    assert_problem(retry_client.post(path, HTTP_IDEMPOTENCY_KEY="k"), 409, "idempotency-in-progress")
    IdempotentReply.objects.update(created_at=timezone.now() - timedelta(minutes=3))
    assert retry_client.post(path, HTTP_IDEMPOTENCY_KEY="k").status_code == 202


def test_a_refused_request_does_not_use_up_its_key(retry_client):
    run = make_run(state="succeeded")
    path = f"/api/v1/jobs/{run.public_id}/retry"
    assert retry_client.post(path, HTTP_IDEMPOTENCY_KEY="k").status_code == 409
    assert not IdempotentReply.objects.exists()


# Schema and health -------------------------------------------------------------------------------------------


def test_the_schema_is_served_valid_and_without_warnings(client, capsys):
    from drf_spectacular.drainage import GENERATOR_STATS
    from drf_spectacular.validation import validate_schema

    GENERATOR_STATS.reset()
    response = client.get("/api/v1/schema/?format=json")
    schema = json.loads(response.content)
    validate_schema(schema)
    assert not GENERATOR_STATS
    assert schema["openapi"].startswith("3.1")
    for path, methods in schema["paths"].items():
        for name, operation in methods.items():
            assert operation.get("description"), f"{name} {path} has no description"
            assert "4XX" in operation["responses"]


def test_docs_load_their_script_from_this_host(client):
    page = client.get("/api/docs/")
    assert page.status_code == 200
    assert "/static/drf_spectacular_sidecar/" in page.content.decode()
    assert client.get("/api/docs/?script=").status_code == 200


def test_health(client):
    assert client.get("/api/v1/health/live").json()["status"] == "ok"
    ready = client.get("/api/v1/health/ready")
    assert ready.json() == {"status": "ok", "checks": {"database": "ok", "queue": "ok"}}


def test_ready_names_the_part_that_is_away(client, settings, monkeypatch):
    from workers.celery_app import app

    monkeypatch.setattr(app.conf, "broker_write_url", "redis://127.0.0.1:1/0")
    ready = client.get("/api/v1/health/ready")
    assert ready.status_code == 503
    assert ready.json()["checks"]["queue"] != "ok"


def test_meta_lists_the_vocabularies(api_as):
    meta = api_as().get("/api/v1/meta").json()
    assert "curator" in meta["enums"]["role"]
    assert "state-conflict" in meta["enums"]["problem_code"]


def test_ids_sort_by_time_and_refuse_another_kind():
    early, late = ids.make_uuid7(1_000 << 12, 2**62 - 1), ids.make_uuid7(1_000 << 12 | 1, 0)
    assert early < late
    made = [ids.uuid7() for _ in range(1_000)]
    assert made == sorted(set(made))
    assert early.version == 7
    assert ids.parse("job", ids.show("job", early)) == early
    with pytest.raises(ids.IdError):
        ids.parse("job", ids.show("task", early))
