"""What descriptions state: what exists is changed, what is protected stays, which arguments go together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.remote import ServiceHost
from services_app.specs.model import Specification
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of
from workers.sandbox.process import SandboxProcess

FLAG = {"type": "boolean"}


def _said(kind: dict[str, Any], words: str) -> dict[str, Any]:
    return {**kind, "description": words}


def _records() -> tuple[dict[str, Any], ...]:
    hook = {"name": TEXT, "url": TEXT}
    sender = {"type": "object", "properties": {"name": TEXT, "address": TEXT}}
    ledger = {"name": TEXT, "state": {"type": "string", "enum": ["draft", "posted", "void"]}}
    return (
        tool("create_page", {"wiki_id": TEXT, "path": TEXT, "content": TEXT}, "wiki_id path content",
             description="Create a page. If the page already exists at the specified path, it will be updated."),
        tool("list_pages", {"wiki_id": TEXT}),
        tool("create_wiki", {"name": TEXT}, "name"),
        tool("create_override", {"sender_address": sender, "kind": TEXT}, "sender_address kind",
             description="Add one. If an override already exists for that address, the existing override is updated."),
        tool("list_overrides"),
        tool("delete_wiki", {"wiki_id": TEXT}, "wiki_id", description="Delete a wiki. The wiki must be empty."),
        tool("create_hook", hook, "name", description="Add a hook. Fails if a hook with the same name already exists."),
        tool("list_hooks"),
        tool("create_badge", {"title": _said(TEXT, "Title. Must be unique."), "colour": TEXT}, "title"),
        tool("list_badges"),
        tool("list_diaries"),
        tool("create_diary", {"name": TEXT}, "name"),
        tool("update_diary", {"diary_id": TEXT, "name": TEXT}, "diary_id"),
        tool("delete_diary", {"diary_id": TEXT}, "diary_id", description="The default diary cannot be deleted."),
        tool("create_ledger", ledger, "name state"),
        tool("list_ledgers"),
        tool("update_ledger", {"ledger_id": TEXT, "name": TEXT}, "ledger_id",
             description="Change a ledger. Only ledgers with draft status can be updated."),
        tool("delete_ledger", {"ledger_id": TEXT}, "ledger_id", description="Only void ledgers can be deleted."),
    )  # fmt: skip


def _arguments() -> tuple[dict[str, Any], ...]:
    post = {
        "text": _said(TEXT, "The caption (max 2,200 characters)."),
        "tags": _said({"type": "array", "items": TEXT}, "Tags, up to 3 items."),
        "at": TEXT,
        "repeat": {"type": "string", "enum": ["never", "daily", "weekly"]},
        "until": _said(TEXT, "Last day. Required when repeat is daily or weekly."),
        "zone": _said(TEXT, "Required if at is set."),
    }
    sale = {
        "code": TEXT,
        "percent": _said(WHOLE, "Required if amount is not provided. Mutually exclusive with amount."),
        "amount": WHOLE,
        "note": _said(TEXT, "Cannot be combined with the moon."),
    }
    body = {"type": "object", "properties": {"name": TEXT, "size": WHOLE}}
    return (
        tool("create_post", post),
        tool("list_posts"),
        tool("create_sale", sale, "code"),
        tool("list_sales"),
        tool("create_crate", {"body": body}, "body"),
        tool("list_crates"),
        tool("get_member", {"member_id": TEXT, "email": TEXT},
             description="One member. Provide exactly one of member_id or email."),
        tool("create_member", {"email": TEXT, "name": TEXT}, "email name"),
    )  # fmt: skip


def office() -> Specification:
    return spec_of(*_records(), *_arguments(), name="office")


@pytest.fixture(scope="module")
def built() -> BuiltService:
    return build_with_rules(office())


@pytest.fixture(scope="module")
def host(built: BuiltService) -> Iterator[ServiceHost]:
    with SandboxProcess("services_app.engine.host", files=built.packaged()) as process:
        yield ServiceHost(process, {built.slug: built.module})


@pytest.fixture
def call(host: ServiceHost, built: BuiltService) -> Callable[..., Any]:
    environment = host.mount([built.slug])

    def make(name: str, /, **arguments: Any) -> Any:
        found = environment.call(built.slug, name, arguments)
        return found["data"] if found["success"] else found["error"]

    return make


def test_everything_is_built(built: BuiltService) -> None:
    assert built.left_out == {}


def test_what_exists_already_is_changed_and_not_made_twice(call: Any) -> None:
    wiki, other = call("create_wiki", name="Handbook")["id"], call("create_wiki", name="Notes")["id"]
    first = call("create_page", wiki_id=wiki, path="/start", content="one")
    again = call("create_page", wiki_id=wiki, path="/start", content="two")
    assert (again["id"], again["content"]) == (first["id"], "two")
    assert call("create_page", wiki_id=other, path="/start", content="x")["id"] != first["id"]
    assert len(call("list_pages", wiki_id=wiki)["pages"]) == 1


def test_an_address_with_another_name_is_the_same_address(call: Any) -> None:
    first = call("create_override", sender_address={"name": "Ida", "address": "i@x.example"}, kind="focused")
    again = call("create_override", sender_address={"name": "Ida B", "address": "i@x.example"}, kind="other")
    other = call("create_override", sender_address={"name": "Ida", "address": "j@x.example"}, kind="other")
    assert again["id"] == first["id"] != other["id"]
    assert (again["kind"], again["sender_address"]["name"]) == ("other", "Ida B")


def test_what_may_not_exist_twice_is_refused(call: Any) -> None:
    call("create_hook", name="on push", url="a")
    assert call("create_hook", name="on push", url="b")["code"] == 409
    assert "id" in call("create_hook", name="on push, on tag", url="b")
    call("create_badge", title="Gold", colour="yellow")
    assert call("create_badge", title="Gold", colour="red")["code"] == 409


def test_the_default_one_cannot_be_deleted(call: Any) -> None:
    rows = call("list_diaries")["diaries"]
    (default,) = [row["id"] for row in rows if row["is_default"]]
    assert call("delete_diary", diary_id=default)["code"] == 409
    assert call("update_diary", diary_id=default, name="Mine")["name"] == "Mine"
    assert call("delete_diary", diary_id=next(row["id"] for row in rows if row["id"] != default))["deleted"] is True


def test_only_records_in_the_stated_state_are_changed(call: Any) -> None:
    draft = call("create_ledger", name="A", state="draft")["id"]
    void = call("create_ledger", name="B", state="void")["id"]
    assert call("update_ledger", ledger_id=draft, name="C")["name"] == "C"
    assert call("update_ledger", ledger_id=void, name="C")["code"] == 409
    assert call("delete_ledger", ledger_id=draft)["code"] == 409
    assert call("delete_ledger", ledger_id=void)["deleted"] is True


def test_what_must_be_empty_is_not_removed_with_something_in_it(call: Any) -> None:
    wiki = call("create_wiki", name="Handbook")["id"]
    call("create_page", wiki_id=wiki, path="/start", content="one")
    assert call("delete_wiki", wiki_id=wiki)["type"] == "in_use"
    assert call("delete_wiki", wiki_id=call("create_wiki", name="Bare")["id"])["deleted"] is True


def test_lengths_that_only_the_words_state_hold(call: Any) -> None:
    assert call("create_post", text="x" * 2200)["text"] == "x" * 2200
    assert call("create_post", text="x" * 2201)["type"] == "too_long"
    assert call("create_post", tags=list("abc"))["tags"] == ["a", "b", "c"]
    assert call("create_post", tags=list("abcd"))["type"] == "too_long"


def test_an_argument_is_required_when_another_asks_for_it(call: Any) -> None:
    assert call("create_post", text="x", repeat="daily")["type"] == "missing_argument"
    assert call("create_post", text="x", repeat="never")["repeat"] == "never"
    assert call("create_post", text="x", repeat="daily", until="2026-01-01")["repeat"] == "daily"
    assert call("create_post", text="x", at="9:00")["type"] == "missing_argument"
    assert call("create_post", text="x", at="9:00", zone="UTC")["zone"] == "UTC"


def test_one_of_several_arguments_and_no_two_that_exclude_each_other(call: Any) -> None:
    assert call("create_sale", code="A")["type"] == "missing_argument"
    assert call("create_sale", code="A", percent=5, amount=5)["type"] == "conflicting_arguments"
    assert call("create_sale", code="A", percent=5, note="of no moon")["percent"] == 5
    made = call("create_member", email="ida@north.example", name="Ida")
    assert call("get_member")["type"] == "missing_argument"
    assert call("get_member", member_id=made["id"], email=made["email"])["type"] == "conflicting_arguments"


def test_an_empty_body_makes_no_record(call: Any) -> None:
    assert call("create_crate", body={})["code"] == 400
    assert call("create_crate", body={"name": "Oak"})["name"] == "Oak"
