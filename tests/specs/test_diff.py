"""Two specifications compared: what was added, removed and changed, and what would break."""

from __future__ import annotations

from typing import Any

import pytest

from services_app.specs.diff import MOST_FIELDS, FieldChange, SpecDiff, diff
from tests.specs.helpers import spec_of


def guest(properties: dict[str, Any] | None = None, required: list[str] | None = None, **more: Any) -> dict[str, Any]:
    properties = properties if properties is not None else {"name": {"type": "string"}}
    schema = {"type": "object", "properties": properties, "required": required or []}
    return {"name": "create_guest", "description": "Make a guest.", "inputSchema": schema, **more}


def changes(after: dict[str, Any], before: dict[str, Any] | None = None) -> dict[str, FieldChange]:
    found = diff(spec_of(before or guest()), spec_of(after))
    (change,) = found.changed
    return {field.pointer: field for field in change.fields}


def test_the_same_content_in_another_order_is_no_change() -> None:
    one, two = guest(required=["name"]), {"name": "list_guests", "inputSchema": {"type": "object"}}
    found = diff(spec_of(one, two), spec_of(two, one))
    assert found == SpecDiff((), (), (), same=2)
    assert found.touched == ()


def test_added_removed_and_changed_tools() -> None:
    old = spec_of(guest(), {"name": "drop_guest"}, {"name": "ping"})
    new = spec_of({"name": "ping"}, guest(description="Make one guest."), {"name": "list_guests"})
    found = diff(old, new)
    assert (found.added, found.removed, found.same) == (("list_guests",), ("drop_guest",), 1)
    assert [change.name for change in found.changed] == ["create_guest"]
    assert found.changed[0].fields == (
        FieldChange("/description", "changed", "Make a guest.", "Make one guest.", breaking=False),
    )
    assert found.touched == ("drop_guest", "create_guest")
    assert not found.unrelated
    assert found.to_json()["changed"][0]["fields"][0]["pointer"] == "/description"


TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("after", "pointer", "kind", "breaking"),
    [
        (guest({"name": TEXT, "mail": TEXT}), "/inputSchema/properties/mail", "added", False),
        (guest({}), "/inputSchema/properties/name", "removed", True),
        (guest({"name": {"type": ["string", "null"]}}), "/inputSchema/properties/name/type", "changed", False),
        (guest({"name": {"type": "integer"}}), "/inputSchema/properties/name/type", "changed", True),
        (guest({"name": {**TEXT, "enum": ["a"]}}), "/inputSchema/properties/name/enum", "added", True),
        (guest({"name": {**TEXT, "title": "Name"}}), "/inputSchema/properties/name/title", "added", False),
        (guest(required=["name"]), "/inputSchema/required", "changed", True),
        (guest(annotations={"readOnlyHint": True}), "/annotations/readOnlyHint", "added", False),
        (guest(outputSchema={"type": "object"}), "/outputSchema", "added", False),
    ],
)
def test_fields(after: dict[str, Any], pointer: str, kind: str, breaking: bool) -> None:
    found = changes(after)
    assert pointer in found, found
    assert (found[pointer].kind, found[pointer].breaking) == (kind, breaking)


def test_fewer_values_break_and_more_do_not() -> None:
    two, three = ({"colour": {"enum": values}} for values in (["red", "blue"], ["red", "blue", "green"]))
    pointer = "/inputSchema/properties/colour/enum"
    assert changes(guest(two), guest(three))[pointer].breaking
    assert not changes(guest(three), guest(two))[pointer].breaking


def test_true_is_not_one() -> None:
    found = changes(guest({"n": {"default": True}}), guest({"n": {"default": 1}}))
    assert found["/inputSchema/properties/n/default"].after is True


def test_a_tool_that_is_all_different_is_listed_to_a_bound() -> None:
    many = {f"p{number}": TEXT for number in range(MOST_FIELDS + 30)}
    (change,) = diff(spec_of(guest({})), spec_of(guest(many))).changed
    assert (len(change.fields), change.more) == (MOST_FIELDS, 30)


def test_two_servers_with_one_name_are_told_apart() -> None:
    assert diff(spec_of({"name": "a"}, {"name": "b"}), spec_of({"name": "c"}, {"name": "d"})).unrelated
    assert not diff(spec_of({"name": "a"}), spec_of({"name": "a"}, {"name": "b"})).unrelated
