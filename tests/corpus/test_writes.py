"""Writing tools of public specifications, built by the rules and called in the sandbox: they do what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from services_app.builders.rules import build_with_rules
from services_app.engine.remote import ServiceHost
from services_app.specs.files import load_file
from workers.sandbox.process import SandboxProcess

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "mcp"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the public specifications are not here")
Service = Callable[..., Any]


@pytest.fixture(scope="module")
def processes() -> Iterator[dict[str, tuple[SandboxProcess, Any]]]:
    opened: dict[str, tuple[SandboxProcess, Any]] = {}
    yield opened
    for process, _ in opened.values():
        process.close()


@pytest.fixture
def service(processes: dict[str, tuple[SandboxProcess, Any]]) -> Callable[[str], Any]:
    """`service("stripe-mcp")` is a fresh application: `.call(tool, **arguments)`, `.rows(table)`."""
    return partial(_open, processes)


class Mounted:
    def __init__(self, slug: str, environment: Any, left_out: dict[str, str]) -> None:
        self.slug, self.environment, self.left_out = slug, environment, left_out

    def call(self, tool: str, /, **arguments: Any) -> Any:
        found = self.environment.call(self.slug, tool, arguments)
        return found["data"] if found["success"] else found["error"]

    def rows(self, table: str) -> list[dict[str, Any]]:
        return list(self.environment.state()[self.slug][table])


def _open(processes: dict[str, tuple[SandboxProcess, Any]], slug: str) -> Mounted:
    if slug not in processes:
        built = build_with_rules(load_file(FOLDER / f"{slug}.json"))
        processes[slug] = (SandboxProcess("services_app.engine.host", files=built.packaged()), built)
    process, built = processes[slug]
    environment = ServiceHost(process, {built.slug: built.module}).mount([built.slug], scale="small")
    return Mounted(built.slug, environment, built.left_out)


def test_poll_choice_changes_in_its_poll_only(service: Any) -> None:
    canvas = service("mcparmory-canvas")
    choice = canvas.rows("poll_choices")[0]
    other = next(row["poll_id"] for row in canvas.rows("poll_choices") if row["poll_id"] != choice["poll_id"])
    sent = {"id": choice["id"], "poll_choices_text": ["Green"]}
    assert canvas.call("update_poll_choice", poll_id=choice["poll_id"], **sent)["poll_choices_text"] == ["Green"]
    assert canvas.call("update_poll_choice", poll_id=other, **sent)["code"] == 404
    assert canvas.call("update_poll_choice", poll_id="nope", **sent)["code"] == 404
    assert canvas.rows("poll_choices")[0]["poll_choices_text"] == ["Green"]


def test_module_item_completion_changes_over_and_back(service: Any) -> None:
    canvas = service("mcparmory-canvas")
    item = canvas.rows("module_items")[0]
    sent = {name: item[name] for name in ("id", "course_id", "module_id")}
    first = canvas.call("toggle_module_item_completion", **sent)["done"]
    second = canvas.call("toggle_module_item_completion", **sent)["done"]
    assert first is not second


def test_chat_gets_its_id_from_the_server_and_a_brief_answer_when_asked(service: Any) -> None:
    graph = service("softeria-ms-365-mcp-server")
    made = graph.call("create-chat", body={"id": "mine", "topic": "Harbour", "chatType": "group"})
    assert made["id"] != "mine"
    assert made["topic"] == "Harbour"
    assert graph.call("create-chat", body={"topic": "Quiet"}, excludeResponse=True) == {"success": True}


def test_tentative_answer_is_kept_on_the_event(service: Any) -> None:
    graph = service("softeria-ms-365-mcp-server")
    event = graph.rows("calendar_events")[0]
    answer = graph.call("tentatively-accept-calendar-event", eventId=event["id"], body={"Comment": "Perhaps"})
    assert "tentative" in str(answer)
    assert answer["Comment"] == "Perhaps"


def test_locked_key_refuses_change_and_removal_until_unlocked(service: Any) -> None:
    azure = service("azure-mcp")
    where = {"account": "north", "key": "colour"}
    assert azure.call("appconfig_kv_set", value="blue", **where)["value"] == "blue"
    assert azure.call("appconfig_kv_lock_set", lock=True, **where)["lock"] is True
    assert azure.call("appconfig_kv_set", value="red", **where)["type"] == "locked"
    assert azure.call("appconfig_kv_delete", **where)["type"] == "locked"
    azure.call("appconfig_kv_lock_set", lock=False, **where)
    assert azure.call("appconfig_kv_set", value="red", **where)["value"] == "red"
    assert azure.call("appconfig_kv_delete", **where)["deleted"] is True


def test_spend_limit_is_made_once_per_idempotency_key(service: Any) -> None:
    ramp = service("mcparmory-ramp")
    user = ramp.rows("users")[0]["id"]
    sent = {"idempotency_key": "k-1", "user_id": user}
    required = {"spending_restrictions": {"interval": "MONTHLY", "limit": {"amount": 5, "currency_code": "EUR"}}}
    first = ramp.call("create_spend_limit", **sent, **required)
    count = len(ramp.rows("spend_limits"))
    assert ramp.call("create_spend_limit", **sent, **required)["id"] == first["id"]
    assert len(ramp.rows("spend_limits")) == count
    assert ramp.call("create_spend_limit", **{**sent, "user_id": "nobody", "idempotency_key": "k-2"})["code"] == 404


def test_user_is_deactivated_once(service: Any) -> None:
    ramp = service("mcparmory-ramp")
    first = next(
        found for row in ramp.rows("users") if "code" not in (found := ramp.call("deactivate_user", user_id=row["id"]))
    )
    assert "inactive" in str(first).lower()
    assert ramp.call("deactivate_user", user_id=first["id"])["code"] == 409


def test_fulfilment_is_opened_under_an_order_that_exists(service: Any) -> None:
    shop = service("mcparmory-shopify-admin")
    row = next(row for row in shop.rows("fulfillments") if row["status"] != "open")
    order = row["order_id"] or shop.rows("orders")[0]["id"]
    assert shop.call("open_fulfillment", fulfillment_id=row["id"], order_id="nope")["code"] == 404
    assert shop.call("open_fulfillment", fulfillment_id=row["id"], order_id=order)["status"] == "open"
    assert shop.call("open_fulfillment", fulfillment_id=row["id"], order_id=order)["code"] == 409


def test_legal_hold_keeps_to_its_case(service: Any) -> None:
    miro = service("mcparmory-miro")
    hold = miro.rows("legal_holds")[0]
    sent = {"legal_hold_id": hold["id"], "name": "Audit", "scope": {"users": [{"email": "a@b.example"}]}}
    where = {"org_id": hold["org_id"] or miro.rows("organizations")[0]["id"], "case_id": hold["case_id"]}
    found = miro.call("update_legal_hold", **where, **sent)
    assert (found["name"], found["scope"]) == ("Audit", sent["scope"])
    other = next((row["case_id"] for row in miro.rows("legal_holds") if row["case_id"] != hold["case_id"]), None)
    assert other is None or miro.call("update_legal_hold", **{**where, "case_id": other}, **sent)["code"] == 404


def test_issue_needs_a_title_to_be_made_and_a_number_to_be_changed(service: Any) -> None:
    hub = service("github-mcp-server")
    row = hub.rows("issues")[0]
    where = {"owner": row["owner"], "repo": row["repo"]}
    assert hub.call("issue_write", method="create", **where)["type"] == "missing_argument"
    assert hub.call("issue_write", method="update", title="New", **where)["type"] == "missing_argument"
    made = hub.call("issue_write", method="create", title="Leak", **where)
    changed = hub.call("issue_write", method="update", issue_number=made["issue_number"], title="Leak 2", **where)
    assert (changed["id"], changed["title"]) == (made["id"], "Leak 2")


def test_subscription_is_one_of_its_words_or_gone(service: Any) -> None:
    hub = service("github-mcp-server")
    where = {"owner": "ana", "repo": "harbour"}
    assert hub.call("manage_repository_notification_subscription", action="watch", **where)["state"] == "watch"
    again = hub.call("manage_repository_notification_subscription", action="ignore", **where)
    assert again["state"] == "ignore"
    assert hub.call("manage_repository_notification_subscription", action="delete", **where)["deleted"] is True
    assert hub.call("manage_repository_notification_subscription", action="delete", **where)["code"] == 404


def test_document_comes_back_from_the_trash(service: Any) -> None:
    outline = service("mcparmory-outline")
    row = outline.rows("documents")[0]
    outline.call("delete_document", id=row["id"])
    assert row["id"] not in [other["id"] for other in outline.rows("documents")]
    assert outline.call("restore_document", id=row["id"])["id"] == row["id"]
    assert outline.call("restore_document", id=row["id"])["code"] == 409


def test_only_a_draft_invoice_is_finalised(service: Any) -> None:
    stripe = service("stripe-mcp")
    for row in stripe.rows("invoices"):
        found = stripe.call("finalize_invoice", invoice=row["id"])
        assert found.get("status") == "open" if row["status"] == "draft" else found["code"] == 409
    assert {row["status"] for row in stripe.rows("invoices")} >= {"open"}


def test_subscription_is_cancelled_and_not_twice(service: Any) -> None:
    paddle = service("paddle-paddle-mcp")
    row = next(row for row in paddle.rows("subscriptions") if row["status"] == "active")
    later = paddle.call("cancel_subscription", subscriptionId=row["id"])
    assert (later["status"], later["scheduled_change"]["status"]) == ("active", "canceled")
    sent = {"subscriptionId": row["id"], "effectiveFrom": "immediately"}
    assert paddle.call("cancel_subscription", **sent)["status"] == "canceled"
    assert paddle.call("cancel_subscription", **sent)["code"] == 409


def test_member_who_was_removed_for_good_stays_away(service: Any) -> None:
    mail = service("mcp-mailchimp")
    row = next(row for row in mail.rows("members") if row.get("email"))
    where = {"list_id": row["list_id"], "email": row["email"]}
    assert "deleted" in str(mail.call("delete_member_permanent", **where))
    assert mail.call("add_or_update_member", **where)["code"] == 403


def test_record_of_free_fields_needs_its_base_and_table(service: Any) -> None:
    airtable = service("airtable-mcp-server")
    base, table = airtable.rows("bases")[0]["id"], airtable.rows("tables")[0]["id"]
    made = airtable.call("create_record", baseId=base, tableId=table, fields={"Plate": "XY 1"})
    assert made["fields"] == {"Plate": "XY 1"}
    assert airtable.call("create_record", baseId="nope", tableId=table, fields={})["code"] == 404


def test_observations_are_added_to_what_exists_and_once(service: Any) -> None:
    memory = service("modelcontextprotocol-server-memory")
    name = memory.rows("entities")[0]["name"]
    sent = {"observations": [{"entityName": name, "contents": ["likes tea"]}]}
    memory.call("add_observations", **sent)
    memory.call("add_observations", **sent)
    assert str(memory.call("read_graph")).count("likes tea") == 1
    assert memory.call("add_observations", observations=[{"entityName": "nobody", "contents": ["x"]}])["code"] == 404


def test_checklist_item_changes_on_its_card_only(service: Any) -> None:
    trello = service("delorenj-mcp-server-trello")
    row = trello.rows("checklist_items")[0]
    sent = {"checkItemId": row["id"], "state": "complete", "name": "Oars"}
    found = trello.call("update_checklist_item", cardId=row["card_id"] if "card_id" in row else row["cardId"], **sent)
    assert (found["state"], found["name"]) == ("complete", "Oars")
    assert trello.call("update_checklist_item", cardId="nope", **sent)["code"] == 404


def test_labels_of_a_message_are_added_and_removed(service: Any) -> None:
    gmail = service("shinzo-labs-gmail-mcp")
    message, label = gmail.rows("messages")[0]["id"], gmail.rows("labels")[0]["id"]
    assert label in gmail.call("modify_message", id=message, addLabelIds=[label])["labelIds"]
    assert label not in gmail.call("modify_message", id=message, removeLabelIds=[label])["labelIds"]
    assert gmail.call("modify_message", id=message, addLabelIds=["nope"])["code"] == 404


def test_order_that_is_filled_is_not_cancelled(service: Any) -> None:
    broker = service("alpaca-mcp-server")
    outcomes = {row["status"]: broker.call("cancel_order_by_id", order_id=row["id"]) for row in broker.rows("orders")}
    assert any("cancel" in str(found.get("status")) for found in outcomes.values())
    assert all(found["code"] == 409 for status, found in outcomes.items() if status in ("filled", "canceled"))


def test_conversations_are_changed_one_by_one(service: Any) -> None:
    ebay = service("ebay-mcp")
    row = ebay.rows("conversations")[0]["id"]
    sent = [{"conversationId": row, "conversationStatus": "ARCHIVE"}, {"conversationId": "nope"}]
    found = ebay.call("ebay_bulk_update_conversation", conversations=sent)
    assert "ARCHIVE" in str(ebay.rows("conversations")[0])
    assert "nope" in str(found)


def test_cloned_campaign_has_its_own_id_and_name(service: Any) -> None:
    ebay = service("ebay-mcp")
    row = ebay.rows("campaigns")[0]
    made = ebay.call("ebay_clone_campaign", campaignId=row["id"], request={"campaignName": "Second"})
    assert made["id"] != row["id"]
    assert made["campaignName"] == "Second"
    assert ebay.rows("campaigns")[0] == row


def test_reply_belongs_to_its_thread(service: Any) -> None:
    slack = service("zencoderai-slack-mcp-server")
    channel = slack.rows("channels")[0]["id"]
    made = slack.call("slack_reply_to_thread", channel_id=channel, thread_ts="1767345600.000100", text="Agreed")
    assert (made["thread_ts"], made["text"]) == ("1767345600.000100", "Agreed")
    assert slack.call("slack_reply_to_thread", channel_id="nope", thread_ts="1.0", text="x")["code"] == 404
