"""Kinds of reads that were read and found to do less than they say: each built over a specification of our own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services_app.builders.analyse import analyse
from services_app.builders.rules import build_with_rules
from services_app.specs.model import Specification
from tests.builders.running import calling
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of


def said(text: str, **schema: Any) -> dict[str, Any]:
    return {"type": "string", **schema, "description": text}


def harbour() -> Specification:
    """Berths in the order, the number and the span that descriptions say."""
    berth = {"name": TEXT, "due_date": {"type": "string", "format": "date"}, "position": WHOLE}
    return spec_of(
        tool("create_berth", berth, "name"),
        tool("list_berths", description="List berths with their depth. Sorted by due date, soonest first."),
        tool("find_berths", description="Finds berths. Returns up to 4 results, ordered by position descending."),
        tool("search_berths", {"query": TEXT}, "query", description="Shows the first 2 berths that match."),
        tool("create_arrival", {"vessel": TEXT}, "vessel"),
        tool("list_arrivals", description="Retrieves recent arrivals"),
        name="harbour",
    )


@pytest.fixture(scope="module")
def call() -> Iterator[Any]:
    with calling(build_with_rules(harbour())) as call:
        yield call


def test_rows_come_in_the_order_that_the_description_says(call: Any) -> None:
    dates = [row["due_date"] for row in call("list_berths")["berths"]]
    assert len(set(dates)) > 2
    assert dates == sorted(dates)
    places = [row["position"] for row in call("find_berths")["berths"]]
    assert places == sorted(places, reverse=True)


def test_a_list_is_as_long_as_the_description_says(call: Any) -> None:
    found = call("find_berths")
    assert len(found["berths"]) == 4
    assert found["total"] > 4


def test_recent_rows_come_newest_first(call: Any) -> None:
    made = call("create_arrival", vessel="Petrel")
    assert call("list_arrivals")["arrivals"][0]["id"] == made["id"]


def test_what_a_verb_of_no_rule_does_is_no_list() -> None:
    spec = spec_of(
        tool("reorder_berths", {"order": TEXT}, "order", description="Reorder the berths of a harbour."),
        tool("bulk_transition_berths", {"status": TEXT}, "status", description="Bulk transition berths."),
        tool("harbour_tags", description="Clears all the tags of the harbour."),
        tool("list_berths"),
        tool("create_berth", {"title": TEXT}, "title"),
        name="harbour",
    )
    assert {"reorder_berths", "bulk_transition_berths", "harbour_tags"} <= set(analyse(spec).left_out)
