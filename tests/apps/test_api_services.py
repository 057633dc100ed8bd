"""REST of specifications, services and tools over the shipped library with its real reports."""

import json
from typing import Any
from uuid import uuid4

import pytest

from services_app.engine.environment import ProductEnvironment
from services_app.library import registry
from services_app.models import EffectProfile, Service, Specification, Tool, ToolDecision
from tests.apps.problems import assert_problem
from tests.catalogue import install_services, profiles
from webapp.common.models import Activity, Run

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(240)]

API = "/api/v1"
DESK = {
    "name": "Desk",
    "tools": [
        {
            "name": "create_ticket",
            "description": "Open a ticket.",
            "inputSchema": {
                "type": "object",
                "properties": {"title": {"type": "string"}, "priority": {"enum": ["low", "high"]}},
                "required": ["title"],
            },
        },
        {
            "name": "get_ticket",
            "description": "Get a ticket.",
            "inputSchema": {
                "type": "object",
                "properties": {"ticket_id": {"type": "string"}},
                "required": ["ticket_id"],
            },
        },
        {"name": "broken", "inputSchema": {"type": "object", "properties": {"x": {"$ref": "#/$defs/Gone"}}}},
    ],
}


@pytest.fixture
def services(db: None) -> list[Service]:
    return install_services()


@pytest.fixture
def tool(services: list[Service]) -> Tool:
    """A verified tool that reads."""
    return Tool.objects.get(exposed="mail__search_messages")


def imported(client: Any, **body: Any) -> Any:
    return client.post(f"{API}/specifications", {"name": "desk.json", "text": json.dumps(DESK)} | body, format="json")


def key() -> dict[str, str]:
    return {"HTTP_IDEMPOTENCY_KEY": uuid4().hex}


# Specifications


def test_import_once_then_find_it_again(api_as: Any) -> None:
    client = api_as("review:write", "catalog:read", role="curator")
    first, again = imported(client), imported(client)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert first.json()["tool_count"] == 2
    path = f"{API}/specifications/{first.json()['id']}"
    detail = client.get(path).json()
    assert [tool["name"] for tool in detail["tools"]] == ["create_ticket", "get_ticket"]
    assert detail["refused"][0]["name"] == "broken"
    assert "#/$defs/Gone" in detail["refused"][0]["message"]
    assert detail["lint"]["total"] == len(detail["lint"]["shown"]) > 0
    assert detail["service"] is None
    content = client.get(f"{path}/content")
    assert content.content.decode() == Specification.objects.get().content
    rows = client.get(f"{API}/specifications?q=desk").json()["data"]
    assert [row["id"] for row in rows] == [detail["id"]]
    assert client.get(f"{API}/specifications?slug=other").json()["data"] == []


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"text": "{not json"}, "/text"),
        ({"text": '{"tools": []}'}, "/text"),
        ({"text": "{}", "stdio": "python -m server"}, ""),
        ({}, ""),
        ({"http": "file:///etc/passwd"}, "/http"),
        ({"text": "{}", "nmae": "x"}, "/nmae"),
        ([], ""),
    ],
)
def test_bad_imports_are_named_and_store_nothing(api_as: Any, body: Any, pointer: str) -> None:
    response = api_as("review:write", role="curator").post(f"{API}/specifications", body, format="json")
    problem = assert_problem(response, 422, "validation-failed")
    assert problem["errors"][0]["pointer"] == pointer
    assert not Specification.objects.exists()


def test_json_that_is_too_deep_is_refused(api_as: Any) -> None:
    client = api_as("review:write", role="curator")
    response = client.post(f"{API}/specifications", "[" * 200_000, content_type="application/json")
    assert_problem(response, 400, "bad-request")


def test_a_live_import_is_a_job_and_needs_a_key(api_as: Any) -> None:
    client = api_as("review:write", role="curator")
    body = {"http": "https://mcp.example/mcp"}
    assert_problem(client.post(f"{API}/specifications", body, format="json"), 422, "validation-failed")
    response = client.post(f"{API}/specifications", body, format="json", **key())
    assert response.status_code == 202
    assert response["Location"] == f"{API}/operations/{response.json()['id']}"
    run = Run.objects.get()
    assert (run.kind, run.payload["from"]) == ("import", body["http"])
    command = {"stdio": "python -m desk_server"}
    assert client.post(f"{API}/specifications", command, format="json", **key()).status_code == 202
    assert Run.objects.order_by("-id")[0].payload["from"] == command["stdio"]


