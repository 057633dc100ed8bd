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


def test_reply_is_no_root_message(service: Any) -> None:
    slack = service("zencoderai-slack-mcp-server")
    channel, thread = slack.rows("channels")[0]["id"], "1767345600.000100"
    root = slack.call("slack_post_message", channel_id=channel, text="Root")["id"]
    reply = slack.call("slack_reply_to_thread", channel_id=channel, thread_ts=thread, text="Agreed")["id"]
    history = slack.call("slack_get_channel_history", channel_id=channel, limit=100)["messages"]
    replies = slack.call("slack_get_thread_replies", channel_id=channel, thread_ts=thread)["messages"]
    assert slack.call("slack_reply_to_thread", channel_id="nope", thread_ts=thread, text="x")["code"] == 404
    assert root in [row["id"] for row in history]
    assert reply not in [row["id"] for row in history]
    assert [row["id"] for row in replies] == [reply]


def test_fulfilment_of_another_order_is_not_opened(service: Any) -> None:
    shop = service("mcparmory-shopify-admin")
    row = next(row for row in shop.rows("fulfillments") if row["order_id"] and row["status"] != "open")
    other = next(order["id"] for order in shop.rows("orders") if order["id"] != row["order_id"])
    assert shop.call("open_fulfillment", fulfillment_id=row["id"], order_id=other)["code"] == 404


def test_reason_of_a_state_is_kept_on_closing_only(service: Any) -> None:
    hub = service("github-mcp-server")
    made = hub.call("issue_write", method="create", owner="ana", repo="dock", title="Leak", state="open")
    where = {"method": "update", "owner": "ana", "repo": "dock", "issue_number": made["issue_number"]}
    assert hub.call("issue_write", title="Leaks", state_reason="completed", **where)["state_reason"] is None
    closed = hub.call("issue_write", state="closed", state_reason="completed", **where)
    assert (closed["state"], closed["state_reason"]) == ("closed", "completed")
    assert hub.call("issue_write", state="open", state_reason="completed", **where)["state_reason"] is None
    assert hub.call("issue_write", state="closed", state_reason="duplicate", **where)["type"] == "missing_argument"


def test_overrides_are_added_to_their_schedule(service: Any) -> None:
    duty = service("mcparmory-pagerduty")
    schedule, other = [row["id"] for row in duty.rows("schedules")][:2]
    member = {"type": "user_member", "user_id": duty.rows("users")[0]["id"]}
    hours = {"start_time": "2026-03-01T08:00:00Z", "end_time": "2026-03-01T18:00:00Z"}
    override = {"type": "override_shift", "overridden_member": member, "overriding_member": member, **hours}
    header = {"X-EARLY-ACCESS": "flexible-schedules-early-access"}
    assert duty.call("create_schedule_overrides", id=schedule, overrides=[override])["code"] == 400
    assert duty.call("create_schedule_overrides", id="nope", overrides=[override], **header)["code"] == 404
    (made,) = duty.call("create_schedule_overrides", id=schedule, overrides=[override], **header)["schedule_overrides"]
    window = {"since": "2026-03-01T00:00:00Z", "until": "2026-03-02T00:00:00Z", **header}
    shown = duty.call("list_schedule_overrides", id=schedule, **window)["schedule_overrides"]
    assert made["id"] in [row["id"] for row in shown]
    assert made["id"] not in str(duty.call("list_schedule_overrides", id=other, **window))


def test_issue_takes_a_status_by_its_name_with_a_comment(service: Any) -> None:
    jira = service("jira-admin-mcp")
    issue = jira.rows("issues")[0]
    sent = {"issue_key": issue["issue_key"], "target_status": "DONE", "comment": "Shipped", "resolution": "Done"}
    found = jira.call("jira_issues_transition", **sent)
    assert (found["from_status"], found["to_status"]) == (issue["status"], "Done")
    assert jira.rows("issues")[0]["resolution"] == "Done"
    assert "Shipped" in str(jira.call("jira_comments_list", issue_key=issue["issue_key"]))
    unknown = jira.call("jira_issues_transition", issue_key=issue["issue_key"], target_status="Lost", comment="x")
    assert unknown["type"] == "unknown_status"


def test_event_decides_the_state_of_a_review(service: Any) -> None:
    hub = service("composio-github")
    row = hub.rows("reviews")[0]
    review = partial(
        hub.call, "GITHUB_CREATE_A_REVIEW_FOR_A_PULL_REQUEST", owner=row["owner"], repo=row["repo"], pull_number=1
    )
    assert review(event="COMMENT")["type"] == "missing_argument"
    assert review(event="REQUEST_CHANGES")["type"] == "missing_argument"
    review(event="REQUEST_CHANGES", body="Tests, please")
    review(event="APPROVE")
    review()
    assert [made["state"] for made in hub.rows("reviews")[-3:]] == ["CHANGES_REQUESTED", "APPROVED", "PENDING"]


