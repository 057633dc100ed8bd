"""What each kind of tool does once it is built, called in the sandbox."""

from __future__ import annotations

import json
from typing import Any

import pytest

from services_app.builders.rules import BuiltService
from services_app.engine.protocol import Environment


def cars(call: Any, **filters: Any) -> list[dict[str, Any]]:
    return call("garage", "list_cars", **{"limit": 50, **filters})["cars"]


@pytest.fixture
def car(call: Any) -> dict[str, Any]:
    owner = call("garage", "create_owner", name="Ida Holm", email="ida@holm.example")
    return call("garage", "create_car", plate="XY 77", owner_id=owner["id"], colour="red", price=900.5, extras=["hook"])


def test_created_is_got_and_listed_with_what_was_sent(call: Any, car: dict[str, Any]) -> None:
    found = call("garage", "get_car", car_id=car["id"])
    assert found == car
    assert (found["plate"], found["colour"], found["price"], found["extras"]) == ("XY 77", "red", 900.5, ["hook"])
    assert car in cars(call)


def test_default_of_the_schema_is_stored_when_nothing_is_sent(car: dict[str, Any]) -> None:
    assert car["doors"] == 5


def test_unknown_parent_is_refused_and_changes_nothing(call: Any, environment: Environment) -> None:
    before = environment.state_hash()
    error = call("garage", "create_car", plate="A", owner_id="nobody")
    assert (error["code"], error["type"]) == (404, "not_found")
    assert "owner" in error["message"]
    assert environment.state_hash() == before


def test_get_of_an_unknown_id_names_the_noun(call: Any) -> None:
    assert call("garage", "get_car", car_id="nope")["message"] == "No car with id 'nope'."


def test_several_by_id_with_those_that_are_missing(call: Any, car: dict[str, Any]) -> None:
    found = call("garage", "get_cars_by_ids", car_ids=[car["id"], "nope", car["id"]])
    assert found == {"cars": [car], "missing": ["nope"]}


def test_filters_ranges_and_text(call: Any, car: dict[str, Any]) -> None:
    assert {row["colour"] for row in cars(call, colour="red")} == {"red"}
    assert 0 < len(cars(call, colour="red")) < len(cars(call))
    assert cars(call, owner_id=car["owner_id"]) == [car]
    assert all(row["price"] >= 500 for row in cars(call, min_price=500))
    assert len(cars(call, min_price=500)) + len(cars(call, max_price=499.99)) == len(cars(call))
    assert cars(call, query="xy 77") == [car]
    assert cars(call, query="no such words") == []
    assert cars(call, created_after="2099-01-01T00:00:00Z") == []


def test_paging_uses_the_default_of_the_schema_and_covers_everything_once(call: Any, car: dict[str, Any]) -> None:
    first = call("garage", "list_cars")
    assert len(first["cars"]) == 3
    assert first["total"] == len(cars(call))
    pages = [row["id"] for number in range(1, 9) for row in call("garage", "list_cars", page=number)["cars"]]
    assert pages == [row["id"] for row in cars(call)]


def test_sorting_and_the_refusal_of_an_unknown_field(call: Any, car: dict[str, Any]) -> None:
    plates = [row["plate"] for row in cars(call, sort_by="plate", order="desc")]
    assert plates == sorted(plates, key=str.casefold, reverse=True)
    error = call("garage", "list_cars", sort_by="wheels")
    assert (error["code"], error["type"]) == (400, "unknown_sort")


def test_selection_of_fields(call: Any) -> None:
    assert set(cars(call, fields=["plate"])[0]) == {"id", "plate"}


def test_count_follows_the_filter(call: Any, car: dict[str, Any]) -> None:
    assert call("garage", "get_cars_count")["count"] == len(cars(call))
    assert call("garage", "get_cars_count", colour="red")["count"] == len(cars(call, colour="red"))


def test_update_changes_what_was_sent_and_nothing_else(call: Any, car: dict[str, Any]) -> None:
    assert call("garage", "update_car", car_id=car["id"], price=5) == {**car, "price": 5.0}
    assert call("garage", "update_car", car_id=car["id"])["type"] == "nothing_to_change"
    assert call("garage", "get_car", car_id=car["id"]) == {**car, "price": 5.0}
    assert call("garage", "update_car", car_id="nope", price=5)["code"] == 404


def test_status_verb_sets_its_status_once(call: Any, car: dict[str, Any]) -> None:
    assert call("garage", "cancel_car", car_id=car["id"])["status"] == "cancelled"
    error = call("garage", "cancel_car", car_id=car["id"])
    assert (error["code"], error["type"]) == (409, "no_change")


def test_name_without_a_verb_is_read_by_its_description(call: Any, car: dict[str, Any]) -> None:
    assert call("garage", "sell_car", car_id=car["id"])["status"] == "archived"


def test_copy_has_its_own_id_and_the_changes(call: Any, car: dict[str, Any]) -> None:
    twin = call("garage", "copy_car", car_id=car["id"], plate="ZZ 1")
    assert twin["id"] != car["id"]
    assert {**twin, "id": car["id"], "plate": car["plate"]} == car


def test_deleted_is_gone(call: Any, car: dict[str, Any]) -> None:
    assert call("garage", "delete_car", car_id=car["id"]) == {"deleted": True, "id": car["id"]}
    assert call("garage", "get_car", car_id=car["id"])["code"] == 404
    assert call("garage", "delete_car", car_id=car["id"])["code"] == 404


def test_deletion_of_several(call: Any, car: dict[str, Any]) -> None:
    found = call("garage", "delete_owners", owner_ids=[car["owner_id"], "nope"])
    assert found == {"deleted": [car["owner_id"]], "missing": ["nope"]}


