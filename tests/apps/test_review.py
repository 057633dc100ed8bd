"""Deciding about tools: the queue, keys, many at once with one undo, kept cases, and what becomes stale."""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.db.models import Count
from django.test import Client

from services_app import decisions
from services_app.models import AdversarialCase, BulkDecision, Service, ServiceVersion, Tool, ToolDecision
from tasks_app.models import Task
from tasks_app.policies.rules import RULE_POLICIES
from tests.catalogue import install_services, install_tasks, install_trajectory

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(db: None) -> list[Tool]:
    """Thirty-two tools that the gate quarantined, among others that it did not."""
    install_services()
    Tool.objects.update(status="verified", gate_status="verified")
    ids = list(Tool.objects.order_by("pk").values_list("pk", flat=True)[:32])
    Tool.objects.filter(pk__in=ids).update(
        status="quarantined", gate_status="quarantined", reason="writes: expected a change of state"
    )
    return list(Tool.objects.filter(pk__in=ids).order_by("pk"))


def decide(client: Client, tool: Tool, query: str = "", **data: str) -> Any:
    return client.post(f"/review/{tool.public_id}/decide/{query}", data)


def test_each_decision_leads_to_the_next_item(client_as: Any, waiting: list[Tool]) -> None:
    client = client_as("curator")
    start = client.get("/review/next/")
    assert start["Location"] == f"/review/{waiting[0].public_id}/"
    first = decide(client, waiting[0], kind="quarantine", reason_code="wrong_state_change")
    assert client.get(first["Location"])["Location"] == f"/review/{waiting[1].public_id}/"
    second = decide(client, waiting[1], kind="approve", reason_code="check_too_strict")
    assert client.get(second["Location"])["Location"] == f"/review/{waiting[2].public_id}/"
    statuses = list(Tool.objects.filter(pk__in=[waiting[0].pk, waiting[1].pk]).order_by("pk").values_list("status"))
    assert statuses == [("quarantined",), ("verified",)]
    left = set(decisions.waiting(Tool.objects.all()).values_list("pk", flat=True))
    assert left == {tool.pk for tool in waiting[2:]}


def test_skipping_the_last_begins_again_and_an_empty_queue_says_so(client_as: Any, waiting: list[Tool]) -> None:
    client = client_as("curator")
    assert client.get(f"/review/next/?after={waiting[-1].pk}")["Location"] == f"/review/{waiting[0].public_id}/"
    Tool.objects.update(status="verified")
    assert client.get("/review/next/")["Location"] == "/review/"
    assert b"Queue clear" in client.get("/review/").content


def test_a_filter_stays_through_decisions(client_as: Any, waiting: list[Tool]) -> None:
    client = client_as("curator")
    slug = Service.objects.filter(tools__in=waiting).annotate(n=Count("tools")).order_by("n")[0].slug
    inside = [tool for tool in waiting if tool.service.slug == slug]
    response = decide(client, inside[0], f"?service={slug}", kind="changes", reason="The error should say which id.")
    assert f"service={slug}" in response["Location"]
    page = client.get(response["Location"], follow=True)
    assert page.context["tool"].service.slug == slug
    assert page.context["count"] == len(inside) - 1


def test_a_missing_reason_keeps_the_item_and_decides_nothing(client_as: Any, waiting: list[Tool]) -> None:
    client = client_as("curator")
    for data in ({"kind": "quarantine"}, {"kind": "approve"}, {"kind": "quarantine", "reason_code": "other"}):
        response = decide(client, waiting[0], **data)
        assert (response.status_code, b"Not decided" in response.content) == (422, True)
    assert b"WORKBENCH_WORLD_MODEL" in decide(client, waiting[0], kind="simulate").content
    assert not ToolDecision.objects.exists()


def test_only_curators_decide(client_as: Any, waiting: list[Tool]) -> None:
    client = client_as("trainer")
    assert decide(client, waiting[0], kind="quarantine", reason_code="not_deterministic").status_code == 403
    assert client.post("/tools/decide/", {"action": "quarantine"}).status_code == 403
    page = client.get(f"/review/{waiting[0].public_id}/").content
    assert b"needs the role of a curator" in page
    assert b"why-quarantine" not in page


