"""The rules of maps, as short stories: what calls bring about."""

from __future__ import annotations

from tests.library.cases_maps import FAR, SLUG, A, B, C, alert, route, world
from tests.library.driver import environment
from tests.library.world import ok, refused

WAY = {"origin_place_id": A, "destination_place_id": C}


def test_journeys_keep_to_the_timetable_and_its_alerts() -> None:
    env = world(environment(SLUG))
    found = ok(env, SLUG, "get_directions", **WAY, mode="transit", depart_at="2026-03-02T09:05:00Z")
    assert (found["legs"][0]["departs_at"], found["arrives_at"]) == ("2026-03-02T09:20:00Z", "2026-03-02T09:27:00Z")
    late = alert(environment(SLUG), "delay", delay_minutes=12)
    found = ok(late, SLUG, "get_directions", **WAY, mode="transit", depart_at="2026-03-02T09:05:00Z")
    assert found["arrives_at"] == "2026-03-02T09:19:00Z"  # the one of 09:00, twelve minutes late
    after = ok(late, SLUG, "get_directions", **WAY, mode="transit", depart_at="2026-03-06T09:05:00Z")
    assert after["arrives_at"] == "2026-03-06T09:27:00Z"
    shut = alert(environment(SLUG), "stop_closed", stop_id="STP-901")
    assert refused(shut, SLUG, "get_directions", **WAY, mode="transit") == "no_connection"


def test_departures_show_both_ends_and_no_more_after_the_last() -> None:
    env = world(environment(SLUG))
    found = ok(env, SLUG, "get_stop_departures", stop_id="STP-900", after="2026-03-02T19:41:00Z")
    assert [(row["departs_at"], row["towards"]) for row in found["departures"]] == [("2026-03-02T20:00:00Z", "Gamma")]
    other = ok(env, SLUG, "get_stop_departures", stop_id="STP-901", after="2026-03-02T19:41:00Z")
    assert [row["towards"] for row in other["departures"]] == ["Alpha"]


def test_incidents_slow_drivers_near_them_while_they_last() -> None:
    env = world(environment(SLUG))
    before = ok(env, SLUG, "get_directions", **WAY)["duration_minutes"]
    report = {"place_id": A, "kind": "accident", "delay_minutes": 25, "text": "Two vans.", "lasts_minutes": 60}
    ok(env, SLUG, "report_traffic_incident", **report)
    assert ok(env, SLUG, "get_directions", **WAY)["duration_minutes"] == before + 25
    assert ok(env, SLUG, "get_directions", **WAY, mode="cycling")["traffic_delay_minutes"] == 0
    later = ok(env, SLUG, "get_directions", **WAY, depart_at="2026-03-02T11:00:00Z")
    assert later["duration_minutes"] == before
    assert refused(env, SLUG, "report_traffic_incident", **report) == "already_reported"


def test_routes_add_up_and_get_shorter() -> None:
    env = route(environment(SLUG), A, C, B)
    shown = ok(env, SLUG, "list_routes", query="Test round")["routes"][0]
    assert shown["total_minutes"] == shown["travel_minutes"] + 20
    better = ok(env, SLUG, "optimize_route", route_id="RTE-900")
    assert [row["place_id"] for row in better["stops"]] == [A, B, C]
    assert better["distance_metres"] == shown["distance_metres"] - better["metres_saved"]
    assert refused(env, SLUG, "add_route_stop", route_id="RTE-900", place_id=FAR) == "too_far"
    assert refused(env, SLUG, "remove_route_stop", route_id="RTE-900", place_id=A) == "start_stays"


def test_a_second_review_replaces_the_first() -> None:
    env = world(environment(SLUG))
    ok(env, SLUG, "write_place_review", place_id=B, stars=2, text="Closed at noon.")
    ok(env, SLUG, "write_place_review", place_id=B, stars=4, text="Open again.")
    shown = ok(env, SLUG, "get_place", place_id=B)
    assert (shown["reviews"], shown["rating"]) == (1, 4.0)