def test_link_is_made_once_and_taken_away(call: Any, car: dict[str, Any], environment: Environment) -> None:
    pair = {"owner_id": car["owner_id"], "car_id": car["id"]}
    first = call("garage", "assign_owner_to_car", **pair)
    count = len(environment.changes)
    assert call("garage", "assign_owner_to_car", **pair) == first
    assert len(environment.changes) == count
    assert call("garage", "unassign_owner_from_car", **pair)["deleted"] is True
    assert call("garage", "unassign_owner_from_car", **pair)["code"] == 404
    assert call("garage", "assign_owner_to_car", **{**pair, "car_id": "nope"})["code"] == 404


def test_settings_are_one_record(call: Any, environment: Environment) -> None:
    call("garage", "update_settings", language="da")
    assert call("garage", "get_settings")["language"] == "da"
    assert len(environment.rows("garage", "settings")) == 1


def test_verb_without_a_rule_is_left_out_with_the_reason(built: dict[str, BuiltService]) -> None:
    assert built["garage"].left_out == {"frobnicate_car": "the name holds no verb that a rule covers"}
    assert (
        "formula" in built["weather"].left_out["evaluate_formula"]
        or "evaluate" in (built["weather"].left_out["evaluate_formula"])
    )


def test_integer_ids_stay_integers(call: Any) -> None:
    made = call("library", "create_book", title="Tides", pages=12)
    assert type(made["id"]) is int
    assert call("library", "get_book", book_id=made["id"])["data"]["id"] == made["id"]


def test_result_fits_the_output_schema_and_invents_nothing(call: Any) -> None:
    made = call("library", "create_book", title="Tides", pages=12)
    found = call("library", "get_book", book_id=made["id"])
    assert found["success"] is True
    assert found["data"]["pages"] == 12
    assert found["data"]["note"] == ""


def test_text_wrapper_holds_the_list_as_json(call: Any) -> None:
    made = call("library", "create_book", title="Tides", pages=12)
    rows = json.loads(call("library", "list_books")["result"])["books"]
    assert made["id"] in [row["id"] for row in rows]


def test_dry_run_and_missing_confirmation_change_nothing(call: Any, environment: Environment) -> None:
    before = environment.state_hash()
    assert call("library", "create_book", title="Tides", dry_run=True)["dry_run"] is True
    assert environment.state_hash() == before
    made = call("library", "create_book", title="Tides")
    assert call("library", "delete_book", book_id=made["id"], confirm=False)["type"] == "confirmation_required"
    assert call("library", "get_book", book_id=made["id"])["success"] is True
    assert call("library", "delete_book", book_id=made["id"], confirm=True)["deleted"] is True


def test_natural_keys_name_records_and_are_not_made_twice(call: Any) -> None:
    first = call("library", "create_shelves", shelves=[{"name": "North", "room": "A"}, {"name": "South"}])
    assert [row["name"] for row in first["shelves"]] == ["North", "South"]
    again = call("library", "create_shelves", shelves=[{"name": "North", "room": "B"}])
    assert (again["shelves"], again["skipped"]) == ([], 1)
    assert call("library", "get_shelf", name="North")["room"] == "A"
    assert call("library", "delete_shelf", name="North")["deleted"] is True
    assert call("library", "get_shelf", name="North")["code"] == 404


def test_awkward_property_names_come_back_as_they_were_sent(call: Any, built: dict[str, BuiltService]) -> None:
    sent = {
        "_id": "t-1", "class": "c", "from": "f", "copy": True, "json": {"k": [1]}, "schema": "s",
        "model_config": {"a": 1}, "model_dump": "d", "x-ratio": 0.5, "date": None, "größe": 4, "self": "me",
        "identity": "i", "fileName": "a", "file_name": "b",
    }  # fmt: skip
    made = call("awkward", "create_thing", **sent)
    assert {name: made[name] for name in sent} == sent
    assert call("awkward", "get_thing", _id="t-1") == made
    error = call("awkward", "create_thing", **{name: value for name, value in sent.items() if name != "_id"})
    assert error["code"] == 400
    assert any("_id" in detail["path"] for detail in error["details"])


def test_look_ups_follow_from_their_key(call: Any, environment: Environment) -> None:
    before = environment.state_hash()
    first = call("weather", "get_forecast", city="Larvik")
    assert call("weather", "get_forecast", city="Larvik") == first
    assert call("weather", "get_forecast", city="Bergen") != first
    assert "Larvik" in json.dumps(first)
    assert environment.state_hash() == before


def test_enum_filters_have_hits_and_misses(call: Any) -> None:
    rows = call("weather", "list_stations")["stations"]
    german = call("weather", "list_stations", country="DE")["stations"]
    assert 0 < len(german) < len(rows)
    assert call("weather", "get_station", station_id=rows[0]["id"])["id"] == rows[0]["id"]


def test_absent_null_and_a_value_are_three_things(call: Any) -> None:
    made = call("library", "create_book", title="Tides")
    assert call("library", "update_book", book_id=made["id"], note="lent")["note"] == "lent"
    assert call("library", "update_book", book_id=made["id"], title="Tide")["note"] == "lent"
    assert call("library", "update_book", book_id=made["id"], note=None)["note"] is None
    error = call("library", "update_book", book_id=made["id"], title=None)
    assert (error["code"], error["details"][0]["path"]) == (400, "title")


def test_text_that_looks_like_json_stays_text(call: Any) -> None:
    made = call("library", "create_book", title='{"k": 1}')
    assert call("library", "get_book", book_id=made["id"])["success"] is True
    assert made["title"] == '{"k": 1}'
