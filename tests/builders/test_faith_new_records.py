"""What a new record shows: what was sent, what the service gives it, and no fields that nobody could fill."""

from __future__ import annotations

from typing import Any

from services_app.builders.rules import build_with_rules
from tests.builders.running import calling
from tests.builders.specs import TEXT, tool
from tests.specs.helpers import spec_of


def test_fields_that_nobody_can_send_show_once_they_hold_something() -> None:
    spec = spec_of(
        tool("list_kites", description="Lists kites with title, author, inspected_at and wind_rating."),
        tool("get_kite", {"kite_id": TEXT}, "kite_id", description="A kite with its author and inspected_at."),
        tool("create_kite", {"title": TEXT, "colour": TEXT}, "title"),
        name="kites",
    )
    with calling(build_with_rules(spec)) as call:
        seeded = call("list_kites")["kites"][0]
        assert seeded["inspected_at"]
        made: dict[str, Any] = call("create_kite", title="Red")
        assert made["colour"] is None, "what could have been sent shows"
        assert made["author"], "whoever makes it is its author"
        assert "inspected_at" not in made
        shown = call("get_kite", kite_id=made["id"])
        assert shown == {**made, "inspected_at": None, "wind_rating": None}, "what its words promise is there, empty"
