"""Records hold what the descriptions of their tools promise; what nobody describes is left out."""

from __future__ import annotations

import pytest

from services_app.builders.analyse import analyse
from services_app.builders.plan import Entity
from services_app.builders.promised import promised_fields
from services_app.specs.model import Specification
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("List papers. Returns id, title, authors and published date.", ["id", "title", "authors", "published_date"]),
        ("Get the wallet with balance, amount and currency.", ["balance", "amount", "currency"]),
        ("List slips. Fields: name, posting_date, net_pay.", ["name", "posting_date", "net_pay"]),
        ("Read it.\n\nReturns: JSON string with keys: 'url' (str), 'status' ('ok'/'error').", ["url", "status"]),
        (
            "Read it.\n\nReturns:\n    - url: where it lies\n    - page_count (int): pages\n\nArgs:\n    - depth: x",
            ["url", "page_count"],
        ),
        ("Gets the post, including its title, number of comments and author.", ["title", "comment_count", "author"]),
        ("Create a group.\nReturns: {name, group_id, success}", ["name", "group_id"]),
    ],
)
def test_names_are_read_from_the_words(said: str, names: list[str]) -> None:
    assert set(promised_fields(said, "thing")) == set(names)


@pytest.mark.parametrize(
    "said",
    [
        "List papers with title, author and year filters.",
        "Gets the next task based on status, dependencies, and priority.",
        "Returns the complete receipt details for the specified receipt.",
        "Search the archive and return everything that matches.",
        "Update a customer. Only the fields that are sent change.",
        "Get the form.\n\nArgs:\n    title: what it is called\n    author: who wrote it",
    ],
)
def test_other_words_name_no_fields(said: str) -> None:
    assert promised_fields(said, "thing") == {}


def test_types_follow_the_names() -> None:
    said = "Returns title, tags, price, view count, is_open, created_at and homepage."
    types = {name: schema["type"] for name, (schema, _) in promised_fields(said, "thing").items()}
    assert types == {
        "title": "string",
        "tags": "array",
        "price": "number",
        "view_count": "integer",
        "is_open": "boolean",
        "created_at": "string",
        "homepage": "string",
    }


def test_of_many_records_plurals_mean_one_value_each() -> None:
    assert list(promised_fields("Returns names, types and tags.", "thing", many=True)) == ["name", "type", "tags"]


def entity_of(spec: Specification, noun: str) -> Entity:
    return analyse(spec).entities[noun]


def test_a_table_holds_what_its_tools_promise() -> None:
    spec = spec_of(
        tool("list_frobs", {"limit": WHOLE}, description="List frobs. Returns title, authors and published date."),
        tool("get_frob", {"frob_id": TEXT}, "frob_id", description="Get a frob with its title, price and status."),
    )
    assert {"title", "authors", "published_date", "price", "status"} <= set(entity_of(spec, "frob").fields)


def test_common_nouns_hold_what_they_hold_in_the_world() -> None:
    spec = spec_of(tool("get_credit_balance", {"customer_id": TEXT}, "customer_id"))
    assert {"balance", "currency"} <= set(entity_of(spec, "credit_balance").fields)


def test_reads_of_what_nobody_describes_are_left_out() -> None:
    spec = spec_of(tool("list_frobs", {"limit": WHOLE}), tool("get_frob", {"frob_id": TEXT}, "frob_id"))
    plan = analyse(spec)
    why = "nothing says what a frob holds"
    assert plan.left_out == {"list_frobs": why, "get_frob": why}
    assert not plan.entities


def test_what_is_written_is_known_by_its_writes() -> None:
    spec = spec_of(tool("create_frob", {"shape": TEXT}, "shape"), tool("list_frobs", {"limit": WHOLE}))
    assert not analyse(spec).left_out


def test_bodies_around_the_fields_of_a_record_are_opened() -> None:
    inner = {"type": "object", "properties": {"text": TEXT, "level": WHOLE}, "required": ["text"]}
    model = {"type": "object", "properties": {"post_update": inner}, "required": ["post_update"]}
    spec = spec_of(
        tool("create_post_update", {"post_id": TEXT, "create_model": model}, "post_id create_model"),
        tool("list_posts", {"limit": WHOLE}),
    )
    plan = analyse(spec)
    assert {"text", "level"} <= set(plan.entities["post_update"].fields)
    assert plan.tools[0].unwraps == ("create_model", "post_update")
