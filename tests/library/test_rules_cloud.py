"""The rules of the cloud console, as short stories."""

from __future__ import annotations

import pytest

from services_app.library.cast import ME
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows

S = "cloud"
DEMO = {"account": "larkfield-demo", "instance_type": "m5.large", "cost_center": "CC-100", "purpose": "A demo."}


def test_running_machines_use_up_the_quota() -> None:
    env = environment(S)
    quota = one(env, S, "quotas", account="larkfield-demo", region="us-east-2")
    used = ok(env, S, "list_quotas", account="larkfield-demo", region="us-east-2")["quotas"][0]["vcpus_used"]
    env = patched(env, S, "quotas", quota["id"], vcpu_limit=used + 3)
    for budget in rows(env, S, "budgets"):
        env = patched(env, S, "budgets", budget["id"], blocks_launches=False)
    place = {**DEMO, "region": "us-east-2"}
    first = ok(env, S, "run_instance", name="demo-a", **place)
    assert refused(env, S, "run_instance", name="demo-b", **place) == "quota_exceeded"
    ok(env, S, "stop_instance", instance_id=first["id"])
    second = ok(env, S, "run_instance", name="demo-b", **place)
    assert second["owner_email"] == ME.email
    assert refused(env, S, "start_instance", instance_id=first["id"]) == "quota_exceeded"


def test_a_terminated_machine_leaves_its_data_behind() -> None:
    env = environment(S)
    for budget in rows(env, S, "budgets"):
        env = patched(env, S, "budgets", budget["id"], blocks_launches=False)
    for quota in rows(env, S, "quotas"):
        env = patched(env, S, "quotas", quota["id"], vcpu_limit=500)
    made = ok(env, S, "run_instance", name="demo-a", termination_protection=True, **DEMO)
    place = {"instance_id": made["id"]}
    data = ok(env, S, "create_volume", name="data", account="larkfield-demo", region="eu-west-2", size_gb=80)
    ok(env, S, "attach_volume", volume_id=data["id"], **place)
    root = one(env, S, "volumes", instance_id=made["id"], root=True)
    assert refused(env, S, "detach_volume", volume_id=root["id"]) == "root_volume"
    assert refused(env, S, "detach_volume", volume_id=data["id"]) == "instance_running"
    ok(env, S, "stop_instance", **place)
    assert refused(env, S, "terminate_instance", **place) == "termination_protected"
    ok(env, S, "modify_instance", termination_protection=False, **place)
    assert ok(env, S, "terminate_instance", **place)["detached_volumes"] == [data["id"]]
    assert rows(env, S, "volumes", id=root["id"]) == []
    assert one(env, S, "volumes", id=data["id"])["instance_id"] is None
    assert refused(env, S, "start_instance", **place) == "terminated"


def test_the_forecast_follows_what_runs() -> None:
    env = environment(S)
    budget = one(env, S, "budgets", account="larkfield-demo")

    def coming() -> float:
        return float(ok(env, S, "list_budgets", account="larkfield-demo")["budgets"][0]["forecast"])

    before = coming()
    instance = one(env, S, "instances", account="larkfield-demo", state="running")
    price = one(env, S, "instance_types", id=instance["instance_type"])["hourly_price"] * 730
    ok(env, S, "stop_instance", instance_id=instance["id"])
    assert coming() == pytest.approx(before - price, abs=0.02)
    ok(env, S, "update_budget", budget_id=budget["id"], monthly_limit=round(coming() + 1, 2), blocks_launches=True)
    assert refused(env, S, "start_instance", instance_id=instance["id"]) == "over_budget"


def test_nothing_but_web_ports_is_open_to_all() -> None:
    env = environment(S)
    place = {"group_id": "sg-0d0006", "cidr": "0.0.0.0/0"}
    assert refused(env, S, "authorize_ingress", from_port=22, **place) == "open_to_the_world"
    assert refused(env, S, "authorize_ingress", from_port=80, to_port=443, **place) == "open_to_the_world"
    rule = ok(env, S, "authorize_ingress", from_port=443, **place)
    found = ok(env, S, "list_recommendations", category="security")["recommendations"]
    assert rule["id"] not in [row["resource_id"] for row in found]
    bad = next(row for row in found if row["reason"].startswith("port"))
    ok(env, S, "revoke_ingress", rule_id=bad["resource_id"])
    left = ok(env, S, "list_recommendations", category="security")["recommendations"]
    assert bad["resource_id"] not in [row["resource_id"] for row in left]


def test_production_keeps_a_copy_of_what_is_deleted() -> None:
    env = environment(S)
    volume = one(env, S, "volumes", account="larkfield-production", instance_id=None)
    for row in rows(env, S, "snapshots", volume_id=volume["id"]):
        env = patched(env, S, "snapshots", row["id"], volume_id="vol-other")
    assert refused(env, S, "delete_volume", volume_id=volume["id"]) == "no_snapshot"
    copy = ok(env, S, "create_snapshot", volume_id=volume["id"], description="Kept", locked_until="2026-06-01")
    ok(env, S, "delete_volume", volume_id=volume["id"])
    assert refused(env, S, "delete_snapshot", snapshot_id=copy["id"]) == "snapshot_locked"
