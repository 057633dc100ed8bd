"""Situations in releases and flags; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import Env, Situation, case
from tests.library.driver import SPECIAL, Driver
from tests.library.world import Row, ok, one, patched

S = "releases"


def _movable(driver: Driver, values: dict[str, Any]) -> dict[str, Any]:
    """A change of a planned release, and another planned release of its component."""
    planned = {row["id"]: row for row in driver.env.rows(S, "releases") if row["status"] == "planned"}
    for change in driver.env.rows(S, "changes"):
        own = planned.get(change["release_id"])
        for other in planned.values():
            if own and other["id"] != own["id"] and other["component"] == own["component"]:
                return {"change_id": change["id"], "release_id": other["id"]}
    return {}


SPECIAL[S, "move_change"] = _movable


def _new(env: Env, **more: Any) -> Row:
    values = {"component": "runbooks", "version": "99.0.0", "planned_on": "2026-03-02", "notes": "New steps."}
    found: Row = ok(env, S, "create_release", **{**values, **more})
    return found


def _ready(env: Env, **more: Any) -> tuple[Env, Row]:
    """A release of today that somebody else manages, frozen, with all approvals."""
    release = _new(env, **more)
    ok(env, S, "add_change", release_id=release["id"], issue="OPS-999", title="A page", kind="feature")
    ok(env, S, "freeze_release", release_id=release["id"])
    other = "someone@larkfield.example"
    ok(env, S, "update_release", release_id=release["id"], manager_email=other)
    ok(env, S, "submit_approval", release_id=release["id"], area="support", answer="approved")
    return env, release


@case(S, "update_release", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"release_id": _new(env)["id"], "planned_on": "2026-02-30"}


@case(S, "update_release", "frozen_day")
def _(env: Env) -> Situation:
    return env, {"release_id": _new(env)["id"], "planned_on": "2026-03-21"}


@case(S, "create_release", "frozen_day")
def _(env: Env) -> Situation:
    return env, {"component": "runbooks", "version": "99.0.0", "planned_on": "2026-03-21"}


@case(S, "create_release", "version_too_low")
def _(env: Env) -> Situation:
    return env, {"component": "fleet-tracker", "version": "0.0.1", "planned_on": "2026-03-12"}


@case(S, "create_release", "duplicate_version")
def _(env: Env) -> Situation:
    return env, {"component": "runbooks", "version": _new(env)["version"], "planned_on": "2026-03-12"}


@case(S, "add_change", "blank_text")
def _(env: Env) -> Situation:
    return env, {"release_id": _new(env)["id"], "issue": "OPS-999", "title": "  "}


@case(S, "add_change", "duplicate_change")
def _(env: Env) -> Situation:
    release = _new(env)
    ok(env, S, "add_change", release_id=release["id"], issue="OPS-999", title="A page")
    return env, {"release_id": release["id"], "issue": "OPS-999", "title": "Again"}


@case(S, "move_change", "already_there")
def _(env: Env) -> Situation:
    change = one(env, S, "changes")
    return env, {"change_id": change["id"], "release_id": change["release_id"]}


@case(S, "move_change", "other_component")
def _(env: Env) -> Situation:
    release = _new(env)
    change = ok(env, S, "add_change", release_id=release["id"], issue="OPS-999", title="A page")
    other = _new(env, component="fleet-tracker")
    return env, {"change_id": change["id"], "release_id": other["id"]}


@case(S, "freeze_release", "no_changes")
def _(env: Env) -> Situation:
    return env, {"release_id": _new(env)["id"]}


@case(S, "submit_approval", "own_release")
def _(env: Env) -> Situation:
    release = one(env, S, "releases")
    env = patched(env, S, "releases", release["id"], status="frozen", manager_email=ME.email)
    return env, {"release_id": release["id"], "area": "quality", "answer": "approved"}


@case(S, "submit_approval", "comment_missing")
def _(env: Env) -> Situation:
    env, release = _ready(env)
    return env, {"release_id": release["id"], "area": "quality", "answer": "refused"}


@case(S, "submit_approval", "same_answer")
def _(env: Env) -> Situation:
    env, release = _ready(env)
    return env, {"release_id": release["id"], "area": "support", "answer": "approved"}


@case(S, "ship_release", "frozen_day")
def _(env: Env) -> Situation:
    env, release = _ready(env)
    freeze = one(env, S, "freezes")
    return patched(env, S, "freezes", freeze["id"], first_day="2026-03-01", last_day="2026-03-09"), {
        "release_id": release["id"]
    }


@case(S, "ship_release", "notes_missing")
def _(env: Env) -> Situation:
    env, release = _ready(env, notes="")
    return env, {"release_id": release["id"]}


@case(S, "ship_release", "not_a_hotfix")
def _(env: Env) -> Situation:
    env, release = _ready(env)
    return env, {"release_id": release["id"], "hotfix": True}


@case(S, "ship_release", "too_early")
def _(env: Env) -> Situation:
    env, release = _ready(env, planned_on="2026-03-12")
    return env, {"release_id": release["id"]}


@case(S, "roll_back_release", "not_newest")
def _(env: Env) -> Situation:
    shipped = one(env, S, "releases", status="shipped")
    later = {"shipped_at": "2026-03-01T10:00:00Z", "status": "shipped"}
    other = next(row for row in env.rows(S, "releases") if row["component"] == shipped["component"] and row != shipped)
    return patched(env, S, "releases", other["id"], **later), {"release_id": shipped["id"], "reason": "No"}


@case(S, "roll_back_release", "blank_text")
def _(env: Env) -> Situation:
    return env, {"release_id": one(env, S, "releases", status="shipped")["id"], "reason": " "}


@case(S, "create_freeze", "releases_planned")
def _(env: Env) -> Situation:
    day = _new(env, planned_on="2026-03-12")["planned_on"]
    return env, {"reason": "Holiday", "first_day": day, "last_day": day}


@case(S, "create_flag", "too_many_flags")
def _(env: Env) -> Situation:
    values = {"component": "runbooks", "description": "A switch."}
    for number in range(25):
        ok(env, S, "create_flag", key=f"switch-{number}", **values)
    return env, {"key": "one-more", **values}


def _flag(env: Env) -> str:
    """A new flag that is on everywhere, at half in staging."""
    ok(env, S, "create_flag", key="switch", component="runbooks", description="A switch.")
    for environment in ("staging", "production"):
        ok(env, S, "toggle_flag", flag="switch", environment=environment, enabled=True)
    ok(env, S, "set_rollout_percentage", flag="switch", environment="staging", percentage=10)
    return "switch"


@case(S, "set_rollout_percentage", "above_staging")
def _(env: Env) -> Situation:
    return env, {"flag": _flag(env), "environment": "production", "percentage": 20}


@case(S, "set_rollout_percentage", "step_too_large")
def _(env: Env) -> Situation:
    return env, {"flag": _flag(env), "environment": "production", "percentage": 60}


@case(S, "set_target", "too_many_targets")
def _(env: Env) -> Situation:
    flag = _flag(env)
    for number in range(20):
        ok(env, S, "set_target", flag=flag, company=f"Company {number}")
    return env, {"flag": flag, "company": "One More"}


@case(S, "set_target", "same_target")
def _(env: Env) -> Situation:
    flag = _flag(env)
    ok(env, S, "set_target", flag=flag, company="Company")
    return env, {"flag": flag, "company": "company"}


@case(S, "toggle_flag", "not_in_staging")
def _(env: Env) -> Situation:
    ok(env, S, "create_flag", key="switch", component="runbooks", description="A switch.")
    return env, {"flag": "switch", "environment": "production", "enabled": True}


@case(S, "archive_flag", "still_rolling_out")
def _(env: Env) -> Situation:
    return env, {"flag": _flag(env)}


@case(S, "remove_target", "flag_archived")
def _(env: Env) -> Situation:
    target = one(env, S, "targets")
    return patched(env, S, "flags", target["flag"], archived=True), {"target_id": target["id"]}


@case(S, "create_release", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"component": "runbooks", "version": "99.0.0", "planned_on": "2026-02-30"}