def test_build_through_the_api(api_as: Any, inline_runs: None, django_capture_on_commit_callbacks: Any) -> None:
    client = api_as("review:write", "catalog:read", "jobs:write", role="curator")
    path = f"{API}/specifications/{imported(client).json()['id']}"
    assert_problem(client.post(f"{path}/build"), 422, "validation-failed")
    with django_capture_on_commit_callbacks(execute=True):
        first = client.post(f"{path}/build", HTTP_IDEMPOTENCY_KEY="one")
    again = client.post(f"{path}/build", HTTP_IDEMPOTENCY_KEY="one")
    assert (first.status_code, again.status_code) == (202, 202)
    assert again["Idempotency-Replayed"] == "true"
    assert again.json()["id"] == first.json()["id"]
    assert Run.objects.get().state == "succeeded"
    service = client.get(f"{API}/services/desk").json()
    assert service["origin"] == "built"
    assert service["tools"] == {"total": 2, "verified": 2, "simulated": 0, "quarantined": 0}
    assert client.get(path).json()["service"] == "desk"
    version = client.get(f"{API}/services/desk/versions/1").json()
    assert version["run"] == first.json()["id"]
    assert any("create_ticket" in text for text in version["files"].values())
    built = Tool.objects.get(name="create_ticket")
    trial = call(api_as("sandbox:use", role="viewer"), built, arguments={"title": "Printer"})
    assert trial["outcome"] == "passed"
    assert trial["changes"]


# Services


def test_services_list_detail_and_filters(services: list[Service], api_as: Any) -> None:
    client = api_as("catalog:read", role="viewer")
    rows = client.get(f"{API}/services").json()["data"]
    assert [row["slug"] for row in rows] == ["crm", "help-desk", "mail"]
    mail = client.get(f"{API}/services/mail").json()
    assert mail == rows[2]
    assert mail["tools"]["total"] == Tool.objects.filter(service__slug="mail").count()
    assert mail["current"]["version_hash"] == registry.load("mail").version_hash
    for query, slugs in [
        ("q=help", ["help-desk"]),
        ("origin=built", []),
        (f"domain={mail['domain']}&q=mail", ["mail"]),
    ]:
        assert [row["slug"] for row in client.get(f"{API}/services?{query}").json()["data"]] == slugs, query
    page = client.get(f"{API}/services?limit=2&sort=-slug").json()
    assert [row["slug"] for row in page["data"]] == ["mail", "help-desk"]
    following = client.get(f"{API}/services?limit=2&sort=-slug&cursor={page['page']['next']}").json()
    assert [row["slug"] for row in following["data"]] == ["crm"]


def test_versions_state_schema_and_usage(services: list[Service], api_as: Any) -> None:
    client = api_as("catalog:read", role="viewer")
    versions = client.get(f"{API}/services/mail/versions").json()["data"]
    assert [version["number"] for version in versions] == [1]
    assert versions[0]["report"]["calls"] > 0
    assert client.get(f"{API}/services/mail/versions/1").json()["files"]
    schema = client.get(f"{API}/services/mail/state-schema").json()
    tables = {table["name"]: table for table in schema["tables"]}
    assert "messages" in tables
    assert tables["messages"]["schema"]["properties"]
    usage = client.get(f"{API}/services/mail/usage").json()["impact"]
    assert {entry["label"]: entry["count"] for entry in usage}["verified tasks"] == 0


def test_verify_the_library_as_a_job(services: list[Service], api_as: Any) -> None:
    client = api_as("jobs:write", role="curator")
    response = client.post(f"{API}/services/verify", {"slugs": ["mail"]}, format="json", **key())
    assert response.status_code == 202
    assert Run.objects.filter(state="queued").get().payload == {"slugs": ["mail"]}
    wrong = client.post(f"{API}/services/verify", {"slugs": ["mail", "nope"]}, format="json", **key())
    assert assert_problem(wrong, 422, "validation-failed")["errors"][0]["pointer"] == "/slugs/1"


# Tools


def test_tools_list_detail_and_schema(tool: Tool, api_as: Any) -> None:
    client = api_as("catalog:read", role="viewer")
    rows = client.get(f"{API}/tools?service=mail&limit=100").json()["data"]
    assert [row["exposed"] for row in rows] == sorted(
        Tool.objects.filter(service__slug="mail").values_list("exposed", flat=True)
    )
    found = client.get(f"{API}/tools?name__contains=search&status__in=verified,simulated&service=mail").json()["data"]
    assert tool.public_id in [row["id"] for row in found]
    path = f"{API}/tools/{tool.public_id}"
    response = client.get(path)
    assert response["ETag"] == f'"v{tool.version}"'
    assert client.get(path, HTTP_IF_NONE_MATCH=response["ETag"]).status_code == 304
    assert response.json()["input_schema"] == tool.input_schema
    assert client.get(f"{path}/schema").content.decode() == tool.schema_text


