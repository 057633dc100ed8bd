"""Stated defaults of filters, orders and formats hold; a deletion takes parts along, and nothing that only points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services_app.builders.rules import build_with_rules
from services_app.engine.remote import ServiceHost
from tests.builders.specs import TEXT, tool
from tests.specs.helpers import spec_of
from workers.sandbox.process import SandboxProcess

Call = Callable[..., Any]
REGION = {"type": "string", "enum": ["eu", "us"], "default": "us"}
FOLDER = {"type": "string", "default": ""}
BULLETIN = "Get a bulletin, with its title and author."
FORMAT = {"type": "string", "enum": ["json", "markdown"], "default": "markdown"}


@pytest.fixture(scope="module")
def call() -> Iterator[Call]:
    built = build_with_rules(
        spec_of(
            tool(
                "list_outages",
                {"region": REGION, "folder": FOLDER},
                description="List outages with their title and cause.",
            ),
            tool("get_bulletin", {"bulletin_id": TEXT, "response_format": FORMAT}, "bulletin_id", description=BULLETIN),
            tool("list_users"),
            tool("create_user", {"name": TEXT}, "name"),
            tool("create_board", {"name": TEXT}, "name"),
            tool("create_card", {"board_id": TEXT, "name": TEXT}, "board_id name"),
            tool("get_card", {"card_id": TEXT}, "card_id"),
            tool("create_reminder", {"card_id": TEXT, "user_id": TEXT, "text": TEXT}, "card_id user_id text"),
            tool("get_reminder", {"reminder_id": TEXT}, "reminder_id"),
            tool("delete_board", {"board_id": TEXT}, "board_id", description="Deletes a board and all its cards."),
        )
    )
    assert not built.left_out
    with SandboxProcess("services_app.engine.host", files=built.packaged()) as process:
        environment = ServiceHost(process, {built.slug: built.module}).mount([built.slug], scale="small")

        def make(name: str, /, **arguments: object) -> Any:
            observation = environment.call(built.slug, name, arguments)
            return observation["data"] if observation["success"] else observation["error"]

        yield make


def test_the_default_of_a_filter_holds_and_finds_something(call: Call) -> None:
    rows = call("list_outages")["outages"]
    assert rows
    assert {row["region"] for row in rows} == {"us"}
    assert call("list_outages", region="us", folder="") == call("list_outages")
    assert {row["region"] for row in call("list_outages", region="eu")["outages"]} == {"eu"}


def test_the_default_of_a_format_holds(call: Call) -> None:
    assert call("get_bulletin", bulletin_id="BUL-0001") == call(
        "get_bulletin", bulletin_id="BUL-0001", response_format="markdown"
    )
    assert "text" in call("get_bulletin", bulletin_id="BUL-0001")
    assert "id" in call("get_bulletin", bulletin_id="BUL-0001", response_format="json")


def test_parts_go_with_a_record_and_what_also_belongs_to_others_stays(call: Call) -> None:
    board, user = call("create_board", name="Plan")["id"], call("create_user", name="Ana")["id"]
    card = call("create_card", board_id=board, name="One")["id"]
    reminder = call("create_reminder", card_id=card, user_id=user, text="Soon")["id"]
    call("delete_board", board_id=board)
    assert call("get_card", card_id=card)["type"] == "not_found"
    kept = call("get_reminder", reminder_id=reminder)
    assert (kept["user_id"], kept["card_id"]) == (user, None)
