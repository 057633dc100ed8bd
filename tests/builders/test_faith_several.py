"""Several records named at once: ids apart by commas in one text, and a list of ids that a bulk change is about."""

from __future__ import annotations

from typing import Any

from services_app.builders.rules import build_with_rules
from services_app.specs.model import Specification
from tests.builders.running import calling
from tests.builders.specs import TEXT, tool
from tests.specs.helpers import spec_of

IDS = {"type": "array", "items": TEXT}


def harbour() -> Specification:
    """Moorings that lie at piers, and boats that are changed many at a time."""
    return spec_of(
        tool("list_piers"),
        tool("create_pier", {"name": TEXT}, "name"),
        tool("create_mooring", {"title": TEXT, "pier_id": TEXT}, "title"),
        tool("list_moorings", {"pier_id": {"type": "string", "description": "Pier IDs, comma-separated"}}),
        tool("list_boats"),
        tool("bulk_edit_boats", {"selectedBoatIdsOrKeys": IDS, "colour": TEXT}, "selectedBoatIdsOrKeys"),
    )


def test_ids_apart_by_commas_name_several_records() -> None:
    with calling(build_with_rules(harbour())) as call:
        first, second = [pier["id"] for pier in call("list_piers")["piers"]][:2]
        made = {call("create_mooring", title="Rope", pier_id=pier)["id"] for pier in (first, second)}
        both = call("list_moorings", pier_id=f"{first}, {second}")
        assert made <= {row["id"] for row in both["moorings"]}
        assert {row["pier_id"] for row in both["moorings"]} == {first, second}
        assert call("list_moorings", pier_id=f"{first},PIE-9999")["code"] == 404
        assert call("create_mooring", title="Rope", pier_id=f"{first},{second}")["code"] == 404


def test_a_bulk_change_is_made_to_the_records_that_are_named_and_to_no_other() -> None:
    with calling(build_with_rules(harbour())) as call:
        boats: list[dict[str, Any]] = call("list_boats")["boats"]
        named = [boat["id"] for boat in boats[:2]]
        call("bulk_edit_boats", selectedBoatIdsOrKeys=named, colour="ochre")
        after = call("list_boats")["boats"]
        assert [boat["id"] for boat in after if boat["colour"] == "ochre"] == named
        assert after[2:] == boats[2:]
        assert not any("selected" in field for boat in after for field in boat)