def test_agent_view_is_what_agents_get(tool: Tool, api_as: Any) -> None:
    client = api_as("catalog:read", role="viewer")
    view = client.get(f"{API}/tools/{tool.public_id}/agent-view").json()
    environment = ProductEnvironment([registry.load("mail")], scale="small")
    assert view["description"] == environment.catalogue.describe_tool(tool.exposed)
    lines = environment.meta("list_tools", {"service": "mail", "query": "search_messages"})["data"]["tools"]
    assert view["listing"] in lines
    assert view["visible"] is True


def test_validations_show_the_evidence(tool: Tool, api_as: Any) -> None:
    found = api_as("catalog:read", role="viewer").get(f"{API}/tools/{tool.public_id}/validations").json()
    assert found["status"] == found["gate_status"] == "verified"
    assert found["counts"]["passed"] > 0
    assert found["counts"]["failed"] == 0
    assert 0 < len(found["checks"]) <= 60
    assert found["service_version"] == registry.load("mail").version_hash


def test_effect_profile_only_when_it_was_measured(tool: Tool, api_as: Any) -> None:
    client = api_as("catalog:read", role="viewer")
    path = f"{API}/tools/{tool.public_id}/effect-profile"
    assert "not measured yet" in assert_problem(client.get(path), 404, "not-found")["detail"]
    measured = profiles()["mail"]
    EffectProfile.objects.create(
        slug="mail", version_hash=measured.version_hash, profile=measured.model_dump(mode="json")
    )
    found = client.get(path).json()
    assert found["profile"]["tool"] == "search_messages"
    assert found["service_version"] == registry.load("mail").version_hash


# Calling by hand


def call(client: Any, tool: Tool, **body: Any) -> dict[str, Any]:
    response = client.post(f"{API}/tools/{tool.public_id}/try", body, format="json")
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()
    return found


def test_try_a_tool(tool: Tool, api_as: Any) -> None:
    client = api_as("sandbox:use", role="viewer")
    good = call(client, tool, arguments={"query": "the"}, seed=3)
    assert good["outcome"] == "passed"
    assert good["observation"]["success"] is True
    assert good["changes"] == []
    assert call(client, tool, arguments={"query": "the"}, seed=3) == good
    path = f"{API}/tools/{tool.public_id}/try"
    odd = client.post(
        path, b'{"arguments": {"query": 7, "\\ud800": "\\u0000"}}', content_type="application/json"
    ).json()
    assert odd["outcome"] == "failed"
    assert odd["observation"]["error"]["type"] == "invalid_arguments"
    assert call(client, tool, arguments=[1])["outcome"] == "failed"
    assert_problem(client.post(path, {"seed": -1}, format="json"), 422, "validation-failed")
    assert_problem(client.post(path, b"[NaN]", content_type="application/json"), 400, "bad-request")


# Decisions


def test_quarantine_and_undo(tool: Tool, api_as: Any) -> None:
    client = api_as("review:write", "catalog:read", role="curator")
    path = f"{API}/tools/{tool.public_id}"
    body = {"kind": "quarantine", "reason_code": "not_deterministic"}
    assert_problem(client.post(f"{path}/decisions", body, format="json"), 428, "version-required")
    assert client.get(f"{path}/impact").json()["impact"][0]["label"] == "verified tasks"
    tag = client.get(path)["ETag"]
    made = client.post(f"{path}/decisions", body, format="json", HTTP_IF_MATCH=tag)
    assert made.status_code == 201
    assert (made.json()["before"], made.json()["after"], made.json()["kind"]) == (
        "verified",
        "quarantined",
        "quarantine",
    )
    fresh = client.get(path)
    assert fresh["ETag"] == made["ETag"] != tag
    assert fresh.json()["status"] == "quarantined"
    assert client.get(f"{path}/agent-view").json()["visible"] is False
    stale = client.post(f"{path}/decisions", body, format="json", HTTP_IF_MATCH=tag)
    current = assert_problem(stale, 412, "stale-version")["current"]
    assert (current["by"], current["changed"]) == (client.user.username, ["status"])
    twice = client.post(f"{path}/decisions", body, format="json", HTTP_IF_MATCH=made["ETag"])
    assert assert_problem(twice, 409, "state-conflict")["state"] == "quarantined"
    undo = f"{API}/decisions/{made.json()['id']}/undo"
    undone = client.post(undo)
    assert undone.status_code == 201
    assert undone.json()["undoes"] == made.json()["id"]
    assert client.get(path).json()["status"] == "verified"
    assert_problem(client.post(undo), 409, "state-conflict")
    assert [row["kind"] for row in client.get(f"{path}/decisions").json()["data"]] == ["undo", "quarantine"]
    assert set(Activity.objects.values_list("verb", flat=True)) >= {"tool.quarantined", "tool.decision_undone"}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"kind": "quarantine"}, "/reason_code"),
        ({"kind": "quarantine", "reason_code": "other"}, "/reason"),
        ({"kind": "quarantine", "reason_code": "odd"}, "/reason_code"),
        ({"kind": "simulate", "reason": "x"}, "/kind"),
        ({"reason": "x"}, "/kind"),
    ],
)
def test_decisions_need_their_reasons(tool: Tool, api_as: Any, body: dict[str, str], pointer: str) -> None:
    client = api_as("review:write", role="curator")
    response = client.post(f"{API}/tools/{tool.public_id}/decisions", body, format="json", HTTP_IF_MATCH="*")
    assert assert_problem(response, 422, "validation-failed")["errors"][0]["pointer"] == pointer
    assert not ToolDecision.objects.exists()