def test_what_changed_since_the_last_decision_is_shown(client_as: Any, waiting: list[Tool]) -> None:
    client, tool = client_as("curator"), waiting[0]
    decide(client, tool, kind="quarantine", reason_code="wrong_state_change")
    old = tool.service.current
    assert old is not None
    name = next(file for file, text in sorted(old.files.items()) if f"def {tool.name}(" in text)
    files = {
        **old.files,
        name: old.files[name].replace(f"def {tool.name}(", f"def {tool.name}(  # now with care\n    "),
    }
    new = ServiceVersion.objects.create(
        service=tool.service, number=9, version_hash="f" * 32, builder="hand", files=files, description=old.description
    )
    Service.objects.filter(pk=tool.service_id).update(current=new)
    page = client.get(f"/review/{tool.public_id}/")
    assert b"Changed since the last decision" in page.content
    assert b"now with care" in page.content
    assert tool.pk in set(decisions.waiting(Tool.objects.all()).values_list("pk", flat=True))


def test_the_focused_page_asks_few_questions(
    client_as: Any, waiting: list[Tool], django_assert_max_num_queries: Any
) -> None:
    client = client_as("curator")
    decide(client, waiting[0], kind="quarantine", reason_code="wrong_state_change")
    for path in (f"/review/{waiting[1].public_id}/", "/review/", "/tools/?status=quarantined"):
        client.get(path)
        with django_assert_max_num_queries(12):
            assert client.get(path).status_code == 200


# Many at once


def bulk(client: Client, **data: str) -> Any:
    return client.post("/tools/decide/", data)


def test_a_filter_is_quarantined_exactly_and_one_undo_restores_it(client_as: Any, db: None) -> None:
    install_services()
    client = client_as("curator")
    tool = Tool.objects.filter(service__slug="mail").order_by("position")[0]
    tool.status, tool.reason = "quarantined", "by the gate"
    tool.save()
    before = dict(Tool.objects.values_list("pk", "status"))
    query = urlencode({"service": "mail", "q": "message"})
    matching = set(decisions.Selection(query={"service": "mail", "q": "message"}).tools().values_list("pk", flat=True))
    shown = bulk(client, action="quarantine", scope="filter", query=query)
    assert shown.context["preview"].matched == len(matching)
    assert set(before.values()) != {"quarantined"}
    changing = shown.context["preview"].changing
    wanted = {"action": "quarantine", "scope": "filter", "query": query, "reason_code": "not_deterministic"}
    assert bulk(client, **wanted, confirm="1", expected=str(changing)).status_code == 302
    after = dict(Tool.objects.values_list("pk", "status"))
    assert {pk for pk in after if after[pk] != before[pk]} == {pk for pk in matching if before[pk] != "quarantined"}
    one = BulkDecision.objects.get()
    assert one.count == changing
    assert ToolDecision.objects.filter(bulk=one).count() == changing
    client.post(f"/tools/decisions/{one.public_id}/undo/")
    assert dict(Tool.objects.values_list("pk", "status")) == before
    assert client.post(f"/tools/decisions/{one.public_id}/undo/").status_code == 409


def test_undo_leaves_what_somebody_decided_since(client_as: Any, db: None) -> None:
    install_services()
    client = client_as("curator")
    names = list(Tool.objects.filter(service__slug="crm").order_by("pk")[:3])
    selection = decisions.Selection(ids=tuple(tool.pk for tool in names))
    one = decisions.decide_many(
        selection=selection, kind="quarantine", by=client.user, reason_code="other", reason="A doubt."
    )
    fresh = Tool.objects.select_related("service__current").get(pk=names[0].pk)
    decisions.decide(tool=fresh, kind="approve", by=client.user, reason="It is fine.")
    assert decisions.undo_many(bulk=one, by=client.user) == (2, 1)
    assert {tool.status for tool in Tool.objects.filter(pk__in=[tool.pk for tool in names])} == {"verified"}


def test_another_count_than_the_one_shown_is_a_conflict(client_as: Any, db: None) -> None:
    install_services()
    client = client_as("curator")
    wanted = {"action": "quarantine", "scope": "filter", "query": "service=crm", "reason_code": "not_deterministic"}
    assert bulk(client, **wanted, confirm="1", expected="2").status_code == 409
    assert not BulkDecision.objects.exists()


