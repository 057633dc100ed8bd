"""The rules of releases and flags, as short stories."""

from __future__ import annotations

from services_app.library.cast import ME
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused

S = "releases"


def test_a_release_is_frozen_approved_and_shipped_on_its_day() -> None:
    env = environment(S)
    values = {"component": "runbooks", "version": "99.0.0", "planned_on": "2026-03-02", "notes": "New steps."}
    release = {"release_id": ok(env, S, "create_release", **values)["id"]}
    ok(env, S, "add_change", **release, issue="OPS-999", title="A page", risk="high")
    assert refused(env, S, "ship_release", **release) == "wrong_status"
    frozen = ok(env, S, "freeze_release", **release)
    assert frozen["missing_approvals"] == ["support", "operations"]
    assert refused(env, S, "add_change", **release, issue="OPS-998", title="More") == "wrong_status"
    assert refused(env, S, "submit_approval", **release, area="support", answer="approved") == "own_release"
    ok(env, S, "update_release", **release, manager_email="someone@larkfield.example")
    for area in ("support", "operations"):
        assert refused(env, S, "ship_release", **release) == "approvals_missing"
        ok(env, S, "submit_approval", **release, area=area, answer="approved")
    assert ok(env, S, "ship_release", **release)["status"] == "shipped"
    live = next(row for row in ok(env, S, "list_components")["components"] if row["id"] == "runbooks")
    assert live["live_version"] == "99.0.0"
    back = ok(env, S, "roll_back_release", **release, reason="Wrong page")
    assert back["live_version"] != "99.0.0"


def test_a_change_added_late_makes_approvals_void() -> None:
    env = environment(S)
    values = {"component": "runbooks", "version": "99.0.0", "planned_on": "2026-03-12"}
    release = {"release_id": ok(env, S, "create_release", **values)["id"]}
    ok(env, S, "add_change", **release, issue="OPS-999", title="A page")
    ok(env, S, "freeze_release", **release)
    ok(env, S, "update_release", **release, manager_email="someone@larkfield.example")
    assert ok(env, S, "submit_approval", **release, area="support", answer="approved")["missing_approvals"] == []
    ok(env, S, "freeze_release", **release, unfreeze=True)
    added = ok(env, S, "add_change", **release, issue="OPS-998", title="Another page")
    assert added["release"]["missing_approvals"] == ["support"]


def test_a_rollout_goes_step_by_step_and_never_takes_a_customer_out() -> None:
    env = environment(S)
    ok(env, S, "create_flag", key="switch", component="runbooks", description="A switch.")
    for name in ("staging", "production"):
        ok(env, S, "toggle_flag", flag="switch", environment=name, enabled=True)
    ok(env, S, "set_rollout_percentage", flag="switch", environment="staging", percentage=100)
    companies = [f"Company {number}" for number in range(60)]

    def served() -> set[str]:
        found = {name: ok(env, S, "evaluate_flag", flag="switch", company=name)["receives"] for name in companies}
        return {name for name, receives in found.items() if receives}

    before: set[str] = served()
    assert before == set()
    for share in (25, 50, 75, 100):
        if share < 75:
            step = {"flag": "switch", "environment": "production", "percentage": share + 26}
            assert refused(env, S, "set_rollout_percentage", **step) == "step_too_large"
        ok(env, S, "set_rollout_percentage", flag="switch", environment="production", percentage=share)
        after = served()
        assert before <= after
        before = after
    assert before == set(companies)
    ok(env, S, "set_target", flag="switch", company="company 7", receives=False)
    assert served() == set(companies) - {"Company 7"}
    ok(env, S, "toggle_flag", flag="switch", environment="production", enabled=False)
    assert served() == set()


def test_only_the_one_who_announced_a_freeze_ends_it() -> None:
    env = environment(S)
    freeze = one(env, S, "freezes", created_by=ME.email)
    ok(env, S, "delete_freeze", freeze_id=freeze["id"])
    other = one(env, S, "freezes")
    assert refused(env, S, "delete_freeze", freeze_id=other["id"]) == "not_your_freeze"
    env = patched(env, S, "freezes", other["id"], created_by=ME.email)
    assert ok(env, S, "delete_freeze", freeze_id=other["id"])["deleted"] == other["id"]