def test_the_same_key_decides_once(tool: Tool, api_as: Any) -> None:
    client = api_as("review:write", role="curator")
    path, body = f"{API}/tools/{tool.public_id}/decisions", {"kind": "quarantine", "reason_code": "schema_mismatch"}
    headers = {"HTTP_IF_MATCH": '"v1"', "HTTP_IDEMPOTENCY_KEY": "decide"}
    first = client.post(path, body, format="json", **headers)
    again = client.post(path, body, format="json", **headers)
    assert first.json() == again.json()
    assert again["Idempotency-Replayed"] == "true"
    assert ToolDecision.objects.count() == 1
    other = client.post(path, body | {"reason": "x"}, format="json", **headers)
    assert_problem(other, 422, "idempotency-key-reused")


# Refusals


def test_scopes_and_roles(tool: Tool, api_as: Any, client: Any) -> None:
    assert_problem(client.get(f"{API}/tools"), 401, "authentication-required")
    assert_problem(client.post(f"{API}/services/verify"), 401, "authentication-required")
    decide, undo = f"{API}/tools/{tool.public_id}/decisions", f"{API}/decisions/dec_{'0' * 32}/undo"
    writes = [
        (f"{API}/specifications", "review:write"),
        (f"{API}/specifications/spec_{'0' * 32}/build", "jobs:write"),
        (f"{API}/services/verify", "jobs:write"),
        (decide, "review:write"),
        (undo, "review:write"),
    ]
    for path, scope in writes:
        reader = api_as("catalog:read", role="admin")
        assert scope in assert_problem(reader.post(path, {}, format="json"), 403, "permission-denied")["detail"], path
        for role in ("viewer", "annotator", "trainer"):
            problem = assert_problem(api_as(scope, role=role).post(path, {}, format="json"), 403, "permission-denied")
            assert "Curator" in problem["detail"], path
    denied = api_as("catalog:read").post(f"{API}/tools/{tool.public_id}/try", {}, format="json")
    assert "sandbox:use" in assert_problem(denied, 403, "permission-denied")["detail"]
    assert_problem(api_as("jobs:read").get(f"{API}/services"), 403, "permission-denied")


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("services/nope", 404, "not-found"),
        ("services/nope/versions", 404, "not-found"),
        ("services/mail/versions/99", 404, "not-found"),
        ("services/mail/versions/99999999999999999999", 404, "not-found"),
        ("services/nope/state-schema", 404, "not-found"),
        ("services/nope/usage", 404, "not-found"),
        (f"specifications/spec_{'0' * 32}", 404, "not-found"),
        (f"tools/tool_{'0' * 32}", 404, "not-found"),
        (f"tools/svc_{'0' * 32}", 404, "not-found"),
        (f"tools/tool_{'0' * 32}/decisions", 404, "not-found"),
        ("services?orgin=built", 400, "unsupported-filter"),
        ("services?sort=description", 400, "unsupported-filter"),
        ("services/mail?q=x", 400, "unsupported-filter"),
        ("services?origin=odd", 422, "validation-failed"),
        ("tools?status=odd", 422, "validation-failed"),
        ("tools?cursor=xx", 400, "bad-request"),
    ],
)
def test_refusals_are_problems(services: list[Service], api_as: Any, path: str, status: int, code: str) -> None:
    problem = assert_problem(api_as("catalog:read", role="viewer").get(f"{API}/{path}"), status, code)
    if "orgin" in path:
        assert "'origin'" in problem["detail"]


def test_reads_stay_within_their_query_budget(tool: Tool, api_as: Any, django_assert_max_num_queries: Any) -> None:
    client = api_as("catalog:read", role="viewer")
    one = f"tools/{tool.public_id}"
    parts = [f"{one}/{part}" for part in ("schema", "agent-view", "validations", "impact", "decisions")]
    lists = ["services", "tools?limit=500", "specifications", "services/mail/versions", "services/mail/usage"]
    for path in [*lists, "services/mail", "services/mail/state-schema", one, *parts]:
        # Impact and usage ask every app that stands on tools; everything else is within eight.
        with django_assert_max_num_queries(12 if path.endswith(("/impact", "/usage")) else 8):
            assert client.get(f"{API}/{path}").status_code == 200, path
