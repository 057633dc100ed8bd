"""What the parameters of reading tools do: one small application that has a parameter of each class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.protocol import Environment
from services_app.engine.remote import ServiceHost
from services_app.recipes.values import value_for
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of
from workers.sandbox.process import SandboxProcess

FLAG = {"type": "boolean"}
LIST = {"type": "array", "items": TEXT}


def said(kind: dict[str, Any], description: str) -> dict[str, Any]:
    return {**kind, "description": description}


def _specification() -> Any:
    ticket = {"title": TEXT, "queue_id": TEXT, "priority": {"type": "string", "enum": ["low", "high"]}}
    listing = {
        "queue_id": TEXT,
        "priority": {"type": "string", "enum": ["all", "low", "high"]},
        "filter": {"type": "object"},
        "since": said(TEXT, "Only tickets created after this date"),
        "until": said(TEXT, "Only tickets created before this date"),
        "include_archived": FLAG,
        "include_comments": FLAG,
        "only_urgent": FLAG,
        "fields": LIST,
        "sort": {"type": "string", "enum": ["created", "priority"]},
        "page_size": said(WHOLE, "Rows per page (default: 4, max: 6)"),
        "page_token": TEXT,
        "time_zone": TEXT,
        "lang": TEXT,
        "format": said(TEXT, "json or markdown"),
        "verbose": said(FLAG, "All fields (default true)") | {"default": True},
        "timeout": {"type": "number"},
        "Accept": said(TEXT, "Must be application/json"),
    }
    parts = {"type": "array", "items": {"type": "string", "enum": ["queue", "comments"]}}
    return spec_of(
        tool("create_ticket", ticket, "title queue_id"),
        tool("get_ticket", {"ticket_id": TEXT, "queue_id": TEXT, "include": parts}, "ticket_id"),
        tool("list_tickets", listing, description="Lists tickets, newest first."),
        tool("list_queues"),
        tool("create_comment", {"ticket_id": TEXT, "body": TEXT}, "ticket_id body"),
        tool("list_comments", {"ticket_id": TEXT}, "ticket_id"),
        tool("list_parcels", {"carrier": TEXT, "depot": TEXT, "limit": WHOLE}, "carrier depot"),
        tool("create_parcel", {"carrier": TEXT, "depot": TEXT, "label": TEXT}, "carrier depot label"),
        tool("get_rate", {"from": said(TEXT, "Currency to convert"), "to": said(TEXT, "Currency wanted")}, "from to"),
        name="desk",
    )  # fmt: skip


@pytest.fixture(scope="module")
def desk() -> BuiltService:
    return build_with_rules(_specification())


@pytest.fixture(scope="module")
def environment(desk: BuiltService) -> Iterator[Environment]:
    with SandboxProcess("services_app.engine.host", files=desk.packaged()) as process:
        yield ServiceHost(process, {desk.slug: desk.module}).mount([desk.slug])


@pytest.fixture
def call(environment: Environment, desk: BuiltService) -> Any:
    trial = environment.fork()

    def make(name: str, **arguments: object) -> Any:
        observation = trial.call(desk.slug, name, arguments)
        return observation["data"] if observation["success"] else observation["error"]

    return make


def tickets(call: Any, **arguments: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call("list_tickets", **{"page_size": 6, **arguments})["tickets"]
    return found


def test_defaults_and_bounds_of_a_page_are_those_of_the_words(call: Any) -> None:
    assert len(call("list_tickets")["tickets"]) == 4
    assert len(call("list_tickets", page_size=500)["tickets"]) == 6


def test_a_token_goes_on_where_the_page_ended_and_the_last_page_has_none(call: Any) -> None:
    seen: list[str] = []
    token: str | None = ""
    while token is not None:
        answer = call("list_tickets", page_size=5, **({"page_token": token} if token else {}))
        seen += [row["id"] for row in answer["tickets"]]
        token = answer["next_page_token"]
    assert len(seen) == len(set(seen)) == answer["total"]
    assert call("list_tickets", page_token="next please")["type"] == "invalid_page"


def test_the_newest_come_first_unless_a_sort_is_named(call: Any) -> None:
    times = [row["created_at"] for row in tickets(call)]
    assert times == sorted(times, reverse=True)
    times = [row["created_at"] for row in tickets(call, sort="created")]
    assert times == sorted(times)
    assert call("list_tickets", sort="nothing")["code"] == 400


def test_dates_narrow_by_day_by_distance_from_now_and_are_refused_when_they_are_none(call: Any) -> None:
    every = call("list_tickets")["total"]
    day = tickets(call)[-1]["created_at"][:10]
    assert call("list_tickets", since=day)["total"] + call("list_tickets", until=day)["total"] > every
    assert 0 < call("list_tickets", since="7 days ago")["total"] < every
    assert call("list_tickets", since="2099")["total"] == 0
    assert call("list_tickets", since="soon")["type"] == "bad_date"


def test_hidden_rows_and_rows_with_a_flag_only(call: Any) -> None:
    assert {row["archived"] for row in tickets(call)} == {False}
    assert call("list_tickets", include_archived=True)["total"] > call("list_tickets")["total"]
    assert {row["urgent"] for row in tickets(call, only_urgent=True)} == {True}


def test_values_objects_and_comma_lists_narrow(call: Any) -> None:
    high = call("list_tickets", priority="high")["total"]
    assert call("list_tickets", filter={"priority": "high"})["total"] == high
    assert call("list_tickets", filter={"priority": {"ne": "high"}})["total"] == call("list_tickets")["total"] - high
    assert call("list_tickets", priority="all")["total"] == call("list_tickets")["total"]
    assert call("list_tickets", filter={"colour": "red"})["type"] == "unknown_field"


def test_parts_of_a_record_are_shown_on_demand(call: Any) -> None:
    identity = tickets(call)[0]["id"]
    call("create_comment", ticket_id=identity, body="first")
    plain = call("get_ticket", ticket_id=identity)
    full = call("get_ticket", ticket_id=identity, include=["queue", "comments"])
    assert {"queue", "comments"} <= set(full) - set(plain)
    assert full["queue"]["id"] == plain["queue_id"]
    assert full["comments"] == call("list_comments", ticket_id=identity)["comments"]
    assert "comments" not in tickets(call)[0]
    assert "comments" in tickets(call, include_comments=True)[0]


def test_a_record_of_another_queue_is_not_found_there(call: Any) -> None:
    row = tickets(call)[0]
    other = next(one["id"] for one in call("list_queues")["queues"] if one["id"] != row["queue_id"])
    assert call("get_ticket", ticket_id=row["id"], queue_id=row["queue_id"])["id"] == row["id"]
    assert call("get_ticket", ticket_id=row["id"], queue_id=other)["code"] == 404


def test_fields_zone_language_detail_and_format_change_what_is_shown(call: Any) -> None:
    assert set(tickets(call, fields=["title"])[0]) == {"id", "title"}
    assert call("list_tickets", fields=["wheels"])["type"] == "unknown_field"
    assert tickets(call, time_zone="Asia/Tokyo")[0]["created_at"].endswith("+09:00")
    assert call("list_tickets", time_zone="Mars/North")["type"] == "unknown_timezone"
    assert tickets(call, lang="de") != tickets(call)
    assert len(tickets(call, verbose=False)[0]) < len(tickets(call)[0])
    assert call("list_tickets", format="markdown")["text"].startswith("- **tickets**")
    assert call("list_tickets", format="pony")["type"] == "unknown_format"


def test_headers_and_waits_are_checked_and_change_nothing(call: Any) -> None:
    assert call("list_tickets", Accept="application/json", timeout=30) == call("list_tickets")
    assert call("list_tickets", Accept="text/html")["type"] == "not_acceptable"
    assert call("list_tickets", timeout=-1)["type"] == "invalid_wait"


def test_required_values_say_where_to_look_and_unknown_ones_are_refused(call: Any) -> None:
    made = call("create_parcel", carrier="North", depot="Quay", label="p1")
    assert call("list_parcels", carrier="North", depot="Quay")["parcels"] == [made]
    assert call("list_parcels", carrier="North", depot="Nowhere")["code"] == 404


def test_from_and_to_that_are_no_dates_are_a_key(call: Any) -> None:
    assert call("get_rate", **{"from": "USD", "to": "EUR"}) != call("get_rate", **{"from": "USD", "to": "JPY"})


def test_seeds_depend_on_the_seed(desk: BuiltService) -> None:
    class Draw:
        def __init__(self, seed: int) -> None:
            self.seed = seed

    assert value_for("title", 0, Draw(1)) != value_for("title", 0, Draw(2))  # type: ignore[arg-type]
    assert "place = number * 3" in desk.files["seed.py"]
