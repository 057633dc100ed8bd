"""From a specification to a decided tool in the browser's requests: import, build, try, quarantine, undo."""

import json
from typing import Any

import pytest
from django.test import Client

from services_app.models import Service, Specification, Tool, ToolDecision
from webapp.common.models import Activity, Run

pytestmark = pytest.mark.django_db

DESK = {
    "name": "Desk",
    "tools": [
        {
            "name": "create_ticket",
            "description": "Open a ticket.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "title": {"type": "string"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "priority": {"enum": ["low", "high"]},
                },
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
        {
            "name": "list_tickets",
            "description": "List tickets.",
            "inputSchema": {
                "type": "object",
                "properties": {"limit": {"type": "integer"}, "priority": {"type": "string"}},
            },
        },
        {"name": "frobnicate", "description": "<script>alert(1)</script>", "inputSchema": {"type": "object"}},
        {"name": "broken", "inputSchema": {"type": "object", "properties": {"x": {"$ref": "#/$defs/Gone"}}}},
    ],
}


@pytest.fixture
def built(client_as: Any, settings: Any, django_capture_on_commit_callbacks: Any) -> tuple[Client, Service]:
    """A curator who has imported and built the desk through the pages."""
    settings.WORKBENCH_RUN_INLINE = True
    client: Client = client_as("curator")
    response = client.post("/services/new/", {"text": json.dumps(DESK)})
    assert response.status_code == 302
    specification = Specification.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(f"/services/specifications/{specification.public_id}/build/")
    assert Run.objects.get().state == "succeeded", list(Run.objects.get().events.values_list("message", flat=True))
    assert client.get(response["Location"]).status_code == 200
    return client, Service.objects.get()


def tool(name: str) -> Tool:
    return Tool.objects.get(name=name)


def test_import_names_each_refused_tool_and_harms_no_sibling(client_as: Any) -> None:
    client = client_as("curator")
    response = client.post("/services/new/", {"text": json.dumps(DESK)}, follow=True)
    text = response.content.decode()
    assert "broken" in text
    assert "#/$defs/Gone" in text
    assert "create_ticket" in text
    assert "<script>alert" not in text


@pytest.mark.parametrize("text", ["{not json", "[]", '{"tools": []}', "5"])
def test_bad_input_gets_one_clear_message_and_stores_nothing(client_as: Any, text: str) -> None:
    response = client_as("curator").post("/services/new/", {"text": text})
    assert response.status_code == 422
    assert not Specification.objects.exists()


def test_one_source_only(client_as: Any) -> None:
    response = client_as("curator").post("/services/new/", {"text": "{}", "http": "https://a.example/mcp"})
    assert response.status_code == 422
    assert "exactly one source" in response.content.decode()


def test_build_verifies_what_it_can_and_says_why_it_cannot(built: tuple[Client, Service]) -> None:
    _, service = built
    statuses = dict(service.tools.values_list("name", "status"))
    assert statuses == {
        "create_ticket": "verified",
        "get_ticket": "verified",
        "list_tickets": "verified",
        "frobnicate": "quarantined",
    }
    assert "no verb" in tool("frobnicate").reason
    assert service.current is not None
    assert service.current.report["verified"] == 3


@pytest.mark.parametrize("tab", ["tools", "state", "code", "versions"])
def test_tabs(built: tuple[Client, Service], tab: str) -> None:
    client, service = built
    response = client.get(f"/services/{service.slug}/?tab={tab}")
    assert response.status_code == 200
    assert client.get(f"/services/{service.slug}/?tab=nonsense").status_code == 404


def test_try_it_shows_observation_payload_and_change(built: tuple[Client, Service]) -> None:
    client, _ = built
    url = f"{tool('create_ticket').get_absolute_url()}try/"
    text = client.post(url, {"mode": "json", "json": '{"title": "<b>x</b>"}'}).content.decode()
    assert "&lt;b&gt;x&lt;/b&gt;" in text
    assert "<b>x</b>" not in text
    bad = client.post(url, {"mode": "json", "json": "{oops"})
    assert bad.status_code == 422
    refused = client.post(url, {"mode": "json", "json": '{"title": 5}'})
    assert "invalid_arguments" in refused.content.decode()


def test_quarantine_needs_a_reason_and_undo_restores(built: tuple[Client, Service]) -> None:
    client, _ = built
    page = tool("create_ticket").get_absolute_url()
    assert client.post(f"{page}decide/", {"kind": "quarantine"}).status_code == 422
    version = tool("create_ticket").version
    data = {"kind": "quarantine", "reason_code": "wrong_state_change", "version": version}
    assert client.post(f"{page}decide/", data).status_code == 302
    assert tool("create_ticket").status == "quarantined"
    assert client.post(f"{page}decide/", {**data, "kind": "approve", "reason": "fine"}).status_code == 409
    decision = ToolDecision.objects.get()
    assert client.post(f"/services/decisions/{decision.public_id}/undo/").status_code == 302
    assert tool("create_ticket").status == "verified"
    assert client.post(f"/services/decisions/{decision.public_id}/undo/").status_code == 409
    assert set(Activity.objects.values_list("verb", flat=True)) >= {"tool.quarantined", "tool.decision_undone"}


def test_viewers_read_and_do_not_decide(built: tuple[Client, Service], client_as: Any) -> None:
    viewer = client_as("viewer")
    page = tool("create_ticket").get_absolute_url()
    assert viewer.get(page).status_code == 200
    assert viewer.post(f"{page}try/", {"mode": "json", "json": '{"title": "x"}'}).status_code == 200
    data = {"kind": "quarantine", "reason_code": "outside_system"}
    assert viewer.post(f"{page}decide/", data).status_code == 403
    assert viewer.get("/services/new/").status_code == 403
    assert viewer.post("/services/verify/").status_code == 403
    assert tool("create_ticket").status == "verified"


def test_pages_ask_few_questions(built: tuple[Client, Service], django_assert_max_num_queries: Any) -> None:
    client, service = built
    for url in ("/services/", f"/services/{service.slug}/", tool("get_ticket").get_absolute_url()):
        with django_assert_max_num_queries(12):
            assert client.get(url).status_code == 200


def test_filtering_gives_the_table_fragment(built: tuple[Client, Service]) -> None:
    client, service = built
    headers = {"HX-Request": "true", "HX-Target": "table"}
    text = client.get("/services/?q=nothing-like-this", headers=headers).content.decode()
    assert "<html" not in text
    assert "No service matches" in text
    assert service.title in client.get("/services/?tool_status=quarantined").content.decode()


def test_review_lists_what_nobody_decided(built: tuple[Client, Service]) -> None:
    client, _ = built
    assert "frobnicate" in client.get("/review/").content.decode()
    page = tool("frobnicate").get_absolute_url()
    assert client.post(f"{page}decide/", {"kind": "approve", "reason": "known and wanted"}).status_code == 302
    assert "Queue clear" in client.get("/review/").content.decode()