def test_drafts_become_notes_together(service: Any) -> None:
    lab = service("zereight-mcp-gitlab")
    draft = lab.rows("draft_notes")[0]
    where = {"project_id": draft["project_id"], "merge_request_iid": draft["merge_request_iid"]}
    mine = [row for row in lab.rows("draft_notes") if where.items() <= row.items()]
    found = lab.call("bulk_publish_draft_notes", note="All fine", reviewer_state="reviewed", internal=True, **where)
    assert [row["body"] for row in found["published"]] == [*(row["body"] for row in mine), "All fine"]
    assert found["published"][-1]["internal"] is True
    assert draft["id"] not in [row["id"] for row in lab.rows("draft_notes")]
    assert "All fine" in str(lab.call("get_merge_request_notes", **where))
    assert lab.call("bulk_publish_draft_notes", **where) == {"published": []}


def test_setting_is_its_default_again(service: Any) -> None:
    search = service("devlimelabs-meilisearch-ts-mcp")
    index = {"indexUid": search.rows("indices")[0]["id"]}
    words, synonyms = (search.call(f"get-{name}", **index) for name in ("stop-words", "synonyms"))
    assert words["stop_words"] is not None
    search.call("update-stop-words", value="the", **index)
    assert search.call("get-stop-words", **index)["stop_words"] == "the"
    assert search.call("reset-stop-words", **index)["stop_words"] is None
    assert search.call("get-stop-words", **index)["stop_words"] is None
    assert search.call("get-synonyms", **index) == synonyms


def test_card_moves_only_from_the_column_where_it_lies(service: Any) -> None:
    board = service("casys-mcp-erpnext")
    card = board.rows("cards")[0]
    move = partial(board.call, "erpnext_kanban_move_card", doctype=card["doctype"], card_id=card["id"])
    assert move(from_column="elsewhere", to_column="Done")["type"] == "moved_meanwhile"
    assert move(from_column=card["column"], to_column="Done")["column"] == "Done"
    assert move(from_column=card["column"], to_column="Done")["type"] == "moved_meanwhile"


def test_announcement_goes_with_the_token_of_its_preview(service: Any) -> None:
    canvas = service("canvas-mcp")
    row = canvas.rows("announcements")[0]
    sent = {"announcement_id": row["id"], "course_identifier": row["course_identifier"]}
    delete = partial(canvas.call, "delete_announcement_with_confirmation", **sent)
    token = delete()["confirmation_token"]
    assert canvas.rows("announcements")[0] == row
    assert delete(confirmation_token="guess")["type"] == "wrong_token"
    assert delete(confirmation_token=token, require_title_match="Other")["type"] == "mismatch"
    assert delete(confirmation_token=token, require_title_match=row["title"])["deleted"] is True
    assert row["id"] not in [other["id"] for other in canvas.rows("announcements")]


def test_item_of_a_checklist_is_done_by_its_position(service: Any) -> None:
    tasks = service("landicefu-divide-and-conquer-mcp-server")
    count = len(tasks.rows("checklist_items"))
    tasks.call("mark_task_undone", index=count - 1)
    assert tasks.rows("checklist_items")[-1]["done"] is False
    assert tasks.call("mark_task_done", index=count - 1)["done"] is True
    assert tasks.call("mark_task_done", index=count)["type"] == "out_of_range"


def test_merged_version_is_gone(service: Any) -> None:
    jira = service("mcparmory-atlassian-jira")
    source, target = [row["id"] for row in jira.rows("versions")][:2]
    assert jira.call("merge_versions", id=source, moveIssuesTo=source)["type"] == "same_record"
    assert jira.call("merge_versions", id=source, moveIssuesTo="nope")["code"] == 404
    assert jira.call("merge_versions", id=source, moveIssuesTo=target)["id"] == target
    assert source not in [row["id"] for row in jira.rows("versions")]


def test_operation_decides_what_happens_to_a_task(service: Any) -> None:
    motion = service("motionmcp")
    task, place = motion.rows("tasks")[0]["id"], motion.rows("workspaces")[-1]["id"]
    assert motion.call("motion_tasks", operation="move", taskId=task)["type"] == "missing_argument"
    assert motion.call("motion_tasks", operation="move", targetWorkspaceId=place)["type"] == "missing_argument"
    motion.call("motion_tasks", operation="move", taskId=task, targetWorkspaceId=place)
    found = motion.call("motion_tasks", operation="list", workspaceId=place)["tasks"]
    assert task in [row["id"] for row in found]
    assert {row["workspaceId"] for row in found} == {place}


def test_folders_are_copied_or_moved(service: Any) -> None:
    postman = service("postman-postman-mcp-server")
    folder, place = postman.rows("collection_folders")[0], postman.rows("collections")[-1]["id"]
    count = len(postman.rows("collection_folders"))
    sent = {"location": {"position": "end"}, "target": {"id": place, "model": "collection"}}
    (twin,) = postman.call("transferCollectionFolders", ids=[folder["id"]], mode="copy", **sent)["collection_folders"]
    assert twin["collectionId"] == place
    assert postman.rows("collection_folders")[0] == folder
    postman.call("transferCollectionFolders", ids=[folder["id"]], mode="move", **sent)
    assert postman.rows("collection_folders")[0]["collectionId"] == place
    assert len(postman.rows("collection_folders")) == count + 1
    missing = postman.call("transferCollectionFolders", ids=[folder["id"], "nope"], mode="copy", **sent)
    assert missing["code"] == 404
    assert len(postman.rows("collection_folders")) == count + 1
