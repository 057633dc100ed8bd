"""Situations in the monitoring; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import Env, Situation, case
from tests.library.world import ok, one, patched, rows

S = "monitoring"
LATER = {"start": "2026-05-04T20:00:00Z", "end": "2026-05-04T22:00:00Z"}


def _owned(env: Env) -> tuple[Env, dict[str, Any]]:
    """A monitor that may be changed."""
    monitor = one(env, S, "monitors")
    env = patched(env, S, "monitors", monitor["id"], owner_email=ME.email, priority=1)
    return env, one(env, S, "monitors", id=monitor["id"])


def _planned(env: Env) -> dict[str, Any]:
    found: dict[str, Any] = ok(env, S, "schedule_downtime", service="route-planner", message="Upgrade", **LATER)
    return found


@case(S, "list_hosts", "not_found")
def _(env: Env) -> Situation:
    return env, {"service": "nothing"}


@case(S, "list_metrics", "not_found")
def _(env: Env) -> Situation:
    return env, {"host": "nothing"}


@case(S, "list_monitors", "not_found")
def _(env: Env) -> Situation:
    return env, {"service": "nothing"}


@case(S, "list_slos", "not_found")
def _(env: Env) -> Situation:
    return env, {"service": "nothing"}


@case(S, "update_downtime", "in_the_past")
def _(env: Env) -> Situation:
    return env, {"downtime_id": _planned(env)["id"], "start": "2026-02-01T20:00:00Z"}


@case(S, "update_downtime", "already_started")
def _(env: Env) -> Situation:
    return env, {"downtime_id": "DT-0001", "start": "2026-05-04T20:00:00Z"}


@case(S, "update_downtime", "blank_text")
def _(env: Env) -> Situation:
    return env, {"downtime_id": _planned(env)["id"], "message": "  "}


@case(S, "update_downtime", "downtime_too_long")
def _(env: Env) -> Situation:
    return env, {"downtime_id": _planned(env)["id"], "end": "2026-05-09T20:00:00Z"}


@case(S, "update_downtime", "invalid_range")
def _(env: Env) -> Situation:
    return env, {"downtime_id": _planned(env)["id"], "end": LATER["start"]}


@case(S, "update_downtime", "nothing_to_change")
def _(env: Env) -> Situation:
    return env, {"downtime_id": _planned(env)["id"]}


@case(S, "update_downtime", "overlapping_downtime")
def _(env: Env) -> Situation:
    _planned(env)
    day = {"start": "2026-05-05T20:00:00Z", "end": "2026-05-05T22:00:00Z"}
    second = ok(env, S, "schedule_downtime", service="route-planner", message="Move", **day)
    return env, {"downtime_id": second["id"], "start": "2026-05-04T21:00:00Z"}


@case(S, "schedule_downtime", "overlapping_downtime")
def _(env: Env) -> Situation:
    _planned(env)
    return env, {"service": "route-planner", "message": "Again", **LATER}


@case(S, "schedule_downtime", "in_the_past")
def _(env: Env) -> Situation:
    day = {"start": "2026-02-05T20:00:00Z", "end": "2026-02-05T22:00:00Z"}
    return env, {"service": "route-planner", "message": "Late", **day}


@case(S, "schedule_downtime", "other_service")
def _(env: Env) -> Situation:
    monitor = one(env, S, "monitors", service="dock-scheduler")
    return env, {"service": "route-planner", "message": "Move", "monitor_id": monitor["id"], **LATER}


@case(S, "schedule_downtime", "blank_text")
def _(env: Env) -> Situation:
    return env, {"service": "route-planner", "message": " ", **LATER}


@case(S, "mute_monitor", "mute_too_long")
def _(env: Env) -> Situation:
    env, monitor = _owned(env)
    return env, {"monitor_id": monitor["id"], "end": "2026-03-04T09:00:00Z"}


@case(S, "mute_monitor", "monitor_locked")
def _(env: Env) -> Situation:
    env = patched(env, S, "monitors", "MON-0001", owner_email="ana@larkfield.example", locked=True)
    return env, {"monitor_id": "MON-0001", "end": "2026-03-02T10:00:00Z"}


@case(S, "delete_monitor", "monitor_locked")
def _(env: Env) -> Situation:
    env = patched(env, S, "monitors", "MON-0001", owner_email="ana@larkfield.example", locked=True)
    return env, {"monitor_id": "MON-0001"}


@case(S, "update_monitor", "monitor_locked")
def _(env: Env) -> Situation:
    env = patched(env, S, "monitors", "MON-0001", owner_email="ana@larkfield.example", locked=True)
    return env, {"monitor_id": "MON-0001", "priority": 3}


@case(S, "update_monitor", "duplicate_name")
def _(env: Env) -> Situation:
    env, monitor = _owned(env)
    other = next(row for row in env.rows(S, "monitors") if row["id"] != monitor["id"])
    return env, {"monitor_id": monitor["id"], "name": other["name"].upper()}


@case(S, "update_monitor", "nobody_notified")
def _(env: Env) -> Situation:
    env, monitor = _owned(env)
    return env, {"monitor_id": monitor["id"], "notify_emails": []}


@case(S, "update_monitor", "blank_text")
def _(env: Env) -> Situation:
    env, monitor = _owned(env)
    return env, {"monitor_id": monitor["id"], "message": " "}


@case(S, "update_monitor", "nothing_to_change")
def _(env: Env) -> Situation:
    env, monitor = _owned(env)
    return env, {"monitor_id": monitor["id"]}


def _new(**more: Any) -> dict[str, Any]:
    values = {"name": "Slow maps", "service": "fleet-tracker", "metric": "http.requests.p95"}
    return {**values, "critical": 900, "message": "Look.", **more}


@case(S, "create_monitor", "duplicate_name")
def _(env: Env) -> Situation:
    ok(env, S, "create_monitor", **_new())
    return env, _new(name="slow MAPS")


@case(S, "create_monitor", "blank_text")
def _(env: Env) -> Situation:
    return env, _new(message=" ")


@case(S, "mute_host", "message_missing")
def _(env: Env) -> Situation:
    host = one(env, S, "hosts", role="gateway", muted_until=None)
    return env, {"host": host["id"], "end": "2026-03-05T09:00:00Z"}


@case(S, "mute_host", "already_muted")
def _(env: Env) -> Situation:
    host = next(row for row in env.rows(S, "hosts") if row["muted_until"])
    return env, {"host": host["id"], "end": "2026-03-15T09:00:00Z", "message": "Work"}


def _correction(env: Env, **more: Any) -> dict[str, Any]:
    past = {"start": "2026-03-01T03:00:00Z", "end": "2026-03-01T04:00:00Z"}
    slo = one(env, S, "slos")["id"]
    return {"slo_id": slo, "category": "deployment", "description": "Deployed.", **past, **more}


@case(S, "create_slo_correction", "in_the_future")
def _(env: Env) -> Situation:
    return env, _correction(env, end="2026-03-02T10:00:00Z", start="2026-03-02T08:00:00Z")


@case(S, "create_slo_correction", "overlapping_correction")
def _(env: Env) -> Situation:
    ok(env, S, "create_slo_correction", **_correction(env))
    return env, _correction(env, start="2026-03-01T03:30:00Z")


@case(S, "create_slo_correction", "no_downtime")
def _(env: Env) -> Situation:
    return env, _correction(env, category="scheduled_maintenance")


@case(S, "create_slo_correction", "blank_text")
def _(env: Env) -> Situation:
    return env, _correction(env, description=" ")


@case(S, "delete_slo_correction", "not_yours")
def _(env: Env) -> Situation:
    correction = rows(env, S, "corrections")[0]
    env = patched(env, S, "corrections", correction["id"], created_by="ana@larkfield.example")
    return env, {"correction_id": correction["id"]}
