"""What is begun is made, what only the server knows is filled in, and things are found by what they are called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.specs.model import Specification
from services_app.specs.vocabulary import read_name
from tests.builders.running import calling
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of


def said(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def workshop() -> Specification:
    """Ferries, orders of two kinds, tokens and links, external tools, people without a name."""
    order = {"symbol": TEXT, "client_order_id": said("Unique idempotency key, chosen by you.")}
    accept = {"Accept": said("Media type of the answer."), "Content-Type": said("Must be application/json.")}
    return spec_of(
        tool(
            "start_ferry",
            {"url": said("Where it goes"), "name": said("Optional. If not provided, 'default' will be used.")},
            "url",
            description="Starts a new ferry. Returns a public URL by which it can be seen.",
        ),
        tool("list_ferries"),
        tool("stop_ferry", {"ferry_id": TEXT}, "ferry_id"),
        tool("start_engine", {"engine_id": TEXT}, "engine_id", description="Start an engine that is there."),
        tool("create_engine", {"power": WHOLE}, "power"),
        tool("get_engine", {"engine_id": TEXT}, "engine_id"),
        tool("place_rush_order", order, "symbol"),
        tool("place_slow_order", order, "symbol"),
        tool("list_orders"),
        tool("get_order", {"order_id": TEXT}, "order_id"),
        tool("create_upload_token", {"label": TEXT}, "label", description="Shows the full token once."),
        tool("create_share_link", {"file_name": TEXT}, "file_name"),
        tool("create_note", {"text": TEXT}, "text", description="Create a note."),
        tool("list_notes", description="Lists notes with id, text, web_url and avatar_url."),
        tool("list_external_tools"),
        tool("create_external_tool", {"label": TEXT}, "label", description="Create an external tool for a course."),
        tool("remove_external_tool", {"external_tool_id": TEXT}, "external_tool_id",
             description="Delete an external tool for good."),
        tool("open_ballot", {"ballot_id": TEXT}, "ballot_id", description="Opens a ballot so that people can vote."),
        tool("close_ballot", {"ballot_id": TEXT}, "ballot_id"),
        tool("list_ballots"),
        tool("list_members", accept),
        tool("update_member", {"member_id": TEXT, "shift": TEXT, "team": TEXT}, "member_id"),
        name="workshop",
    )  # fmt: skip


@pytest.fixture(scope="module")
def built() -> BuiltService:
    return build_with_rules(workshop())


@pytest.fixture(scope="module")
def call(built: BuiltService) -> Iterator[Any]:
    with calling(built) as call:
        yield call


def test_what_is_begun_is_new_and_runs(call: Any) -> None:
    made = call("start_ferry", url="http://localhost:3000")
    assert (made["name"], made["status"], made["url"]) == ("default", "running", "http://localhost:3000")
    assert made["public_url"].startswith("https://")
    assert made in call("list_ferries")["ferries"]
    assert call("stop_ferry", ferry_id=made["id"])["status"] == "stopped"


def test_what_a_parameter_names_is_started_and_not_made(call: Any) -> None:
    engine = call("create_engine", power=3)
    assert call("start_engine", engine_id=engine["id"])["id"] == engine["id"]
    assert call("start_engine", engine_id="no such engine")["code"] == 404


def test_orders_of_each_kind_are_orders_and_keep_the_key_of_the_client(call: Any) -> None:
    rush = call("place_rush_order", symbol="AAA", client_order_id="mine-1")
    slow = call("place_slow_order", symbol="BBB")
    assert rush["client_order_id"] == "mine-1"
    assert {rush["id"], slow["id"]} <= {row["id"] for row in call("list_orders")["orders"]}
    assert call("get_order", order_id=rush["id"])["symbol"] == "AAA"


def test_tokens_and_addresses_of_new_records_are_made_up_by_the_server(call: Any) -> None:
    tokens = [call("create_upload_token", label=label)["token"] for label in ("a", "b")]
    assert len(set(tokens)) == 2
    assert all(tokens)
    assert call("create_share_link", file_name="a.txt")["url"].startswith("https://")
    note = call("create_note", text="Hello")
    assert note["web_url"].startswith("https://")
    assert note["avatar_url"] is None


def test_a_tool_that_things_are_called_is_no_filler_of_the_name(call: Any) -> None:
    made = call("create_external_tool", label="Quiz")
    assert call("remove_external_tool", external_tool_id=made["id"])["deleted"] is True
    assert made["id"] not in [row["id"] for row in call("list_external_tools")["external_tools"]]
    assert read_name("get_note_tool", "", "Gets a note. This tool needs an id.").noun == "note"


def test_what_is_closed_by_a_sibling_is_opened(call: Any) -> None:
    ballot = call("list_ballots")["ballots"][0]
    assert call("close_ballot", ballot_id=ballot["id"])["status"] == "closed"
    assert call("open_ballot", ballot_id=ballot["id"])["status"] == "open"


def test_people_have_names_and_addresses(call: Any) -> None:
    assert {"name", "email"} <= set(call("list_members")["members"][0])


def test_the_json_of_a_vendor_is_json(call: Any) -> None:
    assert "members" in call("list_members", Accept="application/vnd.workshop+json;version=2")
    assert call("list_members", Accept="text/html")["code"] == 400


def test_what_is_listed_in_capitals_and_the_quantity_of_the_first_words_are_shown() -> None:
    spec = spec_of(
        tool("get_rings", description="Get current TVL of all rings"),
        tool("list_rosters", description="Returns rosters including ID, name, timezone, and shift IDs."),
        tool("list_tunes", description="Get prices of tunes, each with title and list_price."),
        name="rings",
    )
    with calling(build_with_rules(spec)) as call:
        assert all(isinstance(row["tvl"], float) for row in call("get_rings")["rings"])
        assert all(isinstance(row["shift_ids"], list) for row in call("list_rosters")["rosters"])
        assert "price" not in call("list_tunes")["tunes"][0]


def test_an_element_is_known_by_what_one_calls_it() -> None:
    spec = spec_of(
        tool("browser_navigate", {"url": TEXT}, "url", description="Open a page."),
        tool("browser_fill", {"selector": TEXT, "value": TEXT}, "selector value", description="Fill an input field."),
        tool("browser_click", {"selector": TEXT}, "selector", description="Click an element of the page."),
        name="browser",
    )
    with calling(build_with_rules(spec)) as call:
        call("browser_navigate", url="https://example.com")
        by_words = call("browser_fill", selector="the email field", value="a@b.example")
        assert "code" not in by_words
        assert call("browser_click", selector="the flying pig")["code"] == 404
