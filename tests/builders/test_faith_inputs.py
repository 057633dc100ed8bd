"""What a write is sent must have the format that its schema declares; free objects stay whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services_app.builders.meaning import kind_of
from services_app.builders.plan import Field
from services_app.builders.rules import BuiltService, build_with_rules
from services_app.builders.said_values import said_default
from services_app.specs.model import Specification
from tests.builders.running import calling
from tests.builders.specs import TEXT, tool
from tests.specs.helpers import spec_of


def formed(form: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "format": form, **more}


def guild() -> Specification:
    """Members with formats of every kind, at the top, within an object, in a list, beside null."""
    member = {
        "nickname": TEXT,
        "email": formed("email"),
        "born": formed("date"),
        "joined_at": {"anyOf": [formed("date-time"), {"type": "null"}]},
        "website": formed("uri"),
        "badge": formed("uuid"),
        "address": {"type": "object", "properties": {"city": TEXT, "email": formed("email")}},
        "rewards": {"type": "array", "items": {"type": "object", "properties": {"given_on": formed("date")}}},
        "leaves_on": {"type": "string", "description": "The last day (YYYY-MM-DD)"},
    }
    return spec_of(
        tool("create_member", member, "nickname"),
        tool("update_member", {"member_id": TEXT, **member}, "member_id"),
        tool("get_member", {"member_id": formed("uuid")}, "member_id"),
        tool("list_members", {"email": formed("email"), "since": formed("date-time")}),
        tool("add_errand", {"title": TEXT, "data": {"type": "object", "description": "What it carries"}}, "title data"),
        tool("update_errand", {"errand_id": TEXT, "data": {"type": "object"}}, "errand_id data"),
        tool("list_errands", {"priority": TEXT, "state": TEXT}),
        tool("create_offer", {"fields": {"type": "object", "description": "Fields to set, by name"}}, "fields"),
        tool("list_offers", {"price": TEXT}),
        name="guild",
    )


@pytest.fixture(scope="module")
def built() -> BuiltService:
    return build_with_rules(guild())


@pytest.fixture(scope="module")
def call(built: BuiltService) -> Iterator[Any]:
    with calling(built) as call:
        yield call


@pytest.mark.parametrize(
    ("field", "bad", "good"),
    [
        ("email", "not an address", "ana@guild.example"),
        ("born", "soon", "1990-02-28"),
        ("born", "1990-02-31", "1990-02-28T00:00:00Z"),
        ("joined_at", "yesterday noon", "2026-03-09T10:00:00+01:00"),
        ("website", "guild", "https://guild.example/ana"),
        ("badge", "12", "6f1c1a52-6a3c-4d0e-9b52-0a4f2f6f1b11"),
        ("leaves_on", "some day", "2026-12-31"),
        ("address", {"city": "Oslo", "email": "none"}, {"city": "Oslo", "email": "a@b.example"}),
        ("rewards", [{"given_on": "2026-01-05"}, {"given_on": "late"}], [{"given_on": "2026-01-05"}]),
    ],
)
def test_a_write_refuses_what_lacks_the_declared_format(call: Any, field: str, bad: Any, good: Any) -> None:
    refused = call("create_member", nickname="Ana", **{field: bad})
    assert (refused["code"], refused["type"]) == (400, "invalid_argument")
    assert field in refused["message"]
    made = call("create_member", nickname="Ana", **{field: good})
    assert made[field] == good
    assert call("update_member", member_id=made["id"], **{field: bad})["code"] == 400


def test_ids_and_bounds_of_time_are_read_as_before(call: Any) -> None:
    assert call("get_member", member_id="no such member")["code"] == 404
    assert call("list_members", since="2020-01-01")["members"]
    assert call("list_members", email="nobody")["code"] == 400
    assert call("create_member", nickname="Bo", joined_at=None)["nickname"] == "Bo"


def test_tests_of_the_service_itself_are_still_made(built: BuiltService) -> None:
    assert "create_member" in built.files["tests.json"]


def test_what_an_errand_carries_stays_in_its_object(call: Any) -> None:
    made = call("add_errand", title="Post", data={"priority": "high", "note": {"to": "Ana"}})
    assert made["data"] == {"priority": "high", "note": {"to": "Ana"}}
    assert made.get("priority") != "high"
    assert made["id"] not in [row["id"] for row in call("list_errands", priority="high")["errands"]]


def test_an_object_that_is_the_record_sets_its_fields(call: Any) -> None:
    made = call("create_offer", fields={"price": "12"})
    assert made["id"] in [row["id"] for row in call("list_offers", price="12")["offers"]]


@pytest.mark.parametrize(
    ("words", "more", "value"),
    [
        ("The price. Defaults to close price.", {"enum": ["open", "close"]}, "close"),
        ("How many. Defaults to 50 periods if not specified.", {"type": "integer"}, 50),
        ("The price. Defaults to whatever price.", {"enum": ["open", "close"]}, None),
        ("The owner. Defaults to current user.", {}, None),
    ],
)
def test_defaults_are_read_with_the_noun_behind_them(words: str, more: dict[str, Any], value: Any) -> None:
    assert said_default({"type": "string", "description": words, **more}) == value


@pytest.mark.parametrize(
    ("name", "kind"),
    [("time_zone", "timezone"), ("updated_by", "person"), ("md5Checksum", "hash"), ("daily_budget", "figure")],
)
def test_texts_look_like_what_they_are_called(name: str, kind: str) -> None:
    assert kind_of(Field(name, name, "str")) == kind