def test_a_quarantine_makes_exactly_its_tasks_stale(client_as: Any, db: None) -> None:
    install_services()
    install_tasks()
    client, tasks = client_as("curator"), list(Task.objects.order_by("pk"))
    played = install_trajectory(tasks[0], RULE_POLICIES["reference"]())
    tool = Tool.objects.filter(task_uses__task=tasks[0]).exclude(task_uses__task=tasks[1])[0]
    using = set(Task.objects.filter(tool_uses__tool=tool).values_list("pk", flat=True))
    one = decisions.decide_many(
        selection=decisions.Selection(ids=(tool.pk,)),
        kind="quarantine",
        by=client.user,
        reason_code="not_deterministic",
    )
    assert set(Task.objects.filter(status="stale").values_list("pk", flat=True)) == using
    shown = client.get("/trajectories/?task__status=stale").context["page"].rows
    assert {row.task_id for row in shown} == using & {played.task_id}
    decisions.undo_many(bulk=one, by=client.user)
    assert not Task.objects.filter(status="stale").exists()


def test_two_quarantines_of_one_task_need_both_undone(client_as: Any, db: None) -> None:
    install_services()
    install_tasks()
    client, task = client_as("curator"), Task.objects.order_by("pk")[0]
    first, second = list(
        Tool.objects.filter(task_uses__task=task).select_related("service__current").order_by("pk")[:2]
    )
    one = decisions.decide(tool=first, kind="quarantine", by=client.user, reason_code="not_deterministic")
    decisions.decide(tool=second, kind="quarantine", by=client.user, reason_code="not_deterministic")
    decisions.undo(decision=one, by=client.user)
    task.refresh_from_db()
    assert task.status == "stale"


# Kept cases


def test_a_call_is_kept_as_a_case_and_removed(client_as: Any, db: None) -> None:
    install_services()
    client = client_as("curator")
    tool = Tool.objects.get(service__slug="mail", name="get_message")
    page = tool.get_absolute_url()
    tried = client.post(f"{page}try/", {"mode": "json", "json": '{"message_id": "nope"}'}, HTTP_HX_TARGET="trial")
    assert b"Save: must be refused" in tried.content
    saved = {"arguments": '{"message_id": "nope"}', "outcome": "refused", "note": "An unknown id."}
    assert client.post(f"{page}cases/", saved).status_code == 302
    case = AdversarialCase.objects.get()
    assert (case.arguments, case.expected) == ({"message_id": "nope"}, {"outcome": "refused", "unchanged": True})
    assert b"An unknown id." in client.get(page).content
    client.post(f"{page}cases/", {"arguments": "{", "outcome": "refused"})
    client.post(f"{page}cases/", {"arguments": "{}", "outcome": "maybe"})
    assert AdversarialCase.objects.count() == 1
    client.post(f"/services/cases/{case.public_id}/remove/")
    assert not AdversarialCase.objects.exists()


def test_rest_decides_many_and_keeps_cases(api_as: Any, db: None) -> None:
    install_services()
    client = api_as("review:write", "catalog:read", role="curator")
    body = {"kind": "quarantine", "filter": {"service": "crm"}, "reason_code": "not_deterministic"}
    shown = client.post("/api/v1/tools/decide", {**body, "preview": True}, format="json")
    assert (shown.status_code, shown.json()["id"]) == (200, None)
    made = client.post("/api/v1/tools/decide", {**body, "expected": shown.json()["count"]}, format="json")
    assert made.status_code == 201
    assert made.json()["count"] == Tool.objects.filter(service__slug="crm").count()
    undone = client.post(f"/api/v1/bulk-decisions/{made.json()['id']}/undo", format="json")
    assert undone.json() == {"restored": made.json()["count"], "left": 0}
    for bad in (
        {"kind": "quarantine"},
        {**body, "tools": []},
        {**body, "filter": {"status": "no"}},
        {**body, "kind": "x"},
    ):
        assert client.post("/api/v1/tools/decide", bad, format="json").status_code == 422
    tool = Tool.objects.filter(service__slug="crm")[0]
    asked = {"arguments": {"a": 1}, "outcome": "refused"}
    case = client.post(f"/api/v1/tools/{tool.public_id}/cases", asked, format="json")
    assert case.status_code == 201
    assert [one["id"] for one in client.get(f"/api/v1/tools/{tool.public_id}/cases").json()["data"]] == [
        case.json()["id"]
    ]
    assert client.delete(f"/api/v1/cases/{case.json()['id']}").status_code == 204
    assert not AdversarialCase.objects.exists()
