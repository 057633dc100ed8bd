"""The rules of the monitoring, as short stories."""

from __future__ import annotations

from services_app.library.cast import ME
from services_app.library.monitoring.evaluate import minutes_down
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows

S = "monitoring"


def test_the_state_of_a_monitor_follows_from_the_newest_hours() -> None:
    env = environment(S)
    monitor = one(env, S, "monitors", metric="gateway.signal")
    env = patched(env, S, "monitors", monitor["id"], locked=False, window_hours=1)
    place = {"monitor_id": monitor["id"]}
    worst = ok(env, S, "get_monitor", **place)["groups"]
    assert {row["host"] for row in worst} == {row["id"] for row in rows(env, S, "hosts", role="gateway")}
    lowest = min(row["value"] for row in worst)
    assert ok(env, S, "update_monitor", **place, critical=lowest - 1, warning=None)["status"] == "OK"
    assert ok(env, S, "update_monitor", **place, warning=lowest + 1)["status"] == "Warn"
    alerting = ok(env, S, "update_monitor", **place, critical=lowest + 1, warning=lowest + 2)
    assert (alerting["status"], alerting["hosts_alerting"] > 0) == ("Alert", True)
    assert refused(env, S, "update_monitor", **place, warning=lowest) == "invalid_thresholds"


def test_a_downtime_silences_its_service_until_it_is_cancelled() -> None:
    env = environment(S)
    active = one(env, S, "downtimes", id="DT-0001")
    monitor = one(env, S, "monitors", service=active["service"], muted_until=None)
    assert ok(env, S, "get_monitor", monitor_id=monitor["id"])["silenced_by"] == active["id"]
    ok(env, S, "cancel_downtime", downtime_id=active["id"])
    assert ok(env, S, "get_monitor", monitor_id=monitor["id"])["silenced_by"] is None
    assert refused(env, S, "cancel_downtime", downtime_id=active["id"]) == "downtime_over"


def test_a_critical_service_is_down_for_eight_hours_at_most() -> None:
    env = environment(S)
    night = {"start": "2026-05-04T20:00:00Z", "end": "2026-05-05T05:00:00Z", "message": "Upgrade"}
    assert refused(env, S, "schedule_downtime", service="fleet-tracker", **night) == "downtime_too_long"
    planned = ok(env, S, "schedule_downtime", service="route-planner", **night)
    assert (planned["status"], planned["minutes"]) == ("scheduled", 540)
    assert refused(env, S, "schedule_downtime", service="route-planner", **night) == "overlapping_downtime"


def test_a_correction_gives_the_error_budget_back() -> None:
    env = environment(S)
    slo = one(env, S, "slos", id="SLO-0001")
    for row in rows(env, S, "corrections", slo_id=slo["id"]):
        env = patched(env, S, "corrections", row["id"], start="2025-01-01T00:00:00Z", end="2025-01-01T00:05:00Z")
    episode = one(env, S, "episodes", monitor_id=slo["monitor_ids"][0])
    env = patched(env, S, "episodes", episode["id"], started_at="2026-03-01T02:50:00Z", ended_at="2026-03-01T03:20:00Z")
    before = ok(env, S, "get_slo", slo_id=slo["id"])
    span = {"start": "2026-03-01T03:00:00Z", "end": "2026-03-01T04:00:00Z"}
    text = {"category": "deployment", "description": "Deployed."}
    after = ok(env, S, "create_slo_correction", slo_id=slo["id"], **span, **text)
    assert after["created_by"] == ME.email
    assert after["slo"]["budget_left_minutes"] == before["budget_left_minutes"] + 20
    undone = ok(env, S, "delete_slo_correction", correction_id=after["id"])
    assert undone["slo"]["budget_left_minutes"] == before["budget_left_minutes"]


def test_minutes_that_overlap_count_once() -> None:
    down = [("2026-03-01T01:00:00Z", "2026-03-01T02:00:00Z"), ("2026-03-01T01:30:00Z", "2026-03-01T02:30:00Z")]
    free = [("2026-03-01T01:10:00Z", "2026-03-01T01:20:00Z")]
    assert minutes_down(down, free, "2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z") == 80
    assert minutes_down(down, [], "2026-03-01T02:00:00Z", "2026-03-02T00:00:00Z") == 30


def test_a_monitor_that_an_objective_needs_stays() -> None:
    env = environment(S)
    slo = one(env, S, "slos")
    env = patched(env, S, "monitors", slo["monitor_ids"][0], locked=False)
    assert refused(env, S, "delete_monitor", monitor_id=slo["monitor_ids"][0]) == "used_by_slo"
    used = {name for row in env.rows(S, "slos") for name in row["monitor_ids"]}
    free = next(row for row in env.rows(S, "monitors") if row["id"] not in used and not row["locked"])
    ok(env, S, "delete_monitor", monitor_id=free["id"])
    assert rows(env, S, "episodes", monitor_id=free["id"]) == []
